//! `pm …`, which is `cmd package …` (`PackageManagerShellCommand.java`).

use super::{Exit, Invocation, argument_expected, exception, intent, package_install};
use crate::virtual_device::system::{PackageKind, apk_path, short_component};

pub(super) const FRAME: &str =
    "com.android.server.pm.PackageManagerShellCommand.onCommand(PackageManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["list", rest @ ..] => list(invocation, rest),
        ["path", rest @ ..] => with_package(invocation, "path", rest, path),
        ["clear", rest @ ..] => with_package(invocation, "clear", rest, clear),
        ["uninstall", rest @ ..] => with_package(invocation, "uninstall", rest, uninstall),
        ["install", rest @ ..] => package_install::run(invocation, rest),
        ["resolve-activity", rest @ ..] => resolve_activity(invocation, rest),
        ["grant" | "revoke", rest @ ..] => permission(invocation, rest),
        [] | ["help"] => {
            invocation.out("Package manager (package) commands:\n  help\n    Print this help text.\n\n  path [--user USER_ID] PACKAGE\n  list packages [-f] [-3] [-s] [FILTER]\n  resolve-activity [--brief] INTENT\n  install [-r] [-d] [-g] [-S BYTES] [PATH|-]\n  uninstall [-k] PACKAGE\n  clear PACKAGE\n");
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
        match what {
            "users" => invocation.out("Users:\n\tUserInfo{0:Owner:c13} running\n"),
            "permission-groups" | "permissions" | "features" | "libraries" | "instrumentation" => {}
            other => {
                invocation.err(format!("Error: unknown list type '{other}'\n"));
                return Exit::Code(255);
            }
        }
        return Exit::SUCCESS;
    }
    let mut kind = PackageKind::All;
    let mut files = false;
    let mut versions = false;
    let mut uids = false;
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
            "-e" | "-a" | "-i" | "-l" | "-u" => {}
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
    let mut system = invocation.system.lock();
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
            text.push_str(&format!(" uid:{}", info.map_or(1000, |info| info.uid)));
        }
        text.push('\n');
    }
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

fn path(invocation: &Invocation<'_>, package: &str) -> Exit {
    let found = invocation.system.lock().package(package).is_some();
    if !found {
        return Exit::FAILURE;
    }
    invocation.out(format!("package:{}\n", apk_path(package)));
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
    let mut system = invocation.system.lock();
    let named = parsed.package.or(parsed.component.map(|(package, _)| package));
    let found = match named.and_then(|package| system.package(package)) {
        Some(info) => Some((info.app.package, info.app.launcher_activity)),
        None if parsed.categories.contains(&"android.intent.category.HOME") => Some(system.home_component()),
        None => None,
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

/// Virtual apps declare no permissions.
fn permission(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let [package, permission, ..] = rest else {
        return exception(invocation, "grant", &argument_expected(rest.last().unwrap_or(&"grant")), FRAME);
    };
    let known = invocation.system.lock().package(package).is_some();
    let thrown = if known {
        format!("java.lang.SecurityException: Package {package} has not requested permission {permission}")
    } else {
        format!("java.lang.IllegalArgumentException: Unknown package: {package}")
    };
    exception(invocation, "grant", &thrown, FRAME)
}
