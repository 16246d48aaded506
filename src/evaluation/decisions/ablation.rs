//! What each feature earns: decisions right on what was left out, with it and without it.

use super::example::DecisionExample;
use super::fit::{FitError, FitSettings, Fitting, frozen};
use super::kept_fits::KeptFits;
use super::problem::{Choice, SIZE};
use crate::pipeline::{Feature, PolicyWeights};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;

/// Parts that are left out one after another: whole families.
const PARTS: usize = 4;
/// Passes after a feature was taken away; the rest only has to take its place.
const ROUNDS: usize = 60;

/// What a feature earns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Earning {
    /// Its name.
    pub feature: &'static str,
    /// Decisions right more with it than without, of all that were left out.
    pub right: i64,
    /// By how much the mean negative log-likelihood is less with it.
    pub loss: f32,
}

/// What all of them earn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ablation {
    /// Decisions that were left out.
    pub decisions: usize,
    /// Those of them that were right with all features.
    pub right: usize,
    /// Each feature that the fit weighs, the one that earns least first.
    pub earnings: Vec<Earning>,
    /// Features that no decision has.
    pub unseen: Vec<&'static str>,
}

impl Ablation {
    /// Features without which no more decisions are wrong and what is right is no less likely.
    pub fn idle(&self) -> impl Iterator<Item = &Earning> {
        self.earnings.iter().filter(|earning| earning.right <= 0 && earning.loss <= 0.0)
    }
}

/// Takes each feature away that is fitted and occurs, one at a time, a quarter of the families left out in turn.
///
/// # Errors
/// For fewer than two apps.
pub fn ablate(
    examples: &[DecisionExample],
    begin: &PolicyWeights,
    settings: FitSettings,
    kept: &KeptFits,
) -> Result<Ablation, FitError> {
    let fitting = Fitting::new(examples, begin, settings, kept)?;
    let fixed = frozen();
    let seen =
        |at: usize| examples.iter().any(|example| example.options.iter().any(|option| option.features[at] != 0.0));
    let (known, unseen): (Vec<usize>, Vec<usize>) = (0..SIZE).filter(|at| !fixed[*at]).partition(|at| seen(*at));
    // With one family its apps take turns.
    let one_family = fitting.problem.families.len() < 2;
    let part = move |choice: &Choice| (if one_family { choice.app } else { choice.family }) % PARTS;
    let parts: Vec<(usize, Vec<f32>)> = (0..PARTS)
        .into_par_iter()
        .map(|out| (out, fitting.weights(&|choice| part(choice) != out, begin.values(), &fixed, settings.rounds)))
        .collect();
    // What is taken away has so many passes more: so has what it is compared with.
    let without = |feature: Option<usize>| {
        let mut fixed = fixed;
        let judged = parts.iter().map(|(out, whole)| {
            let mut start = whole.clone();
            if let Some(at) = feature {
                (fixed[at], start[at]) = (true, 0.0);
            }
            let weights = fitting.weights(&|choice| part(choice) != *out, &start, &fixed, ROUNDS);
            let own = fitting.problem.choices.iter().filter(|choice| choice.counts && part(choice) == *out);
            own.fold(Judged::default(), |sum, choice| sum.and(choice, &weights, settings.sharpness))
        });
        judged.fold(Judged::default(), Judged::plus)
    };
    let whole = without(None);
    let mut earnings: Vec<Earning> = known
        .into_par_iter()
        .map(|at| {
            let judged = without(Some(at));
            let mean = |judged: &Judged| judged.loss / judged.decisions.max(1) as f32;
            let right = whole.right as i64 - judged.right as i64;
            Earning { feature: Feature::ALL[at].key(), right, loss: mean(&judged) - mean(&whole) }
        })
        .collect();
    earnings.sort_by(|one, other| one.right.cmp(&other.right).then(one.loss.total_cmp(&other.loss)));
    let unseen = unseen.into_iter().map(|at| Feature::ALL[at].key()).collect();
    Ok(Ablation { decisions: whole.decisions, right: whole.right, earnings, unseen })
}

/// What decisions came to.
#[derive(Debug, Default)]
struct Judged {
    decisions: usize,
    right: usize,
    loss: f32,
}

impl Judged {
    fn and(self, choice: &Choice, weights: &[f32], sharpness: f32) -> Self {
        let right = choice.chosen(weights, sharpness).is_some_and(|chosen| chosen.right);
        self.plus(Self { decisions: 1, right: usize::from(right), loss: choice.loss(weights, sharpness) })
    }

    fn plus(self, other: Self) -> Self {
        Self {
            decisions: self.decisions + other.decisions,
            right: self.right + other.right,
            loss: self.loss + other.loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{example, option};
    use super::*;

    #[test]
    fn what_decides_earns_and_what_is_always_there_does_not() {
        let examples: Vec<DecisionExample> = (0..8)
            .map(|at| {
                let options = vec![
                    option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0), (Feature::Named, 1.0)], true),
                    option(&[(Feature::Meaning, 0.6), (Feature::Named, 1.0)], false),
                ];
                example(&format!("app{at}"), options)
            })
            .collect();
        let begin = PolicyWeights::of(Feature::ALL.iter().map(|feature| f32::from(*feature == Feature::Meaning)));
        let found = ablate(&examples, &begin, FitSettings::default(), &KeptFits::default()).unwrap();
        assert_eq!((found.decisions, found.right), (8, 8));
        let of = |name: &str| *found.earnings.iter().find(|earning| earning.feature == name).unwrap();
        assert_eq!(of("said").right, 8);
        assert!(of("said").loss > 0.0);
        let idle: Vec<&str> = found.idle().map(|earning| earning.feature).collect();
        assert!(idle.contains(&"named") && !idle.contains(&"said"), "{idle:?}");
        assert!(found.unseen.contains(&"route"));
    }
}
