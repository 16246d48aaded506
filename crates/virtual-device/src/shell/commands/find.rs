//! `find` (`-name -iname -path -type -maxdepth -mindepth -size -empty -delete -exec -print -not`).

use super::{Exit, Invocation};
use crate::shell::expand::pattern_regex;
use crate::system::{FileStat, FsError};
use regex::Regex;

enum Test<'a> {
    Name(Regex),
    Path(Regex),
    Type(char),
    /// `+N`, `-N`, `N` in units of bytes.
    Size(Option<char>, u64, u64),
    Empty,
    Not(Box<Test<'a>>),
    Delete,
    Print,
    Exec {
        command: Vec<&'a str>,
        together: bool,
    },
}

struct Search<'a> {
    tests: Vec<Test<'a>>,
    least: usize,
    most: usize,
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut rest = invocation.rest();
    // Later it may be an argument of what -exec runs.
    if rest.first() == Some(&"--") {
        rest.remove(0);
    }
    let paths: Vec<&str> = rest.iter().take_while(|word| !word.starts_with(['-', '!', '('])).copied().collect();
    let mut search = match parse(&rest[paths.len()..]) {
        Ok(search) => search,
        Err(message) => {
            invocation.err(format!("find: {message}\n"));
            return Exit::FAILURE;
        }
    };
    let acts = search.tests.iter().any(|test| matches!(test, Test::Delete | Test::Print | Test::Exec { .. }));
    if !acts {
        search.tests.push(Test::Print);
    }
    let mut exit = Exit::SUCCESS;
    let mut together = Vec::new();
    for path in if paths.is_empty() { vec!["."] } else { paths } {
        let mut found = Vec::new();
        if let Err(error) = walk(invocation, path, 0, &search, &mut found) {
            invocation.err(format!("find: {path}: {error}\n"));
            exit = Exit::FAILURE;
        }
        for (path, stat) in found {
            visit(invocation, &search, &path, stat, &mut together);
        }
    }
    let group = search.tests.iter().find_map(|test| match test {
        Test::Exec { command, together: true } => Some(command),
        _ => None,
    });
    if let Some(command) = group
        && !together.is_empty()
    {
        let words = command.iter().filter(|word| **word != "{}").map(|word| (*word).to_owned());
        super::run(&invocation.with_args(words.chain(together).collect()));
    }
    exit
}

/// Everything at or below `path`; `-delete` wants children first.
fn walk(
    invocation: &Invocation<'_>,
    path: &str,
    depth: usize,
    search: &Search<'_>,
    found: &mut Vec<(String, FileStat)>,
) -> Result<(), FsError> {
    let full = invocation.path(path);
    let system = invocation.system.lock();
    let stat = if depth == 0 { system.files.stat(&full)? } else { system.files.lstat(&full)? };
    let entries = if stat.is_directory() && depth < search.most { system.files.list(&full) } else { Ok(Vec::new()) };
    drop(system);
    let deletes = search.tests.iter().any(|test| matches!(test, Test::Delete));
    let own = (path.to_owned(), stat);
    if depth >= search.least && !deletes {
        found.push(own.clone());
    }
    match entries {
        Ok(entries) => {
            for (name, _) in entries {
                let child = format!("{}/{name}", path.trim_end_matches('/'));
                // Gone in the meantime is no error.
                let _gone = walk(invocation, &child, depth + 1, search, found);
            }
        }
        Err(error) => invocation.err(format!("find: {path}: {error}\n")),
    }
    if depth >= search.least && deletes {
        found.push(own);
    }
    Ok(())
}

fn visit(invocation: &Invocation<'_>, search: &Search<'_>, path: &str, stat: FileStat, together: &mut Vec<String>) {
    for test in &search.tests {
        let holds = match test {
            Test::Print => {
                invocation.out(format!("{path}\n"));
                true
            }
            Test::Delete => {
                let removed = invocation.system.lock().files.remove_tree(&invocation.path(path));
                if let Err(error) = &removed {
                    invocation.err(format!("find: {path}: {error}\n"));
                }
                removed.is_ok()
            }
            Test::Exec { together: true, .. } => {
                together.push(path.to_owned());
                true
            }
            Test::Exec { command, .. } => {
                let args = command.iter().map(|word| word.replace("{}", path)).collect();
                super::run(&invocation.with_args(args)).code() == 0
            }
            condition => holds(condition, path, stat),
        };
        if !holds {
            return;
        }
    }
}

fn holds(test: &Test<'_>, path: &str, stat: FileStat) -> bool {
    match test {
        Test::Name(regex) => {
            let path = path.trim_end_matches('/');
            regex.is_match(path.rsplit('/').next().unwrap_or(path))
        }
        Test::Path(regex) => regex.is_match(path),
        Test::Type(kind) => {
            *kind
                == match stat.mode & 0o170_000 {
                    0o040_000 => 'd',
                    0o120_000 => 'l',
                    _ => 'f',
                }
        }
        Test::Size(sign, count, unit) => {
            let blocks = stat.size.div_ceil(*unit);
            match sign {
                Some('+') => blocks > *count,
                Some('-') => blocks < *count,
                _ => blocks == *count,
            }
        }
        Test::Empty => stat.size == 0,
        Test::Not(test) => !holds(test, path, stat),
        Test::Delete | Test::Print | Test::Exec { .. } => true,
    }
}

fn parse<'a>(words: &[&'a str]) -> Result<Search<'a>, String> {
    let mut search = Search { tests: Vec::new(), least: 0, most: usize::MAX };
    let mut words = words.iter().copied();
    let mut negate = false;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("missing argument to '{word}'"));
        let pattern = |text: &str, flags: &str| {
            Regex::new(&format!("(?s{flags})^{}$", pattern_regex(text))).map_err(|_| format!("bad pattern '{text}'"))
        };
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("bad {word} '{text}'"));
        let test = match word {
            "-not" | "!" => {
                negate = !negate;
                continue;
            }
            "-a" | "-and" => continue,
            "-maxdepth" => {
                search.most = number(value()?)?;
                continue;
            }
            "-mindepth" => {
                search.least = number(value()?)?;
                continue;
            }
            "-name" => Test::Name(pattern(value()?, "")?),
            "-iname" => Test::Name(pattern(value()?, "i")?),
            "-path" => Test::Path(pattern(value()?, "")?),
            "-type" => Test::Type(value()?.chars().next().unwrap_or('f')),
            "-size" => size(value()?)?,
            "-empty" => Test::Empty,
            "-delete" => Test::Delete,
            "-print" => Test::Print,
            "-exec" => {
                let mut command = Vec::new();
                let together = loop {
                    match words.next() {
                        Some(";") => break false,
                        Some("+") => break true,
                        Some(word) => command.push(word),
                        None => return Err("-exec needs ;".to_owned()),
                    }
                };
                Test::Exec { command, together }
            }
            other => return Err(format!("bad arg '{other}'")),
        };
        search.tests.push(if std::mem::take(&mut negate) { Test::Not(Box::new(test)) } else { test });
    }
    Ok(search)
}

fn size(word: &str) -> Result<Test<'static>, String> {
    let sign = word.chars().next().filter(|c| matches!(c, '+' | '-'));
    let digits = word.trim_start_matches(['+', '-']);
    let (digits, unit) = match digits.chars().last() {
        Some('c') => (&digits[..digits.len() - 1], 1),
        Some('k') => (&digits[..digits.len() - 1], 1 << 10),
        Some('M') => (&digits[..digits.len() - 1], 1 << 20),
        Some('G') => (&digits[..digits.len() - 1], 1 << 30),
        _ => (digits, 512),
    };
    digits.parse().map(|count| Test::Size(sign, count, unit)).map_err(|_| format!("bad -size '{word}'"))
}
