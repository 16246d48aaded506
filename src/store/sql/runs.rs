//! Runs, their events and the queue in SQL.

use crate::domain::{CaseId, DeviceSerial, RunId, Verdict};
use crate::run::RunRequest;
use crate::store::{RunRecord, RunState, StoreError, UnknownState};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Stands for a case whose id cannot be read any more.
const DAMAGED_CASE: &str = "DAMAGED";
/// The text of a run that was under way when the daemon died, and had been before.
pub(in crate::store) const INTERRUPTED: &str = "interrupted by a restart, as in the attempt before";
/// The text of a run that waited with parameters when the daemon died.
pub(in crate::store) const PARAMS_LOST: &str = "parameters were lost at restart; submit again";
/// Bytes a database must take before it counts as well again: more than any claim or end of a run needs.
pub(in crate::store) const BALLAST: usize = 64 * 1024;
/// The columns of a run in a list: its result, which can be long, is left out.
pub(in crate::store) const LISTED: &str = "run_id, case_id, state, priority, request, params_withheld, attempts, \
     interruptions, device, verdict, reason, place, host, cancel_requested, created_at, started_at, \
     finished_at";

/// A row of `runs`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct RunRow {
    run_id: String,
    case_id: String,
    state: String,
    priority: i64,
    request: String,
    params_withheld: bool,
    attempts: i64,
    interruptions: i64,
    device: Option<String>,
    verdict: Option<String>,
    reason: String,
    /// Lists leave it out.
    #[sqlx(default)]
    result: Option<String>,
    place: Option<String>,
    host: Option<String>,
    cancel_requested: bool,
    #[sqlx(flatten)]
    times: RunTimes,
}

/// The times of a run.
#[derive(sqlx::FromRow)]
struct RunTimes {
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
}

impl RunRow {
    /// The run; what cannot be read is an error.
    pub(in crate::store) fn read(&self) -> Result<RunRecord, StoreError> {
        let damaged =
            |field: &'static str, reason: String| StoreError::Damaged { run_id: self.run_id.clone(), field, reason };
        let time = |field: &'static str, text: &str| {
            text.parse::<Timestamp>().map_err(|error| damaged(field, error.to_string()))
        };
        let verdict = self.verdict.clone().map(|word| {
            serde_json::from_value::<Verdict>(word.into()).map_err(|error| damaged("verdict", error.to_string()))
        });
        let json = |field: &'static str| move |error: serde_json::Error| (field, error.to_string());
        let told = |(field, reason): (&'static str, String)| damaged(field, reason);
        let result = self.result.as_deref().map(serde_json::from_str).transpose();
        let place = self.place.as_deref().map(serde_json::from_str).transpose();
        Ok(RunRecord {
            state: self.state.parse().map_err(|error: UnknownState| damaged("state", error.to_string()))?,
            request: serde_json::from_str(&self.request).map_err(json("request")).map_err(told)?,
            params_withheld: self.params_withheld,
            priority: i32::try_from(self.priority).map_err(|error| damaged("priority", error.to_string()))?,
            attempts: count(self.attempts),
            interruptions: count(self.interruptions),
            device: self.device.clone().map(DeviceSerial::new),
            verdict: verdict.transpose()?,
            reason: self.reason.clone(),
            result: result.map_err(json("result")).map_err(told)?,
            place: place.map_err(json("place")).map_err(told)?,
            host: self.host.clone(),
            cancel_requested: self.cancel_requested,
            created_at: time("created_at", &self.times.created_at)?,
            started_at: self.times.started_at.as_deref().map(|text| time("started_at", text)).transpose()?,
            finished_at: self.times.finished_at.as_deref().map(|text| time("finished_at", text)).transpose()?,
            damage: None,
            run_id: RunId::new(self.run_id.clone()),
        })
    }

    /// The run whatever is in its row: one damaged run must stop neither the queue nor the list. What cannot be read is
    /// told in [`RunRecord::damage`].
    pub(in crate::store) fn read_or_salvage(self) -> Option<RunRecord> {
        let error = match self.read() {
            Ok(run) => return Some(run),
            Err(error) => error,
        };
        let case_id = CaseId::new(&self.case_id).ok().or_else(|| CaseId::new(DAMAGED_CASE).ok())?;
        let time = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
        Some(RunRecord {
            state: self.state.parse().unwrap_or(RunState::Finished),
            request: RunRequest {
                case_id,
                device: None,
                actors: BTreeMap::new(),
                params: BTreeMap::new(),
                seed: 0,
                location: None,
            },
            params_withheld: false,
            priority: i32::try_from(self.priority).unwrap_or_default(),
            attempts: count(self.attempts),
            interruptions: count(self.interruptions),
            device: self.device.map(DeviceSerial::new),
            verdict: Some(Verdict::Error),
            reason: error.to_string(),
            result: None,
            place: None,
            host: self.host,
            cancel_requested: self.cancel_requested,
            created_at: self.times.created_at.parse().unwrap_or_default(),
            started_at: time(&self.times.started_at),
            finished_at: time(&self.times.finished_at),
            damage: Some(error.to_string()),
            run_id: RunId::new(self.run_id),
        })
    }
}

/// A row of `events`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct EventRow {
    pub(in crate::store) position: i64,
    pub(in crate::store) event: String,
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

pub(in crate::store) fn to_json(
    value: &impl serde::Serialize,
    run_id: &RunId,
    field: &'static str,
) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged {
        run_id: run_id.to_string(),
        field,
        reason: error.to_string(),
    })
}

pub(in crate::store) fn position_of(position: i64, run_id: &str) -> Result<u64, StoreError> {
    u64::try_from(position).map_err(|error| StoreError::Damaged {
        run_id: run_id.to_owned(),
        field: "event position",
        reason: error.to_string(),
    })
}

/// Adds a run to the queue, within a transaction or without.
macro_rules! insert_run {
    ($run:expr, $executor:expr) => {{
        let $crate::store::NewRun { run_id, mut request, sealed_params, priority, created_at, idempotency_key, place } =
            $run;
        let params_withheld = !request.params.is_empty();
        request.params.clear();
        let request_json = $crate::store::sql::to_json(&request, &run_id, "request")?;
        let batch_id = place.as_ref().map(|place| place.batch_id.clone());
        let place = place.map(|place| $crate::store::sql::to_json(&place, &run_id, "place")).transpose()?;
        sqlx::query(
            "INSERT INTO runs (run_id, case_id, state, priority, request, params_withheld, sealed_params, wanted_device,
                 created_at, idempotency_key, batch_id, place)
             VALUES ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(run_id.as_str().to_owned())
        .bind(request.case_id.as_str().to_owned())
        .bind(i64::from(priority))
        .bind(request_json)
        .bind(params_withheld)
        .bind(sealed_params)
        .bind(request.device.map(|device| device.as_str().to_owned()))
        .bind(created_at.to_string())
        .bind(idempotency_key)
        .bind(batch_id)
        .bind(place)
        .execute($executor)
        .await
        .map(drop)
        .map_err($crate::store::sql::failed("queue a run"))
    }};
}
pub(in crate::store) use insert_run;
