//! Reading texts off a picture: finding lines ([`TextDetector`]) and reading them ([`TextRecognizer`]).
//!
//! Both are seams; what stands behind them is PP-OCR (`detector`, `recognizer`), run at the picture's native scale. A
//! line's place is found on the detector's map of probabilities (`probability_map`), its text is the best path through
//! the recognizer's characters (`best_path`).

mod best_path;
mod detector;
mod probability_map;
mod recognizer;

pub use detector::OnnxTextDetector;
pub use recognizer::OnnxTextRecognizer;

use crate::domain::{Rect, Screenshot};

/// Why a picture could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the text {stage} model could not be run: {reason}")]
pub struct OcrError {
    /// `detection` or `recognition`.
    pub stage: &'static str,
    /// What ONNX Runtime said.
    pub reason: String,
}

/// A line of text found in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextLine {
    /// Where it is, in the picture's pixels.
    pub bounds: Rect,
    /// Mean probability of text within it, 0–1.
    pub score: f32,
}

/// A line that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadText {
    /// The text; empty when nothing was recognised.
    pub text: String,
    /// Mean probability of its characters, 0–1.
    pub confidence: f32,
    /// Where each character stands in the line, as a share of its width, 0–1; as long as `text` has characters.
    pub positions: Vec<f32>,
}

/// Finds lines of text.
pub trait TextDetector: Send + Sync {
    /// Lines of upright text, from top to bottom, then from left to right. A picture without pixels has none.
    fn detect(&self, picture: &Screenshot) -> Result<Vec<TextLine>, OcrError>;
}

/// Reads lines of text.
pub trait TextRecognizer: Send + Sync {
    /// What stands in each area of the picture, in order. An area outside the picture reads as nothing.
    fn recognize(&self, picture: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, OcrError>;
}
