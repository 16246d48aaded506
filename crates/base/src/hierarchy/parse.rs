//! From the bytes of a dump to a [`UiTree`]; total: any input gives a tree and diagnostics.
//!
//! Read as a stream. Tags as every device writes them are taken straight from the text (`scan`); from the first thing
//! that is not quite like that, quick-xml reads on. Where a tag's quoting is broken (a console that swallowed a quote),
//! the tag is salvaged attribute by attribute and reading goes on behind it: in a dump `<` and `>` are always escaped
//! inside values (kxml2's serializer), so a tag ends at the next of them.

use super::UiTree;
use super::diagnostics::{Notes, excerpt};
use super::encoding::decode;
use super::scan::{Piece, scan};
use super::tag::{Attributes, salvage};
use super::tree_builder::TreeBuilder;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// What takes the elements of a dump as they come. `at` is where in the text.
pub(super) trait Sink {
    /// True once nothing more will be taken.
    fn is_full(&self) -> bool;
    fn open(&mut self, name: &str, attributes: Attributes<'_>, empty: bool, at: usize);
    fn close(&mut self, name: &str, at: usize);
    /// Text between tags: nothing in a dump, noise around it.
    fn stray_text(&mut self, text: &str, at: usize);
    fn end_of_input(&mut self, at: usize);
    /// Something odd about the markup.
    fn note(&mut self, at: usize, message: String);
}

/// How often the reader is started anew behind a broken tag before the rest is read by salvage alone.
const MAX_RESTARTS: usize = 64;

/// Parses a dump: the ordinary `<hierarchy>` form, `<node>` roots, `--windows` (`<displays>`), uiautomator2 and
/// Appium's class-name tags; in UTF-8 or UTF-16, with noise before and after it. Never panics, never fails: what is
/// whole is kept, and [`UiTree::diagnostics`] says what was odd.
pub fn parse(bytes: &[u8]) -> UiTree {
    let mut notes = Notes::default();
    let text = decode(bytes, &mut notes);
    let Some(start) = find_start(&text) else {
        notes.push(None, describe_missing(&text));
        return UiTree { diagnostics: notes.into_vec(), ..UiTree::default() };
    };
    if !text[..start].trim().is_empty() {
        notes.push(Some(0), format!("text before the hierarchy was left out: {:?}", excerpt(&text[..start], 80)));
    }
    let mut builder = TreeBuilder::new(notes);
    read(&text, start, &mut builder);
    builder.finish()
}

/// Where the XML begins: at a declaration or a known root, else at the first tag of any name.
fn find_start(text: &str) -> Option<usize> {
    const MARKS: [&[u8]; 4] = [b"<?xml", b"<hierarchy", b"<displays", b"<node"];
    let bytes = text.as_bytes();
    let tags = || memchr::memchr_iter(b'<', bytes);
    tags()
        .find(|&at| MARKS.iter().any(|mark| bytes[at..].starts_with(mark)))
        .or_else(|| tags().find(|&at| bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)))
}

fn describe_missing(text: &str) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if text.is_empty() {
        "the dump is empty".to_owned()
    } else if let Some(at) = text.find("ERROR:") {
        format!("the device wrote an error in place of a hierarchy: {}", excerpt(&text[at..], 200))
    } else {
        format!("no hierarchy in the dump, it says: {:?}", excerpt(text, 200))
    }
}

/// Gives every element of `bytes` to `sink`; nothing where there is no markup at all.
pub(super) fn read_into(bytes: &[u8], sink: &mut impl Sink) {
    let text = decode(bytes, &mut Notes::default());
    if let Some(start) = find_start(&text) {
        read(&text, start, sink);
    }
}

fn read(text: &str, start: usize, sink: &mut impl Sink) {
    let Some(mut base) = read_plain(text, start, sink) else { return };
    for _ in 0..MAX_RESTARTS {
        match read_from(text, base, sink) {
            Some(resume) => base = resume,
            None => return,
        }
    }
    sink.note(base, "too many broken tags; the rest was read tag by tag".to_owned());
    while let Some(at) = text[base..].find('<').map(|at| base + at) {
        if sink.is_full() {
            return;
        }
        base = salvage_at(text, at, sink);
    }
    sink.end_of_input(text.len());
}

/// Reads while the text is as a device writes it; gives where it stops being so.
fn read_plain(text: &str, start: usize, sink: &mut impl Sink) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        if sink.is_full() {
            return None;
        }
        let tag = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if tag == bytes.len() {
            sink.end_of_input(tag);
            return None;
        }
        match scan(text, tag) {
            Some((Piece::Open { name, attributes, empty }, end)) => {
                sink.open(name, attributes, empty, tag);
                at = end;
            }
            Some((Piece::Close(name), end)) => {
                sink.close(name, tag);
                at = end;
            }
            Some((Piece::Declaration, end)) => at = end,
            None => return Some(at),
        }
    }
}

/// Reads from `base` to the end, or to a broken tag: then gives where to go on.
fn read_from(text: &str, base: usize, sink: &mut impl Sink) -> Option<usize> {
    let mut reader = Reader::from_str(&text[base..]);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        if sink.is_full() {
            return None;
        }
        let at = base + reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                if !open(&tag, at, false, sink) {
                    return Some(salvage_at(text, at, sink));
                }
            }
            Ok(Event::Empty(tag)) => {
                if !open(&tag, at, true, sink) {
                    return Some(salvage_at(text, at, sink));
                }
            }
            Ok(Event::End(tag)) => sink.close(tag.name().into_inner(), at),
            Ok(Event::Text(content)) => {
                let content = content.into_inner();
                if !content.trim_matches(|c: char| c.is_whitespace() || c == '\0').is_empty() {
                    sink.stray_text(&content, at);
                }
            }
            Ok(Event::Eof) => {
                sink.end_of_input(at);
                return None;
            }
            Ok(_) => {}
            Err(error) => {
                // A quote that never closes swallows the rest; where a `>` follows, the tag itself is still there.
                if text[at..].contains('>') {
                    sink.note(at, format!("broken XML was stepped over: {error}"));
                    return Some(salvage_at(text, at, sink));
                }
                sink.note(at, "the dump ends inside a tag; that tag was left out".to_owned());
                sink.end_of_input(text.len());
                return None;
            }
        }
    }
}

/// Opens an element; false when its quoting is broken and it must be salvaged.
fn open(tag: &BytesStart<'_>, at: usize, empty: bool, sink: &mut impl Sink) -> bool {
    let raw = tag.attributes_raw();
    if raw.contains('<') {
        return false;
    }
    let mut attributes = Attributes::default();
    for attribute in tag.attributes().with_checks(false) {
        match attribute {
            Ok(attribute) => match attribute.value {
                Cow::Borrowed(value) => attributes.set(attribute.key.into_inner().as_bytes(), value),
                Cow::Owned(_) => return false,
            },
            Err(_) => return false,
        }
    }
    sink.open(tag.name().into_inner(), attributes, empty, at);
    true
}

/// Reads the tag at `at` (a `<`) without trusting its quotes; gives where the next markup may start.
fn salvage_at(text: &str, at: usize, sink: &mut impl Sink) -> usize {
    let mut inside_from = at;
    if text[at..].starts_with('<') {
        inside_from += 1;
    }
    let inside = &text[inside_from..];
    let Some(length) = inside.find(['<', '>']) else {
        return text.len();
    };
    let closed = inside.as_bytes()[length] == b'>';
    let next = inside_from + length + usize::from(closed);
    let tag = &inside[..length];
    if let Some(name) = tag.strip_prefix('/') {
        sink.close(name.trim(), at);
    } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
        sink.note(at, format!("a tag with broken quotes was salvaged: {:?}", excerpt(tag, 60)));
        let (name, attributes, empty) = salvage(tag);
        sink.open(name, attributes, empty, at);
    }
    next
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
