//! The widgets of the format.

use super::{
    Align, Axis, ButtonStyle, Color, Edges, Expression, IconName, InputType, Justify, Located, Script, Text, TextAlign,
    TextStyle,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// What every widget can have.
#[derive(Debug, Clone, Copy)]
pub struct Common<'a> {
    /// Resource id without the package.
    pub id: Option<&'a Located<String>>,
    /// `content-desc`.
    pub desc: Option<&'a Text>,
    /// Whether it is there at all.
    pub visible: Option<&'a Expression>,
    /// Whether it reacts.
    pub enabled: Option<&'a Expression>,
    /// Share of the free space along the parent's axis.
    pub grow: Option<f32>,
    /// Width, dp.
    pub width: Option<f32>,
    /// Height, dp.
    pub height: Option<f32>,
    /// Inner distance.
    pub padding: Option<Edges>,
    /// Outer distance.
    pub margin: Option<Edges>,
    /// Alignment across the parent's axis.
    pub align_self: Option<Align>,
    /// Fill.
    pub background: Option<Color>,
    /// Corner radius, dp.
    pub radius: Option<f32>,
    /// On tap.
    pub on_tap: &'a Script,
    /// On long press.
    pub on_long_press: &'a Script,
}

macro_rules! widgets {
    ($($(#[$meta:meta])* $name:literal => $variant:ident { $($(#[$fmeta:meta])* $field:ident : $ty:ty),* $(,)? })*) => {
        /// A widget, written as a map with its kind as the only key.
        #[derive(Debug, Deserialize, JsonSchema)]
        pub enum Widget { $($(#[$meta])* #[serde(rename = $name)] $variant($variant)),* }

        impl Widget {
            /// The properties all widgets share.
            pub fn common(&self) -> Common<'_> {
                match self { $(Self::$variant(w) => Common {
                    id: w.id.as_ref(), desc: w.desc.as_ref(), visible: w.visible.as_ref(), enabled: w.enabled.as_ref(),
                    grow: w.grow, width: w.width, height: w.height, padding: w.padding, margin: w.margin,
                    align_self: w.align_self, background: w.background, radius: w.radius,
                    on_tap: &w.on_tap, on_long_press: &w.on_long_press,
                }),* }
            }

            /// The kind as the file writes it.
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name),* }
            }
        }

        $(
            $(#[$meta])*
            #[derive(Debug, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $variant {
                /// Resource id without the package; may be left out, as real apps often do.
                #[serde(default)] pub id: Option<Located<String>>,
                /// `content-desc`.
                #[serde(default)] pub desc: Option<Text>,
                /// Expression: whether it is there at all.
                #[serde(default)] pub visible: Option<Expression>,
                /// Expression: whether it reacts.
                #[serde(default)] pub enabled: Option<Expression>,
                /// Share of the free space along the parent's axis.
                #[serde(default)] pub grow: Option<f32>,
                /// Width, dp.
                #[serde(default)] pub width: Option<f32>,
                /// Height, dp.
                #[serde(default)] pub height: Option<f32>,
                /// Inner distance.
                #[serde(default)] pub padding: Option<Edges>,
                /// Outer distance.
                #[serde(default)] pub margin: Option<Edges>,
                /// Alignment across the parent's axis.
                #[serde(default)] pub align_self: Option<Align>,
                /// Fill.
                #[serde(default)] pub background: Option<Color>,
                /// Corner radius, dp.
                #[serde(default)] pub radius: Option<f32>,
                /// On tap; makes the widget clickable.
                #[serde(default)] pub on_tap: Script,
                /// On long press; makes the widget long-clickable.
                #[serde(default)] pub on_long_press: Script,
                $($(#[$fmeta])* pub $field: $ty,)*
            }
        )*
    };
}

widgets! {
    /// Children from top to bottom.
    "column" => Column {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// Distribution along the axis.
        #[serde(default)] justify: Justify,
        /// Alignment across the axis.
        #[serde(default)] align: Option<Align>,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// Children from left to right, centred vertically unless `align` says otherwise.
    "row" => Row {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// Distribution along the axis.
        #[serde(default)] justify: Justify,
        /// Alignment across the axis.
        #[serde(default)] align: Option<Align>,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A raised surface with rounded corners; children from top to bottom.
    "card" => Card {
        /// A border in place of the shadow.
        #[serde(default)] outlined: bool,
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// The same widgets for each element of an array; `item` and `index` are variables inside.
    "list" => List {
        /// Expression that gives an array.
        items: Expression,
        /// Whether it scrolls on its own (and grows to fill its parent).
        #[serde(default)] scroll: bool,
        /// Whether thin lines separate the items.
        #[serde(default)] dividers: bool,
        /// Widgets of one item.
        item: Vec<Widget>,
    }
    /// Text.
    "text" => TextView {
        /// The text.
        text: Text,
        /// Size and weight.
        #[serde(default)] style: TextStyle,
        /// Colour.
        #[serde(default)] color: Option<Color>,
        /// Alignment of its lines.
        #[serde(default)] align: TextAlign,
        /// Cut with an ellipsis after this many lines.
        #[serde(default)] max_lines: Option<usize>,
    }
    /// A button with text.
    "button" => Button {
        /// Its text.
        text: Text,
        /// How it looks.
        #[serde(default)] style: ButtonStyle,
        /// A small icon before the text.
        #[serde(default)] icon: Option<IconName>,
    }
    /// A button that is only an icon; give it a `desc` (or not, as real apps do).
    "icon_button" => IconButton {
        /// The icon.
        icon: IconName,
        /// Its colour.
        #[serde(default)] color: Option<Color>,
    }
    /// An outlined text field.
    "field" => Field {
        /// State variable (text) that holds the content.
        bind: Located<String>,
        /// Floating label.
        #[serde(default)] label: Option<Text>,
        /// Shown while empty (and focused, when there is a label too).
        #[serde(default)] hint: Option<Text>,
        /// Text shown in red below; none while it expands to nothing.
        #[serde(default)] error: Option<Text>,
        /// What may be typed.
        #[serde(default)] input: InputType,
        /// Longest content, characters.
        #[serde(default)] max_length: Option<usize>,
        /// After every change.
        #[serde(default)] on_change: Script,
        /// When ENTER is pressed on the last field.
        #[serde(default)] on_submit: Script,
    }
    /// A check box, with or without text.
    "checkbox" => Checkbox {
        /// State variable (boolean).
        bind: Located<String>,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A switch, with or without text.
    "switch" => Switch {
        /// State variable (boolean).
        bind: Located<String>,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A radio button: selected while `bind` equals `value`.
    "radio" => Radio {
        /// State variable.
        bind: Located<String>,
        /// The value it stands for.
        value: Expression,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A row of a list: icon, title, subtitle, trailing text, chevron or switch.
    "list_item" => ListItem {
        /// First line.
        title: Text,
        /// Second line.
        #[serde(default)] subtitle: Option<Text>,
        /// Leading icon.
        #[serde(default)] icon: Option<IconName>,
        /// Colour of the disc behind the leading icon.
        #[serde(default)] icon_color: Option<Color>,
        /// Leading disc with the first letter of this text.
        #[serde(default)] avatar: Option<Text>,
        /// Text at the end.
        #[serde(default)] trailing: Option<Text>,
        /// Whether a chevron stands at the end.
        #[serde(default)] chevron: bool,
        /// State variable (boolean) of a switch at the end; a tap on the row toggles it.
        #[serde(default)] switch: Option<Located<String>>,
        /// After the switch changed.
        #[serde(default)] on_change: Script,
    }
    /// An icon as a picture.
    "image" => Image {
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
    "divider" => Divider {
        /// Distance from the left edge, dp.
        #[serde(default)] inset: f32,
    }
    /// Empty space: fixed when `height` or `width` is given, else it takes what is free.
    "spacer" => Spacer {}
    /// Text with links in it. Only the links react; the dump shows one text.
    "paragraph" => Paragraph {
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
        /// Whether the dump says `clickable="true"`; real paragraphs mostly say false, but are focusable.
        #[serde(default)] clickable: bool,
    }
    /// A numeric keypad drawn by the app.
    "keypad" => Keypad {
        /// State variable (text) it writes to.
        bind: Located<String>,
        /// Longest content; reaching it runs `on_complete`.
        length: usize,
        /// Whether it has a decimal point (for amounts with two decimals).
        #[serde(default)] decimal: bool,
        /// Whether keys carry ids (`key_1` …).
        #[serde(default)] key_ids: bool,
        /// When `length` is reached.
        #[serde(default)] on_complete: Script,
    }
    /// Boxes with one dot for each digit entered. Drawn by the app: the dump shows a bare view.
    "pin_dots" => PinDots {
        /// State variable (text).
        bind: Located<String>,
        /// Number of boxes.
        length: usize,
    }
    /// A wheel of values to swipe.
    "selector" => Selector {
        /// State variable that holds the chosen value.
        bind: Located<String>,
        /// Expression that gives an array of texts or numbers.
        items: Expression,
        /// Direction of the swipe.
        #[serde(default)] axis: Axis,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A spinner that turns while it is shown.
    "progress" => Progress {
        /// Edge length, dp.
        #[serde(default)] size: Option<f32>,
    }
    /// A view whose content is drawn by the app itself: visible and tappable, but the dump shows one bare view.
    "canvas" => Canvas {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// What is drawn.
        #[serde(default)] children: Vec<Widget>,
    }
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
}
