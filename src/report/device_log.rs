//! What the device logged, as far as a page shows it: the crash as it was logged, and the end of the log.

use crate::run::{CRASH_FILE, LOG_FILE, LogClock};
use minijinja::{Value, context};
use std::path::Path;

/// Lines of the log that a page shows; the file beside it has all that was kept.
const MOST_LINES: usize = 300;
/// Lines of the log that are shown of one action.
const MOST_LINES_OF_ACTION: usize = 60;
/// Lines of a crash.
const MOST_CRASH_LINES: usize = 80;

/// Crash and log of a run's folder; empty where nothing was kept.
pub(super) fn device_log(folder: &Path) -> Value {
    let read = |name: &str| std::fs::read(folder.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let crash = read(CRASH_FILE).unwrap_or_default();
    let log = read(LOG_FILE).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    let left_out = lines.len().saturating_sub(MOST_LINES);
    let shown: Vec<Value> = lines.iter().skip(left_out).map(|line| row(line)).collect();
    let crash: Vec<String> = crash.lines().take(MOST_CRASH_LINES).map(plain).collect();
    context! { crash => crash.join("\n"), lines => shown, left_out, file => LOG_FILE }
}

/// The log of a run whose clock is known: which lines were logged while an action was carried out.
#[derive(Debug, Default)]
pub(super) struct TimedLog {
    /// Milliseconds since the run began, and the line; in the order of the log.
    lines: Vec<(f64, String)>,
}

impl TimedLog {
    /// That of a run's folder; empty where none was kept, or nothing tells how the device's clock stands to the run's.
    pub(super) fn read(folder: &Path) -> Self {
        let read = std::fs::read(folder.join(LOG_FILE));
        let log = read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let Some(clock) = log.lines().find_map(LogClock::parse) else { return Self::default() };
        let lines = log.lines().filter_map(|line| Some((clock.at_ms(line)?, line.to_owned())));
        Self { lines: lines.collect() }
    }

    /// The lines between two moments of the run, in milliseconds since it began: the last ones where there are many.
    pub(super) fn between(&self, from_ms: f64, to_ms: f64) -> Vec<Value> {
        let within = self.lines.iter().filter(|(at_ms, _)| (from_ms..=to_ms).contains(at_ms));
        let mut lines: Vec<Value> = within.rev().take(MOST_LINES_OF_ACTION).map(|(_, line)| row(line)).collect();
        lines.reverse();
        lines
    }
}

/// A line with its level: `E` and `F` are what went wrong, `W` what the app or the system warns of.
fn row(line: &str) -> Value {
    let level = line.split_whitespace().nth(4).filter(|word| word.len() == 1).unwrap_or_default();
    let class = match level {
        "E" | "F" => "bad",
        "W" => "odd",
        _ => "",
    };
    context! { class, text => plain(line) }
}

/// A line whose control characters steer nothing; what stands where stays.
fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_log_whose_clock_is_known_each_action_has_its_lines() {
        let folder = tempfile::tempdir().unwrap();
        let lines =
            ["08:00:01.100  42  42 I App: one", "08:00:03.000  42  42 E App: two", "08:00:09.000  42  42 I App: three"];
        let log: Vec<String> = lines.iter().map(|line| format!("11-20 {line}")).collect();
        let head = LogClock { device: "11-20 08:00:10.000".into(), at_ms: 9500.0 }.to_string();
        std::fs::write(folder.path().join(LOG_FILE), format!("{head}\n{}\n", log.join("\n"))).unwrap();
        let shown = |from, to| -> Vec<String> {
            let lines = TimedLog::read(folder.path()).between(from, to);
            lines
                .iter()
                .map(|line| line.get_attr("text").unwrap().to_string().split(": ").nth(1).unwrap().to_owned())
                .collect()
        };
        assert_eq!(shown(0.0, 2000.0), ["one"], "0.6 s after the run began");
        assert_eq!(shown(2000.0, 20000.0), ["two", "three"]);
        std::fs::write(folder.path().join(LOG_FILE), log.join("\n")).unwrap();
        assert!(shown(0.0, 20000.0).is_empty(), "nothing tells when that was");
    }

    #[test]
    fn the_end_of_a_long_log_is_shown_with_its_levels() {
        let folder = tempfile::tempdir().unwrap();
        let empty = device_log(folder.path());
        assert!(empty.get_attr("crash").unwrap().to_string().is_empty());
        assert_eq!(empty.get_attr("lines").unwrap().len(), Some(0));
        let mut log: Vec<String> = (0..400).map(|n| format!("11-20 08:00:01.100  42  42 I App: line {n}")).collect();
        log.push("11-20 08:00:01.200  42  42 E AndroidRuntime: \u{1b}[31mFATAL".into());
        std::fs::write(folder.path().join(LOG_FILE), log.join("\n")).unwrap();
        std::fs::write(folder.path().join(CRASH_FILE), "FATAL EXCEPTION: main\n\tat a.B").unwrap();
        let shown = device_log(folder.path());
        assert_eq!(shown.get_attr("left_out").unwrap().to_string(), "101");
        assert_eq!(shown.get_attr("lines").unwrap().len(), Some(MOST_LINES));
        let last = shown.get_attr("lines").unwrap().get_item_by_index(MOST_LINES - 1).unwrap();
        assert_eq!(last.get_attr("class").unwrap().to_string(), "bad");
        assert!(!last.get_attr("text").unwrap().to_string().contains('\u{1b}'));
        assert!(shown.get_attr("crash").unwrap().to_string().contains("\tat a.B"));
    }
}
