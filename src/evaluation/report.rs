//! What an evaluation found.

use super::decisions::DecisionExample;
use super::{Declaration, Reliability, Sample};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the agent is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The task's goal.
    Goal,
    /// The task's steps, one after another.
    Steps,
}

/// Milliseconds of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Latency {
    /// Half of the decisions took no longer.
    pub p50: f64,
    /// Nineteen in twenty took no longer.
    pub p95: f64,
}

impl Latency {
    /// Of these milliseconds, which are sorted.
    pub(super) fn of(times: &mut [f64]) -> Self {
        times.sort_by(f64::total_cmp);
        Self { p50: quantile(times, 0.50), p95: quantile(times, 0.95) }
    }
}

/// The numbers of an app, or of several together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Tasks tried.
    pub tasks: usize,
    /// Tasks completed.
    pub completed: usize,
    /// Share of tasks completed; `null` without tasks.
    pub completed_share: Option<f64>,
    /// Share of single decisions that were right; `null` when none was asked for.
    pub action_accuracy: Option<f64>,
    /// Share of tasks with every step passed; `null` when goals were given.
    pub pass_at_1: Option<f64>,
    /// Share of steps passed; `null` when goals were given.
    pub complete_at_1: Option<f64>,
    /// Share of what the agent declared done, or reached, that was not; `null` when it declared nothing.
    pub false_done: Option<f64>,
    /// How long decisions took.
    pub latency_ms: Latency,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskReport {
    /// Its app.
    pub app: String,
    /// Whether agent and weights were made with a look at the app.
    pub sample: Sample,
    /// Its id.
    pub id: String,
    /// Completed.
    pub completed: bool,
    /// The agent said that it was done.
    pub declared: bool,
    /// Actions it used.
    pub actions: usize,
    /// Actions the person used.
    pub human_actions: usize,
    /// Single decisions that were right.
    pub right: usize,
    /// Single decisions asked for.
    pub decisions: usize,
    /// Whether each step passed; empty when the goal was given.
    pub steps: Vec<bool>,
    /// Steps (or the goal) that the agent declared done.
    pub declarations: usize,
    /// Those of them that were not done.
    pub false_declarations: usize,
    /// Steps that were declared done, up to the first that was wrong, with how sure the agent was.
    pub sure: Vec<Declaration>,
    /// What the agent said in the end.
    pub reason: String,
    /// What it did and said, in order.
    pub did: Vec<String>,
    /// Each single decision in words, `+` where it was right.
    pub choices: Vec<String>,
    /// Milliseconds of its decisions.
    #[serde(skip)]
    pub milliseconds: Vec<f64>,
    /// Each single decision with all its options, to learn from; none from the rules.
    #[serde(skip)]
    pub examples: Vec<DecisionExample>,
}

/// Everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the agent was given.
    pub mode: Mode,
    /// All apps together.
    #[serde(flatten)]
    pub total: Score,
    /// The apps that agent or weights were made with a look at; `null` without such apps.
    pub in_sample: Option<Score>,
    /// The other apps; `null` without such apps.
    pub left_out: Option<Score>,
    /// How well it knows what it has carried out; `null` where it never said.
    pub reliability: Option<Reliability>,
    /// Each app.
    pub by_app: BTreeMap<String, Score>,
    /// Each task.
    pub results: Vec<TaskReport>,
}

impl Report {
    /// Sums up.
    pub fn new(mode: Mode, results: Vec<TaskReport>) -> Self {
        let mut by_app: BTreeMap<String, Vec<&TaskReport>> = BTreeMap::new();
        for result in &results {
            by_app.entry(result.app.clone()).or_default().push(result);
        }
        let sampled = |sample: Sample| -> Option<Score> {
            let own: Vec<&TaskReport> = results.iter().filter(|result| result.sample == sample).collect();
            (!own.is_empty()).then(|| Score::of(mode, &own))
        };
        let (in_sample, left_out) = (sampled(Sample::InSample), sampled(Sample::LeftOut));
        let sure: Vec<Declaration> = results.iter().flat_map(|result| result.sure.iter().copied()).collect();
        let by_app = by_app.into_iter().map(|(app, results)| (app, Score::of(mode, &results))).collect();
        Self {
            mode,
            total: Score::of(mode, &results.iter().collect::<Vec<_>>()),
            in_sample,
            left_out,
            reliability: Reliability::of(&sure),
            by_app,
            results,
        }
    }
}

impl Score {
    fn of(mode: Mode, results: &[&TaskReport]) -> Self {
        let decisions: usize = results.iter().map(|result| result.decisions).sum();
        let right: usize = results.iter().map(|result| result.right).sum();
        let steps: Vec<bool> = results.iter().flat_map(|result| result.steps.iter().copied()).collect();
        let in_steps = |share: Option<f64>| if mode == Mode::Steps { share } else { None };
        let with_steps = results.iter().filter(|result| !result.steps.is_empty());
        let passed = with_steps.clone().filter(|result| result.steps.iter().all(|passed| *passed)).count();
        let mut times: Vec<f64> = results.iter().flat_map(|result| result.milliseconds.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        let completed = results.iter().filter(|result| result.completed).count();
        Self {
            tasks: results.len(),
            completed,
            completed_share: share(completed, results.len()),
            action_accuracy: share(right, decisions),
            pass_at_1: in_steps(share(passed, with_steps.count())),
            complete_at_1: in_steps(share(steps.iter().filter(|passed| **passed).count(), steps.len())),
            false_done: share(
                results.iter().map(|result| result.false_declarations).sum(),
                results.iter().map(|result| result.declarations).sum(),
            ),
            latency_ms: Latency { p50: quantile(&times, 0.50), p95: quantile(&times, 0.95) },
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

/// The smallest value that `q` of the values do not exceed; 0 without values.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    let value = sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0);
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(app: &str, completed: bool, right: usize, decisions: usize, steps: &[bool]) -> TaskReport {
        TaskReport {
            app: app.into(),
            sample: if app == "a" { Sample::InSample } else { Sample::LeftOut },
            id: "t".into(),
            completed,
            declared: true,
            actions: 1,
            human_actions: 1,
            right,
            decisions,
            steps: steps.to_vec(),
            declarations: steps.len(),
            false_declarations: steps.iter().filter(|passed| !**passed).count(),
            sure: Vec::new(),
            reason: String::new(),
            did: Vec::new(),
            choices: Vec::new(),
            milliseconds: vec![1.0, 3.0],
            examples: Vec::new(),
        }
    }

    #[test]
    fn tasks_and_steps_and_decisions_are_counted_by_app_and_together() {
        let results = vec![
            result("a", true, 3, 4, &[true, true]),
            result("a", false, 0, 2, &[true, false]),
            result("b", false, 1, 4, &[false]),
        ];
        let report = Report::new(Mode::Steps, results.clone());
        assert_eq!((report.total.tasks, report.total.completed), (3, 1));
        assert_eq!(report.total.action_accuracy, Some(0.4));
        assert_eq!((report.total.pass_at_1, report.total.complete_at_1), (Some(0.3333), Some(0.6)));
        assert_eq!((report.total.false_done, report.by_app["b"].false_done), (Some(0.4), Some(1.0)));
        assert_eq!(report.by_app["a"].pass_at_1, Some(0.5));
        assert_eq!(report.in_sample, Some(report.by_app["a"].clone()));
        assert_eq!(report.left_out.as_ref().map(|score| score.completed_share), Some(Some(0.0)));
        assert_eq!(report.by_app["b"].complete_at_1, Some(0.0));
        let goals = Report::new(Mode::Goal, results);
        assert_eq!((goals.total.pass_at_1, goals.total.complete_at_1), (None, None));
    }

    #[test]
    fn nothing_tried_is_not_full_marks() {
        let report = Report::new(Mode::Steps, Vec::new());
        assert_eq!((report.total.tasks, report.total.action_accuracy, report.total.pass_at_1), (0, None, None));
    }

    #[test]
    fn a_quantile_is_a_value_that_occurred() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.95)), (50.0, 95.0));
        assert_eq!((quantile(&[7.0], 0.95), quantile(&[], 0.5)), (7.0, 0.0));
    }
}
