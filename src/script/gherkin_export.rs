//! A script as a Gherkin feature: the sentences of its case, what is checked between them and expected at the end.

use super::format::Script;
use super::sentence::{one_line, sentence};
use std::fmt::Write as _;

/// The feature's text. It says what a person does, not how: no selector and no place is in it.
pub fn to_gherkin(script: &Script) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a text never fails.
        let _ = writeln!(text, "{line}");
    };
    line(format!("Feature: {}", one_line(&script.title)));
    line(String::new());
    line(format!("  @{}", script.case_id));
    line(format!("  Scenario: {}", one_line(&script.title)));
    let apps: Vec<String> = if script.actors.is_empty() {
        vec![format!("the app {} has just been started with clean data", script.app.package)]
    } else {
        let given = |(name, actor): (&String, &super::format::ScriptActor)| {
            format!("{name} has just started the app {} with clean data", actor.app.package)
        };
        script.actors.iter().map(given).collect()
    };
    keyed("Given", apps.into_iter()).for_each(&mut line);
    let mut step = None;
    for action in &script.actions {
        keyed("Then", action.checks.iter().map(sentence)).for_each(&mut line);
        if step.replace(action.step) != Some(action.step) {
            let by = action.actor.as_ref().map(|actor| format!("{actor}: ")).unwrap_or_default();
            line(format!("    When {by}{}", one_line(&action.instruction)));
        }
    }
    let own = script.actors.iter().flat_map(|(name, actor)| {
        actor.expectations.iter().map(move |wanted| format!("on {name}'s device {}", sentence(wanted)))
    });
    let expected: Vec<String> = script.expectations.iter().map(sentence).chain(own).collect();
    keyed("Then", expected.into_iter()).for_each(&mut line);
    text
}

/// The first with its keyword, the others with `And`.
fn keyed(keyword: &'static str, sentences: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    sentences.enumerate().map(move |(at, sentence)| format!("    {} {sentence}", if at == 0 { keyword } else { "And" }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Expectation;
    use std::path::Path;

    #[test]
    fn the_case_s_sentences_are_told_each_once() {
        let text = include_str!("../../scripts/PAY-0002/virtual-phone.toml");
        let script = Script::parse(Path::new("s.toml"), text).unwrap();
        insta::assert_snapshot!(to_gherkin(&script));
    }

    #[test]
    fn every_expectation_has_a_sentence_in_one_line() {
        let text = include_str!("../../scripts/PAY-0008/virtual-phone.toml");
        let mut script = Script::parse(Path::new("s.toml"), text).unwrap();
        let two = "a\nb".to_owned();
        script.expectations = vec![
            Expectation::Visible(two.clone()),
            Expectation::Absent(two.clone()),
            Expectation::Checked { widget: two.clone(), is: false },
            Expectation::Enabled { widget: two.clone(), is: true },
            Expectation::Selected { widget: two.clone(), is: true },
            Expectation::Value { field: two.clone(), is: two.clone() },
            Expectation::Count { of: two.clone(), is: 2 },
            Expectation::Screen(two.clone()),
            Expectation::Toast(two.clone()),
            Expectation::Picture(two),
        ];
        let feature = to_gherkin(&script);
        let told = feature.lines().filter(|line| line.contains("\"a b\"")).count();
        assert_eq!(told, 10, "{feature}");
        assert!(feature.lines().all(|line| line.is_empty() || line.starts_with("Feature:") || line.starts_with("  ")));
    }
}
