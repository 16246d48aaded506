//! `result.json`: the summary of a run, for machines.

use super::ReportError;
use super::error::write_whole;
use crate::domain::RunResult;
use std::path::{Path, PathBuf};

/// Writes `result.json` into the run's folder, whole or not at all, and returns its path.
pub fn write_result(folder: &Path, result: &RunResult) -> Result<PathBuf, ReportError> {
    let path = folder.join("result.json");
    let mut text = serde_json::to_vec_pretty(result)?;
    text.push(b'\n');
    write_whole(&path, &text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_result_is_read_back_as_it_was_and_replaces_an_older_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("result.json"), "half-writ").unwrap();
        let path = write_result(folder.path(), &sample::result()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(serde_json::from_str::<RunResult>(&text).unwrap(), sample::result());
        assert!(!text.contains(sample::SECRET));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let text = write_result(Path::new("/nonexistent/run"), &sample::result()).unwrap_err().to_string();
        assert!(text.contains("/nonexistent/run/result.json") && text.contains("folder exists"), "{text}");
    }
}
