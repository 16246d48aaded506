//! `screencap`: raw pixels behind a header of 12 or 16 bytes, or a PNG (AOSP `cmds/screencap/screencap.cpp`).

use crate::domain::{Screenshot, Size};
use std::io::Cursor;
use std::sync::Arc;

/// Why bytes are no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Nothing came.
    #[error("screencap printed nothing")]
    Empty,
    /// Neither header fits the length.
    #[error("{length} bytes are neither a raw picture ({header}) nor a PNG")]
    Length {
        /// How many bytes came.
        length: usize,
        /// What the header would say.
        header: String,
    },
    /// A pixel format other than RGBA or RGBX.
    #[error("pixel format {0} is not supported; expected 1 (RGBA_8888) or 2 (RGBX_8888)")]
    Format(u32),
    /// More pixels than any display has.
    #[error("the picture has {width}×{height} pixels; at most 67 108 864 are accepted")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A damaged PNG.
    #[error("damaged PNG: {0}")]
    Png(String),
}

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Width, height, format; API 28 added the colour space.
const HEADERS: [usize; 2] = [16, 12];
const RGBA_8888: u32 = 1;
const RGBX_8888: u32 = 2;
/// Larger than any display, so that a damaged header cannot ask for all memory.
const MOST_PIXELS: u64 = 64 << 20;

/// Decodes what `screencap` or `screencap -p` printed. Which header a device writes is told by the length alone, since
/// sources disagree on the release that changed it.
pub fn parse_picture(bytes: &[u8]) -> Result<Screenshot, PictureError> {
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    if let Some(at) = png_start(bytes) {
        return decode_png(bytes.get(at..).unwrap_or_default());
    }
    let word = |index: usize| {
        bytes.get(4 * index..4 * index + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes)
    };
    let (Some(width), Some(height), Some(format)) = (word(0), word(1), word(2)) else {
        return Err(PictureError::Length { length: bytes.len(), header: "too short for a header".to_owned() });
    };
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS && (format == RGBA_8888 || format == RGBX_8888) {
        return Err(PictureError::TooLarge { width, height });
    }
    let fits =
        |header: &usize| pixels > 0 && pixels <= MOST_PIXELS && bytes.len() as u64 == *header as u64 + 4 * pixels;
    let Some(header) = HEADERS.into_iter().find(fits) else {
        let header = format!("its header says {width}×{height}, format {format}");
        return Err(PictureError::Length { length: bytes.len(), header });
    };
    if format != RGBA_8888 && format != RGBX_8888 {
        return Err(PictureError::Format(format));
    }
    // Copied once: a phone's picture has ten megabytes, and a farm takes many at a time.
    let mut rgba: Arc<[u8]> = bytes.get(header..).unwrap_or_default().into();
    if format == RGBX_8888
        && let Some(pixels) = Arc::get_mut(&mut rgba)
    {
        for pixel in pixels.chunks_exact_mut(4) {
            pixel[3] = u8::MAX;
        }
    }
    Screenshot::new(Size::new(width, height), rgba)
        .ok_or_else(|| PictureError::Length { length: bytes.len(), header: "pixels do not fit".to_owned() })
}

/// A PNG may have the several-displays warning before it when the streams were merged.
fn png_start(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(PNG_SIGNATURE) {
        return Some(0);
    }
    if !bytes.starts_with(b"[Warning]") {
        return None;
    }
    bytes.windows(PNG_SIGNATURE.len()).position(|window| window == PNG_SIGNATURE)
}

fn decode_png(bytes: &[u8]) -> Result<Screenshot, PictureError> {
    let damaged = |error: image::ImageError| PictureError::Png(error.to_string());
    let mut reader = image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(4 * MOST_PIXELS);
    let sized = image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::Png);
    let (width, height) = sized.into_dimensions().map_err(damaged)?;
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PictureError::TooLarge { width, height });
    }
    reader.limits(limits);
    let picture = reader.decode().map_err(damaged)?.into_rgba8();
    let size = Size::new(picture.width(), picture.height());
    Screenshot::new(size, picture.into_raw()).ok_or_else(|| PictureError::Png("pixels do not fit".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(header: &[u32], pixels: &[u8]) -> Vec<u8> {
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend_from_slice(pixels);
        bytes
    }

    #[test]
    fn both_headers_are_told_apart_by_length() {
        let pixels = [10, 20, 30, 255, 40, 50, 60, 0];
        for header in [vec![2, 1, 1], vec![2, 1, 1, 1]] {
            let picture = parse_picture(&raw(&header, &pixels)).unwrap();
            assert_eq!(picture.size(), Size::new(2, 1));
            assert_eq!(picture.rgb(1, 0), Some([40, 50, 60]));
        }
    }

    #[test]
    fn a_png_is_decoded_also_behind_a_warning() {
        let mut png = Vec::new();
        image::RgbaImage::from_pixel(3, 2, image::Rgba([1, 2, 3, 255]))
            .write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png)
            .unwrap();
        let mut warned = b"[Warning] Multiple displays were found, but no display id was specified!\n".to_vec();
        warned.extend_from_slice(&png);
        for bytes in [&png, &warned] {
            let picture = parse_picture(bytes).unwrap();
            assert_eq!((picture.size(), picture.rgb(2, 1)), (Size::new(3, 2), Some([1, 2, 3])));
        }
        png.truncate(png.len() / 2);
        assert!(matches!(parse_picture(&png), Err(PictureError::Png(_))));
    }

    #[test]
    fn what_is_no_picture_is_an_error_in_words() {
        assert_eq!(parse_picture(b""), Err(PictureError::Empty));
        assert!(matches!(parse_picture(b"Failed to take screenshot. Status: 1"), Err(PictureError::Length { .. })));
        assert_eq!(parse_picture(&raw(&[1, 1, 4, 0], &[0; 4])), Err(PictureError::Format(4)));
        assert!(matches!(parse_picture(&raw(&[u32::MAX, u32::MAX, 1], &[0; 8])), Err(PictureError::TooLarge { .. })));
    }
}
