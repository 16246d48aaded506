//! `cmd uimode night [yes|no|auto]` (`UiModeManagerService.Shell`).

use super::{Exit, Invocation};
use crate::system::NightMode;

pub(super) fn run(invocation: &Invocation<'_>, rest: &[String]) -> Exit {
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    let mut system = invocation.system.lock();
    if !system.config().api.since(29) {
        drop(system);
        invocation.out("No shell command implementation.\n");
        return Exit::SUCCESS;
    }
    match words.as_slice() {
        ["night", setting @ ..] => {
            if let Some(word) = setting.first() {
                let Some(mode) = NightMode::parse(word) else {
                    drop(system);
                    invocation
                        .err("Error: mode must be 'yes', 'no', or 'auto', or 'custom_schedule', or 'custom_bedtime'\n");
                    return Exit::Code(255);
                };
                system.night_mode = mode;
                system.catch_up();
            }
            let text = format!("Night mode: {}\n", system.night_mode.word());
            drop(system);
            invocation.out(text);
            Exit::SUCCESS
        }
        [] | ["help"] => {
            drop(system);
            invocation.out(
                "UiModeManager service (uimode) commands:\n  help\n    Print this help text.\n  night \
                 [yes|no|auto|custom_schedule|custom_bedtime]\n    Set or read night mode.\n",
            );
            Exit::SUCCESS
        }
        [other, ..] => {
            drop(system);
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}
