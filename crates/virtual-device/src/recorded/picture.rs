//! A recorded picture at the display's size.

use crate::domain::{Screenshot, Size};
use image::imageops::FilterType;
use image::{ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use tapwright_base::recorded::Picture;

/// Most bytes a decoded picture may take: an 8K display.
const MOST_BYTES: u64 = 140 << 20;

/// Reads a picture and makes it as large as the display.
pub(super) fn read(picture: &Picture, display: Size) -> Result<Screenshot, String> {
    let bytes = picture.read().map_err(|error| error.to_string())?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let mut image = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    if image.dimensions() != (display.width, display.height) {
        image = image::imageops::resize(&image, display.width, display.height, FilterType::Triangle);
    }
    Screenshot::new(display, image.into_raw()).ok_or_else(|| "its pixels are incomplete".to_owned())
}
