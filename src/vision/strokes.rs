//! Ink on a photograph, where no colour stands for the background: pixels of thin strokes, in the few colours that
//! strokes have.

use image::GrayImage;

/// Widest stroke, in pixels, across its narrower direction.
const WIDEST: usize = 9;
/// Difference of the largest channel from which two pixels are of different colours.
const STEP: u8 = 44;

/// 255 where a pixel belongs to a stroke: seen from it the colour changes soon on both sides, across or along, and to
/// a colour of the same side (lighter or darker).
pub(super) fn strokes(width: usize, height: usize, pixels: &[[u8; 3]]) -> GrayImage {
    let mut mask = GrayImage::new(width as u32, height as u32);
    if width == 0 || pixels.len() < width * height {
        return mask;
    }
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let across = |step: usize, before: usize, after: usize| {
                let left = (1..=WIDEST.min(before)).find(|d| differs(pixels[at], pixels[at - d * step]));
                let right = (1..=WIDEST.min(after)).find(|d| differs(pixels[at], pixels[at + d * step]));
                let (Some(left), Some(right)) = (left, right) else { return false };
                let (a, b) = (pixels[at - left * step], pixels[at + right * step]);
                left + right <= WIDEST + 1 && (light(a) > light(pixels[at])) == (light(b) > light(pixels[at]))
            };
            if across(1, x, width - 1 - x) || across(width, y, height - 1 - y) {
                mask.as_mut()[at] = 255;
            }
        }
    }
    mask
}

fn differs(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > STEP)
}

fn light(pixel: [u8; 3]) -> u32 {
    2 * u32::from(pixel[0]) + 5 * u32::from(pixel[1]) + u32::from(pixel[2])
}

/// Whether two colours are nearly the same.
pub(super) fn alike(a: [u8; 3], b: [f32; 3], most: f32) -> bool {
    a.iter().zip(b).all(|(a, b)| (f32::from(*a) - b).abs() <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_lines_are_strokes_areas_and_edges_are_not() {
        // A dark area on the left, a light one with a line of three pixels on the right.
        let (width, height) = (80, 20);
        let pixels: Vec<[u8; 3]> = (0..width * height)
            .map(|at| match at % width {
                0..30 => [20, 60, 20],
                50..53 => [10, 10, 10],
                _ => [200, 210, 220],
            })
            .collect();
        let mask = strokes(width, height, &pixels);
        let lit: Vec<usize> = (0..width).filter(|x| mask.as_raw()[10 * width + x] > 0).collect();
        assert_eq!(lit, [50, 51, 52]);
        assert_eq!(strokes(9, 9, &[]).as_raw().iter().max(), Some(&0));
    }
}
