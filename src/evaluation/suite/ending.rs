//! What came of a run, compared with what had to come of it.

use super::file::Expected;
use super::fuzz::VariantReport;
use super::truth::Unasked;
use crate::domain::Verdict;
use crate::evaluation::Sample;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a run's verdict is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// As the suite says: passed with every expectation held and the apps in the state the case asks for, or failed or
    /// blocked where it must.
    Right,
    /// It said passed, but must not have passed, or an expectation does not hold.
    FalsePass,
    /// It said passed, and every expectation holds, but the apps are not in the state that the case asks for.
    WrongState,
    /// It said failed of an app without a planted bug.
    FalseFailure,
    /// It was blocked where there was a way, or where a planted bug was to be reported.
    Blocked,
    /// Infrastructure failed.
    Error,
}

impl Ending {
    /// Judges a verdict. `held` tells whether the expectations hold on the device, looked at independently of the run;
    /// `state` whether the apps are in the state that the case asks for, as far as that is known.
    pub(super) const fn of(verdict: Verdict, expected: Expected, held: bool, state: Option<bool>) -> Self {
        match (verdict, expected) {
            (Verdict::Error, _) => Self::Error,
            (Verdict::Passed, Expected::Passed) if held => match state {
                Some(false) => Self::WrongState,
                Some(true) | None => Self::Right,
            },
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
            Self::WrongState => "WRONG STATE",
            Self::FalseFailure => "FALSE FAILURE",
            Self::Blocked => "blocked",
            Self::Error => "error",
        }
    }
}

/// What was run, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSetting {
    /// Its suite.
    pub suite: String,
    /// Its case.
    pub case: String,
    /// The app under test.
    pub package: String,
    /// The case's tags.
    pub tags: Vec<String>,
    /// Whether the case gives steps or a goal.
    pub aim: AimKind,
    /// The language the case is written in.
    pub language: String,
    /// The device's language.
    pub locale: String,
    /// Whether agent and weights were made without a look at the app.
    pub sample: Sample,
    /// Kind, size, density, API level and language of the device.
    pub device: String,
    /// What was changed of the suite's own run; `None` of that itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<VariantReport>,
    /// What is switched on in the apps.
    pub switches: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Why the suite has this run.
    pub why: Option<String>,
}

impl RunSetting {
    /// Language of the case, with that of the device where it is another: `en`, `en on de-DE`.
    pub fn languages(&self) -> String {
        let spoken = self.locale.split('-').next().unwrap_or_default();
        if spoken == self.language { self.language.clone() } else { format!("{} on {}", self.language, self.locale) }
    }
}

/// What a case gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AimKind {
    /// Steps, one after another.
    Steps,
    /// A goal only.
    Goal,
}

impl AimKind {
    /// For people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Goal => "goals",
        }
    }
}

/// What a run took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunCost {
    /// Actions carried out.
    pub actions: u64,
    /// Those of them that had no effect.
    pub invalid_actions: u64,
    /// Times the app was started anew.
    pub restarts: u64,
    /// Time that passed on the device.
    pub device_seconds: f64,
    /// Milliseconds of the run without those the device took.
    pub overhead_ms: f64,
    /// Batches the model was run on.
    #[serde(skip)]
    pub model_calls: u64,
    /// Milliseconds of each decision.
    #[serde(skip)]
    pub decisions: Vec<f64>,
}

/// What came of a run by the state of its apps, whatever the agent says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthReport {
    /// Steps that can be judged.
    pub steps_judged: usize,
    /// Those of them after which the state was as the case's walkthrough leaves it.
    pub steps_right: usize,
    /// Whether the state in the end is as the walkthrough leaves it; `None` where that is not known.
    pub end_right: Option<bool>,
    /// The first thing in the end that is not; empty where all is.
    pub end_differs: String,
    /// Changes with consequences that the walkthrough does not make.
    pub unasked: Vec<Unasked>,
    /// Why nothing can be judged; `None` where something can.
    pub unjudged: Option<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// What was run, and where.
    #[serde(flatten)]
    pub setting: RunSetting,
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
    /// Probability that it did not pass by the app's fault, where that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<f32>,
    /// The signs that this is judged by.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signs: BTreeMap<String, f32>,
    /// Steps of the case, those not reached included.
    pub steps_total: usize,
    /// Steps the agent finished.
    pub steps: Vec<StepReport>,
    /// What is true of it.
    pub truth: TruthReport,
    /// Expectations that held in the end.
    pub expectations_held: usize,
    /// Expectations of the case.
    pub expectations: usize,
    /// What it took.
    #[serde(flatten)]
    pub cost: RunCost,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// As the agent read it.
    pub instruction: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// What was done: skill and target.
    pub actions: Vec<String>,
    /// Whether the apps' state after it is as the case's walkthrough leaves it; `None` where that is not known.
    pub right: Option<bool>,
    /// The first thing that is not; empty where all is.
    pub differs: String,
}

impl RunReport {
    /// The planted bugs that are switched on.
    pub fn bugs(&self) -> Vec<&str> {
        self.setting.switches.iter().filter(|switch| switch.contains(":bug.")).map(String::as_str).collect()
    }

    /// Takes a secret's value out of what is told of the apps' state.
    pub(super) fn hide(&mut self, secret: &str) {
        if secret.is_empty() {
            return;
        }
        let told = self.steps.iter_mut().map(|step| &mut step.differs).chain([&mut self.truth.end_differs]);
        for text in told {
            *text = text.replace(secret, "***");
        }
    }

    /// Steps that the agent says are done.
    pub fn steps_passed(&self) -> usize {
        self.steps.iter().filter(|step| step.verdict == Verdict::Passed).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_right_only_as_the_suite_has_it() {
        let of = |verdict, expected, held| Ending::of(verdict, expected, held, None);
        assert_eq!(Ending::of(Verdict::Passed, Expected::Passed, true, Some(false)), Ending::WrongState);
        assert_eq!(Ending::of(Verdict::Passed, Expected::Passed, false, Some(false)), Ending::FalsePass);
        assert_eq!(Ending::of(Verdict::Passed, Expected::Passed, true, Some(true)), Ending::Right);
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
