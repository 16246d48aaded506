//! `am start|force-stop|…` (`ActivityManagerShellCommand.java`).

use super::intent::parse;
use super::{Exit, Invocation, argument_expected, broadcast, exception};
use crate::system::{PackageKind, Resolved, StartOutcome, short_component};
use std::time::Duration;

/// How long `am start -S` waits after stopping the app.
const STOP_DELAY: Duration = Duration::from_millis(250);
const FRAME: &str = "com.android.server.am.ActivityManagerShellCommand.onCommand(ActivityManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["start" | "start-activity", rest @ ..] => start(invocation, rest),
        ["force-stop", rest @ ..] => stop(invocation, rest),
        ["kill", rest @ ..] => match package_argument(rest) {
            Some(package) => {
                invocation.system.lock().kill_background(package);
                Exit::SUCCESS
            }
            None => exception(invocation, "kill", &argument_expected("kill"), FRAME),
        },
        ["kill-all", ..] => {
            let mut system = invocation.system.lock();
            for package in system.package_names(PackageKind::ThirdParty) {
                system.kill_background(&package);
            }
            Exit::SUCCESS
        }
        ["crash", rest @ ..] => crash(invocation, rest),
        ["get-current-user"] => {
            invocation.out("0\n");
            Exit::SUCCESS
        }
        ["broadcast", rest @ ..] => match parse(rest) {
            Ok((intent, _)) => {
                broadcast::deliver(invocation, rest);
                let shown = intent.shown(invocation.system.lock().config().api);
                invocation.out(format!("Broadcasting: {shown}\nBroadcast completed: result=0\n"));
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

/// The package whose process has this id, or the name itself.
fn crash(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let Some(name) = package_argument(rest) else {
        return exception(invocation, "crash", &argument_expected("crash"), FRAME);
    };
    let mut system = invocation.system.lock();
    let by_pid = name
        .parse::<u32>()
        .ok()
        .and_then(|pid| system.tasks().apps().find(|app| app.pid == pid).map(|app| app.process.package().to_owned()));
    // A process that does not run is no error.
    let _runs = system.crash_app(by_pid.as_deref().unwrap_or(name));
    Exit::SUCCESS
}

fn start(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let (intent, options) = match parse(rest) {
        Ok(parsed) => parsed,
        Err(thrown) => return exception(invocation, "start", &thrown, FRAME),
    };
    let mut system = invocation.system.lock();
    let api = system.config().api;
    let resolved = system.resolve(&intent.wanted());
    if options.stop_first
        && let Resolved::Activity { package, .. } | Resolved::NoSuchClass { package, .. } = &resolved
    {
        system.force_stop(package);
        drop(system);
        invocation.out(format!("Stopping: {package}\n"));
        // `am` sleeps, so that the process is gone.
        if !invocation.system.clock().wait(STOP_DELAY, invocation.interrupt) {
            return Exit::Signal(1);
        }
        system = invocation.system.lock();
    }
    let begin = invocation.system.clock().passed();
    let started = match &resolved {
        Resolved::Home => {
            system.show_home();
            Some(StartOutcome::BroughtToFront)
        }
        Resolved::Activity { package, class, uri, exported: true } => {
            system.start_activity(package, Some(class), uri.as_deref())
        }
        Resolved::Activity { .. } | Resolved::NoSuchClass { .. } | Resolved::Nothing => None,
    };
    let front = system.tasks().front_activity();
    let front = short_component(front.process.package(), &front.process.activity());
    let uid = intent.component.and_then(|(package, _)| system.package(package)).map_or(0, |info| info.uid);
    drop(system);
    invocation.out(format!("Starting: {}\n", intent.shown(api)));
    // Warnings and errors go to stderr, or to stdout with -W.
    let complain = |text: &str| if options.wait { invocation.out(text) } else { invocation.err(text) };
    match (&resolved, started) {
        (Resolved::NoSuchClass { package, class }, _) => {
            complain(&format!("Error type 3\nError: Activity class {{{package}/{class}}} does not exist.\n"));
            return Exit::FAILURE;
        }
        (Resolved::Activity { exported: false, .. }, _) => {
            let thrown = format!(
                "java.lang.SecurityException: Permission Denial: starting {} from null (pid=4321, uid=2000) not exported \
                 from uid {uid}",
                intent.as_started(api)
            );
            return exception(invocation, "start", &thrown, FRAME);
        }
        (_, None) => {
            complain(&format!("Error: Activity not started, unable to resolve {}\n", intent.as_started(api)));
            return Exit::FAILURE;
        }
        (Resolved::Activity { .. }, Some(StartOutcome::BroughtToFront)) => {
            complain("Warning: Activity not started, its current task has been brought to the front\n");
        }
        (Resolved::Activity { .. }, Some(StartOutcome::OnTop)) => {
            complain(
                "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n",
            );
        }
        (_, Some(_)) => {}
    }
    if let Some(outcome) = started.filter(|_| options.wait) {
        let took = invocation.system.clock().passed().saturating_sub(begin);
        report(invocation, outcome, &front, took);
    }
    Exit::SUCCESS
}

fn report(invocation: &Invocation<'_>, outcome: StartOutcome, activity: &str, took: Duration) {
    let mut text = "Status: ok\n".to_owned();
    if invocation.system.lock().config().api.since(29) {
        let state = match outcome {
            StartOutcome::Cold => "COLD",
            StartOutcome::Warm => "WARM",
            StartOutcome::BroughtToFront => "HOT",
            StartOutcome::OnTop => "UNKNOWN (0)",
        };
        text.push_str(&format!("LaunchState: {state}\n"));
    }
    let ms = if outcome == StartOutcome::OnTop { 0 } else { took.as_millis() };
    let old = !invocation.system.lock().config().api.since(29);
    let this_time = if old { format!("ThisTime: {ms}\n") } else { String::new() };
    text.push_str(&format!(
        "Activity: {activity}\n{this_time}TotalTime: {ms}\nWaitTime: {}\nComplete\n",
        took.as_millis() + 3
    ));
    invocation.out(text);
}
