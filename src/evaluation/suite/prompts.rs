//! Cases that are one prompt, in the nine metrics of Kashef (§IV-B, Table I).
//!
//! Kashef writes code with a language model and runs it; Tapwright chooses actions. Each metric is given in the sense the
//! paper explains it with: a regeneration is an action that had no effect and was replaced by another; an invocation of the
//! language model is a batch of the embedding model; a page that was not used is an action aimed at nothing on the screen;
//! ignored versioning is an app that was started anew, which loses what was done.
//!
//! Metric 8, a prompt longer than the language model's context, has no counterpart and is not reported as a number: each
//! widget is a text of its own, so no screen is ever put into one text whose length could be exceeded.

use super::ending::{AimKind, Ending, RunReport};
use super::file::Expected;
use super::report::{mean, share};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The metrics of one prompt over its runs on clean apps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptReport {
    /// The case.
    pub case: String,
    /// Runs made.
    pub runs: usize,
    /// 1: share of runs that did the task fully.
    pub success_rate: Option<f64>,
    /// 2: share of the expectations that held in the end.
    pub subtasks_completed: Option<f64>,
    /// 3: actions that had no effect, a successful run.
    pub regenerations: f64,
    /// 4: batches the embedding model was run on, a successful run; what was embedded before comes from the cache.
    pub model_invocations: f64,
    /// 5: actions aimed at nothing on the screen. Every candidate comes from the hierarchy, so 0 unless that is broken.
    pub screen_not_used: u64,
    /// 6: times the app was started anew.
    pub progress_lost: u64,
    /// 7: runs that said passed and must not have, planted bugs included.
    pub false_positives: usize,
    /// 9: different ways taken over the seeds.
    pub different_ways: usize,
}

impl PromptReport {
    /// Of every prompt among these runs.
    pub(super) fn of(results: &[RunReport]) -> Vec<Self> {
        let mut by_case: BTreeMap<&str, Vec<&RunReport>> = BTreeMap::new();
        for result in results.iter().filter(|result| result.setting.aim == AimKind::Goal) {
            by_case.entry(&result.setting.case).or_default().push(result);
        }
        by_case.into_iter().map(|(case, results)| Self::one(case, &results)).collect()
    }

    fn one(case: &str, all: &[&RunReport]) -> Self {
        let clean: Vec<&&RunReport> = all.iter().filter(|result| result.expected == Expected::Passed).collect();
        let good: Vec<&&&RunReport> = clean.iter().filter(|result| result.ending == Ending::Right).collect();
        let sum = |of: &dyn Fn(&RunReport) -> u64| good.iter().map(|result| of(result)).sum::<u64>() as f64;
        let held = clean.iter().map(|result| result.expectations_held).sum();
        let wanted = clean.iter().map(|result| result.expectations).sum();
        let aimless = |step: &super::StepReport| {
            let aimed = |action: &&String| ["click", "long_press", "input_text"].contains(&action.as_str());
            step.actions.iter().filter(aimed).count() as u64
        };
        let ways: BTreeSet<Vec<&str>> = clean
            .iter()
            .map(|result| result.steps.iter().flat_map(|step| &step.actions).map(String::as_str).collect())
            .collect();
        Self {
            case: case.to_owned(),
            runs: clean.len(),
            success_rate: share(good.len(), clean.len()),
            subtasks_completed: share(held, wanted),
            regenerations: mean(sum(&|result| result.cost.invalid_actions), good.len()),
            model_invocations: mean(sum(&|result| result.cost.model_calls), good.len()),
            screen_not_used: clean.iter().flat_map(|result| result.steps.iter().map(aimless)).sum(),
            progress_lost: clean.iter().map(|result| result.cost.restarts).sum(),
            false_positives: all.iter().filter(|result| result.ending == Ending::FalsePass).count(),
            different_ways: ways.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::result;
    use super::*;
    use crate::domain::Verdict;

    #[test]
    fn a_prompt_is_measured_over_its_clean_runs() {
        let results = [
            result("k", "K-1", Expected::Passed, Verdict::Passed, true),
            result("k", "K-1", Expected::Passed, Verdict::Blocked, false),
            result("k", "K-1", Expected::Failed, Verdict::Passed, true),
        ];
        let report = &PromptReport::of(&results)[0];
        assert_eq!((report.runs, report.success_rate, report.subtasks_completed), (2, Some(0.5), Some(0.5)));
        assert_eq!((report.false_positives, report.different_ways), (1, 1));
        assert_eq!((report.regenerations, report.model_invocations, report.screen_not_used), (1.0, 5.0, 0));
    }

    #[test]
    fn what_was_aimed_at_nothing_started_anew_or_done_another_way_is_counted() {
        let mut other = result("k", "K-1", Expected::Passed, Verdict::Passed, true);
        other.steps[0].actions = vec!["click".into(), "click \"It\"".into(), "press_back".into()];
        other.cost.restarts = 2;
        let results = [result("k", "K-1", Expected::Passed, Verdict::Passed, true), other];
        let report = &PromptReport::of(&results)[0];
        assert_eq!((report.screen_not_used, report.progress_lost, report.different_ways), (1, 2, 2));
    }

    #[test]
    fn what_cannot_be_measured_is_no_number() {
        let report = PromptReport::of(&[result("k", "K-1", Expected::Passed, Verdict::Passed, true)]);
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json[0]["different_ways"], 1);
        assert!(json[0].get("context_exceeded").is_none(), "{json}");
    }
}
