//! What must hold when a case has ended.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One expectation; texts are compared without regard to case and white space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expectation {
    /// The text is part of something on the screen.
    Visible(String),
    /// The text is nowhere on the screen.
    Absent(String),
    /// A switch or box, named by its label, is on or off.
    Checked {
        /// Its label, or part of it.
        widget: String,
        /// On (true) or off (false).
        is: bool,
    },
    /// A field, named by its label, holds a value.
    Value {
        /// Its label, or part of it.
        field: String,
        /// The value.
        is: String,
    },
}

impl Expectation {
    /// The same expectation with every text passed through `change`.
    #[must_use]
    pub fn map_texts(&self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Visible(text) => Self::Visible(change(text)),
            Self::Absent(text) => Self::Absent(change(text)),
            Self::Checked { widget, is } => Self::Checked { widget: change(widget), is: *is },
            Self::Value { field, is } => Self::Value { field: change(field), is: change(is) },
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visible(text) => write!(f, "visible: {text}"),
            Self::Absent(text) => write!(f, "absent: {text}"),
            Self::Checked { widget, is } => write!(f, "checked: {widget} is {}", if *is { "on" } else { "off" }),
            Self::Value { field, is } => write!(f, "value: {field} is {is:?}"),
        }
    }
}
