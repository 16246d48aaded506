//! From the bytes of a dump to a [`UiTree`]; total: any input gives a tree and diagnostics.
//!
//! Read with quick-xml as a stream. Where a tag's quoting is broken (a console that swallowed a quote), the tag is
//! salvaged attribute by attribute and reading goes on behind it: in a dump `<` and `>` are always escaped inside
//! values (kxml2's serializer), so a tag ends at the next of them.

use super::UiTree;
use super::diagnostics::{Notes, excerpt};
use super::encoding::decode;
use super::tag::{Attributes, salvage};
use super::tree_builder::TreeBuilder;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

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
    ["<?xml", "<hierarchy", "<displays", "<node"].into_iter().filter_map(|mark| text.find(mark)).min().or_else(|| {
        let bytes = text.as_bytes();
        bytes.windows(2).position(|pair| pair[0] == b'<' && pair[1].is_ascii_alphabetic())
    })
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

fn read(text: &str, start: usize, builder: &mut TreeBuilder) {
    let mut base = start;
    for _ in 0..MAX_RESTARTS {
        match read_from(text, base, builder) {
            Some(resume) => base = resume,
            None => return,
        }
    }
    builder.notes.push(Some(base), "too many broken tags; the rest was read tag by tag");
    while let Some(at) = text[base..].find('<').map(|at| base + at) {
        if builder.is_full() {
            return;
        }
        base = salvage_at(text, at, builder);
    }
    builder.end_of_input(text.len());
}

/// Reads from `base` to the end, or to a broken tag: then gives where to go on.
fn read_from(text: &str, base: usize, builder: &mut TreeBuilder) -> Option<usize> {
    let mut reader = Reader::from_str(&text[base..]);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        if builder.is_full() {
            return None;
        }
        let at = base + reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                if !open(&tag, at, false, builder) {
                    return Some(salvage_at(text, at, builder));
                }
            }
            Ok(Event::Empty(tag)) => {
                if !open(&tag, at, true, builder) {
                    return Some(salvage_at(text, at, builder));
                }
            }
            Ok(Event::End(tag)) => builder.close(tag.name().into_inner(), at),
            Ok(Event::Text(content)) => {
                let content = content.into_inner();
                if !content.trim_matches(|c: char| c.is_whitespace() || c == '\0').is_empty() {
                    builder.stray_text(&content, at);
                }
            }
            Ok(Event::Eof) => {
                builder.end_of_input(at);
                return None;
            }
            Ok(_) => {}
            Err(error) => {
                // A quote that never closes swallows the rest; where a `>` follows, the tag itself is still there.
                if text[at..].contains('>') {
                    builder.notes.push(Some(at), format!("broken XML was stepped over: {error}"));
                    return Some(salvage_at(text, at, builder));
                }
                builder.notes.push(Some(at), "the dump ends inside a tag; that tag was left out");
                builder.end_of_input(text.len());
                return None;
            }
        }
    }
}

/// Opens an element; false when its quoting is broken and it must be salvaged.
fn open(tag: &BytesStart<'_>, at: usize, empty: bool, builder: &mut TreeBuilder) -> bool {
    let raw = tag.attributes_raw();
    if raw.contains('<') {
        return false;
    }
    let mut attributes = Attributes::default();
    for attribute in tag.attributes().with_checks(false) {
        match attribute {
            Ok(attribute) => attributes.set(attribute.key.into_inner(), &attribute.value),
            Err(_) => return false,
        }
    }
    builder.open(tag.name().into_inner(), attributes, empty, at);
    true
}

/// Reads the tag at `at` (a `<`) without trusting its quotes; gives where the next markup may start.
fn salvage_at(text: &str, at: usize, builder: &mut TreeBuilder) -> usize {
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
        builder.close(name.trim(), at);
    } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
        builder.notes.push(Some(at), format!("a tag with broken quotes was salvaged: {:?}", excerpt(tag, 60)));
        let (name, attributes, empty) = salvage(tag);
        builder.open(name, attributes, empty, at);
    }
    next
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
