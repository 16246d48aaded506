//! A run's report for tests.

use super::ending::{AimKind, Ending, RunCost, RunReport, RunSetting, StepReport, TruthReport};
use super::file::Expected;
use super::truth::Unasked;
use crate::domain::Verdict;
use crate::evaluation::Sample;
use crate::virtual_device::ConsequenceEffect;

/// A run of two steps, the first of which passed.
pub(super) fn result(suite: &str, case: &str, expected: Expected, verdict: Verdict, held: bool) -> RunReport {
    let step = |verdict: Verdict| StepReport {
        instruction: "Open it".into(),
        verdict,
        reason: "a reason".into(),
        actions: vec!["click \"It\"".into()],
        right: Some(verdict == Verdict::Passed),
        differs: String::new(),
    };
    RunReport {
        setting: RunSetting {
            suite: suite.into(),
            case: case.into(),
            package: "org.example.app".into(),
            tags: Vec::new(),
            aim: AimKind::Goal,
            language: "en".into(),
            locale: "en-US".into(),
            sample: Sample::InSample,
            device: "phone".into(),
            variant: None,
            switches: Vec::new(),
            seed: 0,
            why: None,
        },
        expected,
        verdict,
        held,
        ending: Ending::of(verdict, expected, held, None),
        reason: "a reason".into(),
        fault: None,
        signs: std::collections::BTreeMap::new(),
        steps_total: 2,
        steps: vec![step(Verdict::Passed), step(Verdict::Blocked)],
        truth: TruthReport { steps_judged: 2, steps_right: 1, end_right: Some(held), ..TruthReport::default() },
        expectations_held: usize::from(held),
        expectations: 1,
        cost: RunCost {
            actions: 3,
            invalid_actions: 1,
            restarts: 0,
            device_seconds: 1.0,
            overhead_ms: 4.0,
            model_calls: 5,
            decisions: vec![1.0, 2.0],
        },
    }
}

/// A message that nobody wanted sent.
pub(super) fn sent() -> Unasked {
    Unasked {
        effect: ConsequenceEffect::Sent,
        reason: "somebody reads it".into(),
        package: "org.example.app".into(),
        step: 1,
        action: "click \"Send\"".into(),
    }
}
