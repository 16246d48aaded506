//! `head` and `tail` (`-n N`, `-N`, `-c N`; `tail -n +N`).

use super::cat::read_file_or_stdin;
use super::{Exit, Invocation};

#[derive(Clone, Copy)]
enum Unit {
    Lines,
    Bytes,
}

pub(super) fn head(invocation: &Invocation<'_>) -> Exit {
    run(invocation, |bytes, unit, count| {
        let wanted = count.trim_start_matches('+').parse().ok()?;
        Some(match unit {
            Unit::Lines => lines(bytes).take(wanted).collect::<Vec<_>>().concat(),
            Unit::Bytes => bytes[..wanted.min(bytes.len())].to_vec(),
        })
    })
}

pub(super) fn tail(invocation: &Invocation<'_>) -> Exit {
    run(invocation, |bytes, unit, count| {
        let total = match unit {
            Unit::Lines => lines(bytes).count(),
            Unit::Bytes => bytes.len(),
        };
        let skip = match count.strip_prefix('+') {
            Some(first) => first.parse::<usize>().ok()?.saturating_sub(1),
            None => total.saturating_sub(count.parse().ok()?),
        };
        Some(match unit {
            Unit::Lines => lines(bytes).skip(skip).collect::<Vec<_>>().concat(),
            Unit::Bytes => bytes[skip.min(total)..].to_vec(),
        })
    })
}

/// As much of stdin as `head` shows: what writes without end must not be read to its end.
fn begin_of(invocation: &Invocation<'_>, file: &str, unit: Unit, count: &str) -> Option<Result<Vec<u8>, String>> {
    let wanted: usize = count.trim_start_matches('+').parse().ok().filter(|_| file == "-")?;
    let read = match unit {
        Unit::Bytes => invocation.stdin.up_to(wanted as u64),
        Unit::Lines => (0..wanted)
            .map_while(|_| invocation.stdin.line().transpose())
            .collect::<Result<Vec<_>, _>>()
            .map(|lines| lines.concat()),
    };
    Some(read.map_err(|error| error.to_string()))
}

/// Lines with their newlines.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

fn run(invocation: &Invocation<'_>, cut: impl Fn(&[u8], Unit, &str) -> Option<Vec<u8>>) -> Exit {
    let name = invocation.args[0].as_str();
    let mut unit = Unit::Lines;
    let mut count = "10";
    let mut files = Vec::new();
    let rest = invocation.rest();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "--" => files.extend(words.by_ref()),
            "-n" | "-c" => {
                unit = if word == "-c" { Unit::Bytes } else { Unit::Lines };
                match words.next() {
                    Some(number) => count = number,
                    None => {
                        invocation.err(format!("{name}: Missing argument to {word}\n"));
                        return Exit::FAILURE;
                    }
                }
            }
            _ if word.len() > 1 && word.starts_with('-') => {
                let rest = &word[1..];
                (unit, count) = match rest.strip_prefix('c') {
                    Some(number) => (Unit::Bytes, number),
                    None => (Unit::Lines, rest.trim_start_matches('n')),
                };
            }
            file => files.push(file),
        }
    }
    let files = if files.is_empty() { vec!["-"] } else { files };
    let mut exit = Exit::SUCCESS;
    for file in &files {
        let read = if name == "head" { begin_of(invocation, file, unit, count) } else { None };
        let bytes = match read.unwrap_or_else(|| read_file_or_stdin(invocation, file)) {
            Ok(bytes) => bytes,
            Err(reason) => {
                invocation.err(format!("{name}: {file}: {reason}\n"));
                exit = Exit::FAILURE;
                continue;
            }
        };
        let Some(part) = cut(&bytes, unit, count) else {
            invocation.err(format!("{name}: not integer: {count}\n"));
            return Exit::FAILURE;
        };
        if files.len() > 1 {
            invocation.out(format!("==> {file} <==\n"));
        }
        invocation.out(part);
    }
    exit
}
