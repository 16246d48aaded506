//! Runs parsed scripts.

use super::builtins;
use super::commands;
use super::invocation::Invocation;
use super::output::{Input, Output, pipe};
use super::parser::parse;
use super::syntax::{Command, Condition, List, Negated, Part, Pipeline, Stage, SyntaxError, Until, Word};
use crate::system::{Interrupt, SharedSystem};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::{Arc, PoisonError};

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

/// Where a shell goes on after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// With the next command.
    On,
    /// After so many loops.
    Break(usize),
    /// At the next turn of the loop so many levels up.
    Continue(usize),
    /// After the function.
    Return,
    /// Nowhere.
    Exit,
}

/// Functions that call themselves end here, as a process without stack would.
const DEEPEST_CALL: usize = 40;

/// One `sh` process.
#[derive(Clone)]
pub struct Shell<'a> {
    pub(super) system: &'a SharedSystem,
    pub(super) stdin: Input,
    pub(super) stdout: Output,
    pub(super) stderr: Output,
    pub(super) tty: Option<Output>,
    pub(super) interrupt: &'a Interrupt,
    pub(super) directory: String,
    pub(super) variables: BTreeMap<String, String>,
    pub(super) positional: Vec<String>,
    pub(super) functions: BTreeMap<String, Arc<Stage>>,
    pub(super) status: Exit,
    pub(super) flow: Flow,
    /// Nested shells, functions and substitutions above this one.
    pub(super) depth: usize,
    /// The script is one simple command: mksh replaces itself by it, so nobody is left to print "Killed".
    replaced: bool,
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
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("HOME", "/"),
            ("HOSTNAME", device.as_str()),
            ("LOGNAME", "shell"),
            ("SHELL", "/system/bin/sh"),
            ("TERM", "dumb"),
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
            positional: Vec::new(),
            functions: BTreeMap::new(),
            status: Exit::SUCCESS,
            flow: Flow::On,
            depth: 0,
            replaced: false,
        }
    }

    /// `sh -c script`.
    pub fn run(&mut self, script: &str) -> Exit {
        match parse(script) {
            Ok(list) => self.run_alone(&list),
            Err(error) => self.refuse(&error),
        }
        self.status
    }

    fn refuse(&mut self, error: &SyntaxError) {
        self.complain(&format!("/system/bin/sh: {error}\n"));
        self.status = Exit::FAILURE;
    }

    /// Runs a whole script.
    fn run_alone(&mut self, list: &List) {
        self.replaced = matches!(
            list.as_slice(),
            [Pipeline { negated: Negated::No, stages, .. }]
                if matches!(stages.as_slice(), [Stage { command: Command::Simple(_), .. }])
        );
        self.list(list);
        self.replaced = false;
    }

    /// A script on stdin, line by line; `prompt` for a person at a terminal. A command of several lines runs when it is
    /// complete.
    pub fn run_lines(&mut self, prompt: Option<&str>) -> Exit {
        let mut pending = String::new();
        loop {
            let shown = if pending.is_empty() { prompt } else { prompt.map(|_| "> ") };
            if let Some(prompt) = shown
                && self.stdout.write(prompt.as_bytes()).is_err()
            {
                return Exit::Signal(1);
            }
            match self.stdin.line() {
                Ok(Some(line)) => {
                    pending.push_str(&String::from_utf8_lossy(&line));
                    match parse(&pending) {
                        // Incomplete: the next line may close it.
                        Err(SyntaxError::Quote) if pending.len() < 1 << 16 => continue,
                        Err(SyntaxError::Unexpected(what)) if what == "newline" && pending.len() < 1 << 16 => continue,
                        Ok(list) => self.list(&list),
                        Err(error) => self.refuse(&error),
                    }
                    pending.clear();
                }
                Ok(None) => {
                    if !pending.is_empty() {
                        self.run(&std::mem::take(&mut pending));
                    }
                    return self.status;
                }
                Err(error) => {
                    self.complain(&format!("/system/bin/sh: <stdin>: {error}\n"));
                    return Exit::FAILURE;
                }
            }
            if self.flow == Flow::Exit || self.interrupt.raised() {
                return self.status;
            }
            self.flow = Flow::On;
        }
    }

    /// Runs one program with its arguments as they are (`abb_exec:` has no shell).
    pub fn run_program(&mut self, args: Vec<String>) -> Exit {
        self.execute(args, &[])
    }

    pub(super) fn complain(&self, text: &str) {
        if self.stderr.write(text.as_bytes()).is_err() {
            self.interrupt.raise();
        }
    }

    /// Ends this shell with a failure, as mksh does after an error in an expansion.
    pub(super) fn abandon(&mut self) {
        self.status = Exit::FAILURE;
        self.flow = Flow::Exit;
    }

    fn stopped(&self) -> bool {
        self.flow != Flow::On || self.interrupt.raised()
    }

    pub(super) fn list(&mut self, list: &List) {
        for pipeline in list {
            let wanted = match pipeline.condition {
                Condition::Always => true,
                Condition::Success => self.status.code() == 0,
                Condition::Failure => self.status.code() != 0,
            };
            if !wanted {
                continue;
            }
            let exit = self.pipeline(pipeline);
            self.status = match pipeline.negated {
                Negated::No => exit,
                Negated::Yes if exit.code() == 0 => Exit::FAILURE,
                Negated::Yes => Exit::SUCCESS,
            };
            if self.stopped() {
                return;
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Exit {
        let Some((last, before)) = pipeline.stages.split_last() else { return Exit::SUCCESS };
        if before.is_empty() {
            return self.stage(last);
        }
        if before.iter().any(endless) {
            return self.concurrently(before, last);
        }
        // Stages that end run one after the other.
        let mut stdin = self.stdin.clone();
        for stage in before {
            let (stdout, buffer) = Output::buffer();
            let mut shell = Shell { stdin, stdout, ..self.clone() };
            shell.stage(stage);
            let bytes = std::mem::take(&mut *buffer.lock().unwrap_or_else(PoisonError::into_inner));
            stdin = Input::new(Cursor::new(bytes));
        }
        // mksh runs the last stage in the shell itself: `… | read x` sets x.
        let outer = std::mem::replace(&mut self.stdin, stdin);
        let exit = self.stage(last);
        self.stdin = outer;
        exit
    }

    /// `logcat | grep x`: every stage has a thread, and one whose reader is gone ends.
    fn concurrently(&mut self, before: &[Stage], last: &Stage) -> Exit {
        std::thread::scope(|scope| {
            let mut stdin = self.stdin.clone();
            let mut interrupts = Vec::new();
            for stage in before {
                let (stdout, reader) = pipe();
                let interrupt = self.interrupt.child();
                let shell = Shell { stdin, stdout, ..self.clone() };
                let own = interrupt.clone();
                scope.spawn(move || {
                    let mut shell = Shell { interrupt: &own, ..shell };
                    shell.stage(stage);
                });
                interrupts.push(interrupt);
                stdin = reader;
            }
            let mut shell = Shell { stdin, ..self.clone() };
            let exit = shell.stage(last);
            // SIGPIPE at the next write, which for a quiet log might never come.
            drop(shell);
            for interrupt in interrupts {
                interrupt.raise();
            }
            exit
        })
    }

    pub(super) fn command(&mut self, command: &Command) -> Exit {
        match command {
            Command::Simple(words) => self.simple(words),
            Command::Group(body) => {
                self.list(body);
                self.status
            }
            Command::Subshell(body) => {
                let mut shell = Shell { depth: self.depth + 1, replaced: false, ..self.clone() };
                shell.list(body);
                shell.status
            }
            Command::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.list(condition);
                    if self.stopped() {
                        return self.status;
                    }
                    if self.status.code() == 0 {
                        self.list(body);
                        return self.status;
                    }
                }
                self.status = Exit::SUCCESS;
                self.list(otherwise);
                self.status
            }
            Command::Loop { condition, until, body } => self.repeat(condition, *until, body),
            Command::For { name, words, body } => {
                let values = match words {
                    Some(words) => words.iter().flat_map(|word| self.arguments(word)).collect(),
                    None => self.positional.clone(),
                };
                let mut exit = Exit::SUCCESS;
                for value in values {
                    self.variables.insert(name.clone(), value);
                    self.list(body);
                    exit = self.status;
                    if self.leaves_loop() {
                        break;
                    }
                }
                exit
            }
            Command::Case { word, arms } => {
                let text = self.text(word);
                for (patterns, body) in arms {
                    let found = patterns.iter().any(|pattern| self.pattern(pattern).matches(&text));
                    if found {
                        self.status = Exit::SUCCESS;
                        self.list(body);
                        return self.status;
                    }
                }
                Exit::SUCCESS
            }
            Command::Function { name, body } => {
                self.functions.insert(name.clone(), Arc::clone(body));
                Exit::SUCCESS
            }
        }
    }

    fn repeat(&mut self, condition: &List, until: Until, body: &List) -> Exit {
        let mut exit = Exit::SUCCESS;
        loop {
            self.list(condition);
            if self.stopped() {
                return self.status;
            }
            if (self.status.code() == 0) == (until == Until::Success) {
                return exit;
            }
            self.list(body);
            exit = self.status;
            if self.leaves_loop() {
                return exit;
            }
        }
    }

    /// Whether the loop around the commands just run ends; takes its level off `break` and `continue`.
    fn leaves_loop(&mut self) -> bool {
        let (flow, leaves) = match self.flow {
            Flow::Break(levels) if levels > 1 => (Flow::Break(levels - 1), true),
            Flow::Break(_) => (Flow::On, true),
            Flow::Continue(levels) if levels > 1 => (Flow::Continue(levels - 1), true),
            Flow::On | Flow::Continue(_) => (Flow::On, false),
            Flow::Return | Flow::Exit => return true,
        };
        self.flow = flow;
        leaves || self.interrupt.raised()
    }

    fn simple(&mut self, words: &[Word]) -> Exit {
        let count = words.iter().take_while(|word| assigned(word).is_some()).count();
        let (assignments, words) = words.split_at(count);
        let mut values = Vec::new();
        // `X=$(false)` has the status of the substitution.
        let before = std::mem::replace(&mut self.status, Exit::SUCCESS);
        let substitutes = assignments.iter().flatten().any(|part| matches!(part, Part::Substitution { .. }));
        if !substitutes {
            self.status = before;
        }
        for word in assignments {
            if let Some((name, rest)) = assigned(word) {
                values.push((name, self.text(&rest)));
            }
        }
        let after_values = self.status;
        let mut args: Vec<String> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            // `export X=a b` and `local` keep an assignment's value in one piece.
            let declares = at > 0 && args.first().is_some_and(|name| matches!(name.as_str(), "export" | "local"));
            match assigned(word).filter(|_| declares) {
                Some((name, rest)) => args.push(format!("{name}={}", self.text(&rest))),
                None => args.extend(self.arguments(word)),
            }
        }
        if self.flow == Flow::Exit {
            return self.status;
        }
        if args.is_empty() {
            self.variables.extend(values);
            return if substitutes { after_values } else { Exit::SUCCESS };
        }
        let exit = self.execute(args, &values);
        if exit == Exit::Signal(9) && !self.replaced {
            self.complain("Killed \n");
        }
        exit
    }

    /// Runs a program, builtin or function. No program here reads its environment, so `values` matter to a nested shell
    /// only.
    pub(super) fn execute(&mut self, args: Vec<String>, values: &[(String, String)]) -> Exit {
        let Some(name) = args.first().cloned() else { return Exit::SUCCESS };
        if let Some(body) = self.functions.get(&name).cloned() {
            return self.call(&body, args);
        }
        let invocation = Invocation {
            system: self.system,
            args,
            stdin: self.stdin.clone(),
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            tty: self.tty.clone(),
            interrupt: self.interrupt,
            directory: self.directory.clone(),
        };
        match name.as_str() {
            "sh" | "/system/bin/sh" => self.nested(&invocation, values),
            _ => match builtins::run(self, &invocation) {
                Some(exit) => exit,
                None => commands::run(&invocation),
            },
        }
    }

    fn call(&mut self, body: &Stage, args: Vec<String>) -> Exit {
        if self.depth >= DEEPEST_CALL {
            self.complain("/system/bin/sh: function nested too deeply\n");
            self.abandon();
            return self.status;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.positional, args.into_iter().skip(1).collect());
        self.status = self.stage(body);
        self.positional = outer;
        self.depth -= 1;
        if self.flow == Flow::Return {
            self.flow = Flow::On;
        }
        self.status
    }

    /// What `$(script)` prints, less final newlines.
    pub(super) fn substitute(&mut self, script: &List) -> String {
        let (stdout, buffer) = Output::buffer();
        let mut shell = Shell { stdout, depth: self.depth + 1, flow: Flow::On, ..self.clone() };
        if shell.depth < DEEPEST_CALL {
            shell.run_alone(script);
            self.status = shell.status;
        } else {
            self.complain("/system/bin/sh: nested too deeply\n");
            self.abandon();
        }
        let bytes = std::mem::take(&mut *buffer.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned()
    }

    fn nested(&mut self, invocation: &Invocation<'_>, values: &[(String, String)]) -> Exit {
        if self.depth >= DEEPEST_CALL {
            self.complain("/system/bin/sh: nested too deeply\n");
            return Exit::FAILURE;
        }
        let mut shell = Shell {
            functions: BTreeMap::new(),
            positional: Vec::new(),
            status: Exit::SUCCESS,
            flow: Flow::On,
            depth: self.depth + 1,
            replaced: false,
            ..self.clone()
        };
        shell.variables.extend(values.iter().cloned());
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        match invocation.rest().as_slice() {
            ["-c", script, rest @ ..] => {
                shell.positional = owned(rest.get(1..).unwrap_or_default());
                shell.run(script)
            }
            [] | ["-s" | "-"] => shell.run_lines(None),
            [file, rest @ ..] => {
                let script = self.system.lock().files.read(&invocation.path(file)).map(<[u8]>::to_vec);
                match script {
                    Ok(script) => {
                        shell.positional = owned(rest);
                        shell.run(&String::from_utf8_lossy(&script))
                    }
                    Err(error) => {
                        invocation.err(format!("/system/bin/sh: can't open '{file}': {error}\n"));
                        Exit::Code(127)
                    }
                }
            }
        }
    }
}

/// Whether a stage may print for ever, so that what follows must run beside it.
fn endless(stage: &Stage) -> bool {
    match &stage.command {
        Command::Simple(words) => {
            let plain = |word: &Word| match word.as_slice() {
                [Part::Text { text, .. }] => text.clone(),
                _ => String::new(),
            };
            let words: Vec<String> = words.iter().map(plain).collect();
            let ending = ["-d", "-c", "-g", "-t", "-S", "--clear", "--help"];
            match words.first().map(String::as_str) {
                Some("logcat") => !words.iter().any(|word| ending.iter().any(|option| word.starts_with(option))),
                Some("yes") => true,
                Some("getevent") => !words.iter().any(|word| word.starts_with('-') && word.contains(['p', 'i', 'c'])),
                Some("top") => !words.iter().any(|word| word.starts_with("-n") || word.starts_with("-b")),
                _ => false,
            }
        }
        Command::Loop { .. } => true,
        _ => false,
    }
}

/// The name and the value's word of an assignment.
fn assigned(word: &Word) -> Option<(String, Word)> {
    let Some(Part::Text { text, quoted: false }) = word.first() else { return None };
    let (name, value) = text.split_once('=')?;
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !begins || !chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut rest = word.clone();
    rest[0] = Part::Text { text: value.to_owned(), quoted: false };
    Some((name.to_owned(), rest))
}
