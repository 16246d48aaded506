//! The log buffers behind `logcat`.

use std::collections::VecDeque;

/// A log buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// `main`: apps.
    Main,
    /// `system`: the framework.
    System,
    /// `crash`: uncaught exceptions.
    Crash,
    /// `events`.
    Events,
}

impl Buffer {
    /// As `-b` takes it and `--------- beginning of` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::System => "system",
            Self::Crash => "crash",
            Self::Events => "events",
        }
    }

    /// All buffers.
    pub const ALL: [Self; 4] = [Self::Main, Self::System, Self::Crash, Self::Events];
}

/// Level of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// V.
    Verbose,
    /// D.
    Debug,
    /// I.
    Info,
    /// W.
    Warn,
    /// E: Java crashes.
    Error,
    /// F: native crashes.
    Fatal,
    /// S: more than anything logged.
    Silent,
}

impl Priority {
    /// The letter `logcat` prints.
    pub const fn letter(self) -> char {
        match self {
            Self::Verbose => 'V',
            Self::Debug => 'D',
            Self::Info => 'I',
            Self::Warn => 'W',
            Self::Error => 'E',
            Self::Fatal => 'F',
            Self::Silent => 'S',
        }
    }

    /// Reads a letter.
    pub const fn parse(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'V' => Self::Verbose,
            'D' => Self::Debug,
            'I' => Self::Info,
            'W' => Self::Warn,
            'E' => Self::Error,
            'F' => Self::Fatal,
            'S' => Self::Silent,
            _ => return None,
        })
    }
}

/// One entry; a crash's many lines are one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Where it went.
    pub buffer: Buffer,
    /// When, UTC.
    pub time: jiff::Timestamp,
    /// Process and thread.
    pub pid: u32,
    /// Level.
    pub priority: Priority,
    /// Tag.
    pub tag: String,
    /// Lines.
    pub message: String,
}

/// Bounded log of the whole device, in order of time.
#[derive(Debug, Default)]
pub struct LogBuffers(VecDeque<LogEntry>);

impl LogBuffers {
    const CAPACITY: usize = 20_000;

    /// Adds an entry, dropping the oldest when full.
    pub fn add(&mut self, entry: LogEntry) {
        if self.0.len() == Self::CAPACITY {
            self.0.pop_front();
        }
        self.0.push_back(entry);
    }

    /// Entries of the given buffers, oldest first.
    pub fn of(&self, buffers: &[Buffer]) -> impl Iterator<Item = &LogEntry> {
        self.0.iter().filter(move |entry| buffers.contains(&entry.buffer))
    }

    /// Empties buffers.
    pub fn clear(&mut self, buffers: &[Buffer]) {
        self.0.retain(|entry| !buffers.contains(&entry.buffer));
    }

    /// Adds what an app reported: `E AndroidRuntime: FATAL EXCEPTION: main` and so on. Lines of the same tag and level
    /// that follow each other are one entry, as `RuntimeInit` logs a crash; a line without that form is the app's own
    /// (level I, its package as tag).
    pub fn add_report(&mut self, lines: &[String], pid: u32, package: &str, time: jiff::Timestamp) {
        let mut pending: Option<LogEntry> = None;
        for line in lines {
            let (priority, tag, message) = parse_report_line(line).unwrap_or((Priority::Info, package, line));
            let starts = message.starts_with("FATAL EXCEPTION") || message.starts_with("ANR in");
            match &mut pending {
                Some(entry) if !starts && entry.priority == priority && entry.tag == tag => {
                    entry.message.push('\n');
                    entry.message.push_str(message);
                }
                _ => {
                    let buffer = match (priority, tag) {
                        (Priority::Error, "AndroidRuntime") | (Priority::Fatal, _) => Buffer::Crash,
                        (_, "ActivityManager" | "WindowManager") => Buffer::System,
                        _ => Buffer::Main,
                    };
                    let next =
                        LogEntry { buffer, time, pid, priority, tag: tag.to_owned(), message: message.to_owned() };
                    if let Some(done) = pending.replace(next) {
                        self.add(done);
                    }
                }
            }
        }
        if let Some(done) = pending {
            self.add(done);
        }
    }
}

fn parse_report_line(line: &str) -> Option<(Priority, &str, &str)> {
    let (letter, rest) = line.split_once(' ')?;
    let mut letters = letter.chars();
    let priority = Priority::parse(letters.next()?).filter(|_| letters.next().is_none())?;
    let (tag, message) = rest.split_once(':')?;
    let tag = tag.trim_end();
    let message = message.strip_prefix(' ').unwrap_or(message);
    (!tag.is_empty() && !tag.contains(char::is_whitespace)).then_some((priority, tag, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_of_many_lines_is_one_entry_of_the_crash_buffer() {
        let mut log = LogBuffers::default();
        let lines = ["E AndroidRuntime: FATAL EXCEPTION: main", "E AndroidRuntime: Process: a.b, PID: 7", "hello: x y"];
        log.add_report(&lines.map(ToOwned::to_owned), 7, "a.b", jiff::Timestamp::UNIX_EPOCH);
        let crash: Vec<_> = log.of(&[Buffer::Crash]).collect();
        assert_eq!(crash.len(), 1);
        assert_eq!(crash[0].message, "FATAL EXCEPTION: main\nProcess: a.b, PID: 7");
        assert_eq!(log.of(&[Buffer::Main]).next().map(|entry| entry.message.as_str()), Some("hello: x y"));
    }
}
