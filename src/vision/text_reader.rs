//! Reading the texts of pictures, with models that are opened when the first text is to be read. What was read is
//! remembered by the pixels it was read from: a screen is looked at many times between two changes.

use super::shrink::{pixels_of, shrunk, shrunk_to};
use crate::domain::{Rect, Screenshot, Size};
use crate::inference::{OcrError, ReadText, TextDetector, TextRecognizer};
use lru::LruCache;
use sha2::{Digest, Sha256};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Pictures whose lines are remembered, and lines whose texts are: some screens full. A picture costs its lines' boxes,
/// a line its text, so both together stay well under a mebibyte.
const REMEMBERED: (NonZeroUsize, NonZeroUsize) = (at_least_one(128), at_least_one(1024));
/// Most pixels in which lines are looked for: a display of 3840 × 2160 at half the scale. Larger pictures are made
/// smaller, so that a look's work is bounded.
pub(super) const MOST_PIXELS: u64 = 2_100_000;

const fn at_least_one(count: usize) -> NonZeroUsize {
    match NonZeroUsize::new(count) {
        Some(count) => count,
        None => NonZeroUsize::MIN,
    }
}

/// The models: one finds lines, one reads them.
pub type TextModels = (Arc<dyn TextDetector>, Arc<dyn TextRecognizer>);

/// Finds and reads texts in pictures. The models are opened at the first use, and never where no picture asks for it.
pub struct TextReader {
    open: Box<dyn Fn() -> Result<TextModels, String> + Send + Sync>,
    opened: OnceLock<Result<TextModels, String>>,
    found: Memory<Vec<Rect>>,
    read: Memory<ReadText>,
}

/// What a model said, by a hash of all that it was shown.
type Memory<T> = Mutex<LruCache<[u8; 32], T>>;

impl fmt::Debug for TextReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader").field("opened", &self.opened.get().map(Result::is_ok)).finish_non_exhaustive()
    }
}

impl TextReader {
    /// A reader that opens its models with `open`; the error says what is missing and what to do.
    pub fn lazy(open: impl Fn() -> Result<TextModels, String> + Send + Sync + 'static) -> Self {
        let (pictures, lines) = REMEMBERED;
        Self {
            open: Box::new(open),
            opened: OnceLock::new(),
            found: Mutex::new(LruCache::new(pictures)),
            read: Mutex::new(LruCache::new(lines)),
        }
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
        let keys: Vec<[u8; 32]> = areas.iter().map(|area| hash(picture, *area)).collect();
        let mut texts: Vec<Option<ReadText>> = keys.iter().map(|key| remembered(&self.read, key)).collect();
        let missing: Vec<usize> = (0..areas.len()).filter(|at| texts[*at].is_none()).collect();
        if !missing.is_empty() {
            let unread: Vec<Rect> = missing.iter().map(|at| areas[*at]).collect();
            let read = recognizer.recognize(picture, &unread).map_err(|error: OcrError| error.to_string())?;
            for (at, text) in missing.into_iter().zip(read) {
                remember(&self.read, keys[at], text.clone());
                texts[at] = Some(text);
            }
        }
        Ok(texts.into_iter().flatten().collect())
    }

    /// The lines of a part of a picture, in the part's pixels, looked for at one over `scale` of its size, or less where
    /// that is still too large.
    pub(super) fn lines(&self, picture: &Screenshot, area: Rect, scale: u32) -> Result<Vec<Rect>, String> {
        let (detector, _) = self.models().map_err(str::to_owned)?;
        let Some(area) = picture.clip(area) else { return Ok(Vec::new()) };
        let scale = bounded_scale(Size::new(area.width() as u32, area.height() as u32), scale);
        let mut key = Sha256::new_with_prefix(hash(picture, area));
        key.update(scale.to_le_bytes());
        let key: [u8; 32] = key.finalize().into();
        if let Some(lines) = remembered(&self.found, &key) {
            return Ok(lines);
        }
        let Some(part) = shrunk(picture, area, scale) else { return Ok(Vec::new()) };
        let lines = detector.detect(&part).map_err(|error: OcrError| error.to_string())?;
        let lines: Vec<Rect> = lines.into_iter().map(|line| shrunk_to(line.bounds, scale)).collect();
        remember(&self.found, key, lines.clone());
        Ok(lines)
    }
}

/// `scale`, or what makes a picture of this size small enough to be searched.
pub(super) fn bounded_scale(size: Size, scale: u32) -> u32 {
    let pixels = u64::from(size.width) * u64::from(size.height);
    let scale = u64::from(scale.max(1));
    let most = MOST_PIXELS.saturating_mul(scale * scale);
    if pixels <= most {
        return scale as u32;
    }
    let times = (pixels as f64 / MOST_PIXELS as f64).sqrt().ceil();
    (times as u32).max(scale as u32)
}

fn hash(picture: &Screenshot, area: Rect) -> [u8; 32] {
    let mut hash = Sha256::new();
    // What lies outside the picture is not shown to a model.
    if let Some(area) = picture.clip(area) {
        hash.update(area.width().to_le_bytes());
        hash.update(area.height().to_le_bytes());
        for row in pixels_of(picture, area) {
            hash.update(row);
        }
    }
    hash.finalize().into()
}

fn remembered<T: Clone>(memory: &Memory<T>, key: &[u8; 32]) -> Option<T> {
    memory.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
}

fn remember<T>(memory: &Memory<T>, key: [u8; 32], value: T) {
    memory.lock().unwrap_or_else(PoisonError::into_inner).put(key, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::TextLine;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts what it is asked, and remembers the largest picture it saw.
    #[derive(Default)]
    struct Counting {
        searched: AtomicUsize,
        read: AtomicUsize,
        largest: AtomicUsize,
    }

    impl TextDetector for Counting {
        fn detect(&self, picture: &Screenshot) -> Result<Vec<TextLine>, OcrError> {
            self.searched.fetch_add(1, Ordering::Relaxed);
            self.largest.fetch_max(picture.rgba().len() / 4, Ordering::Relaxed);
            Ok(vec![TextLine { bounds: Rect::new(10, 20, 30, 40), score: 0.9 }])
        }
    }

    impl TextRecognizer for Counting {
        fn recognize(&self, _: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, OcrError> {
            self.read.fetch_add(areas.len(), Ordering::Relaxed);
            let text = |area: &Rect| ReadText { text: area.to_string(), confidence: 0.9, positions: Vec::new() };
            Ok(areas.iter().map(text).collect())
        }
    }

    fn reader() -> (Arc<Counting>, TextReader) {
        let models = Arc::new(Counting::default());
        (Arc::clone(&models), TextReader::new(models.clone(), models))
    }

    /// A picture whose pixels all differ.
    fn noise(size: Size, salt: u32) -> Screenshot {
        let pixels = size.width * size.height;
        let pixels = (0..pixels).flat_map(|at| (at * 31 + salt).to_le_bytes()).collect::<Vec<u8>>();
        Screenshot::new(size, pixels).expect("a picture")
    }

    #[test]
    fn an_unchanged_picture_costs_no_model_call_and_a_changed_one_does() {
        let (models, reader) = reader();
        let (size, areas) = (Size::new(200, 100), [Rect::new(0, 0, 50, 20), Rect::new(0, 40, 50, 60)]);
        let whole = Rect::new(0, 0, 200, 100);
        let look = |picture: &Screenshot| (reader.lines(picture, whole, 1), reader.read(picture, &areas));
        let counts = || (models.searched.load(Ordering::Relaxed), models.read.load(Ordering::Relaxed));
        let first = look(&noise(size, 0));
        assert_eq!(counts(), (1, 2));
        assert_eq!(look(&noise(size, 0)), first);
        assert_eq!(counts(), (1, 2), "the same pixels, in another picture");
        look(&noise(size, 7)).0.expect("searched");
        assert_eq!(counts(), (2, 4));
        // One line changes: it alone is read again.
        let mut pixels = noise(size, 0).rgba().to_vec();
        pixels[4 * 200 * 50] ^= 1;
        look(&Screenshot::new(size, pixels).expect("a picture")).1.expect("read");
        assert_eq!(counts(), (3, 5));
    }

    #[test]
    fn a_huge_picture_is_searched_at_a_scale_that_bounds_the_work() {
        let (models, reader) = reader();
        let size = Size::new(1500, 1500);
        let lines = reader.lines(&Screenshot::blank(size), Rect::new(0, 0, 1500, 1500), 1).expect("searched");
        assert!(models.largest.load(Ordering::Relaxed) as u64 <= MOST_PIXELS);
        assert_eq!(lines, [Rect::new(20, 40, 60, 80)], "boxes are in the picture's own pixels");
        assert_eq!(bounded_scale(Size::new(1080, 2400), 2), 2);
        assert_eq!(bounded_scale(Size::new(400, 800), 1), 1);
    }
}
