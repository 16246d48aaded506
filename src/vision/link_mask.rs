//! Which pixels of a paragraph are in a link's colour.
//!
//! XUAT-Copilot (§3.2, Fig. 3): convert to HSV, take the difference to the known link colour, binarise. Where the
//! known colours find nothing, the colour that stands out inside the paragraph is taken: background and main ink
//! removed, a third, saturated cluster. Anti-aliased pixels are mixtures of an ink and the background, so they are
//! told apart by their direction from the background, not by their own hue.

use super::link::lines;
use super::underline::{ink_within, underlined};
use crate::domain::{Rect, Screenshot};
use image::GrayImage;

/// Link colours of stock themes: Material 2 and 3 blues and teals, Holo blue, the web's.
pub const DEFAULT_LINK_COLOURS: &[[u8; 3]] = &[
    [0x21, 0x96, 0xF3],
    [0x19, 0x76, 0xD2],
    [0x1A, 0x73, 0xE8],
    [0x03, 0xA9, 0xF4],
    [0x00, 0x96, 0x88],
    [0x00, 0x89, 0x7B],
    [0x33, 0xB5, 0xE5],
    [0x57, 0x6B, 0x95],
    [0x00, 0x00, 0xEE],
    [0x8A, 0xB4, 0xF8],
];

/// What iOS, and apps that look like it, draw links in, and Material's indigo: many draw headings in them too.
const STOCK_OF_OTHERS: [[u8; 3]; 2] = [[0x00, 0x7A, 0xFF], [0x3F, 0x51, 0xB5]];

/// Least difference from the background (largest channel) that counts as ink.
const INK: i32 = 40;
/// Least share of the ground's colour on even ground.
const EVEN: f32 = 0.55;
/// Wider than a stroke, pixels.
const STROKE: usize = 9;
/// Fewest pixels a link can have.
pub(super) const FEWEST: usize = 14;

/// The pixels of one paragraph, sorted into link and other ink; same size as the crop.
#[derive(Debug)]
pub(super) struct LinkMask {
    /// 255 where a pixel is in a link's colour.
    pub(super) link: GrayImage,
    /// 255 where a pixel is ink of any colour.
    pub(super) ink: GrayImage,
}

/// Indices of pixels of a crop.
pub(super) type MainInk = Vec<usize>;

struct Crop {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
    background: [f32; 3],
    /// Indices of ink pixels.
    ink: Vec<usize>,
}

/// The mask of the part `area` of the picture; `None` when nothing there looks like a link, on a ground of one colour.
pub(super) fn link_mask(picture: &Screenshot, area: Rect, colours: &[[u8; 3]]) -> Option<LinkMask> {
    let (crop, share) = crop(picture, area)?;
    // On a photograph no colour stands for the background, and every pixel would be ink.
    let covered = crop.ink.len() * 100 > crop.pixels.len() * 28;
    if share < 0.35 && covered || crop.ink.len() < FEWEST {
        return None;
    }
    let ink = image(&crop, &crop.ink);
    let link = by_known_colours(&crop, colours)
        .or_else(|| by_standing_out(&crop))
        .or_else(|| by_underline(&ink).filter(|link| plausible(link, &crop)))?;
    Some(LinkMask { link: image(&crop, &link), ink })
}

/// The ink of the part `area`, on even ground, where all of it is in one of the colours or underlined.
pub(super) fn whole_ink(picture: &Screenshot, area: Rect, colours: &[[u8; 3]]) -> Option<GrayImage> {
    let (crop, share) = crop(picture, area)?;
    if share < EVEN || crop.ink.len() < FEWEST {
        return None;
    }
    // The strongest ink: most pixels of small letters are mixtures with the ground.
    let (_, strong) = strongest(&crop)?;
    let main = strong.map(f32::from);
    let direction = unit(minus(main, crop.background))?;
    let of_one = crop.ink.iter().filter(|&&at| points(&crop, at, direction, 0.9)).count() * 100 >= crop.ink.len() * 85;
    let known = colours.iter().any(|colour| near(hsv(main), hsv(colour.map(f32::from))));
    let ink = image(&crop, &crop.ink);
    let lined = || by_underline(&ink).is_some_and(|link| link.len() * 100 >= crop.ink.len() * 85);
    (of_one && (known || lined())).then_some(ink)
}

/// The pixel of ink that differs most from the ground, with the sum of its differences.
fn strongest(crop: &Crop) -> Option<(i32, [u8; 3])> {
    let ground = crop.background.map(|channel| channel.round() as i32);
    let away = |pixel: [u8; 3]| pixel.iter().zip(ground).map(|(own, ground)| (i32::from(*own) - ground).abs()).sum();
    crop.ink.iter().map(|&at| (away(crop.pixels[at]), crop.pixels[at])).max_by_key(|(away, _)| *away)
}

/// True when the ground of the part is no one colour: text leaves most of its paragraph in exactly the ground's, and
/// covers no areas wider than its strokes.
pub(super) fn is_uneven(picture: &Screenshot, area: Rect) -> bool {
    crop(picture, area).is_some_and(|(crop, _)| {
        let all = crop.pixels.len();
        let ground = crop.background.map(|c| c.round() as u8);
        let of_ground = crop.pixels.iter().filter(|pixel| close(**pixel, ground, 4)).count();
        (of_ground as f32) < EVEN * all as f32 || crop.ink.len() * 5 > all || areas(&crop, ground) * 100 > all
    })
}

/// How many pixels lie in areas of another colour than the ground's.
fn areas(crop: &Crop, ground: [u8; 3]) -> usize {
    let (width, height, reach) = (crop.width as usize, crop.height as usize, STROKE);
    let mut count = 0;
    for y in reach..height.saturating_sub(reach) {
        for x in reach..width.saturating_sub(reach) {
            let at = y * width + x;
            let own = crop.pixels[at];
            let around = [at - reach, at + reach, at - reach * width, at + reach * width];
            count += usize::from(!close(own, ground, 6) && around.iter().all(|at| close(own, crop.pixels[*at], 6)));
        }
    }
    count
}

fn close(a: [u8; 3], b: [u8; 3], most: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= most)
}

fn image(crop: &Crop, indices: &[usize]) -> GrayImage {
    let mut image = GrayImage::new(crop.width, crop.height);
    for &index in indices {
        image.as_mut()[index] = 255;
    }
    image
}

fn by_underline(ink: &GrayImage) -> Option<MainInk> {
    let boxes = underlined(ink, &lines(ink));
    (!boxes.is_empty()).then(|| ink_within(ink, &boxes))
}

/// The pixels, and which share of them the background has.
fn crop(picture: &Screenshot, area: Rect) -> Option<(Crop, f32)> {
    let area = picture.clip(area)?;
    let (width, height) = (area.width() as u32, area.height() as u32);
    let mut pixels = Vec::with_capacity(area.area() as usize);
    for y in area.top..area.bottom {
        for x in area.left..area.right {
            pixels.push(picture.rgb(x as u32, y as u32)?);
        }
    }
    let (background, share) = mode(pixels.iter().copied())?;
    let ink: Vec<usize> = pixels
        .iter()
        .enumerate()
        .filter(|(_, pixel)| (0..3).any(|c| (f32::from(pixel[c]) - background[c]).abs() >= INK as f32))
        .map(|(index, _)| index)
        .collect();
    Some((Crop { width, height, pixels, background, ink }, share))
}

/// HSV difference to the given colours.
fn by_known_colours(crop: &Crop, colours: &[[u8; 3]]) -> Option<Vec<usize>> {
    let (main, _) = mode(crop.ink.iter().map(|&at| crop.pixels[at]))?;
    let main_direction = unit(minus(main, crop.background))?;
    colours
        .iter()
        .filter_map(|&colour| {
            let target = hsv(colour.map(f32::from));
            let direction = unit(minus(colour.map(f32::from), crop.background))?;
            // A soft edge belongs to the ink it points to: the link's, or the rest of the text's.
            let rest = (!near(hsv(main), target)).then_some(main_direction);
            let of_rest = |at: usize| rest.is_some_and(|rest| points(crop, at, rest, 0.98));
            let core = crop.ink.iter().filter(|&&at| near(hsv(crop.pixels[at].map(f32::from)), target) && !of_rest(at));
            if core.count() < FEWEST {
                return None;
            }
            let link: Vec<usize> = crop
                .ink
                .iter()
                .copied()
                .filter(|&at| {
                    points(crop, at, direction, 0.93)
                        && rest.is_none_or(|rest| along(crop, at, direction) > along(crop, at, rest))
                })
                .collect();
            plausible(&link, crop).then_some(link)
        })
        .max_by_key(Vec::len)
}

pub(super) fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    hue_distance(a[0], b[0]) <= 14.0 && (a[1] - b[1]).abs() <= 0.3 && (a[2] - b[2]).abs() <= 0.3
}

/// True for a colour that a stock theme draws links in, or one that nobody tells from it.
pub(super) fn is_stock(colour: [u8; 3]) -> bool {
    let own = hsv(colour.map(f32::from));
    DEFAULT_LINK_COLOURS.iter().chain(&STOCK_OF_OTHERS).any(|stock| near(own, hsv(stock.map(f32::from))))
}

/// The saturated colour besides background and main ink.
fn by_standing_out(crop: &Crop) -> Option<Vec<usize>> {
    let (main, _) = mode(crop.ink.iter().map(|&at| crop.pixels[at]))?;
    let main_direction = unit(minus(main, crop.background))?;
    let off: Vec<usize> = crop
        .ink
        .iter()
        .copied()
        .filter(|&at| {
            let d = minus(crop.pixels[at].map(f32::from), crop.background);
            let aside = minus(d, main_direction.map(|a| a * dot(d, main_direction)));
            dot(d, main_direction) < 0.98 * length(d) && length(aside) >= 28.0
        })
        .collect();
    let (core, _) = mode(off.iter().map(|&at| crop.pixels[at])).filter(|_| off.len() >= FEWEST)?;
    let core_hsv = hsv(core);
    let vivid = |hsv: [f32; 3]| hsv[1] >= 0.25 && hsv[2] >= 0.15;
    if vivid(core_hsv) {
        let direction = unit(minus(core, crop.background))?;
        let link: Vec<usize> = off.iter().copied().filter(|&at| points(crop, at, direction, 0.94)).collect();
        // A picture or emoji has many hues, a link one.
        return (plausible(&link, crop) && link.len() * 10 >= off.len() * 6).then_some(link);
    }
    // More link than plain text: then the link's is the main ink.
    if vivid(hsv(main)) && off.len() * 100 >= crop.ink.len() * 12 {
        let link: Vec<usize> = crop.ink.iter().copied().filter(|&at| points(crop, at, main_direction, 0.93)).collect();
        return plausible(&link, crop).then_some(link);
    }
    None
}

/// A link is part of a text, not all of it.
fn plausible(link: &[usize], crop: &Crop) -> bool {
    link.len() >= FEWEST && link.len() * 100 <= crop.ink.len() * 90
}

fn points(crop: &Crop, at: usize, direction: [f32; 3], cosine: f32) -> bool {
    let d = minus(crop.pixels[at].map(f32::from), crop.background);
    dot(d, direction) >= cosine * length(d)
}

/// How far a pixel lies from the background in a direction.
fn along(crop: &Crop, at: usize, direction: [f32; 3]) -> f32 {
    dot(minus(crop.pixels[at].map(f32::from), crop.background), direction)
}

/// The most frequent colour (sixteen levels a channel, mean of the fullest bin) and its share.
pub(super) fn mode(pixels: impl Iterator<Item = [u8; 3]>) -> Option<([f32; 3], f32)> {
    let mut bins = vec![(0_u32, [0_u64; 3]); 4096];
    let mut total = 0_u32;
    for pixel in pixels {
        let bin =
            &mut bins[usize::from(pixel[0] >> 4) << 8 | usize::from(pixel[1] >> 4) << 4 | usize::from(pixel[2] >> 4)];
        bin.0 += 1;
        for (sum, channel) in bin.1.iter_mut().zip(pixel) {
            *sum += u64::from(channel);
        }
        total += 1;
    }
    let (count, sums) = bins.into_iter().max_by_key(|(count, _)| *count).filter(|(count, _)| *count > 0)?;
    Some((sums.map(|sum| sum as f32 / count as f32), count as f32 / total as f32))
}

/// Hue in degrees, saturation and value from 0 to 1.
pub(super) fn hsv([r, g, b]: [f32; 3]) -> [f32; 3] {
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let range = most - least;
    let hue = if range <= f32::EPSILON {
        0.0
    } else if most <= r {
        60.0 * ((g - b) / range).rem_euclid(6.0)
    } else if most <= g {
        60.0 * ((b - r) / range + 2.0)
    } else {
        60.0 * ((r - g) / range + 4.0)
    };
    [hue, if most > 0.0 { range / most } else { 0.0 }, most / 255.0]
}

fn hue_distance(a: f32, b: f32) -> f32 {
    let distance = (a - b).abs() % 360.0;
    distance.min(360.0 - distance)
}

pub(super) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

fn unit(a: [f32; 3]) -> Option<[f32; 3]> {
    let length = length(a);
    (length >= 20.0).then(|| a.map(|c| c / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hsv_is_the_usual_one() {
        let hundredths = |rgb| hsv(rgb).map(|v| (v * 100.0).round() as i32);
        assert_eq!(hundredths([255.0, 0.0, 0.0]), [0, 100, 100]);
        assert_eq!(hundredths([0.0, 0.0, 255.0]), [24_000, 100, 100]);
        assert_eq!(hundredths([255.0, 0.0, 255.0]), [30_000, 100, 100]);
        assert_eq!(hundredths([128.0, 128.0, 128.0]), [0, 0, 50]);
    }
}
