//! Where a recording's files are: in a folder, or in memory (an unpacked archive).

use super::RecordedAppError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longest file that is read, bytes.
const LONGEST: u64 = 64 << 20;

/// A recording's files.
#[derive(Debug, Clone)]
pub enum Files {
    /// A folder.
    Folder(PathBuf),
    /// Contents by path, `states/s1.xml`.
    Memory(BTreeMap<String, Arc<[u8]>>),
}

impl Files {
    /// What messages call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            Self::Memory(_) => "recording".to_owned(),
        }
    }

    /// A file's content; `None` when there is none of that name.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RecordedAppError> {
        match self {
            Self::Folder(folder) => read_file(&folder.join(name)),
            Self::Memory(files) => Ok(files.get(name).map(|bytes| bytes.to_vec())),
        }
    }

    /// The names in `states/`, sorted.
    pub(super) fn states(&self) -> Result<Vec<String>, RecordedAppError> {
        let mut names = Vec::new();
        match self {
            Self::Folder(folder) => {
                let path = folder.join("states");
                let failed = |source| RecordedAppError::Read { path: path.clone(), source };
                for entry in std::fs::read_dir(&path).map_err(failed)? {
                    names.extend(entry.map_err(failed)?.file_name().into_string());
                }
            }
            Self::Memory(files) => {
                names.extend(files.keys().filter_map(|path| path.strip_prefix("states/")).map(str::to_owned));
            }
        }
        names.sort();
        Ok(names)
    }
}

/// A file's content; `None` when it is not there.
pub(super) fn read_file(path: &Path) -> Result<Option<Vec<u8>>, RecordedAppError> {
    let failed = |source| RecordedAppError::Read { path: path.to_owned(), source };
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(found) if found.len() > LONGEST => {
            let reason = format!("it has {} bytes; at most {LONGEST} are read", found.len());
            return Err(failed(std::io::Error::new(std::io::ErrorKind::FileTooLarge, reason)));
        }
        Ok(_) => {}
    }
    std::fs::read(path).map(Some).map_err(failed)
}
