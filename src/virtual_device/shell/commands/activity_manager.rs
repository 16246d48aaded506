//! `am start|force-stop|…` (`ActivityManagerShellCommand.java`).

use super::intent::{Intent, parse};
use super::{Exit, Invocation, argument_expected, broadcast, exception};
use crate::virtual_device::system::{StartOutcome, VirtualSystem, full_class, short_component};
use std::time::Duration;

const FRAME: &str = "com.android.server.am.ActivityManagerShellCommand.onCommand(ActivityManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["start" | "start-activity", rest @ ..] => start(invocation, rest),
        ["force-stop", rest @ ..] => stop(invocation, rest),
        // Kills only what is safe to kill; the app in front is not.
        ["kill", rest @ ..] => match package_argument(rest) {
            Some(_) => Exit::SUCCESS,
            None => exception(invocation, "kill", &argument_expected("kill"), FRAME),
        },
        ["get-current-user"] => {
            invocation.out("0\n");
            Exit::SUCCESS
        }
        ["broadcast", rest @ ..] => match parse(rest) {
            Ok((intent, _)) => {
                broadcast::deliver(invocation, rest);
                invocation.out(format!("Broadcasting: {intent}\nBroadcast completed: result=0\n"));
                Exit::SUCCESS
            }
            Err(thrown) => exception(invocation, "broadcast", &thrown, FRAME),
        },
        [] | ["help"] => {
            invocation.out("Activity manager (activity) commands:\n  help\n      Print this help text.\n  start-activity [-W] [-S] <INTENT>\n  force-stop <PACKAGE>\n");
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

fn package_argument<'a>(rest: &[&'a str]) -> Option<&'a str> {
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "--user" => {
                words.next();
            }
            _ => return Some(word),
        }
    }
    None
}

fn stop(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match package_argument(rest) {
        // Silent even for packages nobody has.
        Some(package) => {
            invocation.system.lock().force_stop(package);
            Exit::SUCCESS
        }
        None => exception(invocation, "force-stop", &argument_expected("force-stop"), FRAME),
    }
}

/// What an intent leads to.
enum Target {
    Home,
    App { package: String },
    NoSuchClass { package: String, class: String },
    Unresolved,
}

fn resolve(system: &VirtualSystem, intent: &Intent<'_>) -> Target {
    if let Some((package, class)) = intent.component {
        let class = full_class(package, class);
        return match system.package(package) {
            Some(found) if found.app.launcher_activity == class => Target::App { package: package.to_owned() },
            _ => Target::NoSuchClass { package: package.to_owned(), class },
        };
    }
    let main = intent.action.is_none_or(|action| action == "android.intent.action.MAIN") && intent.data.is_none();
    if main && intent.categories.contains(&"android.intent.category.HOME") {
        return Target::Home;
    }
    match intent.package.and_then(|package| system.package(package)) {
        Some(found) if main => Target::App { package: found.app.package },
        _ => Target::Unresolved,
    }
}

fn start(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let (intent, options) = match parse(rest) {
        Ok(parsed) => parsed,
        Err(thrown) => return exception(invocation, "start", &thrown, FRAME),
    };
    let begin = invocation.system.clock().passed();
    let mut system = invocation.system.lock();
    let target = resolve(&system, &intent);
    if options.stop_first
        && let Target::App { package, .. } | Target::NoSuchClass { package, .. } = &target
    {
        system.force_stop(package);
        drop(system);
        invocation.out(format!("Stopping: {package}\n"));
        system = invocation.system.lock();
    }
    let started = match &target {
        Target::Home => {
            system.show_home();
            Some(StartOutcome::BroughtToFront)
        }
        Target::App { package, .. } => system.start(package),
        Target::NoSuchClass { .. } | Target::Unresolved => None,
    };
    let front = short_component(system.front().process.package(), &system.front().process.activity());
    drop(system);
    invocation.out(format!("Starting: {intent}\n"));
    // Warnings and errors go to stderr, or to stdout with -W.
    let complain = |text: &str| if options.wait { invocation.out(text) } else { invocation.err(text) };
    match (&target, started) {
        (Target::NoSuchClass { package, class }, _) => {
            let component = short_component(package, class);
            complain(&format!("Error type 3\nError: Activity class {{{component}}} does not exist.\n"));
            return Exit::FAILURE;
        }
        (_, None) => {
            complain(&format!("Error: Activity not started, unable to resolve {intent}\n"));
            return Exit::FAILURE;
        }
        (Target::App { .. }, Some(StartOutcome::BroughtToFront)) => {
            complain("Warning: Activity not started, its current task has been brought to the front\n");
        }
        (Target::App { .. }, Some(StartOutcome::OnTop)) => {
            complain(
                "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n",
            );
        }
        (_, Some(_)) => {}
    }
    if options.wait {
        let took = invocation.system.clock().passed().saturating_sub(begin);
        report(invocation, started, &front, took);
    }
    Exit::SUCCESS
}

fn report(invocation: &Invocation<'_>, started: Option<StartOutcome>, activity: &str, took: Duration) {
    let mut text = "Status: ok\n".to_owned();
    if invocation.system.lock().config().api.since(29) {
        let state = if started == Some(StartOutcome::Cold) { "COLD" } else { "HOT" };
        text.push_str(&format!("LaunchState: {state}\n"));
    }
    let ms = took.as_millis();
    text.push_str(&format!("Activity: {activity}\nTotalTime: {ms}\nWaitTime: {}\nComplete\n", ms + 3));
    invocation.out(text);
}
