//! Why a verb did not get through, and the exit code that says so.

use std::fmt;

/// A failed verb. The text names what to do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check, build or test failed: exit code 1.
    Failed(String),
    /// This machine lacks something: exit code 3.
    Missing(String),
    /// The same, and the output has said so already.
    Told,
    /// A command behind the verb ended with this code; it has said why itself.
    Code(u8, String),
}

impl Failure {
    /// The process's exit code.
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) | Self::Told => 1,
            Self::Missing(_) => 3,
            Self::Code(code, _) => *code,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told => Ok(()),
            Self::Failed(text) | Self::Missing(text) | Self::Code(_, text) => f.write_str(text),
        }
    }
}
