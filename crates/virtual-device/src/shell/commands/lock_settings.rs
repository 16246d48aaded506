//! `locksettings` (`LockSettingsShellCommand.java`) on a device without a lock: nothing to verify, nothing to clear.

use super::{Exit, Invocation};
use crate::system::Namespace;

/// Where `set-disabled` is kept (`LockSettingsService`).
const DISABLED: &str = "lockscreen.disabled";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let old = rest.iter().position(|word| *word == "--old").and_then(|at| rest.get(at + 1));
    match rest.as_slice() {
        [] | ["help"] => {
            invocation.out(HELP);
            Exit::SUCCESS
        }
        ["get-disabled", ..] => {
            let disabled = invocation.system.lock().settings.get(Namespace::Secure, DISABLED) == Some("1");
            invocation.out(format!("{disabled}\n"));
            Exit::SUCCESS
        }
        ["set-disabled", rest @ ..] => {
            // `Boolean.parseBoolean` of the last word; `--user 0` may stand before it.
            let disabled = rest.last().is_some_and(|word| word.eq_ignore_ascii_case("true"));
            invocation.system.lock().settings.put(Namespace::Secure, DISABLED, if disabled { "1" } else { "0" });
            invocation.out(format!("Lock screen disabled set to {disabled}\n"));
            Exit::SUCCESS
        }
        ["verify" | "clear", ..] if old.is_some_and(|word| !word.is_empty()) => {
            invocation.out("Old password provided but user has no password\n");
            Exit::Code(255)
        }
        ["verify", ..] => {
            invocation.out("Lock credential verified successfully\n");
            Exit::SUCCESS
        }
        ["clear", ..] => {
            invocation.out("Lock credential cleared\n");
            Exit::SUCCESS
        }
        [verb @ ("set-pin" | "set-password" | "set-pattern"), ..] => {
            invocation.err(format!("Error: {verb}: this virtual device has no lock screen to set a credential for\n"));
            Exit::Code(255)
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

const HELP: &str = "lockSettings service commands:\n\nNOTE: when lock screen is set, all commands require the --old <CREDENTIAL> argument.\n\n  help\n    Prints this help text.\n\n  get-disabled [--user USER_ID]\n    Checks whether lock screen is disabled.\n\n  set-disabled [--user USER_ID] <true|false>\n    When true, disables lock screen.\n\n  set-pattern [--old <CREDENTIAL>] [--user USER_ID] <PATTERN>\n    Sets the lock screen as pattern.\n\n  set-pin [--old <CREDENTIAL>] [--user USER_ID] <PIN>\n    Sets the lock screen as PIN.\n\n  set-password [--old <CREDENTIAL>] [--user USER_ID] <PASSWORD>\n    Sets the lock screen as password.\n\n  clear [--old <CREDENTIAL>] [--user USER_ID]\n    Clears the lock credentials.\n\n  verify [--old <CREDENTIAL>] [--user USER_ID]\n    Verifies the lock credentials.\n\n";
