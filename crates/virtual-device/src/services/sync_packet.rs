//! Records of the sync protocol (`file_sync_protocol.h`).

use crate::system::{FileStat, FsError};

/// Longest path a request may carry.
pub(super) const MAX_PATH: usize = 1024;
/// Largest DATA payload.
pub(super) const MAX_DATA: usize = 64 * 1024;

/// id + one word.
pub(super) fn word(id: [u8; 4], value: u32) -> Vec<u8> {
    [id, value.to_le_bytes()].concat()
}

/// `FAIL` with its text.
pub(super) fn fail(message: &str) -> Vec<u8> {
    let mut bytes = word(*b"FAIL", message.len() as u32);
    bytes.extend_from_slice(message.as_bytes());
    bytes
}

/// `STAT`: mode, size, mtime; all zero when missing.
pub(super) fn stat_v1(stat: Result<FileStat, FsError>) -> Vec<u8> {
    let words = stat.map_or([0; 3], |stat| [stat.mode, stat.size as u32, stat.mtime as u32]);
    [b"STAT".to_vec(), words.into_iter().flat_map(u32::to_le_bytes).collect()].concat()
}

/// `STA2`, `LST2` or the head of `DNT2`.
pub(super) fn stat_v2(id: [u8; 4], stat: Result<FileStat, FsError>) -> Vec<u8> {
    let mut bytes = id.to_vec();
    match stat {
        Err(error) => {
            bytes.extend_from_slice(&error.errno().to_le_bytes());
            bytes.resize(STAT_V2_LEN, 0);
        }
        Ok(stat) => {
            bytes.extend_from_slice(&0_u32.to_le_bytes());
            bytes.extend_from_slice(&1_u64.to_le_bytes());
            bytes.extend_from_slice(&stat.inode.to_le_bytes());
            for value in [stat.mode, 1, stat.uid, stat.uid] {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
            bytes.extend_from_slice(&stat.size.to_le_bytes());
            for _ in ["atime", "mtime", "ctime"] {
                bytes.extend_from_slice(&stat.mtime.to_le_bytes());
            }
        }
    }
    bytes
}

/// Length of a v2 stat record, id included.
pub(super) const STAT_V2_LEN: usize = 4 + 4 + 8 + 8 + 4 * 4 + 8 + 8 * 3;

/// `DENT`: mode, size, mtime, name.
pub(super) fn entry_v1(name: &str, stat: FileStat) -> Vec<u8> {
    let words = [stat.mode, stat.size as u32, stat.mtime as u32, name.len() as u32];
    [b"DENT".to_vec(), words.into_iter().flat_map(u32::to_le_bytes).collect(), name.as_bytes().to_vec()].concat()
}

/// `DNT2`: v2 stat and name.
pub(super) fn entry_v2(name: &str, stat: FileStat) -> Vec<u8> {
    let mut bytes = stat_v2(*b"DNT2", Ok(stat));
    bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
    bytes.extend_from_slice(name.as_bytes());
    bytes
}

/// The end of a listing: a record of the same length as an entry without name.
pub(super) fn listing_done(entry_length: usize) -> Vec<u8> {
    let mut bytes = b"DONE".to_vec();
    bytes.resize(entry_length, 0);
    bytes
}

/// `SEND`'s argument: path and decimal mode, separated by the last comma.
pub(super) fn parse_send(argument: &str) -> (&str, u32) {
    match argument.rsplit_once(',') {
        Some((path, mode)) => mode.parse().map_or((argument, 0o644), |mode| (path, mode)),
        None => (argument, 0o644),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_lengths_of_the_header_file() {
        let stat = FileStat { mode: 0o100_644, size: 5, mtime: 9, inode: 3, uid: 2000 };
        assert_eq!(stat_v1(Ok(stat)).len(), 16);
        assert_eq!(stat_v1(Err(FsError::NotFound))[4..], [0; 12]);
        assert_eq!((STAT_V2_LEN, stat_v2(*b"STA2", Ok(stat)).len()), (72, 72));
        let missing = stat_v2(*b"STA2", Err(FsError::NotFound));
        assert_eq!((missing.len(), missing[4]), (72, 2));
        assert_eq!(entry_v1("ab", stat).len(), 22);
        assert_eq!(entry_v2("ab", stat).len(), 78);
    }

    #[test]
    fn a_path_may_hold_commas() {
        assert_eq!(parse_send("/sdcard/a,b,33188"), ("/sdcard/a,b", 33188));
        assert_eq!(parse_send("/sdcard/a"), ("/sdcard/a", 0o644));
    }
}
