//! A street map that nobody surveyed: blocks, streets, a river and parks that follow from the coordinates, so that the
//! same place looks the same at every visit and moves with its centre.

use super::canvas::Canvas;
use super::paint::MapPin;
use super::palette::{Rgba, WHITE};
use super::scene::Surface;
use crate::domain::Rect;
use tiny_skia::PathBuilder;

const GROUND: Rgba = [0xf2, 0xef, 0xe9, 255];
const STREET: Rgba = [0xff, 0xff, 0xff, 255];
const EDGE: Rgba = [0xdd, 0xd8, 0xcf, 255];
const AVENUE: Rgba = [0xfb, 0xe1, 0x9c, 255];
const PARK: Rgba = [0xc9, 0xe4, 0xbd, 255];
const WATER: Rgba = [0xa9, 0xd0, 0xec, 255];
const HOUSES: Rgba = [0xe4, 0xdf, 0xd6, 255];
/// Distance of streets at zoom 15, dp.
const BLOCK: f64 = 74.0;

/// What part of the world is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// Centre, degrees.
    pub latitude: f64,
    /// Centre, degrees.
    pub longitude: f64,
    /// Zoom level as web maps count.
    pub zoom: f32,
    /// Pixels a dp.
    pub dp: f32,
}

impl View {
    /// Web Mercator, dp at this zoom level.
    fn world(&self, latitude: f64, longitude: f64) -> (f64, f64) {
        let size = 256.0 * f64::from(self.zoom).exp2();
        let sin = latitude.clamp(-85.0, 85.0).to_radians().sin();
        let y = 0.5 - ((1.0 + sin) / (1.0 - sin)).ln() / (4.0 * std::f64::consts::PI);
        ((longitude / 360.0 + 0.5) * size, y * size)
    }

    /// Where a place lies on the display.
    pub(super) fn place(&self, bounds: Rect, latitude: f64, longitude: f64) -> (f32, f32) {
        let (cx, cy) = self.world(self.latitude, self.longitude);
        let (x, y) = self.world(latitude, longitude);
        let centre = bounds.center();
        let dp = f64::from(self.dp);
        (centre.x as f32 + ((x - cx) * dp) as f32, centre.y as f32 + ((y - cy) * dp) as f32)
    }
}

/// Draws the map, its pins, and the route through them.
pub(super) fn draw(canvas: &mut Canvas<'_>, bounds: Rect, view: &View, pins: &[MapPin], route: Option<Rgba>) {
    if bounds.is_empty() {
        return;
    }
    canvas.within(bounds, 0.0, |canvas| {
        canvas.rect(bounds, GROUND);
        blocks(canvas, bounds, view);
        let places: Vec<(f32, f32)> = pins.iter().map(|pin| view.place(bounds, pin.latitude, pin.longitude)).collect();
        if let (Some(color), [first, rest @ ..]) = (route, places.as_slice()) {
            // Along the streets: first across, then down.
            let mut path = PathBuilder::new();
            path.move_to(first.0, first.1);
            for &(x, y) in rest {
                let from = path.last_point().unwrap_or_default();
                let middle = f32::midpoint(from.x, x);
                path.line_to(middle, from.y);
                path.line_to(middle, y);
                path.line_to(x, y);
            }
            if let Some(path) = path.finish() {
                canvas.outline(&path, 7.0 * view.dp, WHITE);
                canvas.outline(&path, 4.5 * view.dp, color);
            }
        }
        for (pin, place) in pins.iter().zip(&places) {
            marker(canvas, pin, *place, view.dp);
        }
    });
}

fn blocks(canvas: &mut Canvas<'_>, bounds: Rect, view: &View) {
    let (cx, cy) = view.world(view.latitude, view.longitude);
    // Streets keep their distance on the ground: twice as far apart at the next zoom level.
    let mut pitch = BLOCK * f64::from(view.zoom - 15.0).exp2();
    while pitch < 44.0 {
        pitch *= 2.0;
    }
    while pitch > 140.0 {
        pitch /= 2.0;
    }
    let dp = f64::from(view.dp);
    let centre = bounds.center();
    let columns = (f64::from(bounds.width()) / dp / pitch / 2.0).ceil() as i64 + 1;
    let rows = (f64::from(bounds.height()) / dp / pitch / 2.0).ceil() as i64 + 1;
    let (column, row) = ((cx / pitch).floor() as i64, (cy / pitch).floor() as i64);
    let x_of = |at: i64| centre.x as f32 + ((at as f64 * pitch - cx) * dp) as f32;
    let y_of = |at: i64| centre.y as f32 + ((at as f64 * pitch - cy) * dp) as f32;
    let half = (3.4 * view.dp).round();
    for r in row - rows..=row + rows {
        for c in column - columns..=column + columns {
            let (left, top, right, bottom) = (x_of(c), y_of(r), x_of(c + 1), y_of(r + 1));
            let kind = noise(c, r) % 100;
            let lot =
                Rect::new((left + half) as i32, (top + half) as i32, (right - half) as i32, (bottom - half) as i32);
            if kind < 9 {
                canvas.surface(lot, &Surface::rounded(PARK, 6.0 * view.dp));
            } else if kind < 62 {
                let inset = (5.0 * view.dp) as i32;
                let middle = lot.left + lot.width() * (30 + (noise(c, r) / 100 % 40) as i32) / 100;
                let gap = (2.5 * view.dp) as i32;
                for (from, to) in [(lot.left + inset, middle - gap), (middle + gap, lot.right - inset)] {
                    let house = Rect::new(from, lot.top + inset, to, lot.bottom - inset);
                    canvas.surface(house, &Surface::rounded(HOUSES, 2.0 * view.dp));
                }
            }
        }
    }
    for c in column - columns..=column + columns + 1 {
        let wide = c.rem_euclid(5) == 0;
        street(canvas, Rect::new(x_of(c) as i32, bounds.top, x_of(c) as i32, bounds.bottom), true, wide, half);
    }
    for r in row - rows..=row + rows + 1 {
        let wide = r.rem_euclid(4) == 1;
        street(canvas, Rect::new(bounds.left, y_of(r) as i32, bounds.right, y_of(r) as i32), false, wide, half);
    }
    river(canvas, bounds, view, (cx, cy), pitch);
}

fn street(canvas: &mut Canvas<'_>, line: Rect, upright: bool, wide: bool, half: f32) {
    let half = if wide { half * 1.5 } else { half } as i32;
    let grown = |by: i32| {
        if upright {
            Rect::new(line.left - by, line.top, line.right + by, line.bottom)
        } else {
            Rect::new(line.left, line.top - by, line.right, line.bottom + by)
        }
    };
    canvas.rect(grown(half + 1), EDGE);
    canvas.rect(grown(half), if wide { AVENUE } else { STREET });
}

/// A river that crosses each fourteenth row of blocks.
fn river(canvas: &mut Canvas<'_>, bounds: Rect, view: &View, (cx, cy): (f64, f64), pitch: f64) {
    let dp = f64::from(view.dp);
    let every = pitch * 14.0;
    let nearest = ((cy / every).round() * every - cy) * dp;
    let base = f64::from(bounds.center().y) + nearest;
    let mut path = PathBuilder::new();
    let steps = 24;
    for at in 0..=steps {
        let x = f64::from(bounds.left) + f64::from(bounds.width()) * f64::from(at) / f64::from(steps);
        let world = cx + (x - f64::from(bounds.center().x)) / dp;
        let y = base + (world / pitch * 0.55).sin() * pitch * 0.8 * dp;
        if at == 0 { path.move_to(x as f32, y as f32) } else { path.line_to(x as f32, y as f32) }
    }
    if let Some(path) = path.finish() {
        canvas.outline(&path, 34.0 * view.dp, WATER);
    }
}

fn marker(canvas: &mut Canvas<'_>, pin: &MapPin, (x, y): (f32, f32), dp: f32) {
    let head = y - 22.0 * dp;
    let mut tail = PathBuilder::new();
    tail.move_to(x - 8.5 * dp, head + 5.0 * dp);
    tail.line_to(x, y);
    tail.line_to(x + 8.5 * dp, head + 5.0 * dp);
    tail.close();
    if let Some(tail) = tail.finish() {
        canvas.fill(&tail, pin.color);
    }
    canvas.circle(x, head, 10.5 * dp, pin.color);
    canvas.circle(x, head, 4.2 * dp, WHITE);
    if pin.label.text.is_empty() {
        return;
    }
    let (w, h) = (pin.label.shaped.width, pin.label.shaped.height);
    let (left, top) = (x + 14.0 * dp, head - h / 2.0);
    let pad = 5.0 * dp;
    let plate =
        Rect::new((left - pad) as i32, (top - pad * 0.6) as i32, (left + w + pad) as i32, (top + h + pad * 0.6) as i32);
    canvas.surface(plate, &Surface { elevation: dp, ..Surface::rounded([255, 255, 255, 235], 4.0 * dp) });
    canvas.text(&pin.label, left, top, w);
}

/// A number that depends on a block's place only.
fn noise(column: i64, row: i64) -> u64 {
    let mut z = (column as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (row as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 32)
}
