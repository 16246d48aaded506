//! Drawing primitives: shapes by tiny-skia, glyphs by the typesetter, both cut to a clip rectangle.

use super::file::IconName;
use super::icon::{self, Part};
use super::palette::{Rgba, mix};
use super::scene::{Surface, TextBlock};
use super::typesetter::{Ink, Typesetter};
use crate::domain::{Rect, Screenshot, Size};
use tiny_skia::{FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, PixmapMut, Stroke, Transform};

/// A picture in the making. Opaque from the start, so that its bytes are plain RGBA in the end.
pub(super) struct Canvas<'t> {
    pixels: Pixmap,
    size: Size,
    typesetter: &'t Typesetter,
    clip: Rect,
    /// A box with rounded corners that everything stays within, besides the clip.
    rounding: Option<(Rect, f32)>,
    /// Opacity of everything drawn.
    opacity: f32,
    mask: Option<(Cut, Mask)>,
}

/// What a mask leaves over.
type Cut = (Rect, Option<(Rect, f32)>);

impl<'t> Canvas<'t> {
    /// A black picture; `None` when a side is zero.
    pub(super) fn new(size: Size, typesetter: &'t Typesetter) -> Option<Self> {
        let mut pixels = Pixmap::new(size.width, size.height)?;
        pixels.fill(tiny_skia::Color::BLACK);
        Some(Self { pixels, size, typesetter, clip: size.rect(), rounding: None, opacity: 1.0, mask: None })
    }

    /// A picture to be drawn over.
    pub(super) fn over(picture: &Screenshot, typesetter: &'t Typesetter) -> Option<Self> {
        let size = picture.size();
        let mut pixels = Pixmap::new(size.width, size.height)?;
        pixels.data_mut().copy_from_slice(picture.rgba());
        Some(Self { pixels, size, typesetter, clip: size.rect(), rounding: None, opacity: 1.0, mask: None })
    }

    /// Another picture, scaled to fill `bounds`.
    pub(super) fn picture(&mut self, bounds: Rect, picture: &Screenshot) {
        let Some(seen) = bounds.intersection(self.clip) else { return };
        let (from, width) = (picture.size(), self.size.width as usize);
        let (rgba, data) = (picture.rgba(), self.pixels.data_mut());
        let scaled = |at: i32, length: i32, side: u32| {
            (u64::from(at.unsigned_abs()) * u64::from(side) / u64::from(length.unsigned_abs().max(1))) as usize
        };
        for y in seen.top..seen.bottom {
            let row = scaled(y - bounds.top, bounds.height(), from.height) * from.width as usize;
            for x in seen.left..seen.right {
                let source = 4 * (row + scaled(x - bounds.left, bounds.width(), from.width));
                let target = 4 * (y as usize * width + x as usize);
                if let (Some(pixel), Some(into)) = (rgba.get(source..source + 4), data.get_mut(target..target + 4)) {
                    into.copy_from_slice(pixel);
                }
            }
        }
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

    /// Everything drawn from now on has this opacity.
    pub(super) fn set_opacity(&mut self, opacity: f32) {
        self.opacity = opacity;
    }

    fn shown(&self, color: Rgba) -> Rgba {
        if self.opacity >= 1.0 { color } else { super::palette::fade(color, self.opacity) }
    }

    /// Draws within a box with rounded corners.
    pub(super) fn within(&mut self, bounds: Rect, radius: f32, work: impl FnOnce(&mut Self)) {
        let before = self.clip;
        let outer = self.rounding;
        self.clip = before.intersection(bounds).unwrap_or_default();
        if radius > 0.0 {
            self.rounding = Some((bounds, radius));
        }
        work(self);
        self.clip = before;
        self.rounding = outer;
    }

    /// Draws a shape with these bounds within the clip, on the rows of the clip alone. One that reaches beyond it at
    /// the sides, or within rounded corners, needs a mask, which is slower.
    fn shape(
        &mut self,
        [left, top, right, bottom]: [f32; 4],
        draw: impl Fn(&mut PixmapMut<'_>, Transform, Option<&Mask>),
    ) {
        let c = self.clip;
        if right <= c.left as f32 || left >= c.right as f32 || bottom <= c.top as f32 || top >= c.bottom as f32 {
            return;
        }
        let display = self.size.rect();
        let beside =
            (left < c.left as f32 && c.left > display.left) || (right > c.right as f32 && c.right < display.right);
        let masked =
            beside || self.rounding.is_some_and(|(rect, radius)| cuts(rect, radius, [left, top, right, bottom]));
        if masked {
            let cut = (c, self.rounding);
            if self.mask.as_ref().is_none_or(|(made, _)| *made != cut) {
                self.mask = mask(self.size.width, cut).map(|mask| (cut, mask));
            }
        }
        let stride = 4 * self.size.width as usize;
        let rows = stride * c.top as usize..stride * c.bottom as usize;
        let rows = self.pixels.data_mut().get_mut(rows);
        let band = rows.and_then(|rows| PixmapMut::from_bytes(rows, self.size.width, c.height() as u32));
        if let Some(mut band) = band {
            let mask = self.mask.as_ref().filter(|_| masked).map(|(_, mask)| mask);
            draw(&mut band, Transform::from_translate(0.0, -c.top as f32), mask);
        }
    }

    /// Fills a path.
    pub(super) fn fill(&mut self, path: &Path, color: Rgba) {
        self.fill_by(path, color, FillRule::Winding);
    }

    fn fill_by(&mut self, path: &Path, color: Rgba, rule: FillRule) {
        let b = path.bounds();
        let color = self.shown(color);
        self.shape([b.left(), b.top(), b.right(), b.bottom()], |pixels, place, mask| {
            pixels.fill_path(path, &paint(color), rule, place, mask);
        });
    }

    /// Draws a path as a line.
    pub(super) fn stroke(&mut self, path: &Path, width: f32, color: Rgba, transform: Transform) {
        let Some(placed) = path.clone().transform(transform) else { return };
        let b = placed.bounds();
        let bounds = [b.left() - width, b.top() - width, b.right() + width, b.bottom() + width];
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        let color = self.shown(color);
        self.shape(bounds, |pixels, place, mask| pixels.stroke_path(&placed, &paint(color), &stroke, place, mask));
    }

    /// A plain rectangle.
    pub(super) fn rect(&mut self, rect: Rect, color: Rgba) {
        let Some(rect) = rect.intersection(self.clip) else { return };
        let (l, t, r, b) = (rect.left as f32, rect.top as f32, rect.right as f32, rect.bottom as f32);
        if self.rounding.is_some_and(|(within, radius)| cuts(within, radius, [l, t, r, b])) {
            if let Some(shape) = tiny_skia::Rect::from_ltrb(l, t, r, b) {
                self.fill(&PathBuilder::from_rect(shape), color);
            }
            return;
        }
        if let Some(shape) = tiny_skia::Rect::from_ltrb(l, t, r, b) {
            let paint = Paint { anti_alias: false, ..paint(self.shown(color)) };
            self.pixels.fill_rect(shape, &paint, Transform::identity(), None);
        }
    }

    /// The whole picture in colours that change from top to bottom.
    pub(super) fn gradient(&mut self, top: Rgba, bottom: Rgba) {
        let width = 4 * self.size.width as usize;
        let height = self.size.height.max(1) as f32;
        for (at, row) in self.pixels.data_mut().chunks_exact_mut(width).enumerate() {
            let color = mix(top, bottom, at as f32 / height);
            row.copy_from_slice(&color.repeat(self.size.width as usize));
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
            let link = block.links.iter().find(|link| link.bytes.contains(&byte)).map(|link| link.color);
            let mark = || block.marks.iter().find(|mark| mark.bytes.contains(&byte)).map(|mark| mark.color);
            link.or_else(mark).unwrap_or(block.color)
        };
        let clip = self.clip;
        let opacity = self.opacity;
        let stride = self.size.width as usize;
        let data = self.pixels.data_mut();
        self.typesetter.images(&shaped, |at, glyph, image| {
            let x = origins.get(at).copied().unwrap_or(0) + glyph.x + image.left;
            let y = top + glyph.y - image.top;
            let ink = super::palette::fade(color_of(glyph.byte), opacity);
            blend(data, stride, clip, (x, y), &image, ink);
        });
        let under = block.links.iter().filter(|l| l.underline).map(|l| (&l.bytes, l.color, -0.11));
        let through = block.marks.iter().filter(|m| m.strike).map(|m| (&m.bytes, m.color, 0.3));
        for (bytes, color, rise) in under.chain(through) {
            for (at, line) in shaped.lines.iter().enumerate() {
                let x = block.line_left(at, left, width);
                for (from, to) in shaped.spans(at, bytes) {
                    let y = top + (line.baseline - block.face.size * rise).round() as i32;
                    let thick = (block.face.size / 16.0).round().max(1.0) as i32;
                    self.rect(Rect::new((x + from) as i32, y, (x + to) as i32, y + thick), color);
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

/// Whether a box with rounded corners cuts something off a shape with these bounds.
fn cuts(rect: Rect, radius: f32, [left, top, right, bottom]: [f32; 4]) -> bool {
    let inside = |by_x: f32, by_y: f32| {
        left >= rect.left as f32 + by_x
            && right <= rect.right as f32 - by_x
            && top >= rect.top as f32 + by_y
            && bottom <= rect.bottom as f32 - by_y
    };
    !inside(radius, 0.0) && !inside(0.0, radius)
}

/// Lets through what the clip and the rounded corners in it leave over, for the rows of the clip.
fn mask(width: u32, (clip, rounding): Cut) -> Option<Mask> {
    let mut mask = Mask::new(width, clip.height().max(1) as u32)?;
    let rows = tiny_skia::Rect::from_ltrb(clip.left as f32, 0.0, clip.right as f32, clip.height() as f32)?;
    mask.fill_path(&PathBuilder::from_rect(rows), FillRule::Winding, false, Transform::identity());
    if let Some((b, radius)) = rounding {
        let (left, top) = (b.left as f32, (b.top - clip.top) as f32);
        let rounded = icon::rounded(left, top, b.width() as f32, b.height() as f32, [radius; 4])?;
        mask.intersect_path(&rounded, FillRule::Winding, true, Transform::identity());
    }
    Some(mask)
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
