//! Programs on words: `basename`, `dirname`, `seq`, `which`, `yes`, `rev`, `tac`.

use super::cat::read_each;
use super::options::{Options, needs, without_end_mark};
use super::{Exit, Invocation};

pub(super) fn basename(invocation: &Invocation<'_>) -> Exit {
    let rest = without_end_mark(&invocation.rest());
    let Some(path) = rest.first() else { return needs(invocation, 1) };
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let name =
        rest.get(1).and_then(|suffix| name.strip_suffix(suffix)).filter(|short| !short.is_empty()).unwrap_or(name);
    invocation.out(format!("{}\n", if name.is_empty() { "/" } else { name }));
    Exit::SUCCESS
}

pub(super) fn dirname(invocation: &Invocation<'_>) -> Exit {
    let rest = without_end_mark(&invocation.rest());
    let Some(path) = rest.first() else { return needs(invocation, 1) };
    let directory = match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    };
    invocation.out(format!("{directory}\n"));
    Exit::SUCCESS
}

pub(super) fn seq(invocation: &Invocation<'_>) -> Exit {
    let rest = without_end_mark(&invocation.rest());
    let numbers: Option<Vec<i64>> = rest.iter().map(|word| word.parse().ok()).collect();
    let (first, step, last) = match numbers.as_deref() {
        Some([last]) => (1, 1, *last),
        Some([first, last]) => (*first, 1, *last),
        Some([first, step, last]) if *step != 0 => (*first, *step, *last),
        Some(_) => return needs(invocation, 1),
        None => {
            invocation.err("seq: bad number\n");
            return Exit::FAILURE;
        }
    };
    let mut at = first;
    while (step > 0 && at <= last) || (step < 0 && at >= last) {
        invocation.out(format!("{at}\n"));
        if invocation.interrupt.raised() {
            break;
        }
        match at.checked_add(step) {
            Some(next) => at = next,
            None => break,
        }
    }
    Exit::SUCCESS
}

pub(super) fn which(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "a") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mut exit = Exit::SUCCESS;
    for name in options.operands {
        let path = if name.contains('/') { invocation.path(name) } else { format!("/system/bin/{name}") };
        if invocation.system.lock().files.stat(&path).is_ok_and(|stat| stat.mode & 0o111 != 0 && !stat.is_directory()) {
            invocation.out(format!("{path}\n"));
        } else {
            exit = Exit::FAILURE;
        }
    }
    exit
}

pub(super) fn yes(invocation: &Invocation<'_>) -> Exit {
    let words = without_end_mark(&invocation.rest());
    let line = if words.is_empty() { "y\n".to_owned() } else { format!("{}\n", words.join(" ")) };
    let page = line.repeat(512);
    while !invocation.interrupt.raised() {
        invocation.out(&page);
    }
    Exit::SUCCESS
}

pub(super) fn rev(invocation: &Invocation<'_>) -> Exit {
    each_text(invocation, |text| {
        text.lines().map(|line| line.chars().rev().chain(['\n']).collect::<String>()).collect()
    })
}

pub(super) fn tac(invocation: &Invocation<'_>) -> Exit {
    each_text(invocation, |text| text.lines().rev().map(|line| format!("{line}\n")).collect())
}

fn each_text(invocation: &Invocation<'_>, turn: impl Fn(&str) -> String) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    read_each(invocation, &options.files(), |bytes| invocation.out(turn(&String::from_utf8_lossy(bytes))))
}
