//! The recordings of past runs in their folder: what there is of a run, file by file.
//!
//! Paths from outside lead to plain files within a run's folder, or nowhere: links are neither followed nor listed.

use super::shared::share_of;
use crate::domain::{CaseId, RunId};
use std::collections::BTreeMap;
use std::fs::{DirEntry, Metadata};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// Most files of one recording that are listed.
const MOST_FILES: usize = 20_000;
/// Folders within a recording are no deeper.
const DEEPEST: usize = 4;
/// What the folder of a run under way ends with.
pub(super) const PARTIAL: &str = ".partial";
/// What stands between a run and the number of an attempt that was made again.
pub(super) const ATTEMPT: &str = ".attempt-";

/// The folder that recordings are kept in: `<case>/<run>` each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recordings {
    root: PathBuf,
}

/// A file of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFile {
    /// Path within the recording, `/` between folders.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

/// A recording as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRecording {
    /// Its folder.
    pub folder: PathBuf,
    /// False while its run is under way, and where it was cut off.
    pub complete: bool,
}

impl Recordings {
    /// The recordings below a folder, which need not exist yet.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The recording of a run, or of an earlier attempt of it (from 1); `None` where there is none.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn of(
        &self,
        case_id: &CaseId,
        run_id: &RunId,
        attempt: Option<u32>,
    ) -> std::io::Result<Option<FoundRecording>> {
        let plain = |name: &str| matches!(components(Path::new(name)).as_deref(), Some([only]) if *only == name);
        if !plain(case_id.as_str()) || !plain(run_id.as_str()) {
            return Ok(None);
        }
        let case = self.root.join(case_id.as_str());
        let names = match attempt {
            Some(number) => vec![(format!("{run_id}{ATTEMPT}{number}"), true)],
            None => vec![(run_id.to_string(), true), (format!("{run_id}{PARTIAL}"), false)],
        };
        for (name, complete) in names {
            let folder = case.join(name);
            if existing(&folder)?.is_some_and(|found| found.is_dir()) {
                return Ok(Some(FoundRecording { folder, complete }));
            }
        }
        Ok(None)
    }

    /// Numbers of the earlier attempts of a run of which recordings are there.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn attempts(&self, case_id: &CaseId, run_id: &RunId) -> std::io::Result<Vec<u32>> {
        let entries = match std::fs::read_dir(self.root.join(case_id.as_str())) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let beginning = format!("{run_id}{ATTEMPT}");
        let mut numbers = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            numbers.extend(name.to_str().and_then(|name| name.strip_prefix(&beginning)?.parse::<u32>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// What a run recorded, in all its attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRun {
    /// Its case.
    pub case_id: CaseId,
    /// The run.
    pub run_id: RunId,
    /// What all of it takes.
    pub bytes: u64,
}

impl RecordedRun {
    /// A run whose recordings nobody has looked at yet.
    pub fn of(case_id: &CaseId, run_id: &RunId) -> Self {
        Self { case_id: case_id.clone(), run_id: run_id.clone(), bytes: 0 }
    }
}

/// A recording that has not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutOff {
    /// Its folder.
    pub folder: PathBuf,
    /// The run.
    pub run_id: RunId,
    /// What it takes.
    pub bytes: u64,
    /// How long nothing was written into it.
    pub untouched_for: Duration,
}

impl Recordings {
    /// All runs that recorded something, by their ids.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn all(&self) -> std::io::Result<Vec<RecordedRun>> {
        let mut found: BTreeMap<RunId, RecordedRun> = BTreeMap::new();
        for (case_id, folder, name) in self.folders()? {
            let run = name.split_once('.').map_or(name.as_str(), |(run, _)| run);
            let run_id = RunId::from(run);
            let recorded = found.entry(run_id.clone()).or_insert_with(|| RecordedRun::of(&case_id, &run_id));
            recorded.bytes += size_of(&folder)?;
        }
        Ok(found.into_values().collect())
    }

    /// Removes all that a run recorded; gives the bytes it took. What is removed is first called cut off: a removal that
    /// is itself cut off is taken up at the next start.
    ///
    /// # Errors
    /// Something could not be removed.
    pub fn remove(&self, recorded: &RecordedRun) -> std::io::Result<u64> {
        let RecordedRun { case_id, run_id, .. } = recorded;
        let mut bytes = 0;
        let beginning = format!("{run_id}.");
        for (_, folder, name) in self.folders_of(case_id)? {
            if name != run_id.as_str() && !name.starts_with(&beginning) {
                continue;
            }
            bytes += size_of(&folder)?;
            let partial = folder.with_file_name(format!("{run_id}{PARTIAL}"));
            let doomed = if existing(&partial)?.is_none() { partial } else { folder.clone() };
            if doomed != folder {
                std::fs::rename(&folder, &doomed)?;
            }
            std::fs::remove_dir_all(&doomed)?;
        }
        Ok(bytes)
    }

    /// Recordings that have not come to their end: of runs under way, and of those that were cut off.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn cut_off(&self) -> std::io::Result<Vec<CutOff>> {
        let mut found = Vec::new();
        for (_, folder, name) in self.folders()? {
            let Some(run) = name.strip_suffix(PARTIAL) else { continue };
            let untouched_for = untouched_for(&folder)?;
            found.push(CutOff { run_id: RunId::from(run), bytes: size_of(&folder)?, untouched_for, folder });
        }
        Ok(found)
    }

    /// Removes a recording that was cut off.
    ///
    /// # Errors
    /// It could not be removed.
    pub fn remove_cut_off(&self, found: &CutOff) -> std::io::Result<()> {
        std::fs::remove_dir_all(&found.folder)
    }

    /// Case, place and name of every folder of a run.
    fn folders(&self) -> std::io::Result<Vec<(CaseId, PathBuf, String)>> {
        let mut folders = Vec::new();
        for entry in entries(&self.root)? {
            // What is no case's folder was put there by somebody else.
            let Some(case_id) = entry.file_name().to_str().and_then(|name| CaseId::new(name).ok()) else { continue };
            folders.extend(self.folders_of(&case_id)?);
        }
        Ok(folders)
    }

    fn folders_of(&self, case_id: &CaseId) -> std::io::Result<Vec<(CaseId, PathBuf, String)>> {
        let case = self.root.join(case_id.as_str());
        if !existing(&case)?.is_some_and(|found| found.is_dir()) {
            return Ok(Vec::new());
        }
        let mut folders = Vec::new();
        for entry in entries(&case)? {
            let folder = existing(&entry.path())?.is_some_and(|found| found.is_dir());
            if let Some(name) = entry.file_name().to_str().filter(|_| folder) {
                folders.push((case_id.clone(), entry.path(), name.to_owned()));
            }
        }
        Ok(folders)
    }
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> std::io::Result<Vec<DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Bytes of all files below a folder, links not followed; of what is shared with other recordings its part.
fn size_of(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            match existing(&entry.path())? {
                Some(found) if found.is_dir() => folders.push(entry.path()),
                Some(found) => bytes += share_of(&found),
                None => {}
            }
        }
    }
    Ok(bytes)
}

/// How long nothing was written into a recording: its events are written first and last.
fn untouched_for(folder: &Path) -> std::io::Result<Duration> {
    let touched = [folder.to_owned(), folder.join("events.jsonl")]
        .iter()
        .map(|path| existing(path))
        .collect::<Result<Vec<_>, _>>()?;
    let times = touched.into_iter().flatten().map(|found| found.modified()).collect::<Result<Vec<_>, _>>()?;
    // A clock that was set back makes it young, which keeps it.
    let latest = times.into_iter().max().and_then(|latest| latest.elapsed().ok());
    Ok(latest.unwrap_or_default())
}

impl FoundRecording {
    /// Its plain files, by path.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn files(&self) -> std::io::Result<Vec<RecordedFile>> {
        let mut files = Vec::new();
        let mut folders = vec![(self.folder.clone(), String::new(), 0)];
        while let Some((folder, prefix, depth)) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                // Names that are no text were not written by us.
                let Some(name) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else { continue };
                // Gone since it was listed: the run goes on while it is looked at.
                let Some(found) = existing(&entry.path())? else { continue };
                if found.is_dir() && depth < DEEPEST {
                    folders.push((entry.path(), format!("{name}/"), depth + 1));
                } else if found.is_file() && files.len() < MOST_FILES {
                    files.push(RecordedFile { path: name, bytes: found.len() });
                }
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// The picture that was written last; `None` where there is none.
    ///
    /// # Errors
    /// The folder cannot be looked into, or the picture cannot be read.
    pub fn latest_picture(&self) -> std::io::Result<Option<Vec<u8>>> {
        let mut latest = None;
        for file in self.files()?.into_iter().filter(|file| file.path.ends_with(".png")) {
            let path = self.folder.join(&file.path);
            let Some(found) = existing(&path)? else { continue };
            latest = latest.max(Some((found.modified()?, path)));
        }
        latest.map(|(_, path)| std::fs::read(path)).transpose()
    }

    /// Where a file of it is; `None` for whatever is no plain file within it: a path that leads out, a link, a folder.
    ///
    /// # Errors
    /// The folder cannot be looked into.
    pub fn file(&self, path: &str) -> std::io::Result<Option<PathBuf>> {
        let Some(names) = components(Path::new(path)).filter(|names| names.join("/") == path) else { return Ok(None) };
        let mut place = self.folder.clone();
        let Some((last, folders)) = names.split_last() else { return Ok(None) };
        for folder in folders {
            place.push(folder);
            if !existing(&place)?.is_some_and(|found| found.is_dir()) {
                return Ok(None);
            }
        }
        place.push(last);
        Ok(existing(&place)?.is_some_and(|found| found.is_file()).then_some(place))
    }
}

/// What is there itself, links not followed; `None` for nothing.
fn existing(path: &Path) -> std::io::Result<Option<Metadata>> {
    match std::fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The names of a path that leads only downwards.
fn components(path: &Path) -> Option<Vec<&str>> {
    let name = |component| match component {
        Component::Normal(name) => name.to_str(),
        _ => None,
    };
    path.components().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> (CaseId, RunId) {
        (CaseId::new("A-1").unwrap(), RunId::from("r-1"))
    }

    #[test]
    fn a_recording_tells_its_files_and_nothing_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(folder.path().join("runs"));
        let (case, run) = ids();
        assert_eq!(recordings.of(&case, &run, None).unwrap(), None);
        let root = folder.path().join("runs/A-1/r-1");
        std::fs::create_dir_all(root.join("screens")).unwrap();
        for (path, text) in
            [("events.jsonl", "{}\n"), ("screens/a.png", "png"), ("../r-2", "other"), ("../../../secret", "s")]
        {
            std::fs::write(root.join(path), text).unwrap();
        }
        let found = recordings.of(&case, &run, None).unwrap().unwrap();
        assert!(found.complete);
        let told: Vec<_> = found.files().unwrap().into_iter().map(|file| (file.path, file.bytes)).collect();
        assert_eq!(told, [("events.jsonl".to_owned(), 3), ("screens/a.png".to_owned(), 3)]);
        assert_eq!(found.file("screens/a.png").unwrap(), Some(root.join("screens/a.png")));
        for path in [
            "",
            ".",
            "..",
            "../r-2",
            "screens",
            "screens/",
            "screens/../events.jsonl",
            "./events.jsonl",
            "events.jsonl/",
            "events.jsonl/x",
            "/etc/hostname",
            "screens//a.png",
            "../../../secret",
            "a\0b",
            "missing",
        ] {
            assert_eq!(found.file(path).unwrap(), None, "{path:?}");
        }
        assert_eq!(recordings.of(&case, &RunId::from(".."), None).unwrap(), None);
        assert_eq!(recordings.of(&case, &RunId::from("../A-1/r-1"), None).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(folder.path().to_owned());
        let (case, run) = ids();
        let root = folder.path().join("A-1/r-1");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        symlink(folder.path().join("secret"), root.join("file")).unwrap();
        symlink(folder.path(), root.join("folder")).unwrap();
        let found = recordings.of(&case, &run, None).unwrap().unwrap();
        assert_eq!(found.files().unwrap(), []);
        assert_eq!(found.file("file").unwrap(), None);
        assert_eq!(found.file("folder/secret").unwrap(), None);
        symlink(&root, folder.path().join("A-1/r-9")).unwrap();
        assert_eq!(recordings.of(&case, &RunId::from("r-9"), None).unwrap(), None);
    }

    #[test]
    fn all_that_a_run_recorded_is_counted_and_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(folder.path().to_owned());
        assert_eq!(recordings.all().unwrap(), []);
        for (name, bytes) in [("r-1", 10), ("r-1.attempt-1", 5), ("r-10", 7), ("r-2.partial", 3), ("r-2", 1)] {
            let run = folder.path().join("A-1").join(name);
            std::fs::create_dir_all(run.join("screens")).unwrap();
            std::fs::write(run.join("screens/a"), vec![0; bytes]).unwrap();
        }
        std::fs::write(folder.path().join("A-1/notes.txt"), "mine").unwrap();
        std::fs::create_dir(folder.path().join("no case")).unwrap();
        let told =
            || recordings.all().unwrap().into_iter().map(|run| (run.run_id.to_string(), run.bytes)).collect::<Vec<_>>();
        assert_eq!(told(), [("r-1".to_owned(), 15), ("r-10".to_owned(), 7), ("r-2".to_owned(), 4)]);
        let (case, run) = ids();
        assert_eq!(recordings.remove(&RecordedRun::of(&case, &run)).unwrap(), 15);
        assert_eq!(recordings.remove(&RecordedRun::of(&case, &run)).unwrap(), 0);
        let cut_off = recordings.cut_off().unwrap();
        let [cut_off] = cut_off.as_slice() else { panic!("{cut_off:?}") };
        assert_eq!((cut_off.run_id.as_str(), cut_off.bytes), ("r-2", 3));
        recordings.remove_cut_off(cut_off).unwrap();
        assert_eq!(told(), [("r-10".to_owned(), 7), ("r-2".to_owned(), 1)]);
        assert!(folder.path().join("A-1/notes.txt").is_file());
    }

    #[test]
    fn attempts_and_runs_under_way_have_folders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(folder.path().to_owned());
        let (case, run) = ids();
        for name in ["r-1.partial", "r-1.attempt-2", "r-1.attempt-10", "r-1.attempt-x", "r-10.attempt-1"] {
            std::fs::create_dir_all(folder.path().join("A-1").join(name)).unwrap();
        }
        assert!(!recordings.of(&case, &run, None).unwrap().unwrap().complete);
        assert_eq!(recordings.attempts(&case, &run).unwrap(), [2, 10]);
        assert!(recordings.of(&case, &run, Some(10)).unwrap().is_some());
        assert_eq!(recordings.of(&case, &run, Some(1)).unwrap(), None);
    }
}
