//! What boxes, rings, switches, frames of fields and the like look like.

use super::canvas::Canvas;
use super::draw::Frame;
use super::file::{ColorRole, IconName};
use super::palette::{CLEAR, Rgba, fade, readable_on};
use super::scene::{Insets, Node, Surface, TextBlock};
use crate::domain::Rect;
use std::f32::consts::{FRAC_PI_2, TAU};
use tiny_skia::{Path, PathBuilder};

/// The middle of a rectangle, in parts of a pixel.
fn middle(bounds: Rect) -> (f32, f32) {
    (bounds.left as f32 + bounds.width() as f32 / 2.0, bounds.top as f32 + bounds.height() as f32 / 2.0)
}

impl Frame<'_> {
    /// The square of a checkbox, in the middle of the place it has.
    fn box_square(&self, within: Rect) -> Rect {
        let side = self.px(18.0).round();
        let (x, y) = middle(within);
        let (left, top) = ((x - side / 2.0).round(), (y - side / 2.0).round());
        Rect::new(left as i32, top as i32, (left + side) as i32, (top + side) as i32)
    }

    pub(super) fn ticked_box(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        let square = self.box_square(within);
        canvas.surface(square, &Surface::rounded(color, self.px(2.5)));
        canvas.icon(IconName::Check, square.left as f32, square.top as f32, square.width() as f32, readable_on(color));
    }

    pub(super) fn empty_box(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        let grey = if color[3] == 255 { self.palette.role(ColorRole::Muted) } else { color };
        let surface = Surface { border: Some((grey, self.px(2.0))), ..Surface::rounded(CLEAR, self.px(2.5)) };
        canvas.surface(self.box_square(within), &surface);
    }

    pub(super) fn chosen_ring(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        self.ring(canvas, within, color);
        let (x, y) = middle(within);
        canvas.circle(x, y, self.px(5.0), color);
    }

    pub(super) fn empty_ring(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        self.ring(canvas, within, fade(self.palette.role(ColorRole::Muted), f32::from(color[3]) / 255.0));
    }

    fn ring(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        let (x, y) = middle(within);
        if let Some(path) = PathBuilder::from_circle(x, y, self.px(9.0)) {
            canvas.outline(&path, self.px(2.0), color);
        }
    }

    pub(super) fn switch_on(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>, color: Rgba) {
        let track = self.track(node.bounds);
        canvas.surface(track.bounds, &Surface::rounded(color, track.height / 2.0));
        // On is where a line of text ends.
        let thumb = if self.mirrored(node) { track.left_thumb } else { track.right_thumb };
        canvas.circle(thumb, track.middle, self.px(10.5), readable_on(color));
    }

    pub(super) fn switch_off(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>) {
        let track = self.track(node.bounds);
        let grey = self.palette.role(ColorRole::Outline);
        let round = Surface::rounded(self.palette.raised(), track.height / 2.0);
        canvas.surface(track.bounds, &Surface { border: Some((grey, self.px(2.0))), ..round });
        let thumb = if self.mirrored(node) { track.right_thumb } else { track.left_thumb };
        canvas.circle(thumb, track.middle, self.px(8.0), grey);
    }

    /// Where a switch's track lies, and where its thumb may be.
    fn track(&self, within: Rect) -> Track {
        let (width, height) = (self.px(48.0), self.px(28.0));
        let left = within.left as f32 + (within.width() as f32 - width) / 2.0;
        let top = within.top as f32 + (within.height() as f32 - height) / 2.0;
        let bounds = Rect::new(
            left.round() as i32,
            top.round() as i32,
            (left + width).round() as i32,
            (top + height).round() as i32,
        );
        Track {
            bounds,
            height,
            middle: top + height / 2.0,
            left_thumb: left + height / 2.0,
            right_thumb: left + width - height / 2.0,
        }
    }

    pub(super) fn spinner(&self, canvas: &mut Canvas<'_>, within: Rect, color: Rgba) {
        let start = self.now.as_millis() as f32 % 1100.0 / 1100.0 * TAU - FRAC_PI_2;
        let radius = within.width().min(within.height()) as f32 / 2.0 - self.px(3.0);
        let (x, y) = middle(within);
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            canvas.outline(&path, self.px(4.0), self.palette.tint(color, 0.18));
        }
        if let Some(path) = arc((x, y), radius, start, TAU * 0.28) {
            canvas.outline(&path, self.px(4.0), color);
        }
    }

    pub(super) fn field_frame(
        &self,
        canvas: &mut Canvas<'_>,
        node: &Node<Insets>,
        (color, width): (Rgba, f32),
        label: Option<&TextBlock>,
    ) {
        let bounds = node.bounds;
        let round = Surface::rounded(self.palette.surface(), self.px(6.0));
        canvas.surface(bounds, &Surface { border: Some((color, width)), ..round });
        let Some(label) = label else { return };
        let (pad, inset) = (self.px(4.0), self.px(12.0));
        let (x, y) = (bounds.left as f32, bounds.top as f32);
        let left = match self.mirrored(node) {
            true => x + bounds.width() as f32 - inset - label.shaped.width - 2.0 * pad,
            false => x + inset,
        };
        // The border opens for the label.
        let gap = Rect::new(
            left as i32,
            y as i32 - 1,
            (left + label.shaped.width + 2.0 * pad).ceil() as i32,
            (y + width).ceil() as i32 + 1,
        );
        canvas.rect(gap, self.palette.surface());
        canvas.text(label, left + pad, y - label.shaped.height / 2.0 + width / 2.0, label.shaped.width);
    }

    pub(super) fn pin_dots(&self, canvas: &mut Canvas<'_>, within: Rect, filled: usize, total: usize) {
        let cell = within.width() as f32 / total.max(1) as f32;
        let inset = self.px(3.0);
        for at in 0..total {
            let left = within.left as f32 + at as f32 * cell;
            let bounds = Rect::new(
                (left + inset).round() as i32,
                (within.top as f32 + inset).round() as i32,
                (left + cell - inset).round() as i32,
                (within.bottom as f32 - inset).round() as i32,
            );
            let border = if at == filled {
                (self.palette.ink(), self.px(1.5))
            } else {
                (self.palette.role(ColorRole::Outline), self.px(1.0))
            };
            let round = Surface::rounded(self.palette.surface(), self.px(8.0));
            canvas.surface(bounds, &Surface { border: Some(border), ..round });
            if at < filled {
                canvas.circle(left + cell / 2.0, middle(within).1, self.px(5.5), self.palette.ink());
            }
        }
    }
}

/// The track of a switch, in pixels.
struct Track {
    bounds: Rect,
    height: f32,
    middle: f32,
    left_thumb: f32,
    right_thumb: f32,
}

/// A part of a circle as short lines.
fn arc((cx, cy): (f32, f32), radius: f32, start: f32, sweep: f32) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for step in 0..=24_u8 {
        let angle = start + sweep * f32::from(step) / 24.0;
        let (x, y) = (cx + radius * angle.cos(), cy + radius * angle.sin());
        if step == 0 {
            builder.move_to(x, y);
        } else {
            builder.line_to(x, y);
        }
    }
    builder.finish()
}
