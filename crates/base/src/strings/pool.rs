//! `ResStringPool`: the texts of a resource file, read one at a time.

use super::chunk::{Bytes, Chunk};

/// Longest text that is read, in bytes or UTF-16 units.
const LONGEST: usize = 4 << 10;
const UTF8: u32 = 1 << 8;

/// A pool of texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pool<'b> {
    bytes: Bytes<'b>,
    header: usize,
    count: usize,
    start: usize,
    utf8: bool,
}

impl<'b> Pool<'b> {
    pub(super) const KIND: u16 = 0x0001;

    pub(super) fn of(chunk: &Chunk<'b>) -> Option<Self> {
        let bytes = chunk.bytes;
        Some(Self {
            bytes,
            header: chunk.header,
            count: bytes.size(8)?,
            utf8: bytes.u32(16)? & UTF8 != 0,
            start: bytes.size(20)?,
        })
    }

    /// The text at a place in the pool; none where there is nothing, or something huge.
    pub(super) fn text(&self, index: u32) -> Option<String> {
        let index = usize::try_from(index).ok().filter(|index| *index < self.count)?;
        let offset = self.bytes.size(self.header.checked_add(index.checked_mul(4)?)?)?;
        let at = self.start.checked_add(offset)?;
        if self.utf8 {
            let (_, at) = self.short_length(at)?;
            let (length, at) = self.short_length(at)?;
            let text = self.bytes.slice(at, length)?;
            // Android writes what is beyond the first plane as two surrogates of three bytes each; those are dropped.
            Some(String::from_utf8_lossy(text).into_owned())
        } else {
            let first = self.bytes.u16(at)?;
            let (length, at) = if first & 0x8000 == 0 {
                (usize::from(first), at + 2)
            } else {
                (usize::from(first & 0x7fff) << 16 | usize::from(self.bytes.u16(at + 2)?), at + 4)
            };
            let text = self.bytes.slice(at, 2 * limited(length)?)?;
            let units = text.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
        }
    }

    fn short_length(&self, at: usize) -> Option<(usize, usize)> {
        let first = self.bytes.u8(at)?;
        let (length, next) = if first & 0x80 == 0 {
            (usize::from(first), at + 1)
        } else {
            (usize::from(first & 0x7f) << 8 | usize::from(self.bytes.u8(at + 1)?), at + 2)
        };
        Some((limited(length)?, next))
    }
}

fn limited(length: usize) -> Option<usize> {
    (length <= LONGEST).then_some(length)
}
