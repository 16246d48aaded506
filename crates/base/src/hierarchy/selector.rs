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

/// The hashes of the paths in one tree, each made when it is asked for and remembered.
pub(super) struct PathHashes<'t> {
    tree: &'t UiTree,
    known: Vec<Option<PathHash>>,
}

impl<'t> PathHashes<'t> {
    pub(super) fn of(tree: &'t UiTree) -> Self {
        Self { tree, known: vec![None; tree.nodes.len()] }
    }

    fn hash(&mut self, node: usize) -> PathHash {
        let mut above = Vec::new();
        let mut at = Some(node);
        let mut path = PathHash::default();
        while let Some(index) = at {
            if let Some(known) = self.known[index] {
                path = known;
                break;
            }
            above.push(index);
            at = self.tree.nodes[index].parent;
        }
        for index in above.into_iter().rev() {
            let node = &self.tree.nodes[index];
            path = path.child(node.class_name(), node.index);
            self.known[index] = Some(path);
        }
        path
    }

    /// See [`PathHash::invent_id`].
    pub(super) fn invented_id(&mut self, node: usize) -> String {
        let this = &self.tree.nodes[node];
        self.hash(node).invent_id(this.class_name(), &this.text, &this.content_desc)
    }
}

/// Gives every widget its selector.
///
/// `nth` counts for a whole chain, so a chain holds either only locators that are unique on this screen, or, where
/// no name is unique, those for which the widget is the same `nth` of the equal ones.
pub(super) fn add_selectors(widgets: &mut [Widget], tree: &UiTree) {
    let names: Vec<Vec<Locator>> = widgets.iter().map(|widget| names(widget, tree)).collect();
    let placed = places(widgets, &names);
    let paths = tree.paths(widgets.iter().map(|widget| widget.node));
    for (((widget, names), placed), path) in widgets.iter_mut().zip(names).zip(placed).zip(paths) {
        let is_unique = placed.iter().any(|place| place.of == 1);
        let nth = if is_unique { 0 } else { placed.first().map_or(0, |place| place.nth) };
        let fits = |place: &Place| if is_unique { place.of == 1 } else { place.nth == nth };
        let mut chain: Vec<Locator> =
            names.into_iter().zip(&placed).filter(|(_, place)| fits(place)).map(|(locator, _)| locator).collect();
        chain.push(Locator::Path(path));
        chain.push(Locator::Bounds(widget.bounds));
        widget.selector = Selector { class: widget.class.clone(), nth, chain };
    }
}

/// Where a name stands among the equal ones of widgets of its class.
#[derive(Debug, Clone, Copy)]
struct Place {
    nth: usize,
    /// How many there are.
    of: usize,
}

/// The place of each name of each widget.
fn places(widgets: &[Widget], names: &[Vec<Locator>]) -> Vec<Vec<Place>> {
    let mut counts: HashMap<(&str, &Locator), usize> = HashMap::new();
    let keys = |at: usize| names[at].iter().map(move |locator| (widgets[at].class.as_str(), locator));
    let mut placed: Vec<Vec<Place>> = Vec::with_capacity(widgets.len());
    for at in 0..widgets.len() {
        let place = |key| {
            let count = counts.entry(key).or_default();
            *count += 1;
            Place { nth: *count - 1, of: 0 }
        };
        placed.push(keys(at).map(place).collect());
    }
    for (at, places) in placed.iter_mut().enumerate() {
        for (place, key) in places.iter_mut().zip(keys(at)) {
            place.of = counts[&key];
        }
    }
    placed
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
