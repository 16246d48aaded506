//! What must hold when a case has ended.

use schemars::JsonSchema;
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
    /// A control, named by its label, can be used or not.
    Enabled {
        /// Its label, or part of it.
        widget: String,
        /// Usable (true) or greyed out (false).
        is: bool,
    },
    /// A tab or item, named by its label, is the selected one or not.
    Selected {
        /// Its label, or part of it.
        widget: String,
        /// Selected (true) or not (false).
        is: bool,
    },
    /// A field, named by its label, holds a value; or a value stands beside a name.
    Value {
        /// Its label, or part of it.
        field: String,
        /// The value.
        is: String,
    },
    /// So many things on the screen show the text.
    Count {
        /// The text.
        of: String,
        /// How many.
        is: usize,
    },
    /// The screen bears this title.
    Screen(String),
    /// The text could be read in a picture taken after the last action: a message that no hierarchy holds.
    Toast(String),
    /// The text can be read in the picture of the last screen.
    Picture(String),
    /// This trouble did not come.
    Without(Trouble),
}

/// What an app may get into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Trouble {
    /// The app crashed.
    Crash,
    /// The app did not respond.
    Anr,
    /// The app shows an error.
    Error,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::Anr => "anr",
            Self::Error => "error",
        })
    }
}

impl Expectation {
    /// The same expectation with every text passed through `change`.
    #[must_use]
    pub fn map_texts(&self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Visible(text) => Self::Visible(change(text)),
            Self::Absent(text) => Self::Absent(change(text)),
            Self::Checked { widget, is } => Self::Checked { widget: change(widget), is: *is },
            Self::Enabled { widget, is } => Self::Enabled { widget: change(widget), is: *is },
            Self::Selected { widget, is } => Self::Selected { widget: change(widget), is: *is },
            Self::Value { field, is } => Self::Value { field: change(field), is: change(is) },
            Self::Count { of, is } => Self::Count { of: change(of), is: *is },
            Self::Screen(title) => Self::Screen(change(title)),
            Self::Toast(text) => Self::Toast(change(text)),
            Self::Picture(text) => Self::Picture(change(text)),
            Self::Without(trouble) => Self::Without(*trouble),
        }
    }

    /// A text that is to be seen where it holds; `None` where nothing in particular is.
    pub fn text_to_see(&self) -> Option<&str> {
        match self {
            Self::Visible(text) | Self::Screen(text) | Self::Toast(text) | Self::Picture(text) => Some(text),
            Self::Checked { widget, .. } | Self::Enabled { widget, .. } | Self::Selected { widget, .. } => Some(widget),
            Self::Value { field, .. } => Some(field),
            Self::Count { of, is } => (*is > 0).then_some(of),
            Self::Absent(_) | Self::Without(_) => None,
        }
    }

    /// It is judged by everything the screen holds, what is scrolled out of sight included.
    pub const fn is_of_whole_screen(&self) -> bool {
        matches!(self, Self::Absent(_) | Self::Count { .. })
    }

    /// It may hold further down or up although it does not hold in sight.
    pub const fn may_be_out_of_sight(&self) -> bool {
        matches!(
            self,
            Self::Visible(_)
                | Self::Checked { .. }
                | Self::Enabled { .. }
                | Self::Selected { .. }
                | Self::Value { .. }
                | Self::Picture(_)
        )
    }

    /// The hierarchy of the last screen tells whether it holds; else a picture or the device's log must.
    pub const fn is_told_by_hierarchy(&self) -> bool {
        !matches!(self, Self::Toast(_) | Self::Picture(_))
    }
}

impl Expectation {
    /// Why the two cannot both hold; `None` where they can.
    pub fn contradicts(&self, other: &Self) -> Option<&'static str> {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let same = |one: &str, two: &str| flat(one) == flat(two);
        let within = |part: &str, whole: &str| !flat(part).is_empty() && flat(whole).contains(&flat(part));
        Some(match (self, other) {
            (Self::Visible(seen), Self::Absent(not)) | (Self::Absent(not), Self::Visible(seen))
                if within(not, seen) =>
            {
                "what is to be seen holds the text that must be absent"
            }
            (Self::Count { of, is: 0 }, Self::Visible(seen)) | (Self::Visible(seen), Self::Count { of, is: 0 })
                if within(of, seen) =>
            {
                "what is to be seen holds the text that must be there 0 times"
            }
            (Self::Count { of, is }, Self::Absent(not)) | (Self::Absent(not), Self::Count { of, is })
                if *is > 0 && within(not, of) =>
            {
                "what is counted holds the text that must be absent"
            }
            (Self::Count { of: one, is }, Self::Count { of: two, is: other }) if same(one, two) && is != other => {
                "the counts differ"
            }
            (Self::Checked { widget: one, is }, Self::Checked { widget: two, is: other })
            | (Self::Enabled { widget: one, is }, Self::Enabled { widget: two, is: other })
            | (Self::Selected { widget: one, is }, Self::Selected { widget: two, is: other })
                if same(one, two) && is != other =>
            {
                "one wants what the other does not"
            }
            (Self::Value { field: one, is }, Self::Value { field: two, is: other })
                if same(one, two) && !same(is, other) =>
            {
                "one field cannot hold two values"
            }
            (Self::Screen(one), Self::Screen(two)) if !within(one, two) && !within(two, one) => {
                "a case ends on one screen"
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_not = |is: bool, word: &'static str| if is { format!("is {word}") } else { format!("is not {word}") };
        match self {
            Self::Visible(text) => write!(f, "visible: {text}"),
            Self::Absent(text) => write!(f, "absent: {text}"),
            Self::Checked { widget, is } => write!(f, "checked: {widget} is {}", if *is { "on" } else { "off" }),
            Self::Enabled { widget, is } => write!(f, "enabled: {widget} {}", is_not(*is, "enabled")),
            Self::Selected { widget, is } => write!(f, "selected: {widget} {}", is_not(*is, "selected")),
            Self::Value { field, is } => write!(f, "value: {field} is {is:?}"),
            Self::Count { of, is } => write!(f, "count: {of} is there {is} times"),
            Self::Screen(title) => write!(f, "screen: {title}"),
            Self::Toast(text) => write!(f, "toast: {text}"),
            Self::Picture(text) => write!(f, "picture: {text}"),
            Self::Without(trouble) => write!(f, "without: {trouble}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_expectations_that_cannot_both_hold_contradict() {
        let visible = |text: &str| Expectation::Visible(text.into());
        let absent = |text: &str| Expectation::Absent(text.into());
        let count = |of: &str, is| Expectation::Count { of: of.into(), is };
        let checked = |is| Expectation::Checked { widget: "Wi-Fi".into(), is };
        let screen = |title: &str| Expectation::Screen(title.into());
        for (one, other) in [
            (visible("Card  added"), absent("card added")),
            (absent("added"), visible("Card added")),
            (count("Milk", 0), visible("Whole milk")),
            (count("Milk", 2), count("milk", 3)),
            (count("Milk", 2), absent("Milk")),
            (checked(true), checked(false)),
            (screen("Cart"), screen("Checkout")),
        ] {
            assert!(one.contradicts(&other).is_some() && other.contradicts(&one).is_some(), "{one} / {other}");
        }
        for (one, other) in [
            (visible("Card"), absent("Card removed")),
            (visible("Card"), visible("Card added")),
            (checked(true), checked(true)),
            (screen("Cart"), screen("Your cart")),
        ] {
            assert_eq!(one.contradicts(&other), None, "{one} / {other}");
        }
    }
}
