//! `resources.arsc`: an app's texts as the system reads them (AOSP `ResourceTypes.h`).
//!
//! Only what makes texts is read: packages, their types `string`, `plurals` and `array`, and the languages of their
//! configurations. A file that was cut off or lies gives what could be read of it.

use super::chunk::{Bytes, Chunk, chunks};
use super::pool::Pool;
use super::{Locale, StringTable, StringsError};
use std::collections::{BTreeMap, BTreeSet};

const TABLE: u16 = 0x0002;
const PACKAGE: u16 = 0x0200;
const TYPE: u16 = 0x0201;
/// Kinds of values.
const REFERENCE: u8 = 0x01;
const STRING: u8 = 0x03;
/// Flags of an entry.
const COMPLEX: u16 = 0x0001;
const COMPACT: u16 = 0x0008;
/// Flags of a type.
const SPARSE: u8 = 0x01;
const OFFSET16: u8 = 0x02;
/// Most texts of a table that are read, and most items of one. Empty places of a configuration are no texts: the system's
/// own table has millions of them, and a list of 600 languages.
const MOST_ENTRIES: usize = 4_000_000;
const MOST_ITEMS: usize = 4096;

/// Reads a resource table.
pub fn read_resources(bytes: &[u8]) -> Result<StringTable, StringsError> {
    read_bounded(bytes, MOST_ENTRIES)
}

fn read_bounded(bytes: &[u8], most: usize) -> Result<StringTable, StringsError> {
    let damaged = StringsError::Damaged;
    let whole = chunks(Bytes(bytes), 0).find(|chunk| chunk.kind == TABLE).ok_or(damaged("it holds no table"))?;
    let inner = || chunks(whole.bytes, whole.header);
    let texts = inner().find(|chunk| chunk.kind == Pool::KIND).and_then(|chunk| Pool::of(&chunk));
    let texts = texts.ok_or(damaged("it holds no texts"))?;
    let mut reading =
        Reading { texts, table: StringTable::default(), left: most, seen: BTreeMap::new(), references: Vec::new() };
    for package in inner().filter(|chunk| chunk.kind == PACKAGE) {
        reading.package(&package);
    }
    reading.follow_references();
    Ok(reading.table)
}

/// A resource that is another one's text: its name, language and the other's id.
type Reference = (String, Locale, String, u32);

struct Reading<'b> {
    texts: Pool<'b>,
    table: StringTable,
    left: usize,
    /// Plain texts by resource id, as far as something may point at them.
    seen: BTreeMap<u32, Vec<(Locale, u32)>>,
    references: Vec<Reference>,
}

/// A type of which texts are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Plural,
    Array,
}

impl<'b> Reading<'b> {
    fn package(&mut self, package: &Chunk<'b>) {
        let (Some(id), Some(types), Some(names)) =
            (package.bytes.u32(8), package.bytes.size(268), package.bytes.size(276))
        else {
            return;
        };
        let pool = |at: usize| chunks(package.bytes, at).next().filter(|chunk| chunk.kind == Pool::KIND);
        let (Some(types), Some(names)) =
            (pool(types).and_then(|chunk| Pool::of(&chunk)), pool(names).and_then(|chunk| Pool::of(&chunk)))
        else {
            return;
        };
        for part in chunks(package.bytes, package.header).filter(|chunk| chunk.kind == TYPE) {
            let Some(number) = part.bytes.u8(8).filter(|number| *number > 0) else { continue };
            let kind = match types.text(u32::from(number) - 1).as_deref() {
                Some("string") => Kind::Text,
                Some("plurals") => Kind::Plural,
                Some("array") => Kind::Array,
                _ => continue,
            };
            let base = (id & 0xff) << 24 | u32::from(number) << 16;
            self.entries(&part, kind, base, &names);
        }
    }

    fn entries(&mut self, part: &Chunk<'b>, kind: Kind, base: u32, names: &Pool<'b>) -> Option<()> {
        let bytes = part.bytes;
        let (flags, count, start) = (bytes.u8(9)?, bytes.size(12)?, bytes.size(16)?);
        let locale = locale_of(bytes.from(20)?);
        for position in 0..count {
            let (entry, offset) = if flags & SPARSE != 0 {
                let at = part.header.checked_add(position.checked_mul(4)?)?;
                (u32::from(bytes.u16(at)?), usize::from(bytes.u16(at + 2)?) * 4)
            } else if flags & OFFSET16 != 0 {
                let at = part.header.checked_add(position.checked_mul(2)?)?;
                match bytes.u16(at)? {
                    u16::MAX => continue,
                    offset => (position as u32, usize::from(offset) * 4),
                }
            } else {
                let at = part.header.checked_add(position.checked_mul(4)?)?;
                match bytes.u32(at)? {
                    u32::MAX => continue,
                    offset => (position as u32, usize::try_from(offset).ok()?),
                }
            };
            self.take_one()?;
            let Some(entry_bytes) = start.checked_add(offset).and_then(|at| bytes.from(at)) else { continue };
            self.entry(entry_bytes, kind, base | entry & 0xffff, names, &locale);
        }
        Some(())
    }

    /// Counts one text; `None`, and a note in the table, when there were too many.
    fn take_one(&mut self) -> Option<()> {
        let Some(left) = self.left.checked_sub(1) else {
            self.table.cut();
            return None;
        };
        self.left = left;
        Some(())
    }

    fn entry(&mut self, bytes: Bytes<'b>, kind: Kind, id: u32, names: &Pool<'b>, locale: &Locale) -> Option<()> {
        let flags = bytes.u16(2)?;
        if flags & COMPACT != 0 {
            let name = names.text(u32::from(bytes.u16(0)?))?;
            return self.value(&name, "", id, locale, (flags >> 8) as u8, bytes.u32(4)?);
        }
        let name = names.text(bytes.u32(4)?)?;
        let size = usize::from(bytes.u16(0)?);
        if flags & COMPLEX == 0 {
            return self.value(&name, "", id, locale, bytes.u8(size + 3)?, bytes.u32(size + 4)?);
        }
        let items = bytes.size(12)?;
        if items > MOST_ITEMS {
            self.table.cut();
        }
        for item in 0..items.min(MOST_ITEMS) {
            self.take_one()?;
            let at = size.checked_add(item * 12)?;
            let form = match kind {
                Kind::Plural => quantity(bytes.u32(at)?)?.to_owned(),
                _ => item.to_string(),
            };
            let (value, data) = (bytes.u8(at + 7)?, bytes.u32(at + 8)?);
            self.value(&name, &form, id, locale, value, data);
        }
        Some(())
    }

    fn value(&mut self, name: &str, form: &str, id: u32, locale: &Locale, kind: u8, data: u32) -> Option<()> {
        match kind {
            STRING => {
                let Some(text) = self.texts.text(data) else {
                    // Too long, or not where the table says.
                    self.table.cut();
                    return None;
                };
                self.table.add_form(name, locale, form, &text);
                if form.is_empty() {
                    self.seen.entry(id).or_default().push((locale.clone(), data));
                }
            }
            REFERENCE => self.references.push((name.to_owned(), locale.clone(), form.to_owned(), data)),
            _ => {}
        }
        Some(())
    }

    /// `@string/other` has the other's texts, in every language it has.
    fn follow_references(&mut self) {
        for (name, locale, form, id) in std::mem::take(&mut self.references) {
            let Some(texts) = self.seen.get(&id) else { continue };
            let once: BTreeSet<(Locale, u32)> = texts.iter().cloned().collect();
            for (known, data) in once {
                if (known == locale || locale.is_unnamed())
                    && let Some(text) = self.texts.text(data)
                {
                    self.table.add_form(&name, &known, &form, &text);
                }
            }
        }
    }
}

/// The language of a `ResTable_config`.
fn locale_of(config: Bytes<'_>) -> Locale {
    let size = config.size(0).unwrap_or_default();
    let two = |at: usize, base: u8| -> String {
        let Some(&[first, second]) = config.slice(at, 2).and_then(|pair| <&[u8; 2]>::try_from(pair).ok()) else {
            return String::new();
        };
        let letters = if first & 0x80 == 0 {
            vec![first, second]
        } else {
            // Three letters of five bits each.
            let packed = [second & 0x1f, (second & 0xe0) >> 5 | (first & 0x03) << 3, (first & 0x7c) >> 2];
            packed.iter().map(|letter| letter.saturating_add(base)).collect()
        };
        letters.into_iter().filter(u8::is_ascii_alphanumeric).map(char::from).collect()
    };
    let (language, region) = (two(8, b'a'), two(10, b'0'));
    let script: String = config
        .slice(36, 4)
        .filter(|_| size >= 40)
        .map(|script| script.iter().copied().filter(u8::is_ascii_alphabetic).map(char::from).collect())
        .unwrap_or_default();
    let parts = [language, script, region];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    Locale::parse(&parts.join("-"))
}

/// The grammatical number that an item of a plural is for (`ResTable_map::ATTR_ZERO` and others).
fn quantity(name: u32) -> Option<&'static str> {
    Some(match name {
        0x0100_0004 => "other",
        0x0100_0005 => "zero",
        0x0100_0006 => "one",
        0x0100_0007 => "two",
        0x0100_0008 => "few",
        0x0100_0009 => "many",
        _ => return None,
    })
}

#[cfg(test)]
#[path = "arsc_tests.rs"]
mod tests;
