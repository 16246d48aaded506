//! Allure results: a file for each attempt of a case, with its report, picture and log beside it.
//!
//! Attempts of one case share a `historyId`, by which Allure shows the last one and keeps the others as retries. *blocked* and
//! *error* are `broken`: neither says that the app is at fault.

use super::{Attempt, CaseReport, GateError, GateVerdict, Manifest};
use crate::domain::Verdict;
use crate::report::{ReportError, write_whole};
use crate::run::{CRASH_FILE, History, LOG_FILE};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes the results of a gate into a folder, as `allure generate` reads it. What other gates left there stays. Runs are
/// looked for from `root`.
///
/// # Errors
/// A file cannot be written.
pub fn write_allure(folder: &Path, manifest: &Manifest, root: &Path) -> Result<(), GateError> {
    let failed = |source: std::io::Error| ReportError::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    for case in &manifest.cases {
        if case.attempts.is_empty() {
            let id = identity(&format!("{} {}", manifest.gate_id, case.id));
            write_json(folder, &id, &not_run(case, &id))?;
        }
        for (at, attempt) in case.attempts.iter().enumerate() {
            let id = match &attempt.run_id {
                Some(run_id) => run_id.to_string(),
                None => identity(&format!("{} {} {at}", manifest.gate_id, case.id)),
            };
            let attachments = attach(folder, &id, attempt, root)?;
            write_json(folder, &id, &result(case, attempt, &id, &attachments))?;
        }
    }
    Ok(())
}

fn write_json(folder: &Path, id: &str, result: &Value) -> Result<(), GateError> {
    let text = serde_json::to_vec_pretty(result).map_err(ReportError::from)?;
    Ok(write_whole(&folder.join(format!("{id}-result.json")), &text)?)
}

/// A name of 32 hexadecimal digits for a text.
fn identity(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).fold(String::new(), |mut hex, byte| {
        // Writing to a text never fails.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

const fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Blocked | Verdict::Error => "broken",
    }
}

fn result(case: &CaseReport, attempt: &Attempt, id: &str, attachments: &[Value]) -> Value {
    let start = began(attempt);
    let stop = start + (attempt.seconds * 1000.0) as u64;
    let steps = attempt.result.iter().flat_map(|result| &result.steps).map(|step| {
        let name = format!("{}. {}", step.index, step.instruction);
        let details = if step.verdict == Verdict::Passed { json!({}) } else { json!({"message": step.reason}) };
        json!({"name": name, "status": status(step.verdict), "statusDetails": details, "stage": "finished",
               "start": start, "stop": stop})
    });
    let mut details = json!({"message": attempt.reason});
    if case.verdict == GateVerdict::Flaky {
        details["flaky"] = json!(true);
    }
    let mut labels = labels(case);
    for (name, value) in [("host", attempt.device.to_string()), ("tag", format!("by-{}", attempt.by))] {
        labels.push(json!({"name": name, "value": value}));
    }
    if attempt.repaired {
        labels.push(json!({"name": "tag", "value": "repaired"}));
    }
    json!({
        "uuid": id,
        "historyId": identity(case.id.as_str()),
        "testCaseId": identity(case.id.as_str()),
        "fullName": case.file.display().to_string(),
        "name": format!("{}: {}", case.id, case.title),
        "status": status(attempt.verdict),
        "statusDetails": details,
        "stage": "finished",
        "start": start,
        "stop": stop,
        "labels": labels,
        "steps": steps.collect::<Vec<_>>(),
        "attachments": attachments,
    })
}

fn not_run(case: &CaseReport, id: &str) -> Value {
    json!({
        "uuid": id,
        "historyId": identity(case.id.as_str()),
        "testCaseId": identity(case.id.as_str()),
        "fullName": case.file.display().to_string(),
        "name": format!("{}: {}", case.id, case.title),
        "status": "skipped",
        "statusDetails": {"message": case.reason},
        "stage": "finished",
        "labels": labels(case),
    })
}

fn labels(case: &CaseReport) -> Vec<Value> {
    let suite = case.file.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let told = [("framework", "tapwright".to_owned()), ("suite", suite), ("testId", case.id.to_string())];
    told.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect()
}

/// When an attempt began, in milliseconds since 1970: run ids hold it. 0 where no run was begun.
fn began(attempt: &Attempt) -> u64 {
    let id = attempt.run_id.as_ref().and_then(|id| uuid::Uuid::parse_str(id.as_str()).ok());
    let at = id.and_then(|id| id.get_timestamp()).map(|time| time.to_unix());
    at.map_or(0, |(seconds, nanos)| seconds * 1000 + u64::from(nanos) / 1_000_000)
}

/// Copies what is worth looking at beside the result; a pass needs its report only.
fn attach(folder: &Path, id: &str, attempt: &Attempt, root: &Path) -> Result<Vec<Value>, GateError> {
    let Some(run) = attempt.folder.as_ref().map(|run| root.join(run)) else { return Ok(Vec::new()) };
    let last = || History::read(&run).ok().and_then(|run| run.screens.last()?.screenshot.clone());
    let picture = if attempt.verdict == Verdict::Passed { None } else { last() };
    let wanted: [(&str, Option<PathBuf>, &str); 4] = [
        ("Report", Some("report.html".into()), "text/html"),
        ("The end", picture.map(PathBuf::from), "image/png"),
        ("Crash", Some(CRASH_FILE.into()), "text/plain"),
        ("Device log", Some(LOG_FILE.into()), "text/plain"),
    ];
    let mut attached = Vec::new();
    for (at, (name, file, kind)) in wanted.into_iter().enumerate() {
        let Some(file) = file.map(|file| run.join(file)).filter(|file| file.is_file()) else { continue };
        let end = file.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
        let source = format!("{id}-{at}-attachment.{end}");
        let path = folder.join(&source);
        std::fs::copy(&file, &path).map_err(|source| ReportError::Write { path, source })?;
        attached.push(json!({"name": name, "source": source, "type": kind}));
    }
    Ok(attached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::RunId;
    use crate::gate::sample::manifest;

    #[test]
    fn each_attempt_is_a_result_and_attempts_of_a_case_share_their_history() {
        let folder = tempfile::tempdir().unwrap();
        let (root, out) = (folder.path().join("root"), folder.path().join("allure"));
        let mut gate = manifest(&[("A-1", "p"), ("A-2", "f p"), ("A-3", "b"), ("A-4", "x")]);
        gate.cases[3].attempts.clear();
        let ids: Vec<String> = (0..4).map(|n| format!("0192f8a0-0000-7000-8000-00000000000{n}")).collect();
        let attempts = gate.cases.iter_mut().flat_map(|case| &mut case.attempts);
        for (attempt, id) in attempts.zip(&ids) {
            attempt.run_id = Some(RunId::new(id.clone()));
            let run = PathBuf::from("runs").join(id);
            std::fs::create_dir_all(root.join(&run)).unwrap();
            std::fs::write(root.join(&run).join("report.html"), "<p>").unwrap();
            attempt.folder = Some(run);
        }
        write_allure(&out, &gate, &root).unwrap();
        let read = |id: &str| -> Value {
            serde_json::from_slice(&std::fs::read(out.join(format!("{id}-result.json"))).unwrap()).unwrap()
        };
        let statuses: Vec<Value> = ids.iter().map(|id| read(id)["status"].clone()).collect();
        assert_eq!(statuses, ["passed", "failed", "passed", "broken"]);
        assert_eq!(read(&ids[1])["historyId"], read(&ids[2])["historyId"]);
        assert_ne!(read(&ids[0])["historyId"], read(&ids[1])["historyId"]);
        assert_eq!(read(&ids[1])["statusDetails"]["flaky"], true);
        let (start, stop) = (read(&ids[0])["start"].as_u64().unwrap(), read(&ids[0])["stop"].as_u64().unwrap());
        assert_eq!((start, stop - start), (0x0192_f8a0_0000, 4250));
        let attachment = read(&ids[0])["attachments"][0]["source"].as_str().unwrap().to_owned();
        assert_eq!(std::fs::read_to_string(out.join(attachment)).unwrap(), "<p>");
        let skipped =
            std::fs::read_dir(&out).unwrap().filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok());
        assert_eq!(skipped.filter(|text| text.contains("\"skipped\"")).count(), 1);
    }
}
