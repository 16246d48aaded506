//! Written screens for tests.

use super::{Screen, ScreenInput};
use crate::domain::{Rect, Size};
use std::fmt::Write as _;

/// Depth, class without `android.`, attributes and bounds of a node.
pub(super) type Node<'n> = (usize, &'n str, &'n str, [i32; 4]);

/// The root of a page on a display of 1080 × 2400 pixels.
pub(super) const PAGE: Node<'static> = (0, "widget.FrameLayout", "", [0, 0, 1080, 2400]);

/// The dump of the nodes, given in pre-order.
pub(super) fn dump(nodes: &[Node<'_>]) -> String {
    let mut out = String::from("<hierarchy rotation=\"0\">");
    let mut open = 0;
    for (depth, class, attributes, bounds) in nodes {
        out.push_str(&"</node>".repeat(open - depth));
        let bounds = Rect::from(*bounds);
        let _ =
            write!(out, "<node class=\"android.{class}\" package=\"org.example\" {attributes} bounds=\"{bounds}\">");
        open = depth + 1;
    }
    out + "</node>".repeat(open).as_str() + "</hierarchy>"
}

/// The screen of the nodes, on a display of 1080 × 2400 pixels.
pub(super) fn perceive(nodes: &[Node<'_>]) -> Screen {
    perceive_dump(&dump(nodes))
}

/// The screen of a dump, on a display of 1080 × 2400 pixels.
pub(super) fn perceive_dump(hierarchy: &str) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: hierarchy.as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    })
}

/// The labels of the widgets, in order.
pub(super) fn labels(screen: &Screen) -> Vec<&str> {
    screen.widgets.iter().map(|widget| widget.label.as_str()).collect()
}
