//! What lies on what: nodes that take the touches, and the sight, of what is painted below them.
//!
//! Decided by window, class and order, as far as the order is known: a dump's document order is the order of painting
//! only by habit, `drawing-order` says it where it is set (from 1; 0 means that nobody set it).

use super::drawer::Drawer;
use super::role::holds_rows;
use super::visibility::has_text;
use super::{UiNode, UiTree};
use crate::domain::Rect;
use std::cell::RefCell;
use std::ops::Range;

/// Only the largest covering nodes are considered, so that a hostile tree costs bounded time.
const MAX_COVERS: usize = 512;
/// Share of the display, in percent, from which a node is a layer over the page rather than a thing on it.
const LAYER_PERCENT: i64 = 60;
/// Share of the display, in percent, that a sheet or dialog over a scrim takes at least.
const PANEL_PERCENT: i64 = 8;
/// Share of the display, in percent, from which a group without a ground of its own hides the words between its own.
const SHEET_PERCENT: i64 = 25;
/// How far a strip stands clear of both ends of the display at least, in percent of its height.
const STRIP_MARGIN_PERCENT: i32 = 5;
/// Share of the smaller of two texts, in percent, from which the upper one on a strip hides the lower one.
const LOST_PERCENT: i64 = 25;

/// Painting order and visible rectangles, as far as known before covers are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painting<'t> {
    pub(super) tree: &'t UiTree,
    pub(super) ends: &'t [usize],
    pub(super) rects: &'t [Option<Rect>],
    pub(super) painted: &'t [usize],
    pub(super) painted_end: &'t [usize],
    pub(super) drawers: &'t [Drawer],
    pub(super) display: Rect,
}

/// What lies under something else.
#[derive(Debug, Default)]
pub(super) struct Covered {
    /// Nodes of which nothing is seen.
    pub(super) out_of_sight: Vec<usize>,
    /// Nodes with words that are seen through what takes their touches.
    pub(super) untouchable: Vec<usize>,
}

/// Fewest controls of a bar.
const MIN_CONTROLS: u32 = 3;
/// Most words of a group that are looked at one by one; one with more is a page.
const MAX_WORDS: usize = 64;
/// Most steps up a tree in search of `drawing-order`; a hostile tree's order counts as unknown from there on.
const MAX_CLIMBED: usize = 4_000_000;

/// What a covering node hides.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hides {
    /// Everything under it.
    All,
    /// What can be touched, and texts stay that are nothing else: a picture that takes touches.
    Controls,
    /// Touches; words stay, for nothing is painted over them.
    Touches,
    /// What can be touched, and the words of which its own take at least this share in percent: a group that may have no
    /// ground.
    WordsAt(Vec<Rect>, i64),
    /// What can be touched, where the order is known.
    TouchesInKnownOrder,
}

/// How much of a node a cover leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    Nothing,
    Words,
    All,
}

#[derive(Debug, Clone)]
struct Cover {
    node: usize,
    rect: Rect,
    hides: Hides,
    /// Nodes of a bar under it that is seen all the same.
    bar: Option<Range<usize>>,
}

impl Painting<'_> {
    /// The nodes that lie completely under another one: their touches go there.
    ///
    /// Within a web page nothing hides anything: its nodes come as the document has them, and style sheets decide what is
    /// painted over what.
    pub(super) fn covered(&self) -> Covered {
        let covers = self.covers();
        let (stacks, pages, levels) = (stacks(self.tree), pages(self.tree), levels(self.tree));
        let climbed = RefCell::new(0);
        let mut covered = Covered::default();
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let Some(rect) = self.rects[index] else { continue };
            let touchable = is_touchable(node);
            if !touchable && !has_text(node) {
                continue;
            }
            let lies_on = |cover: &Cover| {
                cover.rect.encloses(rect)
                    && self.paints_over(cover.node, index)
                    && stacks[cover.node] == stacks[index]
                    && (pages[index].is_none() || pages[cover.node] != pages[index])
                    && (self.takes_touches(cover.node) || levels[cover.node] != levels[index])
                    && !self.is_row_beside(cover.node, index)
                    && !cover.bar.as_ref().is_some_and(|bar| bar.contains(&index))
            };
            let left = |cover: &Cover| match &cover.hides {
                Hides::All => Left::Nothing,
                Hides::Touches if touchable && cover.rect != rect && has_text(node) => Left::Words,
                Hides::Controls | Hides::Touches if touchable && cover.rect != rect => Left::Nothing,
                Hides::WordsAt(words, least) if touchable || words.iter().any(|own| takes(*own, rect, *least)) => {
                    Left::Nothing
                }
                Hides::TouchesInKnownOrder
                    if touchable && self.is_order_known(cover.node, index, &mut climbed.borrow_mut()) =>
                {
                    Left::Nothing
                }
                _ => Left::All,
            };
            let large_enough = covers.iter().take_while(|cover| cover.rect.area() >= rect.area());
            let mut least = Left::All;
            for cover in large_enough.filter(|cover| lies_on(cover)) {
                least = least.min(left(cover));
                if least == Left::Nothing {
                    break;
                }
            }
            match least {
                Left::Nothing => covered.out_of_sight.push(index),
                Left::Words => covered.untouchable.push(index),
                Left::All => {}
            }
        }
        covered
    }

    /// True for a node that can be clicked, and for a drawer, whose layout takes all touches beside it.
    fn takes_touches(&self, node: usize) -> bool {
        self.tree.nodes[node].clickable || self.drawers.iter().any(|drawer| drawer.node == node)
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
        candidates.extend(self.drawers.iter().map(|drawer| (drawer.node, drawer.layout)));
        candidates.sort_by_key(|(_, rect)| -rect.area());
        candidates.truncate(MAX_COVERS);
        candidates
            .into_iter()
            .filter_map(|(node, rect)| {
                Some(Cover { node, rect, hides: self.hides(node, rect)?, bar: self.bar_below(node, rect) })
            })
            .collect()
    }

    fn hides(&self, index: usize, rect: Rect) -> Option<Hides> {
        let nodes = &self.tree.nodes;
        let node = &nodes[index];
        if self.drawers.iter().any(|drawer| drawer.node == index) {
            return Some(Hides::All);
        }
        let leaf = self.ends[index] == index + 1;
        let words = nodes[index..self.ends[index]].iter().any(has_text);
        // A surface: it takes touches and shows a picture, a video or nothing; its description says what it is for.
        let surface = leaf && node.text.trim().is_empty() && is_bare(node);
        if words && !surface {
            let least = if 100 * rect.area() < SHEET_PERCENT * self.display.area() {
                Some(0)
            } else {
                self.is_strip(rect).then_some(LOST_PERCENT)
            };
            let own = least.filter(|_| is_bare(node)).and_then(|least| Some((self.words_of(index)?, least)));
            return Some(own.map_or(Hides::All, |(words, least)| Hides::WordsAt(words, least)));
        }
        if self.is_layer(rect) {
            // A scrim darkens what is below for a panel beside it; a layer with nothing of the kind is there for gestures.
            return if self.has_panel_over(index, rect) {
                Some(Hides::All)
            } else {
                words.then_some(Hides::TouchesInKnownOrder)
            };
        }
        let picture = nodes[index..self.ends[index]].iter().any(|node| node.class.contains("Image"));
        Some(match (words, picture) {
            (true, _) => Hides::TouchesInKnownOrder,
            (false, true) => Hides::Controls,
            (false, false) => Hides::Touches,
        })
    }

    /// The bar of controls at the bottom that is all a page reaches under: the page scrolls below it.
    fn bar_below(&self, page: usize, rect: Rect) -> Option<Range<usize>> {
        let nodes = &self.tree.nodes;
        let under = |index: &usize| {
            let node = &nodes[*index];
            // The cheapest first: this is asked of every node for every cover.
            self.rects[*index].is_some_and(|own| rect.encloses(own))
                && self.paints_over(page, *index)
                && (is_touchable(node) || has_text(node))
        };
        let first = (0..page).find(under)?;
        let branch = self.branch_beside(first, page);
        let part = branch..self.ends[branch];
        let scrolls = |at: &usize| nodes[*at].scrollable && self.rects[*at].is_some_and(|list| self.is_high(list));
        let own = self.branch_beside(page, first);
        if part.contains(&page) || !(own..self.ends[page]).any(|at| scrolls(&at)) {
            return None;
        }
        let mut extent: Option<Rect> = None;
        let mut controls = 0;
        for index in part.clone() {
            let Some(own) = self.rects[index].filter(|_| is_touchable(&nodes[index]) || has_text(&nodes[index])) else {
                continue;
            };
            controls += u32::from(is_touchable(&nodes[index]));
            extent = Some(extent.map_or(own, |extent| union(extent, own)));
        }
        let extent = extent.filter(|extent| controls >= MIN_CONTROLS && self.is_bottom_bar(*extent))?;
        let alone = rect.height() >= 2 * extent.height() && !(0..page).any(|at| !part.contains(&at) && under(&at));
        alone.then_some(part)
    }

    fn is_high(&self, list: Rect) -> bool {
        2 * list.height() >= self.display.height()
    }

    fn is_bottom_bar(&self, extent: Rect) -> bool {
        let (width, height) = (self.display.width(), self.display.height());
        10 * extent.width() >= 8 * width
            && 100 * extent.height() <= 15 * height
            && 100 * (self.display.bottom - extent.bottom) <= 5 * height
    }

    /// The ancestor of `of`, or itself, that stands beside one of `other`.
    fn branch_beside(&self, of: usize, other: usize) -> usize {
        let apart = |parent: &usize| other < *parent || other >= self.ends[*parent];
        let mut at = of;
        while let Some(parent) = self.tree.nodes[at].parent.filter(apart) {
            at = parent;
        }
        at
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
        let extent = over.filter_map(|index| self.rects[index]?.intersection(rect)).reduce(union);
        extent.is_some_and(|extent| 100 * extent.area() >= PANEL_PERCENT * self.display.area())
    }

    /// True for a strip from side to side that stands clear of both ends of the display: a part of a page, while a sheet
    /// reaches down to the end.
    fn is_strip(&self, rect: Rect) -> bool {
        let margin = self.display.height() * STRIP_MARGIN_PERCENT / 100;
        let clear = rect.top - self.display.top >= margin && self.display.bottom - rect.bottom >= margin;
        clear && !self.is_layer(rect) && 10 * rect.width() >= 9 * self.display.width()
    }

    /// Where the texts and controls of a group stand; `None` for more than a group has.
    fn words_of(&self, group: usize) -> Option<Vec<Rect>> {
        let inside = (group..self.ends[group]).filter(|&index| {
            let node = &self.tree.nodes[index];
            // Of a bare view that is described nobody knows how much of its place it paints.
            let described = is_bare(node) && has_text(node);
            !node.text.trim().is_empty() || index > group && !described && (node.clickable || has_text(node))
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

fn is_touchable(node: &UiNode) -> bool {
    node.clickable || node.long_clickable || node.checkable
}

/// True where two texts share at least this part of the smaller one, in percent; 0 is any part.
fn takes(over: Rect, text: Rect, percent: i64) -> bool {
    let shared = text.intersection(over).map_or(0, Rect::area);
    shared > 0 && 100 * shared >= percent * text.area().min(over.area())
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
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
