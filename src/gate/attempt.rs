//! What was tried for a case.

use crate::domain::{CaseId, DeviceSerial, RunId, RunResult, Verdict};
use crate::run::LaunchError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Who carried a case out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A recorded script.
    Script,
    /// The agent.
    Agent,
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Script => "script",
            Self::Agent => "agent",
        })
    }
}

/// A script or the agent, once, on a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// Which try of the case it belongs to, from 1; a try has two where the agent took over from a script.
    pub number: u32,
    /// Who.
    pub by: By,
    /// The device; of a case with actors the first one's.
    #[schemars(with = "String")]
    pub device: DeviceSerial,
    /// How it ended.
    pub verdict: Verdict,
    /// Why, in one sentence; empty when passed.
    pub reason: String,
    /// How long it took.
    pub seconds: f64,
    /// The run; absent where none could be started.
    #[schemars(with = "Option<String>")]
    pub run_id: Option<RunId>,
    /// A script had to be repaired on the way.
    #[serde(default)]
    pub repaired: bool,
    /// Why the agent did what the case has a script for; absent where the script was used, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unused_script: Option<String>,
    /// The run's folder, relative to the workspace where possible: recording, result and report.
    pub folder: Option<PathBuf>,
    /// The summary of the run; kept in the run's folder.
    #[serde(skip)]
    pub result: Option<RunResult>,
}

impl Attempt {
    /// What came of starting a run.
    pub fn of(
        by: By,
        device: &DeviceSerial,
        took: Duration,
        launched: Result<RunResult, LaunchError>,
        folder: impl Fn(&CaseId, &RunId) -> Option<PathBuf>,
    ) -> Self {
        let (device, seconds) = (device.clone(), took.as_secs_f64());
        match launched {
            Ok(result) => Self {
                number: 1,
                by,
                device,
                verdict: result.verdict,
                reason: result.reason.clone(),
                seconds,
                run_id: Some(result.run_id.clone()),
                repaired: result.repaired,
                unused_script: None,
                folder: folder(&result.case_id, &result.run_id),
                result: Some(result),
            },
            Err(error) => {
                let reason = error.to_string();
                let verdict = Verdict::Error;
                let (run_id, unused_script, folder, result) = (None, None, None, None);
                let (number, repaired) = (1, false);
                Self { number, by, device, verdict, reason, seconds, run_id, repaired, unused_script, folder, result }
            }
        }
    }
}

/// A case tried once: by a script, by the agent, or by both one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Try {
    /// In order; never empty once it has ended.
    pub attempts: Vec<Attempt>,
    /// It was called off before it ended by itself.
    pub cut: bool,
}

impl Try {
    /// The attempt that decides.
    pub fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// How it ended.
    pub fn verdict(&self) -> Verdict {
        self.last().map_or(Verdict::Error, |last| last.verdict)
    }

    /// Why it ended so.
    pub fn reason(&self) -> &str {
        self.last().map_or("", |last| &last.reason)
    }
}
