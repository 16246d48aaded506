//! A case that is being made of sentences.

use crate::case::Case;
use crate::case::maestro::{FlowError, ImportedCase, id_of};
use crate::domain::Expectation;
use regex::Regex;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

/// A case in the making.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) app: String,
    pub(super) tags: Vec<String>,
    pub(super) steps: Vec<String>,
    /// Each with the sentence that says it.
    pub(super) expectations: Vec<(String, Expectation)>,
    pub(super) notes: Vec<String>,
}

impl Draft {
    /// An empty case of that name; letters that no id may have become dashes.
    pub(super) fn new(id: &str, title: &str, app: &str) -> Self {
        Self { id: id_of(Path::new(id)), title: title.to_owned(), app: app.to_owned(), ..Self::default() }
    }

    /// A sentence to be checked after the steps so far. What is said in a script's own words is an expectation where nothing
    /// is done after it; all else is a step, which Tapwright reads as a check.
    pub(super) fn check(&mut self, sentence: &str) {
        match expectation(sentence) {
            Some(Expectation::Visible(text)) => {
                self.expectations.push((format!("\"{text}\" is shown"), Expectation::Visible(text)));
            }
            Some(expectation) => self.expectations.push((sentence.to_owned(), expectation)),
            None => {
                self.settle();
                self.steps.push(format!("Check that {sentence}"));
            }
        }
    }

    /// A sentence to be carried out.
    pub(super) fn act(&mut self, sentence: &str) {
        self.settle();
        self.steps.push(sentence.to_owned());
    }

    /// Expectations that something follows are checks on the way.
    fn settle(&mut self) {
        let checks = std::mem::take(&mut self.expectations);
        self.steps.extend(checks.iter().map(|(sentence, _)| format!("Check that {sentence}")));
    }

    /// The case; `line` is where it stands in `path`.
    pub(super) fn finish(self, path: &Path, line: u64) -> Result<ImportedCase, FlowError> {
        let failed = |reason: String| FlowError { path: path.to_owned(), line, reason };
        let text = self.text().map_err(|error| failed(error.to_string()))?;
        if self.steps.is_empty() {
            return Err(failed("it does nothing".to_owned()));
        }
        Case::parse(path, &text).map_err(|error| failed(format!("no case comes of it: {error}")))?;
        Ok(ImportedCase { id: self.id, text, notes: self.notes })
    }

    fn text(&self) -> Result<String, serde_json::Error> {
        // What JSON writes, YAML reads.
        let literal = |text: &str| Value::from(text).to_string();
        let mut text = String::new();
        let mut line = |line: String| {
            // Writing to a text never fails.
            let _ = writeln!(text, "{line}");
        };
        line(format!("id: {}", self.id));
        line(format!("title: {}", literal(&self.title)));
        line(format!("app: {{package: {}}}", literal(&self.app)));
        if !self.tags.is_empty() {
            line(format!("tags: [{}]", self.tags.iter().map(|tag| literal(tag)).collect::<Vec<_>>().join(", ")));
        }
        line("steps:".to_owned());
        self.steps.iter().for_each(|step| line(format!("  - {}", literal(step))));
        if !self.expectations.is_empty() {
            line("expect:".to_owned());
        }
        for (_, expectation) in &self.expectations {
            line(format!("  - {}", serde_json::to_string(expectation)?));
        }
        Ok(text)
    }
}

/// The sentences that scripts are exported with, and what they expect.
static SENTENCES: LazyLock<Vec<(Regex, Form)>> = LazyLock::new(|| {
    let forms: [(&str, Form); 13] = [
        (r#"^the screen "(.+)" is shown$"#, |x, _| Some(Expectation::Screen(x))),
        (r#"^the message "(.+)" is shown for a moment$"#, |x, _| Some(Expectation::Toast(x))),
        (r#"^"([^"]+)" is shown$"#, |x, _| Some(Expectation::Visible(x))),
        (r#"^"([^"]+)" is not shown$"#, |x, _| Some(Expectation::Absent(x))),
        (r#"^"([^"]+)" is (on|off)$"#, |widget, is| Some(Expectation::Checked { widget, is: is == "on" })),
        (r#"^"([^"]+)" can be used$"#, |widget, _| Some(Expectation::Enabled { widget, is: true })),
        (r#"^"([^"]+)" cannot be used$"#, |widget, _| Some(Expectation::Enabled { widget, is: false })),
        (r#"^"([^"]+)" is selected$"#, |widget, _| Some(Expectation::Selected { widget, is: true })),
        (r#"^"([^"]+)" is not selected$"#, |widget, _| Some(Expectation::Selected { widget, is: false })),
        (r#"^"([^"]+)" holds "([^"]*)"$"#, |field, is| Some(Expectation::Value { field, is })),
        (r#"^(\d+) things show "([^"]+)"$"#, |is, of| Some(Expectation::Count { of, is: is.parse().ok()? })),
        (r#"^"([^"]+)" can be read in the picture$"#, |x, _| Some(Expectation::Picture(x))),
        (r#"^I (?:can |should )?see "([^"]+)"(?: on the (?:screen|display))?$"#, |x, _| Some(Expectation::Visible(x))),
    ];
    forms.into_iter().filter_map(|(pattern, form)| Some((Regex::new(pattern).ok()?, form))).collect()
});

/// What a sentence expects, of its one or two parts.
type Form = fn(String, String) -> Option<Expectation>;

fn expectation(sentence: &str) -> Option<Expectation> {
    SENTENCES.iter().find_map(|(pattern, form)| {
        let found = pattern.captures(sentence.trim())?;
        let part = |at: usize| found.get(at).map(|part| part.as_str().to_owned()).unwrap_or_default();
        form(part(1), part(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_sentence_is_known() {
        assert_eq!(SENTENCES.len(), 13);
        for (sentence, expected) in [
            ("\"Done\" is shown", Some(Expectation::Visible("Done".into()))),
            ("\"Done\" is not shown", Some(Expectation::Absent("Done".into()))),
            ("the screen \"Home\" is shown", Some(Expectation::Screen("Home".into()))),
            ("\"Wi-Fi\" is off", Some(Expectation::Checked { widget: "Wi-Fi".into(), is: false })),
            ("\"Name\" holds \"Ann\"", Some(Expectation::Value { field: "Name".into(), is: "Ann".into() })),
            ("3 things show \"Bill\"", Some(Expectation::Count { of: "Bill".into(), is: 3 })),
            ("I should see \"20.0\" on the display", Some(Expectation::Visible("20.0".into()))),
            ("the total is right", None),
        ] {
            assert_eq!(expectation(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn a_check_that_something_follows_is_a_step() {
        let mut draft = Draft::new("A 1", "t", "a.b");
        draft.act("Tap Help");
        draft.check("\"Help\" is shown");
        draft.act("Go back");
        draft.check("the list is sorted");
        draft.check("\"Home\" is shown");
        let case = draft.finish(Path::new("x.feature"), 3).unwrap();
        assert_eq!(
            case.text,
            "id: A-1\ntitle: \"t\"\napp: {package: \"a.b\"}\nsteps:\n  - \"Tap Help\"\n  - \"Check that \\\"Help\\\" is shown\"\n  \
             - \"Go back\"\n  - \"Check that the list is sorted\"\nexpect:\n  - {\"visible\":\"Home\"}\n"
        );
        let empty = Draft::new("A", "t", "a.b").finish(Path::new("x.feature"), 3).unwrap_err();
        assert_eq!(empty.to_string(), "x.feature:3: it does nothing");
    }
}
