//! The agent passes the bundled cases because its ranking chooses, not because it knows the apps: what the apps say
//! must not occur in the sources that choose.

use crate::finding::Finding;
use crate::source::{is_in, line_of};
use serde_json::Value;
use std::collections::BTreeSet;

/// Rooms that must not know any app.
const IGNORANT: &[&str] = &["src/agent", "src/ranking", "src/case"];

/// Words that hold any English sentence together. A text of only these (" and the " between two links) says nothing.
const JOINING: &[&str] =
    &["a", "an", "and", "by", "for", "from", "if", "in", "is", "of", "on", "or", "the", "to", "with"];

/// True for a source that must not know any app.
pub(crate) fn must_not_know(path: &str) -> bool {
    IGNORANT.iter().any(|room| is_in(path, room))
}

/// Package names, and every text of at least two words in the app files: on a screen, in the state or in an expression.
/// Lower case.
pub(crate) fn collect(apps: &[(String, String)]) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for (path, app) in apps {
        let app: Value = serde_saphyr::from_str(app).unwrap_or_else(|error| panic!("{path}: {error}"));
        walk(&app, &mut texts);
    }
    texts
}

/// Adds the texts among a value's own values; keys are words of the format.
fn walk(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => texts.extend(pieces(text)),
        Value::Array(values) => values.iter().for_each(|value| walk(value, texts)),
        Value::Object(entries) => entries.values().for_each(|value| walk(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The parts of a text between its `{{ expressions }}`.
fn pieces(text: &str) -> Vec<String> {
    let outside = text.split("{{").enumerate().map(|(at, part)| match part.split_once("}}") {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    });
    outside
        .map(|part| part.trim_matches(|c: char| c == '"' || c == '\'' || c.is_whitespace()).to_lowercase())
        .filter(|part| is_package(part) || says_something(part))
        .collect()
}

fn is_package(text: &str) -> bool {
    text.split('.').count() >= 3
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
}

fn says_something(text: &str) -> bool {
    let words: Vec<_> = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    words.len() >= 2 && words.iter().any(|word| !JOINING.contains(word))
}

/// The app texts that a file names.
pub(crate) fn named(path: &str, text: &str, texts: &BTreeSet<String>) -> Vec<Finding> {
    let lower = text.to_lowercase();
    let finding = |app_text: &String| {
        let offset = lower.match_indices(app_text.as_str()).map(|(offset, _)| offset).find(|offset| {
            let end = offset + app_text.len();
            let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !touches(lower[..*offset].chars().next_back()) && !touches(lower[end..].chars().next())
        })?;
        Some(Finding {
            rule: "app text",
            path: path.to_owned(),
            line: line_of(&lower, offset),
            message: format!("{app_text:?} is a text of a bundled app: choose by meaning, not by rules about one app"),
        })
    };
    texts.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> BTreeSet<String> {
        let app = "package: com.example.pay\nversion: \"8.2.1\"\nstate:\n  banks:\n    - {name: Evergreen Bank, color: '#2e7d32'}\n  \
                   jobs: [Teacher, Civil servant]\nscreens:\n  - title: Add bank card\n    body:\n      - button: {id: ok, \
                   text: \"Agree and continue\", style: x}\n      - text: Next\n      - label: 4 242\n      \
                   - text: \" and the \"\n      - text: \"{{ n }} cards of {{ name }}\" # a comment of words\n";
        collect(&[("tests/suites/a/apps/pay.yaml".into(), app.into())])
    }

    #[test]
    fn packages_and_texts_of_two_words_are_collected() {
        let expected =
            ["add bank card", "agree and continue", "cards of", "civil servant", "com.example.pay", "evergreen bank"];
        assert_eq!(texts().into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_source_that_names_an_apps_text_is_found() {
        let source = "fn f(label: &str) -> bool {\n    label == \"Agree and Continue\"\n}";
        let found = named("src/ranking/score.rs", source, &texts());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
        assert_eq!(named("skills/click.toml", "package = \"com.example.pay\"", &texts()).len(), 1);
        assert!(named("src/ranking/score.rs", "let x = \"Disagree and continued\";", &texts()).is_empty());
    }

    #[test]
    fn only_the_rooms_that_choose_are_held_to_it() {
        assert!(must_not_know("src/agent/mod.rs") && must_not_know("src/case/load.rs"));
        assert!(!must_not_know("src/virtual_device/mod.rs"));
    }
}
