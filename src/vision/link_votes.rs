//! Links told by their words' colours: letters vote for the text's colour or for the links', by the pixels where their
//! ink is strongest. On even ground the lines are rows of ink; on a photograph they come from the text detector, and ink
//! is what stands out around it.

use super::link::lines as rows_of_ink;
use super::link_mask::{FEWEST, LinkMask, hsv, length, minus, mode, near};
use super::strokes::contrast;
use super::underline::{ink_within, underlined};
use crate::domain::{Rect, Screenshot};
use image::GrayImage;

/// Least contrast of ink to the ground around it.
const INK: u8 = 36;
/// How far an ink's pixels may be from its colour, and how far the links' colour must be from the text's.
struct Limits {
    tolerance: f32,
    apart: f32,
}

/// On photographs: Euclidean distances in RGB.
const ON_PHOTO: Limits = Limits { tolerance: 40.0, apart: 52.0 };
/// On even ground, where an ink is told by its direction from the ground's colour: a thin stroke is all soft edge, a
/// mixture with the ground that never reaches the ink's own colour. The sine of the angle, times [`FULL`].
const ON_EVEN: Limits = Limits { tolerance: 20.0, apart: 26.0 };
/// A strong ink's distance from its ground.
const FULL: f32 = 300.0;
/// What rounding may move a pixel off the line between ground and ink.
const ROUNDING: f32 = 1.5;
/// Colours tried as the links'.
const TRIED: usize = 4;

/// The paragraph's pixels.
struct Part {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
    /// The ground's colour, where it has one.
    ground: Option<[f32; 3]>,
}

impl Part {
    fn limits(&self) -> &'static Limits {
        if self.ground.is_some() { &ON_EVEN } else { &ON_PHOTO }
    }
}

/// A stretch of a line without a column free of ink: a letter, or a word of joined letters.
struct Run {
    /// Indices of the pixels where the ink is strongest.
    core: Vec<usize>,
    ink: Vec<usize>,
}

/// The mask of the part `area` on even ground, where a colour tells the links.
pub(super) fn even_mask(picture: &Screenshot, area: Rect, colours: &[[u8; 3]]) -> Option<LinkMask> {
    let mut part = part(picture, area)?;
    let (ground, _) = mode(part.pixels.iter().copied())?;
    part.ground = Some(ground);
    let off = |pixel: &[u8; 3]| (0..3).map(|c| (f32::from(pixel[c]) - ground[c]).abs()).fold(0.0, f32::max) as u8;
    let strength: Vec<u8> = part.pixels.iter().map(off).collect();
    let all: Vec<usize> = (0..strength.len()).filter(|&at| strength[at] >= INK).collect();
    let ink = image(&part, &all);
    let bands = rows_of_ink(&ink);
    let runs = runs(&part, &strength, &bands);
    let cores: Vec<usize> = runs.iter().flat_map(|run| run.core.iter().copied()).collect();
    let (guess, _) = mode(cores.iter().map(|&at| part.pixels[at])).filter(|_| cores.len() >= FEWEST)?;
    let text = ink_of(&part, &cores, guess);
    let votes = votes(&part, &runs, text, colours);
    votes.are_plausible().then(|| LinkMask { link: image(&part, &votes.link), ink })
}

/// The mask of the part `area` on a photograph, and its lines. `boxes` are the lines a detector found, in the part's
/// pixels; without one, rows that hold ink in the text's colour are taken for lines.
pub(super) fn photo_mask(
    picture: &Screenshot,
    area: Rect,
    colours: &[[u8; 3]],
    boxes: &[Rect],
) -> Option<(LinkMask, Vec<Rect>)> {
    let part = part(picture, area)?;
    let whole = Rect::new(0, 0, part.width as i32, part.height as i32);
    let mut bands = bands(boxes, whole);
    let guessed = bands.is_empty();
    if guessed {
        bands.push(whole);
    }
    let luma = part.pixels.iter().map(|&[r, g, b]| ((u32::from(r) * 2 + u32::from(g) * 5 + u32::from(b)) / 8) as u8);
    let luma: Vec<u8> = luma.collect();
    let darker = is_darker(&luma, part.width, &bands);
    let strength = contrast(part.width, part.height, &luma, darker);
    let text = text_colour(&part, &strength, &bands)?;
    if guessed {
        bands = rows_of_ink(&coloured(&part, &strength, text, whole));
    }
    let votes = votes(&part, &runs(&part, &strength, &bands), text, colours);
    let ink = image(&part, &votes.ink);
    let lines: Vec<Rect> = bands.iter().filter_map(|band| extent(&ink, *band)).collect();
    if votes.are_plausible() {
        return Some((LinkMask { link: image(&part, &votes.link), ink }, lines));
    }
    let boxes = underlined(&ink, &lines);
    let linked = if boxes.is_empty() { return None } else { ink_within(&ink, &boxes) };
    Some((LinkMask { link: image(&part, &linked), ink }, lines))
}

/// Pixels of letters in the text's or the links' colour, and of those in the links'.
struct Votes {
    ink: Vec<usize>,
    link: Vec<usize>,
}

impl Votes {
    /// A link is part of a text, not all of it.
    fn are_plausible(&self) -> bool {
        self.link.len() >= FEWEST && self.link.len() * 100 <= self.ink.len() * 90
    }
}

fn votes(part: &Part, runs: &[Run], text: [f32; 3], colours: &[[u8; 3]]) -> Votes {
    let mut votes = Votes { ink: Vec::new(), link: Vec::new() };
    let found = link_colour(part, runs, text, colours);
    let (text, link) = match found {
        // More link than plain text.
        Some(other) if is_vivid(part, text) && !is_vivid(part, other) => (other, Some(text)),
        Some(other) if is_vivid(part, other) => (text, Some(other)),
        _ => (text, None),
    };
    for run in runs {
        let of_text = share(part, &run.core, text, link);
        let of_link = link.map_or(0.0, |link| share(part, &run.core, link, Some(text)));
        if of_text.max(of_link) < 0.4 {
            continue;
        }
        votes.ink.extend(&run.ink);
        let Some(link) = link.filter(|_| of_link > 0.1) else { continue };
        // On a photograph, where soft edges are mixtures with anything, a letter is of one colour.
        if part.ground.is_none() && (of_link > 0.8 || of_link > 0.2 && of_text < 0.2) {
            votes.link.extend(&run.ink);
        } else {
            // Letters of both colours may touch, and an emoji or icon a letter.
            let nearer = |at: &usize| {
                let (of_link, of_text) = (miss(part, *at, link), miss(part, *at, text));
                if part.ground.is_some() { of_link <= of_text } else { of_link < of_text }
            };
            votes.link.extend(run.ink.iter().copied().filter(nearer));
        }
    }
    votes
}

/// Not grey; on a grey ground, not a mixture of greys either.
fn is_vivid(part: &Part, colour: [f32; 3]) -> bool {
    let [_, saturation, value] = hsv(colour);
    let range = |c: [f32; 3]| c[0].max(c[1]).max(c[2]) - c[0].min(c[1]).min(c[2]);
    let off_grey = |ground: [f32; 3]| {
        let own = minus(colour, ground);
        let most = own.iter().map(|c| c.abs()).fold(0.0, f32::max);
        range(ground) <= 16.0 && range(own) >= 16.0 && range(own) >= 0.2 * most
    };
    saturation >= 0.2 && value >= 0.15 && saturation * value * 255.0 >= 34.0 || part.ground.is_some_and(off_grey)
}

fn part(picture: &Screenshot, area: Rect) -> Option<Part> {
    let area = picture.clip(area)?;
    let (width, height) = (area.width() as usize, area.height() as usize);
    let mut pixels = Vec::with_capacity(width * height);
    for y in area.top..area.bottom {
        for x in area.left..area.right {
            pixels.push(picture.rgb(x as u32, y as u32)?);
        }
    }
    Some(Part { width, height, pixels, ground: None })
}

/// Boxes on one height are one band; bands do not overlap.
fn bands(boxes: &[Rect], whole: Rect) -> Vec<Rect> {
    let mut boxes: Vec<Rect> = boxes.iter().filter_map(|found| found.intersection(whole)).collect();
    boxes.sort_by_key(|found| (found.top + found.bottom, found.left));
    let mut bands: Vec<Rect> = Vec::new();
    for found in boxes {
        match bands.last_mut() {
            Some(band)
                if i32::midpoint(found.top, found.bottom) < band.bottom
                    && i32::midpoint(band.top, band.bottom) > found.top =>
            {
                *band = Rect::new(
                    band.left.min(found.left),
                    band.top.min(found.top),
                    band.right.max(found.right),
                    band.bottom.max(found.bottom),
                );
            }
            _ => bands.push(found),
        }
    }
    for at in 1..bands.len() {
        let middle = i32::midpoint(bands[at - 1].bottom, bands[at].top);
        if bands[at - 1].bottom > bands[at].top {
            bands[at - 1].bottom = middle;
            bands[at].top = middle;
        }
    }
    bands
}

/// Whether the ink is darker than the ground: it differs from the rows along a line's edges, which hold little ink.
fn is_darker(luma: &[u8], width: usize, bands: &[Rect]) -> bool {
    let (mut lighter, mut darker) = (0_i64, 0_i64);
    for band in bands {
        let mut ground: Vec<u8> = Vec::new();
        for y in [band.top, band.top + 1, band.bottom - 2, band.bottom - 1] {
            if y >= band.top && y < band.bottom {
                let row = y as usize * width;
                ground.extend(&luma[row + band.left as usize..row + band.right as usize]);
            }
        }
        ground.sort_unstable();
        let Some(&ground) = ground.get(ground.len() / 2) else { continue };
        for y in band.top..band.bottom {
            for x in band.left..band.right {
                let luma = luma[y as usize * width + x as usize];
                let differs = i64::from(luma.abs_diff(ground)).pow(2);
                if luma > ground { lighter += differs } else { darker += differs }
            }
        }
    }
    darker > lighter
}

/// The commonest colour of strong ink.
fn text_colour(part: &Part, strength: &[u8], bands: &[Rect]) -> Option<[f32; 3]> {
    let at = bands.iter().flat_map(|band| inside(part, *band));
    let strong: Vec<usize> = at.filter(|&at| strength[at] >= 2 * INK).collect();
    mode(strong.iter().map(|&at| part.pixels[at])).filter(|_| strong.len() >= FEWEST).map(|(colour, _)| colour)
}

fn inside(part: &Part, band: Rect) -> impl Iterator<Item = usize> {
    let width = part.width;
    (band.top..band.bottom).flat_map(move |y| (band.left..band.right).map(move |x| y as usize * width + x as usize))
}

fn coloured(part: &Part, strength: &[u8], colour: [f32; 3], band: Rect) -> GrayImage {
    let lit = |at: &usize| strength[*at] >= INK && length(minus(rgb(part, *at), colour)) <= ON_PHOTO.tolerance;
    image(part, &inside(part, band).filter(lit).collect::<Vec<_>>())
}

fn runs(part: &Part, strength: &[u8], bands: &[Rect]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for band in bands {
        let mut open: Option<Run> = None;
        for x in band.left.max(0) as usize..band.right.max(0) as usize {
            let column = (band.top as usize..band.bottom as usize).map(|y| y * part.width + x);
            let ink: Vec<usize> = column.filter(|&at| strength[at] >= INK).collect();
            if ink.is_empty() {
                runs.extend(open.take());
                continue;
            }
            let run = open.get_or_insert(Run { core: Vec::new(), ink: Vec::new() });
            run.ink.extend(ink);
        }
        runs.extend(open);
    }
    for run in &mut runs {
        let strongest = run.ink.iter().map(|&at| strength[at]).max().unwrap_or(0);
        // Soft edges are mixtures with the ground.
        run.core =
            run.ink.iter().copied().filter(|&at| u32::from(strength[at]) * 4 >= u32::from(strongest) * 3).collect();
    }
    runs
}

/// Share of pixels that have a colour, and rather that than the rival's.
fn share(part: &Part, of: &[usize], colour: [f32; 3], rival: Option<[f32; 3]>) -> f32 {
    let alike = of.iter().filter(|&&at| {
        let miss_by = miss(part, at, colour);
        miss_by <= part.limits().tolerance && rival.is_none_or(|rival| miss_by < miss(part, at, rival))
    });
    alike.count() as f32 / of.len().max(1) as f32
}

fn miss(part: &Part, at: usize, colour: [f32; 3]) -> f32 {
    between(rgb(part, at), colour, part.ground)
}

/// How far a pixel is from an ink's colour; where the ground is known, from all of the ink's mixtures with it.
fn between(pixel: [f32; 3], colour: [f32; 3], ground: Option<[f32; 3]>) -> f32 {
    let Some(ground) = ground else { return length(minus(pixel, colour)) };
    let (ink, own) = (minus(colour, ground), minus(pixel, ground));
    let along = dot(ink, own) / length(ink).max(1.0);
    if along <= 0.0 {
        return FULL;
    }
    let aside = length(minus(own, ink.map(|c| c * along / length(ink).max(1.0))));
    FULL * (aside - ROUNDING).max(0.0) / length(own)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The ink that gave these pixels, near a first guess: their mean direction from the ground, as strong as the strongest.
/// On a photograph the guess itself.
fn ink_of(part: &Part, pixels: &[usize], guess: [f32; 3]) -> [f32; 3] {
    let Some(ground) = part.ground else { return guess };
    let mut ink = guess;
    for _ in 0..2 {
        let (mut sum, mut most) = ([0.0_f32; 3], 0.0_f32);
        for &at in pixels.iter().filter(|&&at| miss(part, at, ink) <= part.limits().tolerance) {
            let own = minus(rgb(part, at), ground);
            sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            most = most.max(length(own));
        }
        let strength = length(sum);
        if strength > 0.0 {
            ink = [0, 1, 2].map(|c| ground[c] + sum[c] * most / strength);
        }
    }
    ink
}

/// Of the colours that letters have which are not in the text's, the one most of them share.
fn link_colour(part: &Part, runs: &[Run], text: [f32; 3], known: &[[u8; 3]]) -> Option<[f32; 3]> {
    let Limits { tolerance, apart } = *part.limits();
    // A letter's core that is anything else than the text's: a quarter of it may be where two letters touch.
    let others: Vec<&Run> = runs.iter().filter(|run| share(part, &run.core, text, None) < 0.75).collect();
    let mut pool: Vec<usize> = others.iter().flat_map(|run| run.core.iter().copied()).collect();
    pool.retain(|&at| miss(part, at, text) >= apart * 0.75);
    let mut best: Option<(usize, [f32; 3])> = None;
    for _ in 0..TRIED {
        let Some((colour, _)) = mode(pool.iter().map(|&at| part.pixels[at])) else { break };
        let colour = ink_of(part, &pool, colour);
        pool.retain(|&at| miss(part, at, colour) > tolerance);
        if between(colour, text, part.ground) < apart {
            continue;
        }
        let clean = others.iter().filter(|run| share(part, &run.core, colour, Some(text)) >= 0.7);
        let mut weight: usize = clean.map(|run| run.core.len()).sum();
        if known.iter().any(|known| near(hsv(known.map(f32::from)), hsv(colour))) {
            weight *= 4;
        }
        if weight >= FEWEST && best.is_none_or(|(known, _)| weight > known) {
            best = Some((weight, colour));
        }
    }
    best.map(|(_, colour)| colour)
}

fn rgb(part: &Part, at: usize) -> [f32; 3] {
    part.pixels[at].map(f32::from)
}

fn image(part: &Part, indices: &[usize]) -> GrayImage {
    let mut image = GrayImage::new(part.width as u32, part.height as u32);
    for &index in indices {
        image.as_mut()[index] = 255;
    }
    image
}

/// Extent of the ink within a band.
fn extent(ink: &GrayImage, band: Rect) -> Option<Rect> {
    let mut extent: Option<Rect> = None;
    for y in band.top..band.bottom {
        for x in band.left..band.right {
            if ink.get_pixel_checked(x as u32, y as u32).is_some_and(|pixel| pixel.0[0] > 0) {
                let one = extent.unwrap_or(Rect::new(x, y, x + 1, y + 1));
                extent = Some(Rect::new(one.left.min(x), one.top.min(y), one.right.max(x + 1), one.bottom.max(y + 1)));
            }
        }
    }
    extent
}
