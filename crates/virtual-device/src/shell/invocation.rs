//! One running command: its arguments, streams and device.

use super::output::{Input, Output};
use crate::system::{Interrupt, SharedSystem};

/// What a command gets to work with.
pub struct Invocation<'a> {
    /// The device.
    pub system: &'a SharedSystem,
    /// The arguments, the command's name first.
    pub args: Vec<String>,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// The controlling terminal, where there is one (`shell:` and `exec:` have a PTY, `shell,v2,raw:` has none).
    pub tty: Option<Output>,
    /// Raised when the adb stream goes.
    pub interrupt: &'a Interrupt,
    /// Working directory.
    pub directory: String,
}

impl Invocation<'_> {
    /// The arguments after the name.
    pub(super) fn rest(&self) -> Vec<&str> {
        self.args.iter().skip(1).map(String::as_str).collect()
    }

    /// Writes to stdout. A reader that is gone is a broken pipe: the process ends by SIGPIPE, quietly.
    pub(super) fn out(&self, text: impl AsRef<[u8]>) {
        if self.stdout.write(text.as_ref()).is_err() {
            self.interrupt.raise();
        }
    }

    /// Writes to stderr.
    pub(super) fn err(&self, text: impl AsRef<[u8]>) {
        if self.stderr.write(text.as_ref()).is_err() {
            self.interrupt.raise();
        }
    }

    /// An absolute path.
    pub(super) fn path(&self, path: &str) -> String {
        absolute(&self.directory, path)
    }

    /// The same process with other arguments (`cmd package …` is `pm …`).
    pub(super) fn with_args(&self, args: Vec<String>) -> Invocation<'_> {
        Invocation {
            system: self.system,
            args,
            stdin: self.stdin.clone(),
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            tty: self.tty.clone(),
            interrupt: self.interrupt,
            directory: self.directory.clone(),
        }
    }
}

/// `path` seen from `directory`.
pub(super) fn absolute(directory: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", directory.trim_end_matches('/')) }
}
