//! A screen: tree, widgets, picture and fingerprint of one settled moment.

use super::{Role, Row, ScreenKind, ScreenTexts, UiTree, Widget};
use crate::domain::{Point, Rect, Screenshot, Size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A structural hash of a screen that survives changing text, counters and list contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = std::num::ParseIntError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

/// One settled moment of the display.
#[derive(Debug, Clone)]
pub struct Screen {
    /// The parsed dump.
    pub tree: UiTree,
    /// What a person sees, top to bottom as in the tree; system bars and the soft keyboard's keys left out.
    pub widgets: Vec<Widget>,
    /// Every text of the dump, with the widget it belongs to: more than the widgets' labels say.
    pub texts: ScreenTexts,
    /// The picture, where one could be taken.
    pub screenshot: Option<Screenshot>,
    /// Display size in pixels.
    pub display: Size,
    /// `package/activity` in the foreground, where known.
    pub foreground: Option<String>,
    /// True while the soft keyboard is shown.
    pub keyboard_shown: bool,
    /// Bounds of the texts that show a secret and were masked.
    pub masked: Vec<Rect>,
    /// A short title a person would give it (toolbar or dialog title, else the first heading-like text).
    pub title: String,
    /// The title in the language of the display, where the screen is read in the app's own.
    pub shown_title: Option<String>,
    /// What kind of screen it is.
    pub kind: ScreenKind,
    /// Structural hash.
    pub fingerprint: Fingerprint,
    /// Hash of everything visible, text included; two screens with the same digest look the same to the agent.
    pub digest: u64,
    /// Bounds of scrollable containers, largest first.
    pub scroll_areas: Vec<Rect>,
    /// Entries of lists, cards, cells and lines of forms, with the controls of each.
    pub rows: Vec<Row>,
}

impl Screen {
    /// Perceptual hash of the picture, beside the structural [`Screen::fingerprint`]; `None` without a picture or for one
    /// that shows nothing.
    pub fn picture_hash(&self) -> Option<u64> {
        self.screenshot.as_ref().filter(|picture| !picture.is_black()).map(Screenshot::difference_hash)
    }

    /// The error text shown at a field: a text whose id calls it an error, within the field or directly below it.
    pub fn field_error(&self, field: &Widget) -> Option<&str> {
        let shown = self.widgets.iter().filter(|widget| {
            let named = widget.id_words.split(' ').any(|word| matches!(word, "error" | "errors" | "errortext"));
            let across = widget.bounds.left < field.bounds.right && field.bounds.left < widget.bounds.right;
            // A caption's height below the field at most; its own outline may reach around both.
            let below = widget.bounds.top - field.bounds.bottom;
            let reach = field.bounds.height().max(widget.bounds.height());
            named && widget.id != field.id && across && below > -reach && below <= reach
        });
        shown.min_by_key(|widget| (widget.bounds.top - field.bounds.bottom).abs()).map(|widget| widget.label.as_str())
    }

    /// Where each key of the numeric keypad that the app draws is, by its character; empty when there is no keypad.
    pub fn keypad_keys(&self) -> BTreeMap<char, Point> {
        let key = |widget: &Widget| {
            let mut label = widget.label.chars();
            match (label.next(), label.next()) {
                (Some(c), None) if c.is_ascii_digit() || matches!(c, '.' | ',') => Some((c, widget.tap)),
                _ => None,
            }
        };
        self.widgets.iter().filter(|widget| widget.role == Role::KeypadKey).filter_map(key).collect()
    }
}
