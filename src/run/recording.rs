//! A recording: a folder of events and content-addressed screens, the source of truth about a run.
//!
//! Pictures are encoded and files written on a thread of their own, so that recording costs the run nothing. While the
//! run lasts the folder is called `<run id>.partial`; it gets its name when everything is in it.

use super::latest;
use crate::domain::{CaseId, RunEvent, RunId, Screenshot};
use crate::vision;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Why a recording could not be kept. The run itself is not affected.
#[derive(Debug, thiserror::Error)]
#[error("the recording in {folder} is incomplete: {reason}")]
pub struct RecordingError {
    /// The folder.
    pub folder: PathBuf,
    /// What went wrong first.
    pub reason: String,
}

/// Recordings of attempts that are kept beside the latest.
const MOST_ATTEMPTS: u32 = 99;

enum Entry {
    Event(String),
    File { name: String, bytes: Vec<u8> },
    Picture { name: String, picture: Screenshot },
}

/// Writes a recording.
pub struct RecordingWriter {
    partial: PathBuf,
    folder: PathBuf,
    entries: Sender<Entry>,
    thread: JoinHandle<Result<(), String>>,
    known: HashSet<String>,
}

impl RecordingWriter {
    /// Starts a recording in `<output>/<case id>/<run id>`.
    pub fn create(output: &Path, case_id: &CaseId, run_id: &RunId) -> Result<Self, RecordingError> {
        let folder = output.join(case_id.as_str()).join(run_id.as_str());
        let partial = folder.with_file_name(format!("{run_id}.partial"));
        let failed = |error: std::io::Error| RecordingError { folder: folder.clone(), reason: error.to_string() };
        // What an attempt before left, finished or cut off, stays as it is, under a name of its own.
        for earlier in [&folder, &partial] {
            set_aside(earlier, &folder).map_err(failed)?;
        }
        std::fs::create_dir_all(partial.join("screens")).map_err(failed)?;
        let events = BufWriter::new(File::create(partial.join("events.jsonl")).map_err(failed)?);
        let (entries, incoming) = channel();
        let root = partial.clone();
        let thread = std::thread::Builder::new()
            .name("recording".into())
            .spawn(move || write_all(&root, events, &incoming))
            .map_err(failed)?;
        Ok(Self { partial, folder, entries, thread, known: HashSet::new() })
    }

    /// Where the files are while the run lasts.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Adds an event.
    pub fn event(&mut self, event: &RunEvent) {
        match serde_json::to_string(event) {
            Ok(line) => self.send(Entry::Event(line)),
            Err(error) => tracing::error!(%error, "an event could not be recorded"),
        }
    }

    /// Adds a dump; gives its path within the recording. Equal dumps are kept once.
    pub fn hierarchy(&mut self, bytes: &[u8]) -> String {
        let name = format!("screens/{}.xml", address(bytes));
        if self.known.insert(name.clone()) {
            self.send(Entry::File { name: name.clone(), bytes: bytes.to_vec() });
        }
        name
    }

    /// Adds a picture; gives its path within the recording. Equal pictures are kept once.
    pub fn picture(&mut self, picture: &Screenshot) -> String {
        let name = format!("screens/{}.png", address(picture.rgba()));
        if self.known.insert(name.clone()) {
            self.send(Entry::Picture { name: name.clone(), picture: picture.clone() });
        }
        name
    }

    /// Adds a file beside the events.
    pub fn file(&mut self, name: &str, bytes: Vec<u8>) {
        self.send(Entry::File { name: name.to_owned(), bytes });
    }

    fn send(&self, entry: Entry) {
        // The thread ends early only after an error, which `finish` reports.
        if self.entries.send(entry).is_err() {
            tracing::debug!("the recording thread has ended early");
        }
    }

    /// Waits until everything is written. The folder keeps its `.partial` name until [`FinishedRecording::publish`].
    pub fn finish(self) -> Result<FinishedRecording, RecordingError> {
        drop(self.entries);
        let reason = match self.thread.join() {
            Ok(Ok(())) => {
                return Ok(FinishedRecording { partial: self.partial, folder: self.folder });
            }
            Ok(Err(reason)) => reason,
            Err(_) => "its thread ended unexpectedly".to_owned(),
        };
        Err(RecordingError { folder: self.partial, reason })
    }
}

/// A recording whose events and screens are on disk.
pub struct FinishedRecording {
    partial: PathBuf,
    folder: PathBuf,
}

impl FinishedRecording {
    /// Where summary and report belong until it is published.
    pub fn unpublished(&self) -> &Path {
        &self.partial
    }

    /// Gives the folder its name; from now on it is complete.
    pub fn publish(self) -> Result<PathBuf, RecordingError> {
        std::fs::rename(&self.partial, &self.folder)
            .map_err(|error| RecordingError { folder: self.partial.clone(), reason: error.to_string() })?;
        // A recording is whole without somebody's pointing at it.
        if let Err(error) = latest::point_at(&self.folder) {
            tracing::warn!("the latest run is not pointed at: {error}");
        }
        Ok(self.folder)
    }
}

/// Renames a folder that is there to `<run id>.attempt-<n>`, with the first number that is free.
fn set_aside(folder: &Path, run: &Path) -> std::io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let name = |number: u32| {
        let mut name = run.as_os_str().to_owned();
        name.push(format!(".attempt-{number}"));
        PathBuf::from(name)
    };
    match (1..=MOST_ATTEMPTS).map(name).find(|name| !name.exists()) {
        Some(free) => std::fs::rename(folder, free),
        None => std::fs::remove_dir_all(folder),
    }
}

fn address(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let number = digest.iter().take(10).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    format!("{number:020x}")
}

fn write_all(root: &Path, mut events: BufWriter<File>, entries: &Receiver<Entry>) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    for entry in entries {
        match entry {
            Entry::Event(line) => {
                events.write_all(line.as_bytes()).map_err(text)?;
                events.write_all(b"\n").map_err(text)?;
            }
            Entry::File { name, bytes } => std::fs::write(root.join(name), bytes).map_err(text)?,
            Entry::Picture { name, picture } => {
                let png = vision::encode_png(&picture).map_err(|error| error.to_string())?;
                std::fs::write(root.join(name), png).map_err(text)?;
            }
        }
    }
    events.into_inner().map_err(|error| error.to_string())?.sync_all().map_err(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attempt_has_a_recording_of_its_own() {
        let output = tempfile::tempdir().unwrap();
        let (case, run) = (CaseId::new("T-1").unwrap(), RunId::from("r"));
        let begin = || RecordingWriter::create(output.path(), &case, &run).unwrap();
        let mut first = begin();
        first.hierarchy(b"<first/>");
        first.finish().unwrap().publish().unwrap();
        // The second is cut off: its process dies.
        let mut second = begin();
        second.hierarchy(b"<second/>");
        drop(second.finish().unwrap());
        let mut third = begin();
        third.hierarchy(b"<third/>");
        let latest = third.finish().unwrap().publish().unwrap();

        let held = |folder: &Path| -> Vec<String> {
            let screens = std::fs::read_dir(folder.join("screens")).unwrap();
            screens.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
        };
        assert_eq!(latest, output.path().join("T-1/r"));
        assert_eq!(held(&latest), ["<third/>"], "nothing is left from the attempts before");
        assert_eq!(held(&output.path().join("T-1/r.attempt-1")), ["<first/>"]);
        assert_eq!(held(&output.path().join("T-1/r.attempt-2")), ["<second/>"]);
    }
}
