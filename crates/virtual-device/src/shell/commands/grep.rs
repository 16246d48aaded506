//! `grep` (`-i -v -c -q -n -o -E -F -w -x -l -h -H -s -e -m N -A N -B N -C N`; toybox's `grep.c`).

use super::cat::read_file_or_stdin;
use super::{Exit, Invocation};
use regex::bytes::{Regex, RegexBuilder};
use std::collections::VecDeque;

/// A command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options<'a> {
    /// Letters without a value.
    flags: String,
    limit: Option<usize>,
    /// Lines shown after and before one that is found.
    after: usize,
    before: usize,
    pattern: Option<&'a str>,
    files: Vec<&'a str>,
}

impl Options<'_> {
    fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }
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
    let Some(regex) = compile(pattern, &options) else {
        invocation.err(format!("grep: bad regex '{pattern}'\n"));
        return Exit::Code(2);
    };
    let mut found = false;
    let mut exit = Exit::FAILURE;
    let files = if options.files.is_empty() { vec!["-"] } else { options.files.clone() };
    let named = (files.len() > 1 || options.has('H')) && !options.has('h');
    for file in files {
        let mut search = Search::new(&regex, &options, named.then_some(file));
        let read = if file == "-" { follow(invocation, &mut search) } else { whole(invocation, file, &mut search) };
        match read {
            Ok(()) => found |= search.count > 0,
            Err(reason) => {
                if !options.has('s') {
                    invocation.err(format!("grep: {file}: {reason}\n"));
                }
                exit = Exit::Code(2);
            }
        }
    }
    if found { Exit::SUCCESS } else { exit }
}

fn compile(pattern: &str, options: &Options<'_>) -> Option<Regex> {
    let source = match (options.has('F'), options.has('E')) {
        (true, _) => regex::escape(pattern),
        (false, true) => pattern.to_owned(),
        (false, false) => basic_to_extended(pattern),
    };
    let source = if options.has('x') { format!("^(?:{source})$") } else { source };
    RegexBuilder::new(&source).case_insensitive(options.has('i')).unicode(false).build().ok()
}

fn whole(invocation: &Invocation<'_>, file: &str, search: &mut Search<'_>) -> Result<(), String> {
    let bytes = read_file_or_stdin(invocation, file)?;
    let mut out = Vec::new();
    for line in super::head_tail::lines(&bytes) {
        if search.line(line, &mut out) == Then::Enough {
            break;
        }
    }
    search.end(&mut out);
    invocation.out(out);
    Ok(())
}

/// Searches stdin line by line, since it may go on for ever, until it ends, enough was found or nobody reads on.
fn follow(invocation: &Invocation<'_>, search: &mut Search<'_>) -> Result<(), String> {
    while let Some(line) = invocation.stdin.line().map_err(|error| error.to_string())? {
        let mut out = Vec::new();
        let then = search.line(&line, &mut out);
        if !out.is_empty() {
            invocation.out(out);
        }
        if then == Then::Enough || invocation.interrupt.raised() {
            break;
        }
    }
    let mut out = Vec::new();
    search.end(&mut out);
    invocation.out(out);
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Enough,
}

/// One file being searched.
struct Search<'a> {
    regex: &'a Regex,
    options: &'a Options<'a>,
    /// The file's name, where lines are to say it.
    name: Option<&'a str>,
    /// Lines found.
    count: usize,
    /// Lines looked at.
    at: usize,
    /// The last lines that were not printed, for `-B`.
    kept: VecDeque<Vec<u8>>,
    /// Lines of context still to be printed, for `-A`.
    left: usize,
    /// The last line printed.
    printed: usize,
}

impl<'a> Search<'a> {
    const fn new(regex: &'a Regex, options: &'a Options<'a>, name: Option<&'a str>) -> Self {
        Self { regex, options, name, count: 0, at: 0, kept: VecDeque::new(), left: 0, printed: 0 }
    }

    /// Takes a line and writes what it brings.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> Then {
        self.at += 1;
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        if self.hits(text).next().is_some() == self.options.has('v') {
            self.other(text, out);
            return Then::GoOn;
        }
        self.count += 1;
        if self.options.has('q') || self.options.has('l') {
            return Then::Enough;
        }
        if !self.options.has('c') {
            self.found(text, out);
        }
        if self.options.limit.is_some_and(|limit| self.count >= limit) { Then::Enough } else { Then::GoOn }
    }

    /// What is said at the end of a file.
    fn end(&self, out: &mut Vec<u8>) {
        if self.options.has('q') {
            return;
        }
        if self.options.has('l') {
            if self.count > 0 {
                out.extend_from_slice(format!("{}\n", self.name.unwrap_or("(standard input)")).as_bytes());
            }
        } else if self.options.has('c') {
            let name = self.name.map_or(String::new(), |name| format!("{name}:"));
            out.extend_from_slice(format!("{name}{}\n", self.count).as_bytes());
        }
    }

    /// Where the pattern is in a line; with `-w` only where words begin and end around it.
    fn hits<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> + use<'t, 'a> {
        let (regex, words) = (self.regex, self.options.has('w'));
        let mut from = 0;
        std::iter::from_fn(move || {
            while from <= text.len() {
                let hit = regex.find_at(text, from)?;
                let is_word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                let before = hit.start().checked_sub(1).and_then(|at| text.get(at));
                if words && (is_word(before) || is_word(text.get(hit.end()))) {
                    from = hit.start() + 1;
                    continue;
                }
                from = hit.end().max(hit.start() + 1);
                return Some(hit.as_bytes());
            }
            None
        })
    }

    fn found(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let first = self.at - self.kept.len();
        if self.context() && self.printed > 0 && first > self.printed + 1 {
            out.extend_from_slice(b"--\n");
        }
        for (at, line) in std::mem::take(&mut self.kept).into_iter().enumerate() {
            self.print(first + at, '-', &line, out);
        }
        if self.options.has('o') {
            if !self.options.has('v') {
                for hit in self.hits(text).filter(|hit| !hit.is_empty()) {
                    self.print(self.at, ':', hit, out);
                }
            }
        } else {
            self.print(self.at, ':', text, out);
        }
        self.printed = self.at;
        self.left = self.options.after;
    }

    /// A line that is not looked for: context, perhaps.
    fn other(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.left > 0 {
            self.left -= 1;
            self.print(self.at, '-', text, out);
            self.printed = self.at;
        } else if self.options.before > 0 {
            self.kept.push_back(text.to_vec());
            if self.kept.len() > self.options.before {
                self.kept.pop_front();
            }
        }
    }

    const fn context(&self) -> bool {
        self.options.after > 0 || self.options.before > 0
    }

    fn print(&self, at: usize, sign: char, text: &[u8], out: &mut Vec<u8>) {
        if let Some(name) = self.name {
            out.extend_from_slice(format!("{name}{sign}").as_bytes());
        }
        if self.options.has('n') {
            out.extend_from_slice(format!("{at}{sign}").as_bytes());
        }
        out.extend_from_slice(text);
        out.push(b'\n');
    }
}

fn parse<'a>(words: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options::default();
    let mut words = words.iter().copied();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            rest.extend(words.by_ref());
            break;
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            rest.push(word);
            continue;
        };
        for (at, letter) in letters.char_indices() {
            if "ivcqnoFEwxlhHs".contains(letter) {
                options.flags.push(letter);
                continue;
            }
            if !"emABC".contains(letter) {
                return Err(format!("Unknown option '{}' (see \"grep --help\")", &letters[at..]));
            }
            let joined = &letters[at + 1..];
            let value = if joined.is_empty() { words.next() } else { Some(joined) };
            let value = value.ok_or_else(|| format!("Missing argument to -{letter}"))?;
            set(&mut options, letter, value)?;
            break;
        }
    }
    let mut rest = rest.into_iter();
    if options.pattern.is_none() {
        options.pattern = rest.next();
    }
    options.files = rest.collect();
    Ok(options)
}

fn set<'a>(options: &mut Options<'a>, letter: char, value: &'a str) -> Result<(), String> {
    if letter == 'e' {
        options.pattern = Some(value);
        return Ok(());
    }
    let count = value.parse().map_err(|_| format!("bad number '{value}'"))?;
    match letter {
        'm' => options.limit = Some(count),
        'A' => options.after = count,
        'B' => options.before = count,
        _ => (options.after, options.before) = (count, count),
    }
    Ok(())
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
