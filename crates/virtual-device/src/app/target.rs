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
    /// Sets the first and the last day of a range, then runs actions.
    Range {
        /// The variable of the first day and its new value.
        from: (String, String),
        /// The variable of the last day and its new value.
        until: (String, String),
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
    /// Sets a value of the view itself, such as which month a calendar shows.
    View(String, f32),
    /// The same, then runs actions.
    ViewThen(String, f32, Script, Locals),
    /// A bar: where it is touched decides the value.
    Slide(SlideTarget),
    /// Opens a list over or below the touched node.
    Popup(Arc<Popup>),
    /// Closes the topmost window, then acts as the other target.
    CloseAnd(Box<Target>),
    /// Opens the navigation drawer.
    OpenDrawer,
    /// Closes the navigation drawer.
    CloseDrawer,
    /// A day of a date dialog, or one of its controls.
    Pick(PickStep),
    /// Asks the system to launch a package.
    Launch(String),
    /// Takes the touch and does nothing.
    Inert,
}

/// What a drag that begins on a node does.
#[derive(Debug, Clone)]
pub(super) enum Drag {
    /// Turns pages.
    Pager(PagerTarget),
    /// Shows the actions behind a row, or performs the last of them.
    Row {
        /// Where the view keeps whether they are shown.
        key: String,
        /// The last action.
        last: Option<Script>,
        /// Variables there.
        locals: Locals,
    },
    /// Moves a slider.
    Slide(SlideTarget),
    /// Lets a sheet grow, shrink and close.
    Sheet {
        /// Where the view keeps whether it shows all.
        key: String,
        /// It shows all.
        whole: bool,
        /// A swipe down closes it.
        cancelable: bool,
    },
    /// Closes the drawer.
    Drawer,
    /// Throws a snackbar away.
    Snackbar,
}

/// Pages to turn.
#[derive(Debug, Clone)]
pub(super) struct PagerTarget {
    /// The variable that holds the page, or the view's own key.
    pub place: Place,
    /// The page in sight.
    pub page: usize,
    /// How many there are.
    pub count: usize,
    /// After another came into sight.
    pub on_change: Script,
    /// Variables there.
    pub locals: Locals,
}

/// Where a widget keeps its value.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In a variable of the app.
    Variable(String),
    /// In the view.
    View(String),
}

/// A value along a bar.
#[derive(Debug, Clone)]
pub(super) struct SlideTarget {
    /// The variable it sets.
    pub variable: String,
    /// Value at its left end.
    pub min: f64,
    /// Value at its right end.
    pub max: f64,
    /// Distance of values; 0: any.
    pub step: f64,
    /// Distance of the bar's ends from the node's edges, pixels.
    pub inset: f32,
    /// Rounds up, as stars do: a touch within a star means that star.
    pub up: bool,
    /// After every change.
    pub on_change: Script,
    /// Variables there.
    pub locals: Locals,
}

/// A list that comes up over what was touched.
#[derive(Debug)]
pub(super) struct Popup {
    /// How it looks and what the dump says.
    pub kind: PopupKind,
    /// Heading, of a dialog.
    pub title: String,
    /// Its rows.
    pub rows: Vec<PopupRow>,
}

/// What kind of list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PopupKind {
    /// The overflow menu of an app bar.
    Menu,
    /// A spinner's.
    Dropdown,
    /// A spinner's, as a dialog.
    Dialog,
    /// Below a text field; without input focus.
    Exposed,
}

/// A row of a list that came up.
#[derive(Debug, Clone)]
pub(super) struct PopupRow {
    /// Its text.
    pub text: String,
    /// Chosen.
    pub checked: bool,
    /// Reacts.
    pub enabled: bool,
    /// What it does after the list closed.
    pub target: Target,
}

/// A touch in a date or time dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PickStep {
    /// Another month: months from now.
    Month(i32),
    /// A day: days since 1970.
    Day(i32),
    /// Shows the years, or the days again.
    Years,
    /// A year.
    Year(i16),
    /// An hour, 0–23.
    Hour(i8),
    /// A minute.
    Minute(i8),
    /// Chooses hours (true) or minutes on the dial.
    Dial(bool),
    /// Takes the choice.
    Accept,
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
    /// ENTER begins a new line.
    pub multiline: bool,
    /// What is offered below while it is focused.
    pub suggestions: Vec<String>,
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
