//! How the soft keyboard is drawn.

use super::canvas::Canvas;
use super::draw::Frame;
use super::file::{ColorRole, IconName};
use super::icon;
use super::keyboard::{EnterKey, Key, KeyAction, Keyboard, Page};
use super::palette::{Rgba, fade};
use super::scene::Surface;
use crate::domain::Rect;
use tiny_skia::Transform;

const SHIFT: &str = "M 12 4 L 20 12.5 L 15.5 12.5 L 15.5 19 L 8.5 19 L 8.5 12.5 L 4 12.5 Z";
const GLOBE: &str =
    "O 12 12 9 M 3.5 9.5 L 20.5 9.5 M 3.5 14.5 L 20.5 14.5 M 12 3 C 6.5 8 6.5 16 12 21 C 17.5 16 17.5 8 12 3";
const SPACE: &str = "M 5 12 L 5 16 L 19 16 L 19 12";
/// Grid, face, clipboard, cog's place holder, microphone: what stands in the strip from left to right.
const SHORTCUTS: [&str; 5] = [
    "R 4 4 6.5 6.5 1.5 R 13.5 4 6.5 6.5 1.5 R 4 13.5 6.5 6.5 1.5 R 13.5 13.5 6.5 6.5 1.5",
    "O 12 12 8.5 M 8 14 C 9.5 17 14.5 17 16 14 M 9 9 L 9 10 M 15 9 L 15 10",
    "R 5 5 14 16 2 M 9 3.5 L 15 3.5 L 15 6.5 L 9 6.5 Z M 8.5 11.5 L 15.5 11.5 M 8.5 15.5 L 13 15.5",
    "M 4 7 L 13 7 M 17 7 L 20 7 O 15 7 2 M 4 12 L 7 12 M 11 12 L 20 12 O 9 12 2 M 4 17 L 13 17 M 17 17 L 20 17 O 15 17 2",
    "R 9 3 6 11 3 M 5.5 11 C 5.5 20 18.5 20 18.5 11 M 12 18 L 12 21",
];

impl Frame<'_> {
    pub(super) fn keyboard(&self, canvas: &mut Canvas<'_>) {
        let Some(keyboard) = self.keyboard else { return };
        canvas.rect(Keyboard::area(self.context), self.palette.keypad());
        if let Some(strip) = Keyboard::strip(self.context) {
            self.shortcuts(canvas, strip);
        }
        for key in keyboard.keys(self.context) {
            self.key(canvas, keyboard, &key);
        }
    }

    fn shortcuts(&self, canvas: &mut Canvas<'_>, strip: Rect) {
        let ink = fade(self.palette.ink(), 0.7);
        let side = self.px(20.0);
        let step = strip.width() as f32 / SHORTCUTS.len() as f32;
        let top = strip.top as f32 + (strip.height() as f32 - side) / 2.0 + self.px(2.0);
        for (at, notation) in SHORTCUTS.iter().enumerate() {
            let left = strip.left as f32 + (at as f32 + 0.5) * step - side / 2.0;
            Self::line_icon(canvas, notation, (left, top), side, ink);
        }
    }

    fn line_icon(canvas: &mut Canvas<'_>, notation: &str, (left, top): (f32, f32), side: f32, ink: Rgba) {
        let scale = side / 24.0;
        if let Some(path) = icon::path(notation) {
            canvas.stroke(&path, 1.8 * scale, ink, Transform::from_row(scale, 0.0, 0.0, scale, left, top));
        }
    }

    fn key(&self, canvas: &mut Canvas<'_>, keyboard: Keyboard, key: &Key) {
        let palette = self.palette;
        let (fill, ink) = match key.action {
            KeyAction::Type(_) => (palette.key(), palette.ink()),
            KeyAction::Enter => (palette.role(ColorRole::Primary), palette.role(ColorRole::OnPrimary)),
            KeyAction::Shift if keyboard.shift => (palette.ink(), palette.surface()),
            KeyAction::Shift | KeyAction::Delete | KeyAction::Turn(_) => (palette.function_key(), palette.ink()),
        };
        let round = key.action == KeyAction::Enter || matches!(key.action, KeyAction::Turn(Page::Symbols));
        let height = key.bounds.height() as f32;
        let radius = if round { height / 2.0 } else { self.px(6.0) };
        canvas.surface(key.bounds, &Surface { elevation: self.px(0.4), ..Surface::rounded(fill, radius) });
        let side = self.px(22.0).min(height * 0.62);
        let left = key.bounds.left as f32 + (key.bounds.width() as f32 - side) / 2.0;
        let top = key.bounds.top as f32 + (height - side) / 2.0;
        match key.action {
            KeyAction::Delete => canvas.icon(IconName::Backspace, left, top, side, ink),
            KeyAction::Enter => match self.enter {
                EnterKey::Done => canvas.icon(IconName::Check, left, top, side, ink),
                EnterKey::Search => canvas.icon(IconName::Search, left, top, side, ink),
                // The arrow points where reading goes on.
                EnterKey::Next => {
                    canvas.icon_facing(IconName::Back, (left, top), side, ink, !self.context.rtl());
                }
            },
            KeyAction::Shift => Self::line_icon(canvas, SHIFT, (left, top), side, ink),
            KeyAction::Turn(Page::Latin | Page::Letters) if key.label.is_empty() => {
                Self::line_icon(canvas, GLOBE, (left, top), side, ink);
            }
            KeyAction::Type(' ') if keyboard.page == Page::Digits => {
                Self::line_icon(canvas, SPACE, (left, top), side, ink);
            }
            KeyAction::Type(_) | KeyAction::Turn(_) => {
                let wide = key.label.chars().count() > 1;
                let ink = if key.action == KeyAction::Type(' ') { fade(ink, 0.6) } else { ink };
                let size = (height / self.px(1.0) * 0.5).min(if wide { 14.0 } else { 22.0 });
                let label = self.label(&key.label, size, false, ink);
                Self::centred(canvas, key.bounds, &label);
            }
        }
        if let Some(hint) = key.hint.filter(|_| height > self.px(40.0)) {
            let label = self.label(&hint.to_string(), 10.0, false, fade(palette.ink(), 0.6));
            let right = key.bounds.right as f32 - self.px(4.0) - label.shaped.width;
            canvas.text(&label, right, key.bounds.top as f32 + self.px(2.0), label.shaped.width);
        }
    }
}
