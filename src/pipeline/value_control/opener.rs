//! Rows and buttons that show a date, two dates or a time and open what sets it.

use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::date_wish::wanted_day;
use super::layout::Page;
use super::past::Past;
use super::read::{DateWish, Reading, TimeOfDay, WrittenDate, dates_in, times_in};
use super::wishes::Wishes;
use crate::domain::words;
use crate::hierarchy::{Role, Widget, WidgetId};

/// Touches after which a row that opens nothing is given up.
const DEAD: usize = 3;
/// Most rows of a page that show a date or time and set it.
const MOST: usize = 6;
/// Most words of the name of such a row.
const MOST_WORDS: usize = 5;
/// Longest text that shows a date or time, in characters.
const LONGEST: usize = 60;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownValue {
    Time(TimeOfDay),
    Date(WrittenDate),
    /// The first and the last day.
    Days(WrittenDate, WrittenDate),
}

/// All rows and buttons of a screen that show one date or one time, and nothing more than its name. Rows of a list that
/// each show one are entries, and set nothing.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    let found: Vec<ValueControl> = page.free().filter_map(|widget| control(page, widget)).collect();
    if found.len() > MOST { Vec::new() } else { found }
}

fn control(page: &Page<'_>, widget: &Widget) -> Option<ValueControl> {
    let role = matches!(widget.role, Role::Button | Role::ListItem);
    if !widget.clickable || !role || widget.label.chars().count() > LONGEST {
        return None;
    }
    let (value, own) = read(&widget.label)?;
    let name = page.name_of(&own, widget.bounds, &[widget.id]);
    if words(&name).len() > MOST_WORDS {
        return None;
    }
    let mut control = ValueControl::new(ControlKind::Dropdown, vec![widget.id], name, Parts::Opener(widget.id, value));
    control.shown = Some(match value {
        ShownValue::Time(time) => time.to_string(),
        ShownValue::Date(date) => date.to_string(),
        ShownValue::Days(first, last) => format!("{first} – {last}"),
    });
    Some(control)
}

/// The only date or time of a label, or its first and last day, and what stands before it.
fn read(label: &str) -> Option<(ShownValue, String)> {
    if !label.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let reading = Reading::new(label);
    let times: Vec<_> = times_in(&reading).into_iter().filter(|found| found.sure).collect();
    let dates: Vec<WrittenDate> = dates_in(&reading)
        .into_iter()
        .filter_map(|wish| match wish {
            DateWish::On(date) => Some(date).filter(|date| date.day.is_some()),
            DateWish::Days(_) | DateWish::Weekday(_) => None,
        })
        .collect();
    match (times.as_slice(), dates.as_slice()) {
        ([time], []) if rest(label, time.span.end).is_empty() => {
            Some((ShownValue::Time(time.time), rest_before(label, time.span.start)))
        }
        ([], [date]) => {
            let whole = WrittenDate::read(label).is_some();
            let named = || label.split_once([',', ':']).filter(|(_, date)| WrittenDate::read(date).is_some());
            let own = if whole { Some("") } else { named().map(|(name, _)| name.trim()) };
            own.map(|own| (ShownValue::Date(*date), own.to_owned()))
        }
        // An entry of a list tells more after its days.
        ([], [first, last]) if ends_with_a_date(label) => {
            let own = label.split_once([',', ':']).map_or("", |(name, _)| name.trim());
            let own = if dates_in(&Reading::new(own)).is_empty() { own } else { "" };
            Some((ShownValue::Days(*first, *last), own.to_owned()))
        }
        _ => None,
    }
}

/// True if the last word of a label is a part of its last date: without it fewer days are told, or others.
fn ends_with_a_date(label: &str) -> bool {
    let Some((before, _)) = label.trim_end().rsplit_once([' ', ',']) else { return false };
    dates_in(&Reading::new(before)) != dates_in(&Reading::new(label))
}

fn rest(label: &str, from: usize) -> &str {
    label.get(from..).unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric())
}

fn rest_before(label: &str, to: usize) -> String {
    label.get(..to).unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Opens what sets the value, unless the wanted one is shown.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: (WidgetId, ShownValue),
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let (id, shown) = parts;
    let widget = page.widget(id)?;
    let (wanted, same) = match shown {
        ShownValue::Time(now) => {
            let wish = wishes.time_for(&control.name)?;
            (wish.time.to_string(), wish.time.agrees(now))
        }
        ShownValue::Date(now) => {
            let day = wanted_day(wishes, &control.name, Some(now), None, past).filter(|day| day.day.is_some())?;
            (day.to_string(), day.is(&now))
        }
        ShownValue::Days(first, last) => {
            let days = wishes.dates.iter().filter_map(|wish| match wish {
                DateWish::On(date) => Some(date).filter(|date| date.day.is_some()),
                DateWish::Days(_) | DateWish::Weekday(_) => None,
            });
            let days: Vec<&WrittenDate> = days.collect();
            let wanted: Vec<String> = days.iter().map(ToString::to_string).collect();
            if wanted.is_empty() {
                return None;
            }
            (wanted.join(" – "), days.iter().all(|day| day.is(&first) || day.is(&last)))
        }
    };
    let step = if same {
        Step::reached(widget.label.clone())
    } else if past.touches(widget.bounds) >= DEAD {
        Step::impossible("it opens nothing that sets the value")
    } else {
        Step::click(widget, "it shows the value and opens what sets it")
    };
    // A day goes where days are shown, whatever the row is called; a time of day may be meant for many things.
    let value_fit = if matches!(shown, ShownValue::Time(_)) { 0.8 } else { 0.9 };
    Some(Draft { wanted, value_fit, step })
}
