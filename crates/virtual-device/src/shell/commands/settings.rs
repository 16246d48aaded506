//! `settings get|put|delete|reset|list NAMESPACE …` (`SettingsService.java`).

use super::{Exit, Invocation};
use crate::system::{Namespace, Settings};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut rest = invocation.rest();
    // `--user N` may stand anywhere; a virtual device has one user.
    while let Some(at) = rest.iter().position(|word| *word == "--user") {
        rest.drain(at..(at + 2).min(rest.len()));
    }
    let Some((&verb, arguments)) = rest.split_first() else { return usage(invocation) };
    if matches!(verb, "help" | "-h") {
        return usage(invocation);
    }
    if !matches!(verb, "get" | "put" | "delete" | "reset" | "list") {
        invocation.out(format!("Unknown command: {verb}\n"));
        return Exit::Code(255);
    }
    let table = match arguments.first().map(|word| (word, Namespace::parse(word))) {
        Some((_, Some(table))) => table,
        // The service reads the word before it looks at the table.
        Some((word, None)) => return bad(invocation, &format!("Invalid namespace '{word}'")),
        None => return bad(invocation, "Bad arguments"),
    };
    match (verb, &arguments[1..]) {
        ("get", [key]) => {
            let value = invocation.system.lock().settings.get(table, key).unwrap_or("null").to_owned();
            invocation.out(format!("{value}\n"));
        }
        ("put", [key, value, options @ ..]) if options.len() <= 2 => {
            invocation.system.lock().settings.put(table, key, value);
        }
        ("delete", [key]) => {
            let deleted = invocation.system.lock().settings.delete(table, key);
            invocation.out(format!("Deleted {} rows\n", u8::from(deleted)));
        }
        ("list", []) => {
            let system = invocation.system.lock();
            let rows: String = system.settings.list(table).map(|(key, value)| format!("{key}={value}\n")).collect();
            drop(system);
            invocation.out(rows);
        }
        ("reset", [mode]) if table != Namespace::System => return reset(invocation, table, mode),
        ("reset", [_]) => return bad(invocation, "Namespace must be one of global, secure"),
        ("get" | "put" | "delete", []) | ("put", [_]) => return bad(invocation, "Bad arguments"),
        _ => return bad(invocation, "Too many arguments"),
    }
    Exit::SUCCESS
}

/// Everything in a table here was set by the shell or is a default, so all modes come to the same.
fn reset(invocation: &Invocation<'_>, table: Namespace, mode: &str) -> Exit {
    if !matches!(mode, "untrusted_defaults" | "untrusted_clear" | "trusted_defaults") {
        return bad(invocation, &format!("Invalid reset mode: {mode}"));
    }
    let defaults = Settings::default();
    let mut system = invocation.system.lock();
    let keys: Vec<String> = system.settings.list(table).map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        match defaults.get(table, &key) {
            Some(value) => system.settings.put(table, &key, value),
            None => {
                system.settings.delete(table, &key);
            }
        }
    }
    Exit::SUCCESS
}

fn bad(invocation: &Invocation<'_>, message: &str) -> Exit {
    invocation.err(format!("{message}\n"));
    Exit::Code(255)
}

fn usage(invocation: &Invocation<'_>) -> Exit {
    invocation.out(
        "Settings provider (settings) commands:\n  help\n      Print this help text.\n  \
         get [--user <USER_ID> | current] NAMESPACE KEY\n      Retrieve the current value of KEY.\n  \
         put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]\n      Change the contents of KEY to VALUE.\n  \
         delete [--user <USER_ID> | current] NAMESPACE KEY\n      Delete the entry for KEY.\n  \
         reset [--user <USER_ID> | current] NAMESPACE {PACKAGE_NAME | RESET_MODE}\n  \
         list [--user <USER_ID> | current] NAMESPACE\n      Print all defined keys.\n      NAMESPACE is one of {system, \
         secure, global}, case-insensitive\n",
    );
    Exit::SUCCESS
}
