//! Runs parsed scripts.

use super::commands;
use super::invocation::{Invocation, absolute};
use super::lexer::{Part, RedirectKind, Word};
use super::output::{Input, Output};
use super::parser::{Condition, Pipeline, Redirect, SimpleCommand, parse};
use crate::virtual_device::system::{Interrupt, SharedSystem};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::PoisonError;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// `exit(n)`.
    Code(u8),
    /// Killed by a signal (9 is SIGKILL, 13 SIGPIPE).
    Signal(u8),
}

impl Exit {
    /// 0.
    pub const SUCCESS: Self = Self::Code(0);
    /// 1.
    pub const FAILURE: Self = Self::Code(1);

    /// As `$?` and the shell protocol's exit packet show it.
    pub const fn code(self) -> u8 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

/// One `sh` process.
pub struct Shell<'a> {
    system: &'a SharedSystem,
    stdin: Input,
    stdout: Output,
    stderr: Output,
    tty: Option<Output>,
    interrupt: &'a Interrupt,
    directory: String,
    variables: BTreeMap<String, String>,
    status: Exit,
    /// `exit` was run.
    ended: bool,
}

impl<'a> Shell<'a> {
    /// A shell with adbd's environment (`shell_service.cpp`).
    pub fn new(
        system: &'a SharedSystem,
        stdin: Input,
        stdout: Output,
        stderr: Output,
        tty: Option<Output>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let device = system.lock().properties.get("ro.product.device").to_owned();
        let variables = [
            ("HOME", "/"),
            ("HOSTNAME", device.as_str()),
            ("LOGNAME", "shell"),
            ("SHELL", "/system/bin/sh"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
            ("PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin"),
            ("EXTERNAL_STORAGE", "/sdcard"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let directory = "/".to_owned();
        Self {
            system,
            stdin,
            stdout,
            stderr,
            tty,
            interrupt,
            directory,
            variables,
            status: Exit::SUCCESS,
            ended: false,
        }
    }

    /// `sh -c script`.
    pub fn run(&mut self, script: &str) -> Exit {
        let pipelines = match parse(script) {
            Ok(pipelines) => pipelines,
            Err(error) => {
                self.complain(&format!("/system/bin/sh: {error}\n"));
                self.status = Exit::FAILURE;
                return self.status;
            }
        };
        // mksh replaces itself by a single command, so nobody is left to print "Killed".
        let alone = pipelines.len() == 1 && pipelines[0].stages.len() == 1;
        for pipeline in pipelines {
            let wanted = match pipeline.condition {
                Condition::Always => true,
                Condition::Success => self.status.code() == 0,
                Condition::Failure => self.status.code() != 0,
            };
            if !wanted {
                continue;
            }
            self.status = self.pipeline(&pipeline);
            if self.status == Exit::Signal(9) && !alone {
                self.complain("Killed \n");
            }
            if self.ended || self.interrupt.raised() {
                break;
            }
        }
        self.status
    }

    /// A script on stdin, line by line; `prompt` for a person at a terminal.
    pub fn run_lines(&mut self, prompt: Option<&str>) -> Exit {
        loop {
            if let Some(prompt) = prompt
                && self.stdout.write(prompt.as_bytes()).is_err()
            {
                return Exit::Signal(1);
            }
            match self.stdin.line() {
                Ok(Some(line)) => {
                    self.run(&String::from_utf8_lossy(&line));
                }
                Ok(None) => return self.status,
                Err(error) => {
                    self.complain(&format!("/system/bin/sh: <stdin>: {error}\n"));
                    return Exit::FAILURE;
                }
            }
            if self.ended || self.interrupt.raised() {
                return self.status;
            }
        }
    }

    /// Runs one program with its arguments as they are (`abb_exec:` has no shell).
    pub fn run_program(&mut self, args: Vec<String>) -> Exit {
        self.execute(args, self.stdin.clone(), self.stdout.clone(), self.stderr.clone())
    }

    fn complain(&self, text: &str) {
        if self.stderr.write(text.as_bytes()).is_err() {
            self.interrupt.raise();
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Exit {
        let mut stdin = self.stdin.clone();
        let mut exit = Exit::SUCCESS;
        for (at, stage) in pipeline.stages.iter().enumerate() {
            if at + 1 == pipeline.stages.len() {
                exit = self.simple(stage, stdin, self.stdout.clone());
                break;
            }
            // Stages run one after the other; none of the commands produces without end.
            let (stdout, buffer) = Output::buffer();
            self.simple(stage, stdin, stdout);
            let bytes = std::mem::take(&mut *buffer.lock().unwrap_or_else(PoisonError::into_inner));
            stdin = Input::new(Cursor::new(bytes));
        }
        exit
    }

    fn simple(&mut self, command: &SimpleCommand, mut stdin: Input, mut stdout: Output) -> Exit {
        let mut stderr = self.stderr.clone();
        let mut files = Vec::new();
        for redirect in &command.redirects {
            match redirect {
                Redirect::Duplicate { fd: 2, from: 1 } => stderr = stdout.clone(),
                Redirect::Duplicate { fd: 1, from: 2 } => stdout = stderr.clone(),
                Redirect::Duplicate { .. } => {}
                Redirect::File { fd, kind, path } => {
                    let path = absolute(&self.directory, &self.expand(path).join(" "));
                    let opened = match kind {
                        RedirectKind::Read => self.open_input(&path).map(|input| stdin = input),
                        RedirectKind::Write | RedirectKind::Append => {
                            self.open_output(&path, *kind).map(|(out, file)| {
                                files.extend(file);
                                if *fd == 2 {
                                    stderr = out;
                                } else {
                                    stdout = out;
                                }
                            })
                        }
                    };
                    if let Err(message) = opened {
                        self.complain(&format!("/system/bin/sh: {message}\n"));
                        return Exit::FAILURE;
                    }
                }
            }
        }
        let args: Vec<String> = command.words.iter().flat_map(|word| self.expand(word)).collect();
        let mut exit = self.execute(args, stdin, stdout, stderr);
        for (path, buffer) in files {
            let bytes = std::mem::take(&mut *buffer.lock().unwrap_or_else(PoisonError::into_inner));
            let written = self.system.lock().files.append(&path, &bytes);
            if let Err(error) = written {
                self.complain(&format!("/system/bin/sh: {path}: {error}\n"));
                exit = Exit::FAILURE;
            }
        }
        exit
    }

    fn open_input(&self, path: &str) -> Result<Input, String> {
        if path == "/dev/null" {
            return Ok(Input::empty());
        }
        let content = self.system.lock().files.read(path).map(<[u8]>::to_vec);
        content.map(|bytes| Input::new(Cursor::new(bytes))).map_err(|error| format!("can't open {path}: {error}"))
    }

    #[expect(clippy::type_complexity, reason = "an output, and the buffer behind it when it is a file")]
    fn open_output(
        &self,
        path: &str,
        kind: RedirectKind,
    ) -> Result<(Output, Option<(String, std::sync::Arc<std::sync::Mutex<Vec<u8>>>)>), String> {
        match path {
            "/dev/null" => return Ok((Output::null(), None)),
            "/dev/tty" => {
                let tty = self.tty.clone();
                return tty
                    .map(|tty| (tty, None))
                    .ok_or_else(|| format!("can't create {path}: No such device or address"));
            }
            _ => {}
        }
        let mut system = self.system.lock();
        let opened = match kind {
            RedirectKind::Append => system.files.append(path, &[]),
            RedirectKind::Write | RedirectKind::Read => system.files.write(path, Vec::new(), 0o644),
        };
        drop(system);
        opened.map_err(|error| format!("can't create {path}: {error}"))?;
        let (output, buffer) = Output::buffer();
        Ok((output, Some((path.to_owned(), buffer))))
    }

    fn execute(&mut self, mut args: Vec<String>, stdin: Input, stdout: Output, stderr: Output) -> Exit {
        while let Some((name, value)) = args.first().and_then(|word| assignment(word)) {
            // `X=1 command` sets it for the command only; no command here reads its environment.
            if args.len() == 1 {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
            args.remove(0);
        }
        let Some(name) = args.first().cloned() else { return Exit::SUCCESS };
        let invocation = Invocation {
            system: self.system,
            args,
            stdin,
            stdout,
            stderr,
            tty: self.tty.clone(),
            interrupt: self.interrupt,
            directory: self.directory.clone(),
        };
        match name.as_str() {
            "exit" => {
                self.ended = true;
                invocation.args.get(1).map_or(self.status, |code| code.parse().map_or(Exit::FAILURE, Exit::Code))
            }
            "cd" => self.change_directory(&invocation),
            "export" => {
                for word in invocation.rest() {
                    if let Some((name, value)) = assignment(word) {
                        self.variables.insert(name.to_owned(), value.to_owned());
                    }
                }
                Exit::SUCCESS
            }
            // `set -e` and friends change nothing the supported syntax can show.
            ":" | "set" => Exit::SUCCESS,
            "sh" | "/system/bin/sh" => self.nested(&invocation),
            "exec" | "command" if invocation.args.len() > 1 => {
                let rest = invocation.args[1..].to_vec();
                self.execute(rest, invocation.stdin, invocation.stdout, invocation.stderr)
            }
            _ => commands::run(&invocation),
        }
    }

    fn nested(&self, invocation: &Invocation<'_>) -> Exit {
        let mut shell = Shell {
            system: self.system,
            stdin: invocation.stdin.clone(),
            stdout: invocation.stdout.clone(),
            stderr: invocation.stderr.clone(),
            tty: self.tty.clone(),
            interrupt: self.interrupt,
            directory: self.directory.clone(),
            variables: self.variables.clone(),
            status: Exit::SUCCESS,
            ended: false,
        };
        match invocation.rest().as_slice() {
            ["-c", script, ..] => shell.run(script),
            [] | ["-s" | "-"] => shell.run_lines(None),
            [file, ..] => {
                let script = self.system.lock().files.read(&invocation.path(file)).map(<[u8]>::to_vec);
                match script {
                    Ok(script) => shell.run(&String::from_utf8_lossy(&script)),
                    Err(error) => {
                        invocation.err(format!("/system/bin/sh: can't open '{file}': {error}\n"));
                        Exit::Code(127)
                    }
                }
            }
        }
    }

    fn change_directory(&mut self, invocation: &Invocation<'_>) -> Exit {
        let wanted = invocation.args.get(1).map_or("/", String::as_str);
        let path = invocation.path(wanted);
        let found = self.system.lock().files.stat(&path);
        match found {
            Ok(stat) if stat.is_directory() => {
                self.directory = path;
                Exit::SUCCESS
            }
            Ok(_) => {
                invocation.err(format!("/system/bin/sh: cd: {wanted}: Not a directory\n"));
                Exit::Code(2)
            }
            Err(error) => {
                invocation.err(format!("/system/bin/sh: cd: {wanted}: {error}\n"));
                Exit::Code(2)
            }
        }
    }

    /// Expands variables, splits unquoted ones, and matches unquoted patterns against files (a pattern that matches
    /// nothing stays as it is).
    fn expand(&self, word: &Word) -> Vec<String> {
        let mut fields = vec![Field::default()];
        for part in word {
            match part {
                Part::Text { text, quoted } => {
                    if let Some(field) = fields.last_mut() {
                        field.push(text, *quoted);
                    }
                }
                Part::Variable { name, quoted: true } => {
                    if let Some(field) = fields.last_mut() {
                        field.push(&self.value(name), true);
                    }
                }
                Part::Variable { name, quoted: false } => {
                    for (at, piece) in self.value(name).split_whitespace().enumerate() {
                        if at > 0 {
                            fields.push(Field::default());
                        }
                        if let Some(field) = fields.last_mut() {
                            field.push(piece, false);
                        }
                    }
                }
            }
        }
        fields.into_iter().filter(|field| field.exists).flat_map(|field| self.glob(field)).collect()
    }

    fn value(&self, name: &str) -> String {
        if name == "?" { self.status.code().to_string() } else { self.variables.get(name).cloned().unwrap_or_default() }
    }

    fn glob(&self, field: Field) -> Vec<String> {
        let (directory, pattern) = field.pattern.rsplit_once('/').map_or(("", field.pattern.as_str()), |(d, p)| (d, p));
        // Only the last component is matched; that is what people write (`rm /sdcard/x*.xml`).
        if !field.magic || directory.contains(['*', '?']) {
            return vec![field.text];
        }
        let Ok(pattern) = regex::Regex::new(&pattern_regex(pattern)) else { return vec![field.text] };
        let prefix = field.text.rfind('/').map_or("", |at| &field.text[..=at]);
        let listed = self.system.lock().files.list(&absolute(&self.directory, prefix));
        let Ok(entries) = listed else { return vec![field.text] };
        let found: Vec<String> = entries
            .into_iter()
            .filter(|(name, _)| !name.starts_with('.') && pattern.is_match(name))
            .map(|(name, _)| format!("{prefix}{name}"))
            .collect();
        if found.is_empty() { vec![field.text] } else { found }
    }
}

/// A word after expansion; `pattern` is the text with quoted characters escaped.
#[derive(Default)]
struct Field {
    text: String,
    pattern: String,
    magic: bool,
    exists: bool,
}

impl Field {
    fn push(&mut self, text: &str, quoted: bool) {
        self.exists = true;
        self.text.push_str(text);
        for c in text.chars() {
            if quoted && matches!(c, '*' | '?' | '\\') {
                self.pattern.push('\\');
            }
            self.magic |= !quoted && matches!(c, '*' | '?');
            self.pattern.push(c);
        }
    }
}

fn pattern_regex(pattern: &str) -> String {
    let mut regex = String::from("^");
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '\\' => regex.push_str(&regex::escape(&chars.next().map_or(String::new(), String::from))),
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
    }
    regex.push('$');
    regex
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    (begins && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some((name, value))
}
