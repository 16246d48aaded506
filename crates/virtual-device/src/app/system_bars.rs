//! The status bar at the top and the gesture bar at the bottom.

use super::build::{GESTURE_BAR, STATUS_BAR};
use super::canvas::Canvas;
use super::draw::Frame;
use super::icon;
use super::palette::{Rgba, WHITE, fade};
use tiny_skia::{Path, PathBuilder};

/// Distance of the signs from the side, dp.
const SIDE: f32 = 16.0;
/// How full the battery is.
const CHARGE: f32 = 0.86;

impl Frame<'_> {
    /// Whether a window dims the ones below it; lists that come up and dialogs over the whole display do not.
    fn darkened(&self) -> bool {
        self.scenes.iter().skip(1).any(|scene| {
            let ground = scene.nodes.first().and_then(|root| root.surface);
            ground.is_some_and(|surface| surface.fill[3] > 0 && surface.fill[3] < 255)
        })
    }

    pub(super) fn system_bars(&self, canvas: &mut Canvas<'_>) {
        let dark_below = self.darkened() || self.light_status || self.palette.is_dark();
        let ink: Rgba = if dark_below { WHITE } else { [0x30, 0x33, 0x39, 255] };
        self.status_bar(canvas, ink);
        let display = self.context.display.rect();
        let width = self.px(108.0);
        let left = (display.width() as f32 - width) / 2.0;
        let top = display.bottom as f32 - self.px(GESTURE_BAR / 2.0 + 2.0);
        if let Some(path) = icon::rounded(left, top, width, self.px(4.0), [self.px(2.0); 4]) {
            let light = self.light_status || self.palette.is_dark();
            canvas.fill(&path, if light { WHITE } else { [0x1b, 0x1c, 0x1f, 255] });
        }
    }

    /// Clock at the start; mobile network, wireless network and battery at the end.
    fn status_bar(&self, canvas: &mut Canvas<'_>, ink: Rgba) {
        let width = self.context.display.width as f32;
        let middle = self.px(STATUS_BAR) / 2.0 + self.px(1.0);
        let mirrored = self.context.rtl();
        // Signs are placed by their distance from the end; they themselves are not turned over.
        let at = |from_end: f32, size: f32| {
            let from_end = self.px(SIDE + from_end);
            if mirrored { from_end } else { width - from_end - self.px(size) }
        };
        let clock = self.label(&self.context.clock(self.now), 14.0, true, ink);
        let side = self.px(SIDE);
        let left = if mirrored { width - side - clock.shaped.width } else { side };
        canvas.text(&clock, left, middle - clock.shaped.height / 2.0, clock.shaped.width);
        self.battery(canvas, at(0.0, 9.0), middle, ink);
        let online = self.context.around.online;
        if let Some(path) = self.wireless(at(13.0, 18.0), middle) {
            canvas.fill(&path, if online { ink } else { fade(ink, 0.35) });
        }
        let left = at(35.0, 13.0);
        let (top, bottom, size) = (middle - self.px(6.0), middle + self.px(6.5), self.px(12.5));
        let mut signal = PathBuilder::new();
        signal.move_to(left, bottom);
        signal.line_to(left + size, bottom);
        signal.line_to(left + size, top);
        signal.close();
        if let Some(path) = signal.finish() {
            canvas.fill(&path, if online { ink } else { fade(ink, 0.35) });
        }
        if !online {
            // What Android shows beside a network that leads nowhere.
            let mark = self.px(1.6);
            for (from, to) in [(-7.0, -2.0), (-0.5, 1.0)] {
                let left = at(11.0, 1.6);
                if let Some(path) =
                    icon::rounded(left, middle + self.px(from + 1.0), mark, self.px(to - from), [mark / 2.0; 4])
                {
                    canvas.fill(&path, ink);
                }
            }
        }
    }

    /// A battery standing upright, filled as far as it is charged.
    fn battery(&self, canvas: &mut Canvas<'_>, left: f32, middle: f32, ink: Rgba) {
        let (top, height) = (middle - self.px(6.0), self.px(13.0));
        let body = icon::rounded(left, top, self.px(8.5), height, [self.px(1.5); 4]);
        let cap = icon::rounded(left + self.px(2.25), top - self.px(1.5), self.px(4.0), self.px(2.0), [0.0; 4]);
        for path in body.iter().chain(&cap) {
            canvas.fill(path, fade(ink, 0.35));
        }
        let filled = height * CHARGE;
        if let Some(path) = icon::rounded(left, top + height - filled, self.px(8.5), filled, [self.px(1.5); 4]) {
            canvas.fill(&path, ink);
        }
    }

    fn wireless(&self, left: f32, middle: f32) -> Option<Path> {
        let radius = self.px(12.5);
        let cx = left + self.px(9.0);
        let bottom = middle + self.px(6.5);
        let up = bottom - radius;
        let mut path = PathBuilder::new();
        path.move_to(cx, bottom);
        path.line_to(cx - radius * 0.78, up + radius * 0.30);
        path.quad_to(cx, up - radius * 0.22, cx + radius * 0.78, up + radius * 0.30);
        path.close();
        path.finish()
    }
}
