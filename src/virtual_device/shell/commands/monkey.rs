//! `monkey -p PACKAGE -c android.intent.category.LAUNCHER 1`: people use it to start an app by package.

use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let package = rest.iter().position(|word| *word == "-p").and_then(|at| rest.get(at + 1));
    let Some(package) = package else {
        invocation.err(
            "monkey: a virtual device only starts apps: monkey -p PACKAGE -c android.intent.category.LAUNCHER 1\n",
        );
        return Exit::FAILURE;
    };
    let mut text: String = rest.iter().map(|word| format!("  bash arg: {word}\n")).collect();
    let started = invocation.system.lock().start(package).is_some();
    if started {
        text.push_str(
            "Events injected: 1\n## Network stats: elapsed time=12ms (0ms mobile, 0ms wifi, 12ms not connected)\n",
        );
    } else {
        text.push_str("** No activities found to run, monkey aborted.\n");
    }
    invocation.out(text);
    // The exit code of an aborted monkey is not established; one project reports 0.
    Exit::SUCCESS
}
