//! The picture of the whole display: scenes from bottom to top, keyboard, toast, status bar.

use super::AppContext;
use super::canvas::Canvas;
use super::file::{ColorRole, IconName, TextAlign};
use super::keyboard::{EnterKey, Keyboard};
use super::palette::{CLEAR, Palette, Rgba, WHITE, fade, readable_on};
use super::scene::{Content, Insets, Node, Scene, Surface, TextBlock, content_box};
use super::typesetter::Face;
use crate::domain::{Rect, Screenshot};
use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;
use std::time::Duration;
use tiny_skia::{Path, PathBuilder};

/// Everything on the display.
pub(super) struct Frame<'a> {
    /// The device.
    pub context: &'a AppContext,
    /// Time since boot.
    pub now: Duration,
    /// Windows from bottom to top.
    pub scenes: &'a [Scene],
    /// The soft keyboard, if it is up.
    pub keyboard: Option<Keyboard>,
    /// What its ENTER key does.
    pub enter: EnterKey,
    /// The theme of the app in front.
    pub palette: Palette,
    /// The toast, if there is one.
    pub toast: Option<&'a str>,
    /// Light signs in the status bar (over a dark wallpaper).
    pub light_status: bool,
    /// The home screen's picture lies below everything.
    pub wallpaper: bool,
}

impl Frame<'_> {
    /// Draws it. A display without pixels gives `None`.
    pub(super) fn draw(&self) -> Option<Screenshot> {
        let typesetter = Arc::clone(&self.context.typesetter);
        let mut canvas = Canvas::new(self.context.display, &typesetter)?;
        self.draw_windows(&mut canvas);
        if let Some(text) = self.toast {
            self.toast(&mut canvas, text);
        }
        self.system_bars(&mut canvas);
        canvas.finish()
    }

    /// Draws windows and keyboard, without system bars.
    pub(super) fn draw_windows(&self, canvas: &mut Canvas<'_>) {
        if self.wallpaper {
            self.wallpaper(canvas);
        }
        for scene in self.scenes {
            self.scene(canvas, scene);
        }
        canvas.clear_clip();
        self.keyboard(canvas);
    }

    /// Whether a node's content runs from right to left.
    fn mirrored(&self, node: &Node<Insets>) -> bool {
        !node.left_to_right && self.context.rtl()
    }

    pub(super) fn px(&self, dp: f32) -> f32 {
        self.context.px(dp)
    }

    /// One window.
    pub(super) fn scene(&self, canvas: &mut Canvas<'_>, scene: &Scene) {
        let opacities = scene.opacities();
        for (index, node) in scene.nodes.iter().enumerate() {
            canvas.set_opacity(opacities.get(index).copied().unwrap_or(1.0));
            // Discs and shadows reach over a node's own box, so the clip is that of the container.
            let clip = container_clip(scene, index).unwrap_or_else(|| self.context.display.rect());
            if node.visible.is_empty() && node.bounds.intersection(clip).is_none() {
                continue;
            }
            canvas.set_clip(clip);
            if let Some(surface) = &node.surface {
                canvas.surface(node.bounds, surface);
            }
            self.content(canvas, node);
        }
        canvas.set_opacity(1.0);
    }

    #[expect(clippy::too_many_lines, clippy::many_single_char_names, reason = "one arm for each kind of content")]
    fn content(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>) {
        let b = node.bounds;
        let (x, y) = (b.left as f32, b.top as f32);
        let (w, h) = (b.width() as f32, b.height() as f32);
        match &node.content {
            Content::None => {}
            Content::Text(block) => self.text(canvas, node, block),
            Content::Icon(icon, color) => canvas.icon_facing(*icon, (x, y), w.min(h), *color, self.mirrored(node)),
            Content::Checkbox { checked, color } => {
                let side = self.px(18.0).round();
                let (left, top) = ((x + (w - side) / 2.0).round(), (y + (h - side) / 2.0).round());
                let bounds = Rect::new(left as i32, top as i32, (left + side) as i32, (top + side) as i32);
                let border = (*color, self.px(2.0));
                if *checked {
                    canvas.surface(bounds, &Surface::rounded(*color, self.px(2.5)));
                    canvas.icon(IconName::Check, left, top, side, readable_on(*color));
                } else {
                    let grey = if color[3] == 255 { self.palette.role(ColorRole::Muted) } else { *color };
                    let surface = Surface { border: Some((grey, border.1)), ..Surface::rounded(CLEAR, self.px(2.5)) };
                    canvas.surface(bounds, &surface);
                }
            }
            Content::Radio { checked, color } => {
                let (cx, cy) = (x + w / 2.0, y + h / 2.0);
                let ring = if *checked {
                    *color
                } else {
                    fade(self.palette.role(ColorRole::Muted), f32::from(color[3]) / 255.0)
                };
                if let Some(path) = PathBuilder::from_circle(cx, cy, self.px(9.0)) {
                    canvas.outline(&path, self.px(2.0), ring);
                }
                if *checked {
                    canvas.circle(cx, cy, self.px(5.0), *color);
                }
            }
            Content::Switch { checked, color } => {
                let (track_w, track_h) = (self.px(48.0), self.px(28.0));
                let left = x + (w - track_w) / 2.0;
                let top = y + (h - track_h) / 2.0;
                let bounds = Rect::new(
                    left.round() as i32,
                    top.round() as i32,
                    (left + track_w).round() as i32,
                    (top + track_h).round() as i32,
                );
                let middle = top + track_h / 2.0;
                // On is where a line of text ends.
                let thumb =
                    if *checked == self.mirrored(node) { left + track_h / 2.0 } else { left + track_w - track_h / 2.0 };
                if *checked {
                    canvas.surface(bounds, &Surface::rounded(*color, track_h / 2.0));
                    canvas.circle(thumb, middle, self.px(10.5), readable_on(*color));
                } else {
                    let grey = self.palette.role(ColorRole::Outline);
                    let surface = Surface {
                        border: Some((grey, self.px(2.0))),
                        ..Surface::rounded(self.palette.raised(), track_h / 2.0)
                    };
                    canvas.surface(bounds, &surface);
                    canvas.circle(thumb, middle, self.px(8.0), grey);
                }
            }
            Content::Spinner(color) => {
                let start = self.now.as_millis() as f32 % 1100.0 / 1100.0 * TAU - FRAC_PI_2;
                let radius = w.min(h) / 2.0 - self.px(3.0);
                let (cx, cy) = (x + w / 2.0, y + h / 2.0);
                if let Some(path) = PathBuilder::from_circle(cx, cy, radius) {
                    canvas.outline(&path, self.px(4.0), self.palette.tint(*color, 0.18));
                }
                if let Some(path) = arc(cx, cy, radius, start, TAU * 0.28) {
                    canvas.outline(&path, self.px(4.0), *color);
                }
            }
            Content::FieldFrame { color, width, label } => {
                let surface = Surface {
                    border: Some((*color, *width)),
                    ..Surface::rounded(self.palette.surface(), self.px(6.0))
                };
                canvas.surface(b, &surface);
                if let Some(label) = label {
                    let pad = self.px(4.0);
                    let inset = self.px(12.0);
                    let left =
                        if self.mirrored(node) { x + w - inset - label.shaped.width - 2.0 * pad } else { x + inset };
                    let top = y - label.shaped.height / 2.0 + width / 2.0;
                    // The border opens for the label.
                    let gap = Rect::new(
                        left as i32,
                        y as i32 - 1,
                        (left + label.shaped.width + 2.0 * pad).ceil() as i32,
                        (y + width).ceil() as i32 + 1,
                    );
                    canvas.rect(gap, self.palette.surface());
                    canvas.text(label, left + pad, top, label.shaped.width);
                }
            }
            Content::Paint(paint) => paint.draw(canvas, b, self.now, self.context.rtl()),
            Content::PinDots { filled, total } => {
                let cell = w / (*total).max(1) as f32;
                let inset = self.px(3.0);
                for at in 0..*total {
                    let left = x + at as f32 * cell;
                    let bounds = Rect::new(
                        (left + inset).round() as i32,
                        (y + inset).round() as i32,
                        (left + cell - inset).round() as i32,
                        (y + h - inset).round() as i32,
                    );
                    let border = if at == *filled {
                        (self.palette.ink(), self.px(1.5))
                    } else {
                        (self.palette.role(ColorRole::Outline), self.px(1.0))
                    };
                    let surface =
                        Surface { border: Some(border), ..Surface::rounded(self.palette.surface(), self.px(8.0)) };
                    canvas.surface(bounds, &surface);
                    if at < *filled {
                        canvas.circle(left + cell / 2.0, y + h / 2.0, self.px(5.5), self.palette.ink());
                    }
                }
            }
        }
    }

    fn text(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>, block: &TextBlock) {
        let (left, top, width) = content_box(node.bounds, node.style);
        canvas.text(block, left, top, width);
        if let Some((byte, color)) = block.cursor {
            let x = block.line_left(0, 0.0, width) + block.shaped.cursor(byte, &block.text);
            let height = block.face.size * 1.25;
            let middle = top + block.shaped.height / 2.0;
            let at = (left + x.clamp(0.0, width)).round() as i32;
            let bar = Rect::new(
                at,
                (middle - height / 2.0).round() as i32,
                at + self.px(2.0).round() as i32,
                (middle + height / 2.0).round() as i32,
            );
            canvas.rect(bar, color);
        }
    }

    pub(super) fn label(&self, text: &str, dp: f32, medium: bool, color: Rgba) -> TextBlock {
        let size = self.px(dp);
        let face = Face { size, line_height: (size * 1.25).round(), medium };
        TextBlock {
            text: text.to_owned(),
            face,
            color,
            align: TextAlign::Center,
            max_lines: Some(1),
            links: Vec::new(),
            marks: Vec::new(),
            cursor: None,
            shaped: self.context.typesetter.shape(text, face, None, Some(1)),
        }
    }

    pub(super) fn centred(canvas: &mut Canvas<'_>, bounds: Rect, block: &TextBlock) {
        let top = bounds.top as f32 + (bounds.height() as f32 - block.shaped.height) / 2.0;
        canvas.text(block, bounds.left as f32, top, bounds.width() as f32);
    }

    fn toast(&self, canvas: &mut Canvas<'_>, text: &str) {
        let mut label = self.label(text, 14.0, false, WHITE);
        let display = self.context.display.rect();
        let limit = display.width() as f32 - self.px(96.0);
        label.max_lines = Some(2);
        label.shaped = self.context.typesetter.shape(text, label.face, Some(limit), Some(2));
        let (w, h) = (label.shaped.width + self.px(40.0), label.shaped.height + self.px(26.0));
        let base = self.keyboard.map_or(display.bottom, |_| Keyboard::area(self.context).top);
        let left = (display.width() as f32 - w) / 2.0;
        let bottom = base as f32 - self.px(72.0);
        let bounds = Rect::new(left as i32, (bottom - h) as i32, (left + w) as i32, bottom as i32);
        let surface = Surface {
            elevation: self.px(2.0),
            ..Surface::rounded([0x32, 0x34, 0x3a, 255], h.min(self.px(46.0)) / 2.0)
        };
        canvas.surface(bounds, &surface);
        Self::centred(canvas, bounds, &label);
    }
}

/// The clip that a node's containers impose on it.
fn container_clip(scene: &Scene, index: usize) -> Option<Rect> {
    let mut at = scene.nodes.get(index)?.parent;
    while let Some(node) = at.and_then(|parent| scene.nodes.get(parent)) {
        if node.clips {
            return Some(node.visible);
        }
        at = node.parent;
    }
    None
}

/// A part of a circle as short lines.
fn arc(cx: f32, cy: f32, radius: f32, start: f32, sweep: f32) -> Option<Path> {
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
