//! Which log entries `logcat` shows: `TAG:L`, `*:S`, `-s TAG`, `-T`.

use crate::system::{LogEntry, Priority};
use jiff::Timestamp;
use jiff::civil::DateTime;

/// Filter specifications, the last match wins over the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagFilter {
    rules: Vec<(String, Priority)>,
    default: Priority,
}

impl Default for TagFilter {
    fn default() -> Self {
        Self { rules: Vec::new(), default: Priority::Verbose }
    }
}

impl TagFilter {
    /// Reads one specification; false when it is none.
    pub(super) fn add(&mut self, word: &str) -> bool {
        let (tag, level) = match word.rsplit_once(':') {
            Some((tag, level)) => (tag, level.chars().next().and_then(Priority::parse)),
            None => (word, Some(Priority::Verbose)),
        };
        match level {
            Some(level) if tag == "*" => self.default = level,
            Some(level) => self.rules.push((tag.to_owned(), level)),
            None => return false,
        }
        true
    }

    /// `-s`: silent unless named.
    pub(super) fn silence(&mut self) {
        self.default = Priority::Silent;
    }

    pub(super) fn shows(&self, entry: &LogEntry) -> bool {
        let least = self.rules.iter().rfind(|(tag, _)| *tag == entry.tag).map_or(self.default, |(_, level)| *level);
        entry.priority >= least
    }
}

/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    All,
    /// The newest so many entries.
    Last(usize),
    /// Entries at or after a moment.
    Since(Timestamp),
}

impl Begin {
    /// `-t`/`-T`: a count, `MM-DD HH:MM:SS.mmm`, `YYYY-MM-DD HH:MM:SS.mmm` or seconds since 1970 with a fraction.
    pub(super) fn parse(word: &str, now: Timestamp) -> Option<Self> {
        if let Ok(count) = word.parse::<usize>() {
            return Some(Self::Last(count));
        }
        if let Ok(seconds) = word.parse::<f64>() {
            return Timestamp::from_millisecond((seconds * 1000.0) as i64).ok().map(Self::Since);
        }
        let year = now.to_zoned(jiff::tz::TimeZone::UTC).year();
        let with_year = format!("{year}-{word}");
        let civil: DateTime = word.parse().or_else(|_| with_year.parse()).ok()?;
        civil.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| Self::Since(zoned.timestamp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_a_count_or_a_moment() {
        let now: Timestamp = "2026-05-01T10:00:00Z".parse().unwrap();
        let since = |text: &str| Some(Begin::Since(text.parse().unwrap()));
        assert_eq!(Begin::parse("20", now), Some(Begin::Last(20)));
        assert_eq!(Begin::parse("05-01 09:59:58.500", now), since("2026-05-01T09:59:58.5Z"));
        assert_eq!(Begin::parse("2025-12-31 23:59:59.000", now), since("2025-12-31T23:59:59Z"));
        assert_eq!(Begin::parse("1000.5", now), since("1970-01-01T00:16:40.5Z"));
        assert_eq!(Begin::parse("yesterday", now), None);
    }
}
