//! The part of a screen that a control stands in.

use crate::domain::{Rect, Size};

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The bar on top.
    TopBar,
    /// The bar at the bottom: several entries side by side.
    BottomBar,
    /// At the bottom, and no entry of a bar: a button of the page.
    Bottom,
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
            Self::Bottom
        } else {
            Self::Content
        }
    }
}

/// Fewest entries of a bar.
const MIN_ENTRIES: usize = 3;

/// The regions of all bounds: what stands at the bottom is an entry of a bar where others of the same height stand beside it.
pub(super) fn regions(all: &[Rect], display: Size) -> Vec<Region> {
    let alone: Vec<Region> = all.iter().map(|bounds| Region::of(*bounds, display)).collect();
    let is_entry = |one: Rect| {
        let mut lefts: Vec<i32> = all
            .iter()
            .zip(&alone)
            .filter(|(other, region)| {
                let level = (one.center().y - other.center().y).abs() * 4 <= one.height();
                let alike = (one.width() - other.width()).abs() * 4 <= one.width();
                **region == Region::Bottom && level && alike
            })
            .map(|(other, _)| other.left)
            .collect();
        lefts.sort_unstable();
        lefts.dedup();
        lefts.len() >= MIN_ENTRIES
    };
    let of = |(bounds, region): (&Rect, &Region)| {
        if *region == Region::Bottom && is_entry(*bounds) { Region::BottomBar } else { *region }
    };
    all.iter().zip(&alone).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_at_the_edges() {
        let display = Size::new(1080, 2400);
        assert_eq!(Region::of(Rect::new(0, 80, 120, 220), display), Region::TopBar);
        assert_eq!(Region::of(Rect::new(0, 2200, 360, 2400), display), Region::Bottom);
        assert_eq!(Region::of(Rect::new(0, 900, 1080, 1000), display), Region::Content);
        assert_eq!(Region::of(Rect::new(0, 0, 1080, 2400), display), Region::Content);
    }

    #[test]
    fn a_bar_has_several_entries() {
        let check = |lefts: &[i32], width: i32, expected: Region| {
            let all: Vec<Rect> = lefts.iter().map(|left| Rect::new(*left, 2220, left + width, 2380)).collect();
            assert_eq!(regions(&all, Size::new(1080, 2400)), vec![expected; all.len()], "{lefts:?}");
        };
        check(&[0, 360, 720], 360, Region::BottomBar);
        check(&[0, 540], 540, Region::Bottom);
        check(&[40], 1000, Region::Bottom);
    }
}
