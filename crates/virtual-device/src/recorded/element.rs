//! A recorded tree as the accessibility tree of a device, and on a display of another size.

use crate::ElementSnapshot;
use crate::domain::{Point, Rect, Size};
use crate::hierarchy::UiTree;
use std::ops::Range;

/// The nodes of the topmost window; all of them where there is one window only.
pub(super) fn window(tree: &UiTree) -> Range<usize> {
    let first = tree.nodes.iter().rposition(|node| node.parent.is_none()).unwrap_or(0);
    first..tree.nodes.len()
}

/// The topmost window's elements, every attribute as recorded.
pub(crate) fn elements(tree: &UiTree) -> ElementSnapshot {
    let window = window(tree);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
    for index in window.clone() {
        if let Some(siblings) = tree.nodes[index].parent.and_then(|parent| children.get_mut(parent)) {
            siblings.push(index);
        }
    }
    // Children stand behind their parents, so from the end on every child is made before it is needed.
    let mut made: Vec<Option<ElementSnapshot>> = vec![None; tree.nodes.len()];
    for index in window.clone().rev() {
        let own = children[index].iter().filter_map(|&child| made.get_mut(child)?.take()).collect();
        made[index] = Some(element(tree, index, own));
    }
    made.get_mut(window.start).and_then(Option::take).unwrap_or_default()
}

fn element(tree: &UiTree, index: usize, children: Vec<ElementSnapshot>) -> ElementSnapshot {
    let node = &tree.nodes[index];
    ElementSnapshot {
        index: node.index,
        text: node.text.clone(),
        resource_id: node.resource_id.clone(),
        class: node.class.clone(),
        package: node.package.clone(),
        content_desc: node.content_desc.clone(),
        hint: node.hint.clone(),
        checkable: node.checkable,
        checked: node.checked,
        clickable: node.clickable,
        enabled: node.enabled,
        focusable: node.focusable,
        focused: node.focused,
        scrollable: node.scrollable,
        long_clickable: node.long_clickable,
        password: node.password,
        selected: node.selected,
        bounds: node.bounds,
        drawing_order: node.drawing_order.and_then(|order| usize::try_from(order).ok()).unwrap_or(node.index + 1),
        children,
    }
}

/// From the recorded display to the device's and back. On a display of the same size nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// The display it was recorded on.
    pub recorded: Size,
    /// The device's.
    pub display: Size,
}

impl Scale {
    /// True when both are of one size.
    pub(super) fn is_plain(self) -> bool {
        self.recorded == self.display
    }

    /// A point of the device's display on the recorded one.
    pub(super) fn to_recorded(self, at: Point) -> Point {
        let along = |at: i32, from: u32, to: u32| (i64::from(at) * i64::from(to) / i64::from(from.max(1))) as i32;
        Point::new(
            along(at.x, self.display.width, self.recorded.width),
            along(at.y, self.display.height, self.recorded.height),
        )
    }

    /// Recorded bounds on the device's display.
    pub(super) fn to_display(self, bounds: Rect) -> Rect {
        let along = |at: i32, from: u32, to: u32| (i64::from(at) * i64::from(to) / i64::from(from.max(1))) as i32;
        let x = |at| along(at, self.recorded.width, self.display.width);
        let y = |at| along(at, self.recorded.height, self.display.height);
        Rect::new(x(bounds.left), y(bounds.top), x(bounds.right), y(bounds.bottom))
    }
}
