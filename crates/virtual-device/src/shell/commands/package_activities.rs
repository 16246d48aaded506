//! `pm query-activities` (`PackageManagerShellCommand.runQueryIntentActivities`).

use super::package_manager::FRAME;
use super::{Exit, Invocation, exception, intent};
use crate::system::short_component;

/// How much is printed of each activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Full,
    Brief,
    Components,
}

pub(super) fn run(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let mut detail = Detail::Full;
    let mut arguments = Vec::new();
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--brief" => detail = Detail::Brief,
            "--components" => detail = Detail::Components,
            "--query-flags" => {
                words.next();
            }
            other => arguments.push(other),
        }
    }
    let parsed = match intent::parse(&arguments) {
        Ok((parsed, _)) => parsed,
        Err(thrown) => return exception(invocation, "query-activities", &thrown, FRAME),
    };
    let found = invocation.system.lock().resolve_all(&parsed.wanted());
    let mut text = match (found.len(), detail) {
        (0, _) => "No activities found\n".to_owned(),
        (_, Detail::Components) => String::new(),
        (count, _) => format!("{count} activities found:\n"),
    };
    for (at, (package, class)) in found.iter().enumerate() {
        let component = short_component(package, class);
        let line = "    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n";
        text.push_str(&match detail {
            Detail::Components => format!("{component}\n"),
            Detail::Brief => format!("  Activity #{at}:\n{line}    {component}\n"),
            Detail::Full => {
                format!("  Activity #{at}:\n{line}    ActivityInfo:\n      name={class}\n      packageName={package}\n")
            }
        });
    }
    invocation.out(text);
    Exit::SUCCESS
}
