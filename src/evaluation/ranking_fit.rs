//! Weights of the ranking's terms, fitted to labelled instructions.
//!
//! A softmax over each screen's candidates, whose logits are a constant times the weighted sum of the terms; the weights
//! that make what people chose most likely are found by gradient descent from the present ones, which also hold them
//! back. Everything is deterministic. The weight of `meaning` stays, so that scores keep their scale.

use super::ranking::{RankingEvaluationError, is_hit, question, ranked_on};
use super::ranking_labels::LabelledScreen;
use crate::case::Rewriter;
use crate::pipeline::Knowledge;
use crate::ranking::{Scorer, Weights};
use serde::Serialize;
use std::collections::BTreeSet;

/// Terms whose use labelled single screens do not show: what was done before, forms that are filled in step by step, and
/// what is far from a matter of degree.
const HELD: [&str; 13] = [
    "meaning",
    "background",
    "form",
    "form_filled",
    "form_field",
    "advance",
    "done_before",
    "state",
    "unmentioned",
    "named",
    "named_missing",
    "parameter",
    "towards",
];
/// A term that fewer labels' candidates differ in stays as it is.
const FEWEST: usize = 20;
/// How strongly the present weights hold the new ones back.
const HOLD: f64 = 0.0005;
/// Steps of the descent.
const STEPS: usize = 200;
/// Parts of the apps that are held out in turn.
const FOLDS: usize = 5;

/// What a fit found.
#[derive(Debug, Clone, Serialize)]
pub struct Fit {
    /// Labels with a candidate that is right.
    pub labels: usize,
    /// Share of them that the present weights put first.
    pub before: f64,
    /// Share that the new weights put first.
    pub after: f64,
    /// The same on apps that were held out.
    pub held_out: f64,
    /// The new weights by name.
    pub weights: Vec<(&'static str, f32)>,
}

/// The terms of a candidate that are not zero, unweighted, by their place in [`Weights::TERMS`].
type Features = Vec<(usize, f64)>;

/// One label: the terms of each candidate, and which of them are right.
struct Choice {
    app: usize,
    features: Vec<Features>,
    right: Vec<bool>,
}

/// Fits the weights of `scorer` to the labels.
///
/// # Errors
/// A label cannot be read as a step, or the model fails.
pub fn fit_weights(
    (scorer, knowledge): (&Scorer<'_>, &Knowledge),
    rewriter: &Rewriter,
    screens: &[LabelledScreen],
) -> Result<Fit, RankingEvaluationError> {
    let choices = choices((scorer, knowledge), rewriter, screens)?;
    let mut present = *scorer.weights;
    let start: Vec<f64> =
        Weights::TERMS.iter().map(|name| present.term_mut(name).map_or(0.0, |w| f64::from(*w))).collect();
    let free = free(&choices);
    let all: Vec<&Choice> = choices.iter().collect();
    let found = descend(&all, &start, &free);
    let mut held_out = 0.0;
    for fold in 0..FOLDS {
        let (out, inside): (Vec<&Choice>, Vec<&Choice>) = choices.iter().partition(|choice| choice.app % FOLDS == fold);
        held_out += first(&out, &descend(&inside, &start, &free)) * out.len() as f64;
    }
    Ok(Fit {
        labels: choices.len(),
        before: first(&all, &start),
        after: first(&all, &found),
        held_out: held_out / choices.len().max(1) as f64,
        weights: Weights::TERMS.iter().zip(&found).map(|(name, weight)| (*name, *weight as f32)).collect(),
    })
}

fn choices(
    (scorer, knowledge): (&Scorer<'_>, &Knowledge),
    rewriter: &Rewriter,
    screens: &[LabelledScreen],
) -> Result<Vec<Choice>, RankingEvaluationError> {
    let plain = Weights::PLAIN;
    let scorer = Scorer { weights: &plain, ..*scorer };
    let apps: BTreeSet<&str> = screens.iter().map(|screen| screen.package.as_str()).collect();
    let mut choices = Vec::new();
    for labelled in screens {
        let app = apps.iter().position(|app| *app == labelled.package.as_str()).unwrap_or(0);
        for label in &labelled.labels {
            let ranked = ranked_on((&scorer, knowledge), &question(label, rewriter)?, label, labelled)?;
            let right: Vec<bool> = ranked.iter().map(|ranked| is_hit(label, &ranked.candidate)).collect();
            if !right.contains(&true) || !right.contains(&false) {
                continue;
            }
            let features = ranked
                .iter()
                .map(|ranked| {
                    let place = |name: &str| Weights::TERMS.iter().position(|term| *term == name);
                    let terms = ranked.terms.iter();
                    terms.filter_map(|(name, value)| Some((place(name)?, f64::from(*value)))).collect()
                })
                .collect();
            choices.push(Choice { app, features, right });
        }
    }
    Ok(choices)
}

/// Terms that may change: not held, and not the same for all candidates of too many labels.
fn free(choices: &[Choice]) -> Vec<bool> {
    let differs = |at: usize| {
        let varied = |choice: &&Choice| {
            let of =
                |features: &Features| -> f64 { features.iter().filter(|(term, _)| *term == at).map(|(_, v)| v).sum() };
            let first = choice.features.first().map_or(0.0, of);
            choice.features.iter().any(|features| (of(features) - first).abs() > 1e-9)
        };
        choices.iter().filter(varied).count()
    };
    let mut free = Vec::with_capacity(Weights::TERMS.len());
    for (at, name) in Weights::TERMS.iter().enumerate() {
        free.push(!HELD.contains(name) && differs(at) >= FEWEST);
    }
    free
}

/// Adam on the mean loss; weights never change their sign.
fn descend(choices: &[&Choice], start: &[f64], free: &[bool]) -> Vec<f64> {
    let n = start.len();
    let mut weights = start.to_vec();
    // The last parameter is the logarithm of the constant.
    let mut sharpness = 10.0_f64.ln();
    let (mut m, mut v) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    for step in 1..=STEPS {
        let mut slope = vec![0.0; n + 1];
        for choice in choices {
            add_slope(choice, &weights, sharpness.exp(), &mut slope);
        }
        for (at, slope) in slope.iter_mut().enumerate() {
            *slope /= choices.len().max(1) as f64;
            if at < n {
                *slope += 2.0 * HOLD * (weights[at] - start[at]);
            }
        }
        let rate = 0.02;
        for at in 0..=n {
            if at < n && !free[at] {
                continue;
            }
            m[at] = 0.9 * m[at] + 0.1 * slope[at];
            v[at] = 0.999 * v[at] + 0.001 * slope[at] * slope[at];
            let (mean, variance) =
                (m[at] / (1.0 - 0.9_f64.powi(step as i32)), v[at] / (1.0 - 0.999_f64.powi(step as i32)));
            let change = rate * mean / (variance.sqrt() + 1e-9);
            if at < n {
                weights[at] = (weights[at] - change).max(0.0);
            } else {
                sharpness -= change;
            }
        }
    }
    weights
}

/// Adds the slope of the negative logarithm of what the right candidates are given together.
fn add_slope(choice: &Choice, weights: &[f64], constant: f64, slope: &mut [f64]) {
    let sums: Vec<f64> = choice.features.iter().map(|features| dot(features, weights)).collect();
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = sums.iter().map(|sum| (constant * (sum - most)).exp()).collect();
    let all: f64 = powers.iter().sum();
    let right: f64 = powers.iter().zip(&choice.right).filter(|(_, right)| **right).map(|(power, _)| power).sum();
    for ((features, power), (is_right, sum)) in choice.features.iter().zip(&powers).zip(choice.right.iter().zip(&sums))
    {
        let wanted = if *is_right { power / right.max(1e-300) } else { 0.0 };
        let by = power / all - wanted;
        for (term, value) in features {
            slope[*term] += constant * by * value;
        }
        if let Some(last) = slope.last_mut() {
            *last += constant * by * sum;
        }
    }
}

fn dot(features: &Features, weights: &[f64]) -> f64 {
    features.iter().map(|(term, value)| value * weights[*term]).sum()
}

/// Share of the choices whose first candidate is right.
fn first(choices: &[&Choice], weights: &[f64]) -> f64 {
    let right = choices.iter().filter(|choice| {
        let best = choice
            .features
            .iter()
            .map(|features| dot(features, weights))
            .zip(&choice.right)
            .fold((f64::NEG_INFINITY, false), |best, (sum, right)| if sum > best.0 { (sum, *right) } else { best });
        best.1
    });
    right.count() as f64 / choices.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The right candidate has the second free term, a wrong one the first.
    fn choice(app: usize) -> Choice {
        let with = |at: usize| vec![(0, 0.5), (at, 1.0)];
        Choice { app, features: vec![with(1), with(2)], right: vec![false, true] }
    }

    #[test]
    fn weights_move_towards_what_people_chose_and_held_ones_stay() {
        let choices: Vec<Choice> = (0..40).map(choice).collect();
        let all: Vec<&Choice> = choices.iter().collect();
        let start = vec![0.2; Weights::TERMS.len()];
        let free = free(&choices);
        assert_eq!(&free[..4], [false, true, true, false]);
        let found = descend(&all, &start, &free);
        assert!(found[2] > start[2] && found[1] < start[1], "{found:?}");
        assert!((found[0] - 0.2).abs() < 1e-9);
        assert!(first(&all, &start) < 0.5 && first(&all, &found) > 0.99);
        assert_eq!(descend(&all, &start, &free), found, "not deterministic");
    }
}
