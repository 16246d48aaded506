//! `result.json`: the stable summary of a run.

use super::{Acquisition, ActionSource, CaseId, DeviceSerial, DiagnosisCount, RunId, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The summary of one run; its JSON form is a published contract (`schema` counts its version).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// Version of this form; 1.
    pub schema: u32,
    /// The run.
    #[schemars(with = "String")]
    pub run_id: RunId,
    /// The case.
    #[schemars(with = "String")]
    pub case_id: CaseId,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in one sentence; empty when passed.
    pub reason: String,
    /// True when it passed only after a failed attempt.
    pub flaky: bool,
    /// True when a script had to be repaired on the way.
    pub repaired: bool,
    /// How often it was tried, from the start of the app each time.
    pub attempts: u32,
    /// The attempt that is told, from 1: the one that passed, else the one that came farthest.
    #[serde(default = "first")]
    pub told_attempt: u32,
    /// Where it ran.
    pub device: DeviceView,
    /// The apps it started, with their versions; empty where none was started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apps: Vec<AppVersion>,
    /// How likely it is that a run that did not pass stopped by the app's fault; absent where that is no question: after a crash, in
    /// a replay, with several actors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
    /// What happened, step by step.
    pub steps: Vec<StepResult>,
    /// How much was done.
    pub counts: Counts,
    /// What was wrong with perceiving the screens, each kind once; empty when nothing was.
    #[serde(default)]
    pub diagnostics: Vec<DiagnosisCount>,
    /// How the looks at the screen came about: which attempts delivered and how long they took.
    #[serde(default)]
    pub acquisition: Acquisition,
    /// The embedding model that decided; null when none did, as in a replay.
    #[serde(default)]
    pub model: Option<String>,
    /// Where the time went.
    pub timings_ms: Timings,
    /// Path of the persistent script, relative to the workspace where possible; only when one was written.
    pub script: Option<String>,
    /// Files of the run, relative to its folder.
    pub artifacts: Vec<String>,
}

const fn first() -> u32 {
    1
}

/// The device a run used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceView {
    /// As the adb server names it.
    #[schemars(with = "String")]
    pub serial: DeviceSerial,
    /// The profile that matched it.
    pub profile: String,
    /// Android API level.
    pub api: u32,
}

/// An app that a run started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppVersion {
    /// Who used it; empty on one device.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub actor: String,
    /// Its package.
    pub package: String,
    /// Its version name, where the device tells.
    pub version: Option<String>,
}

/// How one step went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepResult {
    /// Counted from 1.
    pub index: usize,
    /// As the case has it.
    pub instruction: String,
    /// As the agent read it.
    pub rewritten: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub actions: Vec<ActionRecord>,
    /// Why the step ended as it did.
    pub reason: String,
    /// How sure it is that a step that passed was carried out, from 0 to 1; told in `step_finished`, not in this form.
    #[serde(skip)]
    pub confidence: Option<f32>,
}

/// One action as it was carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActionRecord {
    /// The skill's name.
    pub skill: String,
    /// Its arguments; secrets only by name.
    pub args: serde_json::Value,
    /// The widget's label, where there is one.
    pub target: Option<String>,
    /// The ranking's score; absent for replayed actions.
    pub score: Option<f32>,
    /// Who chose it.
    pub source: ActionSource,
}

/// How much was done in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Actions carried out, invalid ones included.
    pub actions: u64,
    /// Batches the embedding model was run on; cache hits do not count.
    pub model_calls: u64,
    /// Hierarchy dumps taken.
    pub dumps: u64,
    /// Those of them that gave no hierarchy and were tried again.
    #[serde(default)]
    pub failed_dumps: u64,
}

/// Where a run's time went, in milliseconds of wall time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// Dumps, screenshots and their parsing.
    pub observe: f64,
    /// Candidates, embedding, ranking, inspection.
    pub decide: f64,
    /// Sending actions.
    pub act: f64,
    /// Waiting for the screen to come to rest.
    pub settle: f64,
    /// From start to verdict.
    pub total: f64,
}

/// How likely it is that a run did not pass by the app's fault, and what that is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attribution {
    /// The probability, 0 to 1.
    pub probability: f32,
    /// From this probability on a run has *failed*; below it is *blocked*.
    pub threshold: f32,
    /// What moved it most, the weightiest first.
    pub signs: Vec<AttributionSign>,
    /// All signs with their values; for whoever fits the model, not in this form.
    #[serde(skip)]
    pub evidence: Vec<(String, f32)>,
}

impl Attribution {
    /// True where the run has failed.
    pub fn is_fault(&self) -> bool {
        self.probability >= self.threshold
    }
}

/// One sign of whose fault it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttributionSign {
    /// What it is, in words.
    pub name: String,
    /// Its value.
    pub value: f32,
    /// What it adds to the probability.
    pub adds: f32,
}
