//! A run as one file: everything of its folder in a zip.

use super::ReportError;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Writes the folder of a run as a zip, whole or not at all; within it everything stands below the run's own name. Gives how
/// many files are in it.
///
/// # Errors
/// The folder cannot be read, or the file cannot be written.
pub fn write_archive(path: &Path, run: &Path) -> Result<usize, ReportError> {
    let failed = |source: io::Error| ReportError::Write { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let temporary = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut writer = ZipWriter::new(temporary);
    let name = run.file_name().map(PathBuf::from).unwrap_or_else(|| PathBuf::from("run"));
    let mut files = Vec::new();
    collect(run, &mut files).map_err(failed)?;
    files.sort();
    for file in &files {
        let inside = name.join(file.strip_prefix(run).unwrap_or(file));
        // Pictures are compressed already.
        let stored = file.extension().is_some_and(|end| end == "png");
        let method = if stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method).large_file(false);
        let entry = inside.to_string_lossy().replace('\\', "/");
        writer.start_file(entry, options).map_err(|error| failed(io::Error::other(error)))?;
        io::copy(&mut File::open(file).map_err(failed)?, &mut writer).map_err(failed)?;
    }
    let temporary = writer.finish().map_err(|error| failed(io::Error::other(error)))?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(path).map_err(|error| failed(error.error))?;
    Ok(files.len())
}

/// Every file below a folder; links are left out, for they lead elsewhere.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_run_is_one_file_with_everything_below_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("0190-a");
        std::fs::create_dir_all(run.join("screens")).unwrap();
        std::fs::write(run.join("events.jsonl"), "{}\n".repeat(1000)).unwrap();
        std::fs::write(run.join("screens/one.png"), [1, 2, 3]).unwrap();
        let path = folder.path().join("run.zip");
        std::fs::write(&path, "an older one").unwrap();
        assert_eq!(write_archive(&path, &run).unwrap(), 2);
        let mut archive = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
        let mut names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["0190-a/events.jsonl", "0190-a/screens/one.png"]);
        let mut text = String::new();
        archive.by_name("0190-a/events.jsonl").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "{}\n".repeat(1000));
        assert!(path.metadata().unwrap().len() < 1000, "texts are compressed");
        let missing = write_archive(&path, &folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.contains("run.zip"), "{missing}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays");
    }
}
