//! A case on a device: the executor and its event stream.

mod atlas;
mod caution;
mod ensemble;
mod executor;
mod explorer;
mod export;
mod history;
mod launcher;
mod plan;
mod recorder;
mod recording;
mod request;
mod start;

pub use executor::{
    ConnectedDevice, DeviceConnector, Judgement, NoReports, Places, RunContext, RunReporter, replay_script, run_case,
};
pub use explorer::{Expedition, Exploration, ExploreError, FoundPlace, explore};
pub use export::{ExportError, Exported, export_runs};
pub use history::{BegunStep, Done, History, SeenScreen, read_artifact};
pub use launcher::{CaseLauncher, JudgementSource};
pub use plan::{PlanError, PlannedActor, PlannedCase};
pub use recording::{FinishedRecording, RecordingError, RecordingWriter};
pub use request::{LaunchError, RunLauncher, RunRequest};
