//! `JUnit` XML, as build servers read it: one suite, one test case per run.
//!
//! *failed* is a `<failure>`. *blocked* and *error* are both `<error>`, told apart by `type`: neither says that the app
//! is at fault. Written with quick-xml's escaping; the format is small enough to need no writer of its own.

use super::ReportError;
use super::error::write_whole;
use crate::domain::{RunResult, Verdict};
use quick_xml::escape::escape;
use std::fmt::Write as _;
use std::path::Path;

/// Writes `render_junit` to a file, whole or not at all.
pub fn write_junit(path: &Path, suite: &str, results: &[RunResult]) -> Result<(), ReportError> {
    write_whole(path, render_junit(suite, results).as_bytes())
}

/// The results as one `JUnit` suite.
pub fn render_junit(suite: &str, results: &[RunResult]) -> String {
    let number = |verdicts: &[Verdict]| results.iter().filter(|result| verdicts.contains(&result.verdict)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\"",
        results.len(),
        number(&[Verdict::Failed]),
        number(&[Verdict::Blocked, Verdict::Error]),
        seconds(results.iter().map(|result| result.timings_ms.total).sum()),
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    line(&mut xml, 0, &format!("<testsuites name=\"{}\" {counts}>", clean(suite)));
    line(&mut xml, 2, &format!("<testsuite name=\"{}\" {counts}>", clean(suite)));
    for result in results {
        test_case(&mut xml, suite, result);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn test_case(xml: &mut String, suite: &str, result: &RunResult) {
    let (id, time) = (clean(result.case_id.as_str()), seconds(result.timings_ms.total));
    line(xml, 4, &format!("<testcase name=\"{id}\" classname=\"{}\" time=\"{time}\">", clean(suite)));
    line(xml, 6, "<properties>");
    let device = &result.device;
    for (name, value) in [
        ("run_id", result.run_id.as_str()),
        ("serial", device.serial.as_str()),
        ("profile", &device.profile),
        ("api", &device.api.to_string()),
        ("attempts", &result.attempts.to_string()),
        ("flaky", if result.flaky { "true" } else { "false" }),
        ("repaired", if result.repaired { "true" } else { "false" }),
    ] {
        line(xml, 8, &format!("<property name=\"{name}\" value=\"{}\"/>", clean(value)));
    }
    line(xml, 6, "</properties>");
    let element = match result.verdict {
        Verdict::Passed => None,
        Verdict::Failed => Some("failure"),
        Verdict::Blocked | Verdict::Error => Some("error"),
    };
    if let Some(element) = element {
        let message = clean(&result.reason);
        line(
            xml,
            6,
            &format!("<{element} type=\"{}\" message=\"{message}\">{}</{element}>", result.verdict, story(result)),
        );
    }
    line(xml, 4, "</testcase>");
}

/// The steps as text: what a person wants to see first in a build server.
fn story(result: &RunResult) -> String {
    let mut text = String::new();
    for step in &result.steps {
        let entry = format!("\n{}. {} [{}] {}", step.index, step.instruction, step.verdict, step.reason);
        text.push_str(&clean(&entry));
    }
    text
}

fn line(xml: &mut String, indent: usize, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(xml, "{:indent$}{text}", "");
}

fn seconds(ms: f64) -> String {
    format!("{:.3}", ms / 1000.0)
}

/// Escaped, without the control characters that XML 1.0 forbids.
fn clean(text: &str) -> String {
    let legal: String = text.chars().filter(|&c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    escape(legal.as_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn each_verdict_has_its_own_form_and_the_counts_add_up() {
        let with = |verdict| RunResult { verdict, ..sample::result() };
        let passed = RunResult { reason: String::new(), ..with(Verdict::Passed) };
        let results = [passed, with(Verdict::Failed), with(Verdict::Blocked), with(Verdict::Error)];
        let xml = render_junit("pay & more", &results);
        insta::assert_snapshot!(xml);
        assert!(!xml.contains(sample::SECRET));
        let mut reader = quick_xml::Reader::from_str(&xml);
        let mut cases = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Start(tag) if tag.name().as_ref() == "testcase" => cases += 1,
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(cases, 4);
    }

    #[test]
    fn characters_that_xml_forbids_are_left_out() {
        assert_eq!(clean("a\u{0}\u{1b}<b>"), "a&lt;b&gt;");
    }
}
