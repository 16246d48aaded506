//! The attributes of one element, from well-formed and from broken tags.

use super::encoding::unescape;
use crate::domain::Rect;

macro_rules! known {
    (texts: $($field:ident = $name:literal),*; flags: $($flag:ident = $flag_name:literal),* $(,)?) => {
        /// Values of the attributes a dump may carry, as written, in place; `None` where missing. Nothing is copied or
        /// resolved before somebody asks for it.
        #[derive(Debug, Default)]
        pub(super) struct Attributes<'t> {
            $(pub(super) $field: Option<&'t str>,)*
            $(pub(super) $flag: Option<bool>,)*
            bounds: Option<&'t str>,
            /// True when an attribute came twice; the first value that is not empty stands.
            pub(super) duplicated: bool,
        }

        const NAMES: &[&[u8]] = &[$($name,)* $($flag_name,)* b"bounds"];

        impl<'t> Attributes<'t> {
            /// Keeps a known attribute, ignores any other.
            #[inline]
            pub(super) fn set(&mut self, name: &[u8], value: &'t str) {
                match name {
                    $($name => self.duplicated |= keep(&mut self.$field, value),)*
                    $($flag_name => {
                        if self.$flag.is_some() {
                            self.duplicated = true;
                        } else {
                            self.$flag = flag(value);
                        }
                    })*
                    b"bounds" => self.duplicated |= keep(&mut self.bounds, value),
                    _ => {}
                }
            }
        }
    };
}

/// Keeps the first value that is not empty; true when there was one before.
#[inline]
fn keep<'t>(place: &mut Option<&'t str>, value: &'t str) -> bool {
    let again = place.is_some();
    if place.is_none_or(str::is_empty) {
        *place = Some(value);
    }
    again
}

impl<'t> Attributes<'t> {
    /// True for an element that says where it is.
    pub(super) fn has_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    /// `bounds` as written.
    pub(super) fn bounds_as_written(&self) -> &'t str {
        self.bounds.unwrap_or_default()
    }

    /// `bounds`, read.
    pub(super) fn bounds(&self) -> Option<Rect> {
        self.bounds.and_then(bounds)
    }
}

/// A value with its references resolved, empty where missing.
pub(super) fn text(value: Option<&str>) -> String {
    unescape(value.unwrap_or_default()).into_owned()
}

known! {
    texts: index = b"index", text = b"text", resource_id = b"resource-id", class = b"class", package = b"package",
    content_desc = b"content-desc", hint = b"hint", drawing_order = b"drawing-order", rotation = b"rotation",
    kind = b"type", title = b"title", layer = b"layer";
    flags: checkable = b"checkable", checked = b"checked", clickable = b"clickable", enabled = b"enabled",
    focusable = b"focusable", focused = b"focused", scrollable = b"scrollable", long_clickable = b"long-clickable",
    password = b"password", selected = b"selected", visible_to_user = b"visible-to-user", displayed = b"displayed",
    showing_hint = b"showing-hint", heading = b"heading", active = b"active",
}

#[inline]
fn flag(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        // Broken over terminal lines, or in another writer's capitals.
        _ => {
            let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
            compact.to_ascii_lowercase().parse().ok()
        }
    }
}

/// `[l,t][r,b]`; line breaks a terminal put in are ignored.
fn bounds(value: &str) -> Option<Rect> {
    plain_bounds(value.as_bytes()).or_else(|| Rect::parse(value)).or_else(|| {
        let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        Rect::parse(&compact)
    })
}

/// Four numbers between brackets and commas, as every device writes them.
fn plain_bounds(value: &[u8]) -> Option<Rect> {
    let mut at = 0;
    let mut edge = |before: &[u8]| {
        at += value[at..].starts_with(before).then_some(before.len())?;
        let negative = value.get(at) == Some(&b'-');
        at += usize::from(negative);
        let from = at;
        let mut number = 0;
        while let Some(digit) = value.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            // Nine digits always fit.
            if at - from >= 9 {
                return None;
            }
            number = number * 10 + i32::from(digit);
            at += 1;
        }
        (at > from).then_some(if negative { -number } else { number })
    };
    let edges = [edge(b"[")?, edge(b",")?, edge(b"][")?, edge(b",")?];
    (&value[at..] == b"]").then(|| Rect::from(edges))
}

/// Reads a tag (without its angle brackets) whose quotes cannot be trusted: a value runs from `name="` to the next
/// quote or the next known attribute, whichever comes first. Gives name, attributes and whether the tag closes itself.
pub(super) fn salvage(tag: &str) -> (&str, Attributes<'_>, bool) {
    let (tag, empty) = match tag.trim_end().strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    let name_end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let (name, rest) = tag.split_at(name_end);
    let mut marks: Vec<(usize, usize, &str)> = NAMES
        .iter()
        .filter_map(|known| {
            // The first occurrence only: a second one would be a duplicate or text.
            let known = std::str::from_utf8(known).ok()?;
            rest.match_indices(known).find_map(|(at, _)| {
                let before = rest[..at].chars().next_back().is_some_and(char::is_whitespace);
                let after = &rest[at + known.len()..];
                let value = after.strip_prefix("=\"").or_else(|| after.strip_prefix("='"))?;
                before.then_some((at, rest.len() - value.len(), known))
            })
        })
        .collect();
    marks.sort_unstable();
    let mut attributes = Attributes::default();
    for (position, &(_, from, known)) in marks.iter().enumerate() {
        let to = marks.get(position + 1).map_or(rest.len(), |next| next.0).max(from);
        let value = rest[from..to].trim_end();
        let quote = if rest[..from].ends_with('\'') { '\'' } else { '"' };
        let value = value.split(quote).next().unwrap_or_default();
        attributes.set(known.as_bytes(), value);
    }
    (name, attributes, empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swallowed_quote_costs_only_its_own_value() {
        let tag =
            "node index=\"0\" text=\"Zurück\u{fffd} resource-id=\"a:id/b\" clickable=\"true\" bounds=\"[1,2][3,4]\" /";
        let (name, attributes, empty) = salvage(tag);
        assert_eq!((name, empty), ("node", true));
        assert_eq!(attributes.text, Some("Zurück\u{fffd}"));
        assert_eq!(attributes.resource_id, Some("a:id/b"));
        assert_eq!(attributes.clickable, Some(true));
        assert_eq!(attributes.bounds(), Some(Rect::new(1, 2, 3, 4)));
    }

    #[test]
    fn of_a_duplicated_attribute_the_first_value_with_content_stands() {
        let mut attributes = Attributes::default();
        attributes.set(b"text", "");
        attributes.set(b"text", "Pay");
        attributes.set(b"text", "Later");
        assert_eq!(attributes.text, Some("Pay"));
        assert!(attributes.duplicated);
    }

    #[test]
    fn bounds_broken_over_terminal_lines_are_still_read() {
        let mut attributes = Attributes::default();
        attributes.set(b"bounds", "[0,0][10\n80,24 00]");
        assert_eq!(attributes.bounds(), Some(Rect::new(0, 0, 1080, 2400)));
    }
}
