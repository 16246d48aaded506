//! Steppers.

use super::sketch::{Dialect, Sketch};
use super::{next, plans, pursue, told};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{Adjusted, ControlKind, Step, ValueRequest, plan, recognise};

/// Rows of a name and "−  2  +", the controls described by `fewer` and `more`.
fn rows(dialect: Dialect, rows: &[(&str, String)], fewer: &str, more: &str) -> Screen {
    let mut sketch = Sketch::new(dialect);
    sketch.text("Travellers", [40, 100, 600, 180]);
    for (at, (name, value)) in rows.iter().enumerate() {
        let top = 300 + 200 * at as i32;
        sketch.text(name, [40, top + 30, 500, top + 90]);
        sketch.icon(fewer, [640, top, 760, top + 120]);
        sketch.text(value, [780, top + 30, 860, top + 90]);
        sketch.icon(more, [880, top, 1000, top + 120]);
    }
    sketch.screen()
}

fn two(dialect: Dialect, values: [i32; 2]) -> Screen {
    let all = [("Adults", values[0].to_string()), ("Children", values[1].to_string())];
    rows(dialect, &all, "Decrease", "Increase")
}

/// Which row and which way a touch goes.
fn touched(action: &Action) -> Option<(usize, i32)> {
    let target = action.target()?;
    let row = (target.bounds.top - 300) / 200;
    Some((row as usize, if target.bounds.left > 800 { 1 } else { -1 }))
}

fn count(values: &mut [i32; 2], action: &Action) {
    if let Some((row, by)) = touched(action) {
        values[row] = (values[row] + by).clamp(0, 6);
    }
}

#[test]
fn a_stepper_is_counted_to_its_number() {
    for dialect in Dialect::ALL {
        let (outcome, touches) = pursue([1, 0], |v| two(dialect, *v), count, "Set the number of adults to three", &[]);
        assert_eq!((outcome.as_str(), touches), ("reached 3", 2), "{dialect:?}");
        let (outcome, touches) = pursue([4, 0], |v| two(dialect, *v), count, "Choose 2 adults", &[]);
        assert_eq!((outcome.as_str(), touches), ("reached 2", 2), "{dialect:?}");
    }
}

#[test]
fn every_stepper_takes_the_number_of_its_own_noun() {
    for dialect in Dialect::ALL {
        let found = plans(&two(dialect, [1, 0]), "Search for 2 adults and one child", &[], &[]);
        let wanted: Vec<(&str, &str)> =
            found.iter().map(|plan| (plan.control.name.as_str(), plan.wanted.as_str())).collect();
        assert!(wanted.contains(&("Adults", "2")) && wanted.contains(&("Children", "1")), "{dialect:?}: {wanted:?}");
        assert_eq!(wanted.len(), 2, "{dialect:?}");
    }
}

#[test]
fn a_stepper_that_stops_is_impossible() {
    let text = "Set the adults to nine";
    let (outcome, _) = pursue([5, 0], |v| two(Dialect::Compose, *v), count, text, &[]);
    assert_eq!(outcome, "impossible");
}

#[test]
fn a_value_that_is_stepped_over_is_impossible() {
    let show = |value: &i32| rows(Dialect::Views, &[("Interval", format!("{value} min"))], "−", "+");
    let act = |value: &mut i32, action: &Action| *value += 15 * touched(action).map_or(0, |(_, by)| by);
    assert_eq!(pursue(15, show, act, "Set the interval to 45 minutes", &[]).0, "reached 45 min");
    assert_eq!(pursue(15, show, act, "Set the interval to 40 minutes", &[]).0, "impossible");
    assert_eq!(pursue(15, show, act, "Set the interval to an hour", &[]).0, "reached 60 min");
}

#[test]
fn wordless_controls_are_told_apart_by_what_they_do() {
    // The left one counts up.
    let show = |value: &i32| rows(Dialect::Views, &[("Gäste", value.to_string())], "", "");
    let act = |value: &mut i32, action: &Action| *value -= touched(action).map_or(0, |(_, by)| by);
    let (outcome, touches) = pursue(2, show, act, "Stelle die Gäste auf vier", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 4", 4));
}

#[test]
fn the_controls_may_stand_on_one_side_or_over_each_other() {
    for (fewer, value, more) in [
        ([640, 300, 760, 420], [500, 330, 600, 390], [780, 300, 900, 420]),
        ([640, 300, 760, 420], [920, 330, 1000, 390], [780, 300, 900, 420]),
        ([500, 700, 620, 820], [520, 600, 600, 680], [500, 460, 620, 580]),
    ] {
        for dialect in Dialect::ALL {
            let mut sketch = Sketch::new(dialect);
            sketch.text("Copies", [40, 330, 300, 390]);
            sketch.icon("Remove", fewer);
            sketch.text("2", value);
            sketch.icon("Add", more);
            assert_eq!(next(&sketch.screen(), "Set the copies to 3", &[]), "click \"Add\"", "{dialect:?} {value:?}");
            assert_eq!(next(&sketch.screen(), "Set the copies to 1", &[]), "click \"Remove\"", "{dialect:?} {value:?}");
        }
    }
}

#[test]
fn a_change_is_counted_from_what_was_shown_first() {
    let act = |value: &mut i32, action: &Action| *value += touched(action).map_or(0, |(_, by)| by);
    let show = |value: &i32| rows(Dialect::ReactNative, &[("Nights", value.to_string())], "−", "+");
    assert_eq!(pursue(3, show, act, "Increase the nights by two", &[]), ("reached 5".to_owned(), 2));
    assert_eq!(pursue(3, show, act, "Reduce the nights by 1", &[]), ("reached 2".to_owned(), 1));
}

#[test]
fn what_another_control_holds_already_is_not_asked_for_again() {
    let settled = ["2".to_owned()];
    let request = ValueRequest { text: "Choose 2 adults and 3 children", values: &[], settled: &settled };
    let found = plan(&two(Dialect::Views, [2, 0]), &super::LEXICON, &request, &[]);
    assert_eq!(found.first().map(|plan| (plan.control.name.as_str(), plan.wanted.as_str())), Some(("Children", "3")));
}

#[test]
fn a_large_number_is_typed_where_the_value_is_a_field() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("Quantity", [40, 330, 300, 390]);
    sketch.icon("Decrease", [500, 300, 620, 420]);
    sketch.node("android.widget.EditText", r#"text="1" clickable="true" focusable="true""#, [640, 300, 760, 420]);
    sketch.icon("Increase", [780, 300, 900, 420]);
    assert_eq!(next(&sketch.screen(), "Set the quantity to 24", &[]), "type 24 into \"Quantity\"");
    assert_eq!(next(&sketch.screen(), "Set the quantity to 2", &[]), "click \"Increase\"");
}

#[test]
fn touches_without_an_effect_end_the_attempt() {
    let screen = two(Dialect::Flutter, [2, 0]);
    let mut history = Vec::new();
    for _ in 0..2 {
        let found = plans(&screen, "Set the adults to 4", &[], &history);
        let Step::Act { action, .. } = found[0].step.clone() else { panic!("{found:?}") };
        history.push(Adjusted { action, shown_before: Some("2".into()), shown_after: Some("2".into()) });
    }
    assert_eq!(told(&plans(&screen, "Set the adults to 4", &[], &history)[0].step), "impossible");
}

#[test]
fn buttons_beside_a_number_are_no_stepper() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.button("Share", [40, 300, 300, 420]);
    sketch.text("2", [320, 330, 380, 390]);
    sketch.button("Delete", [400, 300, 660, 420]);
    assert!(recognise(&sketch.screen()).iter().all(|control| control.kind != ControlKind::Stepper));
}

#[test]
fn one_control_that_says_how_it_counts_is_enough_beside_the_value() {
    let check = |fewer: &str, more: &str, wanted: &str, expected: &str| {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.text("Seats: 2", [40, 330, 500, 390]);
        sketch.icon(fewer, [640, 300, 760, 420]);
        sketch.icon(more, [780, 300, 900, 420]);
        assert_eq!(next(&sketch.screen(), &format!("Set the seats to {wanted}"), &[]), expected, "{fewer:?} {more:?}");
    };
    check("Take one off", "Increase", "3", "click \"Increase\"");
    check("Take one off", "Increase", "1", "click \"Take one off\"");
    check("Fewer of them", "Further on", "1", "click \"Fewer of them\"");
    check("Share", "Delete", "3", "nothing");
}

#[test]
fn an_article_or_a_denial_is_a_number_of_what_is_counted() {
    let wanted = |text: &str| {
        let found = plans(&two(Dialect::Views, [3, 3]), text, &[], &[]);
        found.into_iter().map(|plan| (plan.control.name, plan.wanted)).collect::<Vec<_>>()
    };
    let pair = |name: &str, number: &str| (name.to_owned(), number.to_owned());
    let found = wanted("Search for 2 adults and a child");
    assert!(found.contains(&pair("Adults", "2")), "{found:?}");
    let found = wanted("Search for 2 adults without children");
    assert!(found.contains(&pair("Children", "0")) && found.contains(&pair("Adults", "2")), "{found:?}");
}

#[test]
fn each_of_two_numbers_belongs_to_the_name_before_it() {
    let found = plans(&two(Dialect::Flutter, [1, 0]), "Set the adults to 4 and the children to 2", &[], &[]);
    let wanted: Vec<(&str, &str)> =
        found.iter().map(|plan| (plan.control.name.as_str(), plan.wanted.as_str())).collect();
    assert!(wanted.contains(&("Adults", "4")) && wanted.contains(&("Children", "2")), "{wanted:?}");
}

#[test]
fn an_upright_pair_of_steppers_holds_a_time() {
    let show = |values: &[i32; 2]| {
        let mut sketch = Sketch::new(Dialect::Compose);
        for (at, value) in values.iter().enumerate() {
            let left = 300 + 300 * at as i32;
            sketch.icon("Increase", [left, 500, left + 120, 620]);
            sketch.text(&format!("{value:02}"), [left, 640, left + 120, 720]);
            sketch.icon("Decrease", [left, 740, left + 120, 860]);
        }
        sketch.screen()
    };
    let act = |values: &mut [i32; 2], action: &Action| {
        let Some(target) = action.target() else { return };
        let at = ((target.bounds.left - 300) / 300) as usize;
        let size = if at == 0 { 24 } else { 60 };
        values[at] = (values[at] + if target.bounds.top < 600 { 1 } else { -1 }).rem_euclid(size);
    };
    let (outcome, touches) = pursue([6, 28], show, act, "Set the alarm to half past seven in the morning", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 07:30", 3));
}

/// A row of its own: what is counted, its own unit in the name, and two controls of which one is at its end.
fn seats(value: i32) -> Screen {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("Up to 20 an hour", [40, 120, 1040, 180]);
    sketch.node("android.widget.SeekBar", r#"content-desc="Highest price""#, [40, 200, 1040, 320]);
    sketch.text("At least this many seats", [40, 400, 690, 460]);
    let off = if value <= 2 { r#"enabled="false""# } else { "" };
    let button = |label: &str, more: &str| format!(r#"content-desc="{label}" clickable="true" {more}"#);
    sketch.node("android.widget.ImageButton", &button("Fewer seats", off), [690, 370, 816, 496]);
    sketch.text(&value.to_string(), [816, 402, 912, 464]);
    sketch.node("android.widget.ImageButton", &button("More seats", ""), [912, 370, 1038, 496]);
    sketch.screen()
}

#[test]
fn a_stepper_at_its_end_is_one() {
    let act = |value: &mut i32, action: &Action| {
        if let Some(target) = action.target() {
            *value += if target.bounds.left > 900 { 1 } else { -1 };
        }
    };
    let (outcome, touches) = pursue(2, |value| seats(*value), act, "Ask for at least 7 seats", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 7", 5));
}

/// A value between two controls that words call, none of which the lexicon knows.
fn between_words(words: [&str; 2], value: &str) -> Screen {
    let mut sketch = Sketch::new(Dialect::Compose);
    sketch.icon(words[0], [200, 500, 340, 640]);
    sketch.text(value, [440, 530, 640, 610]);
    sketch.icon(words[1], [740, 500, 880, 640]);
    sketch.screen()
}

#[test]
fn the_first_touch_tells_which_of_two_unknown_words_counts_up() {
    let check = |words: [&str; 2], right: i32, expected: (&str, usize)| {
        let act = |value: &mut i32, action: &Action| {
            if let Some(target) = action.target() {
                *value += if target.bounds.left > 600 { right } else { -right };
            }
        };
        let show = |value: &i32| between_words(words, &format!("{value} %"));
        let (outcome, touches) = pursue(60, show, act, "Dim it to 40 %", &[]);
        assert_eq!((outcome.as_str(), touches), expected, "{words:?}");
    };
    check(["Darker", "Brighter"], 20, ("reached 40 %", 1));
    check(["Brighter", "Darker"], -20, ("reached 40 %", 3));
}

#[test]
fn a_value_may_stand_over_the_whole_width_above_its_controls() {
    let show = |value: &i32| {
        let mut sketch = Sketch::new(Dialect::Compose);
        sketch.text("Brightness", [40, 420, 1040, 480]);
        sketch.text(&format!("{value} %"), [40, 500, 1040, 640]);
        sketch.icon("Darker", [400, 680, 520, 800]);
        sketch.icon("Brighter", [560, 680, 680, 800]);
        sketch.screen()
    };
    let act = |value: &mut i32, action: &Action| {
        if let Some(target) = action.target() {
            *value += if target.bounds.left > 540 { 10 } else { -10 };
        }
    };
    let (outcome, touches) = pursue(60, show, act, "Dim it to 40 %", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached 40 %", 2));
}

#[test]
fn what_leads_from_month_to_month_counts_nothing() {
    let steppers = |screen: &Screen| {
        let found = super::super::recognise(screen);
        found.iter().filter(|control| control.kind == ControlKind::Stepper).count()
    };
    assert_eq!(steppers(&between_words(["Earlier", "Later"], "60 %")), 1);
    assert_eq!(steppers(&between_words(["Earlier", "Later"], "May 2026")), 0);
    assert_eq!(steppers(&between_words(["Cancel", "Send"], "60 %")), 0);
}
