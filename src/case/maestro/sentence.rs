//! What a flow's selectors and texts are in a sentence.

use serde_json::Value;

/// Keys of a selector that change nothing a person would say.
const SILENT: [&str; 5] = ["retryTapIfNoChange", "waitToSettleTimeoutMs", "label", "timeout", "waitUntilVisible"];

/// Something on the screen, as a sentence names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// `"Log in"`, `the second "Log in"`, `the login button`.
    pub(super) words: String,
    /// The text itself, where it is named by one.
    pub(super) text: Option<String>,
    /// States it must have: `checked`, `enabled`, `selected`.
    pub(super) states: Vec<(String, bool)>,
}

/// Reads a selector: a text, or a map of text, id, index and states.
pub(super) fn named(value: &Value) -> Result<Named, String> {
    let map = match value {
        Value::String(text) => return plain(text).map(|text| by_text(text, None)),
        Value::Number(_) | Value::Bool(_) => return Ok(by_text(value.to_string(), None)),
        Value::Object(map) => map,
        other => return Err(format!("{other} selects nothing: expected a text, or text, id and index")),
    };
    let mut states = Vec::new();
    let (mut text, mut id, mut index) = (None, None, None);
    for (key, value) in map {
        match (key.as_str(), value) {
            ("text", Value::String(given)) => text = Some(plain(given)?),
            ("id", Value::String(given)) => id = Some(id_words(given)?),
            ("index", given) => {
                let number = given.as_u64().or_else(|| given.as_str().and_then(|text| text.parse().ok()));
                index = Some(number.ok_or_else(|| format!("index {given} is no number"))?);
            }
            ("checked" | "enabled" | "selected", Value::Bool(is)) => states.push((key.clone(), *is)),
            ("optional", Value::Bool(true)) => {
                return Err("what need not be there has no counterpart here".to_owned());
            }
            ("optional", Value::Bool(false)) => {}
            (silent, _) if SILENT.contains(&silent) => {}
            ("point", _) => {
                return Err("a place on the display has no counterpart: name what is there".to_owned());
            }
            (other, _) => return Err(format!("{other:?} has no counterpart: name the widget by its text or id")),
        }
    }
    let mut found = match (text, id) {
        (Some(text), _) => by_text(text, index),
        (None, Some(id)) => Named { words: format!("the {}{id}", ordinal(index)), text: None, states: Vec::new() },
        (None, None) => return Err("it names neither text nor id".to_owned()),
    };
    found.states = states;
    Ok(found)
}

fn by_text(text: String, index: Option<u64>) -> Named {
    let quoted = quoted(&text);
    let words = match index {
        Some(_) => format!("the {}{quoted}", ordinal(index)),
        None => quoted,
    };
    Named { words, text: Some(text), states: Vec::new() }
}

/// A text in quotation marks; its own become single ones.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'"))
}

/// Which of several, from 0; nothing for the first.
fn ordinal(index: Option<u64>) -> String {
    const NAMES: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    match index {
        None | Some(0) => String::new(),
        Some(index) => match usize::try_from(index).ok().and_then(|index| NAMES.get(index)) {
            Some(name) => format!("{name} "),
            None => format!("{}th ", index + 1),
        },
    }
}

/// The words of an id: `com.a:id/btn_login` is "btn login".
fn id_words(id: &str) -> Result<String, String> {
    let id = plain(id)?;
    let name = id.rsplit(['/', ':']).next().unwrap_or_default();
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            '_' | '-' | '.' => words.push(' '),
            letter if letter.is_uppercase() => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            letter => words.push(letter),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() { Err(format!("the id {id:?} has no words")) } else { Ok(words) }
}

/// The text a pattern stands for, where it is one text with anything around it; texts of flows are regular expressions.
pub(super) fn plain(pattern: &str) -> Result<String, String> {
    let inner = pattern.strip_prefix(".*").unwrap_or(pattern);
    let inner = inner.strip_suffix(".*").unwrap_or(inner);
    let mut text = String::new();
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(escaped) if !escaped.is_alphanumeric() => text.push(escaped),
                Some(class) => {
                    return Err(format!("the pattern {pattern:?} holds `\\{class}`, which no text stands for"));
                }
                None => return Err(format!("the pattern {pattern:?} ends with a backslash")),
            },
            '*' | '+' | '|' | '[' | ']' | '^' => {
                return Err(format!("the pattern {pattern:?} stands for many texts: write the one that is meant"));
            }
            '.' if matches!(letters.peek(), Some('*' | '+' | '?')) => {
                return Err(format!("the pattern {pattern:?} stands for many texts: write the one that is meant"));
            }
            letter => text.push(letter),
        }
    }
    if text.trim().is_empty() { Err(format!("the pattern {pattern:?} names no text")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn selectors_are_named_as_a_person_would() {
        for (selector, expected) in [
            (json!("Log in"), Ok("\"Log in\"")),
            (json!(7), Ok("\"7\"")),
            (json!({"text": "Log in", "index": 1}), Ok("the second \"Log in\"")),
            (json!({"text": "Log in", "index": "0"}), Ok("the \"Log in\"")),
            (json!({"id": "com.a:id/btn_login"}), Ok("the btn login")),
            (json!({"id": "loginButton"}), Ok("the login button")),
            (json!("Say \"yes\""), Ok("\"Say 'yes'\"")),
            (json!(".*5\\.00 \\(net\\).*"), Ok("\"5.00 (net)\"")),
            (json!({"text": "X", "optional": true}), Err("need not be there")),
            (json!({"point": "50%,50%"}), Err("place on the display")),
            (json!({"text": "X", "below": "Y"}), Err("\"below\" has no counterpart")),
            (json!("Total: \\d+"), Err("no text stands for")),
            (json!("Yes|No"), Err("many texts")),
            (json!(".*"), Err("names no text")),
            (json!({}), Err("neither text nor id")),
        ] {
            let found = named(&selector).map(|named| named.words);
            match expected {
                Ok(words) => assert_eq!(found.as_deref(), Ok(words), "{selector}"),
                Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{selector}: {found:?}"),
            }
        }
    }
}
