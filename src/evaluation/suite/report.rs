//! What suites came to, each and all together.

use super::ending::{AimKind, Ending, RunReport, RunSetting};
use super::file::Expected;
use super::fuzz::FuzzReport;
use super::prompts::PromptReport;
use crate::evaluation::{Latency, Sample};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of a group of runs: of a suite, an app, a language, or of all together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteScore {
    /// Cases run.
    pub cases: usize,
    /// Runs made: a case on a device with a seed and switches.
    pub runs: usize,
    /// Runs on clean apps.
    pub clean_runs: usize,
    /// Of all clean runs.
    #[serde(flatten)]
    pub rates: Rates,
    /// Of the clean runs on apps that agent or weights were made with a look at; `null` without such runs.
    pub in_sample: Option<Rates>,
    /// Of those on other apps; `null` without such runs.
    pub left_out: Option<Rates>,
    /// Steps of the clean runs.
    pub steps: StepCounts,
    /// Changes with consequences that no clean run was to make.
    pub unasked_consequences: UnaskedCounts,
    /// Which verdicts were right and wrong.
    #[serde(flatten)]
    pub verdicts: VerdictCounts,
    /// Actions a run took on the mean.
    pub actions_per_run: f64,
    /// How long decisions took.
    pub latency_ms: Latency,
    /// Milliseconds a step took beside those of the device, on the mean.
    pub overhead_ms_per_step: f64,
}

/// Shares of what was right, in runs on clean apps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rates {
    /// Share of the runs that passed with every expectation held and the apps in the right state; `null` without runs.
    pub pass_at_1: Option<f64>,
    /// Share of the steps after which the apps were in the right state, those never reached included; `null` where no step
    /// can be judged.
    pub complete_at_1: Option<f64>,
}

/// Steps by truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StepCounts {
    /// Right ones.
    pub right: usize,
    /// Those that can be judged.
    pub judged: usize,
    /// Those that cannot: the case has no walkthrough, one without step marks, or one that does not lead to its end.
    pub unjudged: usize,
}

/// Changes with consequences that nobody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UnaskedCounts {
    /// Runs with at least one.
    pub runs: usize,
    /// All of them.
    pub total: usize,
}

/// Verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// Runs that said passed and must not have.
    pub false_passes: usize,
    /// Runs that said passed, with every expectation held, but left the apps in another state than the case asks for.
    pub wrong_states: usize,
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
}

/// Everything.
#[derive(Debug, Clone, Serialize)]
pub struct SuiteReport {
    /// All suites together.
    #[serde(flatten)]
    pub total: SuiteScore,
    /// Each suite.
    pub by_suite: BTreeMap<String, SuiteScore>,
    /// Each app under test, by package.
    pub by_app: BTreeMap<String, SuiteScore>,
    /// Cases that give steps, and those that give a goal.
    pub by_aim: BTreeMap<AimKind, SuiteScore>,
    /// By the language of the case and that of the device: `en`, `en on de-DE`.
    pub by_language: BTreeMap<String, SuiteScore>,
    /// By each tag of the cases; a run counts under all of its case's.
    pub by_tag: BTreeMap<String, SuiteScore>,
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
            by_app: SuiteScore::by(&results, |setting| setting.package.clone()),
            by_aim: SuiteScore::by(&results, |setting| setting.aim),
            by_language: SuiteScore::by(&results, RunSetting::languages),
            by_tag: SuiteScore::by_each(&results, |setting| setting.tags.iter().cloned().collect()),
            prompts: PromptReport::of(&results),
            fuzz: None,
            results,
        }
    }
}

impl SuiteScore {
    /// Of each suite.
    pub(super) fn by_suite(results: &[RunReport]) -> BTreeMap<String, Self> {
        Self::by(results, |setting| setting.suite.clone())
    }

    fn by<K: Ord>(results: &[RunReport], key: impl Fn(&RunSetting) -> K) -> BTreeMap<K, Self> {
        Self::by_each(results, |setting| BTreeSet::from([key(setting)]))
    }

    /// Of every group that a run belongs to.
    fn by_each<K: Ord>(results: &[RunReport], keys: impl Fn(&RunSetting) -> BTreeSet<K>) -> BTreeMap<K, Self> {
        let mut groups: BTreeMap<K, Vec<&RunReport>> = BTreeMap::new();
        for result in results {
            for key in keys(&result.setting) {
                groups.entry(key).or_default().push(result);
            }
        }
        groups.into_iter().map(|(key, results)| (key, Self::of(&results))).collect()
    }

    /// Of all of these together.
    pub(super) fn of(results: &[&RunReport]) -> Self {
        let clean: Vec<&RunReport> =
            results.iter().copied().filter(|result| result.expected == Expected::Passed).collect();
        let sampled = |sample: Sample| -> Option<Rates> {
            let own: Vec<&RunReport> = clean.iter().copied().filter(|result| result.setting.sample == sample).collect();
            (!own.is_empty()).then(|| Rates::of(&own))
        };
        let cases: BTreeSet<&str> = results.iter().map(|result| result.setting.case.as_str()).collect();
        let mut decisions: Vec<f64> = results.iter().flat_map(|result| result.cost.decisions.iter().copied()).collect();
        let begun: usize = results.iter().map(|result| result.steps.len()).sum();
        let overhead: f64 = results.iter().map(|result| result.cost.overhead_ms).sum();
        let actions: u64 = results.iter().map(|result| result.cost.actions).sum();
        Self {
            cases: cases.len(),
            runs: results.len(),
            clean_runs: clean.len(),
            rates: Rates::of(&clean),
            in_sample: sampled(Sample::InSample),
            left_out: sampled(Sample::LeftOut),
            steps: StepCounts::of(&clean),
            unasked_consequences: UnaskedCounts::of(&clean),
            verdicts: VerdictCounts::of(results),
            actions_per_run: mean(actions as f64, results.len()),
            latency_ms: Latency::of(&mut decisions),
            overhead_ms_per_step: mean(overhead, begun),
        }
    }
}

impl Rates {
    fn of(clean: &[&RunReport]) -> Self {
        let right = clean.iter().filter(|result| result.ending == Ending::Right).count();
        let steps = StepCounts::of(clean);
        Self { pass_at_1: share(right, clean.len()), complete_at_1: share(steps.right, steps.judged) }
    }
}

impl StepCounts {
    fn of(clean: &[&RunReport]) -> Self {
        let sum = |of: &dyn Fn(&RunReport) -> usize| clean.iter().map(|result| of(result)).sum();
        Self {
            right: sum(&|result| result.truth.steps_right),
            judged: sum(&|result| result.truth.steps_judged),
            unjudged: sum(&|result| result.steps_total - result.truth.steps_judged),
        }
    }
}

impl UnaskedCounts {
    fn of(clean: &[&RunReport]) -> Self {
        let counts = clean.iter().map(|result| result.truth.unasked.len());
        Self { runs: counts.clone().filter(|count| *count > 0).count(), total: counts.sum() }
    }
}

impl VerdictCounts {
    fn of(results: &[&RunReport]) -> Self {
        let count = |wanted: &dyn Fn(&RunReport) -> bool| results.iter().filter(|result| wanted(result)).count();
        let bug = |result: &RunReport| result.expected == Expected::Failed;
        let right = |result: &RunReport| result.ending == Ending::Right;
        Self {
            false_passes: count(&|result| result.ending == Ending::FalsePass),
            wrong_states: count(&|result| result.ending == Ending::WrongState),
            false_failures: count(&|result| result.ending == Ending::FalseFailure),
            bug_runs: count(&bug),
            bugs_failed: count(&|result| bug(result) && right(result)),
            blocked: count(&|result| result.ending == Ending::Blocked),
            blocked_expected: count(&|result| result.expected == Expected::Blocked),
            blocked_rightly: count(&|result| result.expected == Expected::Blocked && right(result)),
            errors: count(&|result| result.ending == Ending::Error),
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
    use super::super::ending::TruthReport;
    use super::super::sample::{result, sent};
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
        let verdicts = &total.verdicts;
        assert_eq!((total.cases, total.runs, total.clean_runs), (4, 7, 4));
        assert_eq!((total.rates.pass_at_1, verdicts.false_passes, verdicts.false_failures), (Some(0.25), 2, 1));
        assert_eq!((verdicts.bug_runs, verdicts.bugs_failed, verdicts.blocked), (2, 1, 1));
        assert_eq!((verdicts.blocked_expected, verdicts.blocked_rightly), (1, 1));
        assert_eq!(report.by_suite["a"].rates.pass_at_1, Some(0.3333));
        assert_eq!(report.by_suite["b"].rates.complete_at_1, Some(0.5), "one of two steps was right");
    }

    #[test]
    fn steps_that_cannot_be_judged_and_what_nobody_asked_for_are_counted_by_themselves() {
        let clean = || result("a", "A-1", Expected::Passed, Verdict::Passed, true);
        let mut unjudged = clean();
        unjudged.truth =
            TruthReport { unjudged: Some("no walkthrough".into()), end_right: None, ..TruthReport::default() };
        let mut eager = clean();
        eager.truth.unasked = vec![sent(), sent()];
        let mut buggy = result("a", "A-1", Expected::Failed, Verdict::Failed, false);
        buggy.truth.unasked = vec![sent()];
        let total = SuiteReport::new(vec![unjudged, eager, buggy]).total;
        assert_eq!(total.steps, StepCounts { right: 1, judged: 2, unjudged: 2 });
        assert_eq!(total.unasked_consequences, UnaskedCounts { runs: 1, total: 2 }, "only clean runs count");
    }

    #[test]
    fn apps_aims_languages_and_samples_are_told_apart() {
        let one = result("a", "A-1", Expected::Passed, Verdict::Passed, true);
        let mut other = result("a", "A-2", Expected::Passed, Verdict::Blocked, false);
        other.setting.sample = Sample::LeftOut;
        other.setting.package = "org.example.other".into();
        other.setting.aim = AimKind::Steps;
        other.setting.locale = "de-DE".into();
        let report = SuiteReport::new(vec![one, other]);
        let pass = |score: &SuiteScore| score.rates.pass_at_1;
        let rate = |rates: Option<Rates>| rates.and_then(|rates| rates.pass_at_1);
        assert_eq!((rate(report.total.in_sample), rate(report.total.left_out)), (Some(1.0), Some(0.0)));
        assert_eq!(report.by_suite["a"].left_out, report.by_app["org.example.other"].left_out);
        assert_eq!(
            (pass(&report.by_aim[&AimKind::Goal]), pass(&report.by_aim[&AimKind::Steps])),
            (Some(1.0), Some(0.0))
        );
        assert_eq!((pass(&report.by_language["en"]), pass(&report.by_language["en on de-DE"])), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn a_run_counts_under_each_of_its_cases_tags() {
        let mut one = result("a", "A-1", Expected::Passed, Verdict::Passed, true);
        one.setting.tags = ["op:create", "register:goal", "op:create"].map(str::to_owned).to_vec();
        let mut other = result("a", "A-2", Expected::Passed, Verdict::Blocked, false);
        other.setting.tags = vec!["op:create".into()];
        let report = SuiteReport::new(vec![one, other]);
        let of = |tag: &str| (report.by_tag[tag].runs, report.by_tag[tag].rates.pass_at_1);
        assert_eq!((of("op:create"), of("register:goal")), ((2, Some(0.5)), (1, Some(1.0))));
    }

    #[test]
    fn nothing_run_is_not_full_marks() {
        let report = SuiteReport::new(Vec::new());
        let rates = report.total.rates;
        assert_eq!((report.total.runs, rates.pass_at_1, rates.complete_at_1), (0, None, None));
    }
}
