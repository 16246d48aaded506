//! Drawing primitives: shapes by tiny-skia, glyphs by the typesetter, both cut to a clip rectangle.

use super::file::IconName;
use super::icon::{self, Part};
use super::palette::Rgba;
use super::scene::{Surface, TextBlock};
use super::typesetter::{Ink, Typesetter};
use crate::domain::{Rect, Screenshot, Size};
use tiny_skia::{FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// A picture in the making. Opaque from the start, so that its bytes are plain RGBA in the end.
pub(super) struct Canvas<'t> {
    pixels: Pixmap,
    size: Size,
    typesetter: &'t Typesetter,
    clip: Rect,
    mask: Option<(Rect, Mask)>,
}

impl<'t> Canvas<'t> {
    /// A black picture; `None` when a side is zero.
    pub(super) fn new(size: Size, typesetter: &'t Typesetter) -> Option<Self> {
        let mut pixels = Pixmap::new(size.width, size.height)?;
        pixels.fill(tiny_skia::Color::BLACK);
        Some(Self { pixels, size, typesetter, clip: size.rect(), mask: None })
    }

    /// A picture to be drawn over.
    pub(super) fn over(picture: &Screenshot, typesetter: &'t Typesetter) -> Option<Self> {
        let size = picture.size();
        let mut pixels = Pixmap::new(size.width, size.height)?;
        pixels.data_mut().copy_from_slice(picture.rgba());
        Some(Self { pixels, size, typesetter, clip: size.rect(), mask: None })
    }

    /// The picture.
    pub(super) fn finish(self) -> Option<Screenshot> {
        Screenshot::new(self.size, self.pixels.take())
    }

    /// Everything drawn from now on stays within `clip`.
    pub(super) fn set_clip(&mut self, clip: Rect) {
        self.clip = clip.intersection(self.size.rect()).unwrap_or_default();
    }

    /// Nothing is cut off any more.
    pub(super) fn clear_clip(&mut self) {
        self.clip = self.size.rect();
    }

    /// Prepares the mask for a shape that reaches beyond the clip; false when nothing of it would be seen.
    fn needs_mask(&mut self, left: f32, top: f32, right: f32, bottom: f32) -> Option<bool> {
        let c = self.clip;
        if right <= c.left as f32 || left >= c.right as f32 || bottom <= c.top as f32 || top >= c.bottom as f32 {
            return None;
        }
        let inside =
            left >= c.left as f32 && right <= c.right as f32 && top >= c.top as f32 && bottom <= c.bottom as f32;
        if inside || c == self.size.rect() {
            return Some(false);
        }
        if self.mask.as_ref().is_none_or(|(rect, _)| *rect != c) {
            let mut mask = Mask::new(self.size.width, self.size.height)?;
            let rect = tiny_skia::Rect::from_ltrb(c.left as f32, c.top as f32, c.right as f32, c.bottom as f32)?;
            mask.fill_path(&PathBuilder::from_rect(rect), FillRule::Winding, false, Transform::identity());
            self.mask = Some((c, mask));
        }
        Some(true)
    }

    /// Fills a path.
    pub(super) fn fill(&mut self, path: &Path, color: Rgba) {
        self.fill_by(path, color, FillRule::Winding);
    }

    fn fill_by(&mut self, path: &Path, color: Rgba, rule: FillRule) {
        let b = path.bounds();
        let Some(masked) = self.needs_mask(b.left(), b.top(), b.right(), b.bottom()) else { return };
        let mask = self.mask.take();
        let used = mask.as_ref().filter(|_| masked).map(|(_, m)| m);
        self.pixels.fill_path(path, &paint(color), rule, Transform::identity(), used);
        self.mask = mask;
    }

    /// Draws a path as a line.
    pub(super) fn stroke(&mut self, path: &Path, width: f32, color: Rgba, transform: Transform) {
        let Some(placed) = path.clone().transform(transform) else { return };
        let b = placed.bounds();
        let half = width;
        let Some(masked) = self.needs_mask(b.left() - half, b.top() - half, b.right() + half, b.bottom() + half) else {
            return;
        };
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        let mask = self.mask.take();
        let used = mask.as_ref().filter(|_| masked).map(|(_, m)| m);
        self.pixels.stroke_path(&placed, &paint(color), &stroke, Transform::identity(), used);
        self.mask = mask;
    }

    /// A plain rectangle.
    pub(super) fn rect(&mut self, rect: Rect, color: Rgba) {
        let Some(rect) = rect.intersection(self.clip) else { return };
        let shape =
            tiny_skia::Rect::from_ltrb(rect.left as f32, rect.top as f32, rect.right as f32, rect.bottom as f32);
        if let Some(shape) = shape {
            let paint = Paint { anti_alias: false, ..paint(color) };
            self.pixels.fill_rect(shape, &paint, Transform::identity(), None);
        }
    }

    /// A circle.
    pub(super) fn circle(&mut self, x: f32, y: f32, radius: f32, color: Rgba) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            self.fill(&path, color);
        }
    }

    /// A line of given width along a notation-free path.
    pub(super) fn outline(&mut self, path: &Path, width: f32, color: Rgba) {
        self.stroke(path, width, color, Transform::identity());
    }

    /// Shadow, fill and border of a box.
    #[expect(clippy::many_single_char_names, reason = "the usual letters of geometry")]
    pub(super) fn surface(&mut self, bounds: Rect, surface: &Surface) {
        if bounds.is_empty() {
            return;
        }
        let (x, y) = (bounds.left as f32, bounds.top as f32);
        let (w, h) = (bounds.width() as f32, bounds.height() as f32);
        if surface.elevation > 0.0 {
            // What the box itself will cover is left out: blending large areas is what costs time.
            let inset = surface.radius.max(1.0) * 0.3;
            let hole = tiny_skia::Rect::from_xywh(x + inset, y + inset, w - 2.0 * inset, h - 2.0 * inset);
            let hole = hole.filter(|_| surface.fill[3] == 255).map(PathBuilder::from_rect);
            for step in [1.0_f32, 0.66, 0.33] {
                let grow = surface.elevation * step;
                let radius = surface.radius + grow;
                let Some(shadow) = icon::rounded(x - grow, y - grow * 0.4, w + 2.0 * grow, h + 1.6 * grow, [radius; 4])
                else {
                    continue;
                };
                let mut path = PathBuilder::new();
                path.push_path(&shadow);
                if let Some(hole) = &hole {
                    path.push_path(hole);
                }
                if let Some(path) = path.finish() {
                    self.fill_by(&path, [0x20, 0x24, 0x30, 9], FillRule::EvenOdd);
                }
            }
        }
        if surface.radius <= 0.0 && surface.border.is_none() {
            if surface.fill[3] > 0 {
                self.rect(bounds, surface.fill);
            }
            return;
        }
        let r = surface.radius;
        let radii = if surface.top_only { [r, r, 0.0, 0.0] } else { [r; 4] };
        if surface.fill[3] > 0
            && let Some(path) = icon::rounded(x, y, w, h, radii)
        {
            self.fill(&path, surface.fill);
        }
        if let Some((color, width)) = surface.border {
            let half = width / 2.0;
            if let Some(path) = icon::rounded(x + half, y + half, w - width, h - width, radii.map(|r| r - half)) {
                self.outline(&path, width, color);
            }
        }
    }

    /// An icon filling a square of `size` pixels at (`x`, `y`).
    pub(super) fn icon(&mut self, icon: IconName, x: f32, y: f32, size: f32, color: Rgba) {
        self.icon_facing(icon, (x, y), size, color, false);
    }

    /// An icon; arrows and what else has a direction are turned over where text runs from right to left.
    pub(super) fn icon_facing(&mut self, icon: IconName, (x, y): (f32, f32), size: f32, color: Rgba, mirrored: bool) {
        let scale = size / 24.0;
        let transform = if mirrored && icon::has_direction(icon) {
            Transform::from_row(-scale, 0.0, 0.0, scale, x + size, y)
        } else {
            Transform::from_row(scale, 0.0, 0.0, scale, x, y)
        };
        for part in super::icon_shapes::parts(icon) {
            match part {
                Part::Stroke(notation) => {
                    if let Some(path) = icon::path(notation) {
                        self.stroke(&path, 1.9 * scale, color, transform);
                    }
                }
                Part::Fill(notation) => {
                    if let Some(path) = icon::path(notation).and_then(|p| p.transform(transform)) {
                        self.fill(&path, color);
                    }
                }
            }
        }
    }

    /// A text in a box of the given width with its top left corner at (`left`, `top`).
    pub(super) fn text(&mut self, block: &TextBlock, left: f32, top: f32, width: f32) {
        let shaped = std::sync::Arc::clone(&block.shaped);
        let top = top.round() as i32;
        // Per line: its glyphs are placed at whole pixels from its own left edge.
        let mut origins = vec![0; shaped.glyphs.len()];
        for (at, line) in shaped.lines.iter().enumerate() {
            let x = block.line_left(at, left, width).round() as i32;
            origins[line.glyphs.clone()].fill(x);
        }
        let color_of = |byte: usize| {
            block.links.iter().find(|link| link.bytes.contains(&byte)).map_or(block.color, |link| link.color)
        };
        let clip = self.clip;
        let stride = self.size.width as usize;
        let data = self.pixels.data_mut();
        self.typesetter.images(&shaped, |at, glyph, image| {
            let x = origins.get(at).copied().unwrap_or(0) + glyph.x + image.left;
            let y = top + glyph.y - image.top;
            blend(data, stride, clip, (x, y), &image, color_of(glyph.byte));
        });
        for link in block.links.iter().filter(|l| l.underline) {
            for (at, line) in shaped.lines.iter().enumerate() {
                let x = block.line_left(at, left, width);
                for (from, to) in shaped.spans(at, &link.bytes) {
                    let y = top + (line.baseline + block.face.size * 0.11).round() as i32;
                    let thick = (block.face.size / 16.0).round().max(1.0) as i32;
                    self.rect(Rect::new((x + from) as i32, y, (x + to) as i32, y + thick), link.color);
                }
            }
        }
    }
}

/// A black picture, for a display without pixels to draw on.
pub(super) fn blank(size: Size) -> Screenshot {
    let bytes = 4 * size.width as usize * size.height as usize;
    // The number of bytes fits by construction; an empty picture always does.
    Screenshot::new(size, vec![0; bytes])
        .or_else(|| Screenshot::new(Size::new(0, 0), Vec::new()))
        .unwrap_or_else(|| unreachable!("an empty picture has no bytes"))
}

fn paint(color: Rgba) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color[0], color[1], color[2], color[3]);
    paint
}

fn blend(
    data: &mut [u8],
    stride: usize,
    clip: Rect,
    (x, y): (i32, i32),
    image: &super::typesetter::GlyphImage<'_>,
    color: Rgba,
) {
    let (bytes, pixels) = match &image.ink {
        Ink::Mask(coverage) => (1, *coverage),
        Ink::Picture(pixels) => (4, *pixels),
    };
    if image.width == 0 {
        return;
    }
    for (row, ink) in pixels.chunks_exact(image.width * bytes).enumerate() {
        let py = y + row as i32;
        if py < clip.top || py >= clip.bottom {
            continue;
        }
        let from = (clip.left - x).clamp(0, image.width as i32) as usize;
        let to = (clip.right - x).clamp(0, image.width as i32) as usize;
        if from >= to {
            continue;
        }
        let start = 4 * (py as usize * stride + (x + from as i32) as usize);
        let Some(under) = data.get_mut(start..start + 4 * (to - from)) else { continue };
        let under = under.chunks_exact_mut(4);
        match &image.ink {
            Ink::Mask(_) => under.zip(&ink[from..to]).for_each(|(pixel, cover)| lay_over(pixel, color, *cover)),
            Ink::Picture(_) => under.zip(ink[4 * from..4 * to].chunks_exact(4)).for_each(|(pixel, picture)| {
                if let [r, g, b, a] = *picture {
                    lay_over(pixel, [r, g, b, color[3]], a);
                }
            }),
        }
    }
}

/// Lays a colour over a pixel.
fn lay_over(pixel: &mut [u8], color: Rgba, cover: u8) {
    let alpha = u32::from(cover) * u32::from(color[3]) / 255;
    match alpha {
        0 => {}
        255 => pixel[..3].copy_from_slice(&color[..3]),
        _ => {
            for (channel, &ink) in pixel.iter_mut().zip(&color[..3]) {
                *channel = ((u32::from(ink) * alpha + u32::from(*channel) * (255 - alpha) + 127) / 255) as u8;
            }
        }
    }
}
