//! The XML of `uiautomator dump` (`AccessibilityNodeInfoDumper.java`, kxml2's `KXmlSerializer.java`).

use crate::ElementSnapshot;
use crate::domain::Rect;
use crate::system::ApiLevel;

/// Which elements are dumped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// All.
    Everything,
    /// `--compressed`: elements that matter to accessibility; the children of others move up.
    Important,
}

/// A character the dumper's serializer refuses with `IllegalArgumentException`: U+0000, U+FFFE, U+FFFF. (Lone surrogates,
/// which crash it too, cannot stand in a Rust text.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IllegalCharacter;

/// What is dumped, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Quarter turns.
    pub(super) rotation: u8,
    pub(super) api: ApiLevel,
    pub(super) detail: Detail,
    /// Bounds are cut to it.
    pub(super) display: Rect,
}

const DECLARATION: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

/// Writes the whole document: one line, no final newline.
pub(super) fn document(root: &ElementSnapshot, shape: Shape) -> Result<String, IllegalCharacter> {
    let mut xml = String::with_capacity(4096);
    xml.push_str(DECLARATION);
    hierarchy(root, shape, &mut xml)?;
    Ok(xml)
}

/// A window of `--windows`.
pub(super) struct WindowDump<'a> {
    pub(super) title: String,
    pub(super) id: u32,
    pub(super) layer: usize,
    pub(super) root: &'a ElementSnapshot,
}

/// Writes the document of `--windows`: the highest layer first, which is the active one.
pub(super) fn windows_document(windows: &[WindowDump<'_>], shape: Shape) -> Result<String, IllegalCharacter> {
    let mut xml = format!("{DECLARATION}<displays><display id=\"0\">");
    for (index, window) in windows.iter().enumerate() {
        let active = if index == 0 { "true" } else { "false" };
        xml.push_str("<window");
        attribute(&mut xml, "index", &index.to_string())?;
        attribute(&mut xml, "title", &window.title)?;
        attribute(&mut xml, "bounds", &window.root.bounds.to_string())?;
        attribute(&mut xml, "active", active)?;
        attribute(&mut xml, "focused", active)?;
        attribute(&mut xml, "accessibility-focused", "false")?;
        attribute(&mut xml, "id", &window.id.to_string())?;
        attribute(&mut xml, "layer", &window.layer.to_string())?;
        let kind = if window.root.package == "com.android.systemui" { "TYPE_SYSTEM" } else { "TYPE_APPLICATION" };
        attribute(&mut xml, "type", kind)?;
        xml.push('>');
        hierarchy(window.root, shape, &mut xml)?;
        xml.push_str("</window>");
    }
    xml.push_str("</display></displays>");
    Ok(xml)
}

fn hierarchy(root: &ElementSnapshot, shape: Shape, xml: &mut String) -> Result<(), IllegalCharacter> {
    xml.push_str(&format!("<hierarchy rotation=\"{}\">", shape.rotation));
    match shape.detail {
        Detail::Everything => write_node(root, root.index, shape, xml)?,
        Detail::Important => write_node(&compressed(root), 0, shape, xml)?,
    }
    xml.push_str("</hierarchy>");
    Ok(())
}

/// `Rect.intersect`: a rectangle that does not meet the display stays as it is, and an inverted one stays inverted.
fn visible(bounds: Rect, display: Rect) -> Rect {
    let meets = bounds.left < display.right
        && display.left < bounds.right
        && bounds.top < display.bottom
        && display.top < bounds.bottom;
    if !meets {
        return bounds;
    }
    Rect::new(
        bounds.left.max(display.left),
        bounds.top.max(display.top),
        bounds.right.min(display.right),
        bounds.bottom.min(display.bottom),
    )
}

fn write_node(node: &ElementSnapshot, index: usize, shape: Shape, xml: &mut String) -> Result<(), IllegalCharacter> {
    xml.push_str("<node");
    if needs_attention(node) {
        attribute(xml, "NAF", "true")?;
    }
    let flag = |value: bool| if value { "true" } else { "false" };
    attribute(xml, "index", &index.to_string())?;
    attribute(xml, "text", &node.text)?;
    attribute(xml, "resource-id", &node.resource_id)?;
    attribute(xml, "class", &node.class)?;
    attribute(xml, "package", &node.package)?;
    attribute(xml, "content-desc", &node.content_desc)?;
    attribute(xml, "checkable", flag(node.checkable))?;
    attribute(xml, "checked", flag(node.checked))?;
    attribute(xml, "clickable", flag(node.clickable))?;
    attribute(xml, "enabled", flag(node.enabled))?;
    attribute(xml, "focusable", flag(node.focusable))?;
    attribute(xml, "focused", flag(node.focused))?;
    attribute(xml, "scrollable", flag(node.scrollable))?;
    attribute(xml, "long-clickable", flag(node.long_clickable))?;
    attribute(xml, "password", flag(node.password))?;
    attribute(xml, "selected", flag(node.selected))?;
    attribute(xml, "bounds", &visible(node.bounds, shape.display).to_string())?;
    if shape.api.since(36) {
        attribute(xml, "drawing-order", &node.drawing_order.to_string())?;
        attribute(xml, "hint", &node.hint)?;
    }
    if node.children.is_empty() {
        xml.push_str(" />");
        return Ok(());
    }
    xml.push('>');
    for child in &node.children {
        write_node(child, child.index, shape, xml)?;
    }
    xml.push_str("</node>");
    Ok(())
}

/// "Not accessibility friendly": can be clicked but says nothing (`nafCheck`).
fn needs_attention(node: &ElementSnapshot) -> bool {
    let excluded = ["GridView", "GridLayout", "ListView", "TableLayout"];
    node.clickable && node.enabled && !excluded.iter().any(|class| node.class.ends_with(class)) && is_silent(node)
}

fn is_silent(node: &ElementSnapshot) -> bool {
    node.text.is_empty() && node.content_desc.is_empty() && node.children.iter().all(is_silent)
}

fn attribute(xml: &mut String, name: &str, value: &str) -> Result<(), IllegalCharacter> {
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
            // `stripInvalidXMLChars` knows these …
            '\u{1}'..='\u{8}'
            | '\u{b}'..='\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{7f}'..='\u{84}'
            | '\u{86}'..='\u{9f}'
            | '\u{fdd0}'..='\u{fddf}' => xml.push('.'),
            // … but not these, which the serializer refuses.
            '\u{0}' | '\u{fffe}' | '\u{ffff}' => return Err(IllegalCharacter),
            other => xml.push(other),
        }
    }
    xml.push(quote);
    Ok(())
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

    fn shape(level: u32, detail: Detail) -> Shape {
        let api = ApiLevel::new(level).unwrap();
        Shape { rotation: 0, api, detail, display: Rect::new(0, 0, 100, 200) }
    }

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
        let dump = |level| document(&root, shape(level, Detail::Everything)).unwrap();
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
        attribute(&mut out, "text", "a\"b'c<&>\n\u{1}é").unwrap();
        assert_eq!(out, " text='a\"b&apos;c&lt;&amp;&gt;&#10;.é'");
        out.clear();
        attribute(&mut out, "text", "it's").unwrap();
        assert_eq!(out, " text=\"it's\"");
    }

    #[test]
    fn control_characters_become_dots_and_some_characters_end_the_dumper() {
        let written = |text: &str| {
            let mut out = String::new();
            attribute(&mut out, "text", text).map(|()| out)
        };
        for c in ['\u{1}', '\u{8}', '\u{b}', '\u{1f}', '\u{7f}', '\u{9f}', '\u{fdd0}', '\u{fddf}'] {
            assert_eq!(written(&c.to_string()).as_deref(), Ok(" text=\".\""), "{:x}", c as u32);
        }
        for c in ['\u{85}', '\u{a0}', '\u{fde0}', '\u{1f600}', '\u{e000}'] {
            assert_eq!(written(&c.to_string()), Ok(format!(" text=\"{c}\"")), "{:x}", c as u32);
        }
        for c in ['\u{0}', '\u{fffe}', '\u{ffff}'] {
            assert_eq!(written(&c.to_string()), Err(IllegalCharacter), "{:x}", c as u32);
        }
        assert_eq!(written("\t\r").as_deref(), Ok(" text=\"&#9;&#13;\""));
    }

    #[test]
    fn bounds_are_cut_to_the_display_as_rect_intersect_does() {
        let display = Rect::new(0, 0, 100, 200);
        for (bounds, shown) in [
            (Rect::new(-5, 190, 50, 260), Rect::new(0, 190, 50, 200)),
            (Rect::new(0, 250, 50, 260), Rect::new(0, 250, 50, 260)),
            (Rect::new(0, 0, 0, 0), Rect::new(0, 0, 0, 0)),
            (Rect::new(10, 198, 40, 184), Rect::new(10, 198, 40, 184)),
        ] {
            assert_eq!(visible(bounds, display), shown, "{bounds}");
        }
    }

    #[test]
    fn windows_come_in_displays_the_highest_first() {
        let root = element("android.widget.FrameLayout", "");
        let windows = [WindowDump { title: "a.b/.Main".to_owned(), id: 7, layer: 2, root: &root }];
        let xml = windows_document(&windows, shape(34, Detail::Everything)).unwrap();
        let head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><displays><display id=\"0\"><window \
                    index=\"0\" title=\"a.b/.Main\" bounds=\"[0,0][10,20]\" active=\"true\" focused=\"true\" \
                    accessibility-focused=\"false\" id=\"7\" layer=\"2\" type=\"TYPE_APPLICATION\"><hierarchy \
                    rotation=\"0\"><node index=\"0\"";
        assert!(xml.starts_with(head) && xml.ends_with(" /></hierarchy></window></display></displays>"), "{xml}");
    }

    #[test]
    fn compressed_dumps_drop_layouts_and_number_children_anew() {
        let mut layout = element("android.widget.LinearLayout", "");
        layout.children = vec![element("android.widget.TextView", "x"), element("android.widget.TextView", "y")];
        layout.children[1].index = 4;
        let mut root = element("android.widget.FrameLayout", "");
        root.children = vec![layout];
        let xml = document(&root, shape(34, Detail::Important)).unwrap();
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
