//! From a mask of link-coloured pixels to links: dilate, take the contours' rectangles, put the pieces of a line
//! together, and the lines of a link that is broken over two.

use super::link_mask::LinkMask;
use crate::domain::Rect;
use image::GrayImage;
use imageproc::contours::{BorderType, find_contours_with_threshold};
use imageproc::distance_transform::Norm;
use imageproc::morphology::dilate;

/// How far the mask is dilated, in pixels: joins the strokes of a letter.
const DILATION: u8 = 2;

/// A link: its box on each line it runs over, in the crop's pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) boxes: Vec<Rect>,
}

/// The lines of a paragraph (extent of any ink) and its links, in reading order.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub(super) lines: Vec<Rect>,
    pub(super) links: Vec<Link>,
}

/// Reads lines and links out of a mask; `rtl` for text that runs from right to left.
pub(super) fn read_links(mask: &LinkMask, rtl: bool) -> Paragraph {
    read_links_on(lines(&mask.ink), mask, rtl)
}

/// The same where the lines are known.
pub(super) fn read_links_on(lines: Vec<Rect>, mask: &LinkMask, rtl: bool) -> Paragraph {
    let mut heights: Vec<i32> = lines.iter().map(|line| line.height()).collect();
    heights.sort_unstable();
    let Some(&height) = heights.get(heights.len() / 2) else { return Paragraph::default() };
    let mut per_line: Vec<Vec<Rect>> = vec![Vec::new(); lines.len()];
    for piece in pieces(&mask.link) {
        let shared = |line: &Rect| piece.bottom.min(line.bottom) - piece.top.max(line.top);
        if let Some(line) = (0..lines.len()).max_by_key(|&line| shared(&lines[line])) {
            per_line[line].push(piece);
        }
    }
    let mut boxes: Vec<(usize, Rect)> = Vec::new();
    for (line, mut members) in per_line.into_iter().enumerate() {
        members.sort_by_key(|piece| piece.left);
        let mut whole: Vec<Rect> = Vec::new();
        for piece in members {
            match whole.last_mut() {
                Some(last) if piece.left - last.right <= height * 7 / 10 && !ink_between(mask, *last, piece) => {
                    *last = union(*last, piece);
                }
                _ => whole.push(piece),
            }
        }
        whole.retain(|found| is_text(*found, height) && has_letters(&mask.link, *found, height));
        if rtl {
            whole.reverse();
        }
        boxes.extend(whole.into_iter().map(|found| (line, found)));
    }
    let mut by_line: Vec<(usize, Link)> = Vec::new();
    for (line, found) in boxes {
        let continued = by_line.last().is_some_and(|(last_line, link)| {
            *last_line + 1 == line
                && link.boxes.last().is_some_and(|last| ends_line(*last, lines[*last_line], height, rtl))
                && starts_line(found, lines[line], height, rtl)
        });
        match by_line.last_mut() {
            Some((last_line, link)) if continued => {
                *last_line = line;
                link.boxes.push(found);
            }
            _ => by_line.push((line, Link { boxes: vec![found] })),
        }
    }
    Paragraph { lines, links: by_line.into_iter().map(|(_, link)| link).collect() }
}

/// Bands of rows that hold ink, each with the extent of its ink.
pub(super) fn lines(ink: &GrayImage) -> Vec<Rect> {
    let (width, height) = ink.dimensions();
    let mut lines: Vec<Rect> = Vec::new();
    let mut open: Option<Rect> = None;
    for y in 0..height {
        let row = &ink.as_raw()[(y * width) as usize..((y + 1) * width) as usize];
        let first = row.iter().position(|pixel| *pixel > 0);
        let last = row.iter().rposition(|pixel| *pixel > 0);
        match (first, last) {
            (Some(first), Some(last)) => {
                let row = Rect::new(first as i32, y as i32, last as i32 + 1, y as i32 + 1);
                open = Some(open.map_or(row, |band| union(band, row)));
            }
            _ => lines.extend(open.take()),
        }
    }
    lines.extend(open);
    // Dots and accents that stand apart belong to the line under them; what stays thin is a rule or dirt.
    let tall = lines.iter().map(|line| line.height()).max().unwrap_or(0);
    let mut whole: Vec<Rect> = Vec::new();
    for line in lines {
        match whole.last_mut() {
            Some(last)
                if (last.height() * 3 < tall || line.height() * 3 < tall) && line.top - last.bottom <= tall / 5 =>
            {
                *last = union(*last, line);
            }
            _ => whole.push(line),
        }
    }
    whole.retain(|line| line.height() >= 6 && line.height() * 3 >= tall);
    whole
}

/// Rectangles of the connected pieces of the dilated mask, shrunk back. A margin is put around first: contours that
/// touch a picture's edge are not followed.
fn pieces(link: &GrayImage) -> Vec<Rect> {
    let k = i32::from(DILATION);
    let margin = u32::from(DILATION) + 1;
    let mut padded = GrayImage::new(link.width() + 2 * margin, link.height() + 2 * margin);
    image::imageops::replace(&mut padded, link, i64::from(margin), i64::from(margin));
    find_contours_with_threshold::<i32>(&dilate(&padded, Norm::LInf, DILATION), 0)
        .into_iter()
        .filter(|contour| contour.border_type == BorderType::Outer)
        .filter_map(|contour| {
            let first = contour.points.first()?;
            let around =
                contour.points.iter().fold(Rect::new(first.x, first.y, first.x + 1, first.y + 1), |rect, point| {
                    union(rect, Rect::new(point.x, point.y, point.x + 1, point.y + 1))
                });
            let off = margin as i32;
            let shrunk =
                Rect::new(around.left + k - off, around.top + k - off, around.right - k - off, around.bottom - k - off);
            (!shrunk.is_empty()).then_some(shrunk)
        })
        .collect()
}

/// A link is about as tall as its line and longer than one letter; a coloured icon is not.
fn is_text(found: Rect, line: i32) -> bool {
    found.height() * 10 >= line * 3 && found.height() * 10 <= line * 16 && found.width() * 10 >= line * 11
}

/// True for more than one shape: an emoji, a bullet or an icon is about as wide as a line is high, and of one piece. What
/// is longer may be a word of joined letters.
fn has_letters(link: &GrayImage, found: Rect, line: i32) -> bool {
    let is_inked = |x: i32| {
        (found.top..found.bottom).any(|y| link.get_pixel_checked(x as u32, y as u32).is_some_and(|p| p.0[0] > 0))
    };
    let (mut widest, mut width) = (0, 0);
    for x in found.left..found.right {
        width = if is_inked(x) { width + 1 } else { 0 };
        widest = widest.max(width);
    }
    found.width() * 10 >= line * 15 || widest * 4 <= found.width() * 3
}

/// True when other ink stands between two pieces: then they are two links.
fn ink_between(mask: &LinkMask, left: Rect, right: Rect) -> bool {
    let (top, bottom) = (left.top.min(right.top), left.bottom.max(right.bottom));
    let mut strange = 0;
    for y in top..bottom {
        for x in left.right + 1..right.left - 1 {
            let (x, y) = (x as u32, y as u32);
            if mask.ink.get_pixel_checked(x, y).is_some_and(|p| p.0[0] > 0)
                && mask.link.get_pixel_checked(x, y).is_none_or(|p| p.0[0] == 0)
            {
                strange += 1;
            }
        }
    }
    strange >= 6
}

fn ends_line(found: Rect, line: Rect, height: i32, rtl: bool) -> bool {
    if rtl { found.left - line.left <= height / 3 } else { line.right - found.right <= height / 3 }
}

fn starts_line(found: Rect, line: Rect, height: i32, rtl: bool) -> bool {
    if rtl { line.right - found.right <= height / 3 } else { found.left - line.left <= height / 3 }
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
}
