//! The XML of `uiautomator dump` (`AccessibilityNodeInfoDumper.java`, kxml2's `KXmlSerializer.java`).

use crate::virtual_device::ElementSnapshot;
use crate::virtual_device::system::ApiLevel;

/// Which elements are dumped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// All.
    Everything,
    /// `--compressed`: elements that matter to accessibility; the children of others move up.
    Important,
}

/// Writes the whole document: one line, no final newline.
pub(super) fn document(root: &ElementSnapshot, rotation: u8, api: ApiLevel, detail: Detail) -> String {
    let mut xml = String::with_capacity(4096);
    xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    xml.push_str(&format!("<hierarchy rotation=\"{rotation}\">"));
    match detail {
        Detail::Everything => write_node(root, root.index, api, &mut xml),
        Detail::Important => write_node(&compressed(root), 0, api, &mut xml),
    }
    xml.push_str("</hierarchy>");
    xml
}

fn write_node(node: &ElementSnapshot, index: usize, api: ApiLevel, xml: &mut String) {
    xml.push_str("<node");
    if needs_attention(node) {
        attribute(xml, "NAF", "true");
    }
    let flag = |value: bool| if value { "true" } else { "false" };
    attribute(xml, "index", &index.to_string());
    attribute(xml, "text", &node.text);
    attribute(xml, "resource-id", &node.resource_id);
    attribute(xml, "class", &node.class);
    attribute(xml, "package", &node.package);
    attribute(xml, "content-desc", &node.content_desc);
    attribute(xml, "checkable", flag(node.checkable));
    attribute(xml, "checked", flag(node.checked));
    attribute(xml, "clickable", flag(node.clickable));
    attribute(xml, "enabled", flag(node.enabled));
    attribute(xml, "focusable", flag(node.focusable));
    attribute(xml, "focused", flag(node.focused));
    attribute(xml, "scrollable", flag(node.scrollable));
    attribute(xml, "long-clickable", flag(node.long_clickable));
    attribute(xml, "password", flag(node.password));
    attribute(xml, "selected", flag(node.selected));
    attribute(xml, "bounds", &node.bounds.to_string());
    if api.since(36) {
        attribute(xml, "drawing-order", &node.drawing_order.to_string());
        attribute(xml, "hint", &node.hint);
    }
    if node.children.is_empty() {
        xml.push_str(" />");
        return;
    }
    xml.push('>');
    for child in &node.children {
        write_node(child, child.index, api, xml);
    }
    xml.push_str("</node>");
}

/// "Not accessibility friendly": can be clicked but says nothing (`nafCheck`).
fn needs_attention(node: &ElementSnapshot) -> bool {
    let excluded = ["GridView", "GridLayout", "ListView", "TableLayout"];
    node.clickable && node.enabled && !excluded.iter().any(|class| node.class.ends_with(class)) && is_silent(node)
}

fn is_silent(node: &ElementSnapshot) -> bool {
    node.text.is_empty() && node.content_desc.is_empty() && node.children.iter().all(is_silent)
}

fn attribute(xml: &mut String, name: &str, value: &str) {
    let value = strip_invalid(value);
    // kxml2 takes the quote the value does not contain, and escapes only that one.
    let quote = if value.contains('"') { '\'' } else { '"' };
    xml.push(' ');
    xml.push_str(name);
    xml.push('=');
    xml.push(quote);
    for c in value.chars() {
        match c {
            '\n' | '\r' | '\t' => xml.push_str(&format!("&#{};", c as u32)),
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '\'' if quote == '\'' => xml.push_str("&apos;"),
            other => xml.push(other),
        }
    }
    xml.push(quote);
}

/// `stripInvalidXMLChars`. U+0000, FFFE and FFFF would crash the real dumper; a virtual app cannot show them, so they
/// become dots as well.
fn strip_invalid(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{0}'..='\u{8}'
            | '\u{b}'..='\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{7f}'..='\u{84}'
            | '\u{86}'..='\u{9f}'
            | '\u{fdd0}'..='\u{fddf}'
            | '\u{fffe}'..='\u{ffff}' => '.',
            other => other,
        })
        .collect()
}

fn compressed(node: &ElementSnapshot) -> ElementSnapshot {
    let mut children = Vec::new();
    for child in &node.children {
        let child = compressed(child);
        if is_important(&child) { children.push(child) } else { children.extend(child.children) }
    }
    // Without the unimportant views the child numbers are those of the reduced tree.
    for (index, child) in children.iter_mut().enumerate() {
        child.index = index;
    }
    ElementSnapshot { children, ..node.clone() }
}

/// `View.isImportantForAccessibility`: says something, or something can be done to it.
fn is_important(node: &ElementSnapshot) -> bool {
    !node.text.is_empty()
        || !node.content_desc.is_empty()
        || node.clickable
        || node.long_clickable
        || node.focusable
        || node.checkable
        || node.scrollable
        || node.class.ends_with("TextView")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rect;

    fn element(class: &str, text: &str) -> ElementSnapshot {
        ElementSnapshot {
            class: class.to_owned(),
            text: text.to_owned(),
            package: "a.b".to_owned(),
            enabled: true,
            bounds: Rect::new(0, 0, 10, 20),
            ..ElementSnapshot::default()
        }
    }

    #[test]
    fn attributes_come_in_androids_order_and_newer_ones_only_from_api_36() {
        let mut root = element("android.widget.Button", "");
        root.clickable = true;
        let dump = |level| document(&root, 0, ApiLevel::new(level).unwrap(), Detail::Everything);
        assert_eq!(
            dump(34),
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node NAF=\"true\" \
             index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.Button\" package=\"a.b\" content-desc=\"\" \
             checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"false\" \
             focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
             bounds=\"[0,0][10,20]\" /></hierarchy>"
        );
        assert!(dump(36).ends_with("bounds=\"[0,0][10,20]\" drawing-order=\"0\" hint=\"\" /></hierarchy>"));
    }

    #[test]
    fn values_are_escaped_as_kxml2_does() {
        let mut out = String::new();
        attribute(&mut out, "text", "a\"b'c<&>\n\u{1}é");
        assert_eq!(out, " text='a\"b&apos;c&lt;&amp;&gt;&#10;.é'");
        out.clear();
        attribute(&mut out, "text", "it's");
        assert_eq!(out, " text=\"it's\"");
    }

    #[test]
    fn compressed_dumps_drop_layouts_and_number_children_anew() {
        let mut layout = element("android.widget.LinearLayout", "");
        layout.children = vec![element("android.widget.TextView", "x"), element("android.widget.TextView", "y")];
        layout.children[1].index = 4;
        let mut root = element("android.widget.FrameLayout", "");
        root.children = vec![layout];
        let xml = document(&root, 0, ApiLevel::default(), Detail::Important);
        assert!(!xml.contains("LinearLayout"));
        assert!(xml.contains("index=\"1\" text=\"y\""), "{xml}");
    }

    #[test]
    fn a_clickable_with_a_speaking_descendant_is_friendly() {
        let mut row = element("android.widget.LinearLayout", "");
        row.clickable = true;
        assert!(needs_attention(&row));
        row.children = vec![element("android.widget.TextView", "Card")];
        assert!(!needs_attention(&row));
        let mut list = element("android.widget.ListView", "");
        list.clickable = true;
        assert!(!needs_attention(&list));
    }
}
