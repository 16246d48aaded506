//! Reading the texts of pictures, with models that are opened when the first text is to be read.

use crate::domain::{Rect, Screenshot};
use crate::inference::{OcrError, ReadText, TextDetector, TextRecognizer};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The models: one finds lines, one reads them.
pub type TextModels = (Arc<dyn TextDetector>, Arc<dyn TextRecognizer>);

/// Finds and reads texts in pictures. The models are opened at the first use, and never where no picture asks for it.
pub struct TextReader {
    open: Box<dyn Fn() -> Result<TextModels, String> + Send + Sync>,
    opened: OnceLock<Result<TextModels, String>>,
}

impl fmt::Debug for TextReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader").field("opened", &self.opened.get().map(Result::is_ok)).finish_non_exhaustive()
    }
}

impl TextReader {
    /// A reader that opens its models with `open`; the error says what is missing and what to do.
    pub fn lazy(open: impl Fn() -> Result<TextModels, String> + Send + Sync + 'static) -> Self {
        Self { open: Box::new(open), opened: OnceLock::new() }
    }

    /// A reader with models.
    pub fn new(detector: Arc<dyn TextDetector>, recognizer: Arc<dyn TextRecognizer>) -> Self {
        Self::lazy(move || Ok((Arc::clone(&detector), Arc::clone(&recognizer))))
    }

    /// The models.
    ///
    /// # Errors
    /// Why they could not be opened.
    pub fn models(&self) -> Result<&TextModels, &str> {
        self.opened.get_or_init(|| (self.open)()).as_ref().map_err(String::as_str)
    }

    /// Why the models could not be opened, where that was tried.
    pub fn failure(&self) -> Option<&str> {
        self.opened.get().and_then(|opened| opened.as_ref().err()).map(String::as_str)
    }

    /// What stands in each area.
    pub(super) fn read(&self, picture: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, String> {
        let (_, recognizer) = self.models().map_err(str::to_owned)?;
        recognizer.recognize(picture, areas).map_err(|error: OcrError| error.to_string())
    }

    /// The lines of a picture and what they say.
    pub(super) fn lines(&self, picture: &Screenshot) -> Result<Vec<Rect>, String> {
        let (detector, _) = self.models().map_err(str::to_owned)?;
        let lines = detector.detect(picture).map_err(|error: OcrError| error.to_string())?;
        Ok(lines.into_iter().map(|line| line.bounds).collect())
    }
}
