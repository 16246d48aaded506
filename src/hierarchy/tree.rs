//! The tree a dump describes, in pre-order.

use crate::domain::Rect;
use serde::Serialize;

/// Something odd about a dump that a person may want to know; parsing went on regardless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Byte offset in the (decoded) dump, where known.
    pub offset: Option<u64>,
    /// What is odd.
    pub message: String,
}

/// One node, with the attributes of `uiautomator dump`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "mirrors the dump's attributes")]
pub struct UiNode {
    /// Index of the parent in [`UiTree::nodes`]; `None` for a root.
    pub parent: Option<usize>,
    /// 0 for a root.
    pub depth: usize,
    /// `index` attribute: child number within its parent.
    pub index: usize,
    /// `text`.
    pub text: String,
    /// `resource-id`, as dumped.
    pub resource_id: String,
    /// `class`.
    pub class: String,
    /// `package`.
    pub package: String,
    /// `content-desc`.
    pub content_desc: String,
    /// `hint` (API 36+).
    pub hint: String,
    /// `checkable`.
    pub checkable: bool,
    /// `checked`.
    pub checked: bool,
    /// `clickable`.
    pub clickable: bool,
    /// `enabled`; true when the attribute is missing.
    pub enabled: bool,
    /// `focusable`.
    pub focusable: bool,
    /// `focused`.
    pub focused: bool,
    /// `scrollable`.
    pub scrollable: bool,
    /// `long-clickable`.
    pub long_clickable: bool,
    /// `password`.
    pub password: bool,
    /// `selected`.
    pub selected: bool,
    /// `bounds`, as dumped (may be inverted or empty).
    pub bounds: Rect,
}

/// A parsed dump: nodes in pre-order, so that a node's descendants follow it directly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct UiTree {
    /// `rotation` of the display, 0–3.
    pub rotation: u8,
    /// All nodes, pre-order.
    pub nodes: Vec<UiNode>,
    /// What was odd about the dump.
    pub diagnostics: Vec<Diagnostic>,
}
