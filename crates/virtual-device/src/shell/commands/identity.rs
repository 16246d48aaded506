//! What device and user this is: `uname`, `whoami`, `hostname`, `getenforce`, `uptime`, `nproc`, `env`, `free`.

use super::options::Options;
use super::{Exit, Invocation};

/// The kernel the emulators of these years run.
const KERNEL: &str = "6.1.23-android14-4-00257-g7e35917775b8-ab9964412";

pub(super) fn uname(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "asnrvmo") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let parts = [
        ('s', "Linux"),
        ('n', "localhost"),
        ('r', KERNEL),
        ('v', "#1 SMP PREEMPT Wed Apr 19 01:19:55 UTC 2023"),
        ('m', "x86_64"),
        ('o', "Toybox"),
    ];
    let all = options.has('a');
    let plain = !parts.iter().any(|(flag, _)| options.has(*flag));
    let shown: Vec<&str> = parts
        .iter()
        .filter(|(flag, _)| all || options.has(*flag) || (plain && *flag == 's'))
        .map(|(_, text)| *text)
        .collect();
    invocation.out(format!("{}\n", shown.join(" ")));
    Exit::SUCCESS
}

pub(super) fn whoami(invocation: &Invocation<'_>) -> Exit {
    invocation.out("shell\n");
    Exit::SUCCESS
}

pub(super) fn hostname(invocation: &Invocation<'_>) -> Exit {
    invocation.out("localhost\n");
    Exit::SUCCESS
}

pub(super) fn getenforce(invocation: &Invocation<'_>) -> Exit {
    invocation.out("Enforcing\n");
    Exit::SUCCESS
}

pub(super) fn nproc(invocation: &Invocation<'_>) -> Exit {
    invocation.out("4\n");
    Exit::SUCCESS
}

pub(super) fn uptime(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    let (up, now) = (system.uptime().as_secs(), system.wall());
    drop(system);
    let (days, hours, minutes) = (up / 86_400, up / 3_600 % 24, up / 60 % 60);
    let length = match (days, hours) {
        (0, 0) => format!("{minutes} min"),
        (0, _) => format!("{hours:2}:{minutes:02}"),
        _ => format!("{days} day{}, {hours:2}:{minutes:02}", if days == 1 { "" } else { "s" }),
    };
    let time = now.strftime("%H:%M:%S");
    invocation.out(format!(" {time} up {length},  0 users,  load average: 0.00, 0.00, 0.00\n"));
    Exit::SUCCESS
}

pub(super) fn free(invocation: &Invocation<'_>) -> Exit {
    invocation.out(
        "\t\ttotal        used        free      shared     buffers\nMem:       2076430336  1557852160   518578176     \
         6291456     3072000\n-/+ buffers/cache:   1554780160   521650176\nSwap:      1557319680           0  1557319680\n",
    );
    Exit::SUCCESS
}
