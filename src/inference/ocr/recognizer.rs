//! PP-OCR's recognizer: lines in, texts out.

use super::best_path::best_path;
use super::{OcrError, ReadText, TextRecognizer};
use crate::domain::{Rect, Screenshot};
use crate::inference::{InferenceError, Runtime};
use image::imageops::{FilterType, resize};
use image::{Rgb, RgbImage};
use ort::session::Session;
use ort::value::TensorRef;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Height of a line for the network.
const HEIGHT: u32 = 48;
/// The network reads in steps of eight columns.
const COLUMNS: u32 = 8;
/// Lines wider than this, columns after scaling, are squeezed: memory stays bounded.
const WIDEST: u32 = 3200;

/// A text recognition model in an ONNX session: input `[N, 3, 48, W]` (blue, green, red; −1…1), output `[N, T, C]`
/// probabilities of characters. Its characters stand in the model's metadata under `character`.
#[derive(Debug)]
pub struct OnnxTextRecognizer {
    session: Mutex<Session>,
    input: String,
    output: String,
    characters: Vec<String>,
}

impl OnnxTextRecognizer {
    /// Loads the model.
    ///
    /// # Errors
    /// The file is missing, or no recognition model, or it does not say its characters.
    pub fn open(runtime: &Runtime, model: &Path, threads: usize) -> Result<Self, InferenceError> {
        let (session, input, output) = runtime.ocr_session(model, threads)?;
        let listed = session.metadata().ok().and_then(|metadata| metadata.custom("character"));
        let listed = listed.ok_or_else(|| InferenceError::ModelShape {
            model: "text recognition".to_owned(),
            path: model.to_path_buf(),
            reason: "its metadata has no `character` list".to_owned(),
        })?;
        // Class 0 is the blank; a space comes last.
        let mut characters = vec![String::new()];
        characters.extend(listed.split('\n').map(|line| line.trim_end_matches('\r').to_owned()));
        characters.push(" ".to_owned());
        Ok(Self { session: Mutex::new(session), input, output, characters })
    }

    fn read(&self, line: &RgbImage) -> Result<ReadText, OcrError> {
        let failed = |reason: String| OcrError { stage: "recognition", reason };
        let values = planes(line);
        let shape = [1, 3, line.height() as usize, line.width() as usize];
        let tensor =
            TensorRef::from_array_view((shape, values.as_slice())).map_err(|error| failed(error.to_string()))?;
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs =
            session.run(ort::inputs![self.input.as_str() => tensor]).map_err(|error| failed(error.to_string()))?;
        let output = outputs.get(self.output.as_str()).ok_or_else(|| failed("its output is missing".to_owned()))?;
        let (shape, probabilities) = output.try_extract_tensor::<f32>().map_err(|error| failed(error.to_string()))?;
        let classes = shape.last().copied().unwrap_or(0);
        if usize::try_from(classes) != Ok(self.characters.len()) {
            let known = self.characters.len();
            return Err(failed(format!("it gives {classes} characters a step, its metadata lists {known}")));
        }
        Ok(best_path(probabilities, &self.characters))
    }
}

impl TextRecognizer for OnnxTextRecognizer {
    fn recognize(&self, picture: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, OcrError> {
        // One by one: padding lines of different lengths to one width costs more than it saves on two cores.
        areas
            .iter()
            .map(|area| match scaled(picture, *area) {
                Some(line) => self.read(&line),
                None => Ok(ReadText { text: String::new(), confidence: 0.0, positions: Vec::new() }),
            })
            .collect()
    }
}

/// The area, 48 pixels high. `None` outside the picture.
fn scaled(picture: &Screenshot, area: Rect) -> Option<RgbImage> {
    let area = picture.clip(area).filter(|area| !area.is_empty())?;
    let line = RgbImage::from_fn(area.width() as u32, area.height() as u32, |x, y| {
        Rgb(picture.rgb(area.left as u32 + x, area.top as u32 + y).unwrap_or_default())
    });
    let width = (area.width() as f32 * HEIGHT as f32 / area.height() as f32).ceil() as u32;
    let width = width.clamp(COLUMNS, WIDEST).next_multiple_of(COLUMNS);
    Some(resize(&line, width, HEIGHT, FilterType::Triangle))
}

/// Planes of blue, green and red, (v / 255 − 0.5) / 0.5.
fn planes(line: &RgbImage) -> Vec<f32> {
    [2, 1, 0]
        .into_iter()
        .flat_map(|channel: usize| line.pixels().map(move |pixel| f32::from(pixel.0[channel]) / 127.5 - 1.0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;

    #[test]
    fn a_line_keeps_its_proportions_up_to_a_bound() {
        let picture = Screenshot::blank(Size::new(400, 100));
        let size = |area| scaled(&picture, area).map(|line| line.dimensions());
        assert_eq!(size(Rect::new(0, 0, 200, 24)), Some((400, 48)));
        assert_eq!(size(Rect::new(0, 0, 400, 1)), Some((WIDEST, 48)));
        assert_eq!(size(Rect::new(500, 0, 600, 24)), None);
        assert_eq!(size(Rect::new(350, 0, 600, 24)), Some((104, 48)), "what lies outside is cut off");
    }
}
