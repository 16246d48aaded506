//! A widget: a node as a person sees it, with a label and a role.

use crate::domain::{Point, Rect, Selector, Target};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Position of a widget in [`super::Screen::widgets`].
pub type WidgetId = usize;

/// What a person would call this kind of widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Plain text, not meant to be touched.
    Text,
    /// A button, icon or anything else clickable without a finer role.
    Button,
    /// A text field.
    Field,
    /// A check box.
    Checkbox,
    /// A radio button.
    Radio,
    /// A switch or toggle.
    Switch,
    /// A row of a list, or a card.
    ListItem,
    /// A tab.
    Tab,
    /// A drop-down (spinner).
    Dropdown,
    /// A slider.
    Slider,
    /// A wheel, picker or pager turned by swiping.
    Selector,
    /// A list or page that scrolls.
    List,
    /// A link inside a text, found in the picture.
    Link,
    /// A picture with a description.
    Image,
    /// A digit (or delete) key of a numeric keypad drawn by the app.
    KeypadKey,
    /// A text read off the picture, where the hierarchy has none.
    ReadText,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Button => "button",
            Self::Field => "field",
            Self::Checkbox => "checkbox",
            Self::Radio => "radio button",
            Self::Switch => "switch",
            Self::ListItem => "list item",
            Self::Tab => "tab",
            Self::Dropdown => "dropdown",
            Self::Slider => "slider",
            Self::Selector => "selector",
            Self::List => "list",
            Self::Link => "link",
            Self::Image => "image",
            Self::KeypadKey => "keypad key",
            Self::ReadText => "read text",
        })
    }
}

/// The states that matter for choosing and checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent states of a widget")]
pub struct WidgetState {
    /// Can be used.
    pub enabled: bool,
    /// `Some` for anything checkable.
    pub checked: Option<bool>,
    /// Is the selected tab or item.
    pub selected: bool,
    /// Has the input focus.
    pub focused: bool,
    /// Hides its text.
    pub password: bool,
}

/// A node as a person sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Widget {
    /// Position in the screen's widget list.
    pub id: WidgetId,
    /// Index of its node in the tree.
    pub node: usize,
    /// What kind of widget it is.
    pub role: Role,
    /// What a person would call it: own text, content description, descendants, the label beside or above it, hint,
    /// or its humanised resource id. May be empty for an icon without any name.
    pub label: String,
    /// The label in the language of the display, where the screen is read in the app's own ([`super::Screen::read_as`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Text of the row or section it stands in, and texts inside it that its label does not hold, when its label alone is not
    /// unique on the screen.
    pub context: String,
    /// A field's current content (empty when it shows only its hint); other widgets' own text.
    pub value: String,
    /// A field's hint.
    pub hint: String,
    /// The app's resource id, or a stable invented one (`tw:…`) where it has none.
    pub resource_id: String,
    /// Words of the resource id: `btn_confirm_payment` → `confirm payment`; empty for an invented id.
    pub id_words: String,
    /// Class name.
    pub class: String,
    /// Package that owns the node.
    pub package: String,
    /// Its states.
    pub state: WidgetState,
    /// Can be clicked (the node itself, or a link).
    pub clickable: bool,
    /// Can be long-pressed.
    pub long_clickable: bool,
    /// Can be scrolled.
    pub scrollable: bool,
    /// Visible bounds, clipped to the display and the scroll containers around it.
    pub bounds: Rect,
    /// Where to touch it.
    pub tap: Point,
    /// Links inside this text, in display pixels, found in the picture.
    pub links: Vec<Rect>,
    /// How to find it again.
    pub selector: Selector,
}

impl Widget {
    /// The widget as an action's target.
    pub fn target(&self) -> Target {
        Target {
            label: self.label.clone(),
            shown: self.shown.clone(),
            selector: self.selector.clone(),
            bounds: self.bounds,
            tap: self.tap,
        }
    }
}
