//! Text shaping and glyph images, from the bundled fonts only, so that pixels are the same on every machine.

use cosmic_text::{
    Attrs, Buffer, CacheKey, Ellipsize, EllipsizeHeightLimit, Family, FontSystem, Metrics, Shaping, SwashCache, Weight,
    Wrap, fontdb,
};
use lru::LruCache;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

const REGULAR: &[u8] = include_bytes!("../fonts/Roboto-Regular.ttf");
const MEDIUM: &[u8] = include_bytes!("../fonts/Roboto-Medium.ttf");
/// Shaped texts kept for reuse; a screen has about a hundred.
const KEPT_TEXTS: usize = 4096;
/// Glyph images kept before the cache is emptied: about 20 MB at most.
const KEPT_GLYPHS: usize = 8192;

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
}

/// A glyph at its place relative to the text's top left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// What to draw.
    pub image: CacheKey,
    /// Pen position, whole pixels.
    pub x: i32,
    /// Base line, whole pixels.
    pub y: i32,
    /// First byte of its cluster in the text.
    pub byte: usize,
    /// Left edge of its cell.
    pub left: f32,
    /// Right edge of its cell.
    pub right: f32,
}

/// A line of a shaped text.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Top, pixels below the text's top.
    pub top: f32,
    /// Height.
    pub height: f32,
    /// Base line below the text's top.
    pub baseline: f32,
    /// Width.
    pub width: f32,
    /// Its glyphs.
    pub glyphs: Range<usize>,
}

/// A shaped text.
#[derive(Debug, Default)]
pub(super) struct Shaped {
    /// Width of the widest line.
    pub width: f32,
    /// Height of all lines.
    pub height: f32,
    /// Lines from top to bottom.
    pub lines: Vec<Line>,
    /// All glyphs in visual order.
    pub glyphs: Vec<Glyph>,
}

/// The fonts with their caches. One per process is enough: results do not depend on what it did before.
pub struct Typesetter {
    inner: Mutex<Inner>,
}

struct Inner {
    fonts: FontSystem,
    glyphs: SwashCache,
    shaped: LruCache<ShapeKey, Arc<Shaped>>,
}

/// A glyph's coverage.
pub(super) struct GlyphImage<'a> {
    /// Pixels from the pen position to the left edge.
    pub left: i32,
    /// Pixels from the base line up to the top edge.
    pub top: i32,
    /// Width.
    pub width: usize,
    /// One byte a pixel, row by row.
    pub coverage: &'a [u8],
}

impl Typesetter {
    /// The process's typesetter.
    pub fn shared() -> Arc<Self> {
        static SHARED: OnceLock<Arc<Typesetter>> = OnceLock::new();
        Arc::clone(SHARED.get_or_init(|| Arc::new(Self::new())))
    }

    fn new() -> Self {
        let mut fonts = fontdb::Database::new();
        for data in [REGULAR, MEDIUM] {
            fonts.load_font_source(fontdb::Source::Binary(Arc::new(data)));
        }
        fonts.set_sans_serif_family("Roboto");
        fonts.set_serif_family("Roboto");
        fonts.set_monospace_family("Roboto");
        let kept = NonZeroUsize::new(KEPT_TEXTS).unwrap_or(NonZeroUsize::MIN);
        Self {
            inner: Mutex::new(Inner {
                fonts: FontSystem::new_with_locale_and_db("en-US".to_owned(), fonts),
                glyphs: SwashCache::new(),
                shaped: LruCache::new(kept),
            }),
        }
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
        };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shaped) = inner.shaped.get(&key) {
            return Arc::clone(shaped);
        }
        let shaped = Arc::new(shape(&mut inner.fonts, text, face, width, max_lines, wrap));
        inner.shaped.put(key, Arc::clone(&shaped));
        shaped
    }

    /// Calls `draw` with each glyph's number and image.
    pub(super) fn images(&self, shaped: &Shaped, mut draw: impl FnMut(usize, &Glyph, GlyphImage<'_>)) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { fonts, glyphs, .. } = &mut *inner;
        if glyphs.image_cache.len() > KEPT_GLYPHS {
            glyphs.image_cache.clear();
        }
        for (at, glyph) in shaped.glyphs.iter().enumerate() {
            let Some(image) = glyphs.get_image(fonts, glyph.image) else { continue };
            // The bundled fonts have outlines only; colour bitmaps do not occur.
            if image.content == cosmic_text::SwashContent::Mask {
                draw(
                    at,
                    glyph,
                    GlyphImage {
                        left: image.placement.left,
                        top: image.placement.top,
                        width: image.placement.width as usize,
                        coverage: &image.data,
                    },
                );
            }
        }
    }
}

fn shape(
    fonts: &mut FontSystem,
    text: &str,
    face: Face,
    width: Option<f32>,
    max_lines: Option<usize>,
    wrap: Wrap,
) -> Shaped {
    let mut buffer = Buffer::new_empty(Metrics::new(face.size.max(1.0), face.line_height.max(1.0)));
    buffer.set_wrap(wrap);
    if let Some(lines) = max_lines {
        buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(lines)));
    }
    buffer.set_size(width.map(|w| w.max(1.0)), None);
    let weight = if face.medium { Weight::MEDIUM } else { Weight::NORMAL };
    let attrs = Attrs::new().family(Family::Name("Roboto")).weight(weight);
    buffer.set_text(text, &attrs, Shaping::Advanced, None);
    buffer.shape_until_scroll(fonts, false);

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
                x: physical.x,
                y: physical.y,
                byte: start + glyph.start,
                left: glyph.x,
                right: glyph.x + glyph.w,
            });
        }
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
mod tests {
    use super::*;

    const FACE: Face = Face { size: 40.0, line_height: 52.0, medium: false };

    #[test]
    fn a_long_text_wraps_within_its_width() {
        let typesetter = Typesetter::shared();
        let text = "I have read and agree to the Card Service Agreement";
        let one = typesetter.shape(text, FACE, None, None);
        assert_eq!(one.lines.len(), 1);
        let wrapped = typesetter.shape(text, FACE, Some(400.0), None);
        assert!(wrapped.lines.len() >= 3);
        assert!(wrapped.width <= 400.0);
        let cut = typesetter.shape(text, FACE, Some(400.0), Some(1));
        assert_eq!(cut.lines.len(), 1);
        assert!(cut.width <= 400.0);
    }

    #[test]
    fn medium_is_another_face_than_regular() {
        let typesetter = Typesetter::shared();
        let regular = typesetter.shape("Transfer", FACE, None, None);
        let medium = typesetter.shape("Transfer", Face { medium: true, ..FACE }, None, None);
        assert_ne!(regular.glyphs[0].image.font_id, medium.glyphs[0].image.font_id);
    }
}
