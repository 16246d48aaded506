//! How earlier runs of a case ended and how long they took, from the recordings' folders.

use crate::domain::{CaseId, Verdict};
use serde::Deserialize;
use std::path::Path;

/// One earlier run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PastRun {
    /// How it ended.
    pub verdict: Verdict,
    /// How long it took.
    pub seconds: f64,
}

/// The part of `result.json` that is asked for.
#[derive(Deserialize)]
struct Told {
    verdict: Verdict,
    timings_ms: Times,
}

#[derive(Deserialize)]
struct Times {
    total: f64,
}

/// The latest runs of a case under `runs`, the latest first, at most `most`. What is not complete or not readable is left
/// out.
pub fn past_runs(runs: &Path, case_id: &CaseId, most: usize) -> Vec<PastRun> {
    let Ok(entries) = std::fs::read_dir(runs.join(case_id.as_str())) else { return Vec::new() };
    let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // The names of runs sort by the time they began.
    folders.sort();
    let told = folders.iter().rev().filter_map(|folder| {
        let text = std::fs::read(folder.join("result.json")).ok()?;
        let told: Told = serde_json::from_slice(&text).ok()?;
        Some(PastRun { verdict: told.verdict, seconds: told.timings_ms.total / 1000.0 })
    });
    told.take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_runs_come_first_and_damaged_ones_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let id = CaseId::new("A-1").unwrap();
        assert!(past_runs(folder.path(), &id, 9).is_empty());
        for (name, text) in [
            ("01", r#"{"verdict": "failed", "timings_ms": {"total": 1500.0}, "more": 1}"#),
            ("02", r#"{"verdict": "pas"#),
            ("03", r#"{"verdict": "passed", "timings_ms": {"total": 4000.0}}"#),
            ("04.partial", ""),
        ] {
            let run = folder.path().join("A-1").join(name);
            std::fs::create_dir_all(&run).unwrap();
            std::fs::write(run.join("result.json"), text).unwrap();
        }
        let both = past_runs(folder.path(), &id, 9);
        assert_eq!(both.iter().map(|run| run.seconds).collect::<Vec<_>>(), [4.0, 1.5]);
        assert_eq!(past_runs(folder.path(), &id, 1).len(), 1);
    }
}
