//! Text shaping and glyph images, from the bundled fonts only, so that pixels are the same on every machine.

use super::fonts::{Fonts, Han, attributes};
use super::shaped::{Glyph, Line, Shaped};
use cosmic_text::{
    Align, Buffer, CacheKey, Ellipsize, EllipsizeHeightLimit, Metrics, Shaping, SwashCache, SwashContent, SwashImage,
    Wrap,
};
use lru::LruCache;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Shaped texts kept for reuse; a screen has about a hundred.
const KEPT_TEXTS: usize = 4096;
/// Glyph images kept for reuse: about 20 MB at most.
const KEPT_GLYPHS: usize = 8192;
/// Where a line may break although nothing is seen there.
const BREAK: char = '\u{200b}';

/// How a text is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Face {
    /// Pixels per em.
    pub size: f32,
    /// Distance of base lines, pixels.
    pub line_height: f32,
    /// Medium weight.
    pub medium: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct ShapeKey {
    text: String,
    size: u32,
    line_height: u32,
    medium: bool,
    width: Option<u32>,
    max_lines: Option<usize>,
    break_words: bool,
    han: Han,
}

/// The fonts with their caches, as seen from one locale. All of a process's share the same fonts and caches: results do
/// not depend on what they did before.
pub struct Typesetter {
    shared: Arc<Mutex<Shared>>,
    han: Han,
}

struct Shared {
    fonts: Fonts,
    rasterizer: SwashCache,
    glyphs: LruCache<(CacheKey, bool), Option<Arc<SwashImage>>>,
    shaped: LruCache<ShapeKey, Arc<Shaped>>,
}

/// A glyph's pixels.
pub(super) enum Ink<'a> {
    /// One byte of coverage a pixel.
    Mask(&'a [u8]),
    /// Red, green, blue and alpha of each pixel.
    Picture(&'a [u8]),
}

/// A glyph's image, row by row.
pub(super) struct GlyphImage<'a> {
    /// Pixels from the pen position to the left edge.
    pub left: i32,
    /// Pixels from the base line up to the top edge.
    pub top: i32,
    /// Width.
    pub width: usize,
    /// Pixels.
    pub ink: Ink<'a>,
}

impl Typesetter {
    /// The process's typesetter for locales without Han characters of their own.
    pub fn shared() -> Arc<Self> {
        Self::for_locale("en-US")
    }

    /// The process's typesetter for a locale.
    pub fn for_locale(locale: &str) -> Arc<Self> {
        static SHARED: OnceLock<Arc<Mutex<Shared>>> = OnceLock::new();
        let shared = Arc::clone(SHARED.get_or_init(|| Arc::new(Mutex::new(Shared::new()))));
        Arc::new(Self { shared, han: Han::of(locale) })
    }

    /// Sets `text` in lines of at most `width` pixels; at most `max_lines` lines, the last one ending in an ellipsis.
    pub(super) fn shape(&self, text: &str, face: Face, width: Option<f32>, max_lines: Option<usize>) -> Arc<Shaped> {
        self.shape_wrapped(text, face, width, max_lines, Wrap::WordOrGlyph)
    }

    /// The width of the longest word.
    pub(super) fn longest_word(&self, text: &str, face: Face) -> f32 {
        self.shape_wrapped(text, face, Some(1.0), None, Wrap::Word).width
    }

    fn shape_wrapped(
        &self,
        text: &str,
        face: Face,
        width: Option<f32>,
        max_lines: Option<usize>,
        wrap: Wrap,
    ) -> Arc<Shaped> {
        let key = ShapeKey {
            text: text.to_owned(),
            size: face.size.to_bits(),
            line_height: face.line_height.to_bits(),
            medium: face.medium,
            width: width.map(f32::to_bits),
            max_lines,
            break_words: wrap == Wrap::WordOrGlyph,
            han: self.han,
        };
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shaped) = shared.shaped.get(&key) {
            return Arc::clone(shaped);
        }
        let shaped = Arc::new(shape(&mut shared.fonts, &key, face, wrap));
        shared.shaped.put(key, Arc::clone(&shaped));
        shaped
    }

    /// Calls `draw` with each glyph and its image. Drawing happens outside the lock that all devices share.
    pub(super) fn images(&self, shaped: &Shaped, mut draw: impl FnMut(usize, &Glyph, GlyphImage<'_>)) {
        let images: Vec<Option<Arc<SwashImage>>> = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            shaped.glyphs.iter().map(|glyph| shared.image(glyph.image, glyph.bolder)).collect()
        };
        for (at, (glyph, image)) in shaped.glyphs.iter().zip(images).enumerate() {
            let Some(image) = image else { continue };
            let ink = match image.content {
                SwashContent::Color => Ink::Picture(&image.data),
                SwashContent::Mask => Ink::Mask(&image.data),
                // Never asked for.
                SwashContent::SubpixelMask => continue,
            };
            let (left, top, width) = (image.placement.left, image.placement.top, image.placement.width as usize);
            draw(at, glyph, GlyphImage { left, top, width, ink });
        }
    }
}

impl Shared {
    fn new() -> Self {
        let kept = |count| NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
        Self {
            fonts: Fonts::new(),
            rasterizer: SwashCache::new(),
            glyphs: LruCache::new(kept(KEPT_GLYPHS)),
            shaped: LruCache::new(kept(KEPT_TEXTS)),
        }
    }

    fn image(&mut self, key: CacheKey, bolder: bool) -> Option<Arc<SwashImage>> {
        if let Some(image) = self.glyphs.get(&(key, bolder)) {
            return image.clone();
        }
        let image = self.rasterizer.get_image_uncached(self.fonts.system(), key);
        let size = f32::from_bits(key.font_size_bits);
        let image = image.map(|image| Arc::new(if bolder { bolder_image(&image, size) } else { image }));
        self.glyphs.put((key, bolder), image.clone());
        image
    }
}

/// A glyph with strokes about as much wider as those of a medium face are.
fn bolder_image(image: &SwashImage, size: f32) -> SwashImage {
    let mut bolder = image.clone();
    let width = image.placement.width as usize;
    if image.content != SwashContent::Mask || width == 0 {
        return bolder;
    }
    // Every row is laid over itself, moved to the right by a part of a pixel.
    let share = (size / 45.0).clamp(0.2, 1.0);
    bolder.placement.width += 1;
    bolder.data = Vec::with_capacity(image.data.len() + image.placement.height as usize);
    for row in image.data.chunks_exact(width) {
        let moved = [0].iter().chain(row);
        bolder.data.extend(row.iter().chain(&[0]).zip(moved).map(|(here, before)| {
            let added = f32::from(*before) * share;
            f32::from(*here).max(added).round() as u8
        }));
    }
    bolder
}

/// Thai is written without spaces between words. Without a dictionary, lines break between syllables: before a vowel
/// that opens one, behind a sign that closes one.
fn with_breaks(text: &str) -> Cow<'_, str> {
    let thai = |c: char| ('\u{e01}'..='\u{e5b}').contains(&c);
    if !text.chars().any(thai) {
        return Cow::Borrowed(text);
    }
    let mut broken = String::with_capacity(text.len() + 16);
    let mut before = None;
    for character in text.chars() {
        let opens = matches!(character, '\u{e40}'..='\u{e44}');
        let closes = matches!(before, Some('\u{e30}' | '\u{e33}' | '\u{e46}' | '\u{e4c}'));
        let mark = matches!(character, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}');
        if before.is_some_and(thai) && thai(character) && !mark && (opens || closes) {
            broken.push(BREAK);
        }
        broken.push(character);
        before = Some(character);
    }
    Cow::Owned(broken)
}

/// Byte offsets of a text after [`with_breaks`] to those before.
fn unbroken(text: &str, broken: &str) -> Option<Vec<usize>> {
    if text.len() == broken.len() {
        return None;
    }
    let mut places = Vec::with_capacity(broken.len() + 1);
    let mut original = text.chars().peekable();
    let mut at = 0;
    for character in broken.chars() {
        places.extend(std::iter::repeat_n(at, character.len_utf8()));
        if original.next_if_eq(&character).is_some() {
            at += character.len_utf8();
        }
    }
    places.push(at);
    Some(places)
}

fn shape(fonts: &mut Fonts, key: &ShapeKey, face: Face, wrap: Wrap) -> Shaped {
    let text = with_breaks(&key.text);
    let places = unbroken(&key.text, &text);
    let place = |byte: usize| match &places {
        Some(places) => places.get(byte).copied().unwrap_or(key.text.len()),
        None => byte,
    };
    let mut buffer = Buffer::new_empty(Metrics::new(face.size.max(1.0), face.line_height.max(1.0)));
    buffer.set_wrap(wrap);
    if let Some(lines) = key.max_lines {
        buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(lines)));
    }
    buffer.set_size(key.width.map(|width| f32::from_bits(width).max(1.0)), None);
    let runs = fonts.runs(&text, key.han);
    let spans = runs.into_iter().map(|(range, family)| (&text[range], attributes(family, face.medium)));
    // Lines are aligned when they are placed, whichever direction they have.
    buffer.set_rich_text(spans, &attributes("Roboto", face.medium), Shaping::Advanced, Some(Align::Left));
    buffer.shape_until_scroll(fonts.system(), false);

    // Byte offsets of glyphs count from their own paragraph.
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut shaped = Shaped::default();
    for run in buffer.layout_runs() {
        let first = shaped.glyphs.len();
        let start = starts.get(run.line_i).copied().unwrap_or(0);
        for glyph in run.glyphs {
            let physical = glyph.physical((0.0, run.line_y), 1.0);
            shaped.glyphs.push(Glyph {
                image: physical.cache_key,
                bolder: face.medium && fonts.lacks_medium(glyph.font_id),
                x: physical.x,
                y: physical.y,
                byte: place(start + glyph.start),
                end: place(start + glyph.end),
                left: glyph.x,
                right: glyph.x + glyph.w,
                rtl: glyph.level.is_rtl(),
            });
        }
        // Those of a line that begins at the right come from there.
        shaped.glyphs[first..].sort_by(|a, b| a.left.total_cmp(&b.left));
        shaped.lines.push(Line {
            top: run.line_top,
            height: run.line_height,
            baseline: run.line_y,
            width: run.line_w,
            glyphs: first..shaped.glyphs.len(),
        });
        shaped.width = shaped.width.max(run.line_w);
        shaped.height = shaped.height.max(run.line_top + run.line_height);
    }
    shaped
}

#[cfg(test)]
#[path = "typesetter_tests.rs"]
mod tests;
