//! Named values of a case, and `${name}` references to them.

use super::error::known_names;
use super::similar::nearest;
use crate::domain::{InputText, Secret};
use std::collections::BTreeMap;

/// One parameter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterValue {
    /// May be shown.
    Plain(String),
    /// Must never be shown.
    Secret(Secret),
}

impl ParameterValue {
    /// A value that may be shown.
    pub fn plain(value: impl Into<String>) -> Self {
        Self::Plain(value.into())
    }

    /// A value that must never be shown.
    pub fn secret(value: impl Into<String>) -> Self {
        Self::Secret(Secret::new(value))
    }

    /// True for a secret.
    pub const fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_))
    }

    /// The value as text to type, a secret under the parameter's name.
    pub fn to_input(&self, name: &str) -> InputText {
        match self {
            Self::Plain(value) => InputText::Plain(value.clone()),
            Self::Secret(value) => InputText::Secret { name: name.to_owned(), value: value.clone() },
        }
    }

    fn replaced_by(&self, value: &str) -> Self {
        if self.is_secret() { Self::secret(value) } else { Self::plain(value) }
    }
}

/// The parameters of a case, by name. `Debug` masks secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters(BTreeMap<String, ParameterValue>);

/// A `${name}` that names no parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("${{{name}}} names no parameter of the case; {known}")]
pub struct UnknownReference {
    /// The name in the reference.
    pub name: String,
    /// The known names, in words.
    pub known: String,
}

/// A `--param` that cannot be used. Values are never part of the text: they may be secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// Not of the form `name=value`.
    #[error("a parameter is given as name=value; argument {position} has no '='")]
    Form {
        /// Which argument, counted from 1.
        position: usize,
    },
    /// A line of a file that is not of the form `name=value`.
    #[error("line {line} is no name=value")]
    Line {
        /// Which line, counted from 1.
        line: usize,
    },
    /// A file that begins like JSON and is no object of texts.
    #[error("line {line}, column {column}: expected a JSON object of texts, such as {{\"name\": \"value\"}}")]
    Json {
        /// Where, counted from 1.
        line: usize,
        /// Where in the line, counted from 1.
        column: usize,
    },
    /// No such parameter.
    #[error("the case has no parameter {name:?}; {known}{hint}")]
    Unknown {
        /// The name given.
        name: String,
        /// The known names, in words.
        known: String,
        /// `; did you mean …?`, or empty.
        hint: String,
    },
}

impl Parameters {
    /// Adds or replaces a parameter.
    pub fn insert(&mut self, name: impl Into<String>, value: ParameterValue) {
        self.0.insert(name.into(), value);
    }

    /// A parameter's value.
    pub fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.0.get(name)
    }

    /// A parameter's value as text to type.
    pub fn text_of(&self, name: &str) -> Option<InputText> {
        self.get(name).map(|value| value.to_input(name))
    }

    /// Those for whose names `wanted` holds.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Self {
        Self(
            self.0.iter().filter(|(name, _)| wanted(name)).map(|(name, value)| (name.clone(), value.clone())).collect(),
        )
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ParameterValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// True when the case has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces values, as `--param` and a run request ask for. A secret stays a secret. Either all names are known or
    /// nothing changes.
    pub fn overridden(&self, overrides: &BTreeMap<String, String>) -> Result<Self, OverrideError> {
        let mut changed = self.clone();
        for (name, value) in overrides {
            let Some(old) = self.get(name) else {
                let hint = match nearest(name, self.names()).first() {
                    Some(near) => format!("; did you mean {near}?"),
                    None => String::new(),
                };
                return Err(OverrideError::Unknown { name: name.clone(), known: known_names(self), hint });
            };
            changed.insert(name.clone(), old.replaced_by(value));
        }
        Ok(changed)
    }

    /// Reads `name=value` arguments; a later one wins. The value may hold further `=`.
    pub fn parse_overrides<T: AsRef<str>>(arguments: &[T]) -> Result<BTreeMap<String, String>, OverrideError> {
        let mut overrides = BTreeMap::new();
        for (index, argument) in arguments.iter().enumerate() {
            let (name, value) = named(argument.as_ref()).ok_or(OverrideError::Form { position: index + 1 })?;
            overrides.insert(name, value);
        }
        Ok(overrides)
    }

    /// Reads a file of values: a JSON object of texts, or lines of `name=value`, of which blank ones and those that begin
    /// with `#` count for nothing.
    pub fn parse_file(text: &str) -> Result<BTreeMap<String, String>, OverrideError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim_start().starts_with('{') {
            // What the reader says of a value would show it.
            let unfit = |error: serde_json::Error| OverrideError::Json { line: error.line(), column: error.column() };
            return serde_json::from_str(text).map_err(unfit);
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        lines.map(|(index, line)| named(line).ok_or(OverrideError::Line { line: index + 1 })).collect()
    }

    /// `text` with every reference replaced by its value: a text to type or to compare with a screen. As soon as one
    /// secret is in it the whole is secret, under that parameter's name.
    pub fn input(&self, text: &str) -> Result<InputText, UnknownReference> {
        let mut secret = None;
        let value = self.substitute(text, |name, value| match value {
            ParameterValue::Plain(value) => value.clone(),
            ParameterValue::Secret(value) => {
                secret.get_or_insert_with(|| name.to_owned());
                value.expose().to_owned()
            }
        })?;
        Ok(match secret {
            Some(name) => InputText::Secret { name, value: Secret::new(value) },
            None => InputText::Plain(value),
        })
    }

    /// `text` with plain values put in and secrets left as `${name}`: fit to be shown.
    pub fn shown(&self, text: &str) -> Result<String, UnknownReference> {
        self.substitute(text, |name, value| match value {
            ParameterValue::Plain(value) => value.clone(),
            ParameterValue::Secret(_) => format!("${{{name}}}"),
        })
    }

    /// `text` as a sentence for the model: plain values put in, marks of secrets left out.
    pub fn spoken(&self, text: &str) -> Result<String, UnknownReference> {
        let sentence = self.substitute(text, |_, value| match value {
            ParameterValue::Plain(value) => value.clone(),
            ParameterValue::Secret(_) => String::new(),
        })?;
        Ok(sentence.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn substitute(
        &self,
        text: &str,
        mut value_of: impl FnMut(&str, &ParameterValue) -> String,
    ) -> Result<String, UnknownReference> {
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for reference in references(text) {
            let value = self
                .get(reference.name)
                .ok_or_else(|| UnknownReference { name: reference.name.to_owned(), known: known_names(self) })?;
            out.push_str(&text[end..reference.start]);
            out.push_str(&value_of(reference.name, value));
            end = reference.end;
        }
        out.push_str(&text[end..]);
        Ok(out)
    }
}

/// Name and value of a `name=value`; the value may hold further `=`.
fn named(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

/// A `${name}` within a text, by byte positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference<'t> {
    pub(super) name: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The references of a text, left to right. A `${` that is never closed is plain text.
pub(super) fn references(text: &str) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find("${").map(|at| at + from) {
        let Some(close) = text[open..].find('}').map(|at| at + open) else { break };
        found.push(Reference { name: text[open + 2..close].trim(), start: open, end: close + 1 });
        from = close + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Parameters {
        let mut parameters = Parameters::default();
        parameters.insert("bank_name", ParameterValue::plain("Evergreen Bank"));
        parameters.insert("pin", ParameterValue::secret("135790"));
        parameters
    }

    #[test]
    fn references_become_values_but_secrets_stay_hidden_where_they_could_be_read() {
        let text = "Pick ${bank_name}, then enter ${pin}.";
        assert_eq!(parameters().shown(text).unwrap(), "Pick Evergreen Bank, then enter ${pin}.");
        assert_eq!(parameters().spoken("Enter PIN ${pin} now").unwrap(), "Enter PIN now");
        let input = parameters().input("x${pin}").unwrap();
        assert_eq!(input.expose(), "x135790");
        assert!(input.is_secret());
        assert_eq!(parameters().input("${ bank_name }").unwrap(), InputText::Plain("Evergreen Bank".into()));
    }

    #[test]
    fn an_unknown_reference_names_the_known_ones() {
        let error = parameters().shown("Pick ${bank}").unwrap_err();
        assert_eq!(error.to_string(), "${bank} names no parameter of the case; known are: bank_name, pin");
    }

    #[test]
    fn an_unclosed_reference_is_plain_text() {
        assert_eq!(parameters().shown("costs ${5 or €7").unwrap(), "costs ${5 or €7");
    }

    #[test]
    fn an_override_keeps_secrecy_and_refuses_unknown_names_without_showing_values() {
        let overrides = Parameters::parse_overrides(&["pin=24=6", "bank_name=Harbour Bank"]).unwrap();
        let changed = parameters().overridden(&overrides).unwrap();
        assert_eq!(changed.text_of("pin").unwrap().expose(), "24=6");
        assert!(!format!("{changed:?}").contains("24=6"));
        let wrong = Parameters::parse_overrides(&["bankname=s3cret"]).unwrap();
        let text = parameters().overridden(&wrong).unwrap_err().to_string();
        assert!(text.contains("bank_name, pin") && text.contains("did you mean bank_name?"), "{text}");
        assert!(!text.contains("s3cret"));
        assert_eq!(Parameters::parse_overrides(&["a=1", "s3cret"]), Err(OverrideError::Form { position: 2 }));
    }

    #[test]
    fn a_file_of_values_is_json_or_lines_and_its_errors_show_no_value() {
        let expected = BTreeMap::from([("pin", "24=6 "), ("bank_name", "Harbour Bank")]);
        let expected = expected.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        for text in [
            "# of the bank\n\npin=24=6 \r\nbank_name =Harbour Bank",
            "\u{feff}\n {\"pin\": \"24=6 \", \"bank_name\": \"Harbour Bank\"}\n",
        ] {
            assert_eq!(Parameters::parse_file(text).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(Parameters::parse_file(""), Ok(BTreeMap::new()));
        for (text, place) in [
            ("a=1\n\ns3cret\n", "line 3"),
            ("=s3cret", "line 1"),
            ("{\n\"pin\": 7777777}", "line 2"),
            ("{\"pin\": \"s3cret\"", "column"),
            ("{\"pin\": [\"s3cret\"]}", "a JSON object of texts"),
        ] {
            let error = Parameters::parse_file(text).unwrap_err().to_string();
            assert!(error.contains(place) && !error.contains("s3cret") && !error.contains("7777777"), "{error}");
        }
    }
}
