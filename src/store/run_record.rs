//! A run as the store keeps it.

use super::Place;
use crate::domain::{CaseId, DeviceSerial, RunId, RunResult, Verdict};
use crate::run::RunRequest;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Where a run is on its way.
///
/// `queued → leased → running → finished`; `cancelled` is reached from any of the first three; `leased` and `running`
/// go back to `queued` when the run lost its device through no fault of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Waits for a device.
    Queued,
    /// Has a device; nothing happened on it yet.
    Leased,
    /// Its first event was seen.
    Running,
    /// Ended with a verdict.
    Finished,
    /// Ended because somebody asked for it.
    Cancelled,
}

impl RunState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Leased, Self::Running, Self::Finished, Self::Cancelled];

    /// As it is written in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Leased => "leased",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }

    /// True when nothing can happen to the run any more.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled)
    }
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no run state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a run state: expected queued, leased, running, finished or cancelled")]
pub struct UnknownState(pub String);

impl FromStr for RunState {
    type Err = UnknownState;
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|state| state.as_str() == word).ok_or_else(|| UnknownState(word.to_owned()))
    }
}

/// A run to be queued.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Its id; must be new.
    pub run_id: RunId,
    /// What is asked for. The values of `params` are not stored, only that there were some.
    pub request: RunRequest,
    /// Those values, sealed with a key that the store does not know; without it they are lost at a restart.
    pub sealed_params: Option<Vec<u8>>,
    /// Higher goes first; equal ones in order of submission.
    pub priority: i32,
    /// Now.
    pub created_at: Timestamp,
    /// The caller's own name for the submission; must be new.
    pub idempotency_key: Option<String>,
    /// For what it is, where it belongs to a night.
    pub place: Option<Place>,
}

/// A run, as the attempt that holds it: its number is the fence that keeps out whoever held the run before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The run.
    pub run_id: RunId,
    /// Attempts of the run, this one included.
    pub fence: u32,
}

impl Hold {
    /// The hold of whoever read the run so.
    pub fn of(run: &RunRecord) -> Self {
        Self { run_id: run.run_id.clone(), fence: run.attempts }
    }
}

/// Who takes a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    /// The host's name.
    pub host: String,
    /// How long that is believed without a sign of life.
    pub until: Timestamp,
}

/// A daemon that shares a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRecord {
    /// Its name.
    pub name: String,
    /// Its latest sign of life.
    pub seen_at: Timestamp,
    /// Serials of its devices.
    pub devices: Vec<String>,
}

/// Whose runs are brought in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// All: nobody else uses the database.
    All,
    /// Those this host held before it was started anew.
    Host(String),
    /// Those of hosts that give no sign of life any more.
    Silent,
}

/// What is held against a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStanding {
    /// The device.
    pub serial: DeviceSerial,
    /// `suspect` or `quarantined`.
    pub standing: String,
    /// Why.
    pub reason: String,
}

/// A stored run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Its id.
    pub run_id: RunId,
    /// Where it is on its way.
    pub state: RunState,
    /// What was asked for; `params` is always empty here.
    pub request: RunRequest,
    /// True when the request had parameters; their values are sealed ([`Store::sealed_params`](super::Store::sealed_params)).
    pub params_withheld: bool,
    /// Higher goes first.
    pub priority: i32,
    /// How often it was given a device.
    pub attempts: u32,
    /// How often the daemon died while it was under way.
    pub interruptions: u32,
    /// The device of the latest attempt.
    pub device: Option<DeviceSerial>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// Why, in one sentence; empty when passed or not ended.
    pub reason: String,
    /// The launcher's summary; absent when the run ended without one (never started, interrupted by a restart).
    pub result: Option<RunResult>,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// When the first event of its latest attempt came.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// For what it is, where it belongs to a night.
    pub place: Option<Place>,
    /// The host of the latest attempt.
    pub host: Option<String>,
    /// Its end was asked for at another host than the one that held it.
    pub cancel_requested: bool,
    /// What of it cannot be read any more; such a run is listed and never made.
    pub damage: Option<String>,
}

impl RunRecord {
    /// The case.
    pub const fn case_id(&self) -> &CaseId {
        &self.request.case_id
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// [`RunState::Finished`] or [`RunState::Cancelled`].
    pub state: RunState,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in one sentence.
    pub reason: String,
    /// The launcher's summary, where there is one.
    pub result: Option<RunResult>,
}

impl RunEnd {
    /// The end the launcher's summary tells.
    pub fn of(result: RunResult) -> Self {
        Self { state: RunState::Finished, verdict: result.verdict, reason: result.reason.clone(), result: Some(result) }
    }

    /// An end without a summary: infrastructure failed.
    pub fn error(reason: impl Into<String>) -> Self {
        Self { state: RunState::Finished, verdict: Verdict::Error, reason: reason.into(), result: None }
    }

    /// An end somebody asked for.
    pub fn cancelled(reason: impl Into<String>, result: Option<RunResult>) -> Self {
        Self { state: RunState::Cancelled, verdict: Verdict::Error, reason: reason.into(), result }
    }
}

/// One event as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Place in the run's stream over all attempts, from 0, without gaps.
    pub position: u64,
    /// The event's JSON, on one line.
    pub json: String,
}

/// Which runs to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    /// Only runs in this state.
    pub state: Option<RunState>,
    /// Only runs whose latest attempt had this device first.
    pub device: Option<DeviceSerial>,
    /// Only runs handed in before this one.
    pub before: Option<RunId>,
    /// At most so many.
    pub limit: u32,
}

/// What a start after a stop found in the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Had a device, and were under way at most for the first time: queued again.
    pub requeued: Vec<RunId>,
    /// Were under way when a daemon died, for the second time: ended as error.
    pub interrupted: Vec<RunId>,
    /// Waited with parameters, whose values died with the process: ended as error.
    pub params_lost: Vec<RunId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_reads_back_from_its_word() {
        for state in RunState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{state}\""));
        }
        assert!("Queued".parse::<RunState>().is_err());
    }
}
