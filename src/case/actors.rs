//! The YAML forms of what only cases on several devices have: actors, and whose expectation something is.

use super::Expectation;
use super::file::AppFile;
use schemars::JsonSchema;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use std::fmt;

/// Someone who takes part, with a device of their own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ActorFile {
    /// The app they use.
    pub(super) app: AppFile,
    /// Where their device is: `latitude,longitude` in degrees.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) location: Option<Spanned<String>>,
}

/// What to answer to questions that no step speaks of: pop-ups, offers, permissions. Texts are words of the screen.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PreferencesFile {
    /// To be accepted.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) accept: Vec<Spanned<String>>,
    /// To be declined.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) decline: Vec<Spanned<String>>,
}

/// An expectation as read.
#[derive(Debug)]
pub(super) struct OutcomeFile {
    pub(super) expectation: Expectation,
    pub(super) actor: Option<String>,
}

impl JsonSchema for OutcomeFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Expectation".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Expectation::json_schema(generator);
        // The same forms, each with room for an actor.
        let actor =
            serde_json::json!({"type": "string", "description": "On whose device; of the last step by default."});
        for form in schema.get_mut("oneOf").and_then(|forms| forms.as_array_mut()).into_iter().flatten() {
            if let Some(properties) = form.get_mut("properties").and_then(|properties| properties.as_object_mut()) {
                properties.insert("actor".to_owned(), actor.clone());
            }
        }
        schema
    }
}

impl<'de> Deserialize<'de> for OutcomeFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OutcomeVisitor)
    }
}

struct OutcomeVisitor;

const FORMS: &[&str] = &[
    "visible", "absent", "checked", "enabled", "selected", "value", "count", "screen", "toast", "picture", "without",
    "actor",
];

impl<'de> Visitor<'de> for OutcomeVisitor {
    type Value = OutcomeFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an expectation: `visible: text`, `absent: text`, `checked: {…}` or `value: {…}`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OutcomeFile, A::Error> {
        let (mut expectation, mut actor) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            let read = match key.as_str() {
                "actor" => {
                    actor = Some(map.next_value::<String>()?);
                    continue;
                }
                "visible" => Expectation::Visible(map.next_value()?),
                "absent" => Expectation::Absent(map.next_value()?),
                "checked" => Expectation::Checked(map.next_value()?),
                "enabled" => Expectation::Enabled(map.next_value()?),
                "selected" => Expectation::Selected(map.next_value()?),
                "value" => Expectation::Value(map.next_value()?),
                "count" => Expectation::Count(map.next_value()?),
                "screen" => Expectation::Screen(map.next_value()?),
                "toast" => Expectation::Toast(map.next_value()?),
                "picture" => Expectation::Picture(map.next_value()?),
                "without" => Expectation::Without(map.next_value()?),
                _ => return Err(de::Error::unknown_field(&key, FORMS)),
            };
            if expectation.replace(read).is_some() {
                return Err(de::Error::custom("one expectation says two things; write each in a line of its own"));
            }
        }
        let expectation = expectation.ok_or_else(|| {
            de::Error::custom(
                "the expectation says nothing; write `visible: text`, `absent: text`, `checked:` or `value:`",
            )
        })?;
        Ok(OutcomeFile { expectation, actor })
    }
}
