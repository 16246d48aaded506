//! From a tree to the widgets a person sees.

use super::context::{add_contexts, add_inner_texts, add_row_titles};
use super::fingerprint::{digest, fingerprint};
use super::keypad::mark_keypad;
use super::kind::kind_of;
use super::label::{Labeller, own_words, shows_password_hint};
use super::mask::mask;
use super::outline::{Act, Outline};
use super::role::{checkable_of, is_field, role_of, scroll_role};
use super::row_finder::rows;
use super::selector::{PathHashes, add_selectors};
use super::tap::tap_point;
use super::title::title;
use super::visibility::{Visibility, has_text};
use super::words::{clean, id_words, is_stable_id};
use super::{Role, Screen, ScreenTexts, UiNode, Widget, WidgetState, parse};
use crate::domain::{Rect, Screenshot, SecretMask, Selector, Size};

/// How many touchable widgets are considered as lying on another.
const MAX_OBSTACLES: usize = 1000;

/// What one settled moment of a device gives to perceive.
#[derive(Debug, Clone)]
pub struct ScreenInput<'h> {
    /// The dump, as the device wrote it.
    pub hierarchy: &'h [u8],
    /// The picture, where one could be taken.
    pub screenshot: Option<Screenshot>,
    /// Display size in pixels; zero by zero when unknown (the dump's own reach is taken then).
    pub display: Size,
    /// `package/activity` in the foreground, where known.
    pub foreground: Option<String>,
    /// True while the soft keyboard is shown.
    pub keyboard_shown: bool,
}

impl Screen {
    /// Parses the dump and finds the widgets; total, like parsing. Links inside texts need the picture and are added
    /// by `vision::find_links`.
    pub fn perceive(input: ScreenInput<'_>) -> Self {
        Self::perceive_hiding(input, &SecretMask::default())
    }

    /// Like [`Screen::perceive`], with every text that shows a secret masked: what is not perceived cannot leak into
    /// a label, a reason or a recording. [`Screen::masked`] tells where that was.
    pub fn perceive_hiding(input: ScreenInput<'_>, secrets: &SecretMask) -> Self {
        let ScreenInput { hierarchy, screenshot, display, foreground, keyboard_shown } = input;
        let mut tree = parse(hierarchy);
        let masked = mask(&mut tree, secrets, false);
        let seen = Visibility::of(&tree, display);
        let outline = Outline::of(&tree, &seen);
        let labeller = Labeller::new(&tree, &seen, &outline);
        let mut widgets = widgets(&labeller);
        mark_keypad(&mut widgets);
        add_contexts(&mut widgets, &labeller);
        let title = title(&labeller);
        add_selectors(&mut widgets, &tree);
        let mut scroll_areas: Vec<Rect> =
            (0..tree.nodes.len()).filter(|&at| tree.nodes[at].scrollable).filter_map(|at| seen.rects[at]).collect();
        scroll_areas.sort_by_key(|area| (-area.area(), *area));
        scroll_areas.dedup();
        let texts = ScreenTexts::collect(&tree, &tree, &seen, &outline, &widgets);
        let fingerprint = fingerprint(&tree, &seen, &outline, &widgets);
        let digest = digest(&title, &widgets, &texts);
        let rows = rows(&tree, &seen, &widgets, &texts.shown, &title);
        add_row_titles(&mut widgets, &rows, &texts.shown);
        add_inner_texts(&mut widgets, &texts.shown);
        let kind = kind_of(&tree, &seen, &widgets, keyboard_shown || seen.keyboard);
        let display = Size::new(seen.display.width() as u32, seen.display.height() as u32);
        let keyboard_shown = keyboard_shown || seen.keyboard;
        Self {
            tree,
            widgets,
            texts,
            screenshot,
            display,
            foreground,
            keyboard_shown,
            masked,
            title,
            shown_title: None,
            kind,
            fingerprint,
            digest,
            scroll_areas,
            rows,
        }
    }
}

fn widgets(labeller: &Labeller<'_>) -> Vec<Widget> {
    let (tree, seen, outline) = (labeller.tree, labeller.seen, labeller.outline);
    let mut widgets: Vec<Widget> = Vec::new();
    let mut paths = PathHashes::of(tree);
    for index in 0..tree.nodes.len() {
        let Some(bounds) = seen.rects[index] else { continue };
        let shown = match outline.acts[index] {
            Act::Uses => true,
            Act::Scrolls => !is_inner_list(index, labeller),
            // Ground without a name is nothing a person would point at.
            Act::Ground => {
                let node = &tree.nodes[index];
                // A web page's own text is its title.
                node.scrollable || !node.class.ends_with("WebView") && !own_words(node).text.is_empty()
            }
            Act::None => shows_text(index, labeller),
        };
        if shown {
            widgets.push(widget(widgets.len(), index, bounds, &mut paths, labeller));
        }
    }
    // Bounded, so that a hostile tree of thousands of buttons costs bounded time.
    let touchable: Vec<(usize, Rect)> = widgets
        .iter()
        .filter(|widget| widget.clickable || widget.role == Role::Field)
        .map(|widget| (widget.node, widget.bounds))
        .take(MAX_OBSTACLES)
        .collect();
    for widget in &mut widgets {
        let on_it: Vec<Rect> = touchable
            .iter()
            .filter(|(node, rect)| {
                let inside = *node > widget.node && *node < seen.ends[widget.node];
                (inside || seen.paints_over(*node, widget.node))
                    && rect.intersection(widget.bounds).is_some()
                    && *rect != widget.bounds
            })
            .map(|(_, rect)| *rect)
            .collect();
        widget.tap = tap_point(widget.bounds, &on_it);
    }
    fold_pickers(widgets, seen)
}

/// A number picker is one widget that holds a value: its inner text field (`numberpicker_input`) becomes the value.
fn fold_pickers(mut widgets: Vec<Widget>, seen: &Visibility) -> Vec<Widget> {
    let pickers: Vec<(usize, usize)> = widgets
        .iter()
        .filter(|widget| widget.class.ends_with("NumberPicker"))
        .map(|widget| (widget.node, seen.ends[widget.node]))
        .collect();
    for (picker, end) in pickers {
        let inner =
            widgets.iter().position(|widget| widget.role == Role::Field && widget.node > picker && widget.node < end);
        if let Some(inner) = inner {
            let field = widgets.remove(inner);
            if let Some(widget) = widgets.iter_mut().find(|widget| widget.node == picker) {
                widget.value = if field.value.is_empty() { field.label } else { field.value };
            }
        }
    }
    for (id, widget) in widgets.iter_mut().enumerate() {
        widget.id = id;
    }
    widgets
}

/// A scroll container of the same extent as one around it is one list to a person.
fn is_inner_list(index: usize, labeller: &Labeller<'_>) -> bool {
    let (tree, seen) = (labeller.tree, labeller.seen);
    let mut at = tree.nodes[index].parent;
    while let Some(parent) = at {
        if labeller.outline.acts[parent] == Act::Scrolls {
            return seen.rects[parent] == seen.rects[index];
        }
        at = tree.nodes[parent].parent;
    }
    false
}

/// Texts that stand alone, and long focusable texts inside something clickable (they may hold links). A container
/// whose description only repeats what its children show is left out, and so is a child repeating its parent's text.
fn shows_text(index: usize, labeller: &Labeller<'_>) -> bool {
    let (tree, seen, outline) = (labeller.tree, labeller.seen, labeller.outline);
    let node = &tree.nodes[index];
    if !has_text(node) {
        return false;
    }
    let words = own_words(node).text;
    // A web page's own text is its title.
    if words.is_empty() || node.class.ends_with("WebView") {
        return false;
    }
    if outline.owner[index].is_some() {
        return node.focusable && words.chars().count() >= 30 && node.class.ends_with("TextView");
    }
    if node.parent.is_some_and(|parent| seen.is_visible(parent) && own_words(&tree.nodes[parent]).text == words) {
        return false;
    }
    let inner: Vec<String> = (index + 1..seen.ends[index])
        .filter(|&at| seen.is_visible(at) && has_text(&tree.nodes[at]))
        .map(|at| own_words(&tree.nodes[at]).text)
        .filter(|inner| !inner.is_empty())
        .collect();
    inner.is_empty()
        || inner.iter().map(|inner| inner.chars().count()).sum::<usize>() * 10 < words.chars().count() * 8
        || !inner.iter().all(|inner| words.contains(inner.as_str()))
}

fn widget(id: usize, index: usize, bounds: Rect, paths: &mut PathHashes<'_>, labeller: &Labeller<'_>) -> Widget {
    let (tree, seen, outline) = (labeller.tree, labeller.seen, labeller.outline);
    let node = &tree.nodes[index];
    let act = outline.acts[index];
    let label = labeller.label(index);
    let field = is_field(node);
    let role = match act {
        Act::Uses | Act::Ground => role_of(index, tree, seen, &outline.acts, label.parts, label.tab),
        Act::Scrolls => scroll_role(node),
        Act::None if node.text.trim().is_empty() && node.class.contains("Image") => Role::Image,
        Act::None => Role::Text,
    };
    let checked =
        if act == Act::Uses { checkable_of(index, tree, seen).map(|at| tree.nodes[at].checked) } else { None };
    // A wrapper that gave way to this node, or a child that shows the selection, carries its state.
    let selected = node.selected
        || act == Act::Uses
            && (index + 1..seen.ends[index]).any(|at| tree.nodes[at].selected && outline.owner[at] == Some(index));
    let value = if field { labeller.field_value(index) } else { node.text.clone() };
    let stable = is_stable_id(&node.resource_id);
    let touchable = seen.is_touchable(index);
    Widget {
        id,
        node: index,
        role,
        label: label.text,
        shown: None,
        context: String::new(),
        value,
        hint: clean(if shows_hint(node) { &node.text } else { &node.hint }),
        resource_id: if stable { node.resource_id.clone() } else { paths.invented_id(index) },
        id_words: id_words(&node.resource_id),
        class: node.class.clone(),
        package: node.package.clone(),
        state: WidgetState { enabled: node.enabled, checked, selected, focused: node.focused, password: node.password },
        clickable: touchable && node.clickable || act == Act::Uses && node.checkable,
        long_clickable: touchable && node.long_clickable,
        scrollable: touchable && node.scrollable,
        bounds,
        tap: bounds.center(),
        links: Vec::new(),
        selector: Selector::default(),
    }
}

/// True where the text is the hint and the dump says it nowhere else.
pub(super) fn shows_hint(node: &UiNode) -> bool {
    node.hint.is_empty() && (node.showing_hint || is_field(node) && shows_password_hint(node))
}

#[cfg(test)]
#[path = "perceive_tests.rs"]
mod tests;
