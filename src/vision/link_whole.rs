//! Texts that are links as a whole: all their ink is in a link's colour or underlined, and the node that shows them is
//! wider than their words, so that its middle is no place to touch.

use super::link::lines;
use super::link_mask::{is_stock, whole_ink};
use crate::domain::{Rect, Screenshot};
use crate::hierarchy::{Role, UiNode, Widget};

/// Longest text that is a link as a whole, in characters and words; more is a paragraph.
const MOST_CHARS: usize = 40;
const MOST_WORDS: usize = 6;
/// How much wider than its words the node is at least, in percent: what fits its words is touched in the middle anyway.
const WIDER: i32 = 125;

/// True for a short text that nothing says can be touched.
pub(super) fn may_be_link(widget: &Widget, node: &UiNode, text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let short = text.chars().count() <= MOST_CHARS && text.split_whitespace().count() <= MOST_WORDS;
    widget.role == Role::Text
        && !widget.clickable
        && !node.heading
        && !widget.value.trim().is_empty()
        && letters >= 2
        && short
}

/// True for a text that may be in a theme's colour without being a link: a heading, with a text right under it, or a price.
pub(super) fn may_be_coloured(widget: &Widget, widgets: &[Widget]) -> bool {
    let own = widget.bounds;
    let stands_under = |other: &&Widget| {
        let across = other.bounds.left < own.right && own.left < other.bounds.right;
        let gap = other.bounds.top - own.bottom;
        matches!(other.role, Role::Text | Role::ReadText) && across && (-own.height() / 4..=own.height()).contains(&gap)
    };
    widget.value.contains(|c: char| c.is_ascii_digit()) || widgets.iter().any(|other| stands_under(&other))
}

/// Where its words are, in the pixels of the part `area`. `told` where more than a stock theme's colour speaks for it: else
/// only a colour that no stock theme has, or a line under the words, makes it a link.
pub(super) fn whole_link(picture: &Screenshot, area: Rect, colours: &[[u8; 3]], told: bool) -> Option<Rect> {
    let own: Vec<[u8; 3]> = colours.iter().copied().filter(|colour| !is_stock(*colour)).collect();
    let ink = whole_ink(picture, area, if told { colours } else { &own })?;
    let lines = lines(&ink);
    let [line] = lines.as_slice() else { return None };
    (100 * area.width() >= WIDER * line.width()).then_some(*line)
}
