//! A decoded picture of the display.

use super::{Rect, Size};
use std::fmt;
use std::sync::Arc;

/// RGBA8 pixels, row by row, top left first; `4 × width × height` bytes. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Screenshot {
    size: Size,
    rgba: Arc<[u8]>,
}

impl Screenshot {
    /// Wraps pixels; `None` when their number does not fit the size.
    pub fn new(size: Size, rgba: impl Into<Arc<[u8]>>) -> Option<Self> {
        let rgba = rgba.into();
        (rgba.len() as u64 == 4 * u64::from(size.width) * u64::from(size.height)).then_some(Self { size, rgba })
    }

    /// A black picture.
    pub fn blank(size: Size) -> Self {
        let pixels = size.width as usize * size.height as usize;
        Self { size, rgba: [0, 0, 0, 255].repeat(pixels).into() }
    }

    /// The same picture with `areas` painted grey.
    #[must_use]
    pub fn covered(&self, areas: &[Rect]) -> Self {
        let mut rgba = self.rgba.to_vec();
        let width = self.size.width as usize;
        for area in areas.iter().filter_map(|area| self.clip(*area)) {
            for y in area.top..area.bottom {
                let row = 4 * (y as usize * width + area.left as usize);
                let end = row + 4 * area.width() as usize;
                for pixel in rgba[row..end].chunks_exact_mut(4) {
                    pixel.copy_from_slice(&[128, 128, 128, 255]);
                }
            }
        }
        Self { size: self.size, rgba: rgba.into() }
    }

    /// Width and height in pixels.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The pixels.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Red, green, blue of one pixel; `None` outside.
    pub fn rgb(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.size.width || y >= self.size.height {
            return None;
        }
        let at = 4 * (y as usize * self.size.width as usize + x as usize);
        Some([self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]])
    }

    /// The part of `rect` that lies on the picture.
    pub fn clip(&self, rect: Rect) -> Option<Rect> {
        rect.intersection(self.size.rect())
    }
}

impl fmt::Debug for Screenshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Screenshot({}×{})", self.size.width, self.size.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_areas_are_grey_and_the_rest_is_kept() {
        let picture = Screenshot::blank(Size::new(4, 4)).covered(&[Rect::new(2, 2, 9, 9), Rect::new(-5, -5, 0, 0)]);
        assert_eq!(picture.rgb(1, 1), Some([0, 0, 0]));
        assert_eq!(picture.rgb(3, 3), Some([128, 128, 128]));
    }
}
