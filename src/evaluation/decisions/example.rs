//! One decision: what could have been done, what was right, what the policy would have chosen.

use crate::inference::Reading;
use crate::pipeline::{Feature, MIN_SCORE, Move, PolicyWeights, Weighed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One decision with everything that could have been done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionExample {
    /// The app's package.
    pub app: String,
    /// The family of generated apps it belongs to; empty where it is no such app.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub family: String,
    /// The case.
    pub case: String,
    /// The case's step, from 1.
    pub step: usize,
    /// What the person did.
    pub hand: String,
    /// True where the policy was let go astray before it: a fit learns from it, no figure counts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub astray: bool,
    /// What is asked for, what was done for it, and the screen, in words.
    pub reading: Reading,
    /// All proposals, in the order in which the policy ranked them.
    pub options: Vec<ExampleOption>,
}

/// One proposal of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExampleOption {
    /// What it does.
    pub what: String,
    /// The widget it is aimed at, by its place in the reading.
    pub widget: Option<usize>,
    /// Its features, in the order of [`Feature::ALL`].
    #[serde(serialize_with = "named", deserialize_with = "by_name")]
    pub features: Vec<f32>,
    /// Why a guard forbids it.
    pub veto: Option<String>,
    /// True for what the person did.
    pub right: bool,
    /// True for what carries something of the clause out.
    pub carries_out: bool,
    /// True for the end of the clause.
    pub is_done: bool,
}

impl ExampleOption {
    /// A proposal that was weighed, and whether it is what the person did.
    pub fn of(weighed: &Weighed, right: bool) -> Self {
        Self {
            what: weighed.proposal.action().map_or_else(|| "done".to_owned(), ToString::to_string),
            widget: weighed.proposal.widget,
            features: weighed.proposal.features.values().to_vec(),
            veto: weighed.veto.map(|veto| veto.told().to_owned()),
            right,
            carries_out: weighed.proposal.source.carries_out(),
            is_done: weighed.proposal.action == Move::Done,
        }
    }
}

/// What the policy would have come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The right one is chosen.
    Right,
    /// Another action is chosen.
    Wrong,
    /// The clause is ended although something is left to do.
    EndedEarly,
    /// The clause goes on although all is done.
    EndedLate,
    /// A guard forbids what is right.
    Vetoed,
    /// Nothing proposes what is right.
    Missing,
    /// Nothing is chosen: no score is high enough.
    GaveUp,
}

/// Only the features that are not 0, by name.
fn named<S: serde::Serializer>(features: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        Feature::ALL
            .iter()
            .zip(features)
            .filter(|(_, value)| **value != 0.0)
            .map(|(feature, value)| (feature.key(), value)),
    )
}

/// The features in the order of [`Feature::ALL`], those that are not named 0.
fn by_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
    let mut named = BTreeMap::<String, f32>::deserialize(deserializer)?;
    let features = Feature::ALL.iter().map(|feature| named.remove(feature.key()).unwrap_or_default()).collect();
    match named.into_keys().next() {
        Some(unknown) => Err(serde::de::Error::custom(format!("`{unknown}` is no feature of this version"))),
        None => Ok(features),
    }
}

impl DecisionExample {
    /// What is left out together with it: its family, else its app.
    pub fn group(&self) -> &str {
        if self.family.is_empty() { &self.app } else { &self.family }
    }

    /// The scores of all options under other weights than those they were ranked by.
    pub fn scores(&self, weights: &PolicyWeights) -> Vec<f32> {
        let plain = |option: &ExampleOption| {
            weights.values().iter().zip(&option.features).map(|(weight, value)| weight * value).sum::<f32>()
        };
        let mut scores: Vec<f32> = self.options.iter().map(plain).collect();
        let open = self.options.iter().zip(&scores).filter(|(option, _)| option.veto.is_none() && option.carries_out);
        // What the end of the clause is worth depends on what else there is to do.
        let best =
            open.filter(|(option, _)| !option.is_done).map(|(_, score)| *score).fold(-0.5, f32::max).clamp(-0.5, 1.5);
        let remaining = Feature::Remaining as usize;
        for (option, score) in self.options.iter().zip(&mut scores).filter(|(option, _)| option.is_done) {
            let known = option.features.get(remaining).copied().unwrap_or_default();
            *score += weights.get(Feature::Remaining) * (best - known);
        }
        scores
    }

    /// What the policy comes to with these weights alone.
    pub fn outcome(&self, weights: &PolicyWeights) -> Outcome {
        let scores = self.scores(weights);
        let open = self.options.iter().zip(scores).filter(|(option, _)| option.veto.is_none());
        self.judged(open.max_by(|one, other| one.1.total_cmp(&other.1)))
    }

    /// What it is to choose an option at a score; `None` where none is open.
    fn judged(&self, best: Option<(&ExampleOption, f32)>) -> Outcome {
        let best = best.filter(|(_, score)| *score >= MIN_SCORE);
        let right = |option: &&ExampleOption| option.right;
        if !self.options.iter().any(|option| option.right) {
            return Outcome::Missing;
        }
        if !self.options.iter().filter(right).any(|option| option.veto.is_none()) {
            return Outcome::Vetoed;
        }
        match best {
            None => Outcome::GaveUp,
            Some((option, _)) if option.right => Outcome::Right,
            Some((option, _)) if option.is_done => Outcome::EndedEarly,
            Some(_) if self.options.iter().any(|option| option.right && option.is_done) => Outcome::EndedLate,
            Some(_) => Outcome::Wrong,
        }
    }
}
