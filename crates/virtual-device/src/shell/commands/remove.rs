//! `rm` (`-f -r`).

use super::{Exit, Invocation};
use crate::system::FsError;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let (flags, paths): (Vec<&str>, Vec<&str>) = rest.iter().partition(|word| word.len() > 1 && word.starts_with('-'));
    let flags: String = flags.concat().replace('-', "");
    if let Some(unknown) = flags.chars().find(|flag| !"frRi".contains(*flag)) {
        invocation.err(format!("rm: Unknown option '{unknown}' (see \"rm --help\")\n"));
        return Exit::FAILURE;
    }
    let force = flags.contains('f');
    if paths.is_empty() && !force {
        invocation.err("rm: Needs 1 argument (see \"rm --help\")\n");
        return Exit::FAILURE;
    }
    let mut exit = Exit::SUCCESS;
    for path in paths {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let removed =
            if flags.contains(['r', 'R']) { system.files.remove_tree(&full) } else { system.files.remove_file(&full) };
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
