//! Drawers that lie over the page: which child of a `DrawerLayout` is one.
//!
//! `androidx.drawerlayout` paints them last and darkens the rest, which takes touches only to close them (`DrawerLayout.drawChild`). A
//! dump lists siblings by where they stand, so that its order says nothing of that.

use super::UiTree;
use crate::domain::Rect;

/// An open drawer and the layout it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drawer {
    pub(super) node: usize,
    /// Visible bounds of the layout, in display pixels.
    pub(super) layout: Rect,
}

/// The open drawers of a tree, by the visible bounds of its nodes.
pub(super) fn open_drawers(tree: &UiTree, rects: &[Option<Rect>], ends: &[usize]) -> Vec<Drawer> {
    let mut drawers = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let Some(layout) = rects[at].filter(|_| node.class.ends_with("DrawerLayout")) else { continue };
        let mut children = Vec::new();
        let mut child = at + 1;
        while child < ends[at] {
            children.extend(rects[child].map(|rect| (child, rect)));
            child = ends[child];
        }
        let page = children.iter().map(|(_, rect)| *rect).max_by_key(|rect| rect.area());
        let over_page = |rect: Rect| {
            let shared = page.filter(|page| *page != rect).and_then(|page| page.intersection(rect));
            shared.is_some_and(|shared| 2 * shared.area() >= rect.area())
        };
        let open = children.into_iter().filter(|(_, rect)| has_place_of_drawer(*rect, layout) && over_page(*rect));
        drawers.extend(open.map(|(node, _)| Drawer { node, layout }));
    }
    drawers
}

/// As high as the layout, at one of its sides, and far out but not across all of it.
fn has_place_of_drawer(rect: Rect, layout: Rect) -> bool {
    let high = 10 * rect.height() >= 9 * layout.height();
    let aside = rect.left <= layout.left || rect.right >= layout.right;
    let (width, whole) = (10 * rect.width(), layout.width());
    high && aside && (3 * whole..=9 * whole).contains(&width)
}
