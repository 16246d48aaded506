//! `grep` (`-i -v -c -q -n -o -E -F -e -m N`).

use super::cat::read_file_or_stdin;
use super::{Exit, Invocation};
use regex::bytes::{Regex, RegexBuilder};

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one field per option")]
struct Options<'a> {
    ignore_case: bool,
    invert: bool,
    count: bool,
    quiet: bool,
    number: bool,
    only: bool,
    fixed: bool,
    extended: bool,
    limit: Option<usize>,
    pattern: Option<&'a str>,
    files: Vec<&'a str>,
}

/// `egrep`.
pub(super) fn extended(invocation: &Invocation<'_>) -> Exit {
    with_option(invocation, "-E")
}

/// `fgrep`.
pub(super) fn fixed(invocation: &Invocation<'_>) -> Exit {
    with_option(invocation, "-F")
}

fn with_option(invocation: &Invocation<'_>, option: &str) -> Exit {
    let rest = invocation.rest().into_iter().map(ToOwned::to_owned);
    run(&invocation.with_args(["grep".to_owned(), option.to_owned()].into_iter().chain(rest).collect()))
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let words = invocation.rest();
    let options = match parse(&words) {
        Ok(options) => options,
        Err(message) => {
            invocation.err(format!("grep: {message}\n"));
            return Exit::Code(2);
        }
    };
    let Some(pattern) = options.pattern else {
        invocation.err("grep: no REGEX\n");
        return Exit::Code(2);
    };
    let source = match (options.fixed, options.extended) {
        (true, _) => regex::escape(pattern),
        (false, true) => pattern.to_owned(),
        (false, false) => basic_to_extended(pattern),
    };
    let Ok(regex) = RegexBuilder::new(&source).case_insensitive(options.ignore_case).unicode(false).build() else {
        invocation.err(format!("grep: bad regex '{pattern}'\n"));
        return Exit::Code(2);
    };
    let mut found = false;
    let mut exit = Exit::FAILURE;
    let files = if options.files.is_empty() { vec!["-"] } else { options.files.clone() };
    for file in &files {
        // stdin may go on for ever: every line is looked at when it comes.
        if *file == "-" && !options.count {
            match follow(invocation, &regex, &options) {
                Ok(matched) => found |= matched,
                Err(reason) => {
                    invocation.err(format!("grep: -: {reason}\n"));
                    exit = Exit::Code(2);
                }
            }
            continue;
        }
        match read_file_or_stdin(invocation, file) {
            Ok(bytes) => {
                let prefix = if files.len() > 1 { format!("{file}:") } else { String::new() };
                let (text, matched) = search(&bytes, &regex, &options, &prefix);
                found |= matched;
                if !options.quiet {
                    invocation.out(text);
                }
            }
            Err(reason) => {
                invocation.err(format!("grep: {file}: {reason}\n"));
                exit = Exit::Code(2);
            }
        }
    }
    if found { Exit::SUCCESS } else { exit }
}

/// Searches stdin line by line until it ends, enough was found or nobody reads on.
fn follow(invocation: &Invocation<'_>, regex: &Regex, options: &Options<'_>) -> std::io::Result<bool> {
    let mut count = 0;
    let mut number = 0;
    while let Some(line) = invocation.stdin.line()? {
        number += 1;
        let (text, matched) = search(&line, regex, options, "");
        if !matched {
            continue;
        }
        count += 1;
        if options.quiet {
            break;
        }
        // The search counts from one for each line.
        let text = if options.number { renumbered(&text, number) } else { text };
        invocation.out(text);
        if options.limit.is_some_and(|limit| count >= limit) || invocation.interrupt.raised() {
            break;
        }
    }
    Ok(count > 0)
}

fn renumbered(text: &[u8], number: usize) -> Vec<u8> {
    let lines = super::head_tail::lines(text);
    lines.flat_map(|line| [number.to_string().as_bytes(), line.strip_prefix(b"1").unwrap_or(line)].concat()).collect()
}

fn search(bytes: &[u8], regex: &Regex, options: &Options<'_>, prefix: &str) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut count = 0;
    for (at, line) in super::head_tail::lines(bytes).enumerate() {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        if regex.is_match(text) == options.invert {
            continue;
        }
        count += 1;
        if !options.count {
            let number = if options.number { format!("{}:", at + 1) } else { String::new() };
            if options.only && !options.invert {
                for hit in regex.find_iter(text).filter(|hit| !hit.is_empty()) {
                    out.extend_from_slice(format!("{prefix}{number}").as_bytes());
                    out.extend_from_slice(hit.as_bytes());
                    out.push(b'\n');
                }
            } else {
                out.extend_from_slice(format!("{prefix}{number}").as_bytes());
                out.extend_from_slice(text);
                out.push(b'\n');
            }
        }
        if options.limit.is_some_and(|limit| count >= limit) {
            break;
        }
    }
    if options.count {
        out.extend_from_slice(format!("{prefix}{count}\n").as_bytes());
    }
    (out, count > 0)
}

fn parse<'a>(words: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options::default();
    let mut words = words.iter();
    let mut plain = false;
    while let Some(&word) = words.next() {
        match word.strip_prefix('-').filter(|rest| !rest.is_empty() && !plain) {
            Some("-") => plain = true,
            Some("e") => options.pattern = Some(words.next().ok_or("Missing argument to -e")?),
            Some("m") => {
                let count = words.next().ok_or("Missing argument to -m")?;
                options.limit = Some(count.parse().map_err(|_| format!("bad number '{count}'"))?);
            }
            Some(flags) => {
                for flag in flags.chars() {
                    match flag {
                        'i' => options.ignore_case = true,
                        'v' => options.invert = true,
                        'c' => options.count = true,
                        'q' => options.quiet = true,
                        'n' => options.number = true,
                        'o' => options.only = true,
                        'F' => options.fixed = true,
                        'E' => options.extended = true,
                        other => return Err(format!("Unknown option '{other}' (see \"grep --help\")")),
                    }
                }
            }
            None if options.pattern.is_none() => options.pattern = Some(word),
            None => options.files.push(word),
        }
    }
    Ok(options)
}

/// Basic expressions write groups, alternatives and counts with backslashes, extended ones without.
pub(super) fn basic_to_extended(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => out.push(c),
                Some(c) => {
                    out.push('\\');
                    out.push(c);
                }
                None => out.push_str("\\\\"),
            },
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}
