//! Which files hold cases, and how each is known to be as it was.

use super::FindError;
use std::collections::{BTreeMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders that never hold cases.
const SKIPPED: [&str; 2] = ["target", "node_modules"];
/// Deeper than any sensible tree.
const MAX_DEPTH: usize = 32;

/// What a file is apart from its path: two paths may lead to one.
pub(super) type Identity = (u64, u64);

/// A file at a moment. Where two are equal, nothing was written in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    identity: Identity,
    bytes: u64,
    changed: SystemTime,
}

impl Stamp {
    fn of(path: &Path, found: &Metadata) -> Self {
        let changed = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Self { identity: identity(path, found), bytes: found.len(), changed }
    }

    /// The file as it is now; `None` where there is no plain file.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(Self::of(path, &found))
    }

    pub(super) const fn identity(&self) -> Identity {
        self.identity
    }

    /// When it was last written.
    pub(super) const fn changed(&self) -> SystemTime {
        self.changed
    }
}

#[cfg(unix)]
fn identity(_path: &Path, found: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn identity(path: &Path, _found: &Metadata) -> Identity {
    use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    (BuildHasherDefault::<DefaultHasher>::default().hash_one(path), 0)
}

/// Every case file under the roots (folders or single files), by path. Only plain files: whoever opened a pipe would wait
/// for ever. A folder is looked into once, by whatever links it is reached.
pub(super) fn case_files(roots: &[PathBuf]) -> Result<BTreeMap<PathBuf, Stamp>, FindError> {
    let mut walk = Walk::default();
    for root in roots {
        let failed = |source| FindError::Folder { path: root.clone(), source };
        let found = std::fs::metadata(root).map_err(failed)?;
        if found.is_file() {
            walk.files.insert(root.clone(), Stamp::of(root, &found));
        } else {
            walk.enter(root, &found, 0)?;
        }
    }
    Ok(walk.files)
}

#[derive(Default)]
struct Walk {
    files: BTreeMap<PathBuf, Stamp>,
    entered: HashSet<Identity>,
}

impl Walk {
    fn enter(&mut self, folder: &Path, found: &Metadata, depth: usize) -> Result<(), FindError> {
        if !self.entered.insert(identity(folder, found)) {
            return Ok(());
        }
        let failed = |source| FindError::Folder { path: folder.to_owned(), source };
        let mut folders = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (child, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let named = name.ends_with(".case.yaml") || name.ends_with(".case.yml");
            // What is a plain file by another name need not be looked at.
            if !named && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            // A dangling link is nobody's case.
            let Ok(found) = std::fs::metadata(&child) else { continue };
            if found.is_dir() {
                if depth < MAX_DEPTH && !name.starts_with('.') && !SKIPPED.contains(&name.as_ref()) {
                    folders.push((child, found));
                }
            } else if named && found.is_file() {
                let stamp = Stamp::of(&child, &found);
                self.files.insert(child, stamp);
            }
        }
        // In the order of their names: of two ways to a folder always the same one counts.
        folders.sort_by(|one, other| one.0.cmp(&other.0));
        folders.into_iter().try_for_each(|(folder, found)| self.enter(&folder, &found, depth + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_opened_and_links_lead_round_in_circles_once() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("a.case.yaml"), "id: A-1\n").unwrap();
        let pipe = folder.path().join("pipe.case.yaml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Without a memory of where it was, the walk would have 8^32 ways to go.
        for number in 0..8 {
            std::os::unix::fs::symlink(folder.path(), inner.join(format!("loop{number}"))).unwrap();
        }
        std::os::unix::fs::symlink(inner.join("a.case.yaml"), folder.path().join("link.case.yaml")).unwrap();
        let files = case_files(&[folder.path().to_owned(), inner.clone()]).unwrap();
        let names: Vec<_> =
            files.keys().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["inner/a.case.yaml", "link.case.yaml"]);
        let identities: HashSet<_> = files.values().map(Stamp::identity).collect();
        assert_eq!(identities.len(), 1, "a link is the file it leads to");
    }
}
