//! The shell of a virtual device within this process, without adb.

use crate::virtual_device::shell::{Input, Output, Shell};
use crate::virtual_device::system::{Interrupt, SharedSystem};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a shell's output is kept.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl io::Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Said {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a shell line came to.
pub(super) struct Answer {
    /// Its exit code.
    pub exit: i32,
    /// What it wrote to stdout.
    pub stdout: Vec<u8>,
    /// What it wrote to stderr.
    pub stderr: Vec<u8>,
    /// What it wrote to `/dev/tty`.
    pub terminal: Vec<u8>,
}

impl Answer {
    /// Stdout as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Stderr in one line.
    pub(super) fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.stderr).trim().to_owned()
    }
}

/// Runs a line on the device.
pub(super) fn run(system: &SharedSystem, line: &str) -> Answer {
    let (said, complained, terminal) = (Said::default(), Said::default(), Said::default());
    let interrupt = Interrupt::default();
    let mut shell = Shell::new(
        system,
        Input::empty(),
        Output::new(said.clone()),
        Output::new(complained.clone()),
        Some(Output::new(terminal.clone())),
        &interrupt,
    );
    let exit = shell.run(line).code();
    Answer { exit: exit.into(), stdout: said.take(), stderr: complained.take(), terminal: terminal.take() }
}
