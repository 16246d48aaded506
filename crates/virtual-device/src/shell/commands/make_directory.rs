//! `mkdir` (`-p`).

use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let parents = rest.contains(&"-p");
    let mut exit = Exit::SUCCESS;
    for path in rest.iter().filter(|word| **word != "-p") {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let made = if parents { system.files.make_directories(&full) } else { system.files.make_directory(&full) };
        drop(system);
        if let Err(error) = made {
            invocation.err(format!("mkdir: '{path}': {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}
