//! Points, rectangles and directions in display pixels, origin top left, as `uiautomator` and `input` use them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A point in display pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: i32,
    /// Pixels from the top edge.
    pub y: i32,
}

impl Point {
    /// A point at (`x`, `y`).
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// The size of a display or image, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Size {
    /// A size of `width` × `height` pixels.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// The rectangle that covers the whole display.
    pub const fn rect(self) -> Rect {
        Rect::new(0, 0, self.width as i32, self.height as i32)
    }
}

/// A rectangle `[left,top][right,bottom]`; right and bottom are exclusive. Serialised as `[left, top, right, bottom]`.
///
/// Real dumps contain inverted rectangles (a clipped node's bottom above its top), so no constructor rejects them;
/// [`Rect::is_empty`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    /// Leftmost pixel column.
    pub left: i32,
    /// Topmost pixel row.
    pub top: i32,
    /// One past the rightmost pixel column.
    pub right: i32,
    /// One past the lowest pixel row.
    pub bottom: i32,
}

impl Rect {
    /// A rectangle from its edges.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Width in pixels; zero when inverted.
    pub const fn width(self) -> i32 {
        let w = self.right.saturating_sub(self.left);
        if w > 0 { w } else { 0 }
    }

    /// Height in pixels; zero when inverted.
    pub const fn height(self) -> i32 {
        let h = self.bottom.saturating_sub(self.top);
        if h > 0 { h } else { 0 }
    }

    /// Area in square pixels; zero when inverted.
    pub const fn area(self) -> i64 {
        self.width() as i64 * self.height() as i64
    }

    /// True when the rectangle holds no pixel (zero size or inverted).
    pub const fn is_empty(self) -> bool {
        self.area() == 0
    }

    /// The middle of the rectangle, rounded down.
    pub const fn center(self) -> Point {
        Point::new(
            i64::midpoint(self.left as i64, self.right as i64) as i32,
            i64::midpoint(self.top as i64, self.bottom as i64) as i32,
        )
    }

    /// True when `point` lies inside.
    pub const fn contains(self, point: Point) -> bool {
        point.x >= self.left && point.x < self.right && point.y >= self.top && point.y < self.bottom
    }

    /// True when every pixel of `other` lies inside.
    pub const fn encloses(self, other: Self) -> bool {
        other.left >= self.left && other.top >= self.top && other.right <= self.right && other.bottom <= self.bottom
    }

    /// The common part of two rectangles, if they share a pixel.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let both = Self::new(
            self.left.max(other.left),
            self.top.max(other.top),
            self.right.min(other.right),
            self.bottom.min(other.bottom),
        );
        (!both.is_empty()).then_some(both)
    }

    /// Reads `[l,t][r,b]` as `uiautomator dump` writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, second) = text.trim().strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
        let pair = |s: &str| -> Option<(i32, i32)> {
            let (a, b) = s.split_once(',')?;
            Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
        };
        let (left, top) = pair(first)?;
        let (right, bottom) = pair(second)?;
        Some(Self::new(left, top, right, bottom))
    }
}

impl From<[i32; 4]> for Rect {
    fn from([left, top, right, bottom]: [i32; 4]) -> Self {
        Self::new(left, top, right, bottom)
    }
}

impl From<Rect> for [i32; 4] {
    fn from(r: Rect) -> Self {
        [r.left, r.top, r.right, r.bottom]
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}][{},{}]", self.left, self.top, self.right, self.bottom)
    }
}

/// Where content should move to be seen: `Down` shows what lies further down (the finger moves up).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Towards the beginning of a vertical list.
    Up,
    /// Towards the end of a vertical list.
    Down,
    /// Towards what lies left.
    Left,
    /// Towards what lies right.
    Right,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_round_trip_through_their_dump_form() {
        let rect = Rect::new(0, -12, 1080, 2400);
        assert_eq!(Rect::parse(&rect.to_string()), Some(rect));
        assert_eq!(Rect::parse("[0,0]"), None);
        assert_eq!(Rect::parse("[a,0][1,1]"), None);
    }

    #[test]
    fn an_inverted_rectangle_is_empty_and_never_overflows() {
        assert!(Rect::new(96, 2798, 399, 2784).is_empty());
        assert_eq!(Rect::new(i32::MIN, 0, i32::MAX, 1).width(), i32::MAX);
        assert_eq!(Rect::new(i32::MAX, 0, i32::MAX, 1).center().x, i32::MAX);
    }

    #[test]
    fn intersection_needs_a_shared_pixel() {
        let a = Rect::new(0, 0, 10, 10);
        assert_eq!(a.intersection(Rect::new(10, 0, 20, 10)), None);
        assert_eq!(a.intersection(Rect::new(5, 5, 20, 20)), Some(Rect::new(5, 5, 10, 10)));
    }
}
