//! Pictures and dumps that several recordings have, kept once: they are named by what is in them, and each is a hard link to
//! one file below `.shared` in the folder of recordings. A recording stays a folder of plain files, which may be copied, moved
//! or removed by hand.

use super::recordings::Recordings;
use crate::domain::{CaseId, RunId};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Where shared files lie, in the folder of recordings; no case's name begins with a dot.
const SHARED: &str = ".shared";
/// Where a recording has them.
const SCREENS: &str = "screens";
/// Letters of a name by which shared files are spread over folders.
const SPREAD: usize = 2;
/// What the name of a link ends with before it takes its file's place.
const NEW: &str = ".shared-new";

impl Recordings {
    /// Shares the pictures and dumps of a run that has ended; gives the bytes that are freed by that.
    ///
    /// # Errors
    /// A folder cannot be looked into, or its file system has no links. What is not shared stays as it is.
    pub fn share(&self, case_id: &CaseId, run_id: &RunId) -> std::io::Result<u64> {
        let Some(found) = self.of(case_id, run_id, None)?.filter(|found| found.complete) else { return Ok(0) };
        let mut freed = 0;
        for file in found.files()? {
            let Some(name) = file.path.strip_prefix(SCREENS).and_then(|rest| rest.strip_prefix('/')) else { continue };
            if name.len() > SPREAD && !name.contains('/') && name.is_char_boundary(SPREAD) && !name.ends_with(NEW) {
                let folder = self.root().join(SHARED).join(&name[..SPREAD]);
                std::fs::create_dir_all(&folder)?;
                freed += share_one(&found.folder.join(&file.path), &folder.join(name))?;
            }
        }
        Ok(freed)
    }

    /// Removes shared files that no recording has any more; gives their bytes.
    ///
    /// # Errors
    /// A folder cannot be looked into, or a file cannot be removed.
    pub fn sweep_shared(&self) -> std::io::Result<u64> {
        let mut bytes = 0;
        for folder in plain(&self.root().join(SHARED))? {
            for path in plain(&folder)? {
                let found = std::fs::symlink_metadata(&path)?;
                if found.is_file() && links(&found) == 1 {
                    std::fs::remove_file(&path)?;
                    bytes += found.len();
                }
            }
        }
        Ok(bytes)
    }
}

/// Makes a file and its shared one the same, where they hold the same; gives the bytes that are freed.
fn share_one(own: &Path, shared: &Path) -> std::io::Result<u64> {
    match std::fs::hard_link(own, shared) {
        Ok(()) => return Ok(0),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let found = std::fs::symlink_metadata(own)?;
    if same_file(&found, &std::fs::symlink_metadata(shared)?) {
        return Ok(0);
    }
    // A name tells much, but what is in the files decides: what is damaged is not spread.
    if std::fs::read(own)? != std::fs::read(shared)? {
        return Ok(0);
    }
    let mut name = own.as_os_str().to_owned();
    name.push(NEW);
    let link = Path::new(&name);
    match std::fs::hard_link(shared, link) {
        Ok(()) => std::fs::rename(link, own).map(|()| found.len()),
        // It was swept away meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    }
}

/// What a file takes of the disk, where it is shared: its part of it.
pub(super) fn share_of(found: &std::fs::Metadata) -> u64 {
    // One of the links is the shared file itself.
    found.len() / links(found).saturating_sub(1).max(1)
}

#[cfg(unix)]
fn links(found: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

#[cfg(not(unix))]
fn links(_: &std::fs::Metadata) -> u64 {
    2
}

#[cfg(unix)]
fn same_file(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn same_file(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    false
}

/// What is in a folder; nothing where there is none.
fn plain(folder: &Path) -> std::io::Result<Vec<std::path::PathBuf>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(Error::new(error.kind(), format!("{}: {error}", folder.display()))),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::recordings::RecordedRun;
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    fn recorded(root: &Path, run: &str, files: &[(&str, &str)]) -> (CaseId, RunId) {
        for (name, text) in files {
            let path = root.join("PAY-1").join(run).join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let run = run.split('.').next().unwrap();
        (CaseId::new("PAY-1").unwrap(), RunId::from(run))
    }

    #[test]
    fn what_two_runs_saw_is_kept_once_and_goes_with_the_last() {
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(folder.path().to_owned());
        let screen = "a picture of two hundred bytes ".repeat(7);
        let files =
            [("screens/0a1b.png", screen.as_str()), ("events.jsonl", "{}\n"), ("screens/x", "too short a name")];
        let (case, one) = recorded(folder.path(), "r-1", &files);
        let (_, two) = recorded(folder.path(), "r-2", &files);
        // Another picture of the same name, as if a hash had met another.
        let (_, three) = recorded(folder.path(), "r-3", &[("screens/0a1b.png", "something else")]);
        let (_, under_way) = recorded(folder.path(), "r-4.partial", &files);
        assert_eq!(recordings.share(&case, &one).unwrap(), 0);
        assert_eq!(recordings.share(&case, &two).unwrap(), screen.len() as u64);
        assert_eq!(recordings.share(&case, &two).unwrap(), 0, "it is shared already");
        assert_eq!(recordings.share(&case, &three).unwrap() + recordings.share(&case, &under_way).unwrap(), 0);
        let read = |run: &str| {
            std::fs::read_to_string(folder.path().join("PAY-1").join(run).join("screens/0a1b.png")).unwrap()
        };
        assert_eq!((read("r-1"), read("r-2"), read("r-3")), (screen.clone(), screen.clone(), "something else".into()));
        let inode = |path: &str| std::fs::metadata(folder.path().join(path)).unwrap().ino();
        assert_eq!(inode("PAY-1/r-1/screens/0a1b.png"), inode("PAY-1/r-2/screens/0a1b.png"));
        assert_ne!(
            inode("PAY-1/r-1/events.jsonl"),
            inode("PAY-1/r-2/events.jsonl"),
            "only what nobody changes is shared"
        );
        let all = recordings.all().unwrap();
        let taken: u64 =
            all.iter().filter(|run| ["r-1", "r-2"].contains(&run.run_id.as_str())).map(|run| run.bytes).sum();
        assert!(taken < 2 * screen.len() as u64 && all.len() == 4, "it is counted twice: {all:?}");

        assert_eq!(recordings.sweep_shared().unwrap(), 0);
        recordings.remove(&RecordedRun::of(&case, &one)).unwrap();
        assert_eq!((recordings.sweep_shared().unwrap(), read("r-2")), (0, screen.clone()));
        recordings.remove(&RecordedRun::of(&case, &two)).unwrap();
        assert_eq!(recordings.sweep_shared().unwrap(), screen.len() as u64);
        assert_eq!(recordings.sweep_shared().unwrap(), 0);
    }
}
