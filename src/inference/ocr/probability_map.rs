//! From the detector's map of probabilities to boxes: the post-processing of differentiable binarization (DB, Liao et
//! al. 2020) as PP-OCR uses it, for upright text.

use super::TextLine;
use crate::domain::Rect;
use image::{GrayImage, Luma};
use imageproc::contours::{BorderType, find_contours};

/// A pixel with a higher probability belongs to text.
const THRESHOLD: f32 = 0.3;
/// A box with a lower mean probability is none.
const BOX_THRESHOLD: f32 = 0.5;
/// By how much a box grows: area × this / perimeter. The map shows the shrunken cores of lines.
const UNCLIP: f32 = 1.6;
/// Shorter sides than this, pixels before growing, are specks.
const SMALLEST: i32 = 3;

/// A detector's output for one picture.
pub(super) struct ProbabilityMap<'a> {
    /// Row by row.
    pub values: &'a [f32],
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl ProbabilityMap<'_> {
    /// The lines in it, in the map's pixels.
    pub(super) fn lines(&self) -> Vec<TextLine> {
        if self.width == 0 || self.height == 0 || self.values.len() < self.width * self.height {
            return Vec::new();
        }
        let mut lines: Vec<TextLine> = find_contours::<i32>(&self.dilated_mask())
            .into_iter()
            .filter(|contour| contour.border_type == BorderType::Outer)
            .filter_map(|contour| {
                let xs = contour.points.iter().map(|point| point.x);
                let ys = contour.points.iter().map(|point| point.y);
                let core = Rect::new(xs.clone().min()?, ys.clone().min()?, xs.max()? + 1, ys.max()? + 1);
                self.line(core)
            })
            .collect();
        lines.sort_by_key(|line| (line.bounds.top, line.bounds.left));
        lines
    }

    fn line(&self, core: Rect) -> Option<TextLine> {
        let (width, height) = (core.width(), core.height());
        if width.min(height) < SMALLEST {
            return None;
        }
        let score = self.mean(core);
        if score < BOX_THRESHOLD {
            return None;
        }
        let grow = (width * height) as f32 * UNCLIP / (2 * (width + height)) as f32;
        let grow = grow.round() as i32;
        let whole = Rect::new(0, 0, self.width as i32, self.height as i32);
        let grown = Rect::new(core.left - grow, core.top - grow, core.right + grow, core.bottom + grow);
        Some(TextLine { bounds: grown.intersection(whole)?, score })
    }

    /// Text pixels, dilated by a 2 × 2 square as PP-OCR does, so that thin gaps close.
    fn dilated_mask(&self) -> GrayImage {
        let text = |x: usize, y: usize| self.values[y * self.width + x] > THRESHOLD;
        GrayImage::from_fn(self.width as u32, self.height as u32, |x, y| {
            let (x, y) = (x as usize, y as usize);
            let (left, above) = (x.saturating_sub(1), y.saturating_sub(1));
            let lit = text(x, y) || text(left, y) || text(x, above) || text(left, above);
            Luma([if lit { 255 } else { 0 }])
        })
    }

    /// Mean probability of the text pixels' box, counted over those that are text: upright boxes of slanted or ragged
    /// cores hold much background.
    fn mean(&self, area: Rect) -> f32 {
        let (mut sum, mut count) = (0.0_f32, 0_u32);
        for y in area.top..area.bottom {
            let row = y as usize * self.width;
            for value in &self.values[row + area.left as usize..row + area.right as usize] {
                if *value > THRESHOLD {
                    sum += value;
                    count += 1;
                }
            }
        }
        if count == 0 { 0.0 } else { sum / count as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: usize, height: usize, lit: &[(Rect, f32)]) -> Vec<f32> {
        let mut values = vec![0.0; width * height];
        for (area, value) in lit {
            for y in area.top..area.bottom {
                for x in area.left..area.right {
                    values[y as usize * width + x as usize] = *value;
                }
            }
        }
        values
    }

    fn lines(width: usize, height: usize, lit: &[(Rect, f32)]) -> Vec<TextLine> {
        ProbabilityMap { values: &map(width, height, lit), width, height }.lines()
    }

    #[test]
    fn a_core_grows_to_its_line() {
        let found = lines(200, 60, &[(Rect::new(50, 20, 150, 30), 0.9)]);
        assert_eq!(found.len(), 1);
        // 101 × 11 after dilation, grown by 101 × 11 × 1.6 / 224 ≈ 8.
        assert_eq!(found[0].bounds, Rect::new(42, 12, 159, 39));
        assert!((found[0].score - 0.9).abs() < 0.01);
    }

    #[test]
    fn lines_come_in_reading_order_and_specks_and_doubts_are_left_out() {
        let found = lines(
            300,
            200,
            &[
                (Rect::new(20, 150, 120, 165), 0.8),
                (Rect::new(20, 20, 120, 35), 0.95),
                (Rect::new(200, 100, 201, 101), 0.99),
                (Rect::new(200, 20, 280, 35), 0.35),
            ],
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].bounds.top < found[1].bounds.top);
    }

    #[test]
    fn a_map_of_the_wrong_size_has_no_lines() {
        assert!(ProbabilityMap { values: &[0.9; 5], width: 10, height: 10 }.lines().is_empty());
        assert!(ProbabilityMap { values: &[], width: 0, height: 0 }.lines().is_empty());
    }
}
