//! What the views around a screen's content remember: drawer, snackbar, dialogs for a date or a time.

use super::file::Script;
use super::target::Locals;
use std::time::Duration;

/// A message at the lower edge of the window.
#[derive(Debug, Clone)]
pub(super) struct Snack {
    /// The message.
    pub text: String,
    /// Its button.
    pub action: Option<String>,
    /// What the button does.
    pub on_action: Script,
    /// Variables where it was asked for.
    pub locals: Locals,
    /// How long it stays.
    pub ms: u64,
}

/// State of the front screen's window.
#[derive(Debug, Default)]
pub(super) struct WindowState {
    /// The navigation drawer is open.
    pub drawer: bool,
    /// The snackbar and when it goes.
    pub snack: Option<(Snack, Duration)>,
}

/// A date to be chosen in Android's own dialog.
#[derive(Debug, Clone)]
pub(super) struct DatePick {
    /// The variable it sets, `yyyy-mm-dd`.
    pub variable: String,
    /// Earliest day.
    pub min: Option<String>,
    /// Latest day.
    pub max: Option<String>,
    /// After the choice was taken.
    pub on_set: Script,
    /// Variables where it was asked for.
    pub locals: Locals,
}

/// A time to be chosen in Android's own dialog.
#[derive(Debug, Clone)]
pub(super) struct TimePick {
    /// The variable it sets, `HH:MM`.
    pub variable: String,
    /// After the choice was taken.
    pub on_set: Script,
    /// Variables where it was asked for.
    pub locals: Locals,
}

/// A date dialog in use. Days count from 1970.
#[derive(Debug, Clone)]
pub(super) struct DateDialog {
    /// What it is for.
    pub pick: DatePick,
    /// The chosen day.
    pub day: i32,
    /// The month in sight: year × 12 + month from 0.
    pub month: i32,
    /// The years are shown.
    pub years: bool,
}

/// A time dialog in use.
#[derive(Debug, Clone)]
pub(super) struct TimeDialog {
    /// What it is for.
    pub pick: TimePick,
    /// Hour, 0–23.
    pub hour: i8,
    /// Minute.
    pub minute: i8,
    /// The dial shows hours.
    pub hours: bool,
}
