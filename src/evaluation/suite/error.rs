//! What can be wrong with a suite's files.

use std::path::{Path, PathBuf};

/// A suite that cannot be used as it stands.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file or folder cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// `suite.yaml` says something that makes no sense.
    #[error("{path}: {reason}")]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// A run cannot be made.
    #[error("{case} on {device}: {reason}")]
    Run {
        /// The case.
        case: String,
        /// The device.
        device: String,
        /// Why.
        reason: String,
    },
}

impl SuiteError {
    pub(super) fn unreadable(path: &Path, error: &dyn ToString) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }

    pub(super) fn wrong(path: &Path, reason: impl Into<String>) -> Self {
        Self::Wrong { path: path.to_owned(), reason: reason.into() }
    }
}
