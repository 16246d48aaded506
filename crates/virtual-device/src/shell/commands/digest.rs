//! `md5sum`, `sha256sum` and `base64`.

use super::cat::{read_each, read_file_or_stdin};
use super::options::Options;
use super::{Exit, Invocation};
use sha2::{Digest, Sha256};

pub(super) fn md5sum(invocation: &Invocation<'_>) -> Exit {
    sums(invocation, |bytes| hex(&md5(bytes)))
}

pub(super) fn sha256sum(invocation: &Invocation<'_>) -> Exit {
    sums(invocation, |bytes| hex(&Sha256::digest(bytes)))
}

fn sums(invocation: &Invocation<'_>, sum: impl Fn(&[u8]) -> String) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "b") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mut exit = Exit::SUCCESS;
    for file in options.files() {
        match read_file_or_stdin(invocation, file) {
            Ok(bytes) if options.has('b') => invocation.out(format!("{}\n", sum(&bytes))),
            Ok(bytes) => invocation.out(format!("{}  {file}\n", sum(&bytes))),
            Err(reason) => {
                invocation.err(format!("{}: {file}: {reason}\n", invocation.args[0]));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// RFC 1321. No part of the product relies on it: scripts compare pushed files with it.
fn md5(message: &[u8]) -> [u8; 16] {
    const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len() + (120 - padded.len() % 64) % 64, 0);
    padded.extend((message.len() as u64 * 8).to_le_bytes());
    for block in padded.chunks_exact(64) {
        let words: Vec<u32> =
            block.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        let [mut a, mut b, mut c, mut d] = state;
        for step in 0..64 {
            let (mix, word) = match step / 16 {
                0 => ((b & c) | (!b & d), step),
                1 => ((d & b) | (!d & c), (5 * step + 1) % 16),
                2 => (b ^ c ^ d, (3 * step + 5) % 16),
                _ => (c ^ (b | !d), (7 * step) % 16),
            };
            let constant = (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(mix).wrapping_add(constant).wrapping_add(words[word]);
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(SHIFTS[step / 16][step % 4]));
        }
        for (state, value) in state.iter_mut().zip([a, b, c, d]) {
            *state = state.wrapping_add(value);
        }
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn base64(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "diw:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let width = options.value('w').and_then(|width| width.parse().ok()).unwrap_or(76);
    read_each(invocation, &options.files(), |bytes| {
        if options.has('d') {
            invocation.out(decode(bytes).unwrap_or_default());
            return;
        }
        let text = encode(bytes);
        if width == 0 {
            invocation.out(text);
        } else {
            let lines = text.as_bytes().chunks(width).map(|line| [line, b"\n"].concat());
            invocation.out(lines.collect::<Vec<_>>().concat());
        }
    })
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().chain(&[0, 0]).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for at in 0..4 {
            let place = bits >> (18 - 6 * at) & 63;
            text.push(if at > three.len() { '=' } else { char::from(ALPHABET[place]) });
        }
    }
    text
}

/// Base64 with white space left out; `None` for anything else.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.iter().filter(|c| !c.is_ascii_whitespace()) {
        if *c == b'=' {
            break;
        }
        let value = ALPHABET.iter().position(|known| known == c)?;
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digests_are_those_of_the_rfc() {
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a",
            ),
        ] {
            assert_eq!(hex(&md5(text.as_bytes())), digest);
        }
    }

    proptest! {
        #[test]
        fn base64_comes_back(bytes: Vec<u8>) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }
    }
}
