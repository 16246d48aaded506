//! How an action finds its widget again: a chain of locators, most stable first.

use super::Rect;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One way to find a widget. Within a chain, each is tried alone, in order; the first that matches exactly one
/// visible widget (or the `nth` of several) wins.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Locator {
    /// `resource-id`, as the app declared it.
    ResourceId(String),
    /// `content-desc`, exactly.
    ContentDesc(String),
    /// `text`, exactly.
    Text(String),
    /// The label perception gave the widget (own text, descendants, neighbour, hint).
    Label(String),
    /// Class names with child indices from the root: `FrameLayout[0]/Button[2]`.
    Path(String),
    /// Recorded bounds in display pixels; the last resort.
    Bounds(Rect),
}

/// A chain of locators, most stable first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Selector {
    /// The widget's class, `android.widget.Button`; a candidate of another class does not match.
    pub class: String,
    /// Which of several equal matches, counted from 0 in document order. Applies to every locator but bounds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nth: usize,
    /// Tried in order.
    pub chain: Vec<Locator>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ResourceId(id) => write!(f, "id={id}"),
            Self::ContentDesc(text) => write!(f, "desc={text:?}"),
            Self::Text(text) => write!(f, "text={text:?}"),
            Self::Label(text) => write!(f, "label={text:?}"),
            Self::Path(path) => write!(f, "path={path}"),
            Self::Bounds(rect) => write!(f, "bounds={rect}"),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chain.first() {
            Some(first) => write!(f, "{first}")?,
            None => f.write_str("(empty selector)")?,
        }
        if self.nth > 0 { write!(f, " #{}", self.nth) } else { Ok(()) }
    }
}
