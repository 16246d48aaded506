//! The JSON forms of the HTTP API, for both of its ends.

use super::pool::Condition;
use crate::adb::{ConnectionState, DeviceRow};
use crate::domain::{CaseId, DeviceSerial, RunId, RunResult, Verdict};
use crate::run::{DeviceTraits, RunRequest};
use crate::store::{DeviceLine, Place, Reservation, Review, RunRecord, RunState};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Body of `POST /api/v1/runs`. Not `Debug`: parameters may be secrets.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSubmission {
    /// The case to run.
    #[schemars(with = "String")]
    pub case_id: CaseId,
    /// Run on this device only; any free one otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub device: Option<DeviceSerial>,
    /// Whose device is which, for a case with actors; `any` or nothing leaves it to the daemon.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub actors: BTreeMap<String, DeviceSerial>,
    /// Values that replace the case's own parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// Seed of every random choice.
    #[serde(default)]
    pub seed: u64,
    /// Higher goes first; equal ones in order of submission.
    #[serde(default)]
    pub priority: i32,
}

impl RunSubmission {
    /// What a malformed body is told.
    pub(super) const EXPECTED: &str = "expected a JSON object {\"case_id\": string, \"device\"?: string, \"actors\"?: {name: serial}, \
         \"params\"?: {name: string}, \"seed\"?: integer >= 0, \"priority\"?: integer}";

    /// Parts for the launcher and for the queue.
    pub(super) fn into_parts(self) -> (RunRequest, i32) {
        let Self { case_id, device, actors, params, seed, priority } = self;
        (RunRequest { case_id, device, actors, params, seed, location: None }, priority)
    }
}

impl From<RunRequest> for RunSubmission {
    fn from(request: RunRequest) -> Self {
        let RunRequest { case_id, device, actors, params, seed, .. } = request;
        Self { case_id, device, actors, params, seed, priority: 0 }
    }
}

/// Answer to a submission or a cancellation: where to look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunTicket {
    /// The run.
    #[schemars(with = "String")]
    pub run_id: RunId,
    /// Its state now.
    pub state: RunState,
    /// Path of [`RunView`] on this server; `/events` behind it is the event stream.
    pub url: String,
}

impl RunTicket {
    pub(super) fn new(run_id: RunId, state: RunState) -> Self {
        let url = format!("/api/v1/runs/{run_id}");
        Self { run_id, state, url }
    }
}

/// One run as the API shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunView {
    /// The run.
    #[schemars(with = "String")]
    pub run_id: RunId,
    /// Its case.
    #[schemars(with = "String")]
    pub case_id: CaseId,
    /// Where it is on its way.
    pub state: RunState,
    /// Path of this view.
    pub url: String,
    /// The device of the latest attempt.
    #[schemars(with = "Option<String>")]
    pub device: Option<DeviceSerial>,
    /// The only device it may use, where one was asked for.
    #[schemars(with = "Option<String>")]
    pub wanted_device: Option<DeviceSerial>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Higher goes first.
    pub priority: i32,
    /// True when it was submitted with parameters; their values are never shown.
    pub has_params: bool,
    /// How often it was given a device.
    pub attempts: u32,
    /// Its night, and for what it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// Why, in one sentence; empty when passed or not ended.
    pub reason: String,
    /// When it was submitted (RFC 3339, UTC).
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When its latest attempt's first event came.
    #[schemars(with = "Option<String>")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schemars(with = "Option<String>")]
    pub finished_at: Option<Timestamp>,
    /// What a person made of it; absent in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// `result.json` of the run; absent in lists, before the end, and when the run ended without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<RunResult>,
}

impl From<RunRecord> for RunView {
    fn from(run: RunRecord) -> Self {
        Self {
            url: RunTicket::new(run.run_id.clone(), run.state).url,
            run_id: run.run_id,
            case_id: run.request.case_id,
            state: run.state,
            device: run.device,
            wanted_device: run.request.device,
            seed: run.request.seed,
            priority: run.priority,
            has_params: run.params_withheld,
            attempts: run.attempts,
            place: run.place,
            verdict: run.verdict,
            reason: run.reason,
            created_at: run.created_at,
            started_at: run.started_at,
            finished_at: run.finished_at,
            review: None,
            result: run.result,
        }
    }
}

impl RunView {
    /// Without the result, which can be long.
    pub(super) fn short(self) -> Self {
        Self { result: None, ..self }
    }
}

/// Answer of `GET /api/v1/runs/{id}/artifacts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactList {
    /// The run.
    #[schemars(with = "String")]
    pub run_id: RunId,
    /// False while the run is under way, and where it left nothing.
    pub complete: bool,
    /// Earlier attempts whose recordings are there, for `?attempt=`.
    pub attempts: Vec<u32>,
    /// The files, by path.
    pub files: Vec<ArtifactView>,
}

/// One file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactView {
    /// Path within the run's recording.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Path on this server.
    pub url: String,
}

/// One device as the API shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceState {
    /// As the adb server names it.
    #[schemars(with = "String")]
    pub serial: DeviceSerial,
    /// `device` (ready), `offline`, `unauthorized`, …, as the adb server says.
    pub state: String,
    /// The model, where known.
    pub model: Option<String>,
    /// The product, where known.
    pub product: Option<String>,
    /// The profile that matches it, once it was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The language of its system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The run that holds it.
    #[schemars(with = "Option<String>")]
    pub run_id: Option<RunId>,
    /// `sound`, `suspect` (the last run on it ended as an error) or `quarantined` (two did; it gets no runs).
    #[serde(default)]
    pub standing: String,
    /// What is held against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where it is in the pool: `new`, `preparing`, `ready`, `leased`, `suspect`, `quarantined` or `gone`.
    #[serde(default)]
    pub phase: String,
    /// Why it is not made ready yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfit: Option<String>,
    /// True where `/picture` can be asked for.
    #[serde(default)]
    pub has_picture: bool,
    /// Who has it for now, in place of runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reservation: Option<Reservation>,
    /// Why this daemon may not use it: another process of this host does, the workspace does not allow it, or it is an emulator of
    /// this daemon that is not ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barred: Option<String>,
}

impl DeviceState {
    pub(super) fn new(row: DeviceRow, run_id: Option<RunId>, barred: Option<String>, condition: Condition) -> Self {
        let Condition { phase, standing, unfit, .. } = condition;
        let (standing, reason) = (standing.word().to_owned(), standing.reason().map(str::to_owned));
        Self {
            phase: phase.word().to_owned(),
            unfit,
            has_picture: false,
            reservation: None,
            standing,
            reason,
            barred,
            state: row.state.to_string(),
            serial: row.serial,
            model: row.model,
            product: row.product,
            run_id,
            profile: None,
            locale: None,
        }
    }

    /// The same, of which pictures can be asked for.
    #[must_use]
    pub(super) fn pictured(self, has_picture: bool) -> Self {
        Self { has_picture, ..self }
    }

    /// A device that is not connected.
    pub(super) fn absent(serial: DeviceSerial, condition: Condition) -> Self {
        let state = ConnectionState::Offline;
        let row = DeviceRow { serial, state, product: None, model: None, device: None, transport_id: None };
        Self { state: "absent".to_owned(), ..Self::new(row, None, None, condition) }
    }

    /// The same, for whom it is kept.
    #[must_use]
    pub(super) fn kept_for(self, reservation: Option<Reservation>) -> Self {
        Self { reservation, ..self }
    }

    /// The same, with what is known of the device.
    #[must_use]
    pub(super) fn known_as(self, traits: Option<DeviceTraits>) -> Self {
        let (profile, locale) = traits.map(|traits| (traits.profile, traits.locale)).unzip();
        Self { profile, locale, ..self }
    }
}

/// Answer of `GET /api/v1/devices/{serial}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicePage {
    /// The device; the state is `absent` where it is not connected.
    pub device: DeviceState,
    /// What happened to it, the latest first.
    pub log: Vec<DeviceLine>,
}

/// Answer of `GET /api/v1/health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Tapwright's version.
    pub version: String,
    /// Devices the adb server knows.
    pub devices: usize,
    /// Those that are ready to be used, busy ones included.
    pub devices_ready: usize,
    /// Those that hold a run.
    pub devices_busy: usize,
    /// False when the device list is not kept up to date any more.
    pub devices_tracked: bool,
    /// Runs that wait.
    pub queue_length: u64,
    /// What is wrong with the database; while something is, no run gets a device.
    #[serde(default)]
    pub store_trouble: Option<String>,
    /// True after the stop signal.
    pub stopping: bool,
}
