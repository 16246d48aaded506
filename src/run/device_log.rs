//! What a device logged while a run went on, and the crashes in it: kept with the recording of a run that did not pass.

use super::executor::{ConnectedDevice, Outcome, Run};
use crate::device::Device;
use crate::domain::{PackageName, SecretMask, Verdict};
use std::fmt;

/// Names of the files in a run's folder.
pub const LOG_FILE: &str = "device.log";
/// The crash and ANR reports, as they were logged.
pub const CRASH_FILE: &str = "crash.txt";

/// Most of a log that is kept: its end, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// An actor's name, their device and their app; on one device without a name.
type Seat<'a> = (&'a str, &'a ConnectedDevice, &'a PackageName);

/// How a device's clock stands to a run's, as a line at the head of a log that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct LogClock {
    /// The device's clock as logs have it: `11-20 08:00:10.000`.
    pub device: String,
    /// Milliseconds since the run began, at that moment.
    pub at_ms: f64,
}

/// Divides the parts of a log, as logcat does.
const DIVIDER: &str = "--------- ";
/// Between the two clocks.
const IS: &str = " on the device is ";
/// At the end of the line.
const OF_RUN: &str = " ms of the run";

impl LogClock {
    /// That of a line; `None` where it is another one.
    pub fn parse(line: &str) -> Option<Self> {
        let (device, rest) = line.strip_prefix(DIVIDER)?.split_once(IS)?;
        let at_ms = rest.strip_suffix(OF_RUN)?.parse().ok()?;
        moment(device).map(|_| Self { device: device.to_owned(), at_ms })
    }

    /// When a line was logged, in milliseconds since the run began; `None` where it begins with no time.
    pub fn at_ms(&self, line: &str) -> Option<f64> {
        let logged = moment(line)?.duration_since(moment(&self.device)?);
        Some(self.at_ms + logged.as_secs_f64() * 1000.0)
    }
}

impl fmt::Display for LogClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{DIVIDER}{}{IS}{:.0}{OF_RUN}", self.device, self.at_ms)
    }
}

/// The time at the head of a line of `logcat -v threadtime`, which names no year: one with a 29 February.
fn moment(line: &str) -> Option<jiff::civil::DateTime> {
    let mut words = line.split_whitespace();
    let (day, time) = (words.next()?, words.next()?);
    format!("2024-{day}T{time}").parse().ok()
}

impl Run<'_> {
    /// Keeps the log of a run that did not pass, and the crashes in it.
    pub(super) async fn keep_log(&mut self, outcome: &Outcome, seats: &[Seat<'_>]) {
        if outcome.verdict == Verdict::Passed || self.context.places.output.is_none() {
            return;
        }
        let mut kept = KeptLog::default();
        for (name, connected, package) in seats {
            let device = connected.device.as_ref();
            // What several devices log is one file, and each has a clock of its own.
            let clock = if name.is_empty() { device.clock().await.ok().flatten() } else { None };
            let at_ms = self.recorder.timings().total;
            let KeptLog { log, crashes } = fetch(device, package, self.mask).await;
            let head = match clock {
                Some(device) => format!("{}\n", LogClock { device, at_ms }),
                None if name.is_empty() => String::new(),
                None => format!("==== {name} ({})\n", connected.info.serial),
            };
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
    fn a_log_tells_how_its_clock_stands_to_the_runs() {
        let clock = LogClock { device: "11-20 08:00:10.000".into(), at_ms: 9500.0 };
        assert_eq!(LogClock::parse(&clock.to_string()), Some(clock.clone()));
        assert_eq!(clock.at_ms("11-20 08:00:09.250  42  42 I App: one"), Some(8750.0));
        assert_eq!(clock.at_ms("11-21 08:00:10.000  42  42 I App: one"), Some(9500.0 + 86_400_000.0));
        for line in
            ["--------- beginning of main", "", "at a.B", "11-20", "--------- x on the device is 3 ms of the run"]
        {
            assert_eq!((LogClock::parse(line), clock.at_ms(line)), (None, None), "{line}");
        }
    }

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
