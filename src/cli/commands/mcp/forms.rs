//! What the tools take and give.

use crate::cli::commands::cases::LintRow;
use crate::domain::{RunResult, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Steps of a result that are told.
const MOST_STEPS: usize = 60;

/// Which device.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct OnDevice {
    /// Its serial; absent for the only one.
    pub(super) device: Option<String>,
}

/// A device.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DeviceRow {
    /// As the adb server names it.
    pub(super) serial: String,
    /// `device` where it can be used.
    pub(super) state: String,
    /// Its model, where known.
    pub(super) model: Option<String>,
}

/// All devices.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DeviceList {
    /// One each.
    pub(super) devices: Vec<DeviceRow>,
}

/// A screen as a list of lines.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ScreenLines {
    /// A short title.
    pub(super) title: String,
    /// `dialog`, `permission`, `crash`, … or `ordinary`.
    pub(super) kind: String,
    /// `package/activity` in front, where known.
    pub(super) foreground: Option<String>,
    /// What `act` asks for, so that nothing is done on another screen than the one that was read.
    pub(super) screen: String,
    /// A widget a line: number, role, label, value, state, id.
    pub(super) widgets: Vec<String>,
    /// Widgets that were left out.
    pub(super) left_out: usize,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed {
    /// Touch a widget.
    Tap,
    /// Touch and hold it.
    LongPress,
    /// Type a text into a field; what it holds is replaced.
    Type,
    /// Press the system's back key.
    Back,
    /// Press Enter.
    Enter,
    /// Show more further down.
    ScrollDown,
    /// Show more further up.
    ScrollUp,
}

/// One action.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ActArgs {
    /// The device; absent for the only one.
    pub(super) device: Option<String>,
    /// What to do.
    pub(super) action: Deed,
    /// The widget's number, for `tap`, `long_press` and `type`.
    pub(super) widget: Option<usize>,
    /// What to type.
    pub(super) text: Option<String>,
    /// The `screen` that was read; refused where another one is shown by now.
    pub(super) screen: String,
}

/// An instruction to weigh.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhyArgs {
    /// The device; absent for the only one.
    pub(super) device: Option<String>,
    /// A step in plain words.
    pub(super) instruction: String,
}

/// A candidate for an instruction.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Candidate {
    /// What would be done.
    pub(super) action: String,
    /// Its score.
    pub(super) score: f32,
    /// What the score is made of.
    pub(super) terms: Vec<String>,
    /// Why it would not be done, whatever its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forbidden: Option<String>,
}

/// What would be chosen.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WhyAnswer {
    /// The instruction as the ranking read it.
    pub(super) read_as: String,
    /// Below this score nothing would be chosen.
    pub(super) nothing_fits: f32,
    /// The best candidates, best first.
    pub(super) candidates: Vec<Candidate>,
}

/// A case to run.
// Not `Debug`: its values may be secrets.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RunArgs {
    /// The case's id.
    pub(super) case: String,
    /// The device; absent for the only one.
    pub(super) device: Option<String>,
    /// Values of the case's parameters by name, in place of its own; a secret's value goes nowhere else.
    #[serde(default)]
    pub(super) params: BTreeMap<String, String>,
}

/// What is done where a script does not fit any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Repair {
    /// It ends: blocked.
    #[default]
    Off,
    /// A repair is proposed.
    Propose,
}

/// A script to replay.
// Not `Debug`: its values may be secrets.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ReplayArgs {
    /// A case's id, or a script file.
    pub(super) script: String,
    /// The device; absent for the only one.
    pub(super) device: Option<String>,
    /// What is done where it does not fit any more.
    #[serde(default)]
    pub(super) repair: Repair,
    /// Values of the script's secrets by name.
    #[serde(default)]
    pub(super) params: BTreeMap<String, String>,
}

/// How a run or replay ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Outcome {
    /// The case.
    pub(super) case: String,
    /// The verdict.
    pub(super) verdict: Verdict,
    /// Why; empty for a plain pass.
    pub(super) reason: String,
    /// A script had to be repaired.
    pub(super) repaired: bool,
    /// Seconds.
    pub(super) seconds: f64,
    /// A step a line, with its verdict.
    pub(super) steps: Vec<String>,
    /// The report for people.
    pub(super) report: Option<PathBuf>,
    /// The script that was written, if one was.
    pub(super) script: Option<String>,
}

impl Outcome {
    /// The summary of a result; `report` is where its report lies.
    pub(super) fn of(result: &RunResult, report: Option<PathBuf>) -> Self {
        let step = |step: &crate::domain::StepResult| {
            let reason = if step.verdict == Verdict::Passed { String::new() } else { format!(": {}", step.reason) };
            format!("{}. {} [{}{reason}]", step.index, step.instruction, step.verdict)
        };
        Self {
            case: result.case_id.to_string(),
            verdict: result.verdict,
            reason: result.reason.clone(),
            repaired: result.repaired,
            seconds: result.timings_ms.total / 1000.0,
            steps: result.steps.iter().take(MOST_STEPS).map(step).collect(),
            report,
            script: result.script.clone(),
        }
    }
}

/// Which cases.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct CasesArgs {
    /// Only those with this tag.
    pub(super) tag: Option<String>,
}

/// A case.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CaseRow {
    /// Its id.
    pub(super) id: String,
    /// Its title.
    pub(super) title: String,
    /// Its tags.
    pub(super) tags: Vec<String>,
    /// Its file.
    pub(super) file: PathBuf,
}

/// Cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CaseList {
    /// One each.
    pub(super) cases: Vec<CaseRow>,
    /// Cases that were left out.
    pub(super) left_out: usize,
}

/// Which case to check.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct LintArgs {
    /// Its id or file; absent for all.
    pub(super) case: Option<String>,
}

/// What is wrong with cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Findings {
    /// `file:line:column: severity: message`, one each.
    pub(super) findings: Vec<String>,
    /// Findings that were left out.
    pub(super) left_out: usize,
}

impl Findings {
    /// At most `most` of them.
    pub(super) fn of(rows: &[LintRow], most: usize) -> Self {
        let findings = rows.iter().take(most).map(LintRow::told).collect();
        Self { findings, left_out: rows.len().saturating_sub(most) }
    }
}
