//! Hours in which no run of a night begins.

use crate::store::Quiet;
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

/// True while it is quiet; what cannot be read was refused when it was handed in.
pub(in crate::daemon) fn is_quiet(quiet: &Quiet, now: Timestamp) -> bool {
    let Ok((from, to, zone)) = parts(quiet) else { return false };
    let time = now.to_zoned(zone).time();
    if from < to { from <= time && time < to } else { time >= from || time < to }
}

/// What is wrong with it.
pub(in crate::daemon) fn check_quiet(quiet: &Quiet) -> Result<(), String> {
    let (from, to, _) = parts(quiet)?;
    if from == to {
        return Err(format!(
            "quiet hours from {} to {} are the whole day: nothing would ever begin",
            quiet.from, quiet.to
        ));
    }
    Ok(())
}

fn parts(quiet: &Quiet) -> Result<(Time, Time, TimeZone), String> {
    let time = |text: &str| {
        Time::strptime("%H:%M", text).map_err(|_| format!("{text:?} is no time of day: expected something like 08:30"))
    };
    let zone = TimeZone::get(&quiet.zone)
        .map_err(|_| format!("{:?} is no time zone: expected something like Europe/Berlin or UTC", quiet.zone))?;
    Ok((time(&quiet.from)?, time(&quiet.to)?, zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_quiet_within_the_hours_of_the_zone_over_midnight_too() {
        let check = |from: &str, to: &str, at: &str, expected: bool| {
            let quiet = Quiet { from: from.into(), to: to.into(), zone: "Europe/Berlin".into() };
            assert!(check_quiet(&quiet).is_ok());
            assert_eq!(is_quiet(&quiet, at.parse().unwrap()), expected, "{from} {to} {at}");
        };
        // Berlin is an hour ahead of UTC in winter and two in summer.
        check("08:00", "18:00", "2026-01-05T07:00:00Z", true);
        check("08:00", "18:00", "2026-01-05T06:59:00Z", false);
        check("08:00", "18:00", "2026-07-06T06:00:00Z", true);
        check("08:00", "18:00", "2026-01-05T17:00:00Z", false);
        check("22:00", "06:00", "2026-01-05T23:30:00Z", true);
        check("22:00", "06:00", "2026-01-05T12:00:00Z", false);
    }

    #[test]
    fn hours_that_make_no_sense_are_refused() {
        let check = |from: &str, to: &str, zone: &str| {
            check_quiet(&Quiet { from: from.into(), to: to.into(), zone: zone.into() }).unwrap_err()
        };
        assert!(check("08:00", "08:00", "UTC").contains("whole day"));
        assert!(check("8 Uhr", "09:00", "UTC").contains("8 Uhr"));
        assert!(check("25:00", "09:00", "UTC").contains("25:00"));
        assert!(check("08:00", "09:00", "Europe/Atlantis").contains("Atlantis"));
    }
}
