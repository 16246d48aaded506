//! The day that a request wants on one control.

use super::lexicon::{holds_one_of, lexicon};
use super::past::Past;
use super::read::{DateWish, WrittenDate};
use super::wishes::Wishes;
use jiff::Span;
use jiff::civil::Date;

/// Days of a week.
const WEEK: i32 = 7;

/// All days that a request wants, in its order. Days counted from today need `today`, or the day that was shown first.
pub(super) fn wanted_days(
    wishes: &Wishes<'_>,
    shown: Option<WrittenDate>,
    today: Option<WrittenDate>,
    past: Past<'_>,
) -> Vec<WrittenDate> {
    let first = past.0.iter().find_map(|adjusted| adjusted.shown_before.as_deref().and_then(WrittenDate::read));
    let base = today.or(first).or(shown).and_then(|date| date.civil());
    wishes.dates.iter().filter_map(|wish| resolve(*wish, base)).collect()
}

/// The day for one control of a range by the control's name; the first one for any other.
pub(super) fn wanted_day(
    wishes: &Wishes<'_>,
    name: &str,
    shown: Option<WrittenDate>,
    today: Option<WrittenDate>,
    past: Past<'_>,
) -> Option<WrittenDate> {
    let days = wanted_days(wishes, shown, today, past);
    let is_end = holds_one_of(&lexicon().labels.naming.ends, name);
    if is_end { days.last().copied() } else { days.first().copied() }
}

fn resolve(wish: DateWish, base: Option<Date>) -> Option<WrittenDate> {
    let after = |days: i32| Some(WrittenDate::from(base?.checked_add(Span::new().days(days)).ok()?));
    match wish {
        DateWish::On(date) => Some(date),
        DateWish::Days(days) => after(days),
        DateWish::Weekday(day) => {
            let own = i32::from(base?.weekday().to_monday_zero_offset());
            let ahead = (i32::from(day) - own).rem_euclid(WEEK);
            after(if ahead == 0 { WEEK } else { ahead })
        }
    }
}
