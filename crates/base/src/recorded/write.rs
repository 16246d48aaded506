//! Writes a recording.

use super::{AppInfo, RecordedAppError, StateId, Task, Transition};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A state to be written.
#[derive(Debug, Clone)]
pub struct NewState {
    /// Its id.
    pub id: StateId,
    /// The hierarchy as dumped.
    pub hierarchy: Vec<u8>,
    /// Its picture, a PNG.
    pub picture: Option<Vec<u8>>,
}

/// Writes a recording into `folder`, which must not exist or be empty. The files come into being in a folder beside it
/// that takes its name when all is written.
pub fn write(
    folder: &Path,
    info: &AppInfo,
    states: &[NewState],
    transitions: &[Transition],
    tasks: &[Task],
) -> Result<(), RecordedAppError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| RecordedAppError::Write { path, source }
    };
    let taken = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if taken {
        let reason = "it holds files already; name a new folder";
        return Err(failed(folder)(std::io::Error::new(std::io::ErrorKind::AlreadyExists, reason)));
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&parent).map_err(failed(&parent))?;
    let draft = tempfile::Builder::new().prefix(".recording-").tempdir_in(&parent).map_err(failed(&parent))?;
    let inside = draft.path().join("states");
    std::fs::create_dir(&inside).map_err(failed(&inside))?;
    for state in states {
        let path = inside.join(format!("{}.xml", state.id));
        std::fs::write(&path, &state.hierarchy).map_err(failed(&path))?;
        if let Some(picture) = &state.picture {
            let path = inside.join(format!("{}.png", state.id));
            std::fs::write(&path, picture).map_err(failed(&path))?;
        }
    }
    let app = serde_json::to_string_pretty(info).map_err(|error| failed(folder)(error.into()))?;
    file(&draft.path().join("app.json"), &(app + "\n"))?;
    lines(&draft.path().join("transitions.jsonl"), transitions)?;
    lines(&draft.path().join("tasks.jsonl"), tasks)?;
    // An empty folder of that name would be in the way.
    drop(std::fs::remove_dir(folder));
    std::fs::rename(draft.path(), folder).map_err(failed(folder))?;
    readable(folder).map_err(failed(folder))
}

/// A temporary folder is its owner's only; a recording is for everybody who may read its surroundings.
#[cfg(unix)]
fn readable(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn readable(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

fn lines<T: Serialize>(path: &Path, entries: &[T]) -> Result<(), RecordedAppError> {
    let mut text = String::new();
    for entry in entries {
        let line = serde_json::to_string(entry)
            .map_err(|error| RecordedAppError::Write { path: path.to_owned(), source: error.into() })?;
        text.push_str(&line);
        text.push('\n');
    }
    file(path, &text)
}

fn file(path: &Path, text: &str) -> Result<(), RecordedAppError> {
    let written = std::fs::File::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| RecordedAppError::Write { path: path.to_owned(), source })
}
