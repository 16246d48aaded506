//! Labels on disk: all of them or none, and never in a folder that holds something.

use super::ranking_labels::Label;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Why labels could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FlywheelError {
    /// The folder is in use.
    #[error("{} holds files already; name a new folder", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl FlywheelError {
    /// Refuses a folder that holds something, and a file of that name.
    pub(super) fn check_new(folder: &Path) -> Result<(), Self> {
        let empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if empty || !folder.exists() { Ok(()) } else { Err(Self::Taken { folder: folder.to_owned() }) }
    }
}

/// Writes `labels.jsonl`, and each dump as `screens/<name>.xml`. The files come into being in a folder beside `output`
/// that takes its name when all is on disk.
pub(super) fn write(output: &Path, labels: &[Label], dumps: &BTreeMap<&str, &[u8]>) -> Result<(), FlywheelError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| FlywheelError::Write { path, source }
    };
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&parent).map_err(failed(&parent))?;
    let draft = tempfile::Builder::new().prefix(".labels-").tempdir_in(&parent).map_err(failed(&parent))?;
    // The draft is its owner's only; what is in it may be read like any other folder.
    let root = draft.path().join("labels");
    std::fs::create_dir_all(root.join("screens")).map_err(failed(&root))?;
    for (name, dump) in dumps {
        let path = root.join("screens").join(format!("{name}.xml"));
        file(&path, dump).map_err(failed(&path))?;
    }
    let path = root.join("labels.jsonl");
    let mut lines = Vec::new();
    for label in labels {
        serde_json::to_writer(&mut lines, label).map_err(|error| failed(&path)(error.into()))?;
        lines.push(b'\n');
    }
    file(&path, &lines).map_err(failed(&path))?;
    // An empty folder of that name would be in the way.
    drop(std::fs::remove_dir(output));
    std::fs::rename(&root, output).map_err(failed(output))
}

fn file(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}
