//! `sed` (`-n -e -i -E`; addresses, `s///gpiN`, `p`, `d`, `q`, `=`).

use super::cat::read_file_or_stdin;
use super::grep::basic_to_extended;
use super::head_tail::lines;
use super::options::{Options, needs};
use super::{Exit, Invocation};
use regex::bytes::{Regex, RegexBuilder};

enum Address {
    Line(usize),
    Last,
    Match(Regex),
}

enum Action {
    Substitute { regex: Regex, with: Vec<u8>, global: Times, print: Print },
    Print,
    Delete,
    Quit,
    Number,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    All,
    Nth(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    Yes,
    No,
}

struct Command {
    from: Option<Address>,
    to: Option<Address>,
    negated: bool,
    inside: bool,
    action: Action,
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "ne:iEr") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mut files = options.operands.clone();
    let mut scripts: Vec<&str> = options.values('e').collect();
    if scripts.is_empty() {
        if files.is_empty() {
            return needs(invocation, 1);
        }
        scripts.push(files.remove(0));
    }
    let extended = options.has('E') || options.has('r');
    let mut commands = match Script::parse(&scripts.join("\n"), extended) {
        Ok(commands) => commands,
        Err(message) => {
            invocation.err(format!("sed: {message}\n"));
            return Exit::FAILURE;
        }
    };
    let files = if files.is_empty() { vec!["-"] } else { files };
    let mut exit = Exit::SUCCESS;
    for file in files {
        let bytes = match read_file_or_stdin(invocation, file) {
            Ok(bytes) => bytes,
            Err(reason) => {
                invocation.err(format!("sed: {file}: {reason}\n"));
                exit = Exit::FAILURE;
                continue;
            }
        };
        let out = edit(&mut commands, &bytes, if options.has('n') { Print::No } else { Print::Yes });
        if !options.has('i') {
            invocation.out(out);
            continue;
        }
        let written = invocation.system.lock().files.write(&invocation.path(file), out, 0o644);
        if let Err(error) = written {
            invocation.err(format!("sed: {file}: {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}

fn edit(commands: &mut [Command], bytes: &[u8], automatic: Print) -> Vec<u8> {
    let all: Vec<&[u8]> = lines(bytes).collect();
    let mut out = Vec::new();
    'lines: for (at, line) in all.iter().enumerate() {
        let ending: &[u8] = if line.ends_with(b"\n") { b"\n" } else { b"" };
        let mut text = line.strip_suffix(b"\n").unwrap_or(line).to_vec();
        let mut quit = false;
        for command in commands.iter_mut() {
            if command.selects(at + 1, at + 1 == all.len(), &text) == command.negated {
                continue;
            }
            match &command.action {
                Action::Print => out.extend([text.as_slice(), b"\n"].concat()),
                Action::Number => out.extend(format!("{}\n", at + 1).into_bytes()),
                Action::Delete => continue 'lines,
                Action::Quit => {
                    quit = true;
                    break;
                }
                Action::Substitute { regex, with, global, print } => {
                    let changed = substitute(regex, with, *global, &text);
                    if let Some(changed) = changed {
                        text = changed;
                        if *print == Print::Yes {
                            out.extend([text.as_slice(), b"\n"].concat());
                        }
                    }
                }
            }
        }
        if automatic == Print::Yes {
            out.extend([text.as_slice(), ending].concat());
        }
        if quit {
            break;
        }
    }
    out
}

/// The text with its matches replaced; `None` when nothing matched.
fn substitute(regex: &Regex, with: &[u8], times: Times, text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut copied = 0;
    let mut changed = false;
    for (at, found) in regex.captures_iter(text).enumerate() {
        let Some(whole) = found.get(0) else { continue };
        match times {
            Times::Nth(wanted) if at + 1 < wanted => continue,
            Times::Nth(wanted) if at + 1 > wanted => break,
            _ => {}
        }
        changed = true;
        out.extend_from_slice(&text[copied..whole.start()]);
        found.expand(with, &mut out);
        copied = whole.end();
    }
    out.extend_from_slice(&text[copied..]);
    changed.then_some(out)
}

impl Command {
    fn selects(&mut self, line: usize, last: bool, text: &[u8]) -> bool {
        let hits = |address: &Address| match address {
            Address::Line(wanted) => line == *wanted,
            Address::Last => last,
            Address::Match(regex) => regex.is_match(text),
        };
        let Some(from) = &self.from else { return true };
        let Some(to) = &self.to else { return hits(from) };
        if self.inside {
            self.inside = !hits(to);
            return true;
        }
        let begins = hits(from);
        // A range whose end lies before its beginning is one line.
        self.inside = begins && !matches!(to, Address::Line(end) if *end <= line);
        begins
    }
}

struct Script<'a> {
    rest: &'a str,
    extended: bool,
}

impl Script<'_> {
    fn parse(text: &str, extended: bool) -> Result<Vec<Command>, String> {
        let mut script = Script { rest: text, extended };
        let mut commands = Vec::new();
        loop {
            script.rest = script.rest.trim_start_matches([' ', '\t', '\n', ';']);
            if script.rest.is_empty() {
                return Ok(commands);
            }
            commands.push(script.command()?);
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn regex(&self, pattern: &str, ignore_case: bool) -> Result<Regex, String> {
        let source = if self.extended { pattern.to_owned() } else { basic_to_extended(pattern) };
        let built = RegexBuilder::new(&source).case_insensitive(ignore_case).unicode(false).build();
        built.map_err(|_| format!("bad regex '{pattern}'"))
    }

    /// Text up to an unescaped `end`, which is taken as well; an escaped `end` loses its backslash.
    fn until(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                _ if c == end => return Ok(text),
                '\\' => match self.next() {
                    Some(escaped) if escaped == end => text.push(escaped),
                    Some(escaped) => text.extend(['\\', escaped]),
                    None => text.push('\\'),
                },
                c => text.push(c),
            }
        }
        Err(format!("no closing '{end}'"))
    }

    fn address(&mut self) -> Result<Option<Address>, String> {
        match self.rest.chars().next() {
            Some('$') => {
                self.next();
                Ok(Some(Address::Last))
            }
            Some('/') => {
                self.next();
                let pattern = self.until('/')?;
                self.regex(&pattern, false).map(|regex| Some(Address::Match(regex)))
            }
            Some(c) if c.is_ascii_digit() => {
                let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
                let number = self.rest[..end].parse().map_err(|_| "bad line number".to_owned())?;
                self.rest = &self.rest[end..];
                Ok(Some(Address::Line(number)))
            }
            _ => Ok(None),
        }
    }

    fn command(&mut self) -> Result<Command, String> {
        let from = self.address()?;
        let mut to = None;
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest;
            to = self.address()?;
        }
        self.rest = self.rest.trim_start();
        let negated = self.rest.starts_with('!');
        self.rest = self.rest.trim_start_matches('!').trim_start();
        let action = match self.next() {
            Some('p') => Action::Print,
            Some('d') => Action::Delete,
            Some('q') => Action::Quit,
            Some('=') => Action::Number,
            Some('s') => self.substitution()?,
            other => return Err(format!("unknown command '{}'", other.map_or(String::new(), String::from))),
        };
        Ok(Command { from, to, negated, inside: false, action })
    }

    fn substitution(&mut self) -> Result<Action, String> {
        let end = self.next().ok_or("s needs a separator")?;
        let pattern = self.until(end)?;
        let replacement = self.until(end)?;
        let (mut times, mut print, mut ignore_case) = (Times::Nth(1), Print::No, false);
        loop {
            match self.rest.chars().next() {
                Some('g') => times = Times::All,
                Some('p') => print = Print::Yes,
                Some('i' | 'I') => ignore_case = true,
                Some(c) if c.is_ascii_digit() => times = Times::Nth(c.to_digit(10).unwrap_or(1) as usize),
                Some(c) if !c.is_whitespace() && !";}".contains(c) => return Err(format!("bad s flag '{c}'")),
                _ => break,
            }
            self.next();
        }
        let regex = self.regex(&pattern, ignore_case)?;
        Ok(Action::Substitute { regex, with: template(&replacement), global: times, print })
    }
}

/// sed's `&` and `\1` as the regex crate's `${0}` and `${1}`.
fn template(replacement: &str) -> Vec<u8> {
    let mut out = String::new();
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("${0}"),
            '$' => out.push_str("$$"),
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('$') => out.push_str("$$"),
                Some(digit @ '0'..='9') => out.push_str(&format!("${{{digit}}}")),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out.into_bytes()
}
