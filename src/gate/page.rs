//! The page of a gate: every case with its verdict, and what did not pass by its cause.

use super::{CaseReport, GateError, GateVerdict, Manifest};
use crate::report::{IndexedCase, duration, write_page};
use std::path::Path;

/// Writes the page, whole or not at all. Runs are looked for from `root`.
///
/// # Errors
/// The page cannot be made, or the file cannot be written.
pub fn write_gate_page(path: &Path, manifest: &Manifest, root: &Path) -> Result<(), GateError> {
    let cases: Vec<IndexedCase> = manifest.cases.iter().map(|case| indexed(case, root)).collect();
    let plural = if cases.len() == 1 { "case" } else { "cases" };
    let took = duration(manifest.seconds * 1000.0);
    let heading = format!("Gate: {} {plural} in {took}", cases.len());
    let compared =
        manifest.comparison.as_ref().map(|comparison| format!("Against the baseline: {}.", comparison.words()));
    let began = format!("{}, {}", manifest.selection, manifest.started_at.replace('T', " ").replace('Z', " UTC"));
    let notes: Vec<String> = [Some(began), manifest.stopped.clone(), compared].into_iter().flatten().collect();
    Ok(write_page(path, &heading, &notes, &cases)?)
}

fn indexed(case: &CaseReport, root: &Path) -> IndexedCase {
    let telling = case.telling();
    let report =
        telling.and_then(|attempt| attempt.folder.as_ref()).map(|folder| root.join(folder).join("report.html"));
    IndexedCase {
        id: case.id.to_string(),
        title: case.title.clone(),
        verdict: case.verdict.word().to_owned(),
        reason: case.reason.clone(),
        device: telling.map(|attempt| attempt.device.to_string()).unwrap_or_default(),
        took_ms: case.seconds * 1000.0,
        started_at: String::new(),
        report: report.filter(|report| report.is_file()),
        past: case.attempts.iter().map(|attempt| GateVerdict::from(attempt.verdict).word().to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::manifest;

    #[test]
    fn every_case_of_a_gate_has_a_row_with_its_verdict_and_its_report_where_there_is_one() {
        let root = tempfile::tempdir().unwrap();
        let run = root.path().join("runs/A-1/0190-a");
        std::fs::create_dir_all(&run).unwrap();
        let page = |manifest: &Manifest| {
            let path = root.path().join("runs/gates/0190/index.html");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            write_gate_page(&path, manifest, root.path()).unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        let mut now = manifest(&[("A-1", "p"), ("A-2", "f p"), ("A-3", "f"), ("A-4", "x"), ("A-5", "r")]);
        now.stopped = Some("the gate was interrupted".into());
        let told = page(&now);
        for part in [
            "Gate: 5 cases in 1 min 05 s",
            "4 cases, 2031-02-03 04:05:06 UTC",
            "the gate was interrupted",
            "1 flaky",
            "1 not run",
            "1 repaired",
        ] {
            assert!(told.contains(part), "{part:?} is not in {told}");
        }
        assert!(!told.contains("report.html"), "there is none");
        std::fs::write(run.join("report.html"), "").unwrap();
        assert!(page(&now).contains("href=\"..&#x2f;..&#x2f;A-1&#x2f;0190-a&#x2f;report.html\""));
    }
}
