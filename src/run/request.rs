//! What a caller asks for, and the port through which command line and daemon have it done: one code path for both.

use crate::domain::{CaseId, DeviceSerial, Place, RunEvent, RunId, RunResult};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// In place of a serial: whichever device is free.
pub const ANY_DEVICE: &str = "any";

/// One run to be made.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The case to run.
    pub case_id: CaseId,
    /// Run on this device only; any free one otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceSerial>,
    /// Whose device is which, for a case with actors; [`ANY_DEVICE`] leaves the choice to the daemon.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actors: BTreeMap<String, DeviceSerial>,
    /// Values that replace the case's own parameters. Never logged: they may be secrets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// Seed of every random choice; 0 unless given.
    #[serde(default)]
    pub seed: u64,
    /// Where the devices are to be, `48.85,2.35`, in place of what the case says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

impl RunRequest {
    /// The place that is asked for.
    ///
    /// # Errors
    /// The text is none.
    pub(super) fn place(&self) -> Result<Option<Place>, LaunchError> {
        let place = self.location.as_deref().map(str::parse::<Place>).transpose();
        place.map_err(|error| LaunchError::Request(format!("{}: {error}", self.case_id)))
    }
}

/// Why a run could not even be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// No case has this id; the text names the nearest ones.
    #[error("{0}")]
    UnknownCase(String),
    /// The request itself is wrong: malformed case file, unknown parameter.
    #[error("{0}")]
    Request(String),
    /// Infrastructure is missing: model, runtime library, device.
    #[error("{0}")]
    Infrastructure(String),
}

/// Runs cases on devices. A failure during the run is a verdict in the result, not an error.
#[async_trait]
pub trait RunLauncher: Send + Sync {
    /// Checks that the request's case exists and is well-formed, without touching a device.
    fn check(&self, request: &RunRequest) -> Result<(), LaunchError>;

    /// The names of the actors, each of whom needs a device of their own; empty for a case on one device.
    fn cast(&self, _request: &RunRequest) -> Result<Vec<String>, LaunchError> {
        Ok(Vec::new())
    }

    /// Runs the case on the device; every event goes to `events` in order (a closed receiver is ignored). When
    /// `cancel` fires the run ends soon, with verdict `error` and the reason "interrupted".
    async fn launch(
        &self,
        run_id: RunId,
        request: &RunRequest,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> Result<RunResult, LaunchError>;
}
