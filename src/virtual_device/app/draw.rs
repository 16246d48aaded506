//! The picture of the whole display: scenes from bottom to top, keyboard, toast, status bar.

use super::AppContext;
use super::build::{GESTURE_BAR, STATUS_BAR};
use super::canvas::Canvas;
use super::file::{ColorRole, IconName, TextAlign};
use super::keyboard::{KeyAction, Keyboard};
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
    /// The theme of the app in front.
    pub palette: Palette,
    /// The toast, if there is one.
    pub toast: Option<&'a str>,
    /// Light signs in the status bar (over a dark wallpaper).
    pub light_status: bool,
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
        for scene in self.scenes {
            self.scene(canvas, scene);
        }
        canvas.clear_clip();
        self.keyboard(canvas);
    }

    fn px(&self, dp: f32) -> f32 {
        self.context.px(dp)
    }

    fn scene(&self, canvas: &mut Canvas<'_>, scene: &Scene) {
        for (index, node) in scene.nodes.iter().enumerate() {
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
    }

    #[expect(clippy::too_many_lines, clippy::many_single_char_names, reason = "one arm for each kind of content")]
    fn content(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>) {
        let b = node.bounds;
        let (x, y) = (b.left as f32, b.top as f32);
        let (w, h) = (b.width() as f32, b.height() as f32);
        match &node.content {
            Content::None => {}
            Content::Text(block) => self.text(canvas, node, block),
            Content::Icon(icon, color) => canvas.icon_facing(*icon, (x, y), w.min(h), *color, !node.left_to_right),
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
                    if *checked == node.left_to_right { left + track_w - track_h / 2.0 } else { left + track_h / 2.0 };
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
                        if node.left_to_right { x + inset } else { x + w - inset - label.shaped.width - 2.0 * pad };
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

    fn label(&self, text: &str, dp: f32, medium: bool, color: Rgba) -> TextBlock {
        let size = self.px(dp);
        let face = Face { size, line_height: (size * 1.25).round(), medium };
        TextBlock {
            text: text.to_owned(),
            face,
            color,
            align: TextAlign::Center,
            max_lines: Some(1),
            links: Vec::new(),
            cursor: None,
            shaped: self.context.typesetter.shape(text, face, None, Some(1)),
        }
    }

    fn centred(canvas: &mut Canvas<'_>, bounds: Rect, block: &TextBlock) {
        let top = bounds.top as f32 + (bounds.height() as f32 - block.shaped.height) / 2.0;
        canvas.text(block, bounds.left as f32, top, bounds.width() as f32);
    }

    fn keyboard(&self, canvas: &mut Canvas<'_>) {
        let Some(keyboard) = self.keyboard else { return };
        let palette = self.palette;
        canvas.rect(Keyboard::area(self.context), palette.keypad());
        for key in keyboard.keys(self.context) {
            let (fill, ink) = match key.action {
                KeyAction::Type(_) => (palette.key(), palette.ink()),
                KeyAction::Enter => (palette.role(ColorRole::Primary), palette.role(ColorRole::OnPrimary)),
                KeyAction::Shift if keyboard.shift => (palette.ink(), palette.surface()),
                KeyAction::Shift | KeyAction::Delete | KeyAction::Turn(_) => (palette.function_key(), palette.ink()),
            };
            let radius = if key.action == KeyAction::Enter { 20.0 } else { 6.0 };
            let surface = Surface { elevation: self.px(0.4), ..Surface::rounded(fill, self.px(radius)) };
            canvas.surface(key.bounds, &surface);
            let side = self.px(22.0);
            let left = key.bounds.left as f32 + (key.bounds.width() as f32 - side) / 2.0;
            let top = key.bounds.top as f32 + (key.bounds.height() as f32 - side) / 2.0;
            match key.action {
                KeyAction::Delete => canvas.icon(IconName::Backspace, left, top, side, ink),
                KeyAction::Enter => canvas.icon(IconName::Check, left, top, side, ink),
                KeyAction::Shift => {
                    if let Some(path) =
                        super::icon::path("M 12 4 L 20 12.5 L 15.5 12.5 L 15.5 19 L 8.5 19 L 8.5 12.5 L 4 12.5 Z")
                    {
                        let scale = side / 24.0;
                        let place = tiny_skia::Transform::from_row(scale, 0.0, 0.0, scale, left, top);
                        canvas.stroke(&path, 1.9 * scale, ink, place);
                    }
                }
                KeyAction::Type(_) | KeyAction::Turn(_) => {
                    let wide = key.label.chars().count() > 1;
                    let ink = if key.action == KeyAction::Type(' ') { fade(palette.ink(), 0.55) } else { ink };
                    let label = self.label(&key.label, if wide { 14.0 } else { 22.0 }, false, ink);
                    Self::centred(canvas, key.bounds, &label);
                }
            }
        }
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

    fn system_bars(&self, canvas: &mut Canvas<'_>) {
        let display = self.context.display.rect();
        let dark_below = self.scenes.len() > 1 || self.light_status || self.palette.is_dark();
        let ink: Rgba = if dark_below { WHITE } else { [0x30, 0x33, 0x39, 255] };
        let height = self.px(STATUS_BAR);
        let clock = self.label(&self.context.clock(self.now), 14.0, true, ink);
        let top = (height - clock.shaped.height) / 2.0 + self.px(1.0);
        canvas.text(&clock, self.px(16.0), top, clock.shaped.width);
        // Battery, wireless network, mobile network, from the right.
        let middle = height / 2.0 + self.px(1.0);
        let right = display.right as f32 - self.px(16.0);
        let battery = super::icon::rounded(
            right - self.px(9.0),
            middle - self.px(6.0),
            self.px(8.0),
            self.px(13.0),
            [self.px(1.5); 4],
        );
        let cap =
            super::icon::rounded(right - self.px(7.0), middle - self.px(7.5), self.px(4.0), self.px(2.0), [0.0; 4]);
        for path in battery.iter().chain(&cap) {
            canvas.fill(path, ink);
        }
        let wedge = |cx: f32, radius: f32| -> Option<Path> {
            let mut p = PathBuilder::new();
            let bottom = middle + self.px(6.5);
            let up = bottom - radius;
            p.move_to(cx, bottom);
            p.line_to(cx - radius * 0.78, up + radius * 0.30);
            p.quad_to(cx, up - radius * 0.22, cx + radius * 0.78, up + radius * 0.30);
            p.close();
            p.finish()
        };
        if let Some(path) = wedge(right - self.px(24.0), self.px(12.5)) {
            canvas.fill(&path, ink);
        }
        let mut bars = PathBuilder::new();
        let (left, bottom) = (right - self.px(52.0), middle + self.px(6.5));
        bars.move_to(left, bottom);
        bars.line_to(left + self.px(12.0), bottom);
        bars.line_to(left + self.px(12.0), bottom - self.px(12.0));
        bars.close();
        if let Some(path) = bars.finish() {
            canvas.fill(&path, ink);
        }
        let width = self.px(108.0);
        let left = (display.width() as f32 - width) / 2.0;
        let top = display.bottom as f32 - self.px(GESTURE_BAR / 2.0 + 2.0);
        if let Some(path) = super::icon::rounded(left, top, width, self.px(4.0), [self.px(2.0); 4]) {
            let handle = if self.light_status || self.palette.is_dark() { WHITE } else { [0x1b, 0x1c, 0x1f, 255] };
            canvas.fill(&path, handle);
        }
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
