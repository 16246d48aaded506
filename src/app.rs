//! The composition root: the only place that names concrete types and reads the environment.

use std::process::ExitCode;

/// Entry point of the `tapwright` command.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
