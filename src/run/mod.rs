//! A case on a device: the executor and its event stream.

mod agenda;
mod atlas;
mod attempt;
mod by_pipeline;
mod by_rules;
mod caution;
mod decider;
mod doubts;
mod early;
mod ensemble;
mod executor;
mod expected;
mod explorer;
mod export;
mod history;
mod language;
mod launcher;
mod memory;
mod past_runs;
mod plan;
mod recorder;
mod recording;
mod recordings;
mod replaying;
mod reprise;
mod request;
mod scribe;
mod script_first;
mod start;
mod step_tracker;

pub use decider::Decider;
pub use early::ALREADY_TRUE;
pub use executor::{
    ConnectedDevice, DeviceConnector, Judgement, NoReports, Places, RunContext, RunReporter, replay_script, run_case,
};
pub use expected::{all_expected_holds, expected_texts};
pub use explorer::{Expedition, Exploration, ExploreError, FoundPlace, explore};
pub use export::{ExportError, Exported, export_runs};
pub use history::{BegunStep, Done, History, SeenScreen, read_artifact};
pub use language::{Language, ReadStrings, StringTables};
pub use launcher::{CaseLauncher, JudgementSource};
pub use past_runs::{PastRun, past_runs};
pub use plan::{PlanError, PlannedActor, PlannedCase};
pub use recording::{FinishedRecording, RecordingError, RecordingWriter};
pub use recordings::{CutOff, FoundRecording, RecordedFile, RecordedRun, Recordings};
pub use request::{ANY_DEVICE, LaunchError, RunLauncher, RunRequest};
pub use script_first::{ScriptFirst, ScriptPolicy};
