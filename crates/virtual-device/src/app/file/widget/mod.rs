//! The widgets of the format: what all share, and which there are. Each family has its own file.

mod container;
mod entry;
mod option;
mod picture;
mod text;

pub use container::*;
pub use entry::*;
pub use option::*;
pub use picture::*;
pub use text::*;

use super::{Align, Color, Edges, Expression, Located, Quirk, Script, Text, TextAlign};
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
    /// Largest width, dp.
    pub max_width: Option<f32>,
    /// Height, dp.
    pub height: Option<f32>,
    /// Inner distance.
    pub padding: Option<Edges>,
    /// Outer distance.
    pub margin: Option<Edges>,
    /// Alignment across the parent's axis.
    pub align_self: Option<Align>,
    /// Alignment of its lines of text.
    pub align_text: Option<TextAlign>,
    /// Fill.
    pub background: Option<Color>,
    /// Corner radius, dp.
    pub radius: Option<f32>,
    /// Opacity, 0–1.
    pub opacity: Option<f32>,
    /// Text on a small disc at its upper corner.
    pub badge: Option<&'a Text>,
    /// Whether the accessibility tree holds it.
    pub important: Option<bool>,
    /// What the dump says about clicks.
    pub clickable: Option<bool>,
    /// What the dump says about focus.
    pub focusable: Option<bool>,
    /// What the dump says about selection.
    pub selected: Option<&'a Expression>,
    /// A wrong rectangle in the dump.
    pub quirk: Option<Quirk>,
    /// Id that a Compose subtree shows.
    pub testtag: Option<&'a str>,
    /// On tap.
    pub on_tap: &'a Script,
    /// On long press.
    pub on_long_press: &'a Script,
}

/// A widget's own keys beside those all widgets share.
macro_rules! widget_structs {
    ($($(#[$meta:meta])* $variant:ident { $($(#[$fmeta:meta])* $field:ident : $ty:ty),* $(,)? })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $variant {
                /// Resource id without the package; may be left out, as real apps often do.
                #[serde(default)] pub id: Option<$crate::app::file::Located<String>>,
                /// `content-desc`.
                #[serde(default)] pub desc: Option<$crate::app::file::Text>,
                /// Expression: whether it is there at all.
                #[serde(default)] pub visible: Option<$crate::app::file::Expression>,
                /// Expression: whether it reacts.
                #[serde(default)] pub enabled: Option<$crate::app::file::Expression>,
                /// Share of the free space along the parent's axis.
                #[serde(default)] pub grow: Option<f32>,
                /// Width, dp.
                #[serde(default)] pub width: Option<f32>,
                /// Largest width, dp.
                #[serde(default)] pub max_width: Option<f32>,
                /// Height, dp.
                #[serde(default)] pub height: Option<f32>,
                /// Inner distance.
                #[serde(default)] pub padding: Option<$crate::app::file::Edges>,
                /// Outer distance.
                #[serde(default)] pub margin: Option<$crate::app::file::Edges>,
                /// Alignment across the parent's axis.
                #[serde(default)] pub align_self: Option<$crate::app::file::Align>,
                /// Alignment of its lines of text.
                #[serde(default)] pub align_text: Option<$crate::app::file::TextAlign>,
                /// Fill.
                #[serde(default)] pub background: Option<$crate::app::file::Color>,
                /// Corner radius, dp.
                #[serde(default)] pub radius: Option<f32>,
                /// Opacity of it and its children, 0–1.
                #[serde(default)] pub opacity: Option<f32>,
                /// Text on a small disc at its upper corner; empty: only the disc is left out.
                #[serde(default)] pub badge: Option<$crate::app::file::Text>,
                /// false: the accessibility tree leaves it out; its children move up.
                #[serde(default)] pub important: Option<bool>,
                /// What the dump says, whatever a tap does.
                #[serde(default)] pub clickable: Option<bool>,
                /// What the dump says.
                #[serde(default)] pub focusable: Option<bool>,
                /// Expression: what the dump says.
                #[serde(default)] pub selected: Option<$crate::app::file::Expression>,
                /// A wrong rectangle in the dump, as real apps have them.
                #[serde(default)] pub quirk: Option<$crate::app::file::Quirk>,
                /// Compose test tag: the only id a `compose` subtree shows.
                #[serde(default)] pub testtag: Option<String>,
                /// On tap; makes the widget clickable.
                #[serde(default)] pub on_tap: $crate::app::file::Script,
                /// On long press; makes the widget long-clickable.
                #[serde(default)] pub on_long_press: $crate::app::file::Script,
                $($(#[$fmeta])* pub $field: $ty,)*
            }

            impl $variant {
                /// The properties all widgets share.
                pub fn common(&self) -> $crate::app::file::Common<'_> {
                    $crate::app::file::Common {
                        id: self.id.as_ref(), desc: self.desc.as_ref(), visible: self.visible.as_ref(),
                        enabled: self.enabled.as_ref(), grow: self.grow, width: self.width, max_width: self.max_width,
                        height: self.height, padding: self.padding, margin: self.margin, align_self: self.align_self,
                        align_text: self.align_text, background: self.background, radius: self.radius,
                        opacity: self.opacity, badge: self.badge.as_ref(), important: self.important,
                        clickable: self.clickable, focusable: self.focusable, selected: self.selected.as_ref(),
                        quirk: self.quirk, testtag: self.testtag.as_deref(), on_tap: &self.on_tap,
                        on_long_press: &self.on_long_press,
                    }
                }
            }
        )*
    };
}
use widget_structs;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:literal => $variant:ident),* $(,)?) => {
        /// A widget, written as a map with its kind as the only key.
        #[derive(Debug, Deserialize, JsonSchema)]
        pub enum Widget { $($(#[$meta])* #[serde(rename = $name)] $variant($variant)),* }

        impl Widget {
            /// The properties all widgets share.
            pub fn common(&self) -> Common<'_> {
                match self { $(Self::$variant(w) => w.common()),* }
            }

            /// The kind as the file writes it.
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name),* }
            }
        }
    };
}

kinds! {
    /// Children from top to bottom.
    "column" => Column,
    /// Children from left to right.
    "row" => Row,
    /// A raised surface.
    "card" => Card,
    /// Children one over the other.
    "stack" => Stack,
    /// Children from left to right, in as many lines as needed.
    "wrap" => Wrap,
    /// A part that scrolls on its own.
    "scroll" => Scroll,
    /// The same widgets for each element of an array.
    "list" => List,
    /// Pages to swipe through.
    "pager" => Pager,
    /// A row that opens and shows more.
    "expandable" => Expandable,
    /// A row that is swiped aside to show its actions.
    "swipe_row" => SwipeRow,
    /// A message with actions above the content.
    "banner" => Banner,
    /// Cells in rows and columns.
    "table" => Table,
    /// A subtree that another toolkit drew.
    "dialect" => Foreign,
    /// A view whose content is drawn by the app itself.
    "canvas" => Canvas,
    /// Text.
    "text" => TextView,
    /// Text with links in it.
    "paragraph" => Paragraph,
    /// A button with text.
    "button" => Button,
    /// A button that is only an icon.
    "icon_button" => IconButton,
    /// A row of a list.
    "list_item" => ListItem,
    /// An icon as a picture.
    "image" => Image,
    /// A thin line.
    "divider" => Divider,
    /// Empty space.
    "spacer" => Spacer,
    /// A spinner that turns, or a bar that fills.
    "progress" => Progress,
    /// Grey bars where content is still to come.
    "skeleton" => Skeleton,
    /// A text field.
    "field" => Field,
    /// A search bar.
    "search" => SearchBar,
    /// A numeric keypad drawn by the app.
    "keypad" => Keypad,
    /// Boxes with one dot for each digit entered.
    "pin_dots" => PinDots,
    /// A wheel of values to swipe.
    "selector" => Selector,
    /// A bar to drag a value along.
    "slider" => Slider,
    /// Stars.
    "rating" => Rating,
    /// Minus, value, plus.
    "stepper" => Stepper,
    /// Day, month and year as wheels.
    "date_picker" => DateWheels,
    /// Hour and minute as wheels.
    "time_picker" => TimeWheels,
    /// A month's days.
    "calendar" => Calendar,
    /// A check box.
    "checkbox" => Checkbox,
    /// A switch.
    "switch" => Switch,
    /// A radio button.
    "radio" => Radio,
    /// A drop-down list.
    "spinner" => Spinner,
    /// Pills to choose from.
    "chips" => Chips,
    /// Joined buttons of which one is chosen.
    "segmented" => Segmented,
    /// Tabs.
    "tabs" => Tabs,
    /// A painted picture.
    "photo" => Photo,
    /// A street map.
    "map" => Map,
    /// Bars or a line of values.
    "chart" => Chart,
    /// A QR code.
    "qr" => Qr,
}
