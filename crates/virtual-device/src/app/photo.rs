//! Painted pictures: hills, houses, plates, people, shapes, things. The same seed gives the same picture.

use super::canvas::Canvas;
use super::file::PhotoKind;
use super::icon;
use super::palette::{Rgba, mix};
use super::scene::Surface;
use crate::domain::Rect;
use tiny_skia::PathBuilder;

/// Random numbers that depend on the seed only (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between two values.
    fn range(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * ((self.next() >> 40) as f32 / 16_777_216.0)
    }

    fn pick<T: Copy>(&mut self, of: &[T], otherwise: T) -> T {
        let at = (self.next() % of.len().max(1) as u64) as usize;
        of.get(at).copied().unwrap_or(otherwise)
    }
}

/// Paints a picture into `bounds`.
pub(super) fn draw(canvas: &mut Canvas<'_>, bounds: Rect, kind: PhotoKind, seed: u64, radius: f32) {
    if bounds.is_empty() {
        return;
    }
    let mut painter = Painter {
        dice: Dice(seed ^ 0x5eed),
        x: bounds.left as f32,
        y: bounds.top as f32,
        w: bounds.width() as f32,
        h: bounds.height() as f32,
    };
    canvas.within(bounds, radius, |canvas| match kind {
        PhotoKind::Landscape => painter.landscape(canvas, bounds),
        PhotoKind::City => painter.city(canvas, bounds),
        PhotoKind::Food => painter.food(canvas, bounds),
        PhotoKind::Portrait => painter.portrait(canvas, bounds),
        PhotoKind::Abstract => painter.shapes(canvas, bounds),
        PhotoKind::Product => painter.product(canvas, bounds),
    });
}

struct Painter {
    dice: Dice,
    x: f32,
    y: f32,
    w: f32,
    h: f32,
}

impl Painter {
    /// Bands from one colour to another, from top to bottom.
    fn gradient(canvas: &mut Canvas<'_>, bounds: Rect, from: Rgba, to: Rgba) {
        let bands = (bounds.height() / 4).clamp(1, 96);
        for at in 0..bands {
            let edge = |at: i32| bounds.top + bounds.height() * at / bands;
            let share = at as f32 / (bands - 1).max(1) as f32;
            canvas.rect(Rect::new(bounds.left, edge(at), bounds.right, edge(at + 1)), mix(from, to, share));
        }
    }

    fn landscape(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        let skies: [(Rgba, Rgba); 4] = [
            ([0x6c, 0xb4, 0xee, 255], [0xdd, 0xf0, 0xfb, 255]),
            ([0xf6, 0x9d, 0x6b, 255], [0xfd, 0xe3, 0xb6, 255]),
            ([0x35, 0x57, 0x8c, 255], [0xf0, 0xb7, 0xa4, 255]),
            ([0x4f, 0x8f, 0xc4, 255], [0xf7, 0xec, 0xd0, 255]),
        ];
        let (top, low) = self.dice.pick(&skies, skies[0]);
        Self::gradient(canvas, bounds, top, low);
        let (sun_x, sun_y) =
            (self.x + self.w * self.dice.range(0.2, 0.8), self.y + self.h * self.dice.range(0.2, 0.42));
        canvas.circle(sun_x, sun_y, self.h.min(self.w) * 0.08, [255, 246, 214, 255]);
        for cloud in 0..3 {
            let cx = self.x + self.w * self.dice.range(0.05, 0.95);
            let cy = self.y + self.h * self.dice.range(0.08, 0.35);
            let size = self.h * self.dice.range(0.03, 0.06);
            for part in -1..=2 {
                let off = part as f32 * size * 0.9;
                canvas.circle(cx + off, cy + (part % 2) as f32 * size * 0.25, size, [255, 255, 255, 120 - cloud * 20]);
            }
        }
        let greens: [Rgba; 3] = [[0x3f, 0x6b, 0x4b, 255], [0x4a, 0x5f, 0x86, 255], [0x5d, 0x7a, 0x3c, 255]];
        let near = self.dice.pick(&greens, greens[0]);
        for layer in 0..4 {
            let depth = layer as f32 / 3.0;
            let base = 0.48 + 0.14 * layer as f32;
            self.ridge(canvas, base, 0.16 - 0.02 * layer as f32, mix(low, near, 0.35 + 0.6 * depth));
        }
    }

    /// A range of hills from edge to edge.
    fn ridge(&mut self, canvas: &mut Canvas<'_>, base: f32, swing: f32, color: Rgba) {
        let mut path = PathBuilder::new();
        let steps = 7;
        let height = |dice: &mut Dice| base + dice.range(-swing, swing);
        path.move_to(self.x, self.y + self.h * height(&mut self.dice));
        for at in 0..steps {
            let to = self.x + self.w * (at + 1) as f32 / steps as f32;
            let between = self.x + self.w * (at as f32 + 0.5) / steps as f32;
            let (a, b) = (height(&mut self.dice), base + swing * 0.2);
            path.quad_to(between, self.y + self.h * a, to, self.y + self.h * b);
        }
        path.line_to(self.x + self.w, self.y + self.h);
        path.line_to(self.x, self.y + self.h);
        path.close();
        if let Some(path) = path.finish() {
            canvas.fill(&path, color);
        }
    }

    fn city(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        Self::gradient(canvas, bounds, [0x2a, 0x2f, 0x5c, 255], [0xf2, 0x9e, 0x7a, 255]);
        for layer in 0..3 {
            let color = mix([0xb4, 0x76, 0x86, 255], [0x1d, 0x20, 0x3c, 255], 0.35 + 0.3 * layer as f32);
            let mut left = self.x - self.w * 0.02;
            while left < self.x + self.w {
                let width = self.w * self.dice.range(0.06, 0.13);
                let top = self.y + self.h * self.dice.range(0.22 + 0.16 * layer as f32, 0.5 + 0.14 * layer as f32);
                let house = Rect::new(left as i32, top as i32, (left + width) as i32, bounds.bottom);
                canvas.rect(house, color);
                let cell = (self.w * 0.016).max(3.0);
                let mut wy = top + cell;
                while wy < self.y + self.h - cell {
                    let mut wx = left + cell;
                    while wx < left + width - cell {
                        if self.dice.range(0.0, 1.0) < 0.3 {
                            let window =
                                Rect::new(wx as i32, wy as i32, (wx + cell * 0.6) as i32, (wy + cell * 0.9) as i32);
                            canvas.rect(window, [0xff, 0xdd, 0x8f, 170]);
                        }
                        wx += cell * 1.5;
                    }
                    wy += cell * 2.0;
                }
                left += width * 1.04;
            }
        }
    }

    fn food(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        let woods: [Rgba; 3] = [[0x8a, 0x5a, 0x3b, 255], [0xd8, 0xcb, 0xb8, 255], [0x3d, 0x46, 0x4d, 255]];
        let wood = self.dice.pick(&woods, woods[0]);
        Self::gradient(canvas, bounds, wood, mix(wood, [0, 0, 0, 255], 0.25));
        let (cx, cy, r) = (self.x + self.w * 0.5, self.y + self.h * 0.52, self.w.min(self.h) * 0.42);
        canvas.circle(cx + r * 0.04, cy + r * 0.07, r * 1.02, [0, 0, 0, 60]);
        canvas.circle(cx, cy, r, [0xf7, 0xf5, 0xf0, 255]);
        canvas.circle(cx, cy, r * 0.78, [0xea, 0xe6, 0xde, 255]);
        let bases: [Rgba; 4] =
            [[0xe8, 0xb2, 0x4a, 255], [0xc8, 0x54, 0x38, 255], [0xe9, 0xd8, 0x9c, 255], [0x7d, 0x9b, 0x46, 255]];
        let base = self.dice.pick(&bases, bases[0]);
        canvas.circle(cx, cy, r * 0.66, base);
        let bits: [Rgba; 5] = [
            [0xb7, 0x2f, 0x27, 255],
            [0x4f, 0x8a, 0x34, 255],
            [0xf4, 0xe3, 0xb4, 255],
            [0x6b, 0x3a, 0x22, 255],
            [0xf0, 0x8a, 0x2c, 255],
        ];
        for _ in 0..26 {
            let (angle, reach) =
                (self.dice.range(0.0, std::f32::consts::TAU), r * 0.58 * self.dice.range(0.0, 1.0).sqrt());
            let color = self.dice.pick(&bits, bits[0]);
            let size = r * self.dice.range(0.05, 0.11);
            let (px, py) = (cx + reach * angle.cos(), cy + reach * angle.sin());
            canvas.circle(px, py + size * 0.15, size, [0, 0, 0, 40]);
            canvas.circle(px, py, size, color);
        }
    }

    fn portrait(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        let grounds: [Rgba; 4] =
            [[0x9f, 0xb8, 0xad, 255], [0xd9, 0xb8, 0x9c, 255], [0x8f, 0xa3, 0xc7, 255], [0xc7, 0xa3, 0xb8, 255]];
        let ground = self.dice.pick(&grounds, grounds[0]);
        Self::gradient(canvas, bounds, mix(ground, [255, 255, 255, 255], 0.35), ground);
        let skins: [Rgba; 4] =
            [[0xf1, 0xc9, 0xa5, 255], [0xd9, 0x9f, 0x73, 255], [0x9c, 0x65, 0x3f, 255], [0x6b, 0x43, 0x2b, 255]];
        let hairs: [Rgba; 4] =
            [[0x2b, 0x1f, 0x1a, 255], [0x6b, 0x45, 0x2a, 255], [0xc9, 0x9a, 0x55, 255], [0x4b, 0x4b, 0x50, 255]];
        let shirts: [Rgba; 4] =
            [[0x2f, 0x5d, 0x8a, 255], [0x8a, 0x2f, 0x3c, 255], [0x35, 0x6b, 0x4f, 255], [0xe9, 0xe4, 0xda, 255]];
        let skin = self.dice.pick(&skins, skins[0]);
        let hair = self.dice.pick(&hairs, hairs[0]);
        let shirt = self.dice.pick(&shirts, shirts[0]);
        let unit = self.w.min(self.h);
        let (cx, cy) = (self.x + self.w / 2.0, self.y + self.h * 0.42);
        canvas.circle(cx, cy - unit * 0.04, unit * 0.235, hair);
        if let Some(body) = icon::rounded(cx - unit * 0.36, cy + unit * 0.29, unit * 0.72, unit * 0.6, [unit * 0.26; 4])
        {
            canvas.fill(&body, shirt);
        }
        if let Some(neck) =
            icon::rounded(cx - unit * 0.075, cy + unit * 0.12, unit * 0.15, unit * 0.24, [unit * 0.07; 4])
        {
            canvas.fill(&neck, mix(skin, [0, 0, 0, 255], 0.12));
        }
        if let Some(face) =
            icon::rounded(cx - unit * 0.165, cy - unit * 0.17, unit * 0.33, unit * 0.41, [unit * 0.165; 4])
        {
            canvas.fill(&face, skin);
        }
        let mut fringe = PathBuilder::new();
        fringe.move_to(cx - unit * 0.19, cy - unit * 0.02);
        fringe.quad_to(cx - unit * 0.16, cy - unit * 0.26, cx + unit * 0.05, cy - unit * 0.22);
        fringe.quad_to(cx + unit * 0.2, cy - unit * 0.2, cx + unit * 0.19, cy - unit * 0.02);
        fringe.quad_to(cx + unit * 0.12, cy - unit * 0.12, cx, cy - unit * 0.115);
        fringe.quad_to(cx - unit * 0.13, cy - unit * 0.11, cx - unit * 0.19, cy - unit * 0.02);
        fringe.close();
        if let Some(fringe) = fringe.finish() {
            canvas.fill(&fringe, hair);
        }
        for side in [-1.0, 1.0] {
            canvas.circle(cx + side * unit * 0.065, cy + unit * 0.015, unit * 0.014, [0x2a, 0x20, 0x1c, 255]);
        }
        let mut smile = PathBuilder::new();
        smile.move_to(cx - unit * 0.055, cy + unit * 0.12);
        smile.quad_to(cx, cy + unit * 0.165, cx + unit * 0.055, cy + unit * 0.12);
        if let Some(smile) = smile.finish() {
            canvas.outline(&smile, unit * 0.012, mix(skin, [0x80, 0x10, 0x20, 255], 0.6));
        }
    }

    fn shapes(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        let sets: [[Rgba; 3]; 4] = [
            [[0x3a, 0x4c, 0xc0, 255], [0x8e, 0x54, 0xd6, 255], [0xf0, 0x7b, 0xa5, 255]],
            [[0x0f, 0x76, 0x6e, 255], [0x2b, 0xa8, 0x9a, 255], [0xf2, 0xd0, 0x6b, 255]],
            [[0xb0, 0x35, 0x3b, 255], [0xee, 0x7f, 0x4b, 255], [0xf9, 0xd5, 0x9b, 255]],
            [[0x1e, 0x3a, 0x5f, 255], [0x2f, 0x7f, 0xb5, 255], [0xa8, 0xd8, 0xe8, 255]],
        ];
        let [a, b, c] = self.dice.pick(&sets, sets[0]);
        Self::gradient(canvas, bounds, a, b);
        for at in 0..5 {
            let color = if at % 2 == 0 { c } else { b };
            let (cx, cy) = (self.x + self.w * self.dice.range(0.0, 1.0), self.y + self.h * self.dice.range(0.0, 1.0));
            let size = self.w.max(self.h) * self.dice.range(0.12, 0.34);
            canvas.circle(cx, cy, size, [color[0], color[1], color[2], 90]);
        }
    }

    fn product(&mut self, canvas: &mut Canvas<'_>, bounds: Rect) {
        Self::gradient(canvas, bounds, [0xf4, 0xf4, 0xf2, 255], [0xe0, 0xe1, 0xe2, 255]);
        let unit = self.w.min(self.h);
        let (cx, floor) = (self.x + self.w / 2.0, self.y + self.h * 0.84);
        if let Some(shadow) =
            icon::rounded(cx - unit * 0.3, floor - unit * 0.03, unit * 0.6, unit * 0.06, [unit * 0.03; 4])
        {
            canvas.fill(&shadow, [0, 0, 0, 40]);
        }
        let colors: [Rgba; 5] = [
            [0xc6, 0x3d, 0x2f, 255],
            [0x2f, 0x6d, 0xb5, 255],
            [0x3f, 0x7d, 0x4e, 255],
            [0xe0, 0xa5, 0x2f, 255],
            [0x5a, 0x4a, 0x78, 255],
        ];
        let color = self.dice.pick(&colors, colors[0]);
        let dark = mix(color, [0, 0, 0, 255], 0.28);
        let stand = Stand { middle: cx, floor, unit };
        match self.dice.next() % 4 {
            0 => stand.bottle(canvas, color, dark),
            1 => stand.parcel(canvas, color, dark),
            2 => stand.fruit(canvas, color),
            _ => stand.cup(canvas, color, dark),
        }
    }
}

/// Where a product stands. Lengths of what stands there are shares of `unit`, up and to both sides.
struct Stand {
    middle: f32,
    floor: f32,
    unit: f32,
}

impl Stand {
    /// A rectangle from so far left and up, so wide and high, with corners rounded by that much.
    fn part(&self, canvas: &mut Canvas<'_>, [left, up, wide, tall]: [f32; 4], corners: [f32; 4], fill: Rgba) {
        let unit = self.unit;
        let (x, y) = (self.middle - unit * left, self.floor - unit * up);
        if let Some(part) = icon::rounded(x, y, unit * wide, unit * tall, corners.map(|corner| unit * corner)) {
            canvas.fill(&part, fill);
        }
    }

    /// The same place in whole pixels.
    fn rect(&self, [left, up, right, down]: [f32; 4]) -> Rect {
        let unit = self.unit;
        Rect::new(
            (self.middle - unit * left) as i32,
            (self.floor - unit * up) as i32,
            (self.middle + unit * right) as i32,
            (self.floor - unit * down) as i32,
        )
    }

    fn dot(&self, canvas: &mut Canvas<'_>, (right, up): (f32, f32), radius: f32, color: Rgba) {
        canvas.circle(self.middle + self.unit * right, self.floor - self.unit * up, self.unit * radius, color);
    }

    fn bottle(&self, canvas: &mut Canvas<'_>, color: Rgba, dark: Rgba) {
        self.part(canvas, [0.07, 0.62, 0.14, 0.2], [0.05; 4], dark);
        self.part(canvas, [0.16, 0.48, 0.32, 0.46], [0.05; 4], color);
        self.part(canvas, [0.16, 0.32, 0.32, 0.16], [0.05; 4], [255, 255, 255, 220]);
    }

    fn parcel(&self, canvas: &mut Canvas<'_>, color: Rgba, dark: Rgba) {
        let unit = self.unit;
        let body = self.rect([0.24, 0.44, 0.24, 0.0]);
        canvas.surface(body, &Surface::rounded(color, unit * 0.02));
        canvas.rect(Rect::new(body.left, body.top, body.right, body.top + (unit * 0.09) as i32), dark);
        let label = Rect::new(
            body.left + (unit * 0.08) as i32,
            body.top + (unit * 0.18) as i32,
            body.right - (unit * 0.08) as i32,
            body.bottom - (unit * 0.1) as i32,
        );
        canvas.surface(label, &Surface::rounded([255, 255, 255, 230], unit * 0.015));
    }

    fn fruit(&self, canvas: &mut Canvas<'_>, color: Rgba) {
        self.dot(canvas, (0.0, 0.24), 0.24, color);
        self.dot(canvas, (-0.08, 0.32), 0.06, [255, 255, 255, 90]);
        self.part(canvas, [0.015, 0.56, 0.03, 0.12], [0.015; 4], [0x5a, 0x3a, 0x22, 255]);
        self.dot(canvas, (0.07, 0.5), 0.05, [0x4f, 0x8a, 0x34, 255]);
    }

    fn cup(&self, canvas: &mut Canvas<'_>, color: Rgba, dark: Rgba) {
        let unit = self.unit;
        self.part(canvas, [0.2, 0.4, 0.4, 0.4], [0.03, 0.03, 0.1, 0.1], color);
        let (x, y) = (self.middle + unit * 0.22, self.floor - unit * 0.2);
        if let Some(handle) = PathBuilder::from_circle(x, y, unit * 0.09) {
            canvas.outline(&handle, unit * 0.035, dark);
        }
        canvas.surface(self.rect([0.2, 0.4, 0.2, 0.35]), &Surface::rounded(dark, unit * 0.02));
    }
}
