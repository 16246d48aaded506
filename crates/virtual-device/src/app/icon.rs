//! The built-in icons, on a grid of 24 × 24: strokes of width 2 with round ends, and fills.
//!
//! Notation: `M x y`, `L x y`, `Q x1 y1 x y`, `C x1 y1 x2 y2 x y`, `Z`, and `O cx cy r` for a circle,
//! `R x y w h r` for a rounded rectangle.

use tiny_skia::{Path, PathBuilder};

/// A part of an icon.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// Drawn as a line.
    Stroke(&'static str),
    /// Filled.
    Fill(&'static str),
}

/// Whether an icon shows a direction of reading, so that it is mirrored where text runs from right to left. A tick, a
/// clock and a magnifying glass are not (Material's guide to bidirectionality).
pub(super) const fn has_direction(icon: super::file::IconName) -> bool {
    use super::file::IconName as I;
    matches!(icon, I::Back | I::Chevron | I::Send | I::Receipt | I::Backspace | I::Car | I::Cart | I::Wallet)
}

/// A path from its notation; `None` when it is malformed.
#[expect(clippy::many_single_char_names, reason = "the letters of the notation")]
pub(super) fn path(notation: &str) -> Option<Path> {
    let mut words = notation.split_ascii_whitespace();
    let mut builder = PathBuilder::new();
    while let Some(command) = words.next() {
        let mut number = || words.next()?.parse::<f32>().ok();
        match command {
            "M" => builder.move_to(number()?, number()?),
            "L" => builder.line_to(number()?, number()?),
            "Q" => builder.quad_to(number()?, number()?, number()?, number()?),
            "C" => builder.cubic_to(number()?, number()?, number()?, number()?, number()?, number()?),
            "O" => builder.push_circle(number()?, number()?, number()?),
            "R" => {
                let (x, y, w, h, r) = (number()?, number()?, number()?, number()?, number()?);
                builder.push_path(&rounded(x, y, w, h, [r; 4])?);
            }
            "Z" => builder.close(),
            _ => return None,
        }
    }
    builder.finish()
}

/// A rectangle with rounded corners: radii of top left, top right, bottom right, bottom left.
#[expect(clippy::many_single_char_names, reason = "the usual letters of geometry")]
pub(super) fn rounded(x: f32, y: f32, w: f32, h: f32, radii: [f32; 4]) -> Option<Path> {
    let limit = w.min(h) / 2.0;
    let [tl, tr, br, bl] = radii.map(|r| r.clamp(0.0, limit));
    // A circle's quarter as a cubic curve.
    let k = 0.447_715;
    let mut p = PathBuilder::new();
    p.move_to(x + tl, y);
    p.line_to(x + w - tr, y);
    p.cubic_to(x + w - tr * k, y, x + w, y + tr * k, x + w, y + tr);
    p.line_to(x + w, y + h - br);
    p.cubic_to(x + w, y + h - br * k, x + w - br * k, y + h, x + w - br, y + h);
    p.line_to(x + bl, y + h);
    p.cubic_to(x + bl * k, y + h, x, y + h - bl * k, x, y + h - bl);
    p.line_to(x, y + tl);
    p.cubic_to(x, y + tl * k, x + tl * k, y, x + tl, y);
    p.close();
    p.finish()
}

#[cfg(test)]
mod tests {
    use super::super::file::IconName;
    use super::super::icon_shapes::parts;
    use super::Part::{Fill as F, Stroke as S};
    use super::*;

    #[test]
    fn every_icon_lies_on_its_grid() {
        for &icon in IconName::ALL {
            assert!(!parts(icon).is_empty(), "{icon:?} is empty");
            for part in parts(icon) {
                let (S(notation) | F(notation)) = part;
                let bounds = path(notation).unwrap_or_else(|| panic!("{icon:?}: {notation}")).bounds();
                assert!(bounds.left() >= 1.0 && bounds.right() <= 23.0, "{icon:?} is too wide");
                assert!(bounds.top() >= 1.0 && bounds.bottom() <= 23.0, "{icon:?} is too high");
            }
        }
    }
}
