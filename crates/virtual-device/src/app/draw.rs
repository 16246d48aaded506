//! The picture of the whole display: scenes from bottom to top, keyboard, toast, status bar.

use super::AppContext;
use super::canvas::Canvas;
use super::file::TextAlign;
use super::keyboard::{EnterKey, Keyboard};
use super::palette::{Palette, Rgba, WHITE};
use super::scene::{Content, Insets, Node, Scene, Surface, TextBlock, content_box};
use super::typesetter::Face;
use crate::domain::{Rect, Screenshot};
use std::sync::Arc;
use std::time::Duration;

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
    pub(super) fn mirrored(&self, node: &Node<Insets>) -> bool {
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

    fn content(&self, canvas: &mut Canvas<'_>, node: &Node<Insets>) {
        let bounds = node.bounds;
        match &node.content {
            Content::None => {}
            Content::Text(block) => self.text(canvas, node, block),
            Content::Icon(icon, color) => {
                let at = (bounds.left as f32, bounds.top as f32);
                let side = bounds.width().min(bounds.height()) as f32;
                canvas.icon_facing(*icon, at, side, *color, self.mirrored(node));
            }
            Content::Checkbox { checked: true, color } => self.ticked_box(canvas, bounds, *color),
            Content::Checkbox { checked: false, color } => self.empty_box(canvas, bounds, *color),
            Content::Radio { checked: true, color } => self.chosen_ring(canvas, bounds, *color),
            Content::Radio { checked: false, color } => self.empty_ring(canvas, bounds, *color),
            Content::Switch { checked: true, color } => self.switch_on(canvas, node, *color),
            Content::Switch { checked: false, .. } => self.switch_off(canvas, node),
            Content::Spinner(color) => self.spinner(canvas, bounds, *color),
            Content::FieldFrame { color, width, label } => {
                self.field_frame(canvas, node, (*color, *width), label.as_deref())
            }
            Content::Paint(paint) => paint.draw(canvas, bounds, self.now, self.context.rtl()),
            Content::PinDots { filled, total } => self.pin_dots(canvas, bounds, *filled, *total),
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
