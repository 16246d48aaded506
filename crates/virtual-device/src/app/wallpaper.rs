//! The home screen's picture: dunes under an evening sky, quiet enough for white labels.

use super::canvas::Canvas;
use super::draw::Frame;
use super::palette::Rgba;
use tiny_skia::PathBuilder;

/// Crests from left to right as shares of the display, and colours by day and by night.
const DUNES: [([f32; 4], Rgba, Rgba); 4] = [
    ([0.58, 0.50, 0.60, 0.52], [0x6f, 0x6a, 0xa8, 255], [0x24, 0x23, 0x40, 255]),
    ([0.66, 0.70, 0.58, 0.66], [0x57, 0x55, 0x96, 255], [0x1d, 0x1c, 0x37, 255]),
    ([0.74, 0.70, 0.80, 0.70], [0x41, 0x44, 0x80, 255], [0x16, 0x17, 0x2d, 255]),
    ([0.88, 0.82, 0.80, 0.88], [0x2d, 0x32, 0x66, 255], [0x10, 0x11, 0x22, 255]),
];

impl Frame<'_> {
    pub(super) fn wallpaper(&self, canvas: &mut Canvas<'_>) {
        let night = self.context.night;
        let display = self.context.display;
        let (width, height) = (display.width as f32, display.height as f32);
        if night {
            canvas.gradient([0x0c, 0x0f, 0x1f, 255], [0x2c, 0x2a, 0x4d, 255]);
        } else {
            canvas.gradient([0x2f, 0x4b, 0x8c, 255], [0xc9, 0x8f, 0xa6, 255]);
        }
        for (crest, by_day, by_night) in DUNES {
            let mut path = PathBuilder::new();
            let at = |share: f32| share * height;
            path.move_to(0.0, at(crest[0]));
            path.cubic_to(width * 0.3, at(crest[1]), width * 0.65, at(crest[2]), width, at(crest[3]));
            path.line_to(width, height);
            path.line_to(0.0, height);
            path.close();
            if let Some(path) = path.finish() {
                canvas.fill(&path, if night { by_night } else { by_day });
            }
        }
    }
}
