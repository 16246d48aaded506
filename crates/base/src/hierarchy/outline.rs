//! Who acts and who speaks for whom: which visible nodes can be used, and to which of them each text belongs.

use super::label::own_words;
use super::role::{is_field, is_list, is_turned};
use super::visibility::{Visibility, has_text};
use super::{UiNode, UiTree};
use crate::domain::Rect;

/// A text of the tree as shown: cleaned, with where it stands.
#[derive(Debug)]
pub(super) struct Outline {
    /// What each node can do.
    pub(super) acts: Vec<Act>,
    /// Nearest actionable ancestor that speaks for this node's text.
    pub(super) owner: Vec<Option<usize>>,
    /// Number of widgets-to-be (not scroll containers) before each node, for counting within a subtree.
    counted: Vec<usize>,
}

/// What a node can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Nothing; it may show something.
    None,
    /// It can be used and speaks for the texts inside.
    Uses,
    /// It can be clicked but is only the ground others stand on; texts inside stand for themselves.
    Ground,
    /// It scrolls and does nothing else a person would name.
    Scrolls,
}

impl Outline {
    pub(super) fn of(tree: &UiTree, seen: &Visibility) -> Self {
        let count = tree.nodes.len();
        let mut acts: Vec<Act> = tree
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| if seen.is_touchable(index) { act(node) } else { Act::None })
            .collect();
        ground(tree, seen, &mut acts);
        merge_wrappers(tree, seen, &mut acts);
        merge_checkables(tree, seen, &mut acts);
        let mut owner: Vec<Option<usize>> = vec![None; count];
        for (index, node) in tree.nodes.iter().enumerate() {
            owner[index] = node.parent.and_then(|parent| match acts[parent] {
                Act::Uses => Some(parent),
                Act::Ground | Act::Scrolls => None,
                Act::None => owner[parent],
            });
        }
        let mut counted = Vec::with_capacity(count + 1);
        counted.push(0);
        for act in &acts {
            counted.push(counted[counted.len() - 1] + usize::from(*act == Act::Uses));
        }
        Self { acts, owner, counted }
    }

    /// How many usable nodes lie in `from..to`.
    pub(super) fn uses_in(&self, from: usize, to: usize) -> usize {
        self.counted[to] - self.counted[from]
    }

    /// True for a node whose own text stands for itself.
    pub(super) fn stands_alone(&self, node: usize) -> bool {
        self.acts[node] == Act::None && self.owner[node].is_none()
    }
}

fn act(node: &UiNode) -> Act {
    if node.clickable || node.long_clickable || node.checkable || is_field(node) || is_turned(node) {
        // A list that is clickable as a whole still is a list.
        if node.scrollable && is_list(node) && !is_turned(node) { Act::Scrolls } else { Act::Uses }
    } else if node.scrollable {
        Act::Scrolls
    } else {
        Act::None
    }
}

/// Large clickable containers with other usable nodes inside (a page that closes the keyboard when touched) are ground, and
/// so are wordless ones that hold only usable nodes (a tool bar that takes touches between its buttons).
fn ground(tree: &UiTree, seen: &Visibility, acts: &mut [Act]) {
    for index in 0..acts.len() {
        let (Act::Uses, Some(rect)) = (acts[index], seen.rects[index]) else { continue };
        let inside = index + 1..seen.ends[index];
        if is_field(&tree.nodes[index]) || inside.is_empty() {
            continue;
        }
        let used = acts[inside.clone()].iter().filter(|act| **act != Act::None).count();
        let texts = inside.filter(|&inner| seen.is_visible(inner) && has_text(&tree.nodes[inner])).count();
        let large = 100 * rect.area() >= 45 * seen.display.area();
        let web = tree.nodes[index].class.ends_with("WebView");
        let bar = used > 2 && !has_text(&tree.nodes[index]) && !tree.nodes[index].checkable && {
            let mut words = false;
            let mut at = index + 1;
            while at < seen.ends[index] && !words {
                let usable = acts[at] == Act::Uses;
                words = !usable && seen.is_visible(at) && has_text(&tree.nodes[at]);
                at = if usable { seen.ends[at] } else { at + 1 };
            }
            !words
        };
        if web || bar || large && used > 0 || 100 * rect.area() >= 60 * seen.display.area() && texts > 6 {
            acts[index] = Act::Ground;
        }
    }
}

/// A clickable wrapper around a single clickable node of (almost) the same extent is the same thing to a person.
fn merge_wrappers(tree: &UiTree, seen: &Visibility, acts: &mut [Act]) {
    for index in (0..acts.len()).rev() {
        let (Act::Uses, Some(rect)) = (acts[index], seen.rects[index]) else { continue };
        let node = &tree.nodes[index];
        if node.checkable || is_field(node) {
            continue;
        }
        let mut used = (index + 1..seen.ends[index]).filter(|&inner| acts[inner] != Act::None);
        let (Some(only), None) = (used.next(), used.next()) else { continue };
        let Some(inner) = seen.rects[only].filter(|_| acts[only] == Act::Uses) else { continue };
        // A wrapper may repeat what it wraps; one that says something else speaks for itself.
        if has_text(node) && own_words(node).text != own_words(&tree.nodes[only]).text {
            continue;
        }
        let other_text = (index + 1..seen.ends[index])
            .any(|at| !(only..seen.ends[only]).contains(&at) && seen.is_visible(at) && has_text(&tree.nodes[at]));
        if !other_text && 10 * overlap(rect, inner) >= 6 * rect.area() && tree.nodes[only].clickable == node.clickable {
            acts[index] = Act::None;
        }
    }
}

/// A check box that cannot be clicked itself belongs to the clickable row around it.
fn merge_checkables(tree: &UiTree, seen: &Visibility, acts: &mut [Act]) {
    for index in 0..acts.len() {
        let node = &tree.nodes[index];
        if acts[index] != Act::Uses || !node.checkable || node.clickable || node.long_clickable {
            continue;
        }
        let mut at = node.parent;
        while let Some(parent) = at {
            match acts[parent] {
                Act::Uses => {
                    let checkables = (parent + 1..seen.ends[parent])
                        .filter(|&i| tree.nodes[i].checkable && seen.is_visible(i))
                        .count();
                    if checkables == 1 {
                        acts[index] = Act::None;
                    }
                    break;
                }
                Act::Ground | Act::Scrolls => break,
                Act::None => at = tree.nodes[parent].parent,
            }
        }
    }
}

fn overlap(a: Rect, b: Rect) -> i64 {
    a.intersection(b).map_or(0, Rect::area)
}
