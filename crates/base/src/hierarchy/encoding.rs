//! From a dump's bytes to text: byte order marks, UTF-16 and damaged UTF-8.
//!
//! A dump redirected through a Windows shell arrives as UTF-16 although its XML declaration says UTF-8, so the
//! declaration is not consulted.

use super::diagnostics::Notes;
use std::borrow::Cow;

/// Longest dump that is read; what lies beyond is cut off with a note. The largest real dump seen has 410 KB.
pub(super) const MAX_BYTES: usize = 32 * 1024 * 1024;

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// Decodes `bytes`; total, never fails. Anything odd is noted.
pub(super) fn decode<'b>(bytes: &'b [u8], notes: &mut Notes) -> Cow<'b, str> {
    let bytes = if bytes.len() > MAX_BYTES {
        notes.push(None, format!("the dump has {} bytes; only the first {MAX_BYTES} were read", bytes.len()));
        &bytes[..MAX_BYTES]
    } else {
        bytes
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest, notes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, Order::Little, notes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, Order::Big, notes),
        [b'<', 0, ..] => utf16(bytes, Order::Little, notes),
        [0, b'<', ..] => utf16(bytes, Order::Big, notes),
        _ => utf8(bytes, notes),
    }
}

fn utf8<'b>(bytes: &'b [u8], notes: &mut Notes) -> Cow<'b, str> {
    // The strict check reads a word at a time; the lenient one is many times slower.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    notes.push(None, "the dump is not valid UTF-8; damaged characters were replaced by U+FFFD");
    String::from_utf8_lossy(bytes)
}

fn utf16(bytes: &[u8], order: Order, notes: &mut Notes) -> Cow<'static, str> {
    notes.push(None, "the dump is UTF-16, probably redirected through a Windows shell");
    let units = bytes.chunks_exact(2).map(|pair| match order {
        Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
        Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Cow::Owned(text.trim_start_matches('\u{feff}').to_owned())
}

/// Resolves character and entity references in an attribute's value. Unknown or broken references are kept as they
/// stand; a surrogate pair written as two references becomes its character.
pub(super) fn unescape(value: &str) -> Cow<'_, str> {
    if memchr::memchr(b'&', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    let mut high: Option<u32> = None;
    while let Some(at) = rest.find('&') {
        if at > 0 && high.take().is_some() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest reference is `&#x10FFFF;`.
        let Some(end) = rest.bytes().take(12).position(|b| b == b';') else {
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        match reference(&rest[1..end]) {
            Some(code @ 0xD800..=0xDBFF) => {
                if high.replace(code).is_some() {
                    out.push(char::REPLACEMENT_CHARACTER);
                }
            }
            Some(low @ 0xDC00..=0xDFFF) => out.push(
                high.take()
                    .and_then(|high| char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
                    .unwrap_or(char::REPLACEMENT_CHARACTER),
            ),
            Some(code) => out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
            None => out.push_str(&rest[..=end]),
        }
        rest = &rest[end + 1..];
    }
    if high.is_some() {
        out.push(char::REPLACEMENT_CHARACTER);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn reference(name: &str) -> Option<u32> {
    match name {
        "amp" => Some('&' as u32),
        "lt" => Some('<' as u32),
        "gt" => Some('>' as u32),
        "quot" => Some('"' as u32),
        "apos" => Some('\'' as u32),
        _ => {
            let number = name.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            }
        }
    }
}

/// Writes `value` as the content of a double-quoted attribute, with line breaks and tabs as references.
pub(super) fn escape_into(out: &mut String, value: &str) {
    let mut from = 0;
    for (at, byte) in value.bytes().enumerate() {
        // Letters, digits and everything beyond ASCII.
        if byte > b'>' {
            continue;
        }
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\n' => "&#10;",
            b'\r' => "&#13;",
            b'\t' => "&#9;",
            _ => continue,
        };
        out.push_str(&value[from..at]);
        out.push_str(reference);
        from = at + 1;
    }
    out.push_str(&value[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_and_broken_ones_kept() {
        assert_eq!(unescape("a &amp; b&#10;c &#x41;"), "a & b\nc A");
        assert_eq!(unescape("R&D &nope; &"), "R&D &nope; &");
        assert_eq!(unescape("&#55357;&#56832;!"), "😀!");
        assert_eq!(unescape("&#55357;x"), "\u{fffd}x");
        assert_eq!(unescape("&#55357;"), "\u{fffd}");
        assert_eq!(unescape("&é;&ééééééé"), "&é;&ééééééé");
    }

    #[test]
    fn utf_16_of_both_byte_orders_is_read_with_and_without_a_mark() {
        let text = "<hierarchy a=\"中😀\"/>";
        for (mark, big) in [(true, false), (false, false), (true, true), (false, true)] {
            let mut bytes = Vec::new();
            let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
            for unit in units {
                bytes.extend(if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
            }
            assert_eq!(decode(&bytes, &mut Notes::default()), text, "mark {mark}, big endian {big}");
        }
    }

    #[test]
    fn escaping_and_unescaping_are_inverse() {
        let odd = "a<b>&\"'\n\r\t€";
        let mut out = String::new();
        escape_into(&mut out, odd);
        assert_eq!(unescape(&out), odd);
    }
}
