//! A case as the text of its file: checks at the end are expectations, steps under one condition stand together.

use super::flow::Flow;
use super::translate::{Deed, Line, Under};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a case is made of.
pub(super) struct Parts<'p> {
    pub(super) id: &'p str,
    pub(super) title: &'p str,
    pub(super) app: &'p str,
    pub(super) flow: &'p Flow,
    pub(super) lines: &'p [Line],
    pub(super) location: Option<String>,
    pub(super) env: &'p BTreeMap<String, String>,
}

fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

/// The case as a file. A value that is named like a password is a secret.
pub(super) fn write(parts: &Parts<'_>) -> String {
    let is_expected =
        |line: &Line| line.under.is_none() && matches!(line.deed, Deed::Check { expectation: Some(_), .. });
    let ends = parts.lines.iter().rev().take_while(|line| is_expected(line)).count();
    let (steps, expected) = parts.lines.split_at(parts.lines.len() - ends);
    // A case does something: where a flow only looks, its first check is a step.
    let (steps, expected) =
        if steps.is_empty() { parts.lines.split_at(1.min(parts.lines.len())) } else { (steps, expected) };
    let mut text = head(parts);
    // Writing to a text never fails.
    let mut line = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    line("steps:".to_owned());
    let mut group = None;
    for one in steps {
        let step = literal(one.deed.sentence());
        match &one.under {
            None => line(format!("  - {step}")),
            Some(Under::Optional) => line(format!("  - {{step: {step}, optional: true}}")),
            Some(Under::When { number, shown }) => {
                if group != Some(*number) {
                    line(format!("  - when: {}\n    steps:", literal(shown)));
                }
                group = Some(*number);
                line(format!("      - {step}"));
            }
        }
    }
    if !expected.is_empty() {
        line("expect:".to_owned());
    }
    for one in expected {
        if let Deed::Check { expectation: Some(expectation), .. } = &one.deed {
            line(format!("  - {expectation}"));
        }
    }
    text
}

/// All that stands above the steps.
fn head(parts: &Parts<'_>) -> String {
    let mut text =
        format!("id: {}\ntitle: {}\napp: {{package: {}}}\n", parts.id, literal(parts.title), literal(parts.app));
    let mut line = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    if !parts.flow.header.tags.is_empty() {
        let tags: Vec<String> = parts.flow.header.tags.iter().map(|tag| literal(tag)).collect();
        line(format!("tags: [{}]", tags.join(", ")));
    }
    if let Some(location) = &parts.location {
        line(format!("location: {}", literal(location)));
    }
    let used = |name: &str| {
        let mark = format!("${{{name}}}");
        parts.lines.iter().any(|line| {
            let condition = matches!(&line.under, Some(Under::When { shown, .. }) if shown.contains(&mark));
            condition || line.deed.sentence().contains(&mark)
        })
    };
    let params: Vec<(&String, &String)> = parts.env.iter().filter(|(name, _)| used(name)).collect();
    if !params.is_empty() {
        line("params:".to_owned());
    }
    for (name, value) in params {
        let hidden = ["password", "passwort", "secret", "pin", "token"];
        // What the sentences say anyway is no secret, and lint would refuse it as one that is written out.
        let said = || parts.lines.iter().any(|line| line.deed.sentence().contains(value.as_str()));
        let is_secret = hidden.iter().any(|word| name.to_lowercase().contains(word)) && !said();
        let value = literal(value);
        line(if is_secret {
            format!("  {name}: {{value: {value}, secret: true}}")
        } else {
            format!("  {name}: {value}")
        });
    }
    text
}
