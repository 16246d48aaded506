//! `data:` URIs, so that a report is one file.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// PNG bytes as a `data:` URI (base64, RFC 4648 section 4).
pub(super) fn png(bytes: &[u8]) -> String {
    let mut uri = String::with_capacity(22 + bytes.len().div_ceil(3) * 4);
    uri.push_str("data:image/png;base64,");
    for group in bytes.chunks(3) {
        let word = u32::from(group[0]) << 16
            | u32::from(group.get(1).copied().unwrap_or(0)) << 8
            | u32::from(group.get(2).copied().unwrap_or(0));
        for place in 0..4 {
            let sextet = (word >> (18 - 6 * place)) & 63;
            uri.push(if place <= group.len() { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_vectors_of_rfc_4648_are_encoded() {
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(super::png(text.as_bytes()), format!("data:image/png;base64,{code}"));
        }
    }
}
