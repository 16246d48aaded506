//! `ime list|enable|disable|set|reset` (`InputMethodManagerService.java`), and which keyboard is in use.

use super::{Exit, Invocation, argument_expected, exception};
use crate::system::{LATIN_KEYBOARD as LATIN, Namespace, VirtualSystem};

/// The keyboard that types what broadcasts tell it (senzhk/ADBKeyBoard).
pub(super) const ADB_KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";
const ADB_KEYBOARD_PACKAGE: &str = "com.android.adbkeyboard";
const FRAME: &str =
    "com.android.server.inputmethod.InputMethodManagerService.onShellCommand(InputMethodManagerService.java)";
const CURRENT: &str = "default_input_method";
const ENABLED: &str = "enabled_input_methods";

fn installed(system: &VirtualSystem) -> Vec<&'static str> {
    let mut list = vec![LATIN];
    if system.package(ADB_KEYBOARD_PACKAGE).is_some() {
        list.push(ADB_KEYBOARD);
    }
    list
}

fn enabled(system: &VirtualSystem) -> Vec<String> {
    let list = system.settings.get(Namespace::Secure, ENABLED).unwrap_or(LATIN);
    let all = installed(system);
    list.split(':').filter(|id| all.contains(id)).map(ToOwned::to_owned).collect()
}

/// The keyboard in use; one whose package is gone gives way to the first.
pub(super) fn current(system: &VirtualSystem) -> String {
    let chosen = system.settings.get(Namespace::Secure, CURRENT).unwrap_or(LATIN);
    if enabled(system).iter().any(|id| id == chosen) { chosen.to_owned() } else { LATIN.to_owned() }
}

/// An id as Android knows it: `pkg/.Cls` and `pkg/pkg.Cls` are the same keyboard.
fn find(system: &VirtualSystem, id: &str) -> Option<&'static str> {
    let full = |id: &str| match id.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}/{package}{class}"),
        _ => id.to_owned(),
    };
    installed(system).into_iter().find(|known| full(known) == full(id))
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut rest = invocation.rest();
    // `--user N` may stand anywhere; a virtual device has one user.
    while let Some(at) = rest.iter().position(|word| *word == "--user") {
        rest.drain(at..(at + 2).min(rest.len()));
    }
    match rest.as_slice() {
        ["list", options @ ..] => list(invocation, options),
        [verb @ ("enable" | "disable" | "set"), id, ..] => change(invocation, verb, id),
        [verb @ ("enable" | "disable" | "set")] => exception(invocation, verb, &argument_expected(verb), FRAME),
        ["reset", ..] => {
            let mut system = invocation.system.lock();
            system.settings.put(Namespace::Secure, CURRENT, LATIN);
            system.settings.put(Namespace::Secure, ENABLED, LATIN);
            drop(system);
            invocation.out(format!(
                "Reset current and enabled IMEs for user #0\n  Newly selected IME: {LATIN}\n  Newly enabled IMEs:\n    {LATIN}\n"
            ));
            Exit::SUCCESS
        }
        [] | ["help" | "-h"] => {
            invocation.out(
                "ime <command>:\n  list [-a] [-s]\n    prints all enabled input methods.\n      -a: see all input \
                 methods\n      -s: only a single summary line of each\n  enable [--user <USER_ID>] <ID>\n  disable [--user \
                 <USER_ID>] <ID>\n  set [--user <USER_ID>] <ID>\n  reset [--user <USER_ID>]\n",
            );
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

fn list(invocation: &Invocation<'_>, options: &[&str]) -> Exit {
    if let Some(unknown) = options.iter().find(|word| !matches!(**word, "-a" | "-s" | "-as" | "-sa")) {
        return exception(
            invocation,
            "list",
            &format!("java.lang.IllegalArgumentException: Unknown option: {unknown}"),
            FRAME,
        );
    }
    let has = |flag: char| options.iter().any(|word| word.contains(flag));
    let system = invocation.system.lock();
    let ids: Vec<String> =
        if has('a') { installed(&system).into_iter().map(ToOwned::to_owned).collect() } else { enabled(&system) };
    drop(system);
    let text: String = ids
        .iter()
        .map(|id| {
            if has('s') {
                format!("{id}\n")
            } else {
                format!(
                    "{id}:\n  mId={id} mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=true\n"
                )
            }
        })
        .collect();
    invocation.out(text);
    Exit::SUCCESS
}

fn change(invocation: &Invocation<'_>, verb: &str, id: &str) -> Exit {
    let mut system = invocation.system.lock();
    let mut on = enabled(&system);
    let known = find(&system, id).filter(|known| verb != "set" || on.iter().any(|id| id == known));
    let Some(known) = known else {
        drop(system);
        // What is not there is not enabled either (`setInputMethodEnabledLocked`); since Android 10 that is no failure.
        if verb == "disable" {
            invocation.out(format!("Input method {id}: already disabled for user #0\n"));
            return Exit::SUCCESS;
        }
        let participle = if verb == "set" { "selected" } else { "enabled" };
        invocation.err(format!("Unknown input method {id} cannot be {participle} for user #0\n"));
        return Exit::Code(255);
    };
    let was = on.iter().any(|id| id == known);
    let text = match verb {
        "set" => {
            system.settings.put(Namespace::Secure, CURRENT, known);
            format!("Input method {known} selected for user #0\n")
        }
        "enable" => {
            if !was {
                on.push(known.to_owned());
            }
            format!("Input method {known}: {} enabled for user #0\n", if was { "already" } else { "now" })
        }
        _ => {
            on.retain(|id| id != known);
            format!("Input method {known}: {} disabled for user #0\n", if was { "now" } else { "already" })
        }
    };
    system.settings.put(Namespace::Secure, ENABLED, &on.join(":"));
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}
