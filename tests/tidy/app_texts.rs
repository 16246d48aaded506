//! The agent passes the bundled cases because its ranking chooses, not because it knows the apps: what the apps say
//! must not occur in the sources that choose, nor in the word lists and weights they read.
//!
//! In code any text of two words counts: code has no business with what a screen says. Word lists are made of ordinary
//! language, and so are the apps ("Not now", "Sign out"). There a text counts where it is distinctive: the name of something
//! that an app holds (two words from its state: a bank, a person, a product), or a wording of three words and more. What two
//! apps say independently of each other is ordinary language. Comments never count.

use crate::finding::Finding;
use crate::source::{is_in, line_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Rooms that must not know any app.
const IGNORANT: &[&str] = &["src/pipeline", "src/ranking", "src/case"];

/// Words that hold any English sentence together. A text of only these (" and the " between two links) says nothing.
const JOINING: &[&str] =
    &["a", "an", "and", "by", "for", "from", "if", "in", "is", "of", "on", "or", "the", "to", "with"];

/// The like of other languages, which makes no wording longer.
const JOINING_ELSEWHERE: &[&str] = &[
    "da", "das", "de", "del", "dem", "den", "der", "des", "die", "do", "du", "e", "ein", "eine", "el", "em", "en",
    "et", "il", "la", "las", "le", "les", "lo", "los", "na", "no", "o", "os", "um", "uma", "un", "una", "und", "une",
    "y", "zu",
];

/// Words that say something from which on a text is a wording of its own.
const WORDING: usize = 3;

/// Endings of the files that hold words and weights.
const DATA: &[&str] = &["toml", "txt", "yaml", "yml", "json"];

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
        Value::String(text) => match serde_json::from_str(text) {
            // A list in an expression: each element is a text.
            Ok(list @ Value::Array(_)) => walk(&list, texts),
            _ => texts.extend(pieces(text)),
        },
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

/// Words of a text that say something.
fn said_words(text: &str) -> usize {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
    words.filter(|word| !JOINING.contains(word) && !JOINING_ELSEWHERE.contains(word)).count()
}

/// Answers by which apps everywhere are asked to ask later: they belong to no app.
const EVERYWHERE: [&str; 2] = ["ask me later", "remind me later"];

/// The distinctive texts of the apps: those that count in a word list. Lower case.
pub(crate) fn distinctive(apps: &[(String, String)]) -> BTreeSet<String> {
    let mut said_by: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut counting = BTreeSet::new();
    for (path, text) in apps {
        let app: Value = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (mut all, mut held) = (BTreeSet::new(), BTreeSet::new());
        walk(&app, &mut all);
        walk(&app["state"], &mut held);
        for said in all {
            let wording = said_words(&said) >= WORDING;
            if is_package(&said) || wording || held.contains(&said) {
                counting.insert(said.clone());
            }
            said_by.entry(said).or_default().insert(path);
        }
    }
    counting.retain(|said| said_by.get(said).is_some_and(|apps| apps.len() == 1));
    counting.retain(|said| !EVERYWHERE.contains(&said.to_lowercase().as_str()));
    counting
}

/// True for a file of words or weights that a source which must not know any app reads.
pub(crate) fn is_data(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    (must_not_know(path) || path.starts_with("skills/")) && DATA.contains(&ending)
}

/// What a data file says, without its comments: the strings of a table, the lines of a list.
pub(crate) fn entries(path: &str, text: &str) -> String {
    let value: Option<Value> = match path.rsplit('.').next() {
        Some("toml") => Some(toml::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"))),
        Some("yaml" | "yml" | "json") => {
            Some(serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}")))
        }
        _ => None,
    };
    let Some(value) = value else { return text.to_owned() };
    let mut lines = String::new();
    write_strings(&value, &mut lines);
    lines
}

/// Adds every string, names of tables and keys included: a word list may use the word as its key.
fn write_strings(value: &Value, lines: &mut String) {
    match value {
        Value::String(text) => {
            lines.push_str(text);
            lines.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| write_strings(value, lines)),
        Value::Object(entries) => {
            for (key, value) in entries {
                lines.push_str(key);
                lines.push('\n');
                write_strings(value, lines);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
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
    fn in_a_word_list_names_and_wordings_count_and_ordinary_language_does_not() {
        let app = |name: &str, title: &str| {
            let state = "state: {banks: [{name: Evergreen Bank}]}";
            let screens =
                format!("screens: [{{title: {title}}}, {{title: Not now}}, {{title: \"The cheapest fare of all\"}}]");
            (format!("tests/suites/a/apps/{name}.yaml"), format!("package: com.example.{name}\n{state}\n{screens}\n"))
        };
        let texts = distinctive(&[app("pay", "x"), app("shop", "Bind a bank card")]);
        let found: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(found, ["bind a bank card", "com.example.pay", "com.example.shop"], "both say the rest");
        let alone = distinctive(&[app("pay", "x")]);
        let found: Vec<&str> = alone.iter().map(String::as_str).collect();
        assert_eq!(found, ["com.example.pay", "evergreen bank", "the cheapest fare of all"]);
        let list = "# not Evergreen Bank\n[words]\nrefuse = [\"not now\"]\nbanks = [\"Evergreen Bank\"]\n";
        let entries = entries("src/pipeline/words.toml", list);
        assert_eq!(named("src/pipeline/words.toml", &entries, &alone).len(), 1, "{entries}");
        assert!(named("src/pipeline/words.toml", &super::entries("a.toml", "# Evergreen Bank\n"), &alone).is_empty());
    }

    #[test]
    fn data_files_of_the_rooms_that_choose_are_read() {
        for (path, expected) in [
            ("src/pipeline/value_control/lexicon.toml", true),
            ("src/ranking/background.txt", true),
            ("skills/click.toml", true),
            ("src/pipeline/mod.rs", false),
            ("src/virtual_device/fonts/words.txt", false),
        ] {
            assert_eq!(is_data(path), expected, "{path}");
        }
    }

    #[test]
    fn only_the_rooms_that_choose_are_held_to_it() {
        assert!(must_not_know("src/pipeline/mod.rs") && must_not_know("src/case/load.rs"));
        assert!(!must_not_know("crates/virtual-device/src/lib.rs"));
    }
}
