//! `cmd SERVICE …`.

use super::{Exit, Invocation, app_locales, night_mode, radios, services};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut words = invocation.args.get(1..).unwrap_or_default();
    // `-w` waits for the service, which is there already.
    if words.first().is_some_and(|word| word == "-w") {
        words = &words[1..];
    }
    let Some((service, rest)) = words.split_first() else {
        invocation.err("cmd: No service specified; use -l to list all running services. Use -w to start and wait.\n");
        return Exit::Code(20);
    };
    let program = match service.as_str() {
        "package" => "pm",
        "activity" => "am",
        "settings" => "settings",
        "window" => "wm",
        "input" => "input",
        "uimode" => return night_mode::run(invocation, rest),
        "locale" if invocation.system.lock().config().api.since(33) => return app_locales::run(invocation, rest),
        // The service came with Android 13.
        "locale" => {
            invocation.err("cmd: Can't find service: locale\n");
            return Exit::Code(20);
        }
        "input_method" => "ime",
        "lock_settings" => "locksettings",
        other => return without_program(invocation, other, &rest.iter().map(String::as_str).collect::<Vec<_>>()),
    };
    let args = [program.to_owned()].into_iter().chain(rest.iter().cloned()).collect();
    super::run(&invocation.with_args(args))
}

/// Services whose commands no program of `/system/bin` has.
fn without_program(invocation: &Invocation<'_>, service: &str, rest: &[&str]) -> Exit {
    match service {
        "-l" => {
            invocation.out(services::listing());
            Exit::SUCCESS
        }
        "wifi" => radios::wifi_command(invocation, rest),
        "connectivity" => radios::connectivity_command(invocation, rest),
        "phone" => radios::phone_command(invocation, rest),
        "statusbar" => status_bar(invocation, rest),
        "notification" => notification(invocation, rest),
        // Clipboard, battery's and the others' shells: measured for the clipboard, the framework's answer for all.
        known if services::exists(known) => {
            invocation.out("No shell command implementation.\n");
            Exit::SUCCESS
        }
        other => {
            invocation.err(format!("cmd: Can't find service: {other}\n"));
            Exit::Code(20)
        }
    }
}

fn status_bar(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        // Nothing is expanded.
        ["collapse", ..] => Exit::SUCCESS,
        ["expand-notifications" | "expand-settings", ..] => {
            invocation.err("Error: this virtual device has no notification shade\n");
            Exit::Code(255)
        }
        [] | ["help"] => {
            invocation.out("Status bar commands:\n  help\n    Print this help text.\n\n  collapse\n    Collapse the notifications and settings panel.\n");
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

fn notification(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        // Virtual apps post none.
        ["list", ..] => Exit::SUCCESS,
        ["post", ..] => {
            invocation.err("Error: this virtual device has no notification shade\n");
            Exit::Code(255)
        }
        [] | ["help"] => {
            invocation.out("usage: cmd notification SUBCMD [args]\n\nSUBCMDs:\n  list\n");
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}
