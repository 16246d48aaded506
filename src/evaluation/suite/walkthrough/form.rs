//! The form of a walkthrough: what a person does, by what the screen shows, and which step of the case it belongs to.

use serde::Deserialize;

/// How a person does a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walkthrough {
    /// In order.
    pub(super) steps: Vec<HandAction>,
    /// State variables that may hold anything in the end: the case leaves the choice to whoever does it.
    #[serde(default)]
    pub free: Vec<String>,
}

/// One thing a person does. Texts may hold `${parameter}`; `@name` is a text of the app in the device's language.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HandAction {
    /// The actions from here on belong to this step of the case, counted from 1.
    Step(usize),
    /// Touches what shows this text or is described by it, scrolling there if need be.
    Tap(Place),
    /// Touches it only if it is in sight now: pop-ups that come or do not come.
    TapIfSeen(Place),
    /// Touches the element with this resource id.
    TapId(String),
    /// Touches a spot within an element, as shares of its size: what an app draws itself.
    TapAt(Spot),
    /// Touches a link within a text.
    TapLink(String),
    /// Holds it down.
    LongPress(Place),
    /// Replaces the content of a field.
    Type(Typing),
    /// Touches the keys of the keypad on the screen.
    Keypad(String),
    /// Turns a wheel until a value stands in its middle.
    Turn(Turning),
    /// Moves the finger over the screen, or over an element.
    Swipe(Swiping),
    /// Scrolls until the text is in sight.
    ScrollTo(String),
    /// Presses BACK if the soft keyboard is up.
    HideKeyboard(()),
    /// Presses a key: `back`, `home`, `enter`.
    Key(String),
    /// Lets time pass: `90s`, `5m`.
    Wait(String),
    /// Waits until the text is in sight.
    WaitFor(String),
    /// Fails unless the text is in sight.
    See(String),
    /// Fails if the text is in sight.
    NotSee(String),
    /// The steps from here on are done by this actor, on their own device.
    Actor(String),
    /// `shell …` or `emu …`, as with adb.
    Adb(String),
    /// Opens an app, by its package, from the home screen.
    Open(String),
}

impl HandAction {
    /// The text that it types by adb into the field with the focus; `None` for everything else.
    pub(super) fn typed(&self) -> Option<String> {
        let Self::Adb(line) = self else { return None };
        match shlex::split(line)?.as_slice() {
            [shell, input, text, typed] if [shell, input, text] == ["shell", "input", "text"] => {
                Some(typed.replace("%s", " "))
            }
            _ => None,
        }
    }
}

/// What to touch.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Place {
    /// By its text.
    Text(String),
    /// By more than its text.
    Detailed(DetailedPlace),
}

/// One of several things with the same text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DetailedPlace {
    /// Text or description.
    pub(super) text: String,
    /// The one nearest to this text.
    #[serde(default)]
    pub(super) beside: Option<String>,
    /// The how-manieth from the top, from 1.
    #[serde(default)]
    pub(super) nth: Option<usize>,
}

impl Place {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Detailed(place) => &place.text,
        }
    }
}

/// A spot within an element.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spot {
    /// Text, description or resource id of the element.
    #[serde(rename = "in")]
    pub(super) within: String,
    /// Share of its width from the left, 0–1.
    pub(super) x: f64,
    /// Share of its height from the top, 0–1.
    pub(super) y: f64,
}

/// Text for a field.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Typing {
    /// Label, hint, content or resource id of the field.
    pub(super) into: String,
    /// The text.
    pub(super) text: String,
}

/// A wheel and where it is to stand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turning {
    /// Its resource id, or its number on the screen from the left, from 1.
    pub(super) wheel: Wheel,
    /// The value.
    pub(super) to: String,
}

/// Which wheel.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Wheel {
    Number(usize),
    Id(String),
}

/// A finger's movement.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Swiping {
    /// Over the middle of the screen.
    Over(Direction),
    /// Over an element.
    Within {
        /// Where to.
        direction: Direction,
        /// Text, description or resource id of the element.
        #[serde(rename = "in")]
        within: String,
    },
}

/// Where the finger goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_adb_that_types_is_told_from_others() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(HandAction::Adb(line.to_owned()).typed().as_deref(), expected, "{line}");
        };
        check("shell input text 4408127", Some("4408127"));
        check("shell input text 'Am%sDeich'", Some("Am Deich"));
        check("shell input keyevent 66", None);
        check("shell input text one two", None);
        check("shell input text 'unclosed", None);
        check("emu geo fix 8.5 53.1", None);
        assert_eq!(HandAction::Step(1).typed(), None);
    }
}
