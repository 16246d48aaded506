//! The part of a screen that a control stands in.

use crate::domain::{Rect, Size};

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The bar on top.
    TopBar,
    /// The bar at the bottom.
    BottomBar,
    /// What is between them.
    Content,
}

impl Region {
    /// The part of a display that these bounds lie in. Bars are at most an eighth of the display's height.
    pub fn of(bounds: Rect, display: Size) -> Self {
        let height = (display.height.max(1)) as i32;
        let landscape = display.width > display.height;
        let share = if landscape { 5 } else { 8 };
        if bounds.bottom <= height / share && bounds.height() <= height / share {
            Self::TopBar
        } else if bounds.top >= height - height / share && bounds.height() <= height / share {
            Self::BottomBar
        } else {
            Self::Content
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_at_the_edges() {
        let display = Size::new(1080, 2400);
        assert_eq!(Region::of(Rect::new(0, 80, 120, 220), display), Region::TopBar);
        assert_eq!(Region::of(Rect::new(0, 2200, 360, 2400), display), Region::BottomBar);
        assert_eq!(Region::of(Rect::new(0, 900, 1080, 1000), display), Region::Content);
        assert_eq!(Region::of(Rect::new(0, 0, 1080, 2400), display), Region::Content);
    }
}
