//! Resource tables as aapt2 writes them, for tests.

use super::Locale;

fn chunk(kind: u16, header: &[u8], body: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend(((8 + header.len()) as u16).to_le_bytes());
    out.extend(((8 + header.len() + body.len()) as u32).to_le_bytes());
    out.extend(header);
    out.extend(body);
    out
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A pool in UTF-8 or UTF-16.
fn pool(texts: &[&str], utf8: bool) -> Vec<u8> {
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    for text in texts {
        offsets.push(data.len() as u32);
        if utf8 {
            let length = |length: usize| match length {
                0..0x80 => vec![length as u8],
                _ => vec![(length >> 8) as u8 | 0x80, length as u8],
            };
            data.extend(length(text.encode_utf16().count()));
            data.extend(length(text.len()));
            data.extend(text.bytes().chain([0]));
        } else {
            data.extend((text.encode_utf16().count() as u16).to_le_bytes());
            data.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        }
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let flags = if utf8 { 1 << 8 } else { 0 };
    let start = 28 + 4 * texts.len() as u32;
    let header = numbers(&[texts.len() as u32, 0, flags, start, 0]);
    chunk(0x0001, &header, &[numbers(&offsets), data].concat())
}

fn config(tag: &str) -> Vec<u8> {
    let locale = Locale::parse(tag).to_string();
    let mut out = vec![0; 64];
    out[0] = 64;
    for (at, part) in locale.split('-').enumerate().filter(|_| !tag.is_empty()) {
        let place = match (at, part.len()) {
            (0, 3) => {
                let [a, b, c] = [0, 1, 2].map(|at| part.as_bytes()[at] - b'a');
                out[8] = 0x80 | c << 2 | b >> 3;
                out[9] = b << 5 | a;
                continue;
            }
            (0, _) => 8,
            (_, 4) => 36,
            _ => 10,
        };
        out[place..place + part.len()].copy_from_slice(part.as_bytes());
    }
    out
}

/// How entries are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Plain,
    Sparse,
    Short,
    Compact,
}

/// Texts by name, language and text.
pub(super) fn sample(texts: &[(&str, &str, &str)]) -> Vec<u8> {
    sample_in(texts, Layout::Plain, true)
}

/// Texts, and plurals where the name is `plural:name:0x01000006` (the quantity), laid out as said.
pub(super) fn sample_in(texts: &[(&str, &str, &str)], layout: Layout, utf8: bool) -> Vec<u8> {
    let split = |name: &str| -> (bool, String, u32) {
        match name.split(':').collect::<Vec<_>>().as_slice() {
            ["plural", name, quantity] => (true, (*name).to_owned(), u32::from_str_radix(quantity, 16).unwrap()),
            _ => (false, name.to_owned(), 0),
        }
    };
    let mut names: Vec<String> = texts.iter().map(|(name, _, _)| split(name).1).collect();
    names.sort();
    names.dedup();
    let key = |name: &str| names.iter().position(|known| known == name).unwrap();
    let mut types = Vec::new();
    let mut tags: Vec<(bool, &str)> = texts.iter().map(|(name, tag, _)| (split(name).0, *tag)).collect();
    tags.sort_unstable();
    tags.dedup();
    for (plural, tag) in tags {
        let mut offsets = vec![u32::MAX; names.len()];
        let mut entries = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let own: Vec<(u32, u32)> = (0..texts.len())
                .filter(|&text| {
                    texts[text].1 == tag && split(texts[text].0).0 == plural && split(texts[text].0).1 == *name
                })
                .map(|text| (split(texts[text].0).2, text as u32))
                .collect();
            let Some(&(_, text)) = own.first() else { continue };
            offsets[at] = entries.len() as u32;
            if plural {
                entries.extend([16, 0, 1, 0]);
                entries.extend(numbers(&[key(name) as u32, 0, own.len() as u32]));
                for (quantity, text) in own {
                    entries.extend(numbers(&[quantity, 0x0300_0008, text]));
                }
            } else if layout == Layout::Compact {
                entries.extend((key(name) as u16).to_le_bytes());
                entries.extend(0x0308_u16.to_le_bytes());
                entries.extend(numbers(&[text]));
            } else {
                entries.extend([8, 0, 0, 0]);
                entries.extend(numbers(&[key(name) as u32, 0x0300_0008, text]));
            }
        }
        let (flags, count, table) = match layout {
            Layout::Plain | Layout::Compact => (0, offsets.len(), numbers(&offsets)),
            Layout::Short => {
                let short = |offset: &u32| if *offset == u32::MAX { u16::MAX } else { (*offset / 4) as u16 };
                let mut short: Vec<u8> = offsets.iter().flat_map(|offset| short(offset).to_le_bytes()).collect();
                short.resize(short.len().next_multiple_of(4), 0);
                (2, offsets.len(), short)
            }
            Layout::Sparse => {
                let there: Vec<(usize, u32)> =
                    offsets.iter().copied().enumerate().filter(|(_, offset)| *offset != u32::MAX).collect();
                let pair = |(at, offset): &(usize, u32)| (*offset / 4) << 16 | *at as u32;
                (1, there.len(), numbers(&there.iter().map(pair).collect::<Vec<_>>()))
            }
        };
        let start = (20 + 64 + table.len()) as u32;
        let mut header = vec![if plural { 2 } else { 1 }, flags, 0, 0];
        header.extend(numbers(&[count as u32, start]));
        header.extend(config(tag));
        types.extend(chunk(0x0201, &header, &[table, entries].concat()));
    }
    let type_names = pool(&["string", "plurals", "array"], utf8);
    let keys = pool(&names.iter().map(String::as_str).collect::<Vec<_>>(), utf8);
    let mut header = numbers(&[0x7f]);
    header.resize(4 + 256, 0);
    let first = 8 + header.len() as u32 + 20;
    header.extend(numbers(&[first, 0, first + type_names.len() as u32, 0, 0]));
    let package = chunk(0x0200, &header, &[type_names, keys, types].concat());
    let values = pool(&texts.iter().map(|(_, _, text)| *text).collect::<Vec<_>>(), utf8);
    chunk(0x0002, &numbers(&[1]), &[values, package].concat())
}
