//! Building selectors for the widgets of a screen, and finding a widget again on a fresh one.

use super::role::holds_rows;
use super::words::is_stable_id;
use super::{Role, Screen, UiTree, Widget};
use crate::domain::{Locator, Rect, Selector};
use std::collections::HashMap;

/// How much a widget must overlap recorded bounds to be taken for the recorded one (intersection over union).
const SAME_PLACE: f64 = 0.5;

/// The class links get: Android's own for a link inside a text.
pub const LINK_CLASS: &str = "android.text.style.URLSpan";

/// CRC-32 of a node's path (see [`UiTree::path`]), one step after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PathHash {
    crc: u32,
    deep: bool,
}

impl PathHash {
    /// The hash of the path with one more step.
    pub(super) fn child(self, class_name: &str, index: usize) -> Self {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        if self.deep {
            hasher.update(b"/");
        }
        hasher.update(class_name.as_bytes());
        let mut digits = [b'0'; 22];
        digits[21] = b']';
        let (mut at, mut rest) = (21, index);
        while rest > 0 || at == 21 {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        digits[at - 1] = b'[';
        hasher.update(&digits[at - 1..]);
        Self { crc: hasher.finalize(), deep: true }
    }

    fn of(tree: &UiTree, node: usize) -> Self {
        let mut steps = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.and_then(|index| tree.nodes.get(index)) {
            steps.push(node);
            at = node.parent;
        }
        steps.iter().rev().fold(Self::default(), |path, node| path.child(node.class_name(), node.index))
    }

    /// A stable resource id for a node without one: `tw:<class>-<CRC-32 of path and static text>`. Digits are no static
    /// text. (XUAT mocks an empty resource-id so that a widget can be named.)
    pub(super) fn invent_id(self, class_name: &str, text: &str, description: &str) -> String {
        let fixed: String = text.chars().chain(description.chars()).filter(|c| !c.is_numeric()).take(80).collect();
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(b"\n");
        hasher.update(fixed.as_bytes());
        let class = if class_name.is_empty() { "node".to_owned() } else { class_name.to_lowercase() };
        format!("tw:{class}-{:08x}", hasher.finalize())
    }
}

/// See [`PathHash::invent_id`].
pub(super) fn invented_id(tree: &UiTree, node: usize) -> String {
    let this = &tree.nodes[node];
    PathHash::of(tree, node).invent_id(this.class_name(), &this.text, &this.content_desc)
}

/// Gives every widget its selector.
///
/// `nth` counts for a whole chain, so a chain holds either only locators that are unique on this screen, or, where
/// no name is unique, those for which the widget is the same `nth` of the equal ones.
pub(super) fn add_selectors(widgets: &mut [Widget], tree: &UiTree) {
    let mut seen: HashMap<(String, Locator), usize> = HashMap::new();
    // Per widget: each name with its position among the equal ones.
    let named: Vec<Vec<(Locator, usize)>> = widgets
        .iter()
        .map(|widget| {
            names(widget, tree)
                .into_iter()
                .map(|locator| {
                    let count = seen.entry((widget.class.clone(), locator.clone())).or_default();
                    *count += 1;
                    (locator, *count - 1)
                })
                .collect()
        })
        .collect();
    for (widget, names) in widgets.iter_mut().zip(named) {
        let unique =
            |locator: &Locator| seen.get(&(widget.class.clone(), locator.clone())).is_none_or(|count| *count == 1);
        let mut chain: Vec<Locator> = names.iter().map(|(locator, _)| locator.clone()).filter(|l| unique(l)).collect();
        let mut nth = 0;
        if chain.is_empty()
            && let Some((_, position)) = names.first()
        {
            nth = *position;
            chain = names.iter().filter(|(_, at)| at == position).map(|(locator, _)| locator.clone()).collect();
        }
        chain.push(Locator::Path(tree.path(widget.node)));
        chain.push(Locator::Bounds(widget.bounds));
        widget.selector = Selector { class: widget.class.clone(), nth, chain };
    }
}

/// The names of a widget, most stable first. What a field holds is no name of it.
fn names(widget: &Widget, tree: &UiTree) -> Vec<Locator> {
    let node = &tree.nodes[widget.node];
    let mut names = Vec::new();
    if is_stable_id(&node.resource_id) {
        names.push(Locator::ResourceId(node.resource_id.clone()));
    }
    if !node.content_desc.is_empty() {
        names.push(Locator::ContentDesc(node.content_desc.clone()));
    }
    if !node.text.is_empty() && widget.role != Role::Field {
        names.push(Locator::Text(node.text.clone()));
    }
    if !widget.label.is_empty()
        && widget.label != node.text
        && widget.label != node.content_desc
        && widget.label != widget.value
    {
        names.push(Locator::Label(widget.label.clone()));
    }
    names
}

impl Screen {
    /// Finds a recorded widget on this screen: each locator alone, in order; the class must match; the first that
    /// matches exactly one widget, or has an `nth` of several, wins. Gives the widget and which locator found it
    /// (anything but 0 is a warning that the app changed).
    pub fn resolve(&self, selector: &Selector) -> Option<(&Widget, usize)> {
        let candidates: Vec<&Widget> = self.widgets.iter().filter(|widget| widget.class == selector.class).collect();
        selector.chain.iter().enumerate().find_map(|(position, locator)| {
            if let Locator::Bounds(bounds) = locator {
                let best = candidates.iter().map(|widget| (overlap(widget.bounds, *bounds), *widget));
                let best = best.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(overlap, _)| *overlap >= SAME_PLACE);
                return best.map(|(_, widget)| (widget, position));
            }
            let matches: Vec<&Widget> =
                candidates.iter().copied().filter(|widget| self.is_at(widget, locator)).collect();
            match matches.as_slice() {
                [] => None,
                [only] => Some((*only, position)),
                several => several.get(selector.nth).map(|widget| (*widget, position)),
            }
        })
    }

    /// True for a widget in a list, whose rows come and go: another may stand where one was, under the same id.
    pub fn is_in_list(&self, widget: &Widget) -> bool {
        let parent = |index: usize| self.tree.nodes.get(index).and_then(|node| node.parent);
        let above = std::iter::successors(parent(widget.node), |index| parent(*index));
        above.filter_map(|index| self.tree.nodes.get(index)).any(holds_rows)
    }

    /// Every widget of a class that a locator names, top to bottom; none for bounds, which only one widget can have.
    pub fn matching(&self, class: &str, locator: &Locator) -> Vec<&Widget> {
        self.widgets.iter().filter(|widget| widget.class == class && self.is_at(widget, locator)).collect()
    }

    fn is_at(&self, widget: &Widget, locator: &Locator) -> bool {
        let Some(node) = self.tree.nodes.get(widget.node) else { return false };
        match locator {
            Locator::ResourceId(id) => node.resource_id == *id,
            Locator::ContentDesc(text) => node.content_desc == *text,
            Locator::Text(text) => node.text == *text,
            Locator::Label(label) => widget.shown_label() == label,
            Locator::Path(path) => self.tree.path(widget.node) == *path,
            Locator::Bounds(_) => false,
        }
    }
}

/// Intersection over union of two rectangles, 0 to 1.
fn overlap(a: Rect, b: Rect) -> f64 {
    let both = a.intersection(b).map_or(0, Rect::area);
    let union = a.area() + b.area() - both;
    if union > 0 { both as f64 / union as f64 } else { 0.0 }
}
