//! Values that the file writes in one of two ways: a bare value, or a map or list with more to say.

use super::action::{Crash, Script, Snackbar};
use super::{Located, Text};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// How long a snackbar stays (`Snackbar.LENGTH_LONG` is 2750 ms; with a button apps keep it longer).
const SNACKBAR_MS: u64 = 4000;

const fn snackbar_ms() -> u64 {
    SNACKBAR_MS
}

/// A duration: fixed, or drawn between two bounds each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Milliseconds {
    /// At least.
    pub least: u64,
    /// At most.
    pub most: u64,
}

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bounds;
        impl<'de> Visitor<'de> for Bounds {
            type Value = Milliseconds;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("milliseconds, or [least, most]")
            }
            fn visit_u64<E: Error>(self, ms: u64) -> Result<Milliseconds, E> {
                Ok(Milliseconds { least: ms, most: ms })
            }
            fn visit_i64<E: Error>(self, ms: i64) -> Result<Milliseconds, E> {
                let ms = u64::try_from(ms).map_err(|_| E::custom("milliseconds are not negative"))?;
                self.visit_u64(ms)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Milliseconds, A::Error> {
                let mut bounds = Vec::with_capacity(2);
                while let Some(bound) = seq.next_element::<u64>()? {
                    bounds.push(bound);
                }
                match bounds[..] {
                    [least, most] if least <= most => Ok(Milliseconds { least, most }),
                    [_, _] => Err(A::Error::custom("the least number of milliseconds comes first")),
                    _ => Err(A::Error::invalid_length(bounds.len(), &self)),
                }
            }
        }
        deserializer.deserialize_any(Bounds)
    }
}

impl JsonSchema for Milliseconds {
    fn schema_name() -> Cow<'static, str> {
        "Milliseconds".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "Milliseconds: one number, or [least, most] to draw from each time.",
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
            ]
        })
    }
}

/// A snackbar as a map.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SnackbarMap {
    /// The message.
    text: Text,
    /// The button's text.
    #[serde(default)]
    action: Option<Text>,
    /// What the button does.
    #[serde(default)]
    on_action: Script,
    /// How long it stays, milliseconds.
    #[serde(default = "snackbar_ms")]
    ms: u64,
}

impl<'de> Deserialize<'de> for Snackbar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Snackbar;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, or {text, action, on_action, ms}")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Snackbar, E> {
                let text = Located { value: text.to_owned(), line: 0, column: 0 };
                Ok(Snackbar { text, action: None, on_action: Script::default(), ms: SNACKBAR_MS })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Snackbar, A::Error> {
                let map = SnackbarMap::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Snackbar { text: map.text, action: map.action, on_action: map.on_action, ms: map.ms })
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for Snackbar {
    fn schema_name() -> Cow<'static, str> {
        "Snackbar".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<SnackbarMap>();
        schemars::json_schema!({"description": "A text, or a map.", "anyOf": [{"type": "string"}, map]})
    }
}

/// A crash as a map.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CrashMap {
    /// The exception's message, or the native abort message.
    message: String,
    /// Whether it is a native crash in place of a Java exception.
    #[serde(default)]
    native: bool,
}

impl<'de> Deserialize<'de> for Crash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Crash;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a message, or {message, native}")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Crash, E> {
                Ok(Crash { message: text.to_owned(), native: false })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Crash, A::Error> {
                let map = CrashMap::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Crash { message: map.message, native: map.native })
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for Crash {
    fn schema_name() -> Cow<'static, str> {
        "Crash".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<CrashMap>();
        schemars::json_schema!({"description": "A message, or a map.", "anyOf": [{"type": "string"}, map]})
    }
}
