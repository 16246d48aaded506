//! `JUnit` XML, as build servers read it: one suite, one test case per case.
//!
//! *failed* is a `<failure>`; *blocked* and *error* are `<error>`, told apart by `type`, for neither says that the app is at
//! fault. Other tries are `<flakyFailure>` where one passed and `<rerunFailure>` where none did. Attachments are named as
//! GitLab and Jenkins look for them. What else is known of a case stands in its output: strict readers, such as Jenkins' xUnit
//! plugin, refuse elements and attributes beyond those of Surefire.

use super::{Attempt, CaseReport, FlakyResult, GateError, GateVerdict, Manifest};
use crate::domain::Verdict;
use crate::report::write_whole;
use crate::run::History;
use quick_junit::{FlakyOrRerun, NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes [`render_junit`] to a file, whole or not at all.
///
/// # Errors
/// The report cannot be made, or the file cannot be written.
pub fn write_junit(path: &Path, manifest: &Manifest, flaky: FlakyResult, root: &Path) -> Result<(), GateError> {
    Ok(write_whole(path, render_junit(manifest, flaky, root)?.as_bytes())?)
}

/// The gate as one `JUnit` suite. Runs are looked for from `root`.
///
/// # Errors
/// The report cannot be made: a defect.
pub fn render_junit(manifest: &Manifest, flaky: FlakyResult, root: &Path) -> Result<String, GateError> {
    let mut suite = TestSuite::new("tapwright");
    suite.set_time(seconds(manifest.cases.iter().map(|case| case.seconds).sum()));
    let told = [
        ("gate", Some(manifest.gate_id.as_str())),
        ("revision", manifest.revision.as_deref()),
        ("policy", Some(manifest.policy.as_str())),
        ("selection", Some(manifest.selection.as_str())),
        ("stopped", manifest.stopped.as_deref()),
    ];
    suite.add_properties(told.iter().filter_map(|(name, value)| Some(Property::new(*name, (*value)?))));
    suite.add_test_cases(manifest.cases.iter().map(|case| test_case(case, flaky, root)));
    let mut report = Report::new("tapwright");
    report.set_time(seconds(manifest.seconds)).add_test_suite(suite);
    report.to_string().map(without_sum_of_skipped).map_err(|error| GateError::Junit(error.to_string()))
}

/// The report without the attribute of its top element that strict readers do not know; each suite has its own.
fn without_sum_of_skipped(xml: String) -> String {
    const NAME: &str = " skipped=\"";
    let cut = || {
        let top = xml.find("<testsuites ")?;
        let end = top + xml.get(top..)?.find('>')?;
        let from = top + xml.get(top..end)?.find(NAME)?;
        let to = from + NAME.len() + xml.get(from + NAME.len()..end)?.find('"')? + 1;
        Some(format!("{}{}", xml.get(..from)?, xml.get(to..)?))
    };
    cut().unwrap_or(xml)
}

fn test_case(case: &CaseReport, flaky: FlakyResult, root: &Path) -> TestCase {
    let telling = case.telling();
    let mut status = match (case.verdict, flaky) {
        (GateVerdict::Passed | GateVerdict::Repaired, _) | (GateVerdict::Flaky, FlakyResult::Pass) => {
            TestCaseStatus::success()
        }
        (GateVerdict::Failed | GateVerdict::Flaky, _) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        (GateVerdict::Blocked | GateVerdict::Error, _) => TestCaseStatus::non_success(NonSuccessKind::Error),
        (GateVerdict::NotRun, _) => TestCaseStatus::skipped(),
    };
    status.set_message(case.reason.as_str()).set_type(case.verdict.word());
    if let Some(story) = telling.and_then(story) {
        status.set_description(story);
    }
    if case.verdict == GateVerdict::Flaky {
        status.set_rerun_kind(FlakyOrRerun::Flaky);
    }
    let own = |attempt: &&Attempt| telling == Some(*attempt) && case.verdict.is_bad();
    let others = case.attempts.iter().filter(|attempt| attempt.verdict != Verdict::Passed && !own(attempt));
    if !matches!(case.verdict, GateVerdict::Passed | GateVerdict::Repaired) {
        status.add_reruns(others.map(rerun));
    }
    let mut test = TestCase::new(case.id.as_str(), status);
    test.set_classname("tapwright").set_time(seconds(case.seconds));
    test.set_system_out(output(case, root));
    test
}

/// What is known of a case besides its verdict, a line each: what it is, who did it where, and its attachments.
fn output(case: &CaseReport, root: &Path) -> String {
    let mut lines = vec![
        format!("title: {}", case.title),
        format!("file: {}", case.file.display()),
        format!("verdict: {}", case.verdict.word()),
        format!("attempts: {}", case.attempts.len()),
    ];
    if let Some(attempt) = case.telling() {
        lines.extend([format!("device: {}", attempt.device), format!("by: {}", attempt.by)]);
    }
    lines.extend(attachments(case, root).iter().map(|file| format!("[[ATTACHMENT|{}]]", file.display())));
    lines.join("\n")
}

fn rerun(attempt: &Attempt) -> TestRerun {
    let kind = if attempt.verdict == Verdict::Failed { NonSuccessKind::Failure } else { NonSuccessKind::Error };
    let mut rerun = TestRerun::new(kind);
    rerun.set_message(attempt.reason.as_str()).set_type(attempt.verdict.to_string());
    if let Some(story) = story(attempt) {
        rerun.set_description(story);
    }
    rerun
}

/// The steps as text: what a person wants to see first in a build server.
fn story(attempt: &Attempt) -> Option<String> {
    let steps = &attempt.result.as_ref()?.steps;
    let line = |step: &crate::domain::StepResult| {
        format!("{}. {} [{}] {}", step.index, step.instruction, step.verdict, step.reason)
    };
    Some(steps.iter().map(line).collect::<Vec<_>>().join("\n")).filter(|story| !story.is_empty())
}

/// Report and last picture of the attempt to look into, for a case that did not simply pass.
fn attachments(case: &CaseReport, root: &Path) -> Vec<PathBuf> {
    let Some(folder) = case.telling().and_then(|attempt| attempt.folder.as_ref()) else { return Vec::new() };
    if case.verdict == GateVerdict::Passed {
        return Vec::new();
    }
    let last = History::read(&root.join(folder)).ok().and_then(|run| run.screens.last()?.screenshot.clone());
    let files = ["report.html".to_owned()].into_iter().chain(last).map(|name| folder.join(name));
    files.filter(|file| root.join(file).is_file()).collect()
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::manifest;
    use quick_xml::Reader;
    use quick_xml::events::Event;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[test]
    fn each_verdict_has_its_own_form_and_the_counts_add_up() {
        let manifest =
            manifest(&[("A-1", "p"), ("A-2", "f p"), ("A-3", "f f"), ("A-4", "b"), ("A-5", "e e b"), ("A-6", "x")]);
        let xml = render_junit(&manifest, FlakyResult::Pass, Path::new("/nowhere")).unwrap();
        insta::assert_snapshot!(xml);
        let strict = render_junit(&manifest, FlakyResult::Fail, Path::new("/nowhere")).unwrap();
        assert!(strict.contains("failures=\"2\"") && xml.contains("failures=\"1\""), "{strict}");
    }

    /// An element as a strict reader knows it.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Known {
        /// Attributes that must be there.
        required: Vec<String>,
        /// Attributes that may be there.
        optional: Vec<String>,
        /// Elements in it.
        children: Vec<String>,
        /// Whether it may hold text.
        text: bool,
    }

    /// What a strict reader refuses in a report.
    fn refused(xml: &str) -> Vec<String> {
        let table = include_str!("../../tests/fixtures/junit-elements.toml");
        let known: BTreeMap<String, Known> = toml::from_str(table).unwrap();
        let (mut reader, mut open, mut wrong) = (Reader::from_str(xml), Vec::<String>::new(), Vec::new());
        loop {
            let event = reader.read_event().unwrap();
            match &event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let name = tag.name().as_ref().to_owned();
                    let Some(element) = known.get(&name) else {
                        wrong.push(format!("<{name}>"));
                        continue;
                    };
                    let parent = open.last().map_or("", String::as_str);
                    if !known.get(parent).map_or(name == "testsuites", |parent| parent.children.contains(&name)) {
                        wrong.push(format!("<{name}> in <{parent}>"));
                    }
                    let given = tag.attributes().map(|one| one.unwrap().key.as_ref().to_owned());
                    let given: Vec<String> = given.collect();
                    let odd =
                        given.iter().filter(|one| !element.required.contains(one) && !element.optional.contains(one));
                    wrong.extend(odd.map(|one| format!("{name}@{one}")));
                    let missing = element.required.iter().filter(|one| !given.contains(one));
                    wrong.extend(missing.map(|one| format!("{name} without {one}")));
                    if matches!(event, Event::Start(_)) {
                        open.push(name);
                    }
                }
                Event::Text(text) if !text.trim().is_empty() => {
                    let inside = open.last().map_or("", String::as_str);
                    if !known.get(inside).is_some_and(|element| element.text) {
                        wrong.push(format!("text in <{inside}>"));
                    }
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Eof => return wrong,
                _ => {}
            }
        }
    }

    #[test]
    fn a_strict_reader_refuses_nothing() {
        let mut manifest = manifest(&[
            ("A-1", "p"),
            ("A-2", "f p"),
            ("A-3", "f f"),
            ("A-4", "b"),
            ("A-5", "e e b"),
            ("A-6", "x"),
            ("A-7", "r"),
        ]);
        manifest.stopped = Some("the gate was interrupted".into());
        for flaky in [FlakyResult::Pass, FlakyResult::Fail] {
            let xml = render_junit(&manifest, flaky, Path::new("/nowhere")).unwrap();
            assert_eq!(refused(&xml), Vec::<String>::new(), "{xml}");
        }
        let odd = "<testsuites skipped=\"1\"><testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\"><testcase name=\"b\" \
                   file=\"c\"><properties/>text<rerunFailure time=\"1\"/></testcase></testsuite></testsuites>";
        let told = [
            "testsuites@skipped",
            "testcase@file",
            "<properties> in <testcase>",
            "text in <testcase>",
            "rerunFailure@time",
            "rerunFailure without type",
        ];
        assert_eq!(refused(odd), told, "the check itself must find what is refused");
    }

    #[test]
    fn what_an_app_shows_cannot_break_the_file() {
        let mut manifest = manifest(&[("A-1", "f")]);
        manifest.cases[0].reason = "a\u{0}\u{1b}[31m<b> \"]]> & \u{202e}c".into();
        let xml = render_junit(&manifest, FlakyResult::Pass, Path::new("/nowhere")).unwrap();
        assert!(!xml.contains(['\u{0}', '\u{1b}']) && xml.contains("&lt;b"), "{xml}");
        assert!(Report::deserialize_from_str(&xml).is_ok(), "{xml}");
    }

    #[test]
    fn report_and_last_picture_are_attached_where_they_are() {
        let root = tempfile::tempdir().unwrap();
        let run = root.path().join("runs/A-1/0190-a");
        std::fs::create_dir_all(run.join("screens")).unwrap();
        std::fs::write(run.join("report.html"), "").unwrap();
        std::fs::write(run.join("screens/b.png"), "").unwrap();
        let event = |name: &str| {
            format!(r#"{{"event":"screen_observed","screen":{{"hierarchy":"h","screenshot":"screens/{name}.png"}}}}"#)
        };
        std::fs::write(run.join("events.jsonl"), format!("{}\n{}\n", event("a"), event("b"))).unwrap();
        let xml = |letters: &str| render_junit(&manifest(&[("A-1", letters)]), FlakyResult::Pass, root.path()).unwrap();
        for file in ["report.html", "screens/b.png"] {
            assert!(xml("f").contains(&format!("[[ATTACHMENT|runs/A-1/0190-a/{file}]]")), "{}", xml("f"));
        }
        assert!(!xml("p").contains("ATTACHMENT"));
    }
}
