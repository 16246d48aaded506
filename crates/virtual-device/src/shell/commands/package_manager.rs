//! `pm …`, which is `cmd package …` (`PackageManagerShellCommand.java`).

use super::{Exit, Invocation, argument_expected, exception, intent};
use super::{package_activities, package_install, package_lists, package_session};
use crate::system::{PackageKind, Resolved, apk_path, short_component};

pub(super) const FRAME: &str =
    "com.android.server.pm.PackageManagerShellCommand.onCommand(PackageManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["list", rest @ ..] => list(invocation, rest),
        ["path", rest @ ..] => with_package(invocation, "path", rest, path),
        ["clear", rest @ ..] => with_package(invocation, "clear", rest, clear),
        ["uninstall", rest @ ..] => with_package(invocation, "uninstall", rest, uninstall),
        ["install", rest @ ..] => package_install::run(invocation, rest),
        ["install-create", rest @ ..] => package_session::create(invocation, rest),
        ["install-write", rest @ ..] => package_session::write(invocation, rest),
        ["install-commit", rest @ ..] => package_session::commit(invocation, rest),
        ["install-abandon" | "install-destroy", rest @ ..] => package_session::abandon(invocation, rest),
        ["query-activities", rest @ ..] => package_activities::run(invocation, rest),
        ["resolve-activity", rest @ ..] => resolve_activity(invocation, rest),
        [verb @ ("grant" | "revoke"), rest @ ..] => permission(invocation, verb, rest),
        ["dump", name, ..] => {
            let args = ["dumpsys", "package", name].map(ToOwned::to_owned).to_vec();
            super::run(&invocation.with_args(args))
        }
        ["get-install-location"] => {
            invocation.out("0[auto]\n");
            Exit::SUCCESS
        }
        ["reset-permissions", ..] => {
            invocation.system.lock().reset_permissions();
            Exit::SUCCESS
        }
        [] | ["help"] => {
            invocation.out("Package manager (package) commands:\n  help\n    Print this help text.\n\n  path [--user USER_ID] PACKAGE\n  list packages [-f] [-3] [-s] [FILTER]\n  resolve-activity [--brief] INTENT\n  query-activities [--brief] [--components] INTENT\n  install [-r] [-d] [-g] [-S BYTES] [PATH|-]\n  install-create [-r] [-d] [-g] [-S BYTES]\n  install-write [-S BYTES] SESSION_ID SPLIT_NAME [PATH|-]\n  install-commit SESSION_ID\n  install-abandon SESSION_ID\n  uninstall [-k] PACKAGE\n  clear PACKAGE\n");
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

fn with_package(
    invocation: &Invocation<'_>,
    command: &str,
    rest: &[&str],
    act: impl Fn(&Invocation<'_>, &str) -> Exit,
) -> Exit {
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "--user" => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            package => return act(invocation, package),
        }
    }
    exception(invocation, command, &argument_expected(command), FRAME)
}

fn list(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let Some((&what, options)) = rest.split_first() else {
        invocation.err("Error: didn't specify type of data to list\n");
        return Exit::Code(255);
    };
    if !matches!(what, "packages" | "package") {
        return package_lists::run(invocation, what, options);
    }
    let mut kind = PackageKind::All;
    let mut files = false;
    let mut versions = false;
    let mut uids = false;
    let mut installers = false;
    let mut filter = "";
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "-3" => kind = PackageKind::ThirdParty,
            "-s" => kind = PackageKind::System,
            "-f" => files = true,
            "-U" => uids = true,
            "--show-versioncode" => versions = true,
            // Everything is enabled.
            "-d" => return Exit::SUCCESS,
            "-i" => installers = true,
            "-e" | "-a" | "-l" | "-u" => {}
            "--user" | "--uid" => {
                words.next();
            }
            _ if word.starts_with('-') => {
                invocation.err(format!("Error: Unknown option: {word}\n"));
                return Exit::Code(255);
            }
            text => filter = text,
        }
    }
    let mut text = String::new();
    let system = invocation.system.lock();
    for name in system.package_names(kind).into_iter().filter(|name| name.contains(filter)) {
        let info = system.package(&name);
        text.push_str("package:");
        if files {
            let file = info.as_ref().map_or("/system/framework/framework-res.apk".to_owned(), |_| apk_path(&name));
            text.push_str(&format!("{file}="));
        }
        text.push_str(&name);
        if versions {
            text.push_str(&format!(" versionCode:{}", info.as_ref().map_or(1, |info| info.app.version_code)));
        }
        if uids {
            text.push_str(&format!(" uid:{}", info.as_ref().map_or(1000, |info| info.uid)));
        }
        if installers {
            text.push_str("  installer=null");
        }
        text.push('\n');
    }
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

fn path(invocation: &Invocation<'_>, package: &str) -> Exit {
    let paths = invocation.system.lock().apk_paths(package);
    if paths.is_empty() {
        return Exit::FAILURE;
    }
    invocation.out(paths.iter().map(|path| format!("package:{path}\n")).collect::<String>());
    Exit::SUCCESS
}

fn clear(invocation: &Invocation<'_>, package: &str) -> Exit {
    let cleared = invocation.system.lock().clear(package);
    if cleared {
        invocation.out("Success\n");
        return Exit::SUCCESS;
    }
    invocation.err("Failed\n");
    Exit::FAILURE
}

fn uninstall(invocation: &Invocation<'_>, package: &str) -> Exit {
    let removed = invocation.system.lock().uninstall(package);
    if removed {
        invocation.out("Success\n");
        return Exit::SUCCESS;
    }
    invocation.out("Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
    Exit::FAILURE
}

fn resolve_activity(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let brief = rest.contains(&"--brief");
    let arguments: Vec<&str> =
        rest.iter().filter(|word| !matches!(**word, "--brief" | "--components")).copied().collect();
    let parsed = match intent::parse(&arguments) {
        Ok((parsed, _)) => parsed,
        Err(thrown) => return exception(invocation, "resolve-activity", &thrown, FRAME),
    };
    let system = invocation.system.lock();
    let mut wanted = parsed.wanted();
    // A bare package means its launcher activity.
    if wanted.data.is_none() && wanted.text.is_none() {
        wanted.package = wanted.package.or(wanted.component.map(|(package, _)| package));
        wanted.component = None;
    }
    let found = match system.resolve(&wanted) {
        Resolved::Activity { package, class, .. } => Some((package, class)),
        Resolved::Home => Some(system.home_component()),
        Resolved::NoSuchClass { .. } | Resolved::Nothing => None,
    };
    drop(system);
    let text = match found {
        None => "No activity found\n".to_owned(),
        Some((package, class)) => {
            let component = short_component(&package, &class);
            let line = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true";
            if brief {
                format!("{line}\n{component}\n")
            } else {
                format!("{line}\n  ActivityInfo:\n    name={class}\n    packageName={package}\n")
            }
        }
    };
    invocation.out(text);
    Exit::SUCCESS
}

/// `pm grant|revoke [--user N] PACKAGE PERMISSION`: silent, or Java's exception.
fn permission(invocation: &Invocation<'_>, verb: &str, rest: &[&str]) -> Exit {
    let mut names = Vec::new();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "--user" => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            name => names.push(name),
        }
    }
    let [package, permission, ..] = names.as_slice() else {
        let what = if names.is_empty() { "package" } else { "permission" };
        invocation.err(format!("Error: no {what} specified\n"));
        return Exit::FAILURE;
    };
    let done = invocation.system.lock().set_permission(package, permission, verb == "grant");
    match done {
        Ok(()) => Exit::SUCCESS,
        Err(thrown) => exception(invocation, verb, &thrown.to_string(), FRAME),
    }
}
