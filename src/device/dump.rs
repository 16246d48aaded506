//! One hierarchy dump: command out, checked bytes back. `uiautomator`'s exit code and messages are not trusted, only
//! the file it wrote (AOSP `DumpCommand.java`: it exits with 0 and says "dumped" in cases of failure too).

use crate::adb::{AdbError, ShellOutput, Transport, command};
use std::time::Duration;
use uuid::Uuid;

pub(super) use crate::adb::command::DumpMode;

/// How a dump comes from the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// By a file of its own, read back and removed.
    File,
    /// By `/dev/tty`, for devices where no file can be written or read.
    Terminal,
}

/// Why an attempt gave no hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DumpFailure {
    /// Something on the screen keeps moving.
    NeverIdle,
    /// `uiautomator` left no file, or one that cannot be read.
    NoFile(String),
    /// The file ends in the middle; these are its bytes.
    CutOff(Vec<u8>),
    /// Anything else: no active window yet, a crash of `uiautomator`, a second dump at the same time.
    Other(String),
}

impl std::fmt::Display for DumpFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NeverIdle => f.write_str("the screen never became idle (something on it keeps moving)"),
            Self::CutOff(_) => f.write_str("the dump is cut off"),
            Self::NoFile(reason) | Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Takes one dump into a file of its own, reads it and removes it. The outer error is adb's, the inner one the dump's.
pub(super) async fn take_dump(
    transport: &Transport,
    mode: DumpMode,
    route: Route,
    budget: Duration,
) -> Result<Result<Vec<u8>, DumpFailure>, AdbError> {
    match route {
        Route::File => by_file(transport, mode, budget).await,
        Route::Terminal => by_terminal(transport, mode, budget).await,
    }
}

async fn by_terminal(
    transport: &Transport,
    mode: DumpMode,
    budget: Duration,
) -> Result<Result<Vec<u8>, DumpFailure>, AdbError> {
    match transport.exec(&command::dump_to_terminal(mode), budget).await {
        Ok(stdout) => Ok(parse_dump(&ShellOutput { stdout, stderr: Vec::new(), exit_code: 0 })),
        Err(AdbError::Timeout { budget, .. }) => Ok(Err(too_slow(budget))),
        Err(error) => Err(error),
    }
}

fn too_slow(budget: Duration) -> DumpFailure {
    DumpFailure::Other(format!("the dump did not end within {budget:?}"))
}

async fn by_file(
    transport: &Transport,
    mode: DumpMode,
    budget: Duration,
) -> Result<Result<Vec<u8>, DumpFailure>, AdbError> {
    let mut file = DumpFile::new(transport);
    match transport.shell(&command::dump(&file.path, mode), budget).await {
        Ok(output) => {
            file.removed = true;
            Ok(parse_dump(&output))
        }
        Err(AdbError::Timeout { budget, .. }) => Ok(Err(too_slow(budget))),
        Err(error) => Err(error),
    }
}

/// A file on the device that goes even when the command that should have removed it was cut off.
struct DumpFile<'a> {
    transport: &'a Transport,
    path: String,
    removed: bool,
}

impl<'a> DumpFile<'a> {
    fn new(transport: &'a Transport) -> Self {
        let path = format!("/data/local/tmp/tapwright-{}.xml", Uuid::now_v7().simple());
        Self { transport, path, removed: false }
    }
}

/// Removing a small file takes milliseconds; a device that needs longer is gone, and its file with it or not.
const REMOVE_BUDGET: Duration = Duration::from_secs(5);

impl Drop for DumpFile<'_> {
    fn drop(&mut self) {
        if self.removed {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (transport, path) = (self.transport.clone(), self.path.clone());
        runtime.spawn(async move {
            if let Err(error) = transport.run(&command::remove(&path), REMOVE_BUDGET).await {
                tracing::warn!(%error, path, "an unfinished dump stays on the device");
            }
        });
    }
}

const BEGINNINGS: [&[u8]; 2] = [b"<?xml", b"<hierarchy"];
const END: &[u8] = b"</hierarchy>";

/// The file's bytes out of what `uiautomator dump FILE; cat FILE; rm -f FILE` printed.
fn parse_dump(output: &ShellOutput) -> Result<Vec<u8>, DumpFailure> {
    let position = |text: &[u8], wanted: &[u8]| text.windows(wanted.len()).position(|window| window == wanted);
    let stdout = &output.stdout;
    let start = BEGINNINGS.iter().filter_map(|beginning| position(stdout, beginning)).min();
    let end = stdout.windows(END.len()).rposition(|window| window == END).map(|at| at + END.len());
    match (start, end) {
        (Some(start), Some(end)) if start < end => {
            let xml = stdout.get(start..end).unwrap_or_default();
            if position(xml, b"<node").is_none() {
                return Err(DumpFailure::Other("the dump holds no node".to_owned()));
            }
            Ok(xml.to_vec())
        }
        (Some(start), _) => Err(DumpFailure::CutOff(stdout.get(start..).unwrap_or_default().to_vec())),
        (None, _) => Err(parse_failure(output)),
    }
}

fn parse_failure(output: &ShellOutput) -> DumpFailure {
    let said = format!("{}\n{}", output.stderr_text(), output.stdout_text());
    if said.contains("could not get idle state") {
        return DumpFailure::NeverIdle;
    }
    let line = |wanted: &str| said.lines().map(str::trim).find(|line| line.contains(wanted)).map(str::to_owned);
    let known = line("ERROR:")
        .or_else(|| line("not found").filter(|line| line.contains("uiautomator")))
        .or_else(|| line("Killed").map(|_| "uiautomator was killed (another dump or UI test running?)".to_owned()));
    if let Some(reason) = known {
        return DumpFailure::Other(reason);
    }
    if line("No such file").is_some() {
        return DumpFailure::NoFile("uiautomator wrote no file (killed, or another one running?)".to_owned());
    }
    match line("Permission denied").or_else(|| line("No space left")) {
        Some(reason) => DumpFailure::NoFile(reason),
        None => DumpFailure::Other("the dump is empty (uiautomator died while writing it?)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(stdout: &str, stderr: &str) -> ShellOutput {
        ShellOutput { stdout: stdout.into(), stderr: stderr.into(), exit_code: 0 }
    }

    const XML: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node \
                       index=\"0\" /></hierarchy>";

    #[test]
    fn the_file_is_taken_without_the_messages_around_it() {
        let said = format!("UI hierchary dumped to: /data/local/tmp/x.xml\n{XML}");
        assert_eq!(parse_dump(&output(&said, "")), Ok(XML.as_bytes().to_vec()));
    }

    #[test]
    fn every_failure_says_what_happened() {
        let reason = |stdout: &str, stderr: &str| parse_dump(&output(stdout, stderr)).unwrap_err().to_string();
        let no_file = "cat: /data/local/tmp/x.xml: No such file or directory\n";
        assert_eq!(
            parse_dump(&output("", &format!("ERROR: could not get idle state.\n{no_file}"))),
            Err(DumpFailure::NeverIdle)
        );
        assert!(
            reason("", &format!("ERROR: null root node returned by UiTestAutomationBridge.\n{no_file}"))
                .starts_with("ERROR: null root node")
        );
        assert!(reason("", &format!("Killed \n{no_file}")).contains("killed"));
        assert!(reason("UI hierchary dumped to: /x.xml\n", no_file).contains("wrote no file"));
        assert!(reason("UI hierchary dumped to: /x.xml\n", "").starts_with("the dump is empty"));
        assert!(matches!(parse_dump(&output("", no_file)), Err(DumpFailure::NoFile(_))));
        assert!(matches!(parse_dump(&output("", "cat: x: Permission denied\n")), Err(DumpFailure::NoFile(_))));
        assert_eq!(reason("<?xml ?><hierarchy rotation=\"0\"></hierarchy>", ""), "the dump holds no node");
        assert_eq!(reason("<?xml ?><hierarchy rotation=\"0\"><node index", ""), "the dump is cut off");
    }
}
