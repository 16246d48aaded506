//! `getprop` and `setprop`.

use super::{Exit, Invocation};

pub(super) fn getprop(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    let text = match invocation.rest().as_slice() {
        [] => system.properties.iter().map(|(key, value)| format!("[{key}]: [{value}]\n")).collect(),
        [key] => format!("{}\n", system.properties.get(key)),
        [key, default, ..] => {
            let value = system.properties.get(key);
            format!("{}\n", if value.is_empty() { default } else { value })
        }
    };
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

pub(super) fn setprop(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let [key, value] = rest.as_slice() else {
        invocation.err("usage: setprop NAME VALUE\n");
        return Exit::FAILURE;
    };
    let set = invocation.system.lock().properties.set(key, value);
    if set {
        return Exit::SUCCESS;
    }
    invocation.err(format!("Failed to set property '{key}' to '{value}'.\nSee dmesg for error reason.\n"));
    Exit::FAILURE
}
