//! Texts that are links as a whole: all their ink is in a link's colour or underlined, and the node that shows them is
//! wider than their words, so that its middle is no place to touch.

use super::link::lines;
use super::link_mask::whole_ink;
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

/// Where its words are, in the pixels of the part `area`. `told` where more than a stock theme's colour speaks for it: the
/// node takes the focus, or the colours are the profile's own. A stock colour alone may be a heading's; underlined words are
/// a link in any colour.
pub(super) fn whole_link(picture: &Screenshot, area: Rect, colours: &[[u8; 3]], told: bool) -> Option<Rect> {
    let ink = whole_ink(picture, area, if told { colours } else { &[] })?;
    let lines = lines(&ink);
    let [line] = lines.as_slice() else { return None };
    (100 * area.width() >= WIDER * line.width()).then_some(*line)
}
