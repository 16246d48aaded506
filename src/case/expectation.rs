//! What must hold on the screen when a case has been carried out.

use super::{Parameters, UnknownReference};
use crate::domain;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// One expectation as the case file has it; texts may hold `${name}` references.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// This text can be read on the screen.
    Visible(String),
    /// This text can not be read on the screen.
    Absent(String),
    /// A switch, checkbox or radio button is on or off.
    Checked(CheckedWidget),
    /// A control can be used, or is greyed out.
    Enabled(WidgetIs),
    /// A tab or an item is the selected one, or not.
    Selected(WidgetIs),
    /// A field holds a text.
    Value(FieldValue),
    /// So many things on the screen show a text.
    Count(TextCount),
    /// The screen bears this title.
    Screen(String),
    /// This text was shown for a moment after the last action; it is read off the pictures.
    Toast(String),
    /// This text can be read in the picture of the last screen.
    Picture(String),
    /// The app did not crash, did not hang, or shows no error.
    Without(domain::Trouble),
}

/// What must be true of a widget.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WidgetIs {
    /// The widget's label as a person reads it.
    pub widget: String,
    /// True when it must be so, false when it must not.
    pub is: bool,
}

/// How often a text must be there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextCount {
    /// The text.
    pub of: String,
    /// How many things show it, those scrolled out of sight included.
    pub is: usize,
}

/// The state a checkable widget must have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedWidget {
    /// The widget's label as a person reads it.
    pub widget: String,
    /// True for on, false for off.
    pub is: bool,
}

/// The text a field must hold.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldValue {
    /// The field's label as a person reads it.
    pub field: String,
    /// Its content.
    pub is: String,
}

impl Expectation {
    /// The texts in it, in reading order.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Visible(text) | Self::Absent(text) | Self::Screen(text) | Self::Toast(text) | Self::Picture(text) => {
                vec![text]
            }
            Self::Checked(CheckedWidget { widget, .. })
            | Self::Enabled(WidgetIs { widget, .. })
            | Self::Selected(WidgetIs { widget, .. }) => vec![widget],
            Self::Count(TextCount { of, .. }) => vec![of],
            Self::Without(_) => Vec::new(),
            Self::Value(FieldValue { field, is }) => vec![field, is],
        }
    }

    /// Puts plain values in and leaves secrets as `${name}`: fit to be shown, recorded and checked.
    pub fn shown(&self, parameters: &Parameters) -> Result<domain::Expectation, UnknownReference> {
        Ok(match self {
            Self::Visible(text) => domain::Expectation::Visible(parameters.shown(text)?),
            Self::Absent(text) => domain::Expectation::Absent(parameters.shown(text)?),
            Self::Checked(CheckedWidget { widget, is }) => {
                domain::Expectation::Checked { widget: parameters.shown(widget)?, is: *is }
            }
            Self::Enabled(WidgetIs { widget, is }) => {
                domain::Expectation::Enabled { widget: parameters.shown(widget)?, is: *is }
            }
            Self::Selected(WidgetIs { widget, is }) => {
                domain::Expectation::Selected { widget: parameters.shown(widget)?, is: *is }
            }
            Self::Value(FieldValue { field, is }) => {
                domain::Expectation::Value { field: parameters.shown(field)?, is: parameters.shown(is)? }
            }
            Self::Count(TextCount { of, is }) => domain::Expectation::Count { of: parameters.shown(of)?, is: *is },
            Self::Screen(title) => domain::Expectation::Screen(parameters.shown(title)?),
            Self::Toast(text) => domain::Expectation::Toast(parameters.shown(text)?),
            Self::Picture(text) => domain::Expectation::Picture(parameters.shown(text)?),
            Self::Without(trouble) => domain::Expectation::Without(*trouble),
        })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visible(text) => write!(f, "visible: {text}"),
            Self::Absent(text) => write!(f, "absent: {text}"),
            Self::Checked(CheckedWidget { widget, is }) => write!(f, "checked: {widget} is {}", on_off(*is)),
            Self::Enabled(WidgetIs { widget, is }) => write!(f, "enabled: {widget} is {is}"),
            Self::Selected(WidgetIs { widget, is }) => write!(f, "selected: {widget} is {is}"),
            Self::Value(FieldValue { field, is }) => write!(f, "value: {field} is {is}"),
            Self::Count(TextCount { of, is }) => write!(f, "count: {of} is {is}"),
            Self::Screen(title) => write!(f, "screen: {title}"),
            Self::Toast(text) => write!(f, "toast: {text}"),
            Self::Picture(text) => write!(f, "picture: {text}"),
            Self::Without(trouble) => write!(f, "without: {trouble}"),
        }
    }
}

const fn on_off(is: bool) -> &'static str {
    if is { "on" } else { "off" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::ParameterValue;

    #[test]
    fn an_expectation_with_a_secret_is_shown_by_its_name_only() {
        let mut parameters = Parameters::default();
        parameters.insert("pin", ParameterValue::secret("135790"));
        parameters.insert("bank", ParameterValue::plain("Evergreen Bank"));
        let value = Expectation::Value(FieldValue { field: "Bank".into(), is: "${bank}".into() });
        let is = |is: &str| domain::Expectation::Value { field: "Bank".into(), is: is.into() };
        assert_eq!(value.shown(&parameters).unwrap(), is("Evergreen Bank"));
        let hidden = Expectation::Absent("code ${pin}".into()).shown(&parameters).unwrap();
        assert_eq!(hidden, domain::Expectation::Absent("code ${pin}".into()));
        assert!(Expectation::Visible("${pni}".into()).shown(&parameters).is_err());
    }
}
