//! What a device logged while a run went on, and the crashes in it: kept with the recording of a run that did not pass.

use super::executor::{ConnectedDevice, Outcome, Run};
use crate::device::Device;
use crate::domain::{PackageName, SecretMask, Verdict};

/// Names of the files in a run's folder.
pub const LOG_FILE: &str = "device.log";
/// The crash and ANR reports, as they were logged.
pub const CRASH_FILE: &str = "crash.txt";

/// Most of a log that is kept: its end, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// An actor's name, their device and their app; on one device without a name.
type Seat<'a> = (&'a str, &'a ConnectedDevice, &'a PackageName);

impl Run<'_> {
    /// Keeps the log of a run that did not pass, and the crashes in it.
    pub(super) async fn keep_log(&mut self, outcome: &Outcome, seats: &[Seat<'_>]) {
        if outcome.verdict == Verdict::Passed || self.context.places.output.is_none() {
            return;
        }
        let mut kept = KeptLog::default();
        for (name, connected, package) in seats {
            let KeptLog { log, crashes } = fetch(connected.device.as_ref(), package, self.mask).await;
            let head =
                if name.is_empty() { String::new() } else { format!("==== {name} ({})\n", connected.info.serial) };
            for (all, own) in [(&mut kept.log, log), (&mut kept.crashes, crashes)] {
                if !own.is_empty() {
                    all.push_str(&head);
                    all.push_str(&own);
                    all.push('\n');
                }
            }
        }
        for (name, text) in [(LOG_FILE, kept.log), (CRASH_FILE, kept.crashes)] {
            if !text.is_empty() {
                self.recorder.keep_file(name, text);
            }
        }
    }
}

/// What was kept of a device.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct KeptLog {
    /// The log since the app was started.
    pub(super) log: String,
    /// The crash and ANR reports of the app.
    pub(super) crashes: String,
}

/// Fetches the log of the interval. A device that does not answer gives an empty one: the verdict stands without it.
pub(super) async fn fetch(device: &dyn Device, package: &PackageName, mask: &SecretMask) -> KeptLog {
    let log = device.log(package).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the device's log is not kept");
        String::new()
    });
    let crashes = device.crashes(package).await.unwrap_or_default();
    // An app may log what was typed.
    KeptLog { log: mask.hide(tail(&log)).into_owned(), crashes: mask.hide(&crashes.join("\n\n")).into_owned() }
}

/// The end of a text from a whole line on.
fn tail(log: &str) -> &str {
    let from = log.len().saturating_sub(MOST_BYTES);
    let from = (from..=log.len()).find(|at| log.is_char_boundary(*at)).unwrap_or(log.len());
    let rest = log.get(from..).unwrap_or_default();
    if from == 0 { rest } else { rest.split_once('\n').map_or(rest, |(_, whole)| whole) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_log_its_end_is_kept_in_whole_lines() {
        let long = format!("first\n{}\nlast é\n", "x".repeat(MOST_BYTES));
        assert_eq!(tail(&long), "last é\n");
        assert_eq!(tail("a\nb\n"), "a\nb\n");
        assert_eq!(tail(""), "");
        let odd = "é".repeat(MOST_BYTES);
        assert!(tail(&odd).len() <= MOST_BYTES);
    }
}
