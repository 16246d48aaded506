//! The four honest answers.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a run or a step ended. Never report one as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything asked for happened and every expectation held.
    Passed,
    /// An assertion or expectation did not hold, or the app crashed: the app is at fault.
    Failed,
    /// The step could not be carried out: no fitting action, missing parameter, budget used up.
    Blocked,
    /// Infrastructure: the device vanished, adb failed, the model could not be run.
    Error,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Error => "error",
        })
    }
}
