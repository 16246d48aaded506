//! XUAT-Copilot's filter (§3.2) to the letter, straight from a dump: no tree, no widgets, no judgement of what can be seen.

use super::encoding::unescape;
use super::parse::{Sink, read_into};
use super::selector::PathHash;
use super::tag::Attributes;
use super::tree_builder::{MAX_DEPTH, MAX_NODES};
use super::words::is_stable_id;
use super::xuat::Line;
use std::borrow::Cow;

/// The paper's filtered form of a dump: a line `<node class=… resource-id=… clickable=… scrollable=… content-desc=…
/// text=… bounds=… />` for every node with text or content description, an empty resource id invented; everything else as
/// dumped. [`super::Screen::xuat`] leaves out what nobody sees and adds the links found in the picture.
pub fn xuat_filter(hierarchy: &[u8]) -> String {
    let mut filter = Filter { out: String::with_capacity(hierarchy.len() / 4), ..Filter::default() };
    read_into(hierarchy, &mut filter);
    filter.out
}

/// Takes elements as they come; of those that are open only what an invented id needs is kept.
#[derive(Default)]
struct Filter {
    out: String,
    open: Vec<Open>,
    /// Open elements inside one that lies too deep.
    skipping: usize,
    nodes: usize,
    roots: usize,
}

struct Open {
    name: Cow<'static, str>,
    path: PathHash,
    children: usize,
}

impl Sink for Filter {
    fn is_full(&self) -> bool {
        self.nodes >= MAX_NODES
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>, empty: bool, _: usize) {
        if self.skipping > 0 || self.open.len() >= MAX_DEPTH {
            self.skipping += usize::from(!empty);
            return;
        }
        let class = attributes.class.map_or_else(|| if name == "node" { "".into() } else { name.into() }, unescape);
        let mut path = self.open.last().map_or(PathHash::default(), |open| open.path);
        if name == "node" || name.contains('.') || attributes.class.is_some() && attributes.has_bounds() {
            let children = self.open.last_mut().map_or(&mut self.roots, |open| &mut open.children);
            let index = attributes.index.and_then(|index| index.trim().parse().ok()).unwrap_or(*children);
            *children += 1;
            self.nodes += 1;
            path = path.child(class_name(&class), index);
            self.keep(&class, path, &attributes);
        }
        if !empty {
            let name = if name == "node" { Cow::Borrowed("node") } else { Cow::Owned(name.to_owned()) };
            self.open.push(Open { name, path, children: 0 });
        }
    }

    fn close(&mut self, name: &str, _: usize) {
        if self.skipping > 0 {
            self.skipping -= 1;
        } else if let Some(position) = self.open.iter().rposition(|open| open.name == name) {
            self.open.truncate(position);
        }
    }

    fn stray_text(&mut self, _: &str, _: usize) {}

    fn end_of_input(&mut self, _: usize) {}

    fn note(&mut self, _: usize, _: String) {}
}

impl Filter {
    fn keep(&mut self, class: &str, path: PathHash, attributes: &Attributes<'_>) {
        let text = unescape(attributes.text.unwrap_or_default());
        let description = unescape(attributes.content_desc.unwrap_or_default());
        if text.trim().is_empty() && description.trim().is_empty() {
            return;
        }
        let id = unescape(attributes.resource_id.unwrap_or_default());
        let id = if is_stable_id(&id) { id } else { path.invent_id(class_name(class), &text, &description).into() };
        let line = Line {
            class,
            resource_id: &id,
            clickable: attributes.clickable == Some(true),
            scrollable: attributes.scrollable == Some(true),
            content_desc: &description,
            text: &text,
        };
        line.write(&mut self.out, |out| out.push_str(attributes.bounds_as_written()));
    }
}

fn class_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::{Screen, ScreenInput};

    const DUMP: &str = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node index=\"0\" class=\"android.widget.FrameLayout\" bounds=\"[0,0][100,100]\">\
        <node index=\"1\" class=\"android.widget.Button\" text=\"Pay &amp; go (3)\" clickable=\"true\" bounds=\"[0,0][50,10]\" />\
        <node index=\"2\" class=\"android.widget.ImageView\" resource-id=\"a:id/b\" content-desc=\"Say &quot;hi&quot;&#10;twice\" bounds=\"[0,20][50,30]\" />\
        <node index=\"3\" text=\" \" content-desc=\"\" class=\"android.view.View\" bounds=\"[0,40][50,50]\" /></node></hierarchy>";

    #[test]
    fn the_filter_agrees_with_the_screen_where_everything_can_be_seen() {
        let screen = Screen::perceive(ScreenInput {
            hierarchy: DUMP.as_bytes(),
            screenshot: None,
            display: Size::new(100, 100),
            foreground: None,
            keyboard_shown: false,
        });
        let filtered = xuat_filter(DUMP.as_bytes());
        assert_eq!(filtered, screen.xuat());
        assert_eq!(filtered.lines().count(), 2);
        assert!(filtered.contains("content-desc=\"Say &quot;hi&quot;&#10;twice\""), "{filtered}");
    }

    #[test]
    fn what_cannot_be_seen_is_kept_and_damage_is_stepped_over() {
        let hidden = DUMP.replace("[0,0][50,10]", "[0,0][0,0]").replace("</hierarchy>", "</odd><node text=\"x");
        assert_eq!(xuat_filter(hidden.as_bytes()).lines().count(), 2);
        assert_eq!(xuat_filter(b"ERROR: null root node"), "");
    }
}
