//! A file of lines that is added to by whole entries: what a process that was ended left half written is cut off.

use crate::evaluation::suite::{Pictures, SuiteError};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What decides what is played. Entries that were made on other terms never stand in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayTerms {
    /// The version of Tapwright.
    pub tapwright: String,
    /// Which agent decides.
    pub agent: String,
    /// Digest of the policy's weights.
    pub weights: String,
    /// The embedding model.
    pub model: String,
    /// Whether the agent sees pictures.
    pub pictures: Pictures,
}

/// Why something could not be played, kept or read.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A suite makes no sense.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The file cannot be read or written.
    #[error("{}: {source}. Check that the file and its folder may be read and written and have room", path.display())]
    File {
        /// Where it is.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file holds something else.
    #[error("{}: {reason}; name another file, or delete this one and play anew", path.display())]
    Foreign {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The threads cannot be started.
    #[error("no threads to play on: {0}. Give fewer --threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl PlayError {
    pub(super) fn foreign(path: &Path, reason: impl Into<String>) -> Self {
        Self::Foreign { path: path.to_owned(), reason: reason.into() }
    }
}

/// A file that is open for adding lines.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a file, which need not be there, with the text that it holds up to its last whole line. Whoever knows that text for
    /// its own then cuts off what comes after it: a file of something else stays as it is.
    pub(super) fn open(path: &Path) -> Result<(Self, String), PlayError> {
        let wrong = |source| PlayError::File { path: path.to_owned(), source };
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(wrong)?;
        }
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(wrong)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole == 0 && !bytes.is_empty() {
            return Err(PlayError::foreign(path, "it holds no whole line"));
        }
        bytes.truncate(whole);
        let text = String::from_utf8(bytes).map_err(|_| PlayError::foreign(path, "it is no text"))?;
        Ok((Self { path: path.to_owned(), file }, text))
    }

    /// Cuts everything off behind the first `bytes`; what is added next follows them.
    pub(super) fn cut(&mut self, bytes: u64) -> Result<(), PlayError> {
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::Start(bytes)));
        cut.map(drop).map_err(|source| self.wrong(source))
    }

    /// Adds lines at once; gives the length of the file in bytes.
    pub(super) fn add(&mut self, lines: &str) -> Result<u64, PlayError> {
        let added = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.stream_position());
        added.map_err(|source| self.wrong(source))
    }

    fn wrong(&self, source: std::io::Error) -> PlayError {
        PlayError::File { path: self.path.clone(), source }
    }
}

/// An entry as a line.
pub(super) fn line(path: &Path, entry: &impl Serialize) -> Result<String, PlayError> {
    let text = serde_json::to_string(entry).map_err(|error| PlayError::foreign(path, error.to_string()))?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_half_written_is_cut_off_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/plays.jsonl");
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert_eq!(before, "");
        assert_eq!(journal.add("one\ntwo\n").unwrap(), 8);
        journal.add("thr").unwrap();
        drop(journal);
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert_eq!(before, "one\ntwo\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthr", "nothing is lost before it is known");
        journal.cut(4).unwrap();
        journal.add("four\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\nfour\n");
    }

    #[test]
    fn a_file_that_cannot_be_had_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bytes"), [0xff, b'\n']).unwrap();
        std::fs::write(folder.path().join("words"), "no end").unwrap();
        for (name, said) in [
            ("words", "no whole line; name another file"),
            ("bytes", "no text; name another file"),
            ("words/file", "Check that the file"),
        ] {
            let path = folder.path().join(name);
            let error = Journal::open(&path).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()) && error.contains(said), "{error}");
        }
    }
}
