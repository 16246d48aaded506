//! Decisions in the form that a fit reads: only the features that are not 0, by number; the loss, its slope, and the steps downhill.

use super::example::DecisionExample;
use super::fit::FitSettings;
use crate::pipeline::{Feature, MIN_SCORE};
use std::collections::BTreeSet;

/// A share below this counts as this much: one decision must not outweigh all others.
const LEAST: f32 = 1e-4;
/// How many features there are.
pub(super) const SIZE: usize = Feature::ALL.len();

/// One option of a decision.
#[derive(Debug)]
struct Row {
    /// Numbers and values of the features that are not 0.
    features: Vec<(usize, f32)>,
    /// No guard forbids it.
    open: bool,
    right: bool,
    carries_out: bool,
    is_done: bool,
}

/// One decision.
#[derive(Debug)]
pub(super) struct Choice {
    rows: Vec<Row>,
    /// Its app's number.
    pub(super) app: usize,
    /// Its family's number.
    pub(super) family: usize,
    /// Figures count it.
    pub(super) counts: bool,
}

/// All decisions.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) choices: Vec<Choice>,
    pub(super) apps: Vec<String>,
    pub(super) families: Vec<String>,
}

/// Which weights stay as they are.
pub(super) type Fixed = [bool; SIZE];

/// How surely an option of a decision is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    /// The option's share of all, 0 to 1.
    pub(super) share: f32,
    pub(super) right: bool,
    pub(super) is_done: bool,
}

impl Problem {
    /// Of examples. An app without a family is one by itself.
    pub(super) fn of(examples: &[DecisionExample]) -> Self {
        let apps: BTreeSet<&str> = examples.iter().map(|example| example.app.as_str()).collect();
        let families: BTreeSet<&str> = examples.iter().map(DecisionExample::group).collect();
        let number = |names: &BTreeSet<&str>, name: &str| names.iter().position(|one| *one == name).unwrap_or_default();
        let row = |option: &super::example::ExampleOption| Row {
            features: option.features.iter().copied().enumerate().filter(|(_, value)| *value != 0.0).collect(),
            open: option.veto.is_none(),
            right: option.right,
            carries_out: option.carries_out,
            is_done: option.is_done,
        };
        let choice = |example: &DecisionExample| Choice {
            rows: example.options.iter().map(row).collect(),
            app: number(&apps, &example.app),
            family: number(&families, example.group()),
            counts: !example.astray,
        };
        let owned = |names: &BTreeSet<&str>| names.iter().map(|name| (*name).to_owned()).collect();
        Self { choices: examples.iter().map(choice).collect(), apps: owned(&apps), families: owned(&families) }
    }

    /// What each decision counts among those that are kept. Every app counts alike up to a point: one with many cases must not
    /// decide alone.
    pub(super) fn shares(&self, kept: &dyn Fn(&Choice) -> bool) -> Vec<f32> {
        let mut sizes = vec![0.0_f32; self.apps.len()];
        self.choices.iter().filter(|choice| kept(choice)).for_each(|choice| sizes[choice.app] += 1.0);
        let total: f32 = sizes.iter().map(|size| size.sqrt()).sum();
        let share = |choice: &Choice| if kept(choice) { 1.0 / sizes[choice.app].sqrt() / total } else { 0.0 };
        self.choices.iter().map(share).collect()
    }

    /// Gradient steps (Adam) from `start` on the mean over apps of the negative log-likelihood of what is right, drawn towards
    /// `prior`.
    pub(super) fn fit(
        &self,
        kept: &dyn Fn(&Choice) -> bool,
        (start, prior): (&[f32], &[f32]),
        fixed: &Fixed,
        settings: FitSettings,
    ) -> Vec<f32> {
        let shares = self.shares(kept);
        let mut weights = start.to_vec();
        let (mut mean, mut square) = (vec![0.0_f32; SIZE], vec![0.0_f32; SIZE]);
        for round in 1..=settings.rounds {
            let mut slope: Vec<f32> =
                weights.iter().zip(prior).map(|(now, prior)| settings.pull * (now - prior)).collect();
            for (choice, share) in self.choices.iter().zip(&shares).filter(|(_, share)| **share > 0.0) {
                choice.add_slope(&weights, settings.sharpness, *share, &mut slope);
            }
            let decay = |beta: f32| 1.0 - beta.powi(i32::try_from(round).unwrap_or(i32::MAX));
            for at in (0..SIZE).filter(|at| !fixed[*at]) {
                mean[at] = 0.9f32.mul_add(mean[at], 0.1 * slope[at]);
                square[at] = 0.999f32.mul_add(square[at], 0.001 * slope[at] * slope[at]);
                weights[at] -= settings.rate * (mean[at] / decay(0.9)) / ((square[at] / decay(0.999)).sqrt() + 1e-8);
                weights[at] = with_sign_of(prior[at], weights[at]);
            }
        }
        weights
    }
}

/// A weight that keeps to the side of 0 on which it began: what speaks for a proposal never speaks against it. On the ways of
/// people some features go together that part where the policy goes its own.
fn with_sign_of(start: f32, weight: f32) -> f32 {
    if start > 0.0 {
        weight.max(0.0)
    } else if start < 0.0 {
        weight.min(0.0)
    } else {
        weight
    }
}

impl Choice {
    /// The scores of all options, as [`DecisionExample::scores`].
    fn scores(&self, weights: &[f32]) -> Vec<f32> {
        let plain = |row: &Row| row.features.iter().map(|(at, value)| weights[*at] * value).sum::<f32>();
        let mut scores: Vec<f32> = self.rows.iter().map(plain).collect();
        let others = self.rows.iter().zip(&scores).filter(|(row, _)| row.open && row.carries_out && !row.is_done);
        let best = others.map(|(_, score)| *score).fold(-0.5, f32::max).clamp(-0.5, 1.5);
        let remaining = Feature::Remaining as usize;
        for (row, score) in self.rows.iter().zip(&mut scores).filter(|(row, _)| row.is_done) {
            let known = row.features.iter().find(|(at, _)| *at == remaining).map_or(0.0, |(_, value)| *value);
            *score += weights[remaining] * (best - known);
        }
        scores
    }

    /// Each option's share of the odds of those that no guard forbids; `None` where there is none.
    pub(super) fn odds(&self, weights: &[f32], sharpness: f32) -> Option<Vec<f32>> {
        let scores = self.scores(weights);
        let open = || self.rows.iter().zip(&scores).filter(|(row, _)| row.open);
        let highest = open().map(|(_, score)| *score).reduce(f32::max)?;
        let odds = |(row, score): (&Row, &f32)| if row.open { (sharpness * (score - highest)).exp() } else { 0.0 };
        let odds: Vec<f32> = self.rows.iter().zip(&scores).map(odds).collect();
        let all: f32 = odds.iter().sum();
        Some(odds.into_iter().map(|one| one / all).collect())
    }

    /// The share of what is right; `None` where nothing right is open: the weights can do nothing about that.
    pub(super) fn share_of_right(&self, odds: &[f32]) -> Option<f32> {
        let right = || self.rows.iter().zip(odds).filter(|(row, _)| row.right && row.open);
        right().next()?;
        Some(right().map(|(_, odds)| odds).sum())
    }

    /// −log(share of what is right); 0 where nothing right is open. A share below [`LEAST`] counts as that much.
    pub(super) fn loss(&self, weights: &[f32], sharpness: f32) -> f32 {
        let share = self.odds(weights, sharpness).and_then(|odds| self.share_of_right(&odds));
        share.map_or(0.0, |share| -share.max(LEAST).ln())
    }

    /// What is chosen; `None` where no score is high enough.
    pub(super) fn chosen(&self, weights: &[f32], sharpness: f32) -> Option<Chosen> {
        let scores = self.scores(weights);
        let odds = self.odds(weights, sharpness)?;
        let open = (0..scores.len()).filter(|at| self.rows[*at].open && scores[*at] >= MIN_SCORE);
        let at = open.max_by(|one, other| scores[*one].total_cmp(&scores[*other]))?;
        Some(Chosen { share: odds[at], right: self.rows[at].right, is_done: self.rows[at].is_done })
    }

    /// Adds the slope of −log(share of the right options), where a right one is open.
    pub(super) fn add_slope(&self, weights: &[f32], sharpness: f32, share: f32, slope: &mut [f32]) {
        self.each_excess(weights, sharpness, &mut |row, excess, _| {
            for (at, value) in &row.features {
                slope[*at] += excess * sharpness * share * value;
            }
        });
    }

    /// Tells of each open option by how much its odds exceed what is wanted, with the odds among all and among the right ones.
    fn each_excess(&self, weights: &[f32], sharpness: f32, tell: &mut dyn FnMut(&Row, f32, (f32, f32))) {
        let Some(odds) = self.odds(weights, sharpness) else { return };
        let Some(right) = self.share_of_right(&odds) else { return };
        for (row, odds) in self.rows.iter().zip(&odds).filter(|(row, _)| row.open) {
            let wanted = if row.right { odds / right.max(f32::MIN_POSITIVE) } else { 0.0 };
            tell(row, odds - wanted, (*odds, wanted));
        }
    }

    /// Calls `tell` with the features of each open option, its odds among all and among the right ones.
    pub(super) fn each_option(
        &self,
        weights: &[f32],
        sharpness: f32,
        tell: &mut dyn FnMut(&[(usize, f32)], (f32, f32)),
    ) {
        self.each_excess(weights, sharpness, &mut |row, _, odds| tell(&row.features, odds));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{example, option};
    use super::*;
    use crate::pipeline::PolicyWeights;

    #[test]
    fn few_features_give_the_scores_of_all_of_them() {
        let weights = PolicyWeights::bundled().unwrap();
        let mut done = option(&[(Feature::Done, 1.0), (Feature::Remaining, 0.4)], true);
        done.is_done = true;
        let one = example("a", vec![option(&[(Feature::Meaning, 0.7), (Feature::Said, 1.0)], false), done]);
        let problem = Problem::of(std::slice::from_ref(&one));
        assert_eq!(problem.choices[0].scores(weights.values()), one.scores(&weights));
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let options = vec![
            option(&[(Feature::Meaning, 0.6)], false),
            option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], true),
        ];
        let problem = Problem::of(&[example("a", options)]);
        let loss = |weights: &[f32]| {
            let odds = problem.choices[0].odds(weights, 6.0).unwrap();
            -problem.choices[0].share_of_right(&odds).unwrap().ln()
        };
        let mut weights = vec![0.0; SIZE];
        weights[Feature::Meaning as usize] = 1.0;
        let mut slope = vec![0.0; SIZE];
        problem.choices[0].add_slope(&weights, 6.0, 1.0, &mut slope);
        for feature in [Feature::Meaning, Feature::Said] {
            let mut moved = weights.clone();
            moved[feature as usize] += 1e-3;
            let measured = (loss(&moved) - loss(&weights)) / 1e-3;
            assert!((measured - slope[feature as usize]).abs() < 0.02, "{feature:?}: {measured} {slope:?}");
        }
    }
}
