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

    /// Perceptual hash: one bit for each of 8 × 8 places, set where it is brighter than its right neighbour (dHash over
    /// 9 × 8 cells). A caret, a clock or a counter changes few bits or none; another screen many. 0 for one colour.
    pub fn difference_hash(&self) -> u64 {
        const COLUMNS: u32 = 9;
        const ROWS: u32 = 8;
        /// Samples a cell in each direction; more change nothing but the time.
        const SAMPLES: u32 = 12;
        let brightness = |column: u32, row: u32| -> u32 {
            let at = |cell: u32, cells: u32, sample: u32, length: u32| {
                let place = u64::from(cell * SAMPLES + sample) * u64::from(length) / u64::from(cells * SAMPLES);
                place as u32
            };
            let mut sum = 0;
            for sy in 0..SAMPLES {
                for sx in 0..SAMPLES {
                    let x = at(column, COLUMNS, sx, self.size.width);
                    let y = at(row, ROWS, sy, self.size.height);
                    let [red, green, blue] = self.rgb(x, y).unwrap_or_default().map(u32::from);
                    sum += 77 * red + 150 * green + 29 * blue;
                }
            }
            sum / (256 * SAMPLES * SAMPLES)
        };
        let mut hash = 0;
        for row in 0..ROWS {
            let cells: Vec<u32> = (0..COLUMNS).map(|column| brightness(column, row)).collect();
            for pair in cells.windows(2) {
                hash = hash << 1 | u64::from(pair[0] > pair[1]);
            }
        }
        hash
    }

    /// Share of the pixels, 0–1, whose colour differs clearly from `other`'s; every fourth pixel of every fourth row is
    /// compared. 1 for a picture of another size.
    pub fn changed_share(&self, other: &Self) -> f64 {
        const STEP: usize = 4;
        /// Less is the noise of a gradient or of a compressed picture.
        const CLEARLY: u8 = 24;
        if self.size != other.size {
            return 1.0;
        }
        let row = 4 * self.size.width as usize;
        if row == 0 {
            return 0.0;
        }
        let pixels = |picture: &'_ Self| -> Vec<[u8; 3]> {
            let rows = picture.rgba.chunks_exact(row).step_by(STEP);
            rows.flat_map(|row| row.chunks_exact(4).step_by(STEP)).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
        };
        let (mine, others) = (pixels(self), pixels(other));
        let differs = |(a, b): &(&[u8; 3], &[u8; 3])| a.iter().zip(b.iter()).any(|(a, b)| a.abs_diff(*b) > CLEARLY);
        mine.iter().zip(&others).filter(differs).count() as f64 / mine.len().max(1) as f64
    }

    /// True when every pixel is black, as a window with `FLAG_SECURE` is shown.
    pub fn is_black(&self) -> bool {
        self.rgba.chunks_exact(4).all(|pixel| matches!(pixel, [0, 0, 0, _]))
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

    /// Dark bars on white at `places`, sixteenths of the height.
    fn page(places: &[u32], mark: Option<(u32, u32)>) -> Screenshot {
        let size = Size::new(270, 600);
        let mut rgba = vec![255; 4 * 270 * 600];
        for y in 0..600 {
            for x in 0..270 {
                let bar = places.contains(&(y * 16 / 600)) && x > 20 && x < 200;
                if bar || mark.is_some_and(|(left, top)| (left..left + 6).contains(&x) && (top..top + 9).contains(&y)) {
                    rgba[4 * (y * 270 + x) as usize..][..3].copy_from_slice(&[30, 30, 60]);
                }
            }
        }
        Screenshot::new(size, rgba).unwrap()
    }

    #[test]
    fn a_small_change_keeps_the_hash_close_and_another_screen_does_not() {
        let here = page(&[1, 3, 9], None).difference_hash();
        let ticked = page(&[1, 3, 9], Some((230, 12))).difference_hash();
        let elsewhere = page(&[2, 5, 6, 12, 14], None).difference_hash();
        assert!((here ^ ticked).count_ones() <= 2, "{here:016x} {ticked:016x}");
        assert!((here ^ elsewhere).count_ones() >= 6, "{here:016x} {elsewhere:016x}");
        assert_eq!(Screenshot::blank(Size::new(3, 2)).difference_hash(), 0);
        assert_eq!(Screenshot::blank(Size::new(0, 0)).difference_hash(), 0);
    }

    #[test]
    fn the_changed_share_of_a_picture_follows_what_changed() {
        let here = page(&[1, 3, 9], None);
        assert!(here.changed_share(&here) < 1e-9);
        let ticked = here.changed_share(&page(&[1, 3, 9], Some((230, 12))));
        assert!(ticked < 0.005, "{ticked}");
        let moved = here.changed_share(&page(&[1, 3, 10], None));
        assert!(moved > 0.05, "{moved}");
        assert!(here.changed_share(&Screenshot::blank(Size::new(270, 601))) > 0.999);
        let nothing = Screenshot::blank(Size::new(0, 0));
        assert!(nothing.changed_share(&nothing) < 1e-9);
    }

    #[test]
    fn only_a_picture_without_any_light_is_black() {
        assert!(Screenshot::blank(Size::new(4, 4)).is_black());
        assert!(!Screenshot::blank(Size::new(4, 4)).covered(&[Rect::new(3, 3, 4, 4)]).is_black());
    }

    #[test]
    fn covered_areas_are_grey_and_the_rest_is_kept() {
        let picture = Screenshot::blank(Size::new(4, 4)).covered(&[Rect::new(2, 2, 9, 9), Rect::new(-5, -5, 0, 0)]);
        assert_eq!(picture.rgb(1, 1), Some([0, 0, 0]));
        assert_eq!(picture.rgb(3, 3), Some([128, 128, 128]));
    }
}
