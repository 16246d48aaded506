//! Sliders and ratings.

use super::sketch::{Dialect, Sketch};
use super::{next, plans, pursue};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::pipeline::value_control::{ControlKind, recognise};

/// A slider under its name and the text that shows its value.
fn volume(dialect: Dialect, name: &str, shown: &str) -> Screen {
    let mut sketch = Sketch::new(dialect);
    sketch.text(name, [40, 400, 500, 460]);
    sketch.text(shown, [860, 400, 1040, 460]);
    sketch.bar("", [40, 480, 1040, 606]);
    sketch.screen()
}

/// The share of a slider's track at which it was touched.
fn share(action: &Action) -> f64 {
    let Action::Click { target } = action else { return -1.0 };
    let (left, right) = (f64::from(target.bounds.left) + 42.0, f64::from(target.bounds.right) - 42.0);
    ((f64::from(target.tap.x) - left) / (right - left)).clamp(0.0, 1.0)
}

#[test]
fn a_slider_is_named_by_what_stands_over_it() {
    for dialect in Dialect::ALL {
        let found = recognise(&volume(dialect, "Volume", "40 %"));
        assert_eq!(found.len(), 1, "{dialect:?}: {found:?}");
        let control = &found[0];
        assert_eq!((control.kind, control.name.as_str()), (ControlKind::Slider, "Volume"), "{dialect:?}");
        assert_eq!((control.shown.as_deref(), control.unit.as_deref()), (Some("40 %"), Some("percent")), "{dialect:?}");
    }
}

#[test]
fn a_slider_is_touched_until_it_shows_the_value() {
    for dialect in Dialect::ALL {
        let show = |value: &f64| volume(dialect, "Volume", &format!("{value:.0} %"));
        let act = |value: &mut f64, action: &Action| *value = (share(action) * 100.0).round();
        let (outcome, touches) = pursue(20.0, show, act, "Set the volume to seventy percent", &[]);
        assert_eq!((outcome.as_str(), touches), ("reached 70 %", 1), "{dialect:?}");
    }
}

#[test]
fn an_unknown_range_is_measured_by_the_touches() {
    for (least, most, wanted) in [(0.0, 50.0, 25.0), (5.0, 200.0, 120.0), (10.0, 30.0, 12.0), (0.0, 1000.0, 640.0)] {
        let show = |value: &f64| volume(Dialect::Views, "Search radius", &format!("{value:.0} km"));
        let act = |value: &mut f64, action: &Action| *value = (least + share(action) * (most - least)).round();
        let text = format!("Set the search radius to {wanted} kilometres");
        let (outcome, touches) = pursue(least, show, act, &text, &[]);
        assert_eq!(outcome, format!("reached {wanted} km"), "{least} to {most}");
        assert!(touches <= 5, "{least} to {most}: {touches}");
    }
}

#[test]
fn a_value_between_the_stops_of_a_slider_is_impossible() {
    let show = |value: &f64| volume(Dialect::Compose, "Lautstärke", &format!("{value:.0} %"));
    let act = |value: &mut f64, action: &Action| *value = (share(action) * 10.0).round() * 10.0;
    let (outcome, _) = pursue(20.0, show, act, "Stelle die Lautstärke auf fünfundvierzig Prozent", &[]);
    assert_eq!(outcome, "impossible");
    let (outcome, _) = pursue(20.0, show, act, "Stelle die Lautstärke auf achtzig Prozent", &[]);
    assert_eq!(outcome, "reached 80 %");
}

#[test]
fn the_named_one_of_several_sliders_is_moved() {
    let mut sketch = Sketch::new(Dialect::Flutter);
    for (at, name) in ["Helligkeit", "Kontrast", "Lautstärke"].into_iter().enumerate() {
        let top = 300 + 300 * at as i32;
        sketch.text(name, [40, top, 500, top + 60]);
        sketch.bar("50%", [40, top + 80, 1040, top + 206]);
    }
    let found = plans(&sketch.screen(), "Stelle den Kontrast auf achtzig Prozent", &[], &[]);
    assert_eq!(found.first().map(|plan| (plan.control.name.as_str(), plan.name_fit)), Some(("Kontrast", 1.0)));
    assert!(found.iter().skip(1).all(|plan| plan.name_fit < 0.5), "{found:?}");
}

#[test]
fn an_end_of_the_scale_needs_no_number() {
    let screen = volume(Dialect::Views, "Brightness", "20 %");
    assert_eq!(plans(&screen, "Turn the brightness to maximum", &[], &[])[0].wanted, "100");
    assert_eq!(plans(&screen, "Set the brightness to the minimum", &[], &[])[0].wanted, "0");
}

#[test]
fn a_slider_with_labels_at_its_ends_knows_its_range() {
    let mut sketch = Sketch::new(Dialect::ReactNative);
    sketch.text("Tip", [40, 400, 500, 460]);
    sketch.bar("", [40, 480, 1040, 606]);
    sketch.text("5", [40, 620, 100, 670]);
    sketch.text("25", [980, 620, 1040, 670]);
    let control = &recognise(&sketch.screen())[0];
    assert_eq!(control.range.map(|range| (range.min, range.max)), Some((5.0, 25.0)));
    let found = plans(&sketch.screen(), "Set the tip to 15", &[], &[]);
    let crate::pipeline::value_control::Step::Act { action, .. } = &found[0].step else { panic!("{found:?}") };
    assert!((share(action) - 0.5).abs() < 0.02, "{action}");
    assert_eq!(next(&sketch.screen(), "Set the tip to 30", &[]), "impossible");
}

/// A rating bar of five stars.
fn stars(value: &str) -> Screen {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.text("How was your stay?", [40, 300, 800, 360]);
    sketch.node("android.widget.RatingBar", &format!(r#"text="{value}" focusable="true""#), [40, 400, 640, 520]);
    sketch.screen()
}

#[test]
fn a_star_of_a_bar_is_touched() {
    let act = |value: &mut f64, action: &Action| {
        let Action::Click { target } = action else { return };
        *value = (f64::from(target.tap.x - target.bounds.left) / 120.0).ceil();
    };
    for (text, expected) in [
        ("Give four stars", "reached 4"),
        ("Rate it with 5 stars", "reached 5"),
        ("Bewerte mit drei Sternen", "reached 3"),
        ("Rate the stay 2", "reached 2"),
        ("Give nine stars", "impossible"),
    ] {
        let (outcome, _) = pursue(0.0, |value| stars(&format!("{value:.1}")), act, text, &[]);
        assert_eq!(outcome, expected, "{text}");
    }
}

#[test]
fn an_average_is_no_rating_to_give() {
    let mut sketch = Sketch::new(Dialect::Views);
    sketch.node("android.widget.RatingBar", r#"text="4.5" focusable="false""#, [40, 400, 340, 460]);
    assert_eq!(recognise(&sketch.screen()), Vec::new());
}

#[test]
fn a_row_of_icons_is_a_rating() {
    for dialect in Dialect::ALL {
        let screen = |chosen: usize| {
            let mut sketch = Sketch::new(dialect);
            for star in 1..=5 {
                let left = 40 + 130 * (star as i32 - 1);
                let state = format!(r#"selected="{}""#, star <= chosen);
                sketch.icon_that_is(&format!("{star} star"), &state, [left, 400, left + 120, 520]);
            }
            sketch.screen()
        };
        let act = |chosen: &mut usize, action: &Action| {
            let Action::Click { target } = action else { return };
            *chosen = target.label.chars().next().and_then(|c| c.to_digit(10)).unwrap_or_default() as usize;
        };
        let (outcome, touches) = pursue(0, |chosen| screen(*chosen), act, "Rate it with four stars", &[]);
        assert_eq!((outcome.as_str(), touches), ("reached 4", 1), "{dialect:?}");
    }
}

#[test]
fn a_bar_that_tells_only_its_number_of_stars_is_a_rating() {
    for dialect in [Dialect::Compose, Dialect::Flutter] {
        let show = |value: &f64| {
            let mut sketch = Sketch::new(dialect);
            sketch.text("Your rating", [40, 300, 800, 360]);
            let said = if dialect == Dialect::Flutter { "content-desc" } else { "text" };
            let attributes = format!(r#"{said}="{value:.1}" focusable="true""#);
            sketch.node("android.view.View", &attributes, [40, 400, 640, 520]);
            sketch.screen()
        };
        let act = |value: &mut f64, action: &Action| {
            let Action::Click { target } = action else { return };
            *value = (f64::from(target.tap.x - target.bounds.left) / 120.0).ceil();
        };
        assert_eq!(pursue(0.0, show, act, "Give 4 stars", &[]), ("reached 4".to_owned(), 1), "{dialect:?}");
    }
}
