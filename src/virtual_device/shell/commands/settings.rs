//! `settings get|put|delete|list NAMESPACE …` (`SettingsService.java`).

use super::{Exit, Invocation};
use crate::virtual_device::system::Namespace;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut rest = invocation.rest();
    // `--user N` may stand anywhere; a virtual device has one user.
    while let Some(at) = rest.iter().position(|word| *word == "--user") {
        rest.drain(at..(at + 2).min(rest.len()));
    }
    let Some((&verb, arguments)) = rest.split_first() else { return usage(invocation) };
    let Some(table) = arguments.first().and_then(|word| Namespace::parse(word)) else {
        return match arguments.first() {
            Some(word) if matches!(verb, "get" | "put" | "delete" | "list" | "reset") => {
                invocation.err(format!("Invalid namespace '{word}'\n"));
                Exit::Code(255)
            }
            _ => usage(invocation),
        };
    };
    let mut system = invocation.system.lock();
    let text = match (verb, &arguments[1..]) {
        ("get", [key, ..]) => format!("{}\n", system.settings.get(table, key).unwrap_or("null")),
        ("put", [key, value, ..]) => {
            system.settings.put(table, key, value);
            String::new()
        }
        ("delete", [key, ..]) => format!("Deleted {} rows\n", u8::from(system.settings.delete(table, key))),
        ("list", _) => system.settings.list(table).map(|(key, value)| format!("{key}={value}\n")).collect(),
        _ => {
            drop(system);
            invocation.err("Bad arguments\n");
            return Exit::Code(255);
        }
    };
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

fn usage(invocation: &Invocation<'_>) -> Exit {
    invocation.out(
        "Settings provider (settings) commands:\n  help\n      Print this help text.\n  \
         get [--user <USER_ID> | current] NAMESPACE KEY\n  put [--user <USER_ID> | current] NAMESPACE KEY VALUE\n  \
         delete [--user <USER_ID> | current] NAMESPACE KEY\n  list [--user <USER_ID> | current] NAMESPACE\n",
    );
    Exit::SUCCESS
}
