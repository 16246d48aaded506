//! Days and times as widgets need them. Days count from 1970-01-01.

use super::expression::format_date;
use jiff::civil::{Date, Weekday};

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

/// Regions whose week begins on a Sunday, and on a Saturday; in all others on a Monday (Unicode CLDR 42, `weekData`).
const SUNDAY: &str = "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA \
                      PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const SATURDAY: &str = "AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";
/// The region that is meant where a locale names only its language, if its week does not begin on a Monday.
const LIKELY: [(&str, &str); 12] = [
    ("ar", "EG"),
    ("bn", "BD"),
    ("en", "US"),
    ("fa", "IR"),
    ("he", "IL"),
    ("hi", "IN"),
    ("id", "ID"),
    ("iw", "IL"),
    ("ja", "JP"),
    ("ko", "KR"),
    ("pt", "BR"),
    ("th", "TH"),
];

/// The first day of a week, as `Calendar.getFirstDayOfWeek` has it.
pub(super) fn first_weekday(locale: &str) -> Weekday {
    let mut parts = locale.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let likely = || LIKELY.iter().find(|(known, _)| *known == language).map(|(_, region)| *region);
    let region = parts.find(|part| part.len() == 2).or_else(likely).unwrap_or_default();
    let among = |regions: &str| regions.split_whitespace().any(|known| known == region);
    match (among(SUNDAY), among(SATURDAY)) {
        (true, _) => Weekday::Sunday,
        (_, true) => Weekday::Saturday,
        _ => Weekday::Monday,
    }
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
    fn weeks_begin_where_the_region_has_them_begin() {
        for (locale, day) in [
            ("en-US", Weekday::Sunday),
            ("en-GB", Weekday::Monday),
            ("en", Weekday::Sunday),
            ("ar-EG", Weekday::Saturday),
            ("zh-Hant-TW", Weekday::Sunday),
            ("de", Weekday::Monday),
        ] {
            assert_eq!(first_weekday(locale), day, "{locale}");
        }
    }

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
