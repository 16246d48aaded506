//! XUAT-Copilot's filtered form of a screen (§3.2): one line a node, seven attributes, only nodes with words.

use super::encoding::escape_into;
use super::selector::PathHashes;
use super::visibility::{Visibility, has_text};
use super::words::is_stable_id;
use super::{Role, Screen};
use std::fmt::Write as _;

impl Screen {
    /// The paper's filtered screen: `<node class=… resource-id=… clickable=… scrollable=… content-desc=… text=…
    /// bounds=… />` for every visible node with text or content description; an empty resource id is invented. Links
    /// found in the picture stand as nodes of their own, clickable, with their own bounds.
    pub fn xuat(&self) -> String {
        let seen = Visibility::of(&self.tree, self.display);
        let mut paths = PathHashes::of(&self.tree);
        let mut out = String::new();
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let Some(bounds) = seen.rects[index].filter(|_| has_text(node)) else { continue };
            let id = if is_stable_id(&node.resource_id) { node.resource_id.clone() } else { paths.invented_id(index) };
            let line = Line {
                class: &node.class,
                resource_id: &id,
                clickable: node.clickable,
                scrollable: node.scrollable,
                content_desc: &node.content_desc,
                text: &node.text,
            };
            line.write(&mut out, |out| {
                let _ = write!(out, "{bounds}");
            });
            for link in self.widgets.iter().filter(|widget| widget.role == Role::Link && widget.node == index) {
                let line = Line {
                    class: &link.class,
                    resource_id: &link.resource_id,
                    clickable: true,
                    scrollable: false,
                    content_desc: &link.label,
                    text: &link.label,
                };
                line.write(&mut out, |out| {
                    let _ = write!(out, "{}", link.bounds);
                });
            }
        }
        out
    }
}

/// The paper's attributes but for the bounds.
pub(super) struct Line<'l> {
    pub(super) class: &'l str,
    pub(super) resource_id: &'l str,
    pub(super) clickable: bool,
    pub(super) scrollable: bool,
    pub(super) content_desc: &'l str,
    pub(super) text: &'l str,
}

impl Line<'_> {
    pub(super) fn write(&self, out: &mut String, bounds: impl FnOnce(&mut String)) {
        let flag = |flag: bool| if flag { "true" } else { "false" };
        out.push_str("<node class=\"");
        escape_into(out, self.class);
        out.push_str("\" resource-id=\"");
        escape_into(out, self.resource_id);
        out.push_str("\" clickable=\"");
        out.push_str(flag(self.clickable));
        out.push_str("\" scrollable=\"");
        out.push_str(flag(self.scrollable));
        out.push_str("\" content-desc=\"");
        escape_into(out, self.content_desc);
        out.push_str("\" text=\"");
        escape_into(out, self.text);
        out.push_str("\" bounds=\"");
        bounds(out);
        out.push_str("\" />\n");
    }
}
