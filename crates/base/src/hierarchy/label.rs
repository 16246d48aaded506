//! What a person would call a widget.
//!
//! Own text, content description, descendants, hint; then the text beside or above it; then its resource id.

use super::outline::{Act, Outline};
use super::role::{is_field, is_turned};
use super::row_title::is_reference;
use super::visibility::Visibility;
use super::words::{clean, clean_description, id_words, is_explained_by, is_sign, join};
use super::{UiNode, UiTree};
use crate::domain::Rect;

/// A label and how it came about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) text: String,
    /// How many texts it was made of.
    pub(super) parts: usize,
    /// The description said "Tab 1 of 5".
    pub(super) tab: bool,
}

/// The words a node itself shows: its text, or its description where the text is only a sign, an icon glyph or a number
/// that the description explains (the day of a calendar, a counter). What programs call things is no description.
pub(super) fn own_words(node: &UiNode) -> Label {
    let text = clean(&node.text);
    let (mut description, tab) = clean_description(&node.content_desc);
    if is_reference(&description) {
        description.clear();
    }
    let explained = is_sign(&text) && !description.is_empty() || is_explained_by(&text, &description);
    let text = if text.is_empty() || explained { description } else { text };
    Label { parts: usize::from(!text.is_empty()) + usize::from(node.content_desc.trim().contains('\n')), text, tab }
}

/// True for a password field that shows words: Android shows what is typed as dots, so that they are its hint. Text with
/// digits or signs might be a secret that a device shows all the same, and is never taken for a hint.
pub(super) fn shows_password_hint(node: &UiNode) -> bool {
    let of_hints =
        |c: char| c.is_alphabetic() || c.is_whitespace() || matches!(c, '.' | '…' | ':' | '*' | '(' | ')' | '-' | '\'');
    node.password && node.text.chars().any(char::is_alphabetic) && node.text.chars().all(of_hints)
}

/// Everything needed to name the nodes of one tree.
pub(super) struct Labeller<'t> {
    pub(super) tree: &'t UiTree,
    pub(super) seen: &'t Visibility,
    pub(super) outline: &'t Outline,
    /// Texts that stand alone, in document order: node, words, rectangle.
    pub(super) texts: Vec<(usize, String, Rect)>,
    /// True when the dump says what hints are (API 36+), so that a field's text is its content.
    tells_hints: bool,
}

/// Where a caption may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Beside a switch or box, on either side.
    EitherSide,
    /// Left of a field, or somewhere above it.
    Above,
    /// Left of a field, or directly above it.
    Close,
}

impl<'t> Labeller<'t> {
    pub(super) fn new(tree: &'t UiTree, seen: &'t Visibility, outline: &'t Outline) -> Self {
        let texts = (0..tree.nodes.len())
            .filter(|&index| outline.stands_alone(index))
            .filter_map(|index| {
                let rect = seen.rects[index]?;
                let words = own_words(&tree.nodes[index]).text;
                (!words.is_empty()).then_some((index, words, rect))
            })
            .collect();
        let tells_hints = tree.nodes.iter().any(|node| !node.hint.is_empty() || node.showing_hint);
        Self { tree, seen, outline, texts, tells_hints }
    }

    /// A field's content: empty while it shows only its hint.
    pub(super) fn field_value(&self, index: usize) -> String {
        let node = &self.tree.nodes[index];
        if node.showing_hint || !node.hint.is_empty() && node.text == node.hint || shows_password_hint(node) {
            String::new()
        } else {
            node.text.clone()
        }
    }

    pub(super) fn label(&self, index: usize) -> Label {
        let node = &self.tree.nodes[index];
        if is_field(node) {
            return Label { text: self.field_label(index), parts: 1, tab: false };
        }
        let mut label = own_words(node);
        if self.outline.acts[index] != Act::Uses {
            if label.text.is_empty() {
                label.text = id_words(&node.resource_id);
            }
            return label;
        }
        // What a wheel or slider holds are its values.
        if label.text.is_empty() && is_turned(node) {
            label.text = self.beside(index, Reach::Above);
        }
        if label.text.is_empty() {
            let inner = self.descendants(index);
            label.parts = inner.len();
            label.text = join(inner.iter().map(String::as_str));
            label.tab |=
                self.tree.nodes[index..self.seen.ends[index]].iter().any(|n| clean_description(&n.content_desc).1);
        }
        let stateful = node.checkable || !node.clickable;
        if label.text.is_empty() && stateful {
            label.text = self.beside(index, Reach::EitherSide);
        }
        if label.text.is_empty() {
            label.text = clean(&node.hint);
        }
        if label.text.is_empty() {
            label.text = self.under_overlay(index);
        }
        if label.text.is_empty() {
            label.text = id_words(&node.resource_id);
        }
        if label.text.is_empty() {
            label.text = (index + 1..self.seen.ends[index])
                .map(|inner| id_words(&self.tree.nodes[inner].resource_id))
                .find(|words| !words.is_empty())
                .unwrap_or_default();
        }
        if label.text.is_empty() {
            label.text = self.caption(index);
        }
        label
    }

    /// Words of the descendants this node speaks for; those of the usable nodes inside when there are none.
    fn descendants(&self, index: usize) -> Vec<String> {
        let inside = index + 1..self.seen.ends[index];
        let words = |only_own: bool| -> Vec<String> {
            let mut found: Vec<String> = Vec::new();
            for at in inside.clone() {
                if !self.seen.is_visible(at) || only_own && self.outline.owner[at] != Some(index) {
                    continue;
                }
                if only_own && self.outline.acts[at] == Act::Uses {
                    continue;
                }
                let words = own_words(&self.tree.nodes[at]).text;
                if !words.is_empty() && !found.contains(&words) {
                    found.push(words);
                }
            }
            found
        };
        let own = words(true);
        if !own.is_empty() {
            return own;
        }
        let mut nested = words(false);
        nested.truncate(3);
        nested
    }

    fn field_label(&self, index: usize) -> String {
        let node = &self.tree.nodes[index];
        let hint = clean(&node.hint);
        if !hint.is_empty() {
            return hint;
        }
        let shown = clean(&node.text);
        if (node.showing_hint || shows_password_hint(node)) && !shown.is_empty() {
            return shown;
        }
        let description = clean_description(&node.content_desc).0;
        if !description.is_empty() && (description != shown || !self.tells_hints) {
            return description;
        }
        // Compose draws a field's label within the field.
        let within = self.descendants(index).into_iter().find(|words| words.chars().any(char::is_alphabetic));
        if let Some(within) = within {
            return within;
        }
        // Before API 36 an empty field dumps its hint as its text, and nothing tells it from content: only a caption
        // that clearly belongs to the field is then the better name.
        let may_be_hint = !self.tells_hints && !node.focused && !node.password && !shown.is_empty();
        let beside = self.beside(index, if may_be_hint { Reach::Close } else { Reach::Above });
        if !beside.is_empty() {
            return beside;
        }
        if may_be_hint {
            return shown;
        }
        let words = id_words(&node.resource_id);
        if !words.is_empty() {
            return words;
        }
        if node.password { String::new() } else { shown }
    }

    /// The text beside (in the same row) or above a field, switch or check box. Texts of the same section, that is of
    /// the largest container without another usable node, come first.
    fn beside(&self, index: usize, allowed: Reach) -> String {
        let either_side = allowed == Reach::EitherSide;
        let Some(rect) = self.seen.rects[index] else { return String::new() };
        let section = self.section(index);
        let display = self.seen.display;
        let near = display.height() / 25;
        let score = |(at, words, text): &(usize, String, Rect)| -> Option<i64> {
            // A field's caption is short; a sentence above it explains the whole form.
            let longest = if either_side { 80 } else { 40 };
            if !(1..=longest).contains(&words.chars().count()) || (!either_side && words.ends_with(['.', '。'])) {
                return None;
            }
            let in_section = section.contains(at);
            let shared = text.bottom.min(rect.bottom) - text.top.max(rect.top);
            let same_row = 2 * shared >= text.height().min(rect.height());
            let reach = if in_section { display.width() } else { display.width() / 3 };
            let distance = if same_row && text.right <= rect.left + 8 {
                Some(rect.left - text.right).filter(|gap| *gap <= reach)
            } else if same_row && text.left >= rect.right - 8 && (either_side || in_section) {
                Some(text.left - rect.right).filter(|gap| *gap <= reach).map(|gap| gap + near / 2)
            } else if text.bottom <= rect.top + 8 && text.left < rect.right && text.right > rect.left {
                let reach = match allowed {
                    Reach::Close => near * 3 / 8,
                    _ if in_section => 3 * near,
                    _ => near,
                };
                Some((rect.top - text.bottom).max(0) + near / 4)
                    .filter(|gap| *gap <= reach && !either_side || in_section)
            } else if text.top < rect.bottom && text.bottom > rect.top && in_section {
                Some(0)
            } else {
                None
            }?;
            Some(i64::from(distance) - if in_section { 10_000 } else { 0 })
        };
        self.texts
            .iter()
            .filter_map(|text| score(text).map(|score| (score, text)))
            .min_by_key(|(score, text)| (*score, text.0))
            .map(|(_, text)| text.1.clone())
            .unwrap_or_default()
    }

    /// The nodes of the largest container around `index` that holds no other usable node.
    pub(super) fn section(&self, index: usize) -> std::ops::Range<usize> {
        let mut section = index..self.seen.ends[index];
        let own = self.outline.uses_in(section.start, section.end);
        let mut at = self.tree.nodes[index].parent;
        while let Some(parent) = at {
            let end = self.seen.ends[parent];
            if self.outline.acts[parent] != Act::None || self.outline.uses_in(parent, end) != own {
                break;
            }
            section = parent..end;
            at = self.tree.nodes[parent].parent;
        }
        section
    }

    /// A transparent clickable node over a card is called what lies under it.
    fn under_overlay(&self, index: usize) -> String {
        let Some(rect) = self.seen.rects[index] else { return String::new() };
        if 10 * rect.area() >= 4 * self.seen.display.area() || self.seen.ends[index] > index + 1 {
            return String::new();
        }
        join(
            self.texts
                .iter()
                .filter(|(at, _, text)| rect.encloses(*text) && self.seen.paints_over(index, *at))
                .map(|(_, words, _)| words.as_str()),
        )
    }

    /// A short text directly under or beside an icon, alone with it in its section.
    fn caption(&self, index: usize) -> String {
        let section = self.section(index);
        let Some(rect) = self.seen.rects[index] else { return String::new() };
        let near = self.seen.display.height() / 30;
        let mut found = self.texts.iter().filter(|(at, _, _)| section.contains(at));
        match (found.next(), found.next()) {
            (Some((_, words, text)), None)
                if words.chars().count() <= 40
                    && text.top <= rect.bottom + near
                    && text.bottom >= rect.top - near
                    && text.left <= rect.right + 2 * near
                    && text.right >= rect.left - 2 * near =>
            {
                words.clone()
            }
            _ => String::new(),
        }
    }
}
