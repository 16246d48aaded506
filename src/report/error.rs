//! Why a report could not be made.

use std::path::{Path, PathBuf};

/// A report that could not be made. The run and its verdict stand.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error("cannot write {path}: {source}. Check that the folder exists, may be written and has room", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The HTML template failed: a defect of Tapwright.
    #[error("the HTML report could not be rendered: {0}. Please report this as a bug")]
    Template(#[from] minijinja::Error),
    /// The result could not be written as JSON.
    #[error("the result could not be written as JSON: {0}. Please report this as a bug")]
    Json(#[from] serde_json::Error),
}

/// Writes a file whole or not at all: temporary name in the same folder, fsync, rename.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let failed = |source| ReportError::Write { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.suffix(".partial");
    // A report is for others too: the user's umask decides, as with any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut file, content).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Tells before the work begins that a file could not be written after it: its folder is made, and must take a file.
pub fn probe_writable(path: &Path) -> Result<(), ReportError> {
    let failed = |source| ReportError::Write { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    if path.is_dir() {
        return Err(failed(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder")));
    }
    tempfile::Builder::new().suffix(".partial").tempfile_in(folder).map_err(failed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_could_not_be_written_is_told_before_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        probe_writable(&folder.path().join("new/deep/junit.xml")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path().join("new/deep")).unwrap().count(), 0);
        for bad in ["file/junit.xml", "new"] {
            let text = probe_writable(&folder.path().join(bad)).unwrap_err().to_string();
            assert!(text.contains(bad) && text.contains("may be written"), "{text}");
        }
    }
}
