//! Widgets of texts that were read off the picture, for screens whose hierarchy says nothing.

use super::fingerprint::digest;
use super::mask::mask;
use super::{Role, Screen, ScreenText, TextSource, UiNode, UiTree, Widget, WidgetState};
use crate::domain::{Locator, Rect, SecretMask, Selector};

/// The class of texts read off the picture. No app has it, so they are never taken for nodes of the hierarchy.
pub const READ_CLASS: &str = "tapwright.ReadText";

/// Share of the display, in percent, from which a bare view counts as most of it.
const MOST: i64 = 75;

impl Screen {
    /// Whether the hierarchy tells nothing a person could point at: no text and no description at all, or one bare view
    /// over most of the display and nothing with a name that could be touched. Such are canvases, games, and dumps that
    /// failed.
    pub fn is_mute(&self) -> bool {
        let nodes = &self.tree.nodes;
        if nodes.iter().all(|node| node.text.trim().is_empty() && node.content_desc.trim().is_empty()) {
            return true;
        }
        if self.widgets.iter().any(|widget| widget.clickable && !widget.label.is_empty()) {
            return false;
        }
        let display = self.display.rect();
        let ends = self.tree.subtree_ends();
        nodes.iter().enumerate().any(|(at, node)| {
            let bare = ends[at] == at + 1 && node.text.is_empty() && node.content_desc.is_empty() && !node.invisible;
            let most = node.bounds.intersection(display).is_some_and(|seen| seen.area() * 100 >= display.area() * MOST);
            bare && most
        })
    }

    /// Adds lines read off the picture, in display pixels, as widgets of their own role and class. Lines that show a
    /// secret are masked, and those that a widget with a name already stands for are left out.
    pub fn add_read_lines(&mut self, lines: Vec<(String, Rect)>, secrets: &SecretMask) {
        let named: Vec<Rect> =
            self.widgets.iter().filter(|widget| !widget.label.is_empty()).map(|widget| widget.bounds).collect();
        let known = |bounds: Rect| {
            named.iter().any(|other| other.intersection(bounds).is_some_and(|shared| shared.area() * 2 > bounds.area()))
        };
        let fresh = lines.into_iter().filter(|(text, bounds)| !text.trim().is_empty() && !known(*bounds));
        let nodes = fresh.map(|(text, bounds)| UiNode {
            text: text.trim().to_owned(),
            class: READ_CLASS.to_owned(),
            bounds,
            enabled: true,
            ..UiNode::default()
        });
        let mut read = UiTree { nodes: nodes.collect(), ..UiTree::default() };
        self.masked.extend(mask(&mut read, secrets, true));
        for mut node in read.nodes {
            node.index = self.tree.nodes.len();
            let earlier = |widget: &&Widget| widget.role == Role::ReadText && widget.label == node.text;
            let nth = self.widgets.iter().filter(earlier).count();
            let id = self.widgets.len();
            self.widgets.push(widget(id, &node, nth));
            self.texts.shown.push(ScreenText {
                text: node.text.clone(),
                shown: None,
                source: TextSource::Picture,
                node: node.index,
                widget: Some(id),
                bounds: node.bounds,
            });
            self.tree.nodes.push(node);
        }
        if self.title.is_empty() {
            let first = self.widgets.iter().find(|widget| widget.role == Role::ReadText);
            self.title = first.map(|widget| widget.label.clone()).unwrap_or_default();
        }
        self.digest = digest(&self.title, &self.widgets, &self.texts);
    }
}

fn widget(id: usize, node: &UiNode, nth: usize) -> Widget {
    let chain = vec![Locator::Text(node.text.clone()), Locator::Bounds(node.bounds)];
    Widget {
        id,
        node: node.index,
        role: Role::ReadText,
        label: node.text.clone(),
        shown: None,
        context: String::new(),
        value: node.text.clone(),
        hint: String::new(),
        resource_id: format!("tw:read-{}", node.index),
        id_words: String::new(),
        class: READ_CLASS.to_owned(),
        package: String::new(),
        state: WidgetState { enabled: true, ..WidgetState::default() },
        // Whether it reacts cannot be seen; a person would try.
        clickable: true,
        long_clickable: false,
        scrollable: false,
        bounds: node.bounds,
        tap: node.bounds.center(),
        links: Vec::new(),
        selector: Selector { class: READ_CLASS.to_owned(), nth, chain },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Secret, Size};
    use crate::hierarchy::ScreenInput;

    fn screen(dump: &str) -> Screen {
        Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(600, 1000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn read(text: &str, top: i32) -> (String, Rect) {
        (text.to_owned(), Rect::new(20, top, 300, top + 40))
    }

    const CANVAS: &str =
        "<hierarchy><node class=\"android.view.SurfaceView\" bounds=\"[0,0][600,1000]\" /></hierarchy>";

    #[test]
    fn a_canvas_and_a_failed_dump_are_mute_and_a_screen_with_words_is_not() {
        assert!(screen(CANVAS).is_mute());
        assert!(screen("").is_mute());
        let titled = "<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][600,1000]\">\
            <node class=\"android.widget.TextView\" text=\"Level 3\" bounds=\"[0,0][600,90]\" />\
            <node class=\"android.view.SurfaceView\" bounds=\"[0,90][600,1000]\" /></node></hierarchy>";
        assert!(screen(titled).is_mute());
        let button = titled.replace("text=\"Level 3\"", "text=\"Level 3\" clickable=\"true\"");
        assert!(!screen(&button).is_mute());
        let text =
            "<hierarchy><node class=\"android.widget.TextView\" text=\"Hello\" bounds=\"[0,0][600,90]\" /></hierarchy>";
        assert!(!screen(text).is_mute());
    }

    #[test]
    fn read_lines_are_widgets_of_their_own_kind_and_are_found_again() {
        let mut seen = screen(CANVAS);
        let before = seen.digest;
        seen.add_read_lines(
            vec![read("New game", 100), read("Play", 200), read("Play", 300), read("  ", 400)],
            &SecretMask::default(),
        );
        let texts: Vec<&Widget> = seen.widgets.iter().filter(|widget| widget.role == Role::ReadText).collect();
        assert_eq!(texts.iter().map(|widget| widget.label.as_str()).collect::<Vec<_>>(), ["New game", "Play", "Play"]);
        assert!(texts.iter().all(|widget| widget.class == READ_CLASS && widget.clickable));
        for widget in texts {
            assert_eq!(seen.resolve(&widget.selector).map(|(found, _)| found.id), Some(widget.id));
        }
        assert_eq!(seen.title, "New game");
        assert_ne!(seen.digest, before);
    }

    #[test]
    fn secrets_are_masked_and_their_places_told() {
        let mut seen = screen("");
        seen.add_read_lines(vec![read("Code 135790", 100)], &SecretMask::new(&[Secret::new("135790")]));
        assert_eq!(seen.widgets[0].label, "Code ••••••");
        assert_eq!(seen.masked, [Rect::new(20, 100, 300, 140)]);
    }
}
