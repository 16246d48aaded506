//! PNG bytes to pixels and back, in bounded memory.

use crate::domain::{Screenshot, Size};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageFormat, ImageReader};
use std::io::Cursor;

/// Most pixels a picture may have: an 8K display. Four bytes each, so a decoded picture never takes more than 134 MB.
pub const MAX_PIXELS: u64 = 7680 * 4320 + 1_000_000;

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// No bytes at all.
    #[error("the screenshot is empty; `screencap -p` wrote nothing (display off, or the device refused)")]
    Empty,
    /// Line ends were changed on the way.
    #[error(
        "the screenshot's line ends were translated on the way; take it with `adb exec-out screencap -p`, not `adb shell`"
    )]
    Translated,
    /// Something else than a PNG.
    #[error("the screenshot is no PNG, it begins with {0:?}")]
    NotPng(String),
    /// More pixels than are accepted.
    #[error("the screenshot has {width} × {height} pixels; at most {MAX_PIXELS} are accepted")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A damaged PNG.
    #[error("the screenshot is damaged ({reason}); take it again")]
    Damaged {
        /// What the decoder said.
        reason: String,
    },
    /// Pixels that could not be written as PNG.
    #[error("a picture of {width} × {height} pixels cannot be written as PNG: {reason}")]
    Encode {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// What the encoder said.
        reason: String,
    },
}

/// Decodes a PNG of any colour type to RGBA8. Reads the size first, so that a small file that claims to be huge costs
/// nothing.
pub fn decode_png(bytes: &[u8]) -> Result<Screenshot, PictureError> {
    const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    if bytes.starts_with(b"\x89PNG\r\r\n") || bytes.starts_with(b"\x89PNG\n") {
        return Err(PictureError::Translated);
    }
    if !bytes.starts_with(MAGIC) {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        return Err(PictureError::NotPng(start));
    }
    let damaged = |error: image::ImageError| PictureError::Damaged { reason: error.to_string() };
    let reader = || ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let (width, height) = reader().into_dimensions().map_err(damaged)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(PictureError::TooLarge { width, height });
    }
    let mut limits = image::Limits::default();
    // Sixteen-bit RGBA is the widest colour type a PNG has.
    limits.max_alloc = Some(MAX_PIXELS * 8 + (1 << 20));
    let mut decoder = reader();
    decoder.limits(limits);
    let pixels = decoder.decode().map_err(damaged)?.into_rgba8().into_raw();
    Screenshot::new(Size::new(width, height), pixels)
        .ok_or_else(|| PictureError::Damaged { reason: "the number of pixels does not fit the size".to_owned() })
}

/// Encodes a picture as PNG, fast rather than small.
pub fn encode_png(picture: &Screenshot) -> Result<Vec<u8>, PictureError> {
    let Size { width, height } = picture.size();
    let mut out = Vec::with_capacity(picture.rgba().len() / 8 + 1024);
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(picture.rgba(), width, height, ExtendedColorType::Rgba8)
        .map_err(|error| PictureError::Encode { width, height, reason: error.to_string() })?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn picture() -> Screenshot {
        let pixels: Vec<u8> = (0..4 * 6 * 5).map(|n| (n * 7 % 256) as u8).collect();
        Screenshot::new(Size::new(6, 5), pixels).expect("fits")
    }

    #[test]
    fn a_picture_survives_png() {
        let bytes = encode_png(&picture()).expect("encodes");
        assert_eq!(decode_png(&bytes).expect("decodes"), picture());
    }

    #[test]
    fn each_kind_of_bad_picture_has_its_own_error() {
        let good = encode_png(&picture()).expect("encodes");
        assert!(matches!(decode_png(b""), Err(PictureError::Empty)));
        assert!(matches!(decode_png(b"error: no display"), Err(PictureError::NotPng(_))));
        assert!(matches!(decode_png(&good[..good.len() / 2]), Err(PictureError::Damaged { .. })));
        let translated: Vec<u8> =
            good.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect();
        assert!(matches!(decode_png(&translated), Err(PictureError::Translated)));
    }

    #[test]
    fn a_huge_picture_is_refused_by_its_header() {
        // A header that claims 60 000 × 60 000 pixels, with its correct checksum, and nothing behind it.
        let mut chunk = b"IHDR".to_vec();
        chunk.extend(60_000_u32.to_be_bytes());
        chunk.extend(60_000_u32.to_be_bytes());
        chunk.extend([8, 6, 0, 0, 0]);
        let mut crc = u32::MAX;
        for byte in &chunk {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        bytes.extend(13_u32.to_be_bytes());
        bytes.extend(&chunk);
        bytes.extend((!crc).to_be_bytes());
        bytes.extend(b"\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e");
        assert!(
            matches!(decode_png(&bytes), Err(PictureError::TooLarge { width: 60_000, height: 60_000 })),
            "{:?}",
            decode_png(&bytes)
        );
    }

    #[test]
    fn a_picture_without_pixels_is_an_error_to_write() {
        let empty = Screenshot::new(Size::new(0, 0), Vec::new()).expect("fits");
        assert!(matches!(encode_png(&empty), Err(PictureError::Encode { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn damaged_pictures_never_panic(damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5)) {
            let mut bytes = encode_png(&picture()).expect("encodes");
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = decode_png(&bytes);
        }
    }
}
