//! When a schedule fires: five fields as of cron, in a time zone.

use cronexpr::{Crontab, MakeTimestamp, parse_crontab};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Why a schedule has no clock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::daemon) enum ClockError {
    /// The zone is none.
    #[error("{0:?} is no time zone: expected something like Europe/Berlin or UTC")]
    Zone(String),
    /// The five fields are none.
    #[error(
        "{cron:?} is no schedule: {reason}; expected five fields: minute hour day month weekday, as in 30 22 * * mon-fri"
    )]
    Cron {
        /// As given.
        cron: String,
        /// What is wrong.
        reason: String,
    },
    /// It would wait for ever.
    #[error("{0:?} never fires: no day in the next four years is one of those it asks for")]
    Never(String),
}

/// Knows when a schedule fires.
#[derive(Debug)]
pub(in crate::daemon) struct Clock {
    crontab: Crontab,
}

impl Clock {
    /// Reads the five fields; one that never fires after `now` is refused.
    pub(in crate::daemon) fn new(cron: &str, zone: &str, now: Timestamp) -> Result<Self, ClockError> {
        if TimeZone::get(zone).is_err() {
            return Err(ClockError::Zone(zone.to_owned()));
        }
        let wrong = |reason: String| ClockError::Cron { cron: cron.to_owned(), reason };
        let fields = cron.split_whitespace().count();
        if fields != 5 {
            return Err(wrong(format!("it has {fields} fields")));
        }
        let crontab = parse_crontab(&format!("{cron} {zone}"));
        let crontab = crontab.map_err(|error| wrong(error.to_string().replace('\n', " ")))?;
        let clock = Self { crontab };
        if clock.next(now).is_none() {
            return Err(ClockError::Never(cron.to_owned()));
        }
        Ok(clock)
    }

    /// The first time after `after`.
    pub(in crate::daemon) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        self.crontab.find_next(MakeTimestamp(after)).ok().map(|zoned| zoned.timestamp())
    }

    /// The next `count` times after `after`.
    pub(in crate::daemon) fn next_times(&self, after: Timestamp, count: usize) -> Vec<Timestamp> {
        std::iter::successors(self.next(after), |last| self.next(*last)).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_next_times_are_of_the_zone_and_follow_its_summer_time() {
        let check = |cron: &str, zone: &str, expected: [&str; 2]| {
            let clock = Clock::new(cron, zone, at("2026-03-27T12:00:00Z")).unwrap();
            let times = clock.next_times(at("2026-03-27T12:00:00Z"), 2);
            assert_eq!(times, expected.map(at), "{cron} {zone}");
        };
        check("0 22 * * *", "UTC", ["2026-03-27T22:00:00Z", "2026-03-28T22:00:00Z"]);
        // In Berlin summer time begins on 29 March 2026.
        check("0 22 * * fri,sun", "Europe/Berlin", ["2026-03-27T21:00:00Z", "2026-03-29T20:00:00Z"]);
    }

    #[test]
    fn what_never_fires_is_refused() {
        let check = |cron: &str, zone: &str| Clock::new(cron, zone, at("2026-01-01T00:00:00Z")).unwrap_err();
        assert_eq!(check("0 2 30 2 *", "UTC"), ClockError::Never("0 2 30 2 *".into()));
        assert!(matches!(check("0 2 * *", "UTC"), ClockError::Cron { .. }));
        assert!(matches!(check("61 2 * * *", "UTC"), ClockError::Cron { .. }));
        assert!(matches!(check("0 2 * * * *", "UTC"), ClockError::Cron { .. }));
        assert_eq!(check("0 2 * * *", "Mars/Base"), ClockError::Zone("Mars/Base".into()));
        // A leap day comes.
        assert!(Clock::new("0 2 29 2 *", "UTC", at("2026-01-01T00:00:00Z")).is_ok());
    }
}
