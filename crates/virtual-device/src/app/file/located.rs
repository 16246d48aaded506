//! Values that remember where in the file they stood, so that checks can name the line.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A value with its place in the app file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Line, from 1; 0 when unknown.
    pub line: u64,
    /// Column, from 1; 0 when unknown.
    pub column: u64,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_saphyr::Spanned::<T>::deserialize(deserializer)?;
        Ok(Self { value: spanned.value, line: spanned.referenced.line(), column: spanned.referenced.column() })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Text shown to the user: literal, `@name` of a string resource, with `{{ expression }}` parts.
pub type Text = Located<String>;

/// The source of a rhai expression; plain booleans and numbers are accepted as they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(pub String);

/// An expression with its place.
pub type Expression = Located<Source>;

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Source;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression: text, a number, true or false")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Source, E> {
                Ok(Source(text.to_owned()))
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<Source, E> {
                Ok(Source(value.to_string()))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Source, E> {
                Ok(Source(value.to_string()))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Source, E> {
                Ok(Source(value.to_string()))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Source, E> {
                Ok(Source(format!("{value:?}")))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

impl JsonSchema for Source {
    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "A rhai expression over the app's state variables (and `item`, `index` inside a list).",
            "type": ["string", "boolean", "number"]
        })
    }
}
