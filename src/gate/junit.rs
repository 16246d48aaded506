//! `JUnit` XML, as build servers read it: one suite, one test case per case.
//!
//! *failed* is a `<failure>`; *blocked* and *error* are `<error>`, told apart by `type`, for neither says that the app is at
//! fault. Other tries are `<flakyFailure>` where one passed and `<rerunFailure>` where none did. Attachments are named as
//! GitLab and Jenkins look for them.

use super::{Attempt, CaseReport, FlakyResult, GateError, GateVerdict, Manifest};
use crate::domain::Verdict;
use crate::report::write_whole;
use crate::run::History;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite, XmlString,
};
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
    report.to_string().map_err(|error| GateError::Junit(error.to_string()))
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
    test.extra.insert(XmlString::new("file"), XmlString::new(case.file.display().to_string()));
    test.add_property(("title", case.title.as_str()));
    test.add_property(("verdict", case.verdict.word()));
    test.add_property(("attempts", case.attempts.len().to_string().as_str()));
    if let Some(attempt) = telling {
        test.add_property(("device", attempt.device.as_str())).add_property(("by", attempt.by.to_string().as_str()));
    }
    let lines: Vec<String> =
        attachments(case, root).iter().map(|file| format!("[[ATTACHMENT|{}]]", file.display())).collect();
    if !lines.is_empty() {
        test.set_system_out(lines.join("\n"));
    }
    test
}

fn rerun(attempt: &Attempt) -> TestRerun {
    let kind = if attempt.verdict == Verdict::Failed { NonSuccessKind::Failure } else { NonSuccessKind::Error };
    let mut rerun = TestRerun::new(kind);
    rerun.set_message(attempt.reason.as_str()).set_type(attempt.verdict.to_string()).set_time(seconds(attempt.seconds));
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

    #[test]
    fn each_verdict_has_its_own_form_and_the_counts_add_up() {
        let manifest =
            manifest(&[("A-1", "p"), ("A-2", "f p"), ("A-3", "f f"), ("A-4", "b"), ("A-5", "e e b"), ("A-6", "x")]);
        let xml = render_junit(&manifest, FlakyResult::Pass, Path::new("/nowhere")).unwrap();
        insta::assert_snapshot!(xml);
        let strict = render_junit(&manifest, FlakyResult::Fail, Path::new("/nowhere")).unwrap();
        assert!(strict.contains("failures=\"2\"") && xml.contains("failures=\"1\""), "{strict}");
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
