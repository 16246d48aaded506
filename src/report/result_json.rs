//! `result.json`: the summary of a run, for machines.

use super::ReportError;
use super::error::write_whole;
use crate::domain::{EventKind, ExpectationOutcome, RunEvent, RunResult};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// `result.json`: the summary, and what only the events tell.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ResultFile<'r> {
    #[serde(flatten)]
    result: &'r RunResult,
    /// The case's title.
    title: &'r str,
    /// RFC 3339, UTC.
    started_at: &'r str,
    /// What was expected, in the order checked; empty where it did not come to that.
    expectations: Vec<ExpectationReport<'r>>,
}

/// What became of an expectation.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExpectationReport<'r> {
    /// In words: `visible: Card added`.
    expectation: &'r str,
    /// Whether it held.
    held: bool,
    /// What the screen showed.
    evidence: &'r str,
}

impl<'r> ResultFile<'r> {
    /// What a stream of events tells; `None` where the run has no end.
    fn of(events: &'r [RunEvent]) -> Option<Self> {
        let result = events.iter().rev().find_map(|event| match &event.kind {
            EventKind::RunFinished { result } => Some(result),
            _ => None,
        })?;
        let (title, started_at) = events.iter().find_map(|event| match &event.kind {
            EventKind::RunStarted { title, started_at, .. } => Some((title.as_str(), started_at.as_str())),
            _ => None,
        })?;
        let checked = events.iter().filter_map(|event| match &event.kind {
            EventKind::ExpectationChecked { outcome } => Some(outcome),
            _ => None,
        });
        let report = |outcome: &'r ExpectationOutcome| ExpectationReport {
            expectation: &outcome.expectation,
            held: outcome.held,
            evidence: &outcome.evidence,
        };
        Some(Self { result, title, started_at, expectations: checked.map(report).collect() })
    }
}

/// Writes `result.json` of a run that ended into its folder, whole or not at all, and returns its path; `None` where it has
/// no end.
pub fn write_result(folder: &Path, events: &[RunEvent]) -> Result<Option<PathBuf>, ReportError> {
    let Some(file) = ResultFile::of(events) else { return Ok(None) };
    let path = folder.join("result.json");
    let mut text = serde_json::to_vec_pretty(&file)?;
    text.push(b'\n');
    write_whole(&path, &text)?;
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_result_is_read_back_as_it_was_and_replaces_an_older_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("result.json"), "half-writ").unwrap();
        assert_eq!(write_result(folder.path(), &sample::failed_run()[..3]).unwrap(), None, "it has no end");
        let path = write_result(folder.path(), &sample::failed_run()).unwrap().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(serde_json::from_str::<RunResult>(&text).unwrap(), sample::result());
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(file["title"], "Bind a card & check <b>it</b>");
        assert_eq!(file["started_at"], "2031-02-03T04:05:06Z");
        assert_eq!(file["expectations"][0]["evidence"], "the screen shows: \"Card refused\", \"Done\"");
        assert_eq!(file["expectations"].as_array().unwrap().len(), 2);
        assert!(!text.contains(sample::SECRET));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let text = write_result(Path::new("/nonexistent/run"), &sample::failed_run()).unwrap_err().to_string();
        assert!(text.contains("/nonexistent/run/result.json") && text.contains("folder exists"), "{text}");
    }
}
