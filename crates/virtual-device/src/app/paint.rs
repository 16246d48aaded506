//! Pictures that are drawn by a rule: bars, stars, dials, charts, and what `photo` and `scenery` paint.

use super::canvas::Canvas;
use super::file::PhotoKind;
use super::icon;
use super::palette::{Rgba, WHITE, fade};
use super::scene::{Surface, TextBlock};
use crate::domain::Rect;
use std::f32::consts::TAU;
use std::time::Duration;
use tiny_skia::PathBuilder;

/// What is drawn. Lengths in pixels.
#[derive(Debug)]
pub(super) enum Paint {
    /// A bar filled from its left end.
    Bar {
        /// How much, 0–1; none: something moves along it.
        share: Option<f32>,
        /// The filled part.
        color: Rgba,
        /// The rest.
        track: Rgba,
    },
    /// A bar with a thumb.
    Slider {
        /// Where the thumb is, 0–1.
        share: f32,
        /// Distance of its ends from the edges.
        inset: f32,
        /// The part before the thumb.
        color: Rgba,
        /// The part behind it.
        track: Rgba,
        /// Steps marked on it.
        stops: usize,
    },
    /// Stars, some of them filled.
    Stars {
        /// How many are filled.
        value: f32,
        /// How many there are.
        total: usize,
        /// Filled ones.
        color: Rgba,
        /// Empty ones.
        empty: Rgba,
    },
    /// A clock's face with one hand.
    Dial {
        /// Where the hand points, 0–1 from the top.
        turn: f32,
        /// The disc.
        face: Rgba,
        /// The hand.
        hand: Rgba,
    },
    /// A QR code's modules.
    Qr(Vec<Vec<bool>>),
    /// Values.
    Chart {
        /// The values.
        values: Vec<f32>,
        /// Texts below them, shaped.
        labels: Vec<TextBlock>,
        /// A line in place of bars.
        line: bool,
        /// Bars or line.
        color: Rgba,
        /// Lines behind.
        grid: Rgba,
        /// Pixels a dp.
        dp: f32,
    },
    /// A painted picture.
    Photo {
        /// What it shows.
        kind: PhotoKind,
        /// Which one of its kind.
        seed: u64,
        /// How much darker it is made.
        scrim: f32,
        /// Corner radius.
        radius: f32,
    },
    /// A street map.
    Map {
        /// Centre.
        latitude: f64,
        /// Centre.
        longitude: f64,
        /// Zoom level as web maps count.
        zoom: f32,
        /// Places on it.
        pins: Vec<MapPin>,
        /// Colour of the route through the pins.
        route: Option<Rgba>,
        /// Pixels a dp.
        dp: f32,
    },
}

/// A place on a map.
#[derive(Debug)]
pub(super) struct MapPin {
    /// Degrees.
    pub latitude: f64,
    /// Degrees.
    pub longitude: f64,
    /// Text beside it, shaped.
    pub label: TextBlock,
    /// Colour.
    pub color: Rgba,
}

impl Paint {
    /// Draws it. What is filled from the left is filled from the right where `mirrored`.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, bounds: Rect, now: Duration, mirrored: bool) {
        match self {
            Self::Bar { share, color, track } => {
                let phase = now.as_millis() as f32 % 1600.0 / 1600.0;
                let ends = share.map_or(((phase * 1.4 - 0.4).max(0.0), (phase * 1.4).min(1.0)), |to| (0.0, to));
                let ends = if mirrored { (1.0 - ends.1, 1.0 - ends.0) } else { ends };
                bar(canvas, bounds, ends, (*color, *track));
            }
            Self::Slider { share, inset, color, track, stops } => {
                let filled = if mirrored { (1.0 - share, 1.0) } else { (0.0, *share) };
                let thumb = if mirrored { 1.0 - share } else { *share };
                slider(canvas, bounds, &SliderParts { filled, thumb, inset: *inset, stops: *stops }, (*color, *track));
            }
            Self::Stars { value, total, color, empty } => {
                let place = |at: usize| if mirrored { *total - 1 - at } else { at };
                let filled: Vec<(usize, f32)> =
                    (0..*total).map(|at| (place(at), (value - at as f32).clamp(0.0, 1.0))).collect();
                stars(canvas, bounds, &filled, (*color, *empty));
            }
            Self::Dial { turn, face, hand } => dial(canvas, bounds, *turn, (*face, *hand)),
            Self::Qr(modules) => qr(canvas, bounds, modules),
            Self::Chart { values, labels, line, color, grid, dp } => {
                chart(canvas, bounds, (values, labels), *line, (*color, *grid), *dp);
            }
            Self::Photo { kind, seed, scrim, radius } => {
                super::photo::draw(canvas, bounds, *kind, *seed, *radius);
                if *scrim > 0.0 {
                    let shade = Surface::rounded(fade([0, 0, 0, 255], *scrim), *radius);
                    canvas.surface(bounds, &shade);
                }
            }
            Self::Map { latitude, longitude, zoom, pins, route, dp } => {
                let view = super::street_map::View { latitude: *latitude, longitude: *longitude, zoom: *zoom, dp: *dp };
                super::street_map::draw(canvas, bounds, &view, pins, *route);
            }
        }
    }
}

/// A bar that is filled between two shares of its width.
fn bar(canvas: &mut Canvas<'_>, bounds: Rect, (from, to): (f32, f32), (color, track): (Rgba, Rgba)) {
    let (x, w, radius) = (bounds.left as f32, bounds.width() as f32, bounds.height() as f32 / 2.0);
    canvas.surface(bounds, &Surface::rounded(track, radius));
    let part = Rect::new((x + from * w) as i32, bounds.top, (x + to * w).round() as i32, bounds.bottom);
    canvas.surface(part, &Surface::rounded(color, radius));
}

/// A slider's parts as shares of its way.
struct SliderParts {
    filled: (f32, f32),
    thumb: f32,
    /// Distance of its ends from the edges, in pixels.
    inset: f32,
    stops: usize,
}

fn slider(canvas: &mut Canvas<'_>, bounds: Rect, parts: &SliderParts, (color, track): (Rgba, Rgba)) {
    let inset = parts.inset;
    let (from, to) = (bounds.left as f32 + inset, bounds.right as f32 - inset);
    let middle = bounds.top as f32 + bounds.height() as f32 / 2.0;
    let at = |share: f32| from + (to - from) * share;
    let half = inset * 0.125;
    let line =
        |a: f32, b: f32| Rect::new(a.round() as i32, (middle - half) as i32, b.round() as i32, (middle + half) as i32);
    canvas.surface(line(from, to), &Surface::rounded(track, half));
    let (begin, end) = parts.filled;
    canvas.surface(line(at(begin), at(end)), &Surface::rounded(color, half));
    if (2..=20).contains(&parts.stops) {
        for stop in 0..=parts.stops {
            let share = stop as f32 / parts.stops as f32;
            let passed = (begin..=end).contains(&share);
            canvas.circle(at(share), middle, half * 0.6, if passed { track } else { color });
        }
    }
    canvas.circle(at(parts.thumb), middle, inset * 0.625, color);
}

/// Stars at their places, each with how much of it is filled.
fn stars(canvas: &mut Canvas<'_>, bounds: Rect, filled: &[(usize, f32)], (color, empty): (Rgba, Rgba)) {
    let size = bounds.width() as f32 / filled.len().max(1) as f32;
    let inset = size * 0.08;
    let side = size - 2.0 * inset;
    let top = bounds.top as f32 + (bounds.height() as f32 - side) / 2.0;
    for (place, share) in filled {
        let (icon, ink) = match share {
            share if *share >= 0.75 => (super::file::IconName::Star, color),
            share if *share >= 0.25 => (super::file::IconName::StarHalf, color),
            _ => (super::file::IconName::StarOutline, empty),
        };
        canvas.icon(icon, bounds.left as f32 + *place as f32 * size + inset, top, side, ink);
    }
}

/// A clock's face with a hand that points at a share of the way around.
fn dial(canvas: &mut Canvas<'_>, bounds: Rect, turn: f32, (face, hand): (Rgba, Rgba)) {
    let (w, h) = (bounds.width() as f32, bounds.height() as f32);
    let (cx, cy, radius) = (bounds.left as f32 + w / 2.0, bounds.top as f32 + h / 2.0, w.min(h) / 2.0);
    canvas.circle(cx, cy, radius, face);
    let angle = turn * TAU;
    let reach = radius * 0.797;
    let (tx, ty) = (cx + reach * angle.sin(), cy - reach * angle.cos());
    let mut line = PathBuilder::new();
    line.move_to(cx, cy);
    line.line_to(tx, ty);
    if let Some(line) = line.finish() {
        canvas.outline(&line, radius * 0.016, hand);
    }
    canvas.circle(cx, cy, radius * 0.03, hand);
    canvas.circle(tx, ty, radius * 0.16, hand);
}

fn qr(canvas: &mut Canvas<'_>, bounds: Rect, modules: &[Vec<bool>]) {
    canvas.rect(bounds, WHITE);
    if modules.is_empty() {
        return;
    }
    // Four modules of quiet zone at each side.
    let side = (bounds.width().min(bounds.height()) / (modules.len() as i32 + 8)).max(1);
    let used = side * modules.len() as i32;
    let (left, top) = (bounds.left + (bounds.width() - used) / 2, bounds.top + (bounds.height() - used) / 2);
    for (row, line) in modules.iter().enumerate() {
        for (column, _) in line.iter().enumerate().filter(|(_, dark)| **dark) {
            let (x, y) = (left + column as i32 * side, top + row as i32 * side);
            canvas.rect(Rect::new(x, y, x + side, y + side), [0, 0, 0, 255]);
        }
    }
}

fn chart(
    canvas: &mut Canvas<'_>,
    bounds: Rect,
    (values, labels): (&[f32], &[TextBlock]),
    line: bool,
    (color, grid): (Rgba, Rgba),
    dp: f32,
) {
    let foot = if labels.is_empty() { 0.0 } else { 22.0 * dp };
    let (x, y) = (bounds.left as f32, bounds.top as f32 + 6.0 * dp);
    let (w, h) = (bounds.width() as f32, bounds.height() as f32 - foot - 8.0 * dp);
    for at in 0..=4 {
        let at = (y + h * at as f32 / 4.0).round() as i32;
        canvas.rect(Rect::new(bounds.left, at, bounds.right, at + dp.round().max(1.0) as i32), grid);
    }
    let most = values.iter().copied().fold(0.0_f32, f32::max);
    if values.is_empty() || most <= 0.0 {
        return;
    }
    let pitch = w / values.len() as f32;
    let middle = |at: usize| x + pitch * (at as f32 + 0.5);
    let height = |value: f32| y + h * (1.0 - (value / most).clamp(0.0, 1.0) * 0.94);
    if line {
        let mut path = PathBuilder::new();
        for (at, &value) in values.iter().enumerate() {
            if at == 0 { path.move_to(middle(at), height(value)) } else { path.line_to(middle(at), height(value)) }
        }
        let mut area = path.clone();
        area.line_to(middle(values.len() - 1), y + h);
        area.line_to(middle(0), y + h);
        area.close();
        if let Some(area) = area.finish() {
            canvas.fill(&area, fade(color, 0.14));
        }
        if let Some(path) = path.finish() {
            canvas.outline(&path, 2.5 * dp, color);
        }
        for (at, &value) in values.iter().enumerate() {
            canvas.circle(middle(at), height(value), 3.5 * dp, color);
        }
    } else {
        let half = (pitch * 0.3).min(20.0 * dp);
        for (at, &value) in values.iter().enumerate() {
            let (top, left) = (height(value), middle(at) - half);
            let radius = (4.0 * dp).min(half);
            if let Some(bar) = icon::rounded(left, top, 2.0 * half, y + h - top, [radius, radius, 0.0, 0.0]) {
                canvas.fill(&bar, color);
            }
        }
    }
    for (at, label) in labels.iter().enumerate().take(values.len()) {
        let left = middle(at) - label.shaped.width / 2.0;
        canvas.text(label, left, y + h + 4.0 * dp, label.shaped.width);
    }
}
