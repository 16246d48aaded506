//! What lies on what: nodes that take the touches, and the sight, of what is painted below them.
//!
//! Decided by window, class and order, as far as the order is known: a dump's document order is the order of painting
//! only by habit, `drawing-order` says it where it is set (from 1; 0 means that nobody set it).

use super::role::holds_rows;
use super::visibility::has_text;
use super::{UiNode, UiTree};
use crate::domain::Rect;
use std::cell::RefCell;

/// Only the largest covering nodes are considered, so that a hostile tree costs bounded time.
const MAX_COVERS: usize = 512;
/// Share of the display, in percent, from which a node is a layer over the page rather than a thing on it.
const LAYER_PERCENT: i64 = 60;
/// Share of the display, in percent, that a sheet or dialog over a scrim takes at least.
const PANEL_PERCENT: i64 = 8;
/// Share of the display, in percent, from which a group without a ground of its own hides the words between its own.
const SHEET_PERCENT: i64 = 25;

/// Painting order and visible rectangles, as far as known before covers are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painting<'t> {
    pub(super) tree: &'t UiTree,
    pub(super) ends: &'t [usize],
    pub(super) rects: &'t [Option<Rect>],
    pub(super) painted: &'t [usize],
    pub(super) painted_end: &'t [usize],
    pub(super) display: Rect,
}

/// Most words of a group that are looked at one by one; one with more is a page.
const MAX_WORDS: usize = 64;
/// Most steps up a tree in search of `drawing-order`; a hostile tree's order counts as unknown from there on.
const MAX_CLIMBED: usize = 4_000_000;

/// What a covering node hides.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hides {
    /// Everything under it.
    All,
    /// What can be touched; words stay, for nothing is painted over them.
    Touches,
    /// What can be touched, and the words where its own stand: a group that may have no ground.
    WordsAt(Vec<Rect>),
    /// What can be touched, where the order is known.
    TouchesInKnownOrder,
}

#[derive(Debug, Clone)]
struct Cover {
    node: usize,
    rect: Rect,
    hides: Hides,
}

impl Painting<'_> {
    /// The nodes that lie completely under another one: their touches go there.
    ///
    /// Within a web page nothing hides anything: its nodes come as the document has them, and style sheets decide what is
    /// painted over what.
    pub(super) fn covered(&self) -> Vec<usize> {
        let covers = self.covers();
        let (stacks, pages, levels) = (stacks(self.tree), pages(self.tree), levels(self.tree));
        let climbed = RefCell::new(0);
        let mut hidden = Vec::new();
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let Some(rect) = self.rects[index] else { continue };
            let touchable = node.clickable || node.long_clickable || node.checkable;
            if !touchable && !has_text(node) {
                continue;
            }
            let lies_on = |cover: &Cover| {
                cover.rect.encloses(rect)
                    && self.paints_over(cover.node, index)
                    && stacks[cover.node] == stacks[index]
                    && (pages[index].is_none() || pages[cover.node] != pages[index])
                    && (self.tree.nodes[cover.node].clickable || levels[cover.node] != levels[index])
                    && !self.is_row_beside(cover.node, index)
            };
            let hides = |cover: &Cover| match &cover.hides {
                Hides::All => true,
                Hides::Touches => touchable && cover.rect != rect,
                Hides::WordsAt(words) => touchable || words.iter().any(|own| own.intersection(rect).is_some()),
                Hides::TouchesInKnownOrder => {
                    touchable && self.is_order_known(cover.node, index, &mut climbed.borrow_mut())
                }
            };
            let large_enough = covers.iter().take_while(|cover| cover.rect.area() >= rect.area());
            if large_enough.into_iter().any(|cover| lies_on(cover) && hides(cover)) {
                hidden.push(index);
            }
        }
        hidden
    }

    fn covers(&self) -> Vec<Cover> {
        let window_roots = |index: usize| {
            let windows = &self.tree.windows;
            windows.len() > 1
                && self.tree.nodes[index].parent.is_none()
                && self.rects[index].is_some_and(|rect| !self.is_layer(rect))
        };
        let mut candidates: Vec<(usize, Rect)> = (0..self.tree.nodes.len())
            .filter(|&index| self.tree.nodes[index].clickable || window_roots(index))
            .filter_map(|index| Some((index, self.rects[index]?)))
            .collect();
        candidates.sort_by_key(|(_, rect)| -rect.area());
        candidates.truncate(MAX_COVERS);
        candidates
            .into_iter()
            .filter_map(|(node, rect)| Some(Cover { node, rect, hides: self.hides(node, rect)? }))
            .collect()
    }

    fn hides(&self, index: usize, rect: Rect) -> Option<Hides> {
        let nodes = &self.tree.nodes;
        let node = &nodes[index];
        let leaf = self.ends[index] == index + 1;
        let words = nodes[index..self.ends[index]].iter().any(has_text);
        // A surface: it takes touches and shows a picture, a video or nothing; its description says what it is for.
        let surface = leaf && node.text.trim().is_empty() && is_bare(node);
        if words && !surface {
            let small = 100 * rect.area() < SHEET_PERCENT * self.display.area();
            let own = if small && is_bare(node) { self.words_of(index) } else { None };
            return Some(own.map_or(Hides::All, Hides::WordsAt));
        }
        if self.is_layer(rect) {
            // A scrim darkens what is below for a panel beside it; a layer with nothing of the kind is there for gestures.
            return if self.has_panel_over(index, rect) {
                Some(Hides::All)
            } else {
                words.then_some(Hides::TouchesInKnownOrder)
            };
        }
        Some(if words { Hides::TouchesInKnownOrder } else { Hides::Touches })
    }

    fn is_layer(&self, rect: Rect) -> bool {
        100 * rect.area() >= LAYER_PERCENT * self.display.area()
    }

    /// True for a row of the list that holds `below` as well: rows stand beside each other, whatever their bounds say.
    fn is_row_beside(&self, row: usize, below: usize) -> bool {
        let list = self.tree.nodes[row].parent;
        list.is_some_and(|list| holds_rows(&self.tree.nodes[list]) && list < below && below < self.ends[list])
    }

    /// True if something sizeable, with words or to be touched, is painted over a layer beside it in the tree.
    fn has_panel_over(&self, layer: usize, rect: Rect) -> bool {
        let parent = |node: usize| self.tree.nodes[node].parent.unwrap_or(node);
        let around = parent(parent(layer));
        let over = (around..self.ends[around]).filter(|&index| {
            let node = &self.tree.nodes[index];
            self.paints_over(index, layer) && (has_text(node) || node.clickable)
        });
        let extent = over.filter_map(|index| self.rects[index]?.intersection(rect)).reduce(|a, b| {
            Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
        });
        extent.is_some_and(|extent| 100 * extent.area() >= PANEL_PERCENT * self.display.area())
    }

    /// Where the texts and controls of a group stand; `None` for more than a group has.
    fn words_of(&self, group: usize) -> Option<Vec<Rect>> {
        let inside = (group..self.ends[group]).filter(|&index| {
            let node = &self.tree.nodes[index];
            !node.text.trim().is_empty() || index > group && (node.clickable || has_text(node))
        });
        let words: Vec<Rect> = inside.filter_map(|index| self.rects[index]).take(MAX_WORDS + 1).collect();
        (words.len() <= MAX_WORDS).then_some(words)
    }

    fn paints_over(&self, above: usize, below: usize) -> bool {
        self.painted[above] >= self.painted_end[below]
    }

    /// True if `drawing-order` tells which of two nodes is above: the branches in which they stand, below their nearest
    /// common ancestor, both have one.
    fn is_order_known(&self, one: usize, other: usize, climbed: &mut usize) -> bool {
        let mut branch = |of: usize, other: usize| {
            let nodes = &self.tree.nodes;
            let apart = |parent: &usize| other < *parent || other >= self.ends[*parent];
            let mut at = of;
            while let Some(parent) = nodes[at].parent.filter(apart).filter(|_| *climbed < MAX_CLIMBED) {
                at = parent;
                *climbed += 1;
            }
            nodes[at].drawing_order.filter(|order| *order > 0 && *climbed < MAX_CLIMBED)
        };
        let branches = (branch(one, other), branch(other, one));
        matches!(branches, (Some(one), Some(other)) if one != other)
    }
}

/// A view without a look of its own: plain views and the nodes of drawn interfaces, surfaces for video and graphics.
fn is_bare(node: &UiNode) -> bool {
    let class = node.class_name();
    matches!(class, "View" | "ViewGroup" | "FrameLayout")
        || ["SurfaceView", "TextureView", "VideoView", "PlayerView"].iter().any(|end| class.ends_with(end))
}

/// Roots of an ordinary dump come in no particular order, so there only nodes under one root can tell which covers
/// which; the windows of a `--windows` dump are stacked and count as one.
fn stacks(tree: &UiTree) -> Vec<usize> {
    let mut stack = 0;
    let mut stacks = Vec::with_capacity(tree.nodes.len());
    for (index, node) in tree.nodes.iter().enumerate() {
        if node.parent.is_none() && tree.windows.is_empty() {
            stack = index;
        }
        stacks.push(stack);
    }
    stacks
}

/// The window each node stands in, counted from the lowest; 0 for all where the dump has no windows.
fn levels(tree: &UiTree) -> Vec<usize> {
    let mut levels = vec![0; tree.nodes.len()];
    for (level, window) in tree.windows.iter().enumerate() {
        levels[window.nodes.clone()].fill(level);
    }
    levels
}

/// The outermost web view around each node.
fn pages(tree: &UiTree) -> Vec<Option<usize>> {
    let mut pages: Vec<Option<usize>> = Vec::with_capacity(tree.nodes.len());
    for (index, node) in tree.nodes.iter().enumerate() {
        let around = node.parent.and_then(|parent| pages[parent]);
        pages.push(around.or_else(|| node.class.ends_with("WebView").then_some(index)));
    }
    pages
}

#[cfg(test)]
#[path = "cover_tests.rs"]
mod tests;
