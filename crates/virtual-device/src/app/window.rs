//! What Android's dialogs for a date and a time remember.

use super::file::Script;
use super::target::Locals;

/// A date to be chosen in Android's own dialog.
#[derive(Debug, Clone)]
pub(super) struct DatePick {
    /// The variable it sets.
    pub variable: String,
    /// Earliest day.
    pub min: Option<String>,
    /// Latest day.
    pub max: Option<String>,
    /// How the variable holds it; `yyyy-mm-dd` when absent.
    pub format: Option<String>,
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
    /// What the halves of the day are called; none where the day is told by 24 hours.
    pub halves: Option<[&'static str; 2]>,
}
