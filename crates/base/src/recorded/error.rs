//! What can be wrong with a recording.

use std::fmt;
use std::path::PathBuf;

/// A recording that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordedAppError {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}. A recording is a folder with app.json, states/ and transitions.jsonl")]
    Read {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that a recording cannot do without is not there.
    #[error("{recording}: there is no {file}. A recording is a folder with app.json, states/ and transitions.jsonl")]
    Missing {
        /// The recording.
        recording: String,
        /// What is missing.
        file: String,
    },
    /// A file that is there makes no sense.
    #[error("{recording}/{file}{}: {reason}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
    Malformed {
        /// The recording.
        recording: String,
        /// Which file.
        file: String,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A file could not be written.
    #[error("cannot write {path}: {source}. Check that the folder may be written and the disk is not full")]
    Write {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Something odd about a recording that is used all the same: an unknown field, a line that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file, relative to the recording.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// What is odd, and what became of it.
    pub reason: String,
    /// Something was left out; otherwise all of it is used.
    pub lost: bool,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}
