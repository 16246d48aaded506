//! Pages that lie on one another in one container: which child is the upper one.
//!
//! A dump lists children by where they stand, and children of the same bounds by where their own children do
//! (`android.view.ViewGroup.ViewLocationHolder.compareBoundsOfTree`, AOSP), so that its order does not tell which of two was
//! opened over the other.

use super::UiTree;
use crate::domain::Rect;

/// Share of the display, in percent, from which a node is a page.
const PAGE_PERCENT: i64 = 60;

/// The pages that are listed before a page of the same bounds and lie over it: they take all touches at their place as a
/// whole, which a page does that was opened over another, and the other one does not.
///
/// Both must scroll, for a layer for messages or sheets has the page's bounds, too. `rects` are the visible bounds of the
/// nodes, in display pixels. Children whose `drawing-order` is known are left alone.
pub(super) fn upper_pages(tree: &UiTree, rects: &[Option<Rect>], ends: &[usize], display: Rect) -> Vec<usize> {
    let nodes = &tree.nodes;
    let is_page = |rect: Rect| 100 * rect.area() >= PAGE_PERCENT * display.area();
    let mut upper = Vec::new();
    for parent in 0..nodes.len() {
        if !rects[parent].is_some_and(is_page) {
            continue;
        }
        let mut pages: Vec<(usize, Rect)> = Vec::new();
        let mut child = parent + 1;
        while child < ends[parent] {
            pages.extend(rects[child].filter(|rect| is_page(*rect)).map(|rect| (child, rect)));
            child = ends[child];
        }
        let is_set = |page: usize| nodes[page].drawing_order.is_some_and(|order| order > 0);
        let scrolls = |page: usize| {
            (page..ends[page])
                .any(|at| nodes[at].scrollable && rects[at].is_some_and(|list| 2 * list.height() >= display.height()))
        };
        let pair = pages.windows(2).find(|pair| {
            let [(first, one), (second, other)] = [pair[0], pair[1]];
            one == other && nodes[first].clickable && !nodes[second].clickable && !(is_set(first) && is_set(second))
        });
        upper.extend(pair.map(|pair| (pair[0].0, pair[1].0)).filter(|(one, other)| scrolls(*one) && scrolls(*other)));
    }
    upper.into_iter().map(|(first, _)| first).collect()
}
