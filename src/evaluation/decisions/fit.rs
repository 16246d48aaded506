//! Fitting the policy's weights: listwise, log-linear, drawn towards the weights it begins with.

use super::example::DecisionExample;
use super::report::{DecisionReport, DecisionScore};
use crate::pipeline::{Feature, PolicyWeights};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How the weights are fitted.
#[derive(Debug, Clone, Copy)]
pub struct FitSettings {
    /// Passes over all examples.
    pub rounds: usize,
    /// Step of a pass.
    pub rate: f32,
    /// How strongly weights are drawn back to where they began.
    pub pull: f32,
    /// How much a difference of 1 in score tells: the scores keep the scale on which thresholds were set.
    pub sharpness: f32,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { rounds: 300, rate: 0.02, pull: 0.1, sharpness: 6.0 }
    }
}

/// One app judged by weights that were fitted without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    /// The package.
    pub app: String,
    /// With the weights it began with.
    pub before: DecisionScore,
    /// With weights fitted to all other apps.
    pub left_out: DecisionScore,
    /// With weights fitted to all apps.
    pub in_sample: DecisionScore,
}

/// Fitted weights, and what they are worth.
#[derive(Debug, Clone)]
pub struct FittedPolicy {
    /// Fitted to all apps.
    pub weights: PolicyWeights,
    /// By app.
    pub apps: Vec<LeftOut>,
}

/// Weights that are set by hand and stay as they are: walkthroughs never show what daring costs, leave
/// the app, or say how another way would be found back.
const FROZEN: &[Feature] = &[
    Feature::RiskyGuess,
    Feature::FarGuess,
    Feature::Outside,
    Feature::WayBack,
    Feature::BackCost,
    Feature::RareSkill,
    Feature::Disabled,
    Feature::ExpectationsHold,
    Feature::ExpectationsOpen,
];

/// Fits weights to examples of at least two apps, beginning with `begin`. `None` for fewer apps: nothing could be left out.
pub fn fit_policy(examples: &[DecisionExample], begin: &PolicyWeights, settings: FitSettings) -> Option<FittedPolicy> {
    let apps: BTreeSet<&str> = examples.iter().map(|example| example.app.as_str()).collect();
    if apps.len() < 2 {
        return None;
    }
    let all: Vec<&DecisionExample> = examples.iter().collect();
    let weights = fitted(&all, begin, settings);
    let mut found = Vec::new();
    for app in apps {
        let others: Vec<&DecisionExample> = examples.iter().filter(|example| example.app != app).collect();
        let without = fitted(&others, begin, settings);
        let of = |weights: &PolicyWeights| {
            DecisionReport::of(examples.iter().filter(|example| example.app == app), weights).total
        };
        found.push(LeftOut { app: app.to_owned(), before: of(begin), left_out: of(&without), in_sample: of(&weights) });
    }
    Some(FittedPolicy { weights, apps: found })
}

/// Gradient steps (Adam) on the mean over apps of the negative log-likelihood of what is right.
fn fitted(examples: &[&DecisionExample], begin: &PolicyWeights, settings: FitSettings) -> PolicyWeights {
    let size = Feature::ALL.len();
    let start = begin.values();
    let mut weights: Vec<f32> = start.to_vec();
    let (mut mean, mut square) = (vec![0.0_f32; size], vec![0.0_f32; size]);
    // Every app counts alike up to a point: one with many cases must not decide alone.
    let mut sizes: BTreeMap<&str, f32> = BTreeMap::new();
    for example in examples {
        *sizes.entry(example.app.as_str()).or_default() += 1.0;
    }
    let total: f32 = sizes.values().map(|count| count.sqrt()).sum();
    for round in 1..=settings.rounds {
        let current = PolicyWeights::of(weights.iter().copied());
        let mut gradient: Vec<f32> =
            weights.iter().zip(start).map(|(now, start)| settings.pull * (now - start)).collect();
        for example in examples {
            let share = 1.0 / sizes.get(example.app.as_str()).map_or(1.0, |count| count.sqrt()) / total;
            add_gradient(example, &current, settings.sharpness, share, &mut gradient);
        }
        for feature in FROZEN {
            gradient[*feature as usize] = 0.0;
        }
        let decay = |beta: f32| 1.0 - beta.powi(i32::try_from(round).unwrap_or(i32::MAX));
        for at in 0..size {
            mean[at] = 0.9f32.mul_add(mean[at], 0.1 * gradient[at]);
            square[at] = 0.999f32.mul_add(square[at], 0.001 * gradient[at] * gradient[at]);
            weights[at] -= settings.rate * (mean[at] / decay(0.9)) / ((square[at] / decay(0.999)).sqrt() + 1e-8);
            weights[at] = with_sign_of(start[at], weights[at]);
        }
    }
    PolicyWeights::of(weights)
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

/// Adds the gradient of −log(share of the right options) of one example, where a right one is open.
fn add_gradient(example: &DecisionExample, weights: &PolicyWeights, sharpness: f32, share: f32, gradient: &mut [f32]) {
    let open = |at: usize| example.options[at].veto.is_none();
    if !example.options.iter().any(|option| option.right && option.veto.is_none()) {
        return;
    }
    let scores = example.scores(weights);
    let highest = (0..scores.len()).filter(|at| open(*at)).map(|at| scores[at]).fold(f32::MIN, f32::max);
    let odds: Vec<f32> =
        (0..scores.len()).map(|at| if open(at) { (sharpness * (scores[at] - highest)).exp() } else { 0.0 }).collect();
    let all: f32 = odds.iter().sum();
    let right: f32 = odds.iter().zip(&example.options).filter(|(_, option)| option.right).map(|(odds, _)| odds).sum();
    for (odds, option) in odds.iter().zip(&example.options) {
        let wanted = if option.right { odds / right.max(f32::MIN_POSITIVE) } else { 0.0 };
        let excess = (odds / all - wanted) * sharpness * share;
        if excess == 0.0 {
            continue;
        }
        for (slope, value) in gradient.iter_mut().zip(&option.features) {
            *slope += excess * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{ExampleOption, Outcome};
    use super::*;
    use crate::inference::Reading;

    fn option(features: &[(Feature, f32)], right: bool) -> ExampleOption {
        let mut values = vec![0.0; Feature::ALL.len()];
        for (feature, value) in features {
            values[*feature as usize] = *value;
        }
        ExampleOption {
            what: String::new(),
            widget: None,
            features: values,
            veto: None,
            right,
            carries_out: true,
            is_done: false,
        }
    }

    fn example(app: &str, options: Vec<ExampleOption>) -> DecisionExample {
        DecisionExample {
            app: app.into(),
            case: String::new(),
            step: 1,
            hand: String::new(),
            astray: false,
            reading: Reading::default(),
            options,
        }
    }

    #[test]
    fn what_is_right_in_every_app_gains_weight() {
        let telling = |app| {
            let options = vec![
                option(&[(Feature::Meaning, 0.6)], false),
                option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], true),
            ];
            example(app, options)
        };
        let examples = [telling("a"), telling("b"), telling("c")];
        let begin = PolicyWeights::of(Feature::ALL.iter().map(|feature| f32::from(*feature == Feature::Meaning)));
        let fitted = fit_policy(&examples, &begin, FitSettings::default()).unwrap();
        assert!(fitted.weights.get(Feature::Said) > 0.1, "{:?}", fitted.weights.get(Feature::Said));
        for app in &fitted.apps {
            assert_eq!(app.before.count(Outcome::Right), 0);
            assert_eq!(
                (app.left_out.count(Outcome::Right), app.in_sample.count(Outcome::Right)),
                (1, 1),
                "{}",
                app.app
            );
        }
    }

    #[test]
    fn what_speaks_for_a_proposal_never_speaks_against_it() {
        let misleading = |app| {
            let options = vec![
                option(&[(Feature::Meaning, 0.6), (Feature::Said, 1.0)], false),
                option(&[(Feature::Meaning, 0.4)], true),
            ];
            example(app, options)
        };
        let prior = PolicyWeights::prior().unwrap();
        let fitted = fit_policy(&["a", "b"].map(misleading), &prior, FitSettings::default()).unwrap();
        let said = fitted.weights.get(Feature::Said);
        assert!((0.0..prior.get(Feature::Said)).contains(&said), "{said}");
    }

    #[test]
    fn one_app_alone_fits_nothing() {
        let examples = [example("a", vec![option(&[(Feature::Meaning, 1.0)], true)])];
        assert!(fit_policy(&examples, &PolicyWeights::of([]), FitSettings::default()).is_none());
    }
}
