//! Choices: segmented controls, chips, radio buttons, drop-downs.

use super::sketch::{Dialect, Sketch};
use super::{next, plans, pursue};
use crate::domain::{Action, Direction};
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{ControlKind, recognise};

/// Choices one after the other, with the distance between their left and their upper edges.
fn group(dialect: Dialect, name: &str, labels: &[&str], chosen: usize, (across, down): (i32, i32)) -> Screen {
    let mut sketch = Sketch::new(dialect);
    sketch.text(name, [40, 400, 600, 460]);
    sketch.open("android.widget.LinearLayout", "", [40, 480, 1040, 1400]);
    for (at, label) in labels.iter().enumerate() {
        let (left, top) = (40 + across * at as i32, 480 + down * at as i32);
        sketch.choice(label, at == chosen, [left, top, left + 240, top + 100]);
    }
    sketch.close();
    sketch.screen()
}

#[test]
fn the_choice_that_is_said_is_touched() {
    for dialect in Dialect::ALL {
        for (kind, step) in [
            (ControlKind::Segmented, (240, 0)),
            (ControlKind::ChipGroup, (260, 0)),
            (ControlKind::RadioGroup, (0, 120)),
        ] {
            let labels = ["Small", "Medium", "Large"];
            let screen = group(dialect, "Size", &labels, 1, step);
            let found = recognise(&screen);
            assert_eq!(found.iter().map(|control| control.kind).collect::<Vec<_>>(), [kind], "{dialect:?}");
            assert_eq!((found[0].name.as_str(), found[0].shown.as_deref()), ("Size", Some("Medium")), "{dialect:?}");
            assert_eq!(next(&screen, "Choose large as the size", &[]), "click \"Large\"", "{dialect:?} {kind:?}");
            assert_eq!(next(&screen, "Set the size", &["Small"]), "click \"Small\"", "{dialect:?} {kind:?}");
            assert_eq!(next(&screen, "Set the size to medium", &[]), "reached Medium", "{dialect:?} {kind:?}");
            assert_eq!(next(&screen, "One size smaller", &[]), "click \"Small\"", "{dialect:?} {kind:?}");
            assert_eq!(next(&screen, "Open the settings", &[]), "nothing", "{dialect:?} {kind:?}");
        }
    }
}

#[test]
fn a_choice_is_meant_by_another_way_to_say_its_value() {
    let labels = ["15 min", "30 min", "1 h", "2 h"];
    for (text, expected) in [
        ("Remind me half an hour before", "click \"30 min\""),
        ("Set the reminder to two hours", "click \"2 h\""),
        ("Erinnere mich eine Stunde vorher", "click \"1 h\""),
        ("Erinnere mich eine Viertelstunde vorher", "reached 15 min"),
    ] {
        assert_eq!(next(&group(Dialect::Compose, "Reminder", &labels, 0, (250, 0)), text, &[]), expected, "{text}");
    }
}

#[test]
fn what_is_left_behind_is_not_chosen() {
    let labels = ["Daily", "Weekly", "Monthly"];
    let screen = |chosen| group(Dialect::Flutter, "Repeat", &labels, chosen, (0, 120));
    assert_eq!(next(&screen(1), "Change the repeat from weekly to monthly", &[]), "click \"Monthly\"");
    assert_eq!(next(&screen(0), "Repeat it monthly instead of daily", &[]), "click \"Monthly\"");
    assert_eq!(next(&screen(0), "Repeat it weekly, not monthly", &[]), "click \"Weekly\"");
}

#[test]
fn the_longer_label_is_meant_where_both_are_said() {
    let labels = ["Large", "Extra large", "Medium"];
    let screen = group(Dialect::Views, "Size", &labels, 2, (0, 120));
    assert_eq!(next(&screen, "Choose extra large", &[]), "click \"Extra large\"");
    assert_eq!(next(&screen, "Choose large", &[]), "click \"Large\"");
}

#[test]
fn several_chips_may_be_on() {
    let labels = ["Vegan", "Gluten-free", "Halal"];
    let show = |on: &[bool; 3]| {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.text("Diet", [40, 400, 600, 460]);
        sketch.open("com.google.android.material.chip.ChipGroup", "", [40, 480, 1040, 600]);
        for (at, label) in labels.iter().enumerate() {
            let left = 40 + 330 * at as i32;
            let state = format!(r#"text="{label}" clickable="true" checkable="true" checked="{}""#, on[at]);
            sketch.node("android.widget.CompoundButton", &state, [left, 480, left + 300, 600]);
        }
        sketch.close();
        sketch.screen()
    };
    let act = |on: &mut [bool; 3], action: &Action| {
        let label = action.target().map(|target| target.label.clone()).unwrap_or_default();
        if let Some(at) = labels.iter().position(|known| *known == label) {
            on[at] = !on[at];
        }
    };
    let (outcome, touches) = pursue([false; 3], show, act, "Choose vegan and gluten-free", &[]);
    assert_eq!((outcome.as_str(), touches), ("reached Vegan, Gluten-free", 2));
}

#[test]
fn buttons_that_stand_together_are_no_choices() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("Your order", [40, 400, 600, 460]);
    sketch.button("Cancel order", [40, 480, 500, 600]);
    sketch.button("Track order", [540, 480, 1000, 600]);
    assert_eq!(recognise(&sketch.screen()), Vec::new());
}

/// A page with a closed list of options.
fn closed(shown: &str) -> Screen {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("Currency", [40, 400, 600, 460]);
    sketch.open("android.widget.Spinner", r#"clickable="true" focusable="true""#, [40, 480, 1040, 600]);
    sketch.node("android.widget.TextView", &format!(r#"text="{shown}""#), [60, 500, 900, 580]);
    sketch.close();
    sketch.text("Language", [40, 700, 600, 760]);
    sketch.open("android.widget.Spinner", r#"clickable="true" focusable="true""#, [40, 780, 1040, 900]);
    sketch.node("android.widget.TextView", r#"text="English""#, [60, 800, 900, 880]);
    sketch.close();
    sketch.screen()
}

const CURRENCIES: [&str; 12] = ["AUD", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "JPY", "NOK", "SEK", "USD"];

/// The window of its options, six of which are in sight.
fn open(first: usize, chosen: &str) -> Screen {
    let mut sketch = Sketch::window(Dialect::Views, [40, 480, 1040, 1200]);
    sketch.open("android.widget.ListView", r#"scrollable="true""#, [40, 480, 1040, 1200]);
    for (at, label) in CURRENCIES.iter().enumerate().skip(first).take(6) {
        let top = 480 + 120 * (at - first) as i32;
        let state = format!(
            r#"resource-id="android:id/text1" text="{label}" clickable="true" checkable="true" checked="{}""#,
            *label == chosen
        );
        sketch.node("android.widget.CheckedTextView", &state, [40, top, 1040, top + 120]);
    }
    sketch.close();
    sketch.screen()
}

/// A list of options, closed or open at its nth one.
#[derive(Clone)]
struct List {
    chosen: String,
    open_at: Option<usize>,
}

#[test]
fn a_list_is_opened_and_its_option_taken_wherever_it_stands() {
    let show = |list: &List| list.open_at.map_or_else(|| closed(&list.chosen), |at| open(at, &list.chosen));
    let act = |list: &mut List, action: &Action| match (action, list.open_at) {
        (Action::Click { .. }, None) => list.open_at = Some(0),
        (Action::Click { target }, Some(_)) => *list = List { chosen: target.label.clone(), open_at: None },
        (Action::Scroll { direction: Direction::Down, .. }, Some(at)) => list.open_at = Some((at + 5).min(6)),
        (Action::Scroll { .. }, Some(at)) => list.open_at = Some(at.saturating_sub(5)),
        _ => {}
    };
    for (wanted, touches) in [("CHF", 2), ("USD", 4), ("EUR", 3)] {
        let start = List { chosen: "AUD".into(), open_at: None };
        let outcome = pursue(start, show, act, "Set the currency", &[wanted]);
        assert_eq!(outcome, (format!("reached {wanted}"), touches));
    }
}

#[test]
fn the_named_list_is_opened_by_plain_words() {
    let found = plans(&closed("EUR"), "Set the language to German", &[], &[]);
    assert_eq!(
        found.first().map(|plan| (plan.control.name.as_str(), plan.wanted.as_str())),
        Some(("Language", "german"))
    );
    let names: Vec<String> = recognise(&closed("EUR")).into_iter().map(|control| control.name).collect();
    assert_eq!(names, ["Currency", "Language"]);
}

#[test]
fn an_exposed_list_hangs_on_its_field() {
    let mut sketch = Sketch::new(Dialect::Views);
    let field = r#"text="Monthly" hint="Frequency" clickable="true" focusable="true" focused="true""#;
    sketch.node("android.widget.AutoCompleteTextView", field, [40, 480, 1040, 620]);
    sketch.icon("Show dropdown menu", [920, 500, 1020, 600]);
    assert_eq!(recognise(&sketch.screen())[0].shown.as_deref(), Some("Monthly"));
    assert!(next(&sketch.screen(), "Set the frequency to weekly", &[]).starts_with("click \"Frequency\""));
    sketch.open("android.widget.ListView", r#"scrollable="true""#, [40, 620, 1040, 980]);
    for (at, label) in ["Daily", "Weekly", "Monthly"].into_iter().enumerate() {
        let top = 620 + 120 * at as i32;
        sketch.node(
            "android.widget.TextView",
            &format!(r#"text="{label}" clickable="true""#),
            [40, top, 1040, top + 120],
        );
    }
    sketch.close();
    assert_eq!(next(&sketch.screen(), "Set the frequency to weekly", &[]), "click \"Weekly\"");
}

#[test]
fn a_label_may_tell_its_state() {
    let mut sketch = Sketch::new(Dialect::ReactNative);
    sketch.text("Difficulty", [40, 400, 600, 460]);
    sketch.open("android.view.ViewGroup", "", [40, 480, 1040, 600]);
    for (at, label) in ["Easy, Selected", "Medium, Not selected", "Hard, Not selected"].into_iter().enumerate() {
        let left = 40 + 250 * at as i32;
        sketch.button(label, [left, 480, left + 240, 580]);
    }
    sketch.close();
    let screen = sketch.screen();
    assert_eq!(recognise(&screen)[0].shown.as_deref(), Some("Easy"));
    assert_eq!(next(&screen, "Set the difficulty to hard", &[]), "click \"Hard, Not selected\"");
    assert_eq!(next(&screen, "Set the difficulty to easy", &[]), "reached Easy");
}

#[test]
fn choices_without_a_state_need_their_name() {
    for dialect in [Dialect::Flutter, Dialect::ReactNative, Dialect::Compose] {
        let mut sketch = Sketch::new(dialect);
        sketch.text("Spice level", [40, 400, 600, 460]);
        sketch.open("android.view.ViewGroup", r#"scrollable="true""#, [40, 480, 1040, 600]);
        for (at, label) in ["Mild", "Medium", "Hot"].into_iter().enumerate() {
            let left = 40 + 260 * at as i32;
            sketch.button(label, [left, 480, left + 240, 580]);
        }
        sketch.close();
        let screen = sketch.screen();
        assert_eq!(next(&screen, "Choose hot as the spice level", &[]), "click \"Hot\"", "{dialect:?}");
        assert_eq!(next(&screen, "Turn the hot water on", &[]), "nothing", "{dialect:?}");
    }
}

#[test]
fn rows_with_switches_are_no_choices() {
    let mut sketch = Sketch::new(Dialect::Views);
    for (at, label) in ["Wi-Fi", "Bluetooth", "Location"].into_iter().enumerate() {
        let top = 300 + 160 * at as i32;
        sketch.open("android.widget.LinearLayout", r#"clickable="true""#, [0, top, 1080, top + 150]);
        sketch.text(label, [40, top + 40, 400, top + 110]);
        sketch.node("android.widget.Switch", r#"checkable="true" checked="true""#, [900, top + 40, 1040, top + 110]);
        sketch.close();
    }
    assert_eq!(recognise(&sketch.screen()), Vec::new());
}

#[test]
fn each_of_two_lists_takes_the_value_said_next_to_it() {
    let values = ["USD", "German"];
    let found = plans(&closed("EUR"), "Set the language to German and the currency to USD", &values, &[]);
    let wanted: Vec<(&str, &str)> =
        found.iter().map(|plan| (plan.control.name.as_str(), plan.wanted.as_str())).collect();
    assert!(wanted.contains(&("Currency", "USD")) && wanted.contains(&("Language", "German")), "{wanted:?}");
}

#[test]
fn an_email_field_with_an_icon_is_no_list() {
    let mut sketch = Sketch::new(Dialect::Views);
    let field = r#"text="" hint="Email" clickable="true" focusable="true""#;
    sketch.node("android.widget.AutoCompleteTextView", field, [40, 480, 1040, 620]);
    sketch.icon("Clear text", [920, 500, 1020, 600]);
    assert_eq!(recognise(&sketch.screen()), Vec::new());
}

#[test]
fn a_row_that_shows_a_time_or_date_is_opened() {
    for dialect in Dialect::ALL {
        let mut sketch = Sketch::new(dialect);
        sketch.text("Wake me at", [40, 420, 500, 480]);
        sketch.button("07:00", [700, 400, 1040, 500]);
        sketch.button("Due date: Mon, 9 Mar 2026", [40, 600, 1040, 720]);
        let screen = sketch.screen();
        assert_eq!(next(&screen, "Wake me at half past six in the morning", &[]), "click \"07:00\"", "{dialect:?}");
        assert_eq!(next(&screen, "Wake me at 7 o'clock", &[]), "reached 07:00", "{dialect:?}");
        let due = "click \"Due date: Mon, 9 Mar 2026\"";
        assert_eq!(next(&screen, "Set the due date to 12 March 2026", &[]), due, "{dialect:?}");
        assert_eq!(
            next(&screen, "Set the due date to 9 March", &[]),
            "reached Due date: Mon, 9 Mar 2026",
            "{dialect:?}"
        );
    }
}

#[test]
fn a_row_under_its_name_is_opened_where_the_whole_name_is_said() {
    for dialect in [Dialect::Compose, Dialect::Flutter, Dialect::ReactNative] {
        let mut sketch = Sketch::new(dialect);
        sketch.text("Payment frequency", [40, 400, 600, 460]);
        sketch.button("Monthly", [40, 480, 1040, 600]);
        sketch.button("Continue", [40, 2000, 1040, 2120]);
        let screen = sketch.screen();
        let text = "Set the payment frequency to weekly";
        assert_eq!(next(&screen, text, &[]), "click \"Monthly\"", "{dialect:?}");
        assert_eq!(next(&screen, "Choose monthly as the payment frequency", &[]), "reached Monthly", "{dialect:?}");
        assert_eq!(next(&screen, "Make the payment", &["weekly"]), "nothing", "{dialect:?}");
        assert_eq!(recognise(&screen), Vec::new(), "{dialect:?}");
    }
}

#[test]
fn dated_entries_of_a_list_set_nothing() {
    let mut sketch = Sketch::new(Dialect::Flutter);
    for row in 0..8 {
        let top = 300 + 160 * row;
        sketch.button(&format!("Call, {} Mar 2026", row + 1), [0, top, 1080, top + 150]);
    }
    assert_eq!(recognise(&sketch.screen()), Vec::new());
}

#[test]
fn choices_that_only_share_a_parent_are_parted_by_their_headings() {
    for dialect in Dialect::ALL {
        let mut sketch = Sketch::new(dialect);
        sketch.text("Size", [40, 300, 600, 360]);
        for (at, label) in ["Small", "Medium", "Large"].into_iter().enumerate() {
            let left = 40 + 330 * at as i32;
            sketch.choice(label, at == 1, [left, 370, left + 330, 480]);
        }
        sketch.text("Repeat", [40, 500, 600, 560]);
        for (at, label) in ["Daily", "Weekly", "Monthly"].into_iter().enumerate() {
            let left = 40 + 260 * at as i32;
            sketch.choice(label, at == 0, [left, 570, left + 240, 690]);
        }
        sketch.text("Speed", [40, 710, 600, 770]);
        for (at, label) in ["Slow", "Normal", "Fast"].into_iter().enumerate() {
            let top = 780 + 130 * at as i32;
            sketch.choice(label, at == 1, [40, top, 1040, top + 120]);
        }
        let screen = sketch.screen();
        let found: Vec<(ControlKind, String)> =
            recognise(&screen).into_iter().map(|control| (control.kind, control.name)).collect();
        let expected = [
            (ControlKind::Segmented, "Size".to_owned()),
            (ControlKind::ChipGroup, "Repeat".to_owned()),
            (ControlKind::RadioGroup, "Speed".to_owned()),
        ];
        assert_eq!(found, expected, "{dialect:?}");
        assert_eq!(next(&screen, "Set the speed to fast", &[]), "click \"Fast\"", "{dialect:?}");
    }
}
