//! Parts of pictures at a fraction of their scale.

use super::decode::{PictureError, encode_png};
use crate::domain::{Rect, Screenshot, Size};

/// Encodes a picture as PNG at one over `scale` of its size; as it is where nothing would be left.
///
/// # Errors
/// It cannot be encoded.
pub fn encode_small_png(picture: &Screenshot, scale: u32) -> Result<Vec<u8>, PictureError> {
    encode_png(shrunk(picture, picture.size().rect(), scale).as_ref().unwrap_or(picture))
}

/// The part `area` of a picture at one over `scale` of its size, each pixel the mean of those it stands for. `None`
/// where nothing is left.
pub(super) fn shrunk(picture: &Screenshot, area: Rect, scale: u32) -> Option<Screenshot> {
    let area = picture.clip(area)?;
    let scale = scale.max(1) as usize;
    let (width, height) = (area.width() as usize / scale, area.height() as usize / scale);
    if width == 0 || height == 0 {
        return None;
    }
    let rows: Vec<&[u8]> = pixels_of(picture, area).collect();
    let mut pixels = Vec::with_capacity(width * height * 4);
    for rows in rows.chunks_exact(scale) {
        if let [row] = rows {
            pixels.extend_from_slice(row);
            continue;
        }
        for at in (0..width).flat_map(|x| (0..4).map(move |channel| 4 * scale * x + channel)) {
            let sum: u32 =
                rows.iter().flat_map(|row| row[at..].iter().step_by(4).take(scale)).map(|v| u32::from(*v)).sum();
            pixels.push((sum / (scale * scale) as u32) as u8);
        }
    }
    Screenshot::new(Size::new(width as u32, height as u32), pixels)
}

/// A box of the shrunk part in the part's own pixels.
pub(super) fn shrunk_to(line: Rect, scale: u32) -> Rect {
    let times = scale.max(1) as i32;
    Rect::new(times * line.left, times * line.top, times * line.right, times * line.bottom)
}

/// The rows of a part that lies within the picture, as bytes.
pub(super) fn pixels_of(picture: &Screenshot, area: Rect) -> impl Iterator<Item = &[u8]> {
    let stride = picture.size().width as usize * 4;
    let (left, right) = (area.left as usize * 4, area.right as usize * 4);
    (area.top as usize..area.bottom as usize)
        .filter_map(move |y| picture.rgba().get(y * stride + left..y * stride + right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_cut_out_and_shrunk_to_means() {
        // 4 × 4 pixels, each channel its place in the row times ten plus the row.
        let pixels = (0..16_u8).flat_map(|at| [at % 4 * 10 + at / 4; 4]).collect::<Vec<u8>>();
        let picture = Screenshot::new(Size::new(4, 4), pixels).expect("a picture");
        let one = shrunk(&picture, Rect::new(1, 1, 3, 3), 1).expect("a part");
        assert_eq!(one.rgba().iter().step_by(4).copied().collect::<Vec<_>>(), [11, 21, 12, 22]);
        let half = shrunk(&picture, Rect::new(0, 0, 4, 3), 2).expect("a part");
        assert_eq!((half.size(), half.rgba()[0], half.rgba()[4]), (Size::new(2, 1), 5, 25));
        assert!(shrunk(&picture, Rect::new(0, 0, 4, 3), 4).is_none());
        assert!(shrunk(&picture, Rect::new(9, 9, 12, 12), 1).is_none());
    }
}
