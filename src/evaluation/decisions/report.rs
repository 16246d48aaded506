//! How many decisions were right, by app.

use super::example::{DecisionExample, Outcome};
use crate::pipeline::PolicyWeights;
use serde::Serialize;
use std::collections::BTreeMap;

/// Decisions by what they came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DecisionScore {
    /// All of them.
    pub decisions: usize,
    /// By outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
}

impl DecisionScore {
    fn add(&mut self, outcome: Outcome) {
        self.decisions += 1;
        *self.outcomes.entry(outcome).or_default() += 1;
    }

    /// This and another one together.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.decisions += other.decisions;
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(*outcome).or_default() += count;
        }
        self
    }

    /// How many came to this.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(&outcome).copied().unwrap_or_default()
    }

    /// The share of right ones, 0 to 1; `None` without any decision.
    pub fn right(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.count(Outcome::Right) as f64 / self.decisions as f64)
    }
}

/// The scores of all apps.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DecisionReport {
    /// By package.
    pub by_app: BTreeMap<String, DecisionScore>,
    /// Of all.
    pub total: DecisionScore,
}

impl DecisionReport {
    /// Judges examples by weights.
    pub fn of<'e>(examples: impl IntoIterator<Item = &'e DecisionExample>, weights: &PolicyWeights) -> Self {
        let mut report = Self::default();
        for example in examples {
            report.add(example, example.outcome(weights));
        }
        report
    }

    fn add(&mut self, example: &DecisionExample, outcome: Outcome) {
        self.by_app.entry(example.app.clone()).or_default().add(outcome);
        self.total.add(outcome);
    }
}
