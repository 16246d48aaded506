//! Reading one tag straight from the text, in one pass and without a copy, where it is written as every device writes it.

use super::tag::Attributes;
use memchr::{memchr, memmem};

/// One piece of markup.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack; a box would be an allocation a tag")]
pub(super) enum Piece<'t> {
    /// `<name …>` or, when `empty`, `<name …/>`.
    Open { name: &'t str, attributes: Attributes<'t>, empty: bool },
    /// `</name>`.
    Close(&'t str),
    /// `<?xml …?>`.
    Declaration,
}

/// The piece that starts at `at`, and where it ends. `None` for everything that is not plainly one of the three: names of
/// ASCII letters, values in quotes without a `<`, white space only between attributes. The general reader decides then.
pub(super) fn scan(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'<') {
        return None;
    }
    let from = at + 1;
    match bytes.get(from)? {
        b'/' => {
            let end = name_end(bytes, from + 1)?;
            (bytes[end] == b'>').then(|| (Piece::Close(&text[from + 1..end]), end + 1))
        }
        b'?' => {
            let end = from + memmem::find(&bytes[from..], b"?>")?;
            memchr(b'<', &bytes[from..end]).is_none().then_some((Piece::Declaration, end + 2))
        }
        _ => open(text, from),
    }
}

fn open(text: &str, from: usize) -> Option<(Piece<'_>, usize)> {
    let bytes = text.as_bytes();
    let mut at = name_end(bytes, from)?;
    let name = &text[from..at];
    let mut attributes = Attributes::default();
    let (empty, end) = loop {
        let before = at;
        while bytes.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        match bytes.get(at)? {
            b'>' => break (false, at + 1),
            b'/' if bytes.get(at + 1) == Some(&b'>') => break (true, at + 2),
            _ if at == before => return None,
            _ => {}
        }
        let equals = name_end(bytes, at)?;
        let key = &bytes[at..equals];
        let quote = *bytes.get(equals + 1)?;
        if bytes[equals] != b'=' || !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let value = equals + 2;
        let length = find_quote(&bytes[value..], quote)?;
        attributes.set(key, &text[value..value + length]);
        at = value + length + 1;
    };
    // A value that never closed would have run into the next tag.
    memchr(b'<', &bytes[from..end]).is_none().then_some((Piece::Open { name, attributes, empty }, end))
}

/// Letters, digits and what else names are made of.
const PART: [bool; 256] = {
    let mut part = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        part[byte] = c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_' | b'$');
        byte += 1;
    }
    part
};

/// Where the name that starts at `from` ends, within the text; a name starts with a letter.
#[inline]
fn name_end(bytes: &[u8], from: usize) -> Option<usize> {
    let length = bytes.get(from..)?.iter().position(|&byte| !PART[usize::from(byte)])?;
    bytes[from].is_ascii_alphabetic().then_some(from + length)
}

/// Where `quote` is next. Most values are short, so the first words are looked at in place, eight bytes at a time.
#[inline]
fn find_quote(bytes: &[u8], quote: u8) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let mut at = 0;
    for word in bytes.chunks_exact(8).take(4) {
        // A byte that is zero here is the quote; the lowest such byte is marked rightly (Mycroft's test).
        let differs = u64::from_le_bytes(word.try_into().ok()?) ^ (ONES * u64::from(quote));
        let marks = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr(quote, &bytes[at..]).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rect;

    #[test]
    fn a_plain_tag_is_read_in_place() {
        let text = "<node text='a &gt; \"b\"' clickable=\"true\"\n new-thing=\"1\" bounds=\"[0,-1][2,3]\" /><x>";
        let Some((Piece::Open { name, attributes, empty }, end)) = scan(text, 0) else { panic!("not read") };
        assert_eq!((name, empty, &text[end..]), ("node", true, "<x>"));
        assert_eq!((attributes.text, attributes.clickable), (Some("a &gt; \"b\""), Some(true)));
        assert_eq!(attributes.bounds(), Some(Rect::new(0, -1, 2, 3)));
        assert!(matches!(scan("</a.b$c>", 0), Some((Piece::Close("a.b$c"), 8))));
        assert!(matches!(scan("<?xml version='1.0'?><a>", 0), Some((Piece::Declaration, 21))));
    }

    #[test]
    fn a_quote_is_found_wherever_it_stands() {
        for length in 0..70 {
            let value = format!("{}{}\"\"rest", "\u{e9}".repeat(length / 2), "!".repeat(length % 2));
            assert_eq!(find_quote(value.as_bytes(), b'"'), Some(length));
            assert_eq!(find_quote(value.as_bytes(), b'\''), None);
        }
    }

    #[test]
    fn whatever_is_not_plain_is_left_to_the_general_reader() {
        for odd in [
            "",
            "x",
            "<",
            "</",
            "<node",
            "<node a",
            "<node a=",
            "<node a=b>",
            "<node a=\"b>",
            "<node a=\"<\">",
            "<node a=\"b\"c=\"d\">",
            "<node a =\"b\">",
            "<!-- -->",
            "<é>",
            "<1>",
            "</a >",
            "<?xml <a>?>",
            "<node / >",
            "<node a>",
        ] {
            assert!(scan(odd, 0).is_none(), "{odd}");
        }
    }
}
