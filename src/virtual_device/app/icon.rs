//! The built-in icons, on a grid of 24 × 24: strokes of width 2 with round ends, and fills.
//!
//! Notation: `M x y`, `L x y`, `Q x1 y1 x y`, `C x1 y1 x2 y2 x y`, `Z`, and `O cx cy r` for a circle,
//! `R x y w h r` for a rounded rectangle.

use super::file::IconName;
use tiny_skia::{Path, PathBuilder};

/// A part of an icon.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// Drawn as a line.
    Stroke(&'static str),
    /// Filled.
    Fill(&'static str),
}

use Part::{Fill as F, Stroke as S};

/// The parts of an icon.
pub(super) const fn parts(icon: IconName) -> &'static [Part] {
    match icon {
        IconName::Back => &[S("M 20 12 L 5 12 M 11.5 5 L 4.5 12 L 11.5 19")],
        IconName::Close => &[S("M 6 6 L 18 18 M 18 6 L 6 18")],
        IconName::Check => &[S("M 4.5 12.5 L 9.5 17.5 L 19.5 7")],
        IconName::Chevron => &[S("M 9 5.5 L 15.5 12 L 9 18.5")],
        IconName::ChevronDown => &[S("M 5.5 9 L 12 15.5 L 18.5 9")],
        IconName::Backspace => &[S("M 8 5 L 21 5 L 21 19 L 8 19 L 2.5 12 Z M 11.5 9 L 17 15 M 17 9 L 11.5 15")],
        IconName::Bank => &[S(
            "M 3.5 9.5 L 12 4.5 L 20.5 9.5 Z M 6 10.5 L 6 17 M 10 10.5 L 10 17 M 14 10.5 L 14 17 M 18 10.5 L 18 17 M 3.5 20 L 20.5 20",
        )],
        IconName::Card => &[S("R 2.5 5 19 14 2"), F("M 2.5 8.5 L 21.5 8.5 L 21.5 12 L 2.5 12 Z")],
        IconName::Lock => &[S("R 5 10.5 14 10 2 M 8 10.5 L 8 8 C 8 2.7 16 2.7 16 8 L 16 10.5"), F("O 12 15.5 1.6")],
        IconName::Person => &[S("O 12 8 4 M 4.5 20 C 4.5 13.5 19.5 13.5 19.5 20 Z")],
        IconName::People => &[S(
            "O 9 8.5 3.5 M 2.5 19.5 C 2.5 13.5 15.5 13.5 15.5 19.5 Z M 15.5 5.2 C 19.5 5.5 19.5 11.5 15.5 11.8 M 17.5 14.2 C 20 14.8 21.5 16.5 21.5 19.5",
        )],
        IconName::Phone => &[S(
            "M 6 3.5 L 9.5 3.5 L 11 8 L 8.8 9.8 C 9.8 12 12 14.2 14.2 15.2 L 16 13 L 20.5 14.5 L 20.5 18 C 20.5 19.5 19.5 20.5 18 20.5 C 10 20 4 14 3.5 6 C 3.5 4.5 4.5 3.5 6 3.5 Z",
        )],
        IconName::Search => &[S("O 10.5 10.5 6 M 15 15 L 20.5 20.5")],
        IconName::Bell => {
            &[S("M 5 17.5 L 19 17.5 L 17.5 15 L 17.5 10.5 C 17.5 3 6.5 3 6.5 10.5 L 6.5 15 Z M 10.5 20.5 L 13.5 20.5")]
        }
        IconName::Gift => &[S(
            "R 3.5 8 17 4.5 1 M 5 12.5 L 5 20.5 L 19 20.5 L 19 12.5 M 12 8 L 12 20.5 M 12 8 C 9 8 6.5 6.5 7.5 4.5 C 9 2.5 12 5 12 8 C 12 5 15 2.5 16.5 4.5 C 17.5 6.5 15 8 12 8",
        )],
        IconName::Help => {
            &[S("O 12 12 9 M 9.3 9.5 C 9.5 6 14.7 6 14.7 9.5 C 14.7 11.6 12 11.8 12 14"), F("O 12 17 1.2")]
        }
        IconName::Home => &[S("M 3.5 11.5 L 12 4 L 20.5 11.5 M 6 10 L 6 20 L 18 20 L 18 10")],
        IconName::Send => &[S("M 3.5 4.5 L 21 12 L 3.5 19.5 L 6.5 12 Z M 6.5 12 L 13 12")],
        IconName::Receipt => &[S(
            "M 5 3.5 L 7.3 5 L 9.7 3.5 L 12 5 L 14.3 3.5 L 16.7 5 L 19 3.5 L 19 20.5 L 16.7 19 L 14.3 20.5 L 12 19 L 9.7 20.5 L 7.3 19 L 5 20.5 Z M 8.5 9.5 L 15.5 9.5 M 8.5 14 L 15.5 14",
        )],
        IconName::Shield => &[S(
            "M 12 3 L 19.5 6 L 19.5 11 C 19.5 16 16.5 19.5 12 21 C 7.5 19.5 4.5 16 4.5 11 L 4.5 6 Z M 8.5 12 L 11 14.5 L 15.5 9.5",
        )],
        IconName::Fingerprint => &[S(
            "M 5 9.5 C 7.5 4.5 16.5 4.5 19 9.5 M 7 17.5 C 6.5 13 6.5 9.5 12 9.5 C 17.5 9.5 17.5 14 17 16.5 M 10 20.5 C 9.3 17 9.5 13 12 13 C 14.5 13 14.5 17 15.5 19 M 7.5 4.2 C 10 2.8 14 2.8 16.5 4.2",
        )],
        IconName::Wallet => {
            &[S("R 3 6.5 18 13.5 2 M 5 6.5 L 16 3.5 L 16 6.5 M 21 11 L 16 11 C 13.7 11 13.7 15.5 16 15.5 L 21 15.5")]
        }
        IconName::Plus => &[S("M 12 5 L 12 19 M 5 12 L 19 12")],
        IconName::Minus => &[S("M 5 12 L 19 12")],
        IconName::More => &[F("O 12 5.5 1.8 O 12 12 1.8 O 12 18.5 1.8")],
        IconName::Menu => &[S("M 4 7 L 20 7 M 4 12 L 20 12 M 4 17 L 20 17")],
        IconName::Info => &[S("O 12 12 9 M 12 11 L 12 16.5"), F("O 12 7.7 1.2")],
        IconName::Warning => &[S("M 12 4 L 21.5 20 L 2.5 20 Z M 12 10 L 12 14.5"), F("O 12 17.2 1.1")],
        IconName::Star => &[F(
            "M 12 3 L 14.7 9 L 21.3 9.7 L 16.4 14.1 L 17.8 20.6 L 12 17.2 L 6.2 20.6 L 7.6 14.1 L 2.7 9.7 L 9.3 9 Z",
        )],
        IconName::Heart => {
            &[S("M 12 20 C 6 15.5 3 12.5 3 9 C 3 4 9.5 3 12 7.5 C 14.5 3 21 4 21 9 C 21 12.5 18 15.5 12 20 Z")]
        }
        IconName::Scan => &[S(
            "M 4 8.5 L 4 4 L 8.5 4 M 15.5 4 L 20 4 L 20 8.5 M 20 15.5 L 20 20 L 15.5 20 M 8.5 20 L 4 20 L 4 15.5 M 4 12 L 20 12",
        )],
        IconName::Clock => &[S("O 12 12 9 M 12 6.5 L 12 12 L 15.5 14.5")],
        IconName::Settings => &[S(
            "O 12 12 3 O 12 12 7 M 12 2.5 L 12 5 M 12 19 L 12 21.5 M 2.5 12 L 5 12 M 19 12 L 21.5 12 M 5.3 5.3 L 7 7 M 17 17 L 18.7 18.7 M 5.3 18.7 L 7 17 M 17 7 L 18.7 5.3",
        )],
        IconName::Mail => &[S("R 3 5.5 18 13 2 M 3.5 7.5 L 12 13 L 20.5 7.5")],
        IconName::Car => &[
            S("M 4 17.5 L 4 12 L 6.5 6.5 L 17.5 6.5 L 20 12 L 20 17.5 Z M 4.5 12 L 19.5 12"),
            F("O 7.5 15 1.4 O 16.5 15 1.4"),
        ],
        IconName::Pin => {
            &[S("M 12 21 C 7.5 15.5 5 12.5 5 9.5 C 5 1 19 1 19 9.5 C 19 12.5 16.5 15.5 12 21 Z O 12 9.5 2.3")]
        }
        IconName::Cart => &[S("M 2.5 4 L 5.5 4 L 8 15 L 18 15 L 20.5 7.5 L 6.3 7.5"), F("O 9.5 19 1.7 O 16.5 19 1.7")],
        IconName::Edit => &[S("M 4 20 L 4.8 16 L 16 4.8 L 19.2 8 L 8 19.2 Z M 13.5 7.3 L 16.7 10.5")],
        IconName::Trash => &[S(
            "M 4.5 6.5 L 19.5 6.5 M 6.5 6.5 L 7.5 20.5 L 16.5 20.5 L 17.5 6.5 M 9.5 6.5 L 9.5 4 L 14.5 4 L 14.5 6.5",
        )],
        IconName::Calendar => &[S("R 4 5.5 16 15 2 M 4 10 L 20 10 M 8.5 3 L 8.5 7 M 15.5 3 L 15.5 7")],
    }
}

/// Whether an icon shows a direction of reading, so that it is mirrored where text runs from right to left. A tick, a
/// clock and a magnifying glass are not (Material's guide to bidirectionality).
pub(super) const fn has_direction(icon: IconName) -> bool {
    use IconName as I;
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
    use super::*;

    #[test]
    fn every_icon_lies_on_its_grid() {
        use IconName as I;
        let all = [
            I::Back,
            I::Close,
            I::Check,
            I::Chevron,
            I::ChevronDown,
            I::Backspace,
            I::Bank,
            I::Card,
            I::Lock,
            I::Person,
            I::People,
            I::Phone,
            I::Search,
            I::Bell,
            I::Gift,
            I::Help,
            I::Home,
            I::Send,
            I::Receipt,
            I::Shield,
            I::Fingerprint,
            I::Wallet,
            I::Plus,
            I::Minus,
            I::More,
            I::Menu,
            I::Info,
            I::Warning,
            I::Star,
            I::Heart,
            I::Scan,
            I::Clock,
            I::Settings,
            I::Mail,
            I::Car,
            I::Pin,
            I::Cart,
            I::Edit,
            I::Trash,
            I::Calendar,
        ];
        for icon in all {
            for part in parts(icon) {
                let (S(notation) | F(notation)) = part;
                let bounds = path(notation).unwrap_or_else(|| panic!("{icon:?}: {notation}")).bounds();
                assert!(bounds.left() >= 1.0 && bounds.right() <= 23.0, "{icon:?} is too wide");
                assert!(bounds.top() >= 1.0 && bounds.bottom() <= 23.0, "{icon:?} is too high");
            }
        }
    }
}
