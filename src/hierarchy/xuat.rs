//! XUAT-Copilot's filtered form of a screen (§3.2): one line a node, seven attributes, only nodes with words.

use super::encoding::escape_into;
use super::selector::invented_id;
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
        let mut out = String::new();
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let Some(bounds) = seen.rects[index].filter(|_| has_text(node)) else { continue };
            let id =
                if is_stable_id(&node.resource_id) { node.resource_id.clone() } else { invented_id(&self.tree, index) };
            line(&mut out, &node.class, &id, node.clickable, node.scrollable, &node.content_desc, &node.text, bounds);
            for link in self.widgets.iter().filter(|widget| widget.role == Role::Link && widget.node == index) {
                line(&mut out, &link.class, &link.resource_id, true, false, &link.label, &link.label, link.bounds);
            }
        }
        out
    }
}

#[expect(clippy::too_many_arguments, reason = "the paper's seven attributes")]
fn line(
    out: &mut String,
    class: &str,
    id: &str,
    clickable: bool,
    scrollable: bool,
    content_desc: &str,
    text: &str,
    bounds: crate::domain::Rect,
) {
    let mut attribute = |name: &str, value: &str| {
        let _ = write!(out, "{}{name}=\"", if name == "class" { "<node " } else { " " });
        escape_into(out, value);
        out.push('"');
    };
    attribute("class", class);
    attribute("resource-id", id);
    attribute("clickable", if clickable { "true" } else { "false" });
    attribute("scrollable", if scrollable { "true" } else { "false" });
    attribute("content-desc", content_desc);
    attribute("text", text);
    attribute("bounds", &bounds.to_string());
    out.push_str(" />\n");
}
