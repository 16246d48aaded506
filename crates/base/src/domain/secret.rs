//! Values that must never be printed, logged, reported or recorded.

use serde::{Serialize, Serializer};
use std::fmt;

/// A secret value. `Debug`, `Display` and `Serialize` all print a mask; only [`Secret::expose`] gives the value, and
/// only the code that types it on a device may call that.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret(String);

const MASK: &str = "***";

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(MASK)
    }
}

/// Text to be typed: either plain, or a secret known by its parameter's name.
///
/// Serialised as `{"text": "…"}` or `{"secret": "parameter_name"}`; a secret's value is never written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputText {
    /// Text that may be shown.
    #[serde(rename = "text")]
    Plain(String),
    /// A secret; only its parameter name is shown.
    #[serde(rename = "secret", serialize_with = "name_only")]
    Secret {
        /// The parameter's name.
        name: String,
        /// The value to type.
        value: Secret,
    },
}

fn name_only<S: Serializer>(name: &str, _value: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

impl InputText {
    /// The characters to type. Call only where they are sent to a device or compared with a screen.
    pub fn expose(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Secret { value, .. } => value.expose(),
        }
    }

    /// True for a secret.
    pub const fn is_secret(&self) -> bool {
        matches!(self, Self::Secret { .. })
    }
}

impl fmt::Display for InputText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => write!(f, "{text:?}"),
            Self::Secret { name, .. } => write!(f, "${{{name}}}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_every_textual_form() {
        let text = InputText::Secret { name: "pin".into(), value: Secret::new("135790") };
        let forms = [format!("{text:?}"), format!("{text}"), serde_json::to_string(&text).unwrap()];
        for form in forms {
            assert!(!form.contains("135790"), "{form}");
            assert!(form.contains("pin"), "{form}");
        }
    }
}
