//! How `logcat -v` prints an entry (`logprint.cpp`).

use crate::system::{LogEntry, Priority};
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Brief,
    Process,
    Tag,
    Thread,
    Raw,
    Time,
    ThreadTime,
    Long,
}

/// Which clock a time stamp shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamp {
    /// `05-01 10:00:00.000`.
    Date,
    /// Seconds since 1970.
    Epoch,
    /// Seconds since boot.
    Monotonic,
}

/// Layout and its modifiers; several `-v` add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one field per modifier")]
pub(super) struct LogFormat {
    layout: Layout,
    stamp: Stamp,
    year: bool,
    zone: bool,
    microseconds: bool,
    uid: bool,
    color: bool,
}

impl Default for LogFormat {
    fn default() -> Self {
        Self {
            layout: Layout::ThreadTime,
            stamp: Stamp::Date,
            year: false,
            zone: false,
            microseconds: false,
            uid: false,
            color: false,
        }
    }
}

impl LogFormat {
    /// Takes one word of `-v` up; an error for a word logcat does not know.
    pub(super) fn set(&mut self, name: &str) -> Result<(), ()> {
        match name {
            "brief" => self.layout = Layout::Brief,
            "process" => self.layout = Layout::Process,
            "tag" => self.layout = Layout::Tag,
            "thread" => self.layout = Layout::Thread,
            "raw" => self.layout = Layout::Raw,
            "time" => self.layout = Layout::Time,
            "threadtime" => self.layout = Layout::ThreadTime,
            "long" => self.layout = Layout::Long,
            "epoch" => self.stamp = Stamp::Epoch,
            "monotonic" => self.stamp = Stamp::Monotonic,
            "year" => self.year = true,
            "zone" | "UTC" => self.zone = true,
            "usec" => self.microseconds = true,
            "uid" => self.uid = true,
            "color" | "colour" => self.color = true,
            // Escapes of what no entry holds, and descriptions of event tags.
            "printable" | "descriptive" => {}
            _ => return Err(()),
        }
        Ok(())
    }

    fn time(self, entry: &LogEntry, uptime: Duration, wall: jiff::Timestamp) -> String {
        let digits = if self.microseconds { 6 } else { 3 };
        let seconds = |micros: i64| {
            let fraction = micros.rem_euclid(1_000_000);
            let fraction = if self.microseconds { fraction } else { fraction / 1000 };
            format!("{:>11}.{fraction:0digits$}", micros.div_euclid(1_000_000))
        };
        match self.stamp {
            Stamp::Epoch => seconds(entry.time.as_microsecond()),
            Stamp::Monotonic => {
                let ago = wall.as_microsecond() - entry.time.as_microsecond();
                seconds(i64::try_from(uptime.as_micros()).unwrap_or(i64::MAX) - ago)
            }
            Stamp::Date => {
                let year = if self.year { "%Y-" } else { "" };
                let zone = if self.zone { " +0000" } else { "" };
                let format = format!("{year}%m-%d %H:%M:%S.%{digits}f{zone}");
                entry.time.strftime(&format).to_string()
            }
        }
    }

    /// Prints an entry: every line of its message has the prefix, but for `long`.
    pub(super) fn write(self, entry: &LogEntry, uptime: Duration, wall: jiff::Timestamp, text: &mut String) {
        let (letter, pid, tag) = (entry.priority.letter(), entry.pid, &entry.tag);
        let uid = if self.uid { format!("{:>5}:", owner(entry)) } else { String::new() };
        let time = || self.time(entry, uptime, wall);
        let (head, tail) = match self.layout {
            Layout::Brief => (format!("{letter}/{tag:<8}({uid}{pid:5}): "), String::new()),
            Layout::Process => (format!("{letter}({uid}{pid:5}) "), format!("  ({tag})")),
            Layout::Tag => (format!("{letter}/{tag:<8}: "), String::new()),
            Layout::Thread => (format!("{letter}({uid}{pid:5}:{pid:5}) "), String::new()),
            Layout::Raw => (String::new(), String::new()),
            Layout::Time => (format!("{} {letter}/{tag:<8}({uid}{pid:5}): ", time()), String::new()),
            Layout::ThreadTime => {
                let uid = if uid.is_empty() { uid } else { format!("{uid:<6}").replace(':', " ") };
                (format!("{} {uid}{pid:5} {pid:5} {letter} {tag:<8}: ", time()), String::new())
            }
            Layout::Long => {
                text.push_str(&format!("[ {} {uid}{pid:5}:{pid:5} {letter}/{tag:<8} ]\n{}\n\n", time(), entry.message));
                return;
            }
        };
        let (paint, reset) = if self.color { (color(entry.priority), "\u{1b}[0m") } else { ("", "") };
        for line in entry.message.lines() {
            text.push_str(&format!("{paint}{head}{line}{tail}{reset}\n"));
        }
    }
}

/// The uid an entry's process has, as far as its pid tells.
fn owner(entry: &LogEntry) -> &'static str {
    match entry.pid {
        0 | 1 => "root",
        600 => "1000",
        _ => "10100",
    }
}

/// `ANDROID_LOG_COLOR`: 256-colour escapes.
const fn color(priority: Priority) -> &'static str {
    match priority {
        Priority::Debug => "\u{1b}[38;5;75m",
        Priority::Info => "\u{1b}[38;5;40m",
        Priority::Warn => "\u{1b}[38;5;166m",
        Priority::Error | Priority::Fatal => "\u{1b}[38;5;196m",
        Priority::Verbose | Priority::Silent => "\u{1b}[38;5;231m",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Buffer;

    #[test]
    fn each_format_prints_as_logprint_does() {
        let entry = LogEntry {
            buffer: Buffer::Main,
            time: "2026-05-01T10:00:05.250Z".parse().unwrap(),
            pid: 77,
            priority: Priority::Warn,
            tag: "Cart".to_owned(),
            message: "two\nlines".to_owned(),
        };
        let wall = "2026-05-01T10:00:06Z".parse().unwrap();
        for (names, expected) in [
            ("brief", "W/Cart    (   77): two\nW/Cart    (   77): lines\n"),
            ("process", "W(   77) two  (Cart)\nW(   77) lines  (Cart)\n"),
            ("tag", "W/Cart    : two\nW/Cart    : lines\n"),
            ("thread", "W(   77:   77) two\nW(   77:   77) lines\n"),
            ("raw", "two\nlines\n"),
            ("time", "05-01 10:00:05.250 W/Cart    (   77): two\n05-01 10:00:05.250 W/Cart    (   77): lines\n"),
            (
                "threadtime",
                "05-01 10:00:05.250    77    77 W Cart    : two\n05-01 10:00:05.250    77    77 W Cart    : lines\n",
            ),
            ("long", "[ 05-01 10:00:05.250    77:   77 W/Cart     ]\ntwo\nlines\n\n"),
            (
                "time,year,usec",
                "2026-05-01 10:00:05.250000 W/Cart    (   77): two\n2026-05-01 10:00:05.250000 W/Cart    (   77): lines\n",
            ),
            ("time,monotonic", "         59.250 W/Cart    (   77): two\n         59.250 W/Cart    (   77): lines\n"),
            ("epoch", " 1777629605.250    77    77 W Cart    : two\n 1777629605.250    77    77 W Cart    : lines\n"),
        ] {
            let mut format = LogFormat::default();
            names.split(',').for_each(|name| format.set(name).unwrap());
            let mut text = String::new();
            format.write(&entry, Duration::from_secs(60), wall, &mut text);
            assert_eq!(text, expected, "{names}");
        }
        assert_eq!(LogFormat::default().set("nonsense"), Err(()));
    }
}
