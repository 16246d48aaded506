//! What came of a run, compared with what had to come of it.

use super::file::Expected;
use super::fuzz::VariantReport;
use crate::domain::Verdict;
use serde::Serialize;

/// What a run's verdict is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// As the suite says: passed with every expectation held, or failed or blocked where it must.
    Right,
    /// It said passed, but must not have passed, or an expectation does not hold.
    FalsePass,
    /// It said failed of an app without a planted bug.
    FalseFailure,
    /// It was blocked where there was a way, or where a planted bug was to be reported.
    Blocked,
    /// Infrastructure failed.
    Error,
}

impl Ending {
    /// Judges a verdict. `held` tells whether the expectations hold on the device, looked at independently of the run.
    pub(super) const fn of(verdict: Verdict, expected: Expected, held: bool) -> Self {
        match (verdict, expected) {
            (Verdict::Error, _) => Self::Error,
            (Verdict::Passed, Expected::Passed) if held => Self::Right,
            (Verdict::Passed, _) => Self::FalsePass,
            (Verdict::Failed, Expected::Failed) | (Verdict::Blocked, Expected::Blocked) => Self::Right,
            (Verdict::Failed, Expected::Passed | Expected::Blocked) => Self::FalseFailure,
            (Verdict::Blocked, Expected::Passed | Expected::Failed) => Self::Blocked,
        }
    }

    /// For people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::FalsePass => "FALSE PASS",
            Self::FalseFailure => "FALSE FAILURE",
            Self::Blocked => "blocked",
            Self::Error => "error",
        }
    }
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct RunReport {
    /// Its suite.
    pub suite: String,
    /// Its case.
    pub case: String,
    /// Kind, size, density, API level and language of the device.
    pub device: String,
    /// What was changed of the suite's own run; `None` of that itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<VariantReport>,
    /// What is switched on in the apps.
    pub switches: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// What it had to end as.
    pub expected: Expected,
    /// What it ended as.
    pub verdict: Verdict,
    /// Whether all expectations of the case held on the device in the end, looked at independently of the run.
    pub held: bool,
    /// What that is worth.
    pub ending: Ending,
    /// Why, in one line.
    pub reason: String,
    /// Why the suite has this run.
    pub why: Option<String>,
    /// Steps of the case, those not reached included.
    pub steps_total: usize,
    /// Steps the agent finished.
    pub steps: Vec<StepReport>,
    /// Actions carried out.
    pub actions: u64,
    /// Those of them that had no effect.
    pub invalid_actions: u64,
    /// Times the app was started anew.
    pub restarts: u64,
    /// Expectations that held in the end.
    pub expectations_held: usize,
    /// Expectations of the case.
    pub expectations: usize,
    /// Time that passed on the device.
    pub device_seconds: f64,
    /// Milliseconds of the run without those the device took.
    pub overhead_ms: f64,
    /// Batches the model was run on.
    #[serde(skip)]
    pub model_calls: u64,
    /// The case is a goal given as one prompt.
    #[serde(skip)]
    pub prompt: bool,
    /// Milliseconds of each decision.
    #[serde(skip)]
    pub decisions: Vec<f64>,
}

/// One step of a run.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// As the agent read it.
    pub instruction: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// What was done: skill and target.
    pub actions: Vec<String>,
}

impl RunReport {
    /// The planted bugs that are switched on.
    pub fn bugs(&self) -> Vec<&str> {
        self.switches.iter().filter(|switch| switch.contains(":bug.")).map(String::as_str).collect()
    }

    /// Steps that passed.
    pub fn steps_passed(&self) -> usize {
        self.steps.iter().filter(|step| step.verdict == Verdict::Passed).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_right_only_as_the_suite_has_it() {
        let of = Ending::of;
        assert_eq!(of(Verdict::Passed, Expected::Passed, true), Ending::Right);
        assert_eq!(of(Verdict::Passed, Expected::Passed, false), Ending::FalsePass);
        assert_eq!(of(Verdict::Passed, Expected::Failed, true), Ending::FalsePass);
        assert_eq!(of(Verdict::Passed, Expected::Blocked, true), Ending::FalsePass);
        assert_eq!(of(Verdict::Failed, Expected::Failed, false), Ending::Right);
        assert_eq!(of(Verdict::Failed, Expected::Passed, false), Ending::FalseFailure);
        assert_eq!(of(Verdict::Failed, Expected::Blocked, false), Ending::FalseFailure);
        assert_eq!(of(Verdict::Blocked, Expected::Failed, false), Ending::Blocked);
        assert_eq!(of(Verdict::Blocked, Expected::Passed, true), Ending::Blocked);
        assert_eq!(of(Verdict::Blocked, Expected::Blocked, false), Ending::Right);
        assert_eq!(of(Verdict::Error, Expected::Passed, true), Ending::Error);
    }
}
