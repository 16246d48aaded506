//! Builds the tree from opened and closed elements, within limits.

use super::diagnostics::{Notes, excerpt};
use super::parse::Sink;
use super::tag::{Attributes, text};
use super::{UiNode, UiTree, UiWindow};
use std::borrow::Cow;

/// Deepest nesting kept; the deepest real dump seen has about 60.
pub(super) const MAX_DEPTH: usize = 200;
/// Most nodes kept; the largest real dump seen has 1 182.
pub(super) const MAX_NODES: usize = 20_000;

/// What an open element is.
#[derive(Debug)]
enum Kind {
    Node(usize),
    Hierarchy,
    Display {
        first: bool,
    },
    Window(usize),
    /// An element of no interest whose children count nevertheless.
    Wrapper,
}

#[derive(Debug)]
struct Open {
    name: Cow<'static, str>,
    kind: Kind,
    children: usize,
}

pub(super) struct TreeBuilder {
    pub(super) notes: Notes,
    rotation: Option<u8>,
    nodes: Vec<UiNode>,
    windows: Vec<UiWindow>,
    /// Root nodes in document order with the window each belongs to.
    roots: Vec<(usize, Option<usize>)>,
    open: Vec<Open>,
    /// Open elements inside one that is left out (too deep, or of another display).
    skipping: usize,
    displays: usize,
    deepest_noted: bool,
    duplicates: usize,
    boundless: usize,
    strays: usize,
    hierarchy_closed: bool,
    full: bool,
}

impl TreeBuilder {
    pub(super) fn new(notes: Notes) -> Self {
        Self {
            notes,
            rotation: None,
            nodes: Vec::new(),
            windows: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
            skipping: 0,
            displays: 0,
            deepest_noted: false,
            duplicates: 0,
            boundless: 0,
            strays: 0,
            hierarchy_closed: false,
            full: false,
        }
    }
}

impl Sink for TreeBuilder {
    fn is_full(&self) -> bool {
        self.full
    }

    fn note(&mut self, at: usize, message: String) {
        self.notes.push(Some(at), message);
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>, empty: bool, at: usize) {
        if self.full {
            return;
        }
        if self.skipping > 0 {
            self.skipping += usize::from(!empty);
            return;
        }
        if self.open.len() >= MAX_DEPTH + 8 {
            self.skip(empty, at);
            return;
        }
        if attributes.duplicated {
            self.duplicates += 1;
        }
        let name: Cow<'static, str> = match name {
            "node" => Cow::Borrowed("node"),
            other => Cow::Owned(other.chars().take(200).collect()),
        };
        let kind = match &*name {
            "hierarchy" => {
                if self.hierarchy_closed && self.windows.is_empty() && !self.nodes.is_empty() {
                    self.notes.push(Some(at), "a second hierarchy follows; only the first was read");
                    self.full = true;
                    return;
                }
                self.take_rotation(&attributes);
                Kind::Hierarchy
            }
            "displays" => Kind::Wrapper,
            "display" if !attributes.has_bounds() => {
                self.displays += 1;
                Kind::Display { first: self.displays == 1 }
            }
            "window" if attributes.class.is_none() => {
                self.windows.push(UiWindow {
                    kind: text(attributes.kind),
                    title: text(attributes.title),
                    layer: attributes.layer.and_then(|layer| layer.trim().parse().ok()).unwrap_or(0),
                    active: attributes.active == Some(true),
                    nodes: 0..0,
                });
                Kind::Window(self.windows.len() - 1)
            }
            other => {
                let node_like =
                    other == "node" || other.contains('.') || attributes.class.is_some() || attributes.has_bounds();
                if !node_like {
                    Kind::Wrapper
                } else if let Some(index) = self.add(&name, &attributes, at) {
                    Kind::Node(index)
                } else {
                    self.skipping += usize::from(!empty);
                    return;
                }
            }
        };
        if let Kind::Display { first: false } = kind {
            self.notes.push(Some(at), "a second display was left out");
            self.skipping += usize::from(!empty);
            return;
        }
        if !empty {
            self.open.push(Open { name, kind, children: 0 });
        } else if matches!(kind, Kind::Hierarchy) {
            self.hierarchy_closed = true;
        }
    }

    fn close(&mut self, name: &str, at: usize) {
        if self.skipping > 0 {
            self.skipping -= 1;
            return;
        }
        match self.open.iter().rposition(|open| open.name == name) {
            Some(position) => {
                let unclosed = self.open.len() - position - 1;
                if unclosed > 0 {
                    self.notes
                        .push(Some(at), format!("</{}> closes {unclosed} open elements inside it", excerpt(name, 40)));
                }
                self.open.truncate(position);
                if name == "hierarchy" {
                    self.hierarchy_closed = true;
                }
            }
            None => self.notes.push(Some(at), format!("</{}> closes nothing and was ignored", excerpt(name, 40))),
        }
    }

    /// Text between tags: nothing in a dump, noise around it.
    fn stray_text(&mut self, text: &str, at: usize) {
        self.strays += 1;
        if self.strays > 3 {
            return;
        }
        let place = if self.open.is_empty() && !self.nodes.is_empty() { "after" } else { "inside" };
        self.notes.push(Some(at), format!("text {place} the hierarchy was left out: {:?}", excerpt(text, 80)));
    }

    fn end_of_input(&mut self, at: usize) {
        let open = self.open.len() + self.skipping;
        if open > 0 {
            let nodes = self.nodes.len();
            self.notes.push(
                Some(at),
                format!("the dump is cut off inside {open} open elements; the {nodes} nodes before that were kept"),
            );
        }
    }
}

impl TreeBuilder {
    fn take_rotation(&mut self, attributes: &Attributes<'_>) {
        let rotation = attributes.rotation.and_then(|r| r.trim().parse::<u8>().ok()).filter(|r| *r < 4);
        self.rotation = self.rotation.or(rotation);
    }

    fn skip(&mut self, empty: bool, at: usize) {
        if !self.deepest_noted {
            self.deepest_noted = true;
            self.notes.push(Some(at), format!("nodes nested deeper than {MAX_DEPTH} were left out"));
        }
        self.skipping += usize::from(!empty);
    }

    fn add(&mut self, name: &str, attributes: &Attributes<'_>, at: usize) -> Option<usize> {
        let parent_at = self.open.iter().rposition(|open| matches!(open.kind, Kind::Node(_)));
        let parent = parent_at.and_then(|position| match self.open[position].kind {
            Kind::Node(index) => Some(index),
            _ => None,
        });
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        if depth >= MAX_DEPTH {
            self.skip(true, at);
            return None;
        }
        if self.nodes.len() >= MAX_NODES {
            self.notes.push(Some(at), format!("more than {MAX_NODES} nodes; the rest was left out"));
            self.full = true;
            return None;
        }
        let position = match parent_at.or_else(|| self.open.len().checked_sub(1)) {
            Some(holder) => {
                self.open[holder].children += 1;
                self.open[holder].children - 1
            }
            None => self.roots.len(),
        };
        let bounds = attributes.bounds();
        if bounds.is_none() {
            self.boundless += 1;
        }
        let index = self.nodes.len();
        if parent.is_none() {
            let window = self.open.iter().rev().find_map(|open| match open.kind {
                Kind::Window(window) => Some(window),
                _ => None,
            });
            self.roots.push((index, window));
        }
        let class = attributes.class.filter(|class| !class.is_empty());
        self.nodes.push(UiNode {
            parent,
            depth,
            index: attributes.index.and_then(|i| i.trim().parse().ok()).unwrap_or(position),
            text: text(attributes.text),
            resource_id: text(attributes.resource_id),
            class: class.map_or_else(
                || if name == "node" { String::new() } else { name.to_owned() },
                |class| text(Some(class)),
            ),
            package: text(attributes.package),
            content_desc: text(attributes.content_desc),
            hint: text(attributes.hint),
            checkable: attributes.checkable == Some(true),
            checked: attributes.checked == Some(true),
            clickable: attributes.clickable == Some(true),
            enabled: attributes.enabled != Some(false),
            focusable: attributes.focusable == Some(true),
            focused: attributes.focused == Some(true),
            scrollable: attributes.scrollable == Some(true),
            long_clickable: attributes.long_clickable == Some(true),
            password: attributes.password == Some(true),
            selected: attributes.selected == Some(true),
            bounds: bounds.unwrap_or_default(),
            drawing_order: attributes.drawing_order.and_then(|order| order.trim().parse().ok()),
            showing_hint: attributes.showing_hint == Some(true),
            heading: attributes.heading == Some(true),
            invisible: attributes.visible_to_user == Some(false) || attributes.displayed == Some(false),
        });
        Some(index)
    }

    pub(super) fn finish(mut self) -> UiTree {
        if self.duplicates > 0 {
            self.notes
                .push(None, format!("{} tags carry an attribute twice; the first value was used", self.duplicates));
        }
        if self.boundless > 0 {
            self.notes.push(None, format!("{} nodes have no readable bounds", self.boundless));
        }
        if self.nodes.is_empty() {
            self.notes.push(None, "the hierarchy holds no nodes");
        }
        let mut tree = UiTree { rotation: self.rotation.unwrap_or(0), nodes: self.nodes, ..UiTree::default() };
        if !self.windows.is_empty() {
            stack_windows(&mut tree, self.windows, &self.roots);
        }
        tree.diagnostics = self.notes.into_vec();
        tree
    }
}

/// Puts the windows' nodes into drawing order, lowest layer first: `--windows` lists the highest first.
fn stack_windows(tree: &mut UiTree, mut windows: Vec<UiWindow>, roots: &[(usize, Option<usize>)]) {
    let ends = tree.subtree_ends();
    let mut order: Vec<usize> = (0..windows.len()).rev().collect();
    order.sort_by_key(|&window| windows[window].layer);
    let mut nodes: Vec<UiNode> = Vec::with_capacity(tree.nodes.len());
    let mut place = |wanted: Option<usize>| {
        let from = nodes.len();
        for &(root, _) in roots.iter().filter(|(_, window)| *window == wanted) {
            let offset = nodes.len();
            nodes.extend(tree.nodes[root..ends[root]].iter().cloned().map(|mut node| {
                node.parent = node.parent.map(|parent| parent - root + offset);
                node
            }));
        }
        from..nodes.len()
    };
    place(None);
    for &window in &order {
        windows[window].nodes = place(Some(window));
    }
    tree.nodes = nodes;
    tree.windows = order.into_iter().map(|window| std::mem::take(&mut windows[window])).collect();
}
