//! The attributes of one element, from well-formed and from broken tags.

use super::encoding::unescape;
use crate::domain::Rect;

macro_rules! known {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// Values of the attributes a dump may carry, as written but unescaped; `None` where missing.
        #[derive(Debug, Default)]
        pub(super) struct Attributes {
            $(pub(super) $field: Option<String>,)*
            /// `bounds`, read.
            pub(super) bounds: Option<Rect>,
            /// True when an attribute came twice; the first value that is not empty stands.
            pub(super) duplicated: bool,
        }

        const NAMES: &[&str] = &[$($name,)* "bounds"];

        impl Attributes {
            /// Keeps a known attribute, ignores any other.
            pub(super) fn set(&mut self, name: &str, value: &str) {
                match name {
                    $($name => {
                        if self.$field.is_some() {
                            self.duplicated = true;
                        }
                        if self.$field.as_deref().is_none_or(str::is_empty) {
                            self.$field = Some(unescape(value).into_owned());
                        }
                    })*
                    "bounds" => {
                        if self.bounds.is_some() {
                            self.duplicated = true;
                        } else {
                            self.bounds = bounds(value);
                        }
                    }
                    _ => {}
                }
            }
        }
    };
}

known! {
    index = "index", text = "text", resource_id = "resource-id", class = "class", package = "package",
    content_desc = "content-desc", hint = "hint", checkable = "checkable", checked = "checked",
    clickable = "clickable", enabled = "enabled", focusable = "focusable", focused = "focused",
    scrollable = "scrollable", long_clickable = "long-clickable", password = "password", selected = "selected",
    drawing_order = "drawing-order", visible_to_user = "visible-to-user", displayed = "displayed",
    showing_hint = "showing-hint", heading = "heading", rotation = "rotation", id = "id", kind = "type",
    title = "title", layer = "layer", active = "active",
}

/// `[l,t][r,b]`; line breaks a terminal put in are ignored.
fn bounds(value: &str) -> Option<Rect> {
    Rect::parse(value).or_else(|| {
        let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        Rect::parse(&compact)
    })
}

/// Reads a tag (without its angle brackets) whose quotes cannot be trusted: a value runs from `name="` to the next
/// quote or the next known attribute, whichever comes first. Gives name, attributes and whether the tag closes itself.
pub(super) fn salvage(tag: &str) -> (&str, Attributes, bool) {
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
            rest.match_indices(known).find_map(|(at, _)| {
                let before = rest[..at].chars().next_back().is_some_and(char::is_whitespace);
                let after = &rest[at + known.len()..];
                let value = after.strip_prefix("=\"").or_else(|| after.strip_prefix("='"))?;
                before.then_some((at, rest.len() - value.len(), *known))
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
        attributes.set(known, value);
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
        assert_eq!(attributes.text.as_deref(), Some("Zurück\u{fffd}"));
        assert_eq!(attributes.resource_id.as_deref(), Some("a:id/b"));
        assert_eq!(attributes.clickable.as_deref(), Some("true"));
        assert_eq!(attributes.bounds, Some(Rect::new(1, 2, 3, 4)));
    }

    #[test]
    fn of_a_duplicated_attribute_the_first_value_with_content_stands() {
        let mut attributes = Attributes::default();
        attributes.set("text", "");
        attributes.set("text", "Pay");
        attributes.set("text", "Later");
        assert_eq!(attributes.text.as_deref(), Some("Pay"));
        assert!(attributes.duplicated);
    }

    #[test]
    fn bounds_broken_over_terminal_lines_are_still_read() {
        let mut attributes = Attributes::default();
        attributes.set("bounds", "[0,0][10\n80,24 00]");
        assert_eq!(attributes.bounds, Some(Rect::new(0, 0, 1080, 2400)));
    }
}
