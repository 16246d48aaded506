//! The agent passes the bundled cases because its ranking chooses, not because it knows the apps: what the apps say
//! must not occur in the sources that choose.

use crate::finding::Finding;
use crate::source::{is_in, line_of, pattern};
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

/// Package names, and texts of at least two words, that the app files show on screens. Lower case.
pub(crate) fn collect(apps: &[(String, String)]) -> BTreeSet<String> {
    let pattern = pattern(
        r#"(?m)(?:^|[\s{,-])(?:package|text|label|title|hint|content_desc|desc|description|caption|toast|message)\s*:\s*("[^"\n]*"|'[^'\n]*'|[^"'\s#{\[|>&*][^\n,}#]*)"#,
    );
    apps.iter()
        .flat_map(|(_, text)| pattern.captures_iter(text))
        .map(|captures| captures[1].trim_matches(|c: char| c == '"' || c == '\'' || c.is_whitespace()).to_lowercase())
        .filter(|text| is_package(text) || says_something(text))
        .collect()
}

fn is_package(text: &str) -> bool {
    text.split('.').count() >= 3 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
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
        let app = "package: com.example.pay\nscreens:\n  - title: Add bank card\n    children:\n      - button: {id: ok, \
                   text: \"Agree and continue\", style: x}\n      - {text: 'Evergreen Bank'}\n      - text: Next\n      \
                   - label: 4 242\n      - text: \" and the \"\n";
        collect(&[("tests/suites/a/apps/pay.yaml".into(), app.into())])
    }

    #[test]
    fn packages_and_texts_of_two_words_are_collected() {
        let expected = ["add bank card", "agree and continue", "com.example.pay", "evergreen bank"];
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
