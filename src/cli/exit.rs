//! Exit codes: a published contract.

use crate::app::ChoiceError;
use crate::domain::Verdict;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All passed.
    Passed,
    /// A case failed or was blocked.
    Failed,
    /// Usage or configuration.
    Usage,
    /// No device, or infrastructure.
    Infrastructure,
    /// Nothing was selected.
    NothingSelected,
    /// Interrupted by the user.
    Interrupted,
}

impl Exit {
    /// The number the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Infrastructure => 3,
            Self::NothingSelected => 4,
            Self::Interrupted => 130,
        }
    }

    /// The exit of several runs together: infrastructure trouble wins over failures, because it makes the rest
    /// incomplete.
    pub fn of_verdicts(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut exit = Self::NothingSelected;
        for verdict in verdicts {
            exit = match (exit, verdict) {
                (Self::Infrastructure, _) | (_, Verdict::Error) => Self::Infrastructure,
                (Self::Failed, _) | (_, Verdict::Failed | Verdict::Blocked) => Self::Failed,
                (_, Verdict::Passed) => Self::Passed,
            };
        }
        exit
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error a person has to read, with the exit code it leads to.
#[derive(Debug)]
pub struct Failure {
    /// How the process ends.
    pub exit: Exit,
    /// What happened, where, and what to do.
    pub message: String,
}

impl Failure {
    /// Wrong usage or configuration.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Usage, message: message.to_string() }
    }

    /// A file the user named that cannot be read.
    pub fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::usage(format!("cannot read {}: {error}; check that the file exists and may be read", path.display()))
    }

    /// No device, or infrastructure.
    pub fn infrastructure(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Infrastructure, message: message.to_string() }
    }

    /// Nothing was selected.
    pub fn nothing_selected(message: impl fmt::Display) -> Self {
        Self { exit: Exit::NothingSelected, message: message.to_string() }
    }
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Address(_) => Self::usage(error),
            ChoiceError::Adb(_) | ChoiceError::Pick(_) => Self::infrastructure(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infrastructure_trouble_wins_over_failures_and_nothing_run_is_not_a_pass() {
        assert_eq!(Exit::of_verdicts([]), Exit::NothingSelected);
        assert_eq!(Exit::of_verdicts([Verdict::Passed, Verdict::Passed]), Exit::Passed);
        assert_eq!(Exit::of_verdicts([Verdict::Passed, Verdict::Blocked]), Exit::Failed);
        assert_eq!(Exit::of_verdicts([Verdict::Failed, Verdict::Error, Verdict::Passed]), Exit::Infrastructure);
    }
}
