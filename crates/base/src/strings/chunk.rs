//! Reading little-endian numbers out of untrusted bytes, and walking a file's chunks.

/// Bytes that are read by offset; beyond the end there is nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.0.get(at..at.checked_add(2)?)?.try_into().ok()?))
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.0.get(at..at.checked_add(4)?)?.try_into().ok()?))
    }

    /// A number of four bytes as a place or a count.
    pub(super) fn size(self, at: usize) -> Option<usize> {
        usize::try_from(self.u32(at)?).ok()
    }

    pub(super) fn from(self, at: usize) -> Option<Self> {
        self.0.get(at..).map(Self)
    }

    pub(super) fn slice(self, at: usize, length: usize) -> Option<&'b [u8]> {
        self.0.get(at..at.checked_add(length)?)
    }
}

/// A `ResChunk_header` with its whole chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'b> {
    pub(super) kind: u16,
    pub(super) header: usize,
    pub(super) bytes: Bytes<'b>,
}

/// The chunks from `at` on, one behind the other, as far as they are whole.
pub(super) fn chunks(bytes: Bytes<'_>, at: usize) -> impl Iterator<Item = Chunk<'_>> {
    let mut at = at;
    std::iter::from_fn(move || {
        let here = bytes.from(at)?;
        let (kind, header, size) = (here.u16(0)?, usize::from(here.u16(2)?), here.size(4)?);
        if header < 8 || size < header {
            return None;
        }
        // A file that was cut off ends in a chunk that is not whole; what is there of it counts.
        let size = size.min(here.0.len());
        at = at.checked_add(size)?;
        Some(Chunk { kind, header, bytes: Bytes(here.slice(0, size)?) })
    })
}
