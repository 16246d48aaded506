//! What is in the store of a run.

use crate::domain::{CaseId, RunId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The version of a listing's form.
pub(super) const VERSION: u32 = 1;

/// What one host has of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The version of this form.
    pub version: u32,
    /// The run.
    pub run_id: RunId,
    /// Its case.
    pub case_id: CaseId,
    /// The host that recorded it.
    pub host: String,
    /// Its recordings, the earlier attempts first.
    pub recordings: Vec<StoredRecording>,
}

/// The recording of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRecording {
    /// The number of an earlier attempt, from 1; `None` for a host's latest.
    pub attempt: Option<u32>,
    /// When its last event was written.
    pub ended_at: Timestamp,
    /// Its files, by path.
    pub files: Vec<StoredFile>,
}

/// A file of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Path within the recording, `/` between folders.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// What is in it: the SHA-256, in hexadecimal.
    pub sha256: String,
}

/// What all hosts have of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredRun {
    /// All recordings.
    recordings: Vec<StoredRecording>,
}

impl StoredRun {
    /// What these hosts have.
    pub(super) fn of(listings: Vec<Listing>) -> Self {
        let mut recordings: Vec<_> = listings.into_iter().flat_map(|listing| listing.recordings).collect();
        // A run that went on elsewhere left its first host a latest recording, too: the last one is the run's.
        recordings.sort_by_key(|recording| recording.ended_at);
        Self { recordings }
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.recordings.is_empty()
    }

    /// The recording of an earlier attempt, or the run's latest.
    pub fn recording(&self, attempt: Option<u32>) -> Option<&StoredRecording> {
        self.recordings.iter().rev().find(|recording| recording.attempt == attempt)
    }

    /// The numbers of its earlier attempts.
    pub fn attempts(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.recordings.iter().filter_map(|recording| recording.attempt).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

impl StoredRecording {
    /// One of its files.
    pub fn file(&self, path: &str) -> Option<&StoredFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(attempt: Option<u32>, second: i64, name: &str) -> StoredRecording {
        let ended_at = Timestamp::from_second(second).unwrap();
        let file = StoredFile { path: name.into(), bytes: 1, sha256: "00".into() };
        StoredRecording { attempt, ended_at, files: vec![file] }
    }

    #[test]
    fn the_host_that_ended_a_run_has_its_latest_recording() {
        let listing = |host: &str, recordings| Listing {
            version: VERSION,
            run_id: RunId::new("run"),
            case_id: CaseId::new("PAY-1").unwrap(),
            host: host.into(),
            recordings,
        };
        let late = listing("a", vec![recording(Some(2), 20, "second"), recording(None, 30, "third")]);
        let early = listing("b", vec![recording(None, 10, "first"), recording(Some(1), 5, "zeroth")]);
        for hosts in [vec![late.clone(), early.clone()], vec![early, late]] {
            let run = StoredRun::of(hosts);
            assert_eq!(run.attempts(), [1, 2]);
            let name = |attempt| run.recording(attempt).map(|found| found.files[0].path.as_str());
            assert_eq!((name(None), name(Some(1)), name(Some(3))), (Some("third"), Some("zeroth"), None));
        }
        assert!(StoredRun::default().is_empty());
    }
}
