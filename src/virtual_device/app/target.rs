//! What touching the nodes of a scene does.

use super::file::{Axis, InputType, Script};
use rhai::Dynamic;
use std::ops::Range;
use std::sync::Arc;

/// The values of `item` and `index` where a node stands.
pub(super) type Locals = Option<Arc<(Dynamic, i64)>>;

/// What touching a node does.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// Runs actions.
    Run(Script, Locals),
    /// Focuses a text field.
    Field(FieldTarget),
    /// Sets a variable, then runs actions.
    Assign {
        /// The variable.
        variable: String,
        /// Its new value.
        value: Dynamic,
        /// What then happens.
        then: Script,
        /// Variables there.
        locals: Locals,
    },
    /// A key of an app-drawn keypad.
    Keypad {
        /// The variable it writes to.
        variable: String,
        /// What it does.
        key: KeypadKey,
        /// Longest content.
        length: usize,
        /// When that is reached.
        on_complete: Script,
        /// Variables there.
        locals: Locals,
    },
    /// A paragraph whose links run actions: bytes as in its text block.
    Links(Vec<(Range<usize>, Script)>, Locals),
    /// A wheel: what swiping and tapping chooses from.
    Wheel(WheelTarget),
    /// Goes up, as the app bar's arrow does.
    Up,
    /// Closes the topmost dialog, then runs actions.
    CloseThen(Script),
    /// Takes the snackbar away, then runs its actions.
    SnackbarAction(Script, Locals),
    /// Closes the topmost dialog or sheet if it may be closed so.
    Outside,
    /// Asks the system to launch a package.
    Launch(String),
    /// Takes the touch and does nothing.
    Inert,
}

/// A key of an app-drawn keypad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeypadKey {
    /// A digit or point.
    Character(char),
    /// Deletes the last character.
    Delete,
}

/// A text field.
#[derive(Debug, Clone)]
pub(super) struct FieldTarget {
    /// Which field: stable as long as its screen is open.
    pub key: String,
    /// The variable it edits.
    pub variable: String,
    /// What may be typed.
    pub input: InputType,
    /// Longest content.
    pub max_length: Option<usize>,
    /// After every change.
    pub on_change: Script,
    /// ENTER on the last field.
    pub on_submit: Script,
    /// Variables there.
    pub locals: Locals,
}

/// A wheel of values.
#[derive(Debug, Clone)]
pub(super) struct WheelTarget {
    /// The variable it sets.
    pub variable: String,
    /// What can be chosen.
    pub items: Arc<Vec<Dynamic>>,
    /// Which one is chosen.
    pub selected: usize,
    /// Direction.
    pub axis: Axis,
    /// Distance of two values, pixels.
    pub pitch: f32,
    /// After every change.
    pub on_change: Script,
    /// Variables there.
    pub locals: Locals,
}
