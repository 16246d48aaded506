//! `pm list features|permissions|permission-groups|libraries|instrumentation|users`.

use super::{Exit, Invocation};
use crate::system::{PackageKind, runtime_permission};
use std::collections::{BTreeMap, BTreeSet};

/// What an emulator's image declares, less what a virtual device lacks (camera, telephony calls, sensors).
const FEATURES: [&str; 14] = [
    "android.hardware.faketouch",
    "android.hardware.location",
    "android.hardware.location.gps",
    "android.hardware.ram.normal",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.wifi",
    "android.software.activities_on_secondary_displays",
    "android.software.app_widgets",
    "android.software.home_screen",
    "android.software.input_methods",
    "android.software.webview",
];

/// Lists `what`; unknown kinds are refused.
pub(super) fn run(invocation: &Invocation<'_>, what: &str, options: &[&str]) -> Exit {
    let text = match what {
        "users" => "Users:\n\tUserInfo{0:Owner:c13} running\n".to_owned(),
        "features" => FEATURES.iter().map(|name| format!("feature:{name}\n")).collect(),
        "permissions" => permissions(invocation, options),
        "permission-groups" => groups(invocation).keys().map(|group| format!("permission group:{group}\n")).collect(),
        // No app of a virtual device uses or declares any.
        "libraries" | "instrumentation" => String::new(),
        other => {
            invocation.err(format!("Error: unknown list type '{other}'\n"));
            return Exit::Code(255);
        }
    };
    invocation.out(text);
    Exit::SUCCESS
}

/// The permissions installed apps ask for, by group.
fn groups(invocation: &Invocation<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let system = invocation.system.lock();
    let api = system.config().api;
    for package in system.package_names(PackageKind::ThirdParty) {
        let asked = system.package(&package).map(|info| info.app.permissions).unwrap_or_default();
        for name in asked {
            if let Some(known) = runtime_permission(&name, api) {
                let group = format!("android.permission-group.{}", format!("{:?}", known.group).to_uppercase());
                groups.entry(group).or_default().insert(name);
            }
        }
    }
    drop(system);
    groups
}

/// `-g` by group, `-d` only dangerous ones; the others of the image are not listed.
fn permissions(invocation: &Invocation<'_>, options: &[&str]) -> String {
    let mut text =
        if options.contains(&"-d") { "Dangerous Permissions:\n\n" } else { "All Permissions:\n\n" }.to_owned();
    for (group, names) in groups(invocation) {
        let by_group = options.iter().any(|option| option.starts_with('-') && option.contains('g'));
        if by_group {
            text.push_str(&format!("group:{group}\n"));
        }
        for name in names {
            text.push_str(&format!("{}permission:{name}\n", if by_group { "  " } else { "" }));
        }
        if by_group {
            text.push('\n');
        }
    }
    text
}
