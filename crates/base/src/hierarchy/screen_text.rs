//! Every text a screen shows, and the widget each belongs to.
//!
//! A widget has one label; the texts inside it may say more. They are kept here, so that an expectation or a capture
//! finds whatever stands in the dump.

use super::outline::{Act, Outline};
use super::visibility::Visibility;
use super::words::clean;
use super::{READ_CLASS, Screen, UiTree, Widget, WidgetId};
use crate::domain::Rect;
use serde::Serialize;

/// The attribute of a node that holds a text, or the picture it was read off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSource {
    /// `text`.
    Text,
    /// `content-desc`.
    Description,
    /// `hint`.
    Hint,
    /// The picture; the hierarchy does not hold it.
    Picture,
}

/// One text of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScreenText {
    /// The words on one line, without icon glyphs and invisible marks.
    pub text: String,
    /// The words in the language of the display, where the screen is read in the app's own ([`super::Screen::read_as`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Where it was found.
    pub source: TextSource,
    /// Index of its node in the tree.
    pub node: usize,
    /// The widget that shows it or stands for it; `None` for words on bare ground.
    pub widget: Option<WidgetId>,
    /// Visible bounds of its node, in display pixels.
    pub bounds: Rect,
}

impl ScreenText {
    /// The words as they stand on the display.
    pub fn on_display(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }
}

/// The texts of a screen, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ScreenTexts {
    /// In sight.
    pub shown: Vec<ScreenText>,
    /// Under something that is painted over them: part of the dump, out of sight.
    pub covered: Vec<ScreenText>,
}

impl ScreenTexts {
    /// Collects the texts of `tree` and assigns each to one of `widgets`. `shown_tree` has the texts as displayed; it
    /// differs from `tree` only where the screen is read in another language.
    pub(super) fn collect(
        tree: &UiTree,
        shown_tree: &UiTree,
        seen: &Visibility,
        outline: &Outline,
        widgets: &[Widget],
    ) -> Self {
        let owners = Owners::of(tree, seen, outline, widgets);
        let mut texts = Self::default();
        // What was read off the picture stands in the tree too, and is added by whoever read it.
        let dumped = tree.nodes.iter().enumerate().filter(|(_, node)| node.class != READ_CLASS);
        for (index, node) in dumped {
            if node.text.is_empty() && node.content_desc.is_empty() && node.hint.is_empty() {
                continue;
            }
            let (into, bounds, widget) = if let Some(bounds) = seen.rects[index] {
                (&mut texts.shown, bounds, owners.widget(index))
            } else if let Some(bounds) = seen.covered.get(&index) {
                (&mut texts.covered, *bounds, None)
            } else {
                continue;
            };
            let shown = &shown_tree.nodes[index];
            let mut add = |source: TextSource, raw: &str, on_display: &str| {
                let text = clean(raw);
                if !text.is_empty() {
                    let shown = (raw != on_display).then(|| clean(on_display));
                    into.push(ScreenText { text, shown, source, node: index, widget, bounds });
                }
            };
            add(TextSource::Text, &node.text, &shown.text);
            if node.content_desc != node.text {
                add(TextSource::Description, &node.content_desc, &shown.content_desc);
            }
            if node.hint != node.text && node.hint != node.content_desc {
                add(TextSource::Hint, &node.hint, &shown.hint);
            }
        }
        texts
    }
}

impl Screen {
    /// The texts in sight that neither label nor value of their widget holds: what stands inside a described card, or on
    /// bare ground.
    pub fn inner_texts(&self) -> impl Iterator<Item = &ScreenText> {
        self.texts.shown.iter().filter(|text| {
            let words = text.on_display().to_lowercase();
            let holds = |widget: &Widget| {
                let own = [widget.shown_label(), &widget.label, &widget.value];
                own.iter().any(|own| clean(own).to_lowercase().contains(&words))
            };
            !text.widget.and_then(|id| self.widgets.get(id)).is_some_and(holds)
        })
    }

    /// All that the screen says: the labels of its widgets, then the texts that none of them holds.
    pub fn wordings(&self) -> impl Iterator<Item = &str> {
        let labels = self.widgets.iter().map(|widget| widget.label.as_str());
        labels.chain(self.inner_texts().map(|text| text.text.as_str())).filter(|text| !text.is_empty())
    }

    /// The widget that a text stands inside, where it is another node's: a card's, not the button's own words.
    pub(super) fn holder(&self, text: &ScreenText) -> Option<&Widget> {
        text.widget.and_then(|id| self.widgets.get(id)).filter(|widget| widget.node != text.node)
    }
}

/// Which widget each node's text belongs to.
struct Owners<'s> {
    tree: &'s UiTree,
    seen: &'s Visibility,
    outline: &'s Outline,
    widgets: &'s [Widget],
    /// For each node of the tree, the widget that it is.
    by_node: Vec<Option<WidgetId>>,
    /// Nodes of the widgets, in document order, to look for one inside a container.
    nodes: Vec<(usize, WidgetId)>,
}

impl<'s> Owners<'s> {
    fn of(tree: &'s UiTree, seen: &'s Visibility, outline: &'s Outline, widgets: &'s [Widget]) -> Self {
        let nodes: Vec<(usize, WidgetId)> = widgets.iter().map(|widget| (widget.node, widget.id)).collect();
        let mut by_node = vec![None; tree.nodes.len()];
        for (node, id) in &nodes {
            by_node[*node] = Some(*id);
        }
        Self { tree, seen, outline, widgets, by_node, nodes }
    }

    /// The node's own widget, else the control that speaks for it, else the text that repeats it, else the only widget
    /// inside it.
    fn widget(&self, node: usize) -> Option<WidgetId> {
        if self.by_node[node].is_some() {
            return self.by_node[node];
        }
        let mut at = self.tree.nodes[node].parent;
        while let Some(parent) = at {
            let spoken_for = self.outline.acts[parent] != Act::Scrolls && self.outline.acts[parent] != Act::Ground;
            if let Some(found) = self.by_node[parent].filter(|_| spoken_for) {
                return Some(found);
            }
            if self.outline.acts[parent] != Act::None {
                break;
            }
            at = self.tree.nodes[parent].parent;
        }
        let from = self.nodes.partition_point(|(at, _)| *at <= node);
        let inside: Vec<WidgetId> = self.nodes[from..]
            .iter()
            .take_while(|(at, _)| *at < self.seen.ends[node])
            .map(|(_, id)| *id)
            .take(2)
            .collect();
        match inside.as_slice() {
            [only] => Some(*only),
            _ => inside.first().copied().filter(|first| self.is_named_by(*first, node)),
        }
    }

    fn is_named_by(&self, widget: WidgetId, node: usize) -> bool {
        let node = &self.tree.nodes[node];
        let label = &self.widgets[widget].label;
        !label.is_empty() && [&node.text, &node.content_desc].iter().any(|text| clean(text).contains(label.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{PAGE, perceive};
    use super::*;
    use crate::domain::Expectation;
    use crate::hierarchy::check;

    /// A described card with two texts inside, a counter whose description says more, and an icon in front of words.
    fn screen() -> Screen {
        perceive(&[
            PAGE,
            (1, "view.ViewGroup", "content-desc=\"Course, opens\" clickable=\"true\"", [0, 100, 1080, 400]),
            (2, "widget.TextView", "text=\"Algebra II\"", [40, 120, 600, 180]),
            (2, "widget.TextView", "text=\"Room 204\"", [40, 200, 600, 260]),
            (1, "widget.Button", "text=\"3\" content-desc=\"3 open tabs\" clickable=\"true\"", [900, 2200, 1000, 2300]),
            (1, "widget.TextView", "text=\"\u{e8b8}, Settings\"", [0, 500, 500, 600]),
            (1, "widget.EditText", "hint=\"Your name\" text=\"Ada\" clickable=\"true\"", [0, 700, 500, 800]),
            (1, "widget.TextView", "text=\"\u{e8b8}\"", [0, 900, 500, 1000]),
        ])
    }

    #[test]
    fn every_text_is_kept_with_the_control_it_belongs_to() {
        let screen = screen();
        let of = |text: &ScreenText| text.widget.map(|id| screen.widgets[id].label.clone()).unwrap_or_default();
        let texts: Vec<(String, TextSource, String)> =
            screen.texts.shown.iter().map(|text| (text.text.clone(), text.source, of(text))).collect();
        let expected = [
            ("Course, opens", TextSource::Description, "Course, opens"),
            ("Algebra II", TextSource::Text, "Course, opens"),
            ("Room 204", TextSource::Text, "Course, opens"),
            ("3", TextSource::Text, "3 open tabs"),
            ("3 open tabs", TextSource::Description, "3 open tabs"),
            ("Settings", TextSource::Text, "Settings"),
            ("Ada", TextSource::Text, "Your name"),
            ("Your name", TextSource::Hint, "Your name"),
        ];
        assert_eq!(texts, expected.map(|(text, source, of)| (text.to_owned(), source, of.to_owned())));
    }

    #[test]
    fn a_text_inside_a_described_control_is_seen_and_not_absent() {
        let screen = screen();
        for (text, seen) in [
            ("Algebra II", true),
            ("room  204", true),
            ("3 open tabs", true),
            ("\u{e8b8}, Settings", true),
            ("Your name", true),
            ("Room 205", false),
            ("\u{e8b8}", false),
        ] {
            assert_eq!(check(&Expectation::Visible(text.into()), &screen).held, seen, "visible {text:?}");
            assert_eq!(check(&Expectation::Absent(text.into()), &screen).held, !seen, "absent {text:?}");
        }
        let found = check(&Expectation::Visible("Room 204".into()), &screen);
        assert_eq!(found.evidence, "\"Room 204\" in button \"Course, opens\" shows it");
        let count = |of: &str, is| check(&Expectation::Count { of: of.into(), is }, &screen).held;
        assert!(count("Algebra", 1) && count("Room", 1) && count("Course", 1) && count("Geometry", 0));
    }

    #[test]
    fn what_no_label_holds_is_said_too() {
        let screen = screen();
        let inner: Vec<&str> = screen.inner_texts().map(|text| text.text.as_str()).collect();
        assert_eq!(inner, ["Algebra II", "Room 204"]);
        assert!(screen.wordings().any(|text| text == "Room 204"));
        let wanted = Expectation::Visible("Room 7".into());
        assert_eq!(check(&wanted, &screen).counterpart(screen.wordings()), Some("Room 204"));
    }

    #[test]
    fn a_switch_is_found_by_the_text_inside_its_description() {
        let screen = perceive(&[
            PAGE,
            (
                1,
                "widget.Switch",
                "content-desc=\"Toggle\" checkable=\"true\" checked=\"true\" clickable=\"true\"",
                [0, 100, 1080, 200],
            ),
            (2, "widget.TextView", "text=\"Reminders\"", [40, 120, 600, 180]),
        ]);
        let checked = |is| check(&Expectation::Checked { widget: "Reminders".into(), is }, &screen);
        assert!(checked(true).held && checked(false).contradicted);
    }

    #[test]
    fn the_digest_changes_with_a_text_that_no_label_holds() {
        let card = |seats: &str| {
            let seats = format!("text=\"{seats}\"");
            perceive(&[
                PAGE,
                (1, "view.ViewGroup", "content-desc=\"Course\" clickable=\"true\"", [0, 100, 1080, 400]),
                (2, "widget.TextView", &seats, [40, 120, 600, 180]),
            ])
        };
        assert_ne!(card("3 seats left").digest, card("2 seats left").digest);
        assert_eq!(card("3 seats left").fingerprint, card("2 seats left").fingerprint);
    }

    #[test]
    fn what_lies_under_a_cover_is_absent_and_that_is_said() {
        let screen = perceive(&[
            PAGE,
            (1, "widget.TextView", "text=\"Balance\"", [0, 900, 500, 1100]),
            (1, "widget.FrameLayout", "clickable=\"true\"", [0, 300, 1080, 2400]),
            (2, "widget.TextView", "text=\"Share with\"", [40, 320, 600, 380]),
        ]);
        let visible = check(&Expectation::Visible("Balance".into()), &screen);
        assert!(
            !visible.held && visible.evidence.ends_with("\"Balance\" is in the dump, but covered by something else")
        );
        assert!(check(&Expectation::Absent("Balance".into()), &screen).held);
    }
}
