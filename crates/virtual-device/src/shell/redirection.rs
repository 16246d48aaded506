//! Where a command's streams lead: `> file`, `< file`, `2>&1`.

use super::interpreter::{Exit, Shell};
use super::invocation::absolute;
use super::output::{Input, Output};
use super::syntax::{Redirect, RedirectKind, Stage};
use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};

/// A file being written, and what is to be written.
type OpenFile = (String, Arc<Mutex<Vec<u8>>>);

impl Shell<'_> {
    /// Runs a command with its redirections.
    pub(super) fn stage(&mut self, stage: &Stage) -> Exit {
        if stage.redirects.is_empty() {
            return self.command(&stage.command);
        }
        let streams = (self.stdin.clone(), self.stdout.clone(), self.stderr.clone());
        let mut files = Vec::new();
        let mut exit = match self.redirect(&stage.redirects, &mut files) {
            Ok(()) => self.command(&stage.command),
            Err(message) => {
                (self.stdin, self.stdout, self.stderr) = streams.clone();
                self.complain(&format!("/system/bin/sh: {message}\n"));
                Exit::FAILURE
            }
        };
        (self.stdin, self.stdout, self.stderr) = streams;
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

    fn redirect(&mut self, redirects: &[Redirect], files: &mut Vec<OpenFile>) -> Result<(), String> {
        for redirect in redirects {
            match redirect {
                Redirect::Duplicate { fd: 2, from: 1 } => self.stderr = self.stdout.clone(),
                Redirect::Duplicate { fd: 1, from: 2 } => self.stdout = self.stderr.clone(),
                Redirect::Duplicate { .. } => {}
                Redirect::File { fd, kind, path } => {
                    let word = self.text(path);
                    let path = absolute(&self.directory, &word);
                    if *kind == RedirectKind::Read {
                        self.stdin = self.open_input(&path)?;
                        continue;
                    }
                    let (output, file) = self.open_output(&path, *kind)?;
                    files.extend(file);
                    if *fd == 2 {
                        self.stderr = output;
                    } else {
                        self.stdout = output;
                    }
                }
            }
        }
        Ok(())
    }

    fn open_input(&self, path: &str) -> Result<Input, String> {
        let content = self.system.lock().files.read(path).map(<[u8]>::to_vec);
        content.map(|bytes| Input::new(Cursor::new(bytes))).map_err(|error| format!("can't open {path}: {error}"))
    }

    fn open_output(&self, path: &str, kind: RedirectKind) -> Result<(Output, Option<OpenFile>), String> {
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
}
