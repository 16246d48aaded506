//! Repairing a script while it is replayed: what it means is looked for on the changed screen by the ranking, else the agent
//! carries the step out, until the script fits again.
//!
//! Nothing here touches what a script checks or expects, and nothing is done in silence: each change is an event, stands in
//! the reason of the run, and is written beside the new version.

mod change;
mod conclusion;
mod errand;
mod intent;
mod mender;
mod passing;
mod route;
mod same_page;
#[cfg(test)]
mod sample;
mod watch;

pub(super) use mender::CaseMender;

use super::launcher::CaseLauncher;
use super::plan::PlannedCase;
use serde::{Deserialize, Serialize};

/// What is done where a script does not fit the app any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RepairMode {
    /// The replay ends: *blocked*.
    #[default]
    Off,
    /// A way is looked for; one that leads to what the case expects is written as a proposal beside the script.
    Propose,
    /// The same, and the proposal becomes the script.
    Apply,
}

/// What repairing a script needs.
pub(super) struct Repair<'a> {
    /// What becomes of a new version; never [`RepairMode::Off`].
    pub(super) mode: RepairMode,
    /// The script's case as it is planned: its sentences say what the actions are for.
    pub(super) case: PlannedCase,
    /// Loads the model once it is needed.
    pub(super) launcher: &'a CaseLauncher,
}
