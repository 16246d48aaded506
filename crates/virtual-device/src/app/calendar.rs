//! Days and times as widgets need them. Days count from 1970-01-01.

use super::expression::format_date;
use jiff::civil::Date;

/// The first day.
const EPOCH: Date = Date::constant(1970, 1, 1);

/// The day of `yyyy-mm-dd`.
pub(super) fn parse(text: &str) -> Option<i32> {
    text.parse::<Date>().ok().map(day)
}

/// The day of a date.
pub(super) fn day(date: Date) -> i32 {
    date.duration_since(EPOCH).as_hours().checked_div(24).and_then(|days| i32::try_from(days).ok()).unwrap_or(0)
}

/// The date of a day.
pub(super) fn date(day: i32) -> Date {
    EPOCH.checked_add(jiff::Span::new().days(day)).unwrap_or(EPOCH)
}

/// `yyyy-mm-dd`.
pub(super) fn iso(day: i32) -> String {
    date(day).to_string()
}

/// The day of a year, month and day of the month; the last of the month when it is shorter.
pub(super) fn clamped(year: i16, month: i8, of_month: i8) -> i32 {
    let of_month = of_month.clamp(1, days_in_month(year, month));
    Date::new(year, month, of_month).map_or(0, day)
}

/// 28 to 31.
pub(super) fn days_in_month(year: i16, month: i8) -> i8 {
    Date::new(year, month, 1).map_or(30, Date::days_in_month)
}

/// The part of a date that a pattern names (`MMMM`: month, `MMM`: its short form, `EEE`: weekday), in a language.
pub(super) fn name(day: i32, pattern: &str, locale: &str) -> String {
    format_date(date(day).at(0, 0, 0, 0), pattern, locale)
}

/// A month as one number: year × 12 + month from 0.
pub(super) fn month_number(day: i32) -> i32 {
    let date = date(day);
    i32::from(date.year()) * 12 + i32::from(date.month()) - 1
}

/// Year and month (from 1) of a month's number.
pub(super) fn month_of(number: i32) -> (i16, i8) {
    let year = i16::try_from(number.div_euclid(12)).unwrap_or(1970);
    (year, i8::try_from(number.rem_euclid(12) + 1).unwrap_or(1))
}

/// Hour and minute of `HH:MM`.
pub(super) fn parse_time(text: &str) -> Option<(i8, i8)> {
    let (hour, minute) = text.trim().split_once(':')?;
    let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some((hour, minute))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_go_both_ways() {
        assert_eq!(parse("1970-01-02"), Some(1));
        assert_eq!(parse("2026-11-01").map(iso).as_deref(), Some("2026-11-01"));
        assert_eq!(parse("2026-02-30"), None);
        assert_eq!(iso(clamped(2026, 2, 31)), "2026-02-28");
        let day = parse("2026-11-01").expect("a date");
        assert_eq!(month_of(month_number(day)), (2026, 11));
        assert_eq!(name(day, "EEE DD MMMM YYYY", "en-US"), "Sun 01 November 2026");
    }

    #[test]
    fn times_are_hours_and_minutes() {
        assert_eq!(parse_time("09:05"), Some((9, 5)));
        assert_eq!(parse_time("24:00"), None);
        assert_eq!(parse_time("soon"), None);
    }
}
