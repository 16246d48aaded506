//! A run as it stands in a row of SQLite.

use super::{RunRecord, RunState, StoreError, UnknownState};
use crate::domain::{CaseId, DeviceSerial, RunId, Verdict};
use crate::run::RunRequest;
use jiff::Timestamp;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use std::collections::BTreeMap;

/// Stands for a case whose id cannot be read any more.
const DAMAGED_CASE: &str = "DAMAGED";

/// Reads one row of `runs`.
pub(super) fn read_run(row: &SqliteRow) -> Result<RunRecord, StoreError> {
    let lost = |source: sqlx::Error| StoreError::Statement { what: "read a run", source: source.into() };
    let run_id: String = row.try_get("run_id").map_err(&lost)?;
    let damaged = |field: &'static str, reason: String| StoreError::Damaged { run_id: run_id.clone(), field, reason };
    let text = |column: &'static str| row.try_get::<Option<String>, _>(column).map_err(&lost);
    let time = |column: &'static str| {
        let parse = |text: String| text.parse::<Timestamp>().map_err(|error| damaged(column, error.to_string()));
        text(column)?.map(parse).transpose()
    };
    let state = text("state")?.unwrap_or_default();
    let verdict = text("verdict")?.map(|word| {
        serde_json::from_value::<Verdict>(word.into()).map_err(|error| damaged("verdict", error.to_string()))
    });
    let result =
        text("result")?.map(|json| serde_json::from_str(&json).map_err(|error| damaged("result", error.to_string())));
    Ok(RunRecord {
        state: state.parse().map_err(|error: UnknownState| damaged("state", error.to_string()))?,
        request: serde_json::from_str(&text("request")?.unwrap_or_default())
            .map_err(|error| damaged("request", error.to_string()))?,
        params_withheld: row.try_get("params_withheld").map_err(&lost)?,
        priority: row.try_get("priority").map_err(&lost)?,
        attempts: row.try_get("attempts").map_err(&lost)?,
        interruptions: row.try_get("interruptions").map_err(&lost)?,
        device: text("device")?.map(DeviceSerial::new),
        verdict: verdict.transpose()?,
        reason: text("reason")?.unwrap_or_default(),
        result: result.transpose()?,
        created_at: time("created_at")?.ok_or_else(|| damaged("created_at", "it is empty".to_owned()))?,
        started_at: time("started_at")?,
        finished_at: time("finished_at")?,
        damage: None,
        run_id: RunId::new(run_id.clone()),
    })
}

/// Reads a row whatever is in it: one damaged run must stop neither the queue nor the list. What cannot be read is told
/// in [`RunRecord::damage`]; a row without so much as an id is left out.
pub(super) fn read_or_salvage(row: &SqliteRow) -> Option<RunRecord> {
    let error = match read_run(row) {
        Ok(run) => return Some(run),
        Err(error) => error,
    };
    let text = |column: &'static str| row.try_get::<Option<String>, _>(column).ok().flatten();
    let number = |column: &'static str| row.try_get::<u32, _>(column).unwrap_or_default();
    let Some(run_id) = text("run_id") else {
        tracing::error!(%error, "a run in the database has no id that can be read; it is left out");
        return None;
    };
    let case_id = text("case_id").and_then(|id| CaseId::new(&id).ok()).or_else(|| CaseId::new(DAMAGED_CASE).ok())?;
    let time = |column: &'static str| text(column).and_then(|text| text.parse::<Timestamp>().ok());
    Some(RunRecord {
        state: text("state").and_then(|word| word.parse().ok()).unwrap_or(RunState::Finished),
        request: RunRequest { case_id, device: None, actors: BTreeMap::new(), params: BTreeMap::new(), seed: 0 },
        params_withheld: false,
        priority: row.try_get("priority").unwrap_or_default(),
        attempts: number("attempts"),
        interruptions: number("interruptions"),
        device: text("device").map(DeviceSerial::new),
        verdict: Some(Verdict::Error),
        reason: error.to_string(),
        result: None,
        created_at: time("created_at").unwrap_or_default(),
        started_at: time("started_at"),
        finished_at: time("finished_at"),
        damage: Some(error.to_string()),
        run_id: RunId::new(run_id),
    })
}
