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
pub(super) fn write_whole(path: &Path, content: &[u8]) -> Result<(), ReportError> {
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
