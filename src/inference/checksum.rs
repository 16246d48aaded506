//! SHA-256 of files and streams, in lower-case hex.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The checksum of a file's bytes.
pub(super) fn sha256_of_file(path: &Path) -> io::Result<String> {
    sha256_of_copy(&mut File::open(path)?, &mut io::sink())
}

/// Copies a stream and gives the checksum of what was copied.
pub(super) fn sha256_of_copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = &buffer[..read];
        hash.update(bytes);
        to.write_all(bytes)?;
    }
    Ok(hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_the_bytes_and_gives_their_checksum() {
        let mut copied = Vec::new();
        let sum = sha256_of_copy(&mut &b"abc"[..], &mut copied).unwrap();
        assert_eq!(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(copied, b"abc");
    }
}
