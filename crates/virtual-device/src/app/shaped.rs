//! A shaped text: where its glyphs, lines, spans and cursor positions lie.

use cosmic_text::CacheKey;
use std::ops::Range;

/// A glyph at its place relative to the text's top left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// What to draw.
    pub image: CacheKey,
    /// To be drawn bolder than its face is.
    pub bolder: bool,
    /// Pen position, whole pixels.
    pub x: i32,
    /// Base line, whole pixels.
    pub y: i32,
    /// First byte of its cluster in the text.
    pub byte: usize,
    /// First byte behind its cluster.
    pub end: usize,
    /// Left edge of its cell.
    pub left: f32,
    /// Right edge of its cell.
    pub right: f32,
    /// It belongs to a word that runs from right to left.
    pub rtl: bool,
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
    /// All glyphs, those of a line from left to right.
    pub glyphs: Vec<Glyph>,
}

impl Shaped {
    /// The stretches from left to right that a range of bytes takes on a line: one, or more where both directions of
    /// reading meet.
    pub(super) fn spans(&self, line: usize, bytes: &Range<usize>) -> Vec<(f32, f32)> {
        let Some(line) = self.lines.get(line) else { return Vec::new() };
        let mut spans: Vec<(f32, f32)> = Vec::new();
        let mut adjoining = false;
        for glyph in &self.glyphs[line.glyphs.clone()] {
            // Clusters are drawn as a whole and so belong as a whole to where they begin.
            if !bytes.contains(&glyph.byte) {
                adjoining = false;
                continue;
            }
            match spans.last_mut() {
                Some(span) if adjoining => *span = (span.0.min(glyph.left), span.1.max(glyph.right)),
                _ => spans.push((glyph.left, glyph.right)),
            }
            adjoining = true;
        }
        spans.retain(|(from, to)| from < to);
        spans
    }

    /// Where on the first line the cursor stands before the character at `byte`.
    pub(super) fn cursor(&self, byte: usize, text: &str) -> f32 {
        let Some(line) = self.lines.first() else { return 0.0 };
        let glyphs = &self.glyphs[line.glyphs.clone()];
        let Some(last) = glyphs.iter().max_by_key(|glyph| glyph.end) else { return 0.0 };
        let Some(at) = glyphs.iter().find(|glyph| (glyph.byte..glyph.end).contains(&byte)) else {
            return if last.rtl { last.left } else { last.right };
        };
        let cluster = glyphs.iter().filter(|glyph| glyph.byte == at.byte);
        let (from, to) = cluster.fold((f32::MAX, f32::MIN), |(from, to), g| (from.min(g.left), to.max(g.right)));
        // Within a ligature each character has its share of the width.
        let characters = |range: Range<usize>| text.get(range).map_or(0, |part| part.chars().count());
        let share = characters(at.byte..byte) as f32 / characters(at.byte..at.end).max(1) as f32;
        if at.rtl { to - share * (to - from) } else { from + share * (to - from) }
    }

    /// The character boundary, in bytes, whose cursor position on the first line is nearest to `x`.
    pub(super) fn byte_at(&self, x: f32, text: &str) -> usize {
        let boundaries = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        boundaries
            .map(|byte| (byte, (self.cursor(byte, text) - x).abs()))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(0, |(byte, _)| byte)
    }
}
