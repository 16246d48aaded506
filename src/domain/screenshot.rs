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
