//! What can be done to a device, one enum with payloads (XUAT-Copilot Table 2, plus wait, `open_app` and `long_press`).

use super::{Direction, InputText, PackageName, Point, Rect, Selector};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The widget an action is aimed at, as it stood when the action was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    /// What a person would call it.
    pub label: String,
    /// The same in the language of the display, where the app's own language is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// How to find it again.
    pub selector: Selector,
    /// Its visible bounds.
    pub bounds: Rect,
    /// Where to touch it; inside `bounds`, not always the centre (links, clipped widgets).
    pub tap: Point,
}

impl Target {
    /// What the display calls it.
    pub fn shown_label(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.label)
    }
}

/// One action on the device.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "skill", rename_all = "snake_case")]
pub enum Action {
    /// Touch a widget.
    Click {
        /// The widget.
        target: Target,
    },
    /// Touch and hold a widget.
    LongPress {
        /// The widget.
        target: Target,
    },
    /// Replace a field's content with text.
    InputText {
        /// The field.
        target: Target,
        /// The text.
        text: InputText,
    },
    /// Press digits on a numeric keypad drawn by the app.
    InputByNumericKeyboard {
        /// The digits.
        digits: InputText,
        /// Where each key of the keypad is. All visible keys are recorded, so the map tells nothing about a secret.
        keys: BTreeMap<char, Point>,
    },
    /// The system's back key.
    PressBack,
    /// The enter key: sends what was typed into a search field.
    PressEnter,
    /// Scroll the screen or one container.
    Scroll {
        /// Which content to bring into view.
        direction: Direction,
        /// The area to swipe in.
        area: Rect,
    },
    /// Turn a selector (wheel, picker, carousel) by one step.
    SwipeSelector {
        /// The selector.
        target: Target,
        /// Which way.
        direction: Direction,
    },
    /// Let time pass until the screen changes, at most this long.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Start an app.
    OpenApp {
        /// The app.
        package: PackageName,
    },
}

impl Action {
    /// The skill's name, as in `skills/*.toml` and `result.json`.
    pub const fn skill(&self) -> &'static str {
        match self {
            Self::Click { .. } => "click",
            Self::LongPress { .. } => "long_press",
            Self::InputText { .. } => "input_text",
            Self::InputByNumericKeyboard { .. } => "input_by_numeric_keyboard",
            Self::PressBack => "press_back",
            Self::PressEnter => "press_enter",
            Self::Scroll { .. } => "scroll",
            Self::SwipeSelector { .. } => "swipe_selector",
            Self::Wait { .. } => "wait",
            Self::OpenApp { .. } => "open_app",
        }
    }

    /// The widget it is aimed at, if any.
    pub const fn target(&self) -> Option<&Target> {
        match self {
            Self::Click { target }
            | Self::LongPress { target }
            | Self::InputText { target, .. }
            | Self::SwipeSelector { target, .. } => Some(target),
            Self::InputByNumericKeyboard { .. }
            | Self::PressBack
            | Self::PressEnter
            | Self::Scroll { .. }
            | Self::Wait { .. }
            | Self::OpenApp { .. } => None,
        }
    }

    /// Which way it goes, for what goes some way.
    pub const fn direction(&self) -> Option<Direction> {
        match self {
            Self::Scroll { direction, .. } | Self::SwipeSelector { direction, .. } => Some(*direction),
            _ => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click { target } => write!(f, "click {:?}", target.label),
            Self::LongPress { target } => write!(f, "long_press {:?}", target.label),
            Self::InputText { target, text } => write!(f, "input_text {text} into {:?}", target.label),
            Self::InputByNumericKeyboard { digits, .. } => write!(f, "input_by_numeric_keyboard {digits}"),
            Self::PressBack => f.write_str("press_back"),
            Self::PressEnter => f.write_str("press_enter"),
            Self::Scroll { direction, .. } => write!(f, "scroll {direction}"),
            Self::SwipeSelector { target, direction } => write!(f, "swipe_selector {:?} {direction}", target.label),
            Self::Wait { ms } => write!(f, "wait {ms} ms"),
            Self::OpenApp { package } => write!(f, "open_app {package}"),
        }
    }
}

/// Who chose an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActionSource {
    /// The ranking, live.
    Agent,
    /// A recorded script.
    Script,
    /// A repair of a diverged script.
    Repair,
}
