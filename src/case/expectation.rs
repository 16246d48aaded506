//! What must hold on the screen when a case has been carried out.

use super::{Parameters, UnknownReference};
use crate::domain::InputText;
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
    /// A field holds a text.
    Value(FieldValue),
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
            Self::Visible(text) | Self::Absent(text) => vec![text],
            Self::Checked(CheckedWidget { widget, .. }) => vec![widget],
            Self::Value(FieldValue { field, is }) => vec![field, is],
        }
    }

    /// Puts parameter values in; the result can be compared with a screen.
    pub fn resolve(&self, parameters: &Parameters) -> Result<Check, UnknownReference> {
        Ok(match self {
            Self::Visible(text) => Check::Visible(parameters.input(text)?),
            Self::Absent(text) => Check::Absent(parameters.input(text)?),
            Self::Checked(CheckedWidget { widget, is }) => {
                Check::Checked { widget: parameters.input(widget)?, is: *is }
            }
            Self::Value(FieldValue { field, is }) => {
                Check::Value { field: parameters.input(field)?, is: parameters.input(is)? }
            }
        })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visible(text) => write!(f, "visible: {text}"),
            Self::Absent(text) => write!(f, "absent: {text}"),
            Self::Checked(CheckedWidget { widget, is }) => write!(f, "checked: {widget} is {}", on_off(*is)),
            Self::Value(FieldValue { field, is }) => write!(f, "value: {field} is {is}"),
        }
    }
}

/// An expectation with its parameters put in. Its `Display` form is fit for events and reports: secrets only by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// This text can be read on the screen.
    Visible(InputText),
    /// This text can not be read on the screen.
    Absent(InputText),
    /// A checkable widget is on or off.
    Checked {
        /// The widget's label.
        widget: InputText,
        /// True for on.
        is: bool,
    },
    /// A field holds a text.
    Value {
        /// The field's label.
        field: InputText,
        /// Its content.
        is: InputText,
    },
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visible(text) => write!(f, "visible: {}", bare(text)),
            Self::Absent(text) => write!(f, "absent: {}", bare(text)),
            Self::Checked { widget, is } => write!(f, "checked: {} is {}", bare(widget), on_off(*is)),
            Self::Value { field, is } => write!(f, "value: {} is {}", bare(field), bare(is)),
        }
    }
}

const fn on_off(is: bool) -> &'static str {
    if is { "on" } else { "off" }
}

/// The text without quotes; a secret as `${name}`.
fn bare(text: &InputText) -> String {
    match text {
        InputText::Plain(text) => text.clone(),
        InputText::Secret { .. } => text.to_string(),
    }
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
        assert_eq!(value.resolve(&parameters).unwrap().to_string(), "value: Bank is Evergreen Bank");
        let hidden = Expectation::Absent("code ${pin}".into()).resolve(&parameters).unwrap();
        assert_eq!(hidden.to_string(), "absent: ${pin}");
        assert!(!format!("{hidden:?}").contains("135790"));
        let Check::Absent(text) = hidden else { panic!("not absent") };
        assert_eq!(text.expose(), "code 135790");
    }
}
