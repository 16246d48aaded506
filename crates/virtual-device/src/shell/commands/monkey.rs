//! `monkey -p PACKAGE [-c CATEGORY] 1` (`Monkey.java`): people use it to start an app by package.

use super::{Exit, Invocation};

/// What the arguments ask for.
struct Request<'a> {
    packages: Vec<&'a str>,
    count: Option<u32>,
    launchable: bool,
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let mut text: String = rest.iter().map(|word| format!("  bash arg: {word}\n")).collect();
    let request = match parse(&rest) {
        Ok(request) => request,
        Err(message) => {
            invocation.out(text);
            invocation.err(format!("{message}\n{USAGE}"));
            return Exit::FAILURE;
        }
    };
    let Some(count) = request.count else {
        invocation.out(text);
        invocation.err(format!("** Error: Count not specified\n{USAGE}"));
        return Exit::FAILURE;
    };
    // Random events are what a monkey is for, but nobody's agent needs them; only the start is played.
    if count > 1 {
        invocation.out(text);
        invocation.err("** Error: a virtual device's monkey only starts apps: use a count of 1\n");
        return Exit::FAILURE;
    }
    let mut system = invocation.system.lock();
    let started = request.launchable && request.packages.iter().any(|package| system.start(package).is_some());
    drop(system);
    if started {
        text.push_str(&format!(
            "Events injected: {count}\n## Network stats: elapsed time=12ms (0ms mobile, 0ms wifi, 12ms not connected)\n"
        ));
    } else {
        text.push_str("** No activities found to run, monkey aborted.\n");
    }
    invocation.out(text);
    // The exit code of an aborted monkey is not established; one project reports 0.
    Exit::SUCCESS
}

const USAGE: &str = "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]\n              [-s SEED] [-v [-v] ...] [--throttle MILLISEC]\n              COUNT\n";

fn parse<'a>(words: &[&'a str]) -> Result<Request<'a>, String> {
    let mut request = Request { packages: Vec::new(), count: None, launchable: true };
    let mut categories = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("** Error: Option \"{word}\" expects a value"));
        match word {
            "-p" => request.packages.push(value()?),
            "-c" => categories.push(value()?),
            "-s" | "--throttle" | "--wait-dbg" => {
                value()?;
            }
            _ if word.starts_with("--pct-") => {
                value()?;
            }
            _ if word.starts_with("-v") || word.starts_with("--") => {}
            _ if word.starts_with('-') => return Err(format!("** Error: Unknown option: {word}")),
            number => {
                request.count = Some(number.parse().map_err(|_| format!("** Error: Count is not a number: {number}"))?);
            }
        }
    }
    let launches =
        |category: &&str| matches!(*category, "android.intent.category.LAUNCHER" | "android.intent.category.MONKEY");
    request.launchable = categories.is_empty() || categories.iter().any(launches);
    Ok(request)
}
