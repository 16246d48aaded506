//! Paragraphs without a link, drawn with what is easily taken for one: a bold word, a coloured bullet, icon or emoji.

use super::links_drawn::{DEVELOPMENT_SEED, Look, shown, span, texts_and_lot};
use crate::domain::{Rect, Screenshot};

const ORNAMENTS: &[&str] = &["none", "bold word", "bullet", "icon", "emoji"];
/// The grounds, as the styles of paragraphs with links.
const GROUNDS: &[&str] = &["coloured", "dark", "photo"];
/// What an ornament is painted over: as wide as a letter m, and no line is broken in it.
const ROOM: &str = "\u{a0}\u{a0}\u{a0}\u{a0}";

/// A paragraph without links, drawn.
pub(super) struct FreeParagraph {
    pub(super) name: String,
    pub(super) ornament: &'static str,
    pub(super) hierarchy: String,
    pub(super) picture: Screenshot,
}

/// Draws the paragraph of this number: every script meets every ornament, and grounds, sizes and colours change.
pub(super) fn draw_without_links(number: usize, seed: u64) -> Result<FreeParagraph, String> {
    let (texts, lot) = texts_and_lot(number, seed);
    let (locale, parts) = &texts[number % texts.len()];
    let ornament = ORNAMENTS[number % ORNAMENTS.len()];
    let style = GROUNDS[number / ORNAMENTS.len() % GROUNDS.len()];
    let developing = seed == DEVELOPMENT_SEED;
    let look = Look { lot, developing, style, padding: 16 + lot * 7 % 60, attempt: 0 };
    let (ink, colour) = look.colours(style != "coloured");
    let plain = |parts: &[&str]| span(&parts.concat(), false);
    // The ornament's place reacts to a touch here, so that it is known; it is painted over, in the text's own ink.
    let spans = match ornament {
        "none" => plain(parts),
        "bold word" => [plain(&parts[..1]), span(parts[1], true), plain(&parts[2..])].concat(),
        _ if lot.is_multiple_of(2) => [span(ROOM, true), plain(parts)].concat(),
        _ => [plain(&parts[..2]), span(ROOM, true), plain(&parts[2..])].concat(),
    };
    let (hierarchy, picture, places) = shown(&look.app(&spans, &ink, &ink)?, locale)?;
    let places: Vec<Rect> = places.into_iter().flat_map(|place| place.boxes).collect();
    if places.is_empty() && ornament != "none" {
        return Err(format!("no place for the {ornament}"));
    }
    let mut canvas = Canvas { rgba: picture.rgba().to_vec(), width: picture.size().width as i32 };
    let (ink, colour) = (rgb(&ink), rgb(&colour));
    for place in places.into_iter().filter_map(|place| picture.clip(place)) {
        match ornament {
            "bold word" => canvas.embolden(place, ink),
            "bullet" => canvas.ring(middle(place), 0.0, side(place) * 0.22, colour),
            "icon" => {
                canvas.ring(middle(place), side(place) * 0.36, side(place) * 0.48, colour);
                canvas.ring(middle(place), 0.0, side(place) * 0.12, colour);
            }
            _ => canvas.face(place),
        }
    }
    let picture = Screenshot::new(picture.size(), canvas.rgba).ok_or("the picture changed its size")?;
    let script = locale.split('-').next().unwrap_or(locale);
    Ok(FreeParagraph { name: format!("{number} {script} {style} {ornament}"), ornament, hierarchy, picture })
}

fn rgb(colour: &str) -> [u8; 3] {
    let [_, red, green, blue] =
        u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or_default().to_be_bytes();
    [red, green, blue]
}

fn middle(place: Rect) -> (f32, f32) {
    ((place.left + place.right) as f32 / 2.0, (place.top + place.bottom) as f32 / 2.0)
}

fn side(place: Rect) -> f32 {
    place.width().min(place.height()) as f32
}

struct Canvas {
    rgba: Vec<u8>,
    width: i32,
}

impl Canvas {
    fn blend(&mut self, x: i32, y: i32, colour: [u8; 3], strength: f32) {
        let at = 4 * (y.max(0) as usize * self.width as usize + x.max(0) as usize);
        for (pixel, channel) in self.rgba.iter_mut().skip(at).take(3).zip(colour) {
            *pixel = (f32::from(*pixel) * (1.0 - strength) + f32::from(channel) * strength).round() as u8;
        }
    }

    /// A ring with soft edges; a disc where `inner` is 0.
    fn ring(&mut self, (x, y): (f32, f32), inner: f32, outer: f32, colour: [u8; 3]) {
        let reach = outer.ceil() as i32 + 1;
        for row in y as i32 - reach..=y as i32 + reach {
            for column in x as i32 - reach..=x as i32 + reach {
                let distance = (column as f32 + 0.5 - x).hypot(row as f32 + 0.5 - y);
                let within = (outer - distance + 0.5).clamp(0.0, 1.0);
                let hollow = if inner > 0.0 { (inner - distance + 0.5).clamp(0.0, 1.0) } else { 0.0 };
                self.blend(column, row, colour, within * (1.0 - hollow));
            }
        }
    }

    /// A yellow face with dark eyes and a mouth.
    fn face(&mut self, place: Rect) {
        let ((x, y), side) = (middle(place), side(place));
        self.ring((x, y), 0.0, side * 0.48, [0xFF, 0xCC, 0x22]);
        for (dx, dy, size) in [(-0.17, -0.1, 0.07), (0.17, -0.1, 0.07), (0.0, 0.2, 0.1)] {
            self.ring((x + dx * side, y + dy * side), 0.0, side * size, [0x66, 0x44, 0x11]);
        }
    }

    /// Repeats the ink one pixel further, as bold faces are made where a font has none.
    fn embolden(&mut self, place: Rect, ink: [u8; 3]) {
        let before = self.rgba.clone();
        let light = ink[1] > 127;
        for y in place.top..place.bottom {
            for x in place.left + 1..place.right {
                let at = 4 * (y * self.width + x) as usize;
                for channel in at..at + 3 {
                    let (own, left) = (before[channel], before[channel - 4]);
                    self.rgba[channel] = if light { own.max(left) } else { own.min(left) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ornaments_change_the_picture_where_they_stand_and_nothing_else() {
        for number in 1..5 {
            let drawn = draw_without_links(number, DEVELOPMENT_SEED).expect("drawn");
            let colours: std::collections::HashSet<&[u8]> = drawn.picture.rgba().chunks_exact(4).collect();
            let is_grey = |pixel: &&[u8]| pixel[0].abs_diff(pixel[1]).max(pixel[1].abs_diff(pixel[2])) < 48;
            assert_eq!(colours.iter().all(is_grey), drawn.ornament == "bold word", "{}", drawn.name);
            assert!(drawn.hierarchy.contains("org.example.links"));
        }
    }
}
