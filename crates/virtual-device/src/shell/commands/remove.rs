//! `rm` (`-f -r`).

use super::options::{Options, needs};
use super::{Exit, Invocation};
use crate::system::FsError;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "frRiv") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let force = options.has('f');
    if options.operands.is_empty() && !force {
        return needs(invocation, 1);
    }
    let recursive = options.has('r') || options.has('R');
    let mut exit = Exit::SUCCESS;
    for path in options.operands {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let removed = if recursive { system.files.remove_tree(&full) } else { system.files.remove_file(&full) };
        drop(system);
        match removed {
            Ok(()) => {}
            Err(FsError::NotFound) if force => {}
            Err(error) => {
                invocation.err(format!("rm: {path}: {error}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}
