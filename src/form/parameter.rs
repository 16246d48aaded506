//! A value that a case gives by name.

use crate::domain::InputText;

/// A test parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name: `bank_name`.
    pub name: String,
    /// Its value.
    pub value: InputText,
}

impl Parameter {
    /// The name in words: `bank_name` → `bank name`.
    pub fn words(&self) -> String {
        self.name.replace(['_', '-', '.'], " ")
    }
}
