//! Why a gate cannot begin, or cannot leave what it was asked for.

use crate::case::FindError;
use crate::report::ReportError;
use std::path::PathBuf;

/// Why a gate cannot begin, or cannot leave what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// There is no `git`.
    #[error("git cannot be run: {0}. Install it, or leave --changed-since out")]
    NoGit(std::io::Error),
    /// The workspace lies in no repository.
    #[error(
        "what changed since {revision} cannot be told: {folder} is in no git repository ({said}). Run the gate inside a checkout, or leave --changed-since out",
        folder = folder.display()
    )]
    NoRepository {
        /// The folder.
        folder: PathBuf,
        /// The revision asked for.
        revision: String,
        /// What git said.
        said: String,
    },
    /// git does not know the revision, or nothing that both have come from.
    #[error(
        "what changed since {revision} cannot be told: git said: {said}. Check the name, and fetch it first (in CI the whole history: `fetch-depth: 0`, `GIT_DEPTH: 0`)"
    )]
    Revision {
        /// The revision asked for.
        revision: String,
        /// What git said.
        said: String,
    },
    /// A case cannot be found or read.
    #[error(transparent)]
    Find(#[from] FindError),
    /// Files that are no cases, where all cases are wanted.
    #[error("{0}\nA gate over all cases leaves none out: correct the file, or name the cases to run")]
    Malformed(String),
    /// `--last-failed` without an earlier gate.
    #[error("no earlier gate is in {folder}: run `tapwright gate` without --last-failed first", folder = folder.display())]
    NoEarlierGate {
        /// Where was looked.
        folder: PathBuf,
    },
    /// A manifest that cannot be read.
    #[error("{path} is no manifest of a gate: {reason}", path = path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file that was asked for cannot be written.
    #[error(transparent)]
    Write(#[from] ReportError),
    /// A `JUnit` report that cannot be made: a defect of Tapwright.
    #[error("the JUnit report could not be made: {0}. Please report this as a bug")]
    Junit(String),
}
