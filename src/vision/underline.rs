//! Links that are underlined and have no colour of their own.

use super::link_mask::MainInk;
use crate::domain::Rect;
use image::GrayImage;

/// Boxes of the texts over underlines: from the top of their line's band to the stroke's lower edge. A stroke is a run
/// of ink, straight, thin, in the lower part of a line and longer than any letter; a rule with no text over it is none.
pub(super) fn underlined(ink: &GrayImage, lines: &[Rect]) -> Vec<Rect> {
    let mut heights: Vec<i32> = lines.iter().map(|line| line.height()).collect();
    heights.sort_unstable();
    let Some(&height) = heights.get(heights.len() / 2) else { return Vec::new() };
    let mut found = Vec::new();
    for line in lines {
        let mut strokes: Vec<Rect> = Vec::new();
        for y in line.top + line.height() / 2..line.bottom {
            for (left, right) in runs(ink, y, *line, height) {
                let row = Rect::new(left, y, right, y + 1);
                // The rows of a stroke begin and end alike; letters and commas that touch it lengthen some.
                let same = |stroke: &&mut Rect| {
                    stroke.bottom == y
                        && (stroke.left - left).abs() <= height / 4
                        && (stroke.right - right).abs() <= height / 4
                };
                match strokes.iter_mut().find(same) {
                    Some(stroke) => {
                        *stroke = Rect::new(stroke.left.max(left), stroke.top, stroke.right.min(right), y + 1);
                    }
                    None => strokes.push(row),
                }
            }
        }
        strokes.retain(|stroke| {
            stroke.height() <= (height / 6).max(3)
                && stroke.top >= line.top + line.height() * 6 / 10
                && share(ink, stroke.left, stroke.right, stroke.bottom) < 0.3
                && share(ink, stroke.left, stroke.right, stroke.top - 1) < 0.6
                && text_over(ink, *stroke, line.top)
        });
        found.extend(strokes.iter().map(|stroke| Rect::new(stroke.left, line.top, stroke.right, stroke.bottom)));
    }
    found
}

/// Runs of ink in row `y` that are longer than a letter; single missing pixels do not end one.
fn runs(ink: &GrayImage, y: i32, line: Rect, height: i32) -> Vec<(i32, i32)> {
    let mut runs = Vec::new();
    let mut open: Option<(i32, i32)> = None;
    for x in line.left..=line.right {
        let lit = x < line.right && is_lit(ink, x, y);
        match (&mut open, lit) {
            (Some(run), true) => run.1 = x + 1,
            (None, true) => open = Some((x, x + 1)),
            (Some(run), false) if x > run.1 => runs.extend(open.take()),
            _ => {}
        }
    }
    runs.extend(open);
    runs.retain(|(from, to)| (to - from) * 10 >= height * 14);
    runs
}

/// Share of a row's pixels that are ink.
fn share(ink: &GrayImage, left: i32, right: i32, y: i32) -> f32 {
    let lit = (left..right).filter(|x| is_lit(ink, *x, y)).count();
    lit as f32 / (right - left).max(1) as f32
}

/// Columns over a stroke hold text: at least a third of them.
fn text_over(ink: &GrayImage, stroke: Rect, top: i32) -> bool {
    let lit = (stroke.left..stroke.right).filter(|x| (top..stroke.top - 1).any(|y| is_lit(ink, *x, y))).count();
    lit * 3 >= stroke.width() as usize
}

fn is_lit(ink: &GrayImage, x: i32, y: i32) -> bool {
    x >= 0 && y >= 0 && ink.get_pixel_checked(x as u32, y as u32).is_some_and(|pixel| pixel.0[0] > 0)
}

/// Indices of the ink within boxes.
pub(super) fn ink_within(ink: &GrayImage, boxes: &[Rect]) -> MainInk {
    let width = ink.width() as usize;
    let mut indices: Vec<usize> = Vec::new();
    for place in boxes {
        for y in place.top..place.bottom {
            for x in place.left..place.right {
                if is_lit(ink, x, y) {
                    indices.push(y as usize * width + x as usize);
                }
            }
        }
    }
    indices.sort_unstable();
    indices.dedup();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// Strokes for letters from 10 to 200 in a line from 10 to 40, with the given extra boxes.
    fn picture(extra: &[Rect]) -> GrayImage {
        let mut ink = GrayImage::new(220, 60);
        let letters = (10..200).step_by(9).map(|x| Rect::new(x, 10, x + 3, 36));
        for place in letters.chain(extra.iter().copied()) {
            for y in place.top..place.bottom {
                for x in place.left..place.right {
                    ink.put_pixel(x as u32, y as u32, Luma([255]));
                }
            }
        }
        ink
    }

    #[test]
    fn the_text_over_a_stroke_is_found_and_a_rule_is_not() {
        let line = Rect::new(10, 10, 202, 41);
        let stroke = Rect::new(64, 38, 130, 40);
        let found = underlined(&picture(&[stroke]), &[line]);
        assert_eq!(found, [Rect::new(64, 10, 130, 40)]);
        assert!(underlined(&picture(&[]), &[line]).is_empty(), "text alone");
        let struck = Rect::new(64, 22, 130, 24);
        assert!(underlined(&picture(&[struck]), &[line]).is_empty(), "struck through");
        let apart = Rect::new(203, 38, 219, 40);
        assert!(underlined(&picture(&[apart]), &[line]).is_empty(), "nothing over it");
        assert!(underlined(&picture(&[stroke]), &[]).is_empty());
    }
}
