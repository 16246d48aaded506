//! Commands that change the shell itself.

use super::commands;
use super::interpreter::{Exit, Flow, Shell};
use super::invocation::Invocation;

/// Names `command -v` finds besides programs and functions.
const NAMES: [&str; 17] = [
    ":", ".", "break", "cd", "command", "continue", "eval", "exec", "exit", "export", "local", "read", "return", "set",
    "shift", "type", "unset",
];

/// Runs a builtin; `None` when `args[0]` names none.
pub(super) fn run(shell: &mut Shell<'_>, invocation: &Invocation<'_>) -> Option<Exit> {
    let rest = invocation.rest();
    Some(match invocation.args.first()?.as_str() {
        // Alone, `exec` has only redirections to change.
        ":" | "exec" if rest.is_empty() || invocation.args[0] == ":" => Exit::SUCCESS,
        "exit" | "return" => {
            shell.flow = if invocation.args[0] == "exit" { Flow::Exit } else { Flow::Return };
            rest.first().map_or(shell.status, |code| code.parse::<i32>().map_or(Exit::FAILURE, |n| Exit::Code(n as u8)))
        }
        "break" | "continue" => {
            let levels = rest.first().and_then(|word| word.parse().ok()).unwrap_or(1);
            shell.flow = if invocation.args[0] == "break" { Flow::Break(levels) } else { Flow::Continue(levels) };
            Exit::SUCCESS
        }
        "cd" => change_directory(shell, invocation),
        // A function's variables are the shell's own; nothing here calls itself with different ones.
        "export" | "local" => {
            for word in rest {
                if let Some((name, value)) = word.split_once('=') {
                    shell.variables.insert(name.to_owned(), value.to_owned());
                }
            }
            Exit::SUCCESS
        }
        "unset" => {
            for name in rest {
                shell.variables.remove(name);
                shell.functions.remove(name);
            }
            Exit::SUCCESS
        }
        "set" => set(shell, invocation, &rest),
        "shift" => {
            let count = rest.first().and_then(|word| word.parse().ok()).unwrap_or(1);
            if count > shell.positional.len() {
                invocation.err("/system/bin/sh: shift: nothing to shift\n");
                return Some(Exit::FAILURE);
            }
            shell.positional.drain(..count);
            Exit::SUCCESS
        }
        "read" => read(shell, invocation, &rest),
        "eval" => shell.run(&rest.join(" ")),
        "." | "source" => match rest.first() {
            Some(file) => source(shell, invocation, file),
            None => Exit::SUCCESS,
        },
        "exec" => {
            let exit = shell.execute(invocation.args[1..].to_vec(), &[]);
            shell.flow = Flow::Exit;
            exit
        }
        "command" => match rest.as_slice() {
            ["-v", names @ ..] => lookup(shell, invocation, names, Words::Brief),
            [] => Exit::SUCCESS,
            _ => shell.execute(invocation.args[1..].to_vec(), &[]),
        },
        "type" => lookup(shell, invocation, &rest, Words::Sentence),
        _ => return None,
    })
}

fn change_directory(shell: &mut Shell<'_>, invocation: &Invocation<'_>) -> Exit {
    let wanted = invocation.args.get(1).map_or("/", String::as_str);
    let path = invocation.path(wanted);
    let found = shell.system.lock().files.stat(&path);
    let reason = match found {
        Ok(stat) if stat.is_directory() => {
            shell.directory = tidy(&path);
            return Exit::SUCCESS;
        }
        Ok(_) => "Not a directory".to_owned(),
        Err(error) => error.to_string(),
    };
    invocation.err(format!("/system/bin/sh: cd: {wanted}: {reason}\n"));
    Exit::Code(2)
}

/// `/a/./b/..` as `/a`: what `pwd` shows.
fn tidy(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

/// `set -- words` sets the positional parameters. `-e` and friends are refused: a script that relies on them would run
/// differently.
fn set(shell: &mut Shell<'_>, invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        [] => {
            for (name, value) in &shell.variables {
                invocation.out(format!("{name}={value}\n"));
            }
            Exit::SUCCESS
        }
        ["--", words @ ..] => {
            shell.positional = words.iter().map(|word| (*word).to_owned()).collect();
            Exit::SUCCESS
        }
        [option, ..] => {
            invocation.err(format!("/system/bin/sh: set: {option}: not supported by this virtual device's shell\n"));
            Exit::FAILURE
        }
    }
}

fn read(shell: &mut Shell<'_>, invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let names: Vec<&str> = rest.iter().filter(|word| !word.starts_with('-')).copied().collect();
    let raw = rest.contains(&"-r");
    let Ok(Some(line)) = invocation.stdin.line() else {
        for name in names {
            shell.variables.insert(name.to_owned(), String::new());
        }
        return Exit::FAILURE;
    };
    let complete = line.ends_with(b"\n");
    let text = String::from_utf8_lossy(&line);
    let text = text.trim_matches([' ', '\t', '\n']);
    let text = if raw { text.to_owned() } else { text.replace('\\', "") };
    let names = if names.is_empty() { vec!["REPLY"] } else { names };
    let mut left = text.as_str();
    for (at, name) in names.iter().enumerate() {
        let value = if at + 1 == names.len() {
            std::mem::take(&mut left)
        } else {
            let (value, after) = left.split_once([' ', '\t']).unwrap_or((left, ""));
            left = after.trim_start_matches([' ', '\t']);
            value
        };
        shell.variables.insert((*name).to_owned(), value.to_owned());
    }
    if complete { Exit::SUCCESS } else { Exit::FAILURE }
}

fn source(shell: &mut Shell<'_>, invocation: &Invocation<'_>, file: &str) -> Exit {
    let script = shell.system.lock().files.read(&invocation.path(file)).map(<[u8]>::to_vec);
    match script {
        Ok(script) => shell.run(&String::from_utf8_lossy(&script)),
        Err(error) => {
            invocation.err(format!("/system/bin/sh: .: {file}: {error}\n"));
            Exit::FAILURE
        }
    }
}

/// How much a lookup says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// `command -v`.
    Brief,
    /// `type`.
    Sentence,
}

fn lookup(shell: &Shell<'_>, invocation: &Invocation<'_>, names: &[&str], words: Words) -> Exit {
    let mut exit = Exit::SUCCESS;
    for name in names {
        let found = if shell.functions.contains_key(*name) {
            Some(((*name).to_owned(), "a function"))
        } else if NAMES.contains(name) {
            Some(((*name).to_owned(), "a shell builtin"))
        } else {
            commands::names().find(|known| known == name).map(|name| (format!("/system/bin/{name}"), ""))
        };
        match (found, words) {
            (Some((place, _)), Words::Brief) => invocation.out(format!("{place}\n")),
            (Some((place, "")), Words::Sentence) => invocation.out(format!("{name} is {place}\n")),
            (Some((_, kind)), Words::Sentence) => invocation.out(format!("{name} is {kind}\n")),
            (None, Words::Brief) => exit = Exit::FAILURE,
            (None, Words::Sentence) => {
                invocation.out(format!("{name} not found\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}
