//! `touch` (`-a -m -c`; both times are one here).

use super::options::{Options, needs};
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "amcf") {
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
        let now = system.wall().as_second();
        let touched = if system.files.stat(&full).is_ok() {
            system.files.set_mtime(&full, now)
        } else if options.has('c') {
            Ok(())
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
