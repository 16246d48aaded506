//! `tapwright completions`.

use crate::cli::Cli;
use clap::CommandFactory;

/// Prints a completion script.
pub(super) fn completions(shell: clap_complete::Shell) {
    clap_complete::generate(shell, &mut Cli::command(), "tapwright", &mut std::io::stdout());
}
