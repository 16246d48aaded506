//! Whether a library's file is complete. The loader maps a cut-off file without complaint, and the process then dies of
//! a bus error at the first page that is not there, so this is looked at before loading.

use std::io::{self, Read, Seek, SeekFrom};

/// How many bytes a 64-bit little-endian ELF file must have for its loadable segments (ELF-64 object file format,
/// "Program header table"); `None` for files of another format, which the loader judges.
pub(super) fn required_length(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let mut header = [0; 64];
    if file.read_exact(&mut header).is_err() || header[..6] != *b"\x7fELF\x02\x01" {
        return Ok(None);
    }
    let table = u64_at(&header, 32);
    let (size, count) = (u64::from(u16_at(&header, 54)), u64::from(u16_at(&header, 56)));
    let mut required = table.saturating_add(size * count);
    if size < 56 {
        return Ok(None);
    }
    for index in 0..count {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.saturating_add(index * size)))?;
        match file.read_exact(&mut entry) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            other => other?,
        }
        let end = u64_at(&entry, 8).saturating_add(u64_at(&entry, 32));
        required = required.max(end);
    }
    Ok(Some(required))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    (0..8).fold(0, |value, byte| value | u64::from(bytes[at + byte]) << (8 * byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A header with one segment of `length` bytes at offset 0.
    fn elf(length: u64) -> Vec<u8> {
        let mut file = vec![0; 120];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[32..40].copy_from_slice(&64_u64.to_le_bytes());
        file[54..56].copy_from_slice(&56_u16.to_le_bytes());
        file[56..58].copy_from_slice(&1_u16.to_le_bytes());
        file[96..104].copy_from_slice(&length.to_le_bytes());
        file
    }

    #[test]
    fn the_last_segment_says_how_long_the_file_must_be() {
        assert_eq!(required_length(&mut Cursor::new(elf(5_000))).unwrap(), Some(5_000));
    }

    #[test]
    fn a_cut_off_table_needs_more_than_there_is() {
        assert_eq!(required_length(&mut Cursor::new(&elf(5_000)[..100])).unwrap(), Some(120));
    }

    #[test]
    fn other_formats_and_absurd_headers_do_not_panic() {
        assert_eq!(required_length(&mut Cursor::new(b"junk")).unwrap(), None);
        let mut absurd = elf(u64::MAX);
        absurd[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        absurd[56..58].copy_from_slice(&u16::MAX.to_le_bytes());
        assert!(required_length(&mut Cursor::new(absurd)).unwrap_or(Some(1)).is_some());
    }
}
