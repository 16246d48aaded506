//! Texts, buttons, rows: widgets that say something or are touched.

use super::super::{ButtonStyle, Color, Expression, IconName, Located, Script, Text, TextAlign, TextStyle};
use super::widget_structs;
use schemars::JsonSchema;
use serde::Deserialize;

widget_structs! {
    /// Text.
    TextView {
        /// The text.
        text: Text,
        /// Size and weight.
        #[serde(default)] style: TextStyle,
        /// Colour.
        #[serde(default)] color: Option<Color>,
        /// Alignment of its lines.
        #[serde(default)] align: TextAlign,
        /// Struck through, as a price that no longer holds.
        #[serde(default)] strike: bool,
        /// Cut with an ellipsis after this many lines.
        #[serde(default)] max_lines: Option<usize>,
    }
    /// Text with links in it. Only the links react; the dump shows one text, `clickable="false"` and
    /// `focusable="true"` unless `clickable` and `focusable` say otherwise.
    Paragraph {
        /// The parts.
        spans: Vec<TextSpan>,
        /// Size and weight.
        #[serde(default)] style: TextStyle,
        /// Colour of the plain parts.
        #[serde(default)] color: Option<Color>,
        /// Colour of the links.
        #[serde(default)] link_color: Option<Color>,
        /// Whether links are underlined.
        #[serde(default)] underline: bool,
        /// Alignment of its lines.
        #[serde(default)] align: TextAlign,
        /// Cut with an ellipsis after this many lines.
        #[serde(default)] truncate: Option<usize>,
    }
    /// A button with text.
    Button {
        /// Its text.
        text: Text,
        /// How it looks.
        #[serde(default)] style: ButtonStyle,
        /// Colour of text and icon.
        #[serde(default)] color: Option<Color>,
        /// A small icon before the text.
        #[serde(default)] icon: Option<IconName>,
    }
    /// A button that is only an icon; give it a `desc` (or not, as real apps do).
    IconButton {
        /// The icon.
        icon: IconName,
        /// Its colour.
        #[serde(default)] color: Option<Color>,
        /// Edge length of the icon, dp.
        #[serde(default)] size: Option<f32>,
    }
    /// A row of a list: icon, title, subtitle, trailing text, chevron, switch or check box.
    ListItem {
        /// First line.
        title: Text,
        /// Second line.
        #[serde(default)] subtitle: Option<Text>,
        /// Leading icon.
        #[serde(default)] icon: Option<IconName>,
        /// Colour of the disc behind the leading icon.
        #[serde(default)] icon_color: Option<Color>,
        /// Whether the leading icon stands without a disc, as in menus and settings.
        #[serde(default)] plain_icon: bool,
        /// Leading disc with the first letter of this text.
        #[serde(default)] avatar: Option<Text>,
        /// Text at the end.
        #[serde(default)] trailing: Option<Text>,
        /// Icon at the end.
        #[serde(default)] trailing_icon: Option<IconName>,
        /// Whether a chevron stands at the end.
        #[serde(default)] chevron: bool,
        /// State variable (boolean) of a switch at the end; a tap on the row toggles it.
        #[serde(default)] switch: Option<Located<String>>,
        /// State variable (boolean) of a check box at the end; a tap on the row toggles it.
        #[serde(default)] checkbox: Option<Located<String>>,
        /// After the switch or check box changed.
        #[serde(default)] on_change: Script,
    }
    /// An icon as a picture.
    Image {
        /// The icon.
        icon: IconName,
        /// Edge length, dp.
        #[serde(default)] size: Option<f32>,
        /// Its colour.
        #[serde(default)] color: Option<Color>,
        /// Colour of the disc behind it.
        #[serde(default)] disc: Option<Color>,
    }
    /// A thin line.
    Divider {
        /// Distance from the left edge, dp.
        #[serde(default)] inset: f32,
    }
    /// Empty space: fixed when `height` or `width` is given, else it takes what is free.
    Spacer {}
    /// A spinner that turns while it is shown; with `value` a bar that fills, or with `linear` a bar that moves. As on
    /// Android that alone keeps no dump waiting.
    Progress {
        /// Edge length of the spinner, dp.
        #[serde(default)] size: Option<f32>,
        /// Expression: how much is done, 0–1, or 0–100 when it is an integer.
        #[serde(default)] value: Option<Expression>,
        /// A bar although nothing is known about how much is done.
        #[serde(default)] linear: bool,
        /// The app sends accessibility events as long as it is in sight, as one does that rewrites a text with every
        /// frame: `uiautomator dump` finds no idle moment.
        #[serde(default)] busy: bool,
    }
    /// Grey bars where content is still to come.
    Skeleton {
        /// How many lines.
        #[serde(default = "three")] lines: usize,
        /// Whether a grey disc stands before each pair of lines.
        #[serde(default)] avatar: bool,
    }
}

const fn three() -> usize {
    3
}

/// A part of a paragraph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSpan {
    /// The text.
    pub text: Text,
    /// What a tap on it does.
    #[serde(default)]
    pub link: Option<Script>,
    /// Its own colour.
    #[serde(default)]
    pub color: Option<Color>,
}
