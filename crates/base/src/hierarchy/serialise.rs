//! Writes a tree in the form of `uiautomator dump`.

use super::encoding::escape_into;
use super::{UiNode, UiTree};
use std::fmt::Write as _;

/// Writes `tree` as `uiautomator dump` does (the newest builds' nineteen attributes), windows flattened into roots.
/// `parse` of the result gives the same nodes for any tree whose texts XML can carry.
pub fn serialise(tree: &UiTree) -> String {
    let mut out = String::with_capacity(128 + 400 * tree.nodes.len());
    let _ = write!(
        out,
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{}\">",
        tree.rotation
    );
    let mut open: Vec<usize> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        while open.last().is_some_and(|&top| node.parent != Some(top)) {
            open.pop();
            out.push_str("</node>");
        }
        write_node(&mut out, node);
        if tree.nodes.get(index + 1).is_some_and(|next| next.parent == Some(index)) {
            out.push('>');
            open.push(index);
        } else {
            out.push_str(" />");
        }
    }
    for _ in open {
        out.push_str("</node>");
    }
    out.push_str("</hierarchy>");
    out
}

fn write_node(out: &mut String, node: &UiNode) {
    let _ = write!(out, "<node index=\"{}\"", node.index);
    for (name, value) in [
        ("text", &node.text),
        ("resource-id", &node.resource_id),
        ("class", &node.class),
        ("package", &node.package),
        ("content-desc", &node.content_desc),
    ] {
        attribute(out, name, value);
    }
    for (name, value) in [
        ("checkable", node.checkable),
        ("checked", node.checked),
        ("clickable", node.clickable),
        ("enabled", node.enabled),
        ("focusable", node.focusable),
        ("focused", node.focused),
        ("scrollable", node.scrollable),
        ("long-clickable", node.long_clickable),
        ("password", node.password),
        ("selected", node.selected),
    ] {
        let _ = write!(out, " {name}=\"{value}\"");
    }
    let _ = write!(out, " bounds=\"{}\"", node.bounds);
    if let Some(order) = node.drawing_order {
        let _ = write!(out, " drawing-order=\"{order}\"");
    }
    attribute(out, "hint", &node.hint);
    for (name, value) in [("showing-hint", node.showing_hint), ("heading", node.heading)] {
        if value {
            let _ = write!(out, " {name}=\"true\"");
        }
    }
    if node.invisible {
        out.push_str(" visible-to-user=\"false\"");
    }
}

fn attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"");
    escape_into(out, value);
    out.push('"');
}
