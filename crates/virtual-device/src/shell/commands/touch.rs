//! `touch`.

use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut exit = Exit::SUCCESS;
    for path in invocation.rest() {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let now = system.wall().as_second();
        let touched = if system.files.stat(&full).is_ok() {
            system.files.set_mtime(&full, now)
        } else {
            system.files.write(&full, Vec::new(), 0o644)
        };
        drop(system);
        if let Err(error) = touched {
            invocation.err(format!("touch: '{path}': {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}
