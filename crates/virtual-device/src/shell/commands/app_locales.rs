//! `cmd locale set-app-locales|get-app-locales PACKAGE` (`LocaleManagerShellCommand.java`, Android 13).

use super::{Exit, Invocation, argument_expected, exception};

const FRAME: &str = "com.android.server.locales.LocaleManagerShellCommand.onCommand(LocaleManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>, rest: &[String]) -> Exit {
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    match words.as_slice() {
        [verb @ ("set-app-locales" | "get-app-locales"), package, options @ ..] => {
            let mut locales = None;
            let mut left = options.iter();
            while let Some(&word) = left.next() {
                match word {
                    "--user" | "--delegate" => {
                        left.next();
                    }
                    // Without a list the app follows the system again.
                    "--locales" => locales = left.next().copied(),
                    other => {
                        let thrown = format!("java.lang.IllegalArgumentException: Unknown option: {other}");
                        return exception(invocation, verb, &thrown, FRAME);
                    }
                }
            }
            perform(invocation, verb, package, locales)
        }
        [verb @ ("set-app-locales" | "get-app-locales")] => {
            exception(invocation, verb, &argument_expected(verb), FRAME)
        }
        [] | ["help"] => {
            invocation.out(
                "Locale manager (locale) shell commands:\n  help\n      Print this help text.\n  set-app-locales \
                 <PACKAGE_NAME> [--user <USER_ID>] [--locales <LOCALE_INFO>]\n      Set the locales for the specified \
                 app.\n  get-app-locales <PACKAGE_NAME> [--user <USER_ID>]\n      Get the locales for the specified app.\n",
            );
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

fn perform(invocation: &Invocation<'_>, verb: &str, package: &str, locales: Option<&str>) -> Exit {
    let mut system = invocation.system.lock();
    let text = if system.package(package).is_none() {
        format!("Unknown package {package} for userId 0\n")
    } else if verb == "get-app-locales" {
        let set = system.app_locales.get(package).map(|locales| locales.join(",")).unwrap_or_default();
        format!("Locales for {package} for user 0 are [{set}]\n")
    } else {
        let list: Vec<String> =
            locales.unwrap_or_default().split(',').filter(|tag| !tag.is_empty()).map(ToOwned::to_owned).collect();
        if list.is_empty() {
            system.app_locales.remove(package);
        } else {
            system.app_locales.insert(package.to_owned(), list);
        }
        system.catch_up();
        String::new()
    };
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}
