//! The words that properties of widgets choose from.

use schemars::JsonSchema;
use serde::Deserialize;

/// Alignment across an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// At the beginning.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// Over the whole width.
    Stretch,
}

/// Distribution along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Justify {
    /// At the beginning.
    #[default]
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// Free space between the children.
    Between,
}

/// Alignment of lines of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextAlign {
    /// Left.
    #[default]
    Start,
    /// Centred.
    Center,
    /// Right.
    End,
}

/// Sizes and weights after Material's type scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextStyle {
    /// 36 sp medium.
    Display,
    /// 24 sp.
    Headline,
    /// 20 sp medium.
    Title,
    /// 16 sp medium.
    Subtitle,
    /// 16 sp.
    #[default]
    Body,
    /// 14 sp.
    Small,
    /// 14 sp medium.
    Label,
    /// 12 sp.
    Caption,
}

/// How a button looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ButtonStyle {
    /// Filled with the app's colour.
    #[default]
    Filled,
    /// Filled with its pale tint.
    Tonal,
    /// A border.
    Outlined,
    /// Text only.
    Text,
}

/// What may be typed into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InputType {
    /// Anything.
    #[default]
    Text,
    /// Digits, point and minus.
    Number,
    /// Digits, plus, star, hash, space.
    Phone,
    /// Anything, shown as bullets.
    Password,
    /// An e-mail address.
    Email,
    /// Digits and a decimal point.
    Decimal,
    /// Digits, `/`, `-` and `.`.
    Date,
    /// A web address.
    Url,
    /// Digits, shown as bullets.
    Pin,
}

impl InputType {
    /// Whether the content is shown as bullets.
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Password | Self::Pin)
    }
}

/// Direction of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Up and down.
    #[default]
    Vertical,
    /// Left and right.
    Horizontal,
}

/// How the list of a drop-down comes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpinnerMode {
    /// A window of its own over the spinner: the dump shows that window.
    #[default]
    Dropdown,
    /// A dialog.
    Dialog,
    /// Below a text field; a plain dump does not show it.
    Exposed,
}

/// A toolkit other than Android's views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Jetpack Compose: bare views without ids, texts as children.
    Compose,
    /// Flutter: everything in `content-desc`.
    Flutter,
    /// A web page in a `WebView`.
    Web,
    /// React Native: nested groups, texts gathered in `content-desc`.
    ReactNative,
}

/// A wrong rectangle in the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quirk {
    /// `[0,0][0,0]`.
    Zero,
    /// Bottom above top.
    Inverted,
    /// Beyond the display's edge.
    Offscreen,
}

/// What a painted picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhotoKind {
    /// Hills under a sky.
    #[default]
    Landscape,
    /// Houses at dusk.
    City,
    /// A plate from above.
    Food,
    /// Head and shoulders.
    Portrait,
    /// Soft shapes.
    Abstract,
    /// A thing on a plain ground.
    Product,
}

/// How a chart is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// Bars.
    #[default]
    Bar,
    /// A line.
    Line,
}
