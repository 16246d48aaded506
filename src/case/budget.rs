//! How much a case may use before it counts as blocked.

use std::time::Duration;

/// The most a run may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Actions on the device in one attempt, invalid ones included.
    pub actions: u32,
    /// Wall time from start to verdict, over all attempts.
    pub time: Duration,
    /// Attempts, each from the start of the app with clean data: 1 never starts over.
    pub attempts: u32,
}

impl Default for Budget {
    /// 60 actions, five minutes and one attempt: four times the average case of XUAT-Copilot Table 3 (15 actions).
    fn default() -> Self {
        Self { actions: 60, time: Duration::from_secs(300), attempts: 1 }
    }
}

/// A duration that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a duration: write a number with a unit, such as 90s, 5m or 1h 30m, from 1s to 24h")]
pub struct InvalidDuration {
    /// What was written.
    pub text: String,
}

/// Reads `90s`, `5m`, `1h 30m` (jiff's friendly form) into a duration from one second to a day.
pub fn parse_duration(text: &str) -> Result<Duration, InvalidDuration> {
    let invalid = || InvalidDuration { text: text.to_owned() };
    let signed: jiff::SignedDuration = text.trim().parse().map_err(|_| invalid())?;
    let duration = Duration::try_from(signed).map_err(|_| invalid())?;
    let range = Duration::from_secs(1)..=Duration::from_secs(24 * 3600);
    if range.contains(&duration) { Ok(duration) } else { Err(invalid()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, seconds) in [("5m", 300), ("90s", 90), ("1h 30m", 5400), ("2 min", 120), (" 45 seconds ", 45)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn a_duration_without_unit_or_out_of_range_is_refused() {
        for text in ["5", "", "-5m", "0s", "25h", "five minutes", "99999999999999999999h"] {
            assert!(parse_duration(text).is_err(), "{text:?} was accepted");
        }
    }
}
