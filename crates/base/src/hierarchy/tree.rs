//! The tree a dump describes, in pre-order.

use crate::domain::{Rect, Size};
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::Range;

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
    /// `drawing-order` among its siblings (uiautomator2, and the platform's dump on newest builds).
    pub drawing_order: Option<i32>,
    /// `showing-hint` (Appium): the text is the hint.
    pub showing_hint: bool,
    /// `heading` (Appium).
    pub heading: bool,
    /// True only when the dump says so: `visible-to-user="false"` or `displayed="false"`.
    pub invisible: bool,
}

/// A window of a dump taken with `--windows`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct UiWindow {
    /// `type`: `TYPE_APPLICATION`, `TYPE_INPUT_METHOD`, `TYPE_SYSTEM`…
    pub kind: String,
    /// `title`.
    pub title: String,
    /// `layer`; higher is nearer to the person.
    pub layer: i32,
    /// `active`.
    pub active: bool,
    /// Its nodes in [`UiTree::nodes`].
    pub nodes: Range<usize>,
}

/// A parsed dump: nodes in pre-order, so that a node's descendants follow it directly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct UiTree {
    /// `rotation` of the display, 0–3.
    pub rotation: u8,
    /// All nodes, pre-order. Windows of a `--windows` dump stand in drawing order, the lowest first.
    pub nodes: Vec<UiNode>,
    /// The windows of a `--windows` dump; empty for the ordinary form.
    pub windows: Vec<UiWindow>,
    /// What was odd about the dump.
    pub diagnostics: Vec<Diagnostic>,
}

impl UiTree {
    /// Where the subtree of each node ends: the descendants of node `i` are `i + 1 .. ends[i]`.
    pub fn subtree_ends(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = (1..=self.nodes.len()).collect();
        for index in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[index].parent {
                ends[parent] = ends[parent].max(ends[index]);
            }
        }
        ends
    }

    /// The display size the dump itself suggests: the reach of its root nodes. For dumps without a known device.
    pub fn extent(&self) -> Size {
        let roots = self.nodes.iter().filter(|node| node.parent.is_none());
        let (width, height) = roots.fold((0, 0), |(w, h), root| (w.max(root.bounds.right), h.max(root.bounds.bottom)));
        Size::new(width.max(0) as u32, height.max(0) as u32)
    }

    /// Class names with child indices from the root: `FrameLayout[0]/LinearLayout[1]/Button[2]`.
    /// Empty for a node the tree does not have.
    pub fn path(&self, node: usize) -> String {
        self.paths(Some(node).filter(|node| *node < self.nodes.len())).pop().unwrap_or_default()
    }

    /// The paths of some nodes of the tree, given in document order; what they share is made once.
    pub(super) fn paths(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<String> {
        let mut path = String::new();
        // The nodes from the root to the last one, and where the path of each ends.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut above = Vec::new();
        let mut one = |node: usize| {
            let mut at = Some(node);
            above.clear();
            while let Some(index) = at {
                // What is open is an ancestor if it is on the way up.
                while open.last().is_some_and(|(last, _)| *last > index) {
                    open.pop();
                }
                if open.last().is_some_and(|(last, _)| *last == index) {
                    break;
                }
                above.push(index);
                at = self.nodes[index].parent;
            }
            path.truncate(open.last().map_or(0, |(_, end)| *end));
            for index in above.iter().rev() {
                let node = &self.nodes[*index];
                let slash = if path.is_empty() { "" } else { "/" };
                // Writing into a text cannot fail.
                let _ = write!(path, "{slash}{}[{}]", node.class_name(), node.index);
                open.push((*index, path.len()));
            }
            path.clone()
        };
        nodes.into_iter().map(&mut one).collect()
    }
}

impl UiNode {
    /// The class without its package: `Button`.
    pub fn class_name(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or_default()
    }
}
