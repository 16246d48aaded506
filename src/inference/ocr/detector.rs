//! PP-OCR's detector: a picture in, a map of probabilities out.

use super::probability_map::ProbabilityMap;
use super::{OcrError, TextDetector, TextLine};
use crate::domain::{Rect, Screenshot, Size};
use crate::inference::{InferenceError, Runtime};
use ort::session::Session;
use ort::value::TensorRef;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The network halves its input five times.
const MULTIPLE: usize = 32;
/// Larger pictures are read in tiles, so that memory stays bounded whatever the display.
const LONGEST_TILE: usize = 960;
/// How far tiles reach into one another, pixels: more than a line of text is high.
const OVERLAP: usize = 96;

/// A text detection model in an ONNX session: input `[1, 3, H, W]` (H, W multiples of 32; blue, green, red; −1…1), output
/// `[1, 1, H, W]` probabilities.
#[derive(Debug)]
pub struct OnnxTextDetector {
    session: Mutex<Session>,
    input: String,
    output: String,
}

impl OnnxTextDetector {
    /// Loads the model.
    ///
    /// # Errors
    /// The file is missing, or no detection model.
    pub fn open(runtime: &Runtime, model: &Path, threads: usize) -> Result<Self, InferenceError> {
        let (session, input, output) = runtime.ocr_session(model, threads)?;
        Ok(Self { session: Mutex::new(session), input, output })
    }

    fn tile(&self, picture: &Screenshot, area: Rect) -> Result<Vec<TextLine>, OcrError> {
        let failed = |reason: String| OcrError { stage: "detection", reason };
        let (width, height) = (area.width() as usize, area.height() as usize);
        let (padded_width, padded_height) = (width.next_multiple_of(MULTIPLE), height.next_multiple_of(MULTIPLE));
        let values = planes(picture, area, padded_width, padded_height);
        let tensor = TensorRef::from_array_view(([1, 3, padded_height, padded_width], values.as_slice()))
            .map_err(|error| failed(error.to_string()))?;
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs =
            session.run(ort::inputs![self.input.as_str() => tensor]).map_err(|error| failed(error.to_string()))?;
        let output = outputs.get(self.output.as_str()).ok_or_else(|| failed("its output is missing".to_owned()))?;
        let (_, probabilities) = output.try_extract_tensor::<f32>().map_err(|error| failed(error.to_string()))?;
        let map = ProbabilityMap { values: probabilities, width: padded_width, height: padded_height };
        let inside = Rect::new(0, 0, area.width(), area.height());
        let placed = map.lines().into_iter().filter_map(|line| {
            let bounds = line.bounds.intersection(inside)?;
            let moved = Rect::new(
                bounds.left + area.left,
                bounds.top + area.top,
                bounds.right + area.left,
                bounds.bottom + area.top,
            );
            Some(TextLine { bounds: moved, ..line })
        });
        Ok(placed.collect())
    }
}

impl TextDetector for OnnxTextDetector {
    fn detect(&self, picture: &Screenshot) -> Result<Vec<TextLine>, OcrError> {
        let mut lines: Vec<TextLine> = Vec::new();
        for area in tiles(picture.size()) {
            for line in self.tile(picture, area)? {
                join(&mut lines, line);
            }
        }
        lines.sort_by_key(|line| (line.bounds.top, line.bounds.left));
        Ok(lines)
    }
}

/// Adds a line; one that another tile cut at its edge is joined with its other part.
fn join(lines: &mut Vec<TextLine>, line: TextLine) {
    let same = |other: &TextLine| {
        let Some(shared) = other.bounds.intersection(line.bounds) else { return false };
        let lower = other.bounds.height().min(line.bounds.height());
        // Side by side on one height, or one within the other.
        shared.height() * 10 >= lower * 6
    };
    match lines.iter_mut().find(|other| same(other)) {
        Some(other) => {
            let (a, b) = (other.bounds, line.bounds);
            other.bounds =
                Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom));
            other.score = other.score.max(line.score);
        }
        None => lines.push(line),
    }
}

/// Areas that cover the picture, each at most [`LONGEST_TILE`] long.
fn tiles(size: Size) -> Vec<Rect> {
    let (width, height) = (size.width as usize, size.height as usize);
    let mut areas = Vec::new();
    for (top, bottom) in stretches(height) {
        for (left, right) in stretches(width) {
            areas.push(Rect::new(left as i32, top as i32, right as i32, bottom as i32));
        }
    }
    areas
}

fn stretches(length: usize) -> Vec<(usize, usize)> {
    // A little more than a tile is cheaper in one piece than in two.
    if length <= LONGEST_TILE + LONGEST_TILE / 4 {
        return if length == 0 { Vec::new() } else { vec![(0, length)] };
    }
    let step = LONGEST_TILE - OVERLAP;
    (0..length.saturating_sub(OVERLAP)).step_by(step).map(|from| (from, (from + LONGEST_TILE).min(length))).collect()
}

/// The area as planes of blue, green and red, (v / 255 − 0.5) / 0.5, its last row and column repeated as padding.
fn planes(picture: &Screenshot, area: Rect, width: usize, height: usize) -> Vec<f32> {
    let rgba = picture.rgba();
    let stride = picture.size().width as usize;
    let mut values = vec![0.0_f32; 3 * width * height];
    let plane = width * height;
    for y in 0..height {
        let source_y = area.top as usize + y.min(area.height() as usize - 1);
        for x in 0..width {
            let source_x = area.left as usize + x.min(area.width() as usize - 1);
            let at = 4 * (source_y * stride + source_x);
            for (channel, offset) in [2, 1, 0].into_iter().enumerate() {
                values[channel * plane + y * width + x] = f32::from(rgba[at + offset]) / 127.5 - 1.0;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_a_picture_and_overlap() {
        assert!(tiles(Size::new(0, 0)).is_empty());
        assert_eq!(tiles(Size::new(1080, 352)), [Rect::new(0, 0, 1080, 352)]);
        let tall = tiles(Size::new(1080, 2400));
        assert!(tall.iter().all(|tile| tile.width() == 1080 && tile.height() <= 960), "{tall:?}");
        assert_eq!(tall.iter().map(|tile| tile.bottom).max(), Some(2400));
        assert!(tall.windows(2).all(|pair| pair[0].bottom - pair[1].top >= OVERLAP as i32), "{tall:?}");
    }

    #[test]
    fn a_line_cut_by_two_tiles_is_one() {
        let line = |left, right| TextLine { bounds: Rect::new(left, 100, right, 140), score: 0.9 };
        let mut lines = vec![line(0, 500)];
        join(&mut lines, line(450, 900));
        join(&mut lines, TextLine { bounds: Rect::new(0, 200, 500, 240), score: 0.8 });
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].bounds, Rect::new(0, 100, 900, 140));
    }

    #[test]
    fn planes_are_blue_green_red_and_padded_with_the_edge() {
        let picture = Screenshot::new(Size::new(2, 1), vec![255, 0, 0, 255, 0, 0, 255, 255]).unwrap();
        let values = planes(&picture, Rect::new(0, 0, 2, 1), 3, 2);
        assert_eq!(values.len(), 18);
        // Blue: none, full, and full again as padding.
        assert_eq!(&values[..3], &[-1.0, 1.0, 1.0]);
        assert_eq!(&values[12..15], &[1.0, -1.0, -1.0]);
    }
}
