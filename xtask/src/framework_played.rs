//! A framework device behind `tapwright emulate`, and the program `tapwright` at work on it.

use crate::failure::Failure;
use crate::framework_link::{Connection, failed, ready};
use crate::runtime;
use crate::workspace::Workspace;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// What a device is made of, and the program that plays with it.
pub(crate) struct Play<'a> {
    workspace: &'a Workspace,
    /// The JVM.
    device: &'a mut Command,
    /// The file that it writes.
    socket: &'a Path,
    tapwright: &'a Path,
    /// The workspace of the cases; made anew.
    folder: PathBuf,
}

impl<'a> Play<'a> {
    /// The cases lie beside the socket's file.
    pub(crate) fn new(
        workspace: &'a Workspace,
        device: &'a mut Command,
        socket: &'a Path,
        tapwright: &'a Path,
    ) -> Self {
        Self { workspace, device, socket, tapwright, folder: socket.with_extension("cases") }
    }

    /// Starts JVM and device, does `work` with them, and ends both, however it went.
    pub(crate) fn with<T>(self, work: impl FnOnce(&Player<'_>, Table) -> Result<T, Failure>) -> Result<T, Failure> {
        let Self { workspace, device, socket, tapwright, folder } = self;
        clean(&folder)?;
        let mut java = started(device.stdout(Stdio::piped()))?;
        let done = ready(&mut java).and_then(|()| {
            let (link, hello) = Connection::open(socket)?;
            let mut emulate = Command::new(tapwright);
            emulate.args(["emulate", "--connect", "--framework"]).arg(socket).stdout(Stdio::piped());
            let mut emulator = started(runtime::environment(workspace, &mut emulate))?;
            let done = serial(&mut emulator).and_then(|serial| {
                let player = Player { workspace, tapwright, serial, folder };
                work(&player, Table { link, hello })
            });
            ended(&mut emulator)?;
            done
        });
        ended(&mut java)?;
        done
    }
}

/// The JVM's side: a connection of our own, and what it said of its app.
pub(crate) struct Table {
    pub link: Connection,
    pub hello: String,
}

/// Runs `tapwright` on the device.
pub(crate) struct Player<'a> {
    workspace: &'a Workspace,
    tapwright: &'a Path,
    serial: String,
    folder: PathBuf,
}

impl Player<'_> {
    /// The workspace of the cases.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a command of `tapwright` on the device and in the cases' workspace; its report is in [`Self::last`].
    pub(crate) fn tapwright(&self, words: &[&str]) -> Result<Output, Failure> {
        let mut command = Command::new(self.tapwright);
        command.args(words).args(["--device", &self.serial, "--workspace"]).arg(&self.folder).stdin(Stdio::null());
        let output = runtime::environment(self.workspace, &mut command).output();
        output.map_err(|error| Failure::Missing(format!("{} could not be started: {error}", self.tapwright.display())))
    }

    /// The report (`result.json`) of the run that ended last; empty where there is none.
    pub(crate) fn last(&self) -> String {
        std::fs::read_to_string(self.folder.join("runs/latest/result.json")).unwrap_or_default()
    }
}

/// An empty folder of cases.
fn clean(folder: &Path) -> Result<(), Failure> {
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).map_err(|error| failed(&error))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    std::fs::write(folder.join("tapwright.toml"), "[folders]\ncases = [\".\"]\n").map_err(|error| failed(&error))
}

/// A started program.
pub(crate) fn started(command: &mut Command) -> Result<Child, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| Failure::Missing(format!("{name} could not be started: {error}")))
}

/// Ends a program, however busy it is.
pub(crate) fn ended(child: &mut Child) -> Result<(), Failure> {
    child.kill().map_err(|error| failed(&error))?;
    child.wait().map(|_| ()).map_err(|error| failed(&error))
}

/// The first line that `emulate` prints.
fn serial(emulator: &mut Child) -> Result<String, Failure> {
    let mut line = String::new();
    if let Some(stdout) = emulator.stdout.take() {
        BufReader::new(stdout).read_line(&mut line).map_err(|error| failed(&error))?;
    }
    let serial = line.split_whitespace().next().unwrap_or_default();
    if serial.is_empty() {
        return Err(Failure::Failed("`tapwright emulate` ended without a device".to_owned()));
    }
    Ok(serial.to_owned())
}

/// The first value of that name in indented JSON; in a report the outermost stand first.
pub(crate) fn first<'a>(report: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = report.split_once(&format!("\"{name}\": \""))?;
    rest.lines().next()?.trim_end_matches(',').strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reports_own_verdict_stands_before_those_of_its_steps() {
        let report = "{\n  \"verdict\": \"failed\",\n  \"reason\": \"says \\\"no\\\"\",\n  \"steps\": [{\n    \"verdict\": \"passed\"\n  }]\n}\n";
        assert_eq!(first(report, "verdict"), Some("failed"));
        assert_eq!(first(report, "reason"), Some("says \\\"no\\\""));
        assert_eq!(first("", "verdict"), None);
    }

    #[test]
    fn a_folder_of_cases_is_made_anew() {
        let folder = std::env::temp_dir().join(format!("tapwright-xtask-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("scripts")).unwrap();
        clean(&folder).unwrap();
        let left = std::fs::read_dir(&folder).unwrap().count();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, 1, "only tapwright.toml");
    }
}
