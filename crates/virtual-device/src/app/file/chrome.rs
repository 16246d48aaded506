//! What a screen has around its content: menu, drawer, floating button, navigation bars; and lists of choices.

use super::{Color, Expression, IconName, Located, Script, Source, Text, Widget};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The top of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AppBar {
    /// One line.
    #[default]
    Default,
    /// The title in large letters below the buttons.
    Large,
    /// The screen's `search` in place of the title.
    Search,
    /// None, although there is a title.
    None,
}

/// What the soft keyboard does to the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyboardMode {
    /// Moves it up just as far as the focused field needs.
    #[default]
    Pan,
    /// Makes it smaller: what is fixed at the bottom stands above the keyboard.
    Resize,
}

/// The bar in place of the app bar while something is selected (`ActionMode`). Its cross and BACK end the selection.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectionBar {
    /// Expression: whether something is selected.
    pub when: Expression,
    /// What it says, such as `{{ chosen.len() }} selected`.
    pub title: Text,
    /// Icon buttons at its end.
    #[serde(default)]
    pub actions: Vec<Widget>,
    /// What ends the selection.
    pub on_close: Script,
}

/// An entry of the overflow menu ("More options").
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MenuEntry {
    /// Its text.
    pub text: Text,
    /// Not in the dump: rows of a menu have `id/title`, whatever they do. Kept for `testtag`-like use in Compose.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// Expression: whether it is there.
    #[serde(default)]
    pub visible: Option<Expression>,
    /// Expression: whether it reacts.
    #[serde(default)]
    pub enabled: Option<Expression>,
    /// What it does.
    #[serde(default)]
    pub on_tap: Script,
}

/// A navigation drawer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawer {
    /// What stands on its coloured top.
    #[serde(default)]
    pub header: Vec<Widget>,
    /// What stands below.
    #[serde(default)]
    pub body: Vec<Widget>,
}

/// A floating action button.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fab {
    /// Its icon.
    pub icon: IconName,
    /// Its text; with one it is wide.
    #[serde(default)]
    pub text: Option<Text>,
    /// Resource id without the package.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// `content-desc`.
    #[serde(default)]
    pub desc: Option<Text>,
    /// Expression: whether it is there.
    #[serde(default)]
    pub visible: Option<Expression>,
    /// What it does.
    #[serde(default)]
    pub on_tap: Script,
}

/// A bar of destinations, at the bottom or (tabs) below the app bar.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Navigation {
    /// Resource id without the package.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// State variable that holds the chosen value.
    pub bind: Located<String>,
    /// The destinations.
    pub items: Located<Choices>,
    /// Tabs only: as wide as their texts, scrolling sideways.
    #[serde(default)]
    pub scrollable: bool,
    /// After every change.
    #[serde(default)]
    pub on_change: Script,
}

/// How a dialog looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DialogStyle {
    /// Title, message and buttons.
    #[default]
    Alert,
    /// Over the whole display with a bar on top.
    Fullscreen,
    /// The buttons are rows of a list.
    List,
}

/// A button behind a row or in a banner.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowAction {
    /// Its text.
    pub text: Text,
    /// Resource id without the package.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// Its icon.
    #[serde(default)]
    pub icon: Option<IconName>,
    /// Its colour.
    #[serde(default)]
    pub color: Option<Color>,
    /// What it does.
    #[serde(default)]
    pub on_tap: Script,
}

/// One of several things to choose from.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Its text.
    #[serde(default)]
    pub text: Option<Text>,
    /// Its icon.
    #[serde(default)]
    pub icon: Option<IconName>,
    /// Expression: what the variable becomes; by default its number for an integer variable, else its text.
    #[serde(default)]
    pub value: Option<Expression>,
    /// Resource id without the package.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// `content-desc`; by default its text where Android does so.
    #[serde(default)]
    pub desc: Option<Text>,
    /// Text on a small disc.
    #[serde(default)]
    pub badge: Option<Text>,
    /// Expression: whether it is there.
    #[serde(default)]
    pub visible: Option<Expression>,
}

/// What there is to choose from: an expression that gives an array, or a list.
#[derive(Debug)]
pub enum Choices {
    /// An array of texts, numbers or maps with `text`, `value`, `icon`.
    Expression(Source),
    /// Written out.
    List(Vec<Choice>),
}

/// A choice as its place in a list writes it: a text, or a map.
struct Entry(Choice);

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Choice;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a map with `text`, `icon`, `value`, `id`, `desc`, `badge`, `visible`")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Choice, E> {
                let text = Text { value: text.to_owned(), line: 0, column: 0 };
                Ok(Choice { text: Some(text), ..Choice::default() })
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Choice, E> {
                self.visit_str(&number.to_string())
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Choice, E> {
                self.visit_str(&number.to_string())
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Choice, A::Error> {
                Choice::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(Either).map(Entry)
    }
}

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Choices;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression that gives an array, or a list of texts or maps")
            }
            fn visit_str<E: Error>(self, source: &str) -> Result<Choices, E> {
                Ok(Choices::Expression(Source(source.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Choices, A::Error> {
                let mut list = Vec::new();
                while let Some(Entry(choice)) = seq.next_element()? {
                    list.push(choice);
                }
                Ok(Choices::List(list))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for Choices {
    fn schema_name() -> Cow<'static, str> {
        "Choices".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let choice = generator.subschema_for::<Choice>();
        schemars::json_schema!({
            "description": "An expression that gives an array, or a list of texts or maps.",
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"anyOf": [{"type": ["string", "number"]}, choice]}}
            ]
        })
    }
}
