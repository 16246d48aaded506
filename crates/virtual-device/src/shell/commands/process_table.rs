//! `ps`, `top -n 1`, `pidof`, `kill`: the processes of a device that has one app process per app.

use super::file_stat::owner;
use super::options::{Options, needs};
use super::{Exit, Invocation};
use crate::system::VirtualSystem;

struct Process {
    pid: u32,
    parent: u32,
    user: String,
    name: String,
    /// Virtual and resident size in KiB.
    memory: (u32, u32),
}

/// Everything that runs, by pid.
fn processes(system: &VirtualSystem) -> Vec<Process> {
    let fixed = [
        (1, 0, "root", "init"),
        (2, 0, "root", "[kthreadd]"),
        (180, 1, "logd", "logd"),
        (182, 1, "system", "servicemanager"),
        (301, 1, "root", "zygote64"),
        (360, 1, "system", "surfaceflinger"),
        (410, 1, "shell", "adbd"),
        (600, 301, "system", "system_server"),
        (890, 301, "u0_a90", "com.android.systemui"),
    ];
    let mut list: Vec<Process> = fixed
        .into_iter()
        .map(|(pid, parent, user, name)| {
            let memory = if parent == 301 { (14_100_000, 210_000) } else { (10_800_000, 6_200) };
            Process { pid, parent, user: user.to_owned(), name: name.to_owned(), memory }
        })
        .collect();
    let home = system.tasks().home();
    for running in system.tasks().apps().chain([home]) {
        let package = running.process.package();
        let uid = system.package(package).map_or(10_091, |info| info.uid);
        let memory = (14_300_000, 140_000);
        list.push(Process { pid: running.pid, parent: 301, user: owner(uid), name: package.to_owned(), memory });
    }
    list.sort_by_key(|process| process.pid);
    list
}

/// The shell's own processes, which exist while a command looks.
fn own(name: &str) -> Vec<Process> {
    let process = |pid, parent, name: &str| Process {
        pid,
        parent,
        user: "shell".to_owned(),
        name: name.to_owned(),
        memory: (10_760_000, 3_300),
    };
    vec![process(9_001, 410, "sh"), process(9_002, 9_001, name)]
}

pub(super) fn ps(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "AefTZlo:p:u:t") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let system = invocation.system.lock();
    let mut list = processes(&system);
    // toybox came with Android 8; before, everything was shown.
    let all = options.has('A') || options.has('e') || options.has('f') || !system.config().api.since(26);
    drop(system);
    list.extend(own("ps"));
    if let Some(pids) = options.value('p') {
        list.retain(|process| pids.split(',').any(|pid| pid == process.pid.to_string()));
    } else if !all {
        list.retain(|process| process.pid > 9_000);
    }
    if let Some(name) = options.operands.first() {
        list.retain(|process| process.name == *name || process.pid.to_string() == *name);
    }
    if let Some(user) = options.value('u') {
        list.retain(|process| process.user == user);
    }
    let text = match columns(&options) {
        Ok(columns) => table(&list, &columns),
        Err(bad) => {
            invocation.err(format!("ps: bad -o '{bad}'\n"));
            return Exit::FAILURE;
        }
    };
    invocation.out(text);
    if list.is_empty() { Exit::FAILURE } else { Exit::SUCCESS }
}

const COLUMNS: [&str; 13] =
    ["USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME", "ARGS", "CMD", "UID", "CMDLINE"];

fn columns(options: &Options<'_>) -> Result<Vec<String>, String> {
    let lists: Vec<&str> = options.values('o').collect();
    if lists.is_empty() {
        return Ok(COLUMNS[..9].iter().map(|name| (*name).to_owned()).collect());
    }
    let names = lists.iter().flat_map(|list| list.split([',', ' '])).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let upper = name.trim_end_matches('=').to_uppercase();
            if COLUMNS.contains(&upper.as_str()) { Ok(upper) } else { Err(name.to_owned()) }
        })
        .collect()
}

fn table(list: &[Process], columns: &[String]) -> String {
    let cell = |process: &Process, column: &str| match column {
        "USER" | "UID" => format!("{:<13}", process.user),
        "PID" => format!("{:>5}", process.pid),
        "PPID" => format!("{:>5}", process.parent),
        "VSZ" => format!("{:>8}", process.memory.0),
        "RSS" => format!("{:>6}", process.memory.1),
        "WCHAN" => format!("{:<18}", "0"),
        "ADDR" => format!("{:>10}", "0"),
        "S" => (if process.pid == 9_002 { "R" } else { "S" }).to_owned(),
        _ => process.name.clone(),
    };
    let head = |column: &str| match column {
        "USER" | "UID" => format!("{column:<13}"),
        "PID" | "PPID" => format!("{column:>5}"),
        "VSZ" => format!("{column:>8}"),
        "RSS" => format!("{column:>6}"),
        "WCHAN" => format!("{column:<18}"),
        "ADDR" => format!("{column:>10}"),
        other => other.to_owned(),
    };
    let mut text = columns.iter().map(|column| head(column)).collect::<Vec<_>>().join(" ").trim_end().to_owned() + "\n";
    for process in list {
        let row = columns.iter().map(|column| cell(process, column)).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{row}\n"));
    }
    text
}

pub(super) fn top(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "bqn:m:d:o:s:p:u:Hk:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let times: u32 = match options.value('n').map(str::parse) {
        None => u32::MAX,
        Some(Ok(times)) => times,
        Some(Err(_)) => {
            invocation.err("top: bad -n\n");
            return Exit::FAILURE;
        }
    };
    let pause = std::time::Duration::from_secs(3);
    for turn in 0..times {
        if turn > 0 && !invocation.system.clock().wait(pause, invocation.interrupt) {
            break;
        }
        let system = invocation.system.lock();
        let mut list = processes(&system);
        drop(system);
        list.extend(own("top"));
        let count = list.len();
        list.truncate(options.value('m').and_then(|rows| rows.parse().ok()).unwrap_or(count));
        let mut text = format!(
            "Tasks: {count} total,   1 running, {} sleeping,   0 stopped,   0 zombie\n  Mem:  2027764K total,  1521340K \
             used,   506424K free,     3000K buffers\n Swap:  1520820K total,        0K used,  1520820K free,   890000K \
             cached\n400%cpu   2%user   0%nice   3%sys 395%idle   0%iow   0%irq   0%sirq   0%host\n  PID USER         PR  \
             NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n",
            count - 1
        );
        for process in list {
            text.push_str(&format!(
                "{:>5} {:<12} 20   0 {:>4}M {:>3}M {:>3}M S  0.0  {:>4.1}   0:00.10 {}\n",
                process.pid,
                process.user,
                process.memory.0 / 1024,
                process.memory.1 / 1024,
                process.memory.1 / 2048,
                f64::from(process.memory.1) / 20_277.64,
                process.name
            ));
        }
        invocation.out(text);
        if invocation.interrupt.raised() {
            break;
        }
    }
    Exit::SUCCESS
}

pub(super) fn pidof(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "sxo:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    if options.operands.is_empty() {
        return needs(invocation, 1);
    }
    let system = invocation.system.lock();
    let list = processes(&system);
    drop(system);
    let pids: Vec<String> = list
        .iter()
        .filter(|process| options.operands.contains(&process.name.as_str()))
        .map(|process| process.pid.to_string())
        .collect();
    if pids.is_empty() {
        return Exit::FAILURE;
    }
    invocation.out(format!("{}\n", pids.join(" ")));
    Exit::SUCCESS
}

/// The shell user may end its own processes only, and those are gone when a command ends; apps belong to others.
pub(super) fn kill(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    if rest.first().is_some_and(|word| *word == "-l") {
        invocation
            .out(" 1 HUP    Hangup\n 2 INT    Interrupt\n 3 QUIT   Quit\n 9 KILL   Killed\n15 TERM   Terminated\n");
        return Exit::SUCCESS;
    }
    let mut words = rest.iter().copied().peekable();
    if words.peek().is_some_and(|word| word.starts_with('-')) {
        let takes_value = words.next() == Some("-s");
        if takes_value {
            words.next();
        }
    }
    let pids: Vec<&str> = words.collect();
    if pids.is_empty() {
        invocation.err("/system/bin/sh: usage: kill [-s signame|-signum|-signame] {pid|job} ...\n");
        return Exit::FAILURE;
    }
    let system = invocation.system.lock();
    let list = processes(&system);
    drop(system);
    for pid in pids {
        let reason = match pid.parse::<u32>() {
            Err(_) => "arguments must be jobs or process IDs",
            Ok(number) if list.iter().any(|process| process.pid == number) => "Operation not permitted",
            Ok(_) => "No such process",
        };
        invocation.err(format!("/system/bin/sh: kill: {pid}: {reason}\n"));
    }
    Exit::FAILURE
}
