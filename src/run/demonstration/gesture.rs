//! What a touch means on a screen: an action, and the sentence that says it.

use crate::adb::reply::Stroke;
use crate::domain::{Action, Direction, Point, Size, Target};
use crate::hierarchy::{Role, Screen, Widget};

/// A finger that moves no farther, as a share of the display, stands still.
const STILL: f64 = 0.03;
/// Seconds after which a finger that stands still is a long press.
const LONG: f64 = 0.5;
/// A finger that begins so near the left or right edge and moves inwards goes back (gesture navigation).
const EDGE: f64 = 0.02;

/// What a touch means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// An action, and a sentence for it.
    Deed { action: Action, sentence: String },
    /// A field is chosen: what is typed into it will tell.
    Field,
    /// A key of the soft keyboard, or nothing that is known.
    Nothing,
    /// It cannot be recorded; why.
    Refused(String),
}

/// What a touch means on a screen.
pub(super) fn meaning(stroke: &Stroke, screen: &Screen) -> Meaning {
    if stroke.fingers > 1 {
        return Meaning::Refused("a touch of several fingers has no counterpart".to_owned());
    }
    let (dx, dy) = (stroke.to.0 - stroke.from.0, stroke.to.1 - stroke.from.1);
    let at = point(stroke.from, screen.display);
    if dx.abs().max(dy.abs()) <= STILL {
        return touch(at, stroke.seconds >= LONG, screen);
    }
    let inwards = stroke.from.0 <= EDGE && dx > 0.1 || stroke.from.0 >= 1.0 - EDGE && dx < -0.1;
    if inwards && dx.abs() > dy.abs() {
        return Meaning::Deed { action: Action::PressBack, sentence: "Go back".to_owned() };
    }
    // What is shown goes the other way than the finger.
    let direction = match (dx.abs() > dy.abs(), dx > 0.0, dy > 0.0) {
        (true, true, _) => Direction::Left,
        (true, false, _) => Direction::Right,
        (false, _, true) => Direction::Up,
        (false, _, false) => Direction::Down,
    };
    swipe(at, direction, screen)
}

fn swipe(at: Point, direction: Direction, screen: &Screen) -> Meaning {
    let word = match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    };
    let turned = screen.widgets.iter().find(|widget| widget.role == Role::Selector && widget.bounds.contains(at));
    if let Some(widget) = turned {
        let sentence = format!("Swipe {} on {}", opposite(word), name(widget, screen));
        return Meaning::Deed { action: Action::SwipeSelector { target: widget.target(), direction }, sentence };
    }
    let area = screen.scroll_areas.iter().copied().filter(|area| area.contains(at)).min_by_key(|area| area.area());
    match area {
        Some(area) => Meaning::Deed { action: Action::Scroll { direction, area }, sentence: format!("Scroll {word}") },
        None => Meaning::Nothing,
    }
}

fn opposite(word: &str) -> &str {
    match word {
        "up" => "down",
        "down" => "up",
        "left" => "right",
        _ => "left",
    }
}

fn touch(at: Point, long: bool, screen: &Screen) -> Meaning {
    let Some(widget) = touched(at, screen) else { return Meaning::Nothing };
    if !widget.state.enabled {
        return Meaning::Refused(format!("{} is disabled", name(widget, screen)));
    }
    let named = name(widget, screen);
    let target = Target { tap: within(at, widget), ..widget.target() };
    if long {
        return Meaning::Deed { action: Action::LongPress { target }, sentence: format!("Touch and hold {named}") };
    }
    let sentence = match (widget.role, widget.state.checked) {
        (Role::Field, _) => return Meaning::Field,
        (Role::Switch, Some(on)) => format!("Switch {named} {}", if on { "off" } else { "on" }),
        (Role::Checkbox, Some(true)) => format!("Untick {named}"),
        (Role::Checkbox, Some(false)) => format!("Tick {named}"),
        (Role::Radio | Role::ListItem, _) => format!("Choose {named}"),
        _ => format!("Tap {named}"),
    };
    Meaning::Deed { action: Action::Click { target }, sentence }
}

/// The smallest thing at a place that can be touched.
fn touched(at: Point, screen: &Screen) -> Option<&Widget> {
    let usable = |widget: &&Widget| widget.clickable || widget.long_clickable || widget.role == Role::Field;
    let there = screen.widgets.iter().filter(|widget| widget.bounds.contains(at)).filter(usable);
    there.min_by_key(|widget| widget.bounds.area())
}

/// The middle, unless a link within the text was touched.
fn within(at: Point, widget: &Widget) -> Point {
    let link = widget.links.iter().find(|link| link.contains(at));
    link.map_or(widget.tap, |link| link.center())
}

/// What a sentence calls a widget: its quoted label, with what it stands beside where several are called so.
pub(super) fn name(widget: &Widget, screen: &Screen) -> String {
    let label = widget.shown_label();
    if label.trim().is_empty() {
        let words = if widget.id_words.is_empty() { "unnamed" } else { &widget.id_words };
        return format!("the {words} {}", widget.role);
    }
    // A row's label is made of all its texts: the first names it.
    let first = label.split(", ").next().unwrap_or(label);
    let quoted = format!("\"{}\"", first.replace('"', "'"));
    let alike = screen.widgets.iter().filter(|other| other.shown_label() == label && other.role == widget.role).count();
    if alike > 1 && !widget.context.is_empty() {
        let context = widget.context.split(", ").next().unwrap_or(&widget.context);
        return format!("{quoted} of \"{}\"", context.replace('"', "'"));
    }
    quoted
}

fn point(share: (f64, f64), display: Size) -> Point {
    let scaled = |share: f64, whole: u32| (share * f64::from(whole)).round() as i32;
    Point::new(scaled(share.0, display.width), scaled(share.1, display.height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::ScreenInput;

    fn screen() -> Screen {
        let node = |class: &str, text: &str, rest: &str, top: i32| {
            format!(
                "<node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"android.widget.{class}\" package=\"a.b\" content-desc=\"\" \
                 clickable=\"true\" enabled=\"true\" {rest} bounds=\"[0,{top}][1000,{}]\"/>",
                top + 150
            )
        };
        let dump = format!(
            "<hierarchy rotation=\"0\"><node index=\"0\" class=\"android.widget.ScrollView\" package=\"a.b\" enabled=\"true\" \
             scrollable=\"true\" bounds=\"[0,0][1000,2000]\">{}{}{}{}</node></hierarchy>",
            node("EditText", "Ann", "focusable=\"true\"", 200),
            node("Switch", "Wi-Fi", "checkable=\"true\" checked=\"true\"", 500),
            node("Button", "Say \"hi\"".replace('"', "&quot;").as_str(), "long-clickable=\"true\"", 800),
            node("Button", "Off", "", 1100).replace("enabled=\"true\"", "enabled=\"false\""),
        );
        Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    #[test]
    fn touches_are_understood_by_what_is_there() {
        let screen = screen();
        let check = |from: (f64, f64), to: (f64, f64), seconds: f64, fingers: usize, expected: &str| {
            let told = match meaning(&Stroke { from, to, seconds, fingers }, &screen) {
                Meaning::Deed { sentence, .. } => sentence,
                Meaning::Field => "a field".to_owned(),
                Meaning::Nothing => "nothing".to_owned(),
                Meaning::Refused(why) => why,
            };
            assert_eq!(told, expected);
        };
        let tap = |y: f64, seconds: f64, expected: &str| check((0.5, y), (0.5, y), seconds, 1, expected);
        tap(0.13, 0.1, "a field");
        tap(0.28, 0.1, "Switch \"Wi-Fi\" off");
        tap(0.43, 0.1, "Tap \"Say 'hi'\"");
        tap(0.43, 0.9, "Touch and hold \"Say 'hi'\"");
        tap(0.58, 0.1, "\"Off\" is disabled");
        tap(0.95, 0.1, "nothing");
        check((0.5, 0.8), (0.5, 0.3), 0.2, 1, "Scroll down");
        check((0.5, 0.3), (0.5, 0.8), 0.2, 1, "Scroll up");
        check((0.0, 0.5), (0.4, 0.5), 0.2, 1, "Go back");
        check((0.5, 0.5), (0.6, 0.6), 0.2, 2, "a touch of several fingers has no counterpart");
    }
}
