//! From an action to the shell lines that carry it out.

use super::{Library, Skill};
use crate::adb::{ShellLine, TemplateError, is_typeable};
use crate::domain::{Action, Direction, Point, Rect};
use minijinja::{Value, context};

/// One thing to do on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceStep {
    /// Run a shell line.
    Run(ShellLine),
    /// Wait until the screen changes, at most this many milliseconds.
    AwaitChange(u64),
}

/// Why an action could not be expanded.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError {
    /// The library has no such skill.
    #[error("no skill named {0:?}: add skills/{0}.toml")]
    UnknownSkill(&'static str),
    /// A template failed.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The keypad on the screen lacks a key.
    #[error("the keypad on the screen has no key {0:?}")]
    MissingKey(char),
}

const DEL: u32 = 67;

/// Start and end of the swipe that shows what lies in `direction` within `area`: the middle three fifths, so that it
/// begins away from edges where the system listens for gestures.
pub fn swipe_in(area: Rect, direction: Direction) -> (Point, Point) {
    let Point { x, y } = area.center();
    let (dx, dy) = (area.width() * 3 / 10, area.height() * 3 / 10);
    match direction {
        Direction::Down => (Point::new(x, y + dy), Point::new(x, y - dy)),
        Direction::Up => (Point::new(x, y - dy), Point::new(x, y + dy)),
        Direction::Right => (Point::new(x + dx, y), Point::new(x - dx, y)),
        Direction::Left => (Point::new(x - dx, y), Point::new(x + dx, y)),
    }
}

/// The swipe that turns a wheel by about one value: wheels show three rows (`NumberPicker`) or more.
fn one_row(area: Rect, direction: Direction) -> (Point, Point) {
    let Point { x, y } = area.center();
    let (dx, dy) = (area.width() / 6, area.height() / 10);
    match direction {
        Direction::Down => (Point::new(x, y + dy), Point::new(x, y - dy)),
        Direction::Up => (Point::new(x, y - dy), Point::new(x, y + dy)),
        Direction::Right => (Point::new(x + dx, y), Point::new(x - dx, y)),
        Direction::Left => (Point::new(x - dx, y), Point::new(x + dx, y)),
    }
}

impl Library {
    /// What to do on the device for `action`. `held` is the number of characters the target field holds now, so that
    /// typing replaces them.
    pub fn expand(&self, action: &Action, held: usize) -> Result<Vec<DeviceStep>, ExpandError> {
        let name = action.skill();
        let skill = self.get(name).ok_or(ExpandError::UnknownSkill(name))?;
        match action {
            Action::Wait { ms } => Ok(vec![DeviceStep::AwaitChange(*ms)]),
            Action::InputByNumericKeyboard { digits, keys } => {
                let mut steps = Vec::new();
                for digit in digits.expose().chars() {
                    let at = keys.get(&digit).ok_or(ExpandError::MissingKey(digit))?;
                    let sent = point(*at);
                    let shown = if digits.is_secret() {
                        context! { x => "*", y => "*" }
                    } else {
                        sent.clone()
                    };
                    render(skill, &sent, &shown, &mut steps)?;
                }
                Ok(steps)
            }
            other => {
                let (sent, shown) = arguments(other, held);
                let mut steps = Vec::new();
                render(skill, &sent, &shown, &mut steps)?;
                Ok(steps)
            }
        }
    }
}

fn render(skill: &Skill, sent: &Value, shown: &Value, steps: &mut Vec<DeviceStep>) -> Result<(), ExpandError> {
    for command in &skill.commands {
        let line = command.render(sent, shown)?;
        if !line.is_empty() {
            steps.push(DeviceStep::Run(line));
        }
    }
    Ok(())
}

fn point(at: Point) -> Value {
    context! { x => at.x, y => at.y }
}

fn swipe((from, to): (Point, Point)) -> Value {
    context! { from_x => from.x, from_y => from.y, to_x => to.x, to_y => to.y, duration_ms => 500 }
}

/// What an action types; nothing for most.
pub(super) fn text_of(action: &Action) -> &str {
    match action {
        Action::InputText { text, .. } => text.expose(),
        _ => "",
    }
}

fn arguments(action: &Action, held: usize) -> (Value, Value) {
    let both = |value: Value| (value.clone(), value);
    match action {
        Action::Click { target } | Action::LongPress { target } => both(point(target.tap)),
        Action::InputText { target, text } => {
            let with = |text: &str| {
                let (clear, unicode) = (vec![DEL; held], !is_typeable(text_of(action)));
                context! { x => target.tap.x, y => target.tap.y, clear, text, unicode }
            };
            (with(text.expose()), with(if text.is_secret() { "***" } else { text.expose() }))
        }
        Action::Scroll { direction, area } => both(swipe(swipe_in(*area, *direction))),
        Action::SwipeSelector { target, direction } => both(swipe(one_row(target.bounds, *direction))),
        Action::OpenApp { package } => both(context! { package => package.as_str() }),
        Action::PressBack | Action::PressEnter | Action::Wait { .. } | Action::InputByNumericKeyboard { .. } => {
            both(context! {})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{InputText, Secret, Selector, Target};
    use std::collections::BTreeMap;

    fn lines(action: &Action, held: usize) -> Vec<String> {
        let steps = Library::bundled().unwrap().expand(action, held).unwrap();
        steps
            .into_iter()
            .map(|step| match step {
                DeviceStep::Run(line) => format!("{} | {line}", line.as_sent()),
                DeviceStep::AwaitChange(ms) => format!("await {ms}"),
            })
            .collect()
    }

    const HIDE_KEYBOARD: &str = "dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true | \
                                 dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true";

    fn field() -> Target {
        Target {
            label: "Name".into(),
            shown: None,
            selector: Selector::default(),
            bounds: Rect::new(0, 0, 100, 50),
            tap: Point::new(50, 25),
        }
    }

    #[test]
    fn typing_taps_the_field_clears_it_and_types() {
        let action = Action::InputText { target: field(), text: InputText::Plain("Ada L".into()) };
        assert_eq!(
            lines(&action, 2),
            [
                "input tap 50 25 | input tap 50 25",
                "input keyevent 123 67 67 | input keyevent 123 67 67",
                "input text Ada%sL | input text Ada%sL",
                HIDE_KEYBOARD,
            ]
        );
    }

    #[test]
    fn a_secret_is_sent_but_never_shown() {
        let text = InputText::Secret { name: "pin".into(), value: Secret::new("42") };
        let shown = lines(&Action::InputText { target: field(), text: text.clone() }, 0).join("\n");
        assert!(shown.contains("input text 42 | input text '***'"), "{shown}");
        let keys = BTreeMap::from([('4', Point::new(1, 2)), ('2', Point::new(3, 4))]);
        assert_eq!(
            lines(&Action::InputByNumericKeyboard { digits: text, keys }, 0),
            ["input tap 1 2 | input tap '*' '*'", "input tap 3 4 | input tap '*' '*'"]
        );
    }

    #[test]
    fn a_missing_key_is_named() {
        let action = Action::InputByNumericKeyboard { digits: InputText::Plain("7".into()), keys: BTreeMap::new() };
        let error = Library::bundled().unwrap().expand(&action, 0).unwrap_err();
        assert_eq!(error.to_string(), "the keypad on the screen has no key '7'");
    }

    #[test]
    fn scrolling_down_moves_the_finger_up() {
        let (from, to) = swipe_in(Rect::new(0, 0, 100, 1000), Direction::Down);
        assert!(from.y > to.y && from.x == to.x);
    }
}
