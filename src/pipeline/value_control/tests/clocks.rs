//! Clocks.

use super::sketch::{Dialect, Sketch};
use super::{next, plans, pursue};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{ControlKind, recognise};

/// A clock of twelve hours.
#[derive(Clone, Copy)]
struct Clock {
    hour: u32,
    minute: u32,
    late: bool,
    on_minutes: bool,
}

const MORNING: Clock = Clock { hour: 9, minute: 0, late: false, on_minutes: false };

/// The dial as it stands on the display, with numbers as a toolkit writes them.
fn dial(sketch: &mut Sketch, numbers: &[String], reach: f64) {
    for (at, number) in numbers.iter().enumerate() {
        let angle = at as f64 / 12.0 * std::f64::consts::TAU;
        let (x, y) = (540.0 + reach * angle.sin(), 1250.0 - reach * angle.cos());
        let (x, y) = (x.round() as i32, y.round() as i32);
        sketch.icon(number, [x - 55, y - 55, x + 55, y + 55]);
    }
}

fn show(dialect: Dialect, clock: &Clock) -> Screen {
    let mut sketch = Sketch::window(dialect, [140, 580, 940, 1760]);
    let twelve = if clock.hour == 0 { 12 } else { clock.hour };
    let hour = if dialect == Dialect::Compose { format!("{twelve} o'clock") } else { twelve.to_string() };
    sketch.choice(&hour, !clock.on_minutes, [300, 620, 500, 820]);
    sketch.choice(&format!("{:02}", clock.minute), clock.on_minutes, [540, 620, 740, 820]);
    sketch.choice("AM", !clock.late, [780, 620, 880, 710]);
    sketch.choice("PM", clock.late, [780, 720, 880, 810]);
    let numbers: Vec<String> = (0..12)
        .map(|at| match (clock.on_minutes, at) {
            (true, at) => format!("{:02}", at * 5),
            (false, 0) => "12".to_owned(),
            (false, at) => at.to_string(),
        })
        .collect();
    dial(&mut sketch, &numbers, 300.0);
    sketch.button("Cancel", [540, 1640, 720, 1740]);
    sketch.button("OK", [740, 1640, 900, 1740]);
    sketch.screen()
}

fn touch(clock: &mut Clock, action: &Action) {
    let Some(target) = action.target() else { return };
    match (target.bounds.top, target.bounds.left) {
        (620, 300) => clock.on_minutes = false,
        (620, 540) => clock.on_minutes = true,
        (620, _) => clock.late = false,
        (720, 780) => clock.late = true,
        _ => {
            let (x, y) = (f64::from(target.tap.x) - 540.0, 1250.0 - f64::from(target.tap.y));
            let turn = x.atan2(y).rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
            if clock.on_minutes {
                clock.minute = (turn * 60.0).round() as u32 % 60;
            } else {
                (clock.hour, clock.on_minutes) = ((turn * 12.0).round() as u32 % 12, true);
            }
        }
    }
}

#[test]
fn a_clock_is_set_by_hour_minute_and_half_of_the_day() {
    for dialect in Dialect::ALL {
        for (text, expected) in [
            ("Set the alarm to twenty past seven in the evening", "reached 7:20 PM"),
            ("Set the alarm to 07:20", "reached 7:20 AM"),
            ("Set the time to 19:45", "reached 7:45 PM"),
            ("Stelle den Wecker auf halb acht abends", "reached 7:30 PM"),
            ("Pon la alarma a las ocho menos cuarto de la mañana", "reached 7:45 AM"),
            ("Set it to noon", "reached 12:00 PM"),
            ("Set the alarm to 12:05 am", "reached 12:05 AM"),
        ] {
            let (outcome, touches) = pursue(MORNING, |clock| show(dialect, clock), touch, text, &[]);
            assert_eq!(outcome, expected, "{dialect:?} {text}");
            assert!(touches <= 4, "{dialect:?} {text}: {touches}");
        }
    }
}

#[test]
fn minutes_between_the_numbers_of_the_dial_are_pointed_at() {
    let (outcome, _) = pursue(MORNING, |clock| show(Dialect::Views, clock), touch, "Set the alarm to 7:23 am", &[]);
    assert_eq!(outcome, "reached 7:23 AM");
}

#[test]
fn the_half_of_the_day_stays_where_the_request_leaves_it_open() {
    let evening = Clock { late: true, ..MORNING };
    let (outcome, _) =
        pursue(evening, |clock| show(Dialect::Flutter, clock), touch, "Set the alarm to half eight", &[]);
    assert_eq!(outcome, "reached 8:30");
}

#[test]
fn a_clock_is_recognised_with_its_time() {
    for dialect in Dialect::ALL {
        let found = recognise(&show(dialect, &Clock { hour: 7, minute: 20, late: true, on_minutes: true }));
        assert_eq!(
            found.iter().map(|control| control.kind).collect::<Vec<_>>(),
            [ControlKind::ClockFace],
            "{dialect:?}"
        );
        assert_eq!(found[0].shown.as_deref(), Some("7:20 PM"), "{dialect:?}");
    }
}

#[test]
fn a_clock_of_24_hours_has_an_inner_ring() {
    let mut sketch = Sketch::window(Dialect::Views, [140, 580, 940, 1760]);
    sketch.choice("09", true, [300, 620, 500, 820]);
    sketch.choice("00", false, [540, 620, 740, 820]);
    let outer: Vec<String> = (0..12).map(|at| if at == 0 { "12".into() } else { at.to_string() }).collect();
    let inner: Vec<String> = (0..12).map(|at| if at == 0 { "00".into() } else { (at + 12).to_string() }).collect();
    dial(&mut sketch, &outer, 320.0);
    dial(&mut sketch, &inner, 200.0);
    let screen = sketch.screen();
    assert_eq!(next(&screen, "Set the alarm to twenty past seven in the evening", &[]), "click \"19\"");
    assert_eq!(next(&screen, "Set the alarm to 07:00", &[]), "click \"7\"");
    assert_eq!(next(&screen, "Set the alarm to midnight", &[]), "click \"00\"");
    assert_eq!(next(&screen, "Set the alarm to 9:15 in the morning", &[]), "click \"00\"");
}

#[test]
fn the_fields_of_a_clock_are_typed_into() {
    let screen = |hour: &str, minute: &str, late: bool| {
        let mut sketch = Sketch::window(Dialect::Views, [140, 580, 940, 1260]);
        let field = |id: &str, text: &str| {
            format!(r#"resource-id="android:id/input_{id}" text="{text}" clickable="true" focusable="true""#)
        };
        sketch.node("android.widget.EditText", &field("hour", hour), [300, 620, 500, 820]);
        sketch.node("android.widget.EditText", &field("minute", minute), [540, 620, 740, 820]);
        sketch.choice("AM", !late, [780, 620, 880, 710]);
        sketch.choice("PM", late, [780, 720, 880, 810]);
        sketch.screen()
    };
    let text = "Set the alarm to 7:23 in the evening";
    assert!(next(&screen("9", "00", false), text, &[]).starts_with("type 07 into"));
    assert!(next(&screen("7", "00", false), text, &[]).starts_with("type 23 into"));
    assert_eq!(next(&screen("7", "23", false), text, &[]), "click \"PM\"");
    assert_eq!(next(&screen("7", "23", true), text, &[]), "reached 7:23 PM");
}

#[test]
fn a_lone_number_is_an_hour_with_less_certainty() {
    let found = plans(&show(Dialect::Views, &MORNING), "Set the alarm for seven", &[], &[]);
    assert!(found[0].wanted.starts_with("7:00") && found[0].value_fit < 1.0, "{found:?}");
}

#[test]
fn a_grid_of_numbers_is_no_clock() {
    let mut sketch = Sketch::new(Dialect::Views);
    for number in 1..=12 {
        let (left, top) = (100 + 200 * ((number - 1) % 4), 700 + 200 * ((number - 1) / 4));
        sketch.button(&number.to_string(), [left, top, left + 110, top + 110]);
    }
    sketch.choice("7", true, [300, 420, 500, 620]);
    sketch.choice("00", false, [540, 420, 740, 620]);
    assert!(recognise(&sketch.screen()).iter().all(|control| control.kind != ControlKind::ClockFace));
}
