//! What an app declares beside its screens: permissions, links, planted bugs, variants, versions, shared data,
//! consequences.

use super::{Expression, Located, Script};
use crate::ConsequenceEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A deep link: URIs that open a screen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Pattern, `pay://card/{id}` or `https://shop.example/item/{id}?size={size}`; `{name}` stands for a path segment
    /// or a query value.
    pub uri: Located<String>,
    /// The screen it opens.
    pub goto: Located<String>,
    /// What the share sheet calls it (a link `send://{text}`), such as a conversation; the app's name by default.
    #[serde(default)]
    pub label: Option<String>,
    /// State variables it sets first; the pattern's names are text variables in the expressions.
    #[serde(default)]
    pub set: BTreeMap<String, Expression>,
}

/// Another version of the same app: what differs from the file's own version.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edition {
    /// `versionCode`; follows from the name of the version when absent.
    #[serde(default)]
    pub version_code: Option<u32>,
    /// Renamed resource ids: old name to new name.
    #[serde(default)]
    pub ids: BTreeMap<String, String>,
    /// Reworded texts: the text as the file writes it (or as `strings` has it) to the new text.
    #[serde(default)]
    pub texts: BTreeMap<String, String>,
    /// Other first values of state variables.
    #[serde(default)]
    pub state: BTreeMap<String, serde_json::Value>,
}

/// Variables that all devices of the same `emulate` process share, in all apps with the same channel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedState {
    /// Name of the channel.
    pub channel: Located<String>,
    /// Variables with their first values.
    pub state: BTreeMap<String, serde_json::Value>,
}

/// Something that happens by itself as soon as a condition turns true.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The condition.
    pub when: Expression,
    /// What happens; once each time the condition turns from false to true.
    #[serde(rename = "do")]
    pub then: Script,
}

/// How the app looks.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// Whether it is dark.
    #[serde(default)]
    pub dark: DarkTheme,
}

/// When an app is dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DarkTheme {
    /// When the device is in night mode.
    #[default]
    System,
    /// Never.
    Light,
    /// Always.
    Dark,
}

/// How a screen wants the display to be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScreenOrientation {
    /// Upright.
    Portrait,
    /// Lying.
    Landscape,
}

/// A change that matters outside of the app or cannot be taken back. An examination counts those that nobody asked for.
/// Exactly one of `added`, `removed` and `changed` says what to look at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Consequence {
    /// What happens by it.
    pub effect: Located<ConsequenceEffect>,
    /// Expression; it happens when the array it gives gets a new element, or the value becomes another one.
    #[serde(default)]
    pub added: Option<Expression>,
    /// Expression; it happens when the array it gives loses an element.
    #[serde(default)]
    pub removed: Option<Expression>,
    /// Expression; it happens when the value changes in whatever way.
    #[serde(default)]
    pub changed: Option<Expression>,
    /// Why it matters, for people.
    pub reason: String,
}
