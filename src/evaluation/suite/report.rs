//! What suites came to, each and all together.

use super::ending::{Ending, RunReport};
use super::file::Expected;
use super::fuzz::FuzzReport;
use super::prompts::PromptReport;
use crate::evaluation::Latency;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of a suite, or of all together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteScore {
    /// Cases run.
    pub cases: usize,
    /// Runs made: a case on a device with a seed and switches.
    pub runs: usize,
    /// Share of the runs on clean apps that passed with every expectation held; `null` without such runs.
    pub pass_at_1: Option<f64>,
    /// Share of the steps of those runs that passed, those never reached included.
    pub complete_at_1: Option<f64>,
    /// Runs on clean apps.
    pub clean_runs: usize,
    /// Runs that said passed and must not have.
    pub false_passes: usize,
    /// Runs that said failed of a clean app.
    pub false_failures: usize,
    /// Runs with a planted bug.
    pub bug_runs: usize,
    /// Those of them that were reported as failed.
    pub bugs_failed: usize,
    /// Runs that were blocked although there was a way, or a bug to be found.
    pub blocked: usize,
    /// Runs that have to be blocked.
    pub blocked_expected: usize,
    /// Those of them that were.
    pub blocked_rightly: usize,
    /// Runs that ended with an error of the infrastructure.
    pub errors: usize,
    /// Actions a run took on the mean.
    pub actions_per_run: f64,
    /// How long decisions took.
    pub latency_ms: Latency,
    /// Milliseconds a step took beside those of the device, on the mean.
    pub overhead_ms_per_step: f64,
}

/// Everything.
#[derive(Debug, Clone, Serialize)]
pub struct SuiteReport {
    /// All suites together.
    #[serde(flatten)]
    pub total: SuiteScore,
    /// Each suite.
    pub by_suite: BTreeMap<String, SuiteScore>,
    /// The cases that are one prompt, in the metrics of Kashef.
    pub prompts: Vec<PromptReport>,
    /// The variants, where some were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuzz: Option<FuzzReport>,
    /// Each run.
    pub results: Vec<RunReport>,
}

impl SuiteReport {
    /// Sums up.
    pub fn new(results: Vec<RunReport>) -> Self {
        Self {
            total: SuiteScore::of(&results.iter().collect::<Vec<_>>()),
            by_suite: SuiteScore::by_suite(&results),
            prompts: PromptReport::of(&results),
            fuzz: None,
            results,
        }
    }
}

impl SuiteScore {
    /// Of each suite.
    pub(super) fn by_suite(results: &[RunReport]) -> BTreeMap<String, Self> {
        let mut by_suite: BTreeMap<String, Vec<&RunReport>> = BTreeMap::new();
        for result in results {
            by_suite.entry(result.suite.clone()).or_default().push(result);
        }
        by_suite.into_iter().map(|(suite, results)| (suite, Self::of(&results))).collect()
    }

    /// Of all of these together.
    pub(super) fn of(results: &[&RunReport]) -> Self {
        let count = |wanted: &dyn Fn(&RunReport) -> bool| results.iter().filter(|result| wanted(result)).count();
        let clean = |result: &RunReport| result.expected == Expected::Passed;
        let bug = |result: &RunReport| result.expected == Expected::Failed;
        let clean_runs = count(&clean);
        let right = |result: &RunReport| result.ending == Ending::Right;
        let steps = |of: &dyn Fn(&RunReport) -> usize| -> usize {
            results.iter().filter(|result| clean(result)).map(|result| of(result)).sum()
        };
        let cases: BTreeSet<&str> = results.iter().map(|result| result.case.as_str()).collect();
        let mut decisions: Vec<f64> = results.iter().flat_map(|result| result.decisions.iter().copied()).collect();
        let begun: usize = results.iter().map(|result| result.steps.len()).sum();
        let overhead: f64 = results.iter().map(|result| result.overhead_ms).sum();
        let actions: u64 = results.iter().map(|result| result.actions).sum();
        Self {
            cases: cases.len(),
            runs: results.len(),
            pass_at_1: share(count(&|result| clean(result) && right(result)), clean_runs),
            complete_at_1: share(steps(&RunReport::steps_passed), steps(&|result| result.steps_total)),
            clean_runs,
            false_passes: count(&|result| result.ending == Ending::FalsePass),
            false_failures: count(&|result| result.ending == Ending::FalseFailure),
            bug_runs: count(&bug),
            bugs_failed: count(&|result| bug(result) && right(result)),
            blocked: count(&|result| result.ending == Ending::Blocked),
            blocked_expected: count(&|result| result.expected == Expected::Blocked),
            blocked_rightly: count(&|result| result.expected == Expected::Blocked && right(result)),
            errors: count(&|result| result.ending == Ending::Error),
            actions_per_run: mean(actions as f64, results.len()),
            latency_ms: Latency::of(&mut decisions),
            overhead_ms_per_step: mean(overhead, begun),
        }
    }
}

/// A share to four places; `None` of nothing.
pub(super) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

/// A mean to two places; 0 of nothing.
pub(super) fn mean(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { (sum / count as f64 * 100.0).round() / 100.0 }
}

#[cfg(test)]
mod tests {
    use super::super::sample::result;
    use super::*;
    use crate::domain::Verdict;

    #[test]
    fn clean_runs_bugs_and_false_verdicts_are_counted_apart() {
        let report = SuiteReport::new(vec![
            result("a", "A-1", Expected::Passed, Verdict::Passed, true),
            result("a", "A-1", Expected::Passed, Verdict::Failed, false),
            result("a", "A-2", Expected::Passed, Verdict::Blocked, false),
            result("b", "B-1", Expected::Passed, Verdict::Passed, false),
            result("b", "B-1", Expected::Failed, Verdict::Failed, false),
            result("b", "B-1", Expected::Failed, Verdict::Passed, true),
            result("b", "B-2", Expected::Blocked, Verdict::Blocked, false),
        ]);
        let total = &report.total;
        assert_eq!((total.cases, total.runs, total.clean_runs), (4, 7, 4));
        assert_eq!((total.pass_at_1, total.false_passes, total.false_failures), (Some(0.25), 2, 1));
        assert_eq!((total.bug_runs, total.bugs_failed, total.blocked), (2, 1, 1));
        assert_eq!((total.blocked_expected, total.blocked_rightly), (1, 1));
        assert_eq!(report.by_suite["a"].pass_at_1, Some(0.3333));
        assert_eq!(report.by_suite["b"].complete_at_1, Some(0.5), "one of two steps passed");
    }

    #[test]
    fn nothing_run_is_not_full_marks() {
        let report = SuiteReport::new(Vec::new());
        assert_eq!((report.total.runs, report.total.pass_at_1, report.total.complete_at_1), (0, None, None));
    }
}
