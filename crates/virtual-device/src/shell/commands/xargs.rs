//! `xargs` (`-n N -I WORD -r`).

use super::options::Options;
use super::{Exit, Invocation};
use crate::shell::Input;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    // Options end at the first word of the command.
    let mut own = 0;
    while let Some(word) = rest.get(own).filter(|word| word.starts_with('-')) {
        own += if matches!(*word, "-n" | "-I" | "-s" | "-E") { 2 } else { 1 };
        if *word == "--" {
            break;
        }
    }
    let (own, command) = rest.split_at(own.min(rest.len()));
    let options = match Options::of(invocation, own, "n:I:s:E:r0t") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let command = if command.is_empty() { &["echo"] } else { command };
    let bytes = match invocation.stdin.all() {
        Ok(bytes) => bytes,
        Err(error) => {
            invocation.err(format!("xargs: {error}\n"));
            return Exit::FAILURE;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let batches: Vec<Vec<String>> = if let Some(place) = options.value('I') {
        let filled = |line: &str| command.iter().map(|word| word.replace(place, line.trim())).collect();
        text.lines().filter(|line| !line.trim().is_empty()).map(filled).collect()
    } else {
        let words: Vec<&str> =
            if options.has('0') { text.split_terminator('\0').collect() } else { text.split_whitespace().collect() };
        let size = options.value('n').and_then(|count| count.parse().ok()).filter(|count| *count > 0);
        let full = |words: &[&str]| command.iter().chain(words).map(|word| (*word).to_owned()).collect();
        if words.is_empty() {
            if options.has('r') { Vec::new() } else { vec![full(&[])] }
        } else {
            words.chunks(size.unwrap_or(words.len())).map(full).collect()
        }
    };
    let mut exit = Exit::SUCCESS;
    for args in batches {
        let process = Invocation { stdin: Input::empty(), ..invocation.with_args(args) };
        // 123 when a command failed, as POSIX says.
        match super::run(&process).code() {
            0 => {}
            code @ (126 | 127) => return Exit::Code(code),
            _ => exit = Exit::Code(123),
        }
    }
    exit
}
