//! A run's report for tests.

use super::ending::{Ending, RunReport, StepReport};
use super::file::Expected;
use crate::domain::Verdict;

/// A run of two steps, the first of which passed.
pub(super) fn result(suite: &str, case: &str, expected: Expected, verdict: Verdict, held: bool) -> RunReport {
    let step = |verdict| StepReport {
        instruction: "Open it".into(),
        verdict,
        reason: "a reason".into(),
        actions: vec!["click \"It\"".into()],
    };
    RunReport {
        suite: suite.into(),
        case: case.into(),
        device: "phone".into(),
        variant: None,
        switches: Vec::new(),
        seed: 0,
        expected,
        verdict,
        held,
        ending: Ending::of(verdict, expected, held),
        reason: "a reason".into(),
        why: None,
        steps_total: 2,
        steps: vec![step(Verdict::Passed), step(Verdict::Blocked)],
        actions: 3,
        invalid_actions: 1,
        restarts: 0,
        expectations_held: usize::from(held),
        expectations: 1,
        device_seconds: 1.0,
        overhead_ms: 4.0,
        model_calls: 5,
        prompt: true,
        decisions: vec![1.0, 2.0],
    }
}
