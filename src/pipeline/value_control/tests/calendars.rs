//! Calendars.

use super::sketch::{Dialect, Sketch};
use super::{next, plans, pursue};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{Adjusted, ControlKind, recognise};
use jiff::civil::Date;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// How the days of a calendar are described.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    /// "9".
    Bare,
    /// "9 March 2026".
    InFull,
}

#[derive(Clone)]
struct Month {
    first: Date,
    chosen: Vec<Date>,
}

fn month(dialect: Dialect, said: Said, state: &Month) -> Screen {
    let mut sketch = Sketch::window(dialect, [60, 400, 1020, 2000]);
    let first = state.first;
    let name = MONTHS[first.month() as usize - 1];
    sketch.text("Select date", [100, 420, 500, 480]);
    sketch.icon("Previous month", [100, 500, 220, 600]);
    sketch.text(&format!("{name} {}", first.year()), [300, 520, 780, 580]);
    sketch.icon("Next month", [860, 500, 980, 600]);
    let lead = i32::from(first.weekday().to_monday_zero_offset());
    for day in 1..=first.days_in_month() {
        let at = i32::from(day) - 1 + lead;
        let (left, top) = (100 + 125 * (at % 7), 640 + 120 * (at / 7));
        let date = Date::new(first.year(), first.month(), day).unwrap();
        let label = match said {
            Said::Bare => day.to_string(),
            Said::InFull => format!("{day} {name} {}", first.year()),
        };
        let state = format!(r#"selected="{}""#, state.chosen.contains(&date));
        sketch.button_that_is(&label, &state, [left, top, left + 120, top + 115]);
    }
    sketch.button("OK", [860, 1880, 1000, 1980]);
    sketch.screen()
}

fn touch(state: &mut Month, action: &Action) {
    let Some(target) = action.target() else { return };
    match target.label.as_str() {
        "Next month" => state.first = state.first.last_of_month().tomorrow().unwrap(),
        "Previous month" => state.first = state.first.yesterday().unwrap().first_of_month(),
        label => {
            let day: i8 = label.split(' ').next().and_then(|day| day.parse().ok()).unwrap();
            state.chosen = vec![Date::new(state.first.year(), state.first.month(), day).unwrap()];
        }
    }
}

fn at(text: &str) -> Month {
    let date: Date = text.parse().unwrap();
    Month { first: date.first_of_month(), chosen: vec![date] }
}

#[test]
fn a_day_is_chosen_in_its_month() {
    for dialect in Dialect::ALL {
        for said in [Said::Bare, Said::InFull] {
            for (text, values, touches) in [
                ("Pick 9 March 2026", &[][..], 3),
                ("Pick the day", &["2026-03-09"][..], 3),
                ("Wähle den 9. März", &[][..], 3),
                ("Elige el 9 de marzo de 2026", &[][..], 3),
                ("Choisis le 15 janvier 2026", &[][..], 0),
                ("Choose December 24th, 2025", &[][..], 2),
            ] {
                let outcome = pursue(at("2026-01-15"), |m| month(dialect, said, m), touch, text, values);
                assert!(outcome.0.starts_with("reached 20"), "{dialect:?} {text}: {outcome:?}");
                assert_eq!(outcome.1, touches, "{dialect:?} {text}");
            }
        }
    }
}

#[test]
fn both_ends_of_a_range_are_touched_one_after_the_other() {
    // The calendar tells nothing of what is chosen.
    let show = |state: &Month| month(Dialect::ReactNative, Said::Bare, &Month { chosen: Vec::new(), ..state.clone() });
    let text = "Book from 28 March to 2 April 2026";
    let (outcome, touches) = pursue(at("2026-03-15"), show, touch, text, &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 2026-03-28 to 2026-04-02", 3));
    let (outcome, touches) = pursue(at("2026-03-15"), show, touch, "Wähle vom 3. bis 9. März", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 2026-03-03 to 2026-03-09", 2));
}

#[test]
fn relative_days_are_counted_from_the_day_that_is_shown() {
    for (text, expected) in [
        ("Choose tomorrow", "reached 2026-03-16"),
        ("Choose the day in three days", "reached 2026-03-18"),
        ("Choose next Friday", "reached 2026-03-20"),
    ] {
        let (outcome, _) = pursue(at("2026-03-15"), |m| month(Dialect::Compose, Said::InFull, m), touch, text, &[]);
        assert_eq!(outcome, expected, "{text}");
    }
}

#[test]
fn a_calendar_is_recognised_with_its_day() {
    for dialect in Dialect::ALL {
        let found = recognise(&month(dialect, Said::InFull, &at("2026-03-09")));
        assert_eq!(
            found.iter().map(|control| control.kind).collect::<Vec<_>>(),
            [ControlKind::Calendar],
            "{dialect:?}"
        );
        assert_eq!(found[0].shown.as_deref(), Some("2026-03-09"), "{dialect:?}");
    }
}

#[test]
fn a_day_that_cannot_be_chosen_is_impossible() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("March 2026", [300, 520, 780, 580]);
    for day in 1..=31 {
        let (left, top) = (100 + 125 * ((day - 1) % 7), 640 + 120 * ((day - 1) / 7));
        let state = if day < 15 { r#"enabled="false""# } else { "" };
        sketch.button_that_is(&day.to_string(), state, [left, top, left + 120, top + 115]);
    }
    assert_eq!(next(&sketch.screen(), "Pick 9 March 2026", &[]), "impossible");
    assert_eq!(next(&sketch.screen(), "Pick 19 March 2026", &[]), "click \"19\"");
}

#[test]
fn a_year_far_away_is_looked_up_in_the_list_of_years() {
    let mut sketch = Sketch::window(Dialect::Views, [60, 400, 1020, 2000]);
    sketch.node("android.widget.TextView", r#"text="2026" clickable="true""#, [100, 420, 300, 480]);
    for day in 1..=31 {
        let (left, top) = (100 + 125 * ((day - 1) % 7), 640 + 120 * ((day - 1) / 7));
        let state = format!(r#"content-desc="{day:02} March 2026" text="{day}" clickable="true""#);
        sketch.node("android.view.View", &state, [left, top, left + 120, top + 115]);
    }
    assert_eq!(next(&sketch.screen(), "Set the birthday to 4 June 1990", &[]), "click \"2026\"");
    let mut list = Sketch::window(Dialect::Views, [60, 400, 1020, 2000]);
    list.open("android.widget.ListView", r#"scrollable="true""#, [100, 600, 980, 1800]);
    for row in 0..8 {
        let top = 600 + 150 * row;
        let year = format!(r#"resource-id="android:id/text1" text="{}" clickable="true""#, 2022 + row);
        list.node("android.widget.TextView", &year, [100, top, 980, top + 150]);
    }
    list.close();
    assert_eq!(next(&list.screen(), "Set the birthday to 4 June 1990", &[]), "scroll up");
    assert_eq!(next(&list.screen(), "Set the date to 4 June 2025", &[]), "click \"2025\"");
}

#[test]
fn months_under_each_other_are_told_by_their_headings() {
    let mut sketch = Sketch::new(Dialect::ReactNative);
    sketch.open("android.widget.ScrollView", r#"scrollable="true""#, [0, 200, 1080, 2400]);
    for (at, (name, days)) in [("March 2026", 31), ("April 2026", 30)].into_iter().enumerate() {
        let start = 220 + 1000 * at as i32;
        sketch.text(name, [100, start, 500, start + 60]);
        for day in 0..days {
            let (left, top) = (100 + 125 * (day % 7), start + 100 + 120 * (day / 7));
            sketch.button(&(day + 1).to_string(), [left, top, left + 120, top + 115]);
        }
    }
    sketch.close();
    let screen = sketch.screen();
    let place = |text: &str| {
        let found = plans(&screen, text, &[], &[]);
        match &found[0].step {
            crate::pipeline::value_control::Step::Act { action: Action::Click { target }, .. } => target.bounds.top,
            other => panic!("{other:?}"),
        }
    };
    assert!(place("Pick 9 March 2026") < 1220 && place("Pick 9 April 2026") > 1220);
    assert_eq!(next(&screen, "Pick 9 June 2026", &[]), "scroll down");
}

#[test]
fn a_calendar_for_the_end_of_a_range_takes_the_end() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("Check-out", [100, 300, 500, 360]);
    sketch.text("March 2026", [300, 520, 780, 580]);
    for day in 1..=31 {
        let (left, top) = (100 + 125 * ((day - 1) % 7), 640 + 120 * ((day - 1) / 7));
        sketch.button(&day.to_string(), [left, top, left + 120, top + 115]);
    }
    assert_eq!(next(&sketch.screen(), "Stay from 3 to 9 March 2026", &[]), "click \"9\"");
}

#[test]
fn a_few_numbers_are_no_calendar() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("March 2026", [300, 520, 780, 580]);
    for day in 1..=9 {
        sketch.button(&day.to_string(), [100 * day, 640, 100 * day + 90, 740]);
    }
    assert!(recognise(&sketch.screen()).iter().all(|control| control.kind != ControlKind::Calendar));
    let history: Vec<Adjusted> = Vec::new();
    assert!(plans(&sketch.screen(), "Open the report", &[], &history).is_empty());
}

#[test]
fn a_row_that_shows_the_first_and_the_last_day_opens_what_sets_them() {
    let check = |label: &str, text: &str, expected: &str| {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.button("Where to?, Aldersea", [40, 300, 1040, 420]);
        sketch.button(label, [40, 440, 1040, 560]);
        sketch.button("Search", [40, 700, 1040, 820]);
        assert_eq!(next(&sketch.screen(), text, &[]), expected, "{label:?} {text:?}");
    };
    let (shown, wish) = ("When?, Fri, 15 May to Sun, 17 May", "Look for hotels from 5 June 2026 to 8 June 2026");
    check(shown, wish, "click \"When?, Fri, 15 May to Sun, 17 May\"");
    check("When?, Fri, 5 Jun to Mon, 8 Jun", wish, "reached When?, Fri, 5 Jun to Mon, 8 Jun");
    check(shown, "Look for hotels", "nothing");
    check("Tue, 24 Feb to Wed, 25 Feb, Whole day, Illness", wish, "nothing");
}
