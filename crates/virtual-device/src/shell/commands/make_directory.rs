//! `mkdir` (`-p`).

use super::options::{Options, needs};
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "pvm:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    if options.operands.is_empty() {
        return needs(invocation, 1);
    }
    let mut exit = Exit::SUCCESS;
    for path in &options.operands {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let made =
            if options.has('p') { system.files.make_directories(&full) } else { system.files.make_directory(&full) };
        drop(system);
        if let Err(error) = made {
            invocation.err(format!("mkdir: '{path}': {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}
