//! Whether weights that were fitted to the user's own runs as well are taken over: only where neither the user's figure nor that of
//! other apps falls, both on what was left out.

use super::example::DecisionExample;
use super::fit::{FitError, FitSettings, Fitting, frozen};
use super::kept_fits::KeptFits;
use super::problem::Choice;
use super::report::{DecisionReport, DecisionScore};
use crate::pipeline::PolicyWeights;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;

/// What the family of the user's own examples begins with: each case is left out by itself.
const OWN: &str = "own case ";

/// Decisions before and after.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Compared {
    /// Without the user's runs.
    pub before: DecisionScore,
    /// With them.
    pub after: DecisionScore,
}

impl Compared {
    fn falls(&self) -> bool {
        use super::example::Outcome::Right;
        self.after.count(Right) < self.before.count(Right)
    }
}

/// What is done with fitted weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// They are taken over.
    Adopted,
    /// Fewer of the user's own decisions would be right.
    OwnFall,
    /// Fewer decisions on other apps would be right.
    OthersFall,
}

/// Weights fitted to the user's runs and to other apps, and what they are worth.
#[derive(Debug, Clone)]
pub struct Adoption {
    /// The weights.
    pub weights: PolicyWeights,
    /// The user's own cases, each judged by weights fitted without it: by those in use, and by the new ones.
    pub own: Compared,
    /// Other apps, each family judged by weights fitted without it: without the user's runs, and with them.
    pub others: Compared,
    /// What is done.
    pub verdict: Verdict,
}

/// Why weights cannot be weighed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdoptionError {
    /// The runs tell nothing.
    #[error(
        "these runs hold no decision to learn from: only runs that passed tell what was right, and corrections (--corrections FILE)"
    )]
    NoOwn,
    /// There is nothing on which the new weights could be seen to get worse.
    #[error("decisions on other apps: {0}")]
    Others(FitError),
}

/// Fits weights, beginning with `begin`, and compares them with those in use.
///
/// # Errors
/// Without decisions of the user's own, or with those of fewer than two other apps.
pub fn weigh_adoption(
    own: &[DecisionExample],
    others: &[DecisionExample],
    (in_use, begin): (&PolicyWeights, &PolicyWeights),
    settings: FitSettings,
    kept: &KeptFits,
) -> Result<Adoption, AdoptionError> {
    if own.is_empty() {
        return Err(AdoptionError::NoOwn);
    }
    if let Some(error) = FitError::unless_enough(others.iter().map(|example| example.app.clone())) {
        return Err(AdoptionError::Others(error));
    }
    let by_case =
        own.iter().map(|example| DecisionExample { family: format!("{OWN}{}", example.case), ..example.clone() });
    let all: Vec<DecisionExample> = by_case.chain(others.iter().cloned()).collect();
    let fitting = Fitting::new(&all, begin, settings, kept).map_err(AdoptionError::Others)?;
    let fixed = frozen();
    let fit = |kept: &dyn Fn(&Choice) -> bool| {
        PolicyWeights::of(fitting.weights(kept, begin.values(), &fixed, settings.rounds))
    };
    let families = &fitting.problem.families;
    let is_own = |family: usize| families[family].starts_with(OWN);
    let judged = |family: usize, weights: &PolicyWeights| {
        let of = all.iter().filter(|example| example.group() == families[family] && !example.astray);
        DecisionReport::of(of, weights).total
    };
    let parts: Vec<(bool, Compared)> = (0..families.len())
        .into_par_iter()
        .map(|family| {
            let after = judged(family, &fit(&|choice| choice.family != family));
            let before = if is_own(family) {
                judged(family, in_use)
            } else {
                judged(family, &fit(&|choice| choice.family != family && !is_own(choice.family)))
            };
            (is_own(family), Compared { before, after })
        })
        .collect();
    let sum = |own: bool| {
        parts.iter().filter(|(is_own, _)| *is_own == own).fold(Compared::default(), |sum, (_, part)| Compared {
            before: sum.before.plus(&part.before),
            after: sum.after.plus(&part.after),
        })
    };
    let (own, others) = (sum(true), sum(false));
    let verdict = match () {
        () if own.falls() => Verdict::OwnFall,
        () if others.falls() => Verdict::OthersFall,
        () => Verdict::Adopted,
    };
    Ok(Adoption { weights: fit(&|_| true), own, others, verdict })
}

#[cfg(test)]
mod tests {
    use super::super::example::Outcome;
    use super::super::sample::{example, option, telling};
    use super::*;
    use crate::pipeline::Feature;

    /// What the instruction says is wrong here.
    fn contrary(app: &str, case: &str) -> DecisionExample {
        let options = vec![
            option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], false),
            option(&[(Feature::Meaning, 0.6)], true),
        ];
        DecisionExample { case: case.into(), ..example(app, options) }
    }

    fn weighed(own: &[DecisionExample], others: &[DecisionExample]) -> Adoption {
        let begin = PolicyWeights::of(Feature::ALL.iter().map(|feature| f32::from(*feature == Feature::Meaning)));
        let said = |feature: &Feature| match feature {
            Feature::Meaning => 1.0,
            Feature::Said => 1.0,
            _ => 0.0,
        };
        let in_use = PolicyWeights::of(Feature::ALL.iter().map(said));
        weigh_adoption(own, others, (&in_use, &begin), FitSettings::default(), &KeptFits::default()).unwrap()
    }

    #[test]
    fn what_agrees_with_other_apps_is_adopted() {
        let own = [DecisionExample { case: "A-1".into(), ..telling("own") }];
        let found = weighed(&own, &["a", "b", "c"].map(telling));
        assert_eq!(found.verdict, Verdict::Adopted, "{found:?}");
        assert_eq!((found.own.after.count(Outcome::Right), found.others.after.count(Outcome::Right)), (1, 3));
    }

    #[test]
    fn what_would_spoil_other_apps_is_not() {
        // Many of the user's cases say the contrary of what few others say.
        let own: Vec<DecisionExample> = (0..200).map(|at| contrary("own", &format!("A-{}", at % 2))).collect();
        let found = weighed(&own, &["a", "b"].map(telling));
        assert_eq!(found.verdict, Verdict::OthersFall, "{found:?}");
        assert!(found.own.after.count(Outcome::Right) > found.own.before.count(Outcome::Right), "{found:?}");
    }

    #[test]
    fn what_does_not_help_a_case_that_was_left_out_is_not_adopted() {
        let own = [DecisionExample { case: "A-1".into(), ..telling("own") }, contrary("own", "A-2")];
        let others: Vec<DecisionExample> = ["a", "b"].iter().map(|app| contrary(app, "X-1")).collect();
        let found = weighed(&own[..1], &others);
        assert_eq!(found.verdict, Verdict::OwnFall, "{found:?}");
    }

    #[test]
    fn too_little_is_refused_with_what_to_do() {
        let begin = PolicyWeights::of([]);
        let of = |own: &[DecisionExample], others: &[DecisionExample]| {
            let weights = (&begin, &begin);
            weigh_adoption(own, others, weights, FitSettings::default(), &KeptFits::default()).unwrap_err().to_string()
        };
        assert!(of(&[], &["a", "b"].map(telling)).contains("--corrections"));
        assert!(of(&[telling("own")], &[telling("a")]).contains("at least two apps"));
    }
}
