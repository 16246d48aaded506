//! Which part of each node a person can see: clipping, repair of inverted bounds, system windows, occlusion.

use super::cover::Painting;
use super::drawer::{Drawer, open_drawers};
use super::page_stack::upper_pages;
use super::{UiNode, UiTree};
use crate::domain::{Rect, Size};
use std::collections::{HashMap, HashSet};

/// Anything thinner than this is a sliver nobody sees or hits.
const SLIVER: i32 = 4;
/// Widest and tallest display believed; keeps areas of a hostile dump's rectangles computable.
const MAX_SIDE: u32 = 32_768;

/// The visible part of every node, and the order in which nodes are painted.
#[derive(Debug)]
pub(super) struct Visibility {
    /// Where each node's subtree ends, in pre-order.
    pub(super) ends: Vec<usize>,
    /// The visible rectangle; `None` when nothing of the node is seen.
    pub(super) rects: Vec<Option<Rect>>,
    /// Position in painting order; a larger one is painted later.
    pub(super) painted: Vec<usize>,
    /// Where the node's subtree ends in painting order.
    pub(super) painted_end: Vec<usize>,
    /// The display in the tree's orientation.
    pub(super) display: Rect,
    /// True when the tree holds nodes of a soft keyboard.
    pub(super) keyboard: bool,
    /// Where nodes with words would be seen if nothing lay on them.
    pub(super) covered: HashMap<usize, Rect>,
    /// Nodes whose words are seen and whose touches go to something transparent over them.
    pub(super) untouchable: HashSet<usize>,
}

impl Visibility {
    pub(super) fn of(tree: &UiTree, display: Size) -> Self {
        let ends = tree.subtree_ends();
        let display = orient(display, tree.extent()).rect();
        let (left_out, keyboard) = system_nodes(tree, display);
        let rects = clip(tree, display, &ends, &left_out);
        let drawers = open_drawers(tree, &rects, &ends);
        let mut last: HashSet<usize> = upper_pages(tree, &rects, &ends, display).into_iter().collect();
        last.extend(drawers.iter().map(|drawer| drawer.node));
        let (painted, painted_end) = painting_order(tree, &ends, &last);
        let (covered, untouchable) = (HashMap::new(), HashSet::new());
        let mut visibility = Self { ends, rects, painted, painted_end, display, keyboard, covered, untouchable };
        visibility.hide_covered(tree, &drawers);
        visibility
    }

    pub(super) fn is_visible(&self, node: usize) -> bool {
        self.rects[node].is_some()
    }

    /// True for a node in sight that gets the touches at its place, if it takes any.
    pub(super) fn is_touchable(&self, node: usize) -> bool {
        self.is_visible(node) && !self.untouchable.contains(&node)
    }

    /// True when `above` is painted over `below` and is no part of it.
    pub(super) fn paints_over(&self, above: usize, below: usize) -> bool {
        self.painted[above] >= self.painted_end[below]
    }

    /// Takes what lies completely under something else out of sight; words are remembered as covered.
    fn hide_covered(&mut self, tree: &UiTree, drawers: &[Drawer]) {
        let Self { ends, rects, painted, painted_end, display, .. } = &*self;
        let covered = Painting { tree, ends, rects, painted, painted_end, drawers, display: *display }.covered();
        for index in covered.out_of_sight {
            let rect = self.rects[index].take().filter(|_| has_text(&tree.nodes[index]));
            self.covered.extend(rect.map(|rect| (index, rect)));
        }
        self.untouchable.extend(covered.untouchable);
    }
}

/// True for a node that shows words.
pub(super) fn has_text(node: &UiNode) -> bool {
    !node.text.trim().is_empty() || !node.content_desc.trim().is_empty()
}

/// The display as the dump is turned: a dump in landscape of a device measured in portrait, or one without a device.
fn orient(display: Size, extent: Size) -> Size {
    let bounded = |size: Size| Size::new(size.width.min(MAX_SIDE), size.height.min(MAX_SIDE));
    let (display, extent) = (bounded(display), bounded(extent));
    if display.width == 0 || display.height == 0 {
        return extent;
    }
    let turned = Size::new(display.height, display.width);
    let fits = |size: Size| extent.width <= size.width && extent.height <= size.height;
    if !fits(display) && fits(turned) { turned } else { display }
}

/// Nodes of status bar, navigation bar and soft keyboard; none of them where the dump holds nothing else (the shade is
/// pulled down, the keyboard's own settings are open).
fn system_nodes(tree: &UiTree, display: Rect) -> (Vec<bool>, bool) {
    let mut left_out = vec![false; tree.nodes.len()];
    let mut keyboard = false;
    let mut rest = false;
    for (index, node) in tree.nodes.iter().enumerate() {
        let ime = is_keyboard_package(&node.package);
        keyboard |= ime;
        left_out[index] = ime || node.package == "com.android.systemui";
    }
    for window in &tree.windows {
        let ime = window.kind == "TYPE_INPUT_METHOD";
        keyboard |= ime && !window.nodes.is_empty();
        if ime || window.kind == "TYPE_SYSTEM" {
            left_out[window.nodes.clone()].fill(true);
        }
    }
    for (index, node) in tree.nodes.iter().enumerate() {
        // A game's root is the app although it says nothing; a strip that takes gestures at the display's edge is not.
        let seen = node.bounds.intersection(display).map_or(0, Rect::area);
        let large = node.parent.is_none() && 4 * seen >= display.area();
        rest |= !left_out[index] && (has_text(node) || node.clickable || large);
    }
    if rest { (left_out, keyboard) } else { (vec![false; tree.nodes.len()], false) }
}

fn is_keyboard_package(package: &str) -> bool {
    const KEYBOARDS: &[&str] = &[
        "com.samsung.android.honeyboard",
        "com.sec.android.inputmethod",
        "com.touchtype.swiftkey",
        "com.baidu.input",
        "com.iflytek.inputmethod",
        "com.sohu.inputmethod.sogou",
    ];
    package.contains(".inputmethod.") || KEYBOARDS.iter().any(|known| package.starts_with(known))
}

/// Containers that cut off what reaches beyond them. On a web page only what scrolls does: there a `ListView` is a list
/// of the document, which its items may leave.
fn clips(node: &UiNode, on_page: bool) -> bool {
    const CLASSES: &[&str] = &["ScrollView", "RecyclerView", "ListView", "GridView", "ViewPager", "WebView"];
    node.scrollable || !on_page && CLASSES.iter().any(|class| node.class.ends_with(class))
}

fn clip(tree: &UiTree, display: Rect, ends: &[usize], left_out: &[bool]) -> Vec<Option<Rect>> {
    let count = tree.nodes.len();
    // What each node leaves its children; pre-order makes the parent's ready.
    let mut windows: Vec<Option<Rect>> = vec![Some(display); count];
    let mut rects: Vec<Option<Rect>> = vec![None; count];
    let mut on_page = vec![false; count];
    let mut to_repair = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        let around = node.parent.map_or(Some(display), |parent| windows[parent]);
        let seen = around.and_then(|around| node.bounds.intersection(around));
        on_page[index] = node.parent.is_some_and(|at| on_page[at] || tree.nodes[at].class.ends_with("WebView"));
        windows[index] = if clips(node, on_page[index]) && !node.bounds.is_empty() { seen } else { around };
        if node.invisible || left_out[index] {
            if node.invisible {
                windows[index] = None;
            }
            continue;
        }
        if node.bounds.is_empty() {
            to_repair.push((index, around));
        } else {
            rects[index] = seen;
        }
    }
    // Innermost first: a repaired child can repair its parent.
    for (index, around) in to_repair.into_iter().rev() {
        rects[index] = around.and_then(|around| repair(index, tree, &rects, ends[index], around));
    }
    for rect in &mut rects {
        *rect = rect.filter(|rect| rect.width() >= SLIVER && rect.height() >= SLIVER);
    }
    rects
}

/// A node without a proper rectangle is where its descendants are; an inverted one without any is where its swapped
/// rectangle is, if that lies within what its parent shows. (A clipped node's inverted rectangle does not.)
fn repair(index: usize, tree: &UiTree, rects: &[Option<Rect>], end: usize, around: Rect) -> Option<Rect> {
    let union =
        rects[index + 1..end].iter().flatten().copied().reduce(|a, b| {
            Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
        });
    if union.is_some() {
        return union;
    }
    let b = tree.nodes[index].bounds;
    let swapped = Rect::new(b.left.min(b.right), b.top.min(b.bottom), b.left.max(b.right), b.top.max(b.bottom));
    let parent = tree.nodes[index].parent.and_then(|parent| rects[parent]).unwrap_or(around);
    (!swapped.is_empty() && parent.encloses(swapped) && around.encloses(swapped)).then_some(swapped)
}

/// Children are painted in document order, or by `drawing-order` where every child of a parent has one. Nodes of drawn
/// interfaces (Compose, web pages) say 0, which means that nobody set it. Those in `last`, drawers
/// and pages over others, come last.
fn painting_order(tree: &UiTree, ends: &[usize], last: &HashSet<usize>) -> (Vec<usize>, Vec<usize>) {
    let count = tree.nodes.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    for siblings in &mut children {
        if siblings.iter().all(|&child| tree.nodes[child].drawing_order.is_some_and(|order| order > 0)) {
            siblings.sort_by_key(|&child| tree.nodes[child].drawing_order);
        } else if !last.is_empty() {
            siblings.sort_by_key(|child| last.contains(child));
        }
    }
    let mut painted = vec![0; count];
    let mut painted_end = vec![0; count];
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    let mut next = 0;
    while let Some(index) = stack.pop() {
        painted[index] = next;
        painted_end[index] = next + (ends[index] - index);
        next += 1;
        stack.extend(children[index].iter().rev());
    }
    (painted, painted_end)
}
