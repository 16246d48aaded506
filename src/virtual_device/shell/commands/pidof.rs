//! `pidof NAME`.

use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let Some(name) = invocation.args.get(1) else {
        invocation.err("pidof: Needs 1 argument (see \"pidof --help\")\n");
        return Exit::FAILURE;
    };
    let pid = invocation.system.lock().tasks().app(name).map(|running| running.pid);
    match pid {
        Some(pid) => {
            invocation.out(format!("{pid}\n"));
            Exit::SUCCESS
        }
        None => Exit::FAILURE,
    }
}
