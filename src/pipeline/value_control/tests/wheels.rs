//! Wheels, alone and together.

use super::sketch::{Dialect, Sketch};
use super::{plans, pursue};
use crate::domain::{Action, Direction};
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{ControlKind, recognise};

/// A wheel of Android's own: the value as a field between two buttons with its neighbours.
fn picker(sketch: &mut Sketch, id: &str, left: i32, values: &[String], at: usize) {
    let right = left + 200;
    sketch.open(
        "android.widget.NumberPicker",
        &format!(r#"resource-id="{id}" scrollable="true" focusable="true""#),
        [left, 800, right, 1200],
    );
    let len = values.len();
    let button = |sketch: &mut Sketch, value: &str, top: i32| {
        sketch.node(
            "android.widget.Button",
            &format!(r#"text="{value}" clickable="true""#),
            [left, top, right, top + 130],
        );
    };
    button(sketch, &values[(at + len - 1) % len], 800);
    let field = format!(r#"resource-id="android:id/numberpicker_input" text="{}" focusable="true""#, values[at]);
    sketch.node("android.widget.EditText", &field, [left, 935, right, 1065]);
    button(sketch, &values[(at + 1) % len], 1070);
    sketch.close();
}

/// A wheel that is a list of texts to the accessibility service.
fn list(sketch: &mut Sketch, left: i32, values: &[String], at: usize) {
    sketch.open("android.view.View", r#"scrollable="true""#, [left, 800, left + 200, 1200]);
    for offset in -1_i32..=1 {
        let Some(value) = usize::try_from(at as i32 + offset).ok().and_then(|at| values.get(at)) else { continue };
        let top = 935 + 130 * offset;
        sketch.text(value, [left, top, left + 200, top + 130]);
    }
    sketch.close();
}

fn numbers(range: std::ops::Range<i32>) -> Vec<String> {
    range.map(|number| format!("{number:02}")).collect()
}

/// Turns the wheel at the action's place by one value.
fn turn(places: &mut [usize], lens: &[usize], action: &Action) {
    let Some(target) = action.target() else { return };
    let wheel = ((target.bounds.left - 100) / 300) as usize;
    let down = match action {
        Action::SwipeSelector { direction, .. } => *direction == Direction::Down,
        _ => target.bounds.top > 1000,
    };
    let len = lens[wheel];
    places[wheel] = (places[wheel] + if down { 1 } else { len - 1 }) % len;
}

#[test]
fn two_wheels_hold_a_time() {
    let show = |at: &[usize; 2]| {
        let mut sketch = Sketch::new(Dialect::Views);
        picker(&mut sketch, "android:id/hour", 100, &numbers(0..24), at[0]);
        picker(&mut sketch, "android:id/minute", 400, &numbers(0..60), at[1]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 2], action: &Action| turn(at, &[24, 60], action);
    for text in [
        "Set the alarm to twenty past seven in the evening",
        "Stelle den Wecker auf zwanzig nach sieben abends",
        "Pon la alarma a las siete y veinte de la tarde",
        "Règle le réveil à sept heures vingt du soir",
        "Set the alarm to 7:20 PM",
    ] {
        let (outcome, turns) = pursue([17, 5], show, act, text, &[]);
        assert_eq!((outcome.as_str(), turns), ("reached 19:20", 17), "{text}");
    }
    let found = recognise(&show(&[17, 5]));
    assert_eq!((found.len(), found[0].kind), (1, ControlKind::TimeWheels));
}

#[test]
fn two_wheels_hold_a_duration() {
    let show = |at: &[usize; 2]| {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.text("Hours", [100, 700, 300, 760]);
        sketch.text("Minutes", [400, 700, 600, 760]);
        picker(&mut sketch, "", 100, &numbers(0..24), at[0]);
        picker(&mut sketch, "", 400, &numbers(0..60), at[1]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 2], action: &Action| turn(at, &[24, 60], action);
    for text in
        ["Set the timer to two and a half hours", "Stelle den Timer auf zweieinhalb Stunden", "Set it to 2 h 30 min"]
    {
        let (outcome, _) = pursue([0, 20], show, act, text, &[]);
        assert_eq!(outcome, "reached 02:30", "{text}");
    }
}

#[test]
fn lists_of_texts_are_wheels_where_they_count() {
    for dialect in [Dialect::Compose, Dialect::Flutter, Dialect::ReactNative] {
        let show = |at: &[usize; 2]| {
            let mut sketch = Sketch::new(dialect);
            sketch.text("hours", [100, 700, 300, 760]);
            sketch.text("min", [400, 700, 600, 760]);
            list(&mut sketch, 100, &numbers(0..24), at[0]);
            list(&mut sketch, 400, &numbers(0..60), at[1]);
            sketch.screen()
        };
        let act = |at: &mut [usize; 2], action: &Action| turn(at, &[24, 60], action);
        let (outcome, _) = pursue([5, 20], show, act, "Set the timer to an hour and a half", &[]);
        assert_eq!(outcome, "reached 01:30", "{dialect:?}");
    }
}

#[test]
fn the_shorter_way_round_is_taken() {
    let show = |at: &[usize; 2]| {
        let mut sketch = Sketch::new(Dialect::Views);
        picker(&mut sketch, "android:id/hour", 100, &numbers(0..24), at[0]);
        picker(&mut sketch, "android:id/minute", 400, &numbers(0..60), at[1]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 2], action: &Action| turn(at, &[24, 60], action);
    let (outcome, turns) = pursue([7, 0], show, act, "Set the alarm to 07:58", &[]);
    assert_eq!((outcome.as_str(), turns), ("reached 07:58", 2));
}

#[test]
fn three_wheels_hold_a_date() {
    let months: Vec<String> =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map(str::to_owned).into();
    let show = |at: &[usize; 3]| {
        let mut sketch = Sketch::new(Dialect::Views);
        picker(&mut sketch, "android:id/month", 100, &months, at[0]);
        picker(&mut sketch, "android:id/day", 400, &numbers(1..32), at[1]);
        picker(&mut sketch, "android:id/year", 700, &numbers(1990..2031), at[2]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 3], action: &Action| turn(at, &[12, 31, 41], action);
    for (text, values) in [
        ("Set the date of birth to 9 March 1992", &[][..]),
        ("Wähle den 9. März 1992 als Geburtsdatum", &[][..]),
        ("Set the date of birth", &["1992-03-09"][..]),
    ] {
        let (outcome, turns) = pursue([0, 4, 0], show, act, text, values);
        assert_eq!((outcome.as_str(), turns), ("reached Mar 09 1992", 8), "{text}");
    }
}

#[test]
fn a_single_wheel_is_turned_to_its_value() {
    let sizes: Vec<String> = ["Red", "Green", "Blue", "Yellow", "Black"].map(str::to_owned).into();
    let screen = |at: &[usize; 1]| -> Screen {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.text("Colour", [100, 700, 300, 760]);
        picker(&mut sketch, "", 100, &sizes, at[0]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 1], action: &Action| turn(at, &[5], action);
    let (outcome, turns) = pursue([0], screen, act, "Choose the colour", &["Yellow"]);
    assert_eq!(outcome, "reached Yellow");
    assert!(turns <= 3, "{turns}");
    assert_eq!(plans(&screen(&[0]), "Choose the colour", &["Yellow"], &[])[0].control.name, "Colour");
}

#[test]
fn a_wheel_at_its_end_is_known_by_the_one_beside_it() {
    for dialect in [Dialect::Compose, Dialect::ReactNative] {
        let show = |at: &[usize; 2]| {
            let mut sketch = Sketch::new(dialect);
            list(&mut sketch, 100, &numbers(0..24), at[0]);
            list(&mut sketch, 400, &numbers(0..60), at[1]);
            sketch.screen()
        };
        let act = |at: &mut [usize; 2], action: &Action| turn(at, &[24, 60], action);
        let (outcome, turns) = pursue([0, 20], show, act, "Set the alarm to 02:25", &[]);
        assert_eq!((outcome.as_str(), turns), ("reached 02:25", 7), "{dialect:?}");
    }
}

#[test]
fn a_unit_behind_each_wheel_tells_its_part() {
    let quarters: Vec<String> = ["00", "15", "30", "45"].map(str::to_owned).to_vec();
    let show = |at: &[usize; 2]| {
        let mut sketch = Sketch::new(Dialect::Views);
        sketch.text("Kitchen timer", [100, 100, 900, 180]);
        picker(&mut sketch, "wheel_one", 100, &numbers(0..60), at[0]);
        sketch.text("min", [310, 970, 380, 1030]);
        picker(&mut sketch, "wheel_two", 400, &quarters, at[1]);
        sketch.text("s", [610, 970, 640, 1030]);
        sketch.screen()
    };
    let act = |at: &mut [usize; 2], action: &Action| turn(at, &[60, 4], action);
    let text = "Set the kitchen timer to 12 minutes and 30 seconds";
    assert_eq!(pursue([10, 0], show, act, text, &[]), ("reached 12:30".to_owned(), 4));
}
