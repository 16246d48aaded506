//! `getprop` and `setprop`.

use super::{Exit, Invocation};
use crate::faults::FaultSpec;
use crate::system::Rights;

/// `setprop tapwright.faults 'null-root:times=2,slow-dump'` changes what goes wrong while the device runs.
const FAULTS: &str = "tapwright.faults";

pub(super) fn getprop(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    let text = match invocation.rest().as_slice() {
        [] => system.properties.iter().map(|(key, value)| format!("[{key}]: [{value}]\n")).collect(),
        [FAULTS] => {
            let armed = invocation.system.faults.list();
            let list: Vec<String> = armed.iter().map(|(spec, _)| spec.to_string()).collect();
            format!("{}\n", list.join(","))
        }
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
    if *key == FAULTS {
        return set_faults(invocation, value);
    }
    let mut system = invocation.system.lock();
    // Root may set what is not fixed at boot.
    let set = if system.files.rights != Rights::Shell && !key.starts_with("ro.") {
        system.properties.put(key, value);
        true
    } else {
        system.properties.set(key, value)
    };
    drop(system);
    if set {
        return Exit::SUCCESS;
    }
    invocation.err(format!("Failed to set property '{key}' to '{value}'.\nSee dmesg for error reason.\n"));
    Exit::FAILURE
}

fn set_faults(invocation: &Invocation<'_>, list: &str) -> Exit {
    match FaultSpec::parse_list(list) {
        Ok(specs) => {
            invocation.system.faults.replace(specs);
            Exit::SUCCESS
        }
        Err(error) => {
            invocation.err(format!("Failed to set property '{FAULTS}': {error}\n"));
            Exit::FAILURE
        }
    }
}
