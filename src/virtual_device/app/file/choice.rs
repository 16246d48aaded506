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

/// The built-in icons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum IconName {
    Back,
    Close,
    Check,
    Chevron,
    ChevronDown,
    Backspace,
    Bank,
    Card,
    Lock,
    Person,
    People,
    Phone,
    Search,
    Bell,
    Gift,
    Help,
    Home,
    Send,
    Receipt,
    Shield,
    Fingerprint,
    Wallet,
    Plus,
    Minus,
    More,
    Menu,
    Info,
    Warning,
    Star,
    Heart,
    Scan,
    Clock,
    Settings,
    Mail,
    Car,
    Pin,
    Cart,
    Edit,
    Trash,
    Calendar,
}
