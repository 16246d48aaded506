//! Fitting the policy's weights: listwise, log-linear, drawn towards the weights it begins with; each app and each family left out once.

use super::calibration::Calibration;
use super::example::DecisionExample;
use super::kept_fits::KeptFits;
use super::problem::{Choice, Fixed, Problem, SIZE};
use super::report::{DecisionReport, DecisionScore};
use super::uncertainty::standard_errors;
use crate::pipeline::{Feature, PolicyWeights};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

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

/// An app or a family judged by weights that were fitted without it. Ways on which the policy went astray are learnt from and not
/// counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    /// The package, or the family.
    pub name: String,
    /// With the weights it began with.
    pub before: DecisionScore,
    /// With weights fitted to all others.
    pub left_out: DecisionScore,
    /// With weights fitted to all.
    pub in_sample: DecisionScore,
}

/// Shares of right decisions over all that was left out, 0 to 1; `None` without any.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LeftOutShares {
    /// With the weights it began with.
    pub before: Option<f64>,
    /// With weights fitted to all others.
    pub left_out: Option<f64>,
    /// With weights fitted to all.
    pub in_sample: Option<f64>,
}

impl LeftOutShares {
    /// Of all of these together.
    pub fn of(parts: &[LeftOut]) -> Self {
        let share = |of: &dyn Fn(&LeftOut) -> &DecisionScore| {
            parts.iter().fold(DecisionScore::default(), |sum, part| sum.plus(of(part))).right()
        };
        Self {
            before: share(&|part| &part.before),
            left_out: share(&|part| &part.left_out),
            in_sample: share(&|part| &part.in_sample),
        }
    }
}

/// Fitted weights, and what they are worth.
#[derive(Debug, Clone)]
pub struct FittedPolicy {
    /// Fitted to all apps.
    pub weights: PolicyWeights,
    /// Their standard errors, in the order of [`Feature::ALL`]: none for a weight that is set by hand or was held at 0. `None` where
    /// the loss has no curvature that could be inverted.
    pub errors: Option<Vec<Option<f32>>>,
    /// By app.
    pub apps: Vec<LeftOut>,
    /// By family, an app without one being one by itself.
    pub families: Vec<LeftOut>,
    /// How sure choices are that are made with a family left out, and how many of them are right.
    pub calibration: Calibration,
}

/// Why nothing can be fitted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Nothing could be left out.
    #[error(
        "weights are fitted to at least two apps: one must be left out to judge them; found: {}. Name more suites, recorded apps \
         (--recorded) or files of decisions (--decisions); --case must leave two apps",
        told(found)
    )]
    TooFewApps {
        /// Packages of the apps.
        found: Vec<String>,
    },
}

fn told(found: &[String]) -> String {
    found.first().map_or_else(|| "none".to_owned(), |app| format!("only {app}"))
}

impl FitError {
    /// The error for these apps; `None` where they are enough.
    pub fn unless_enough(apps: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut found: Vec<String> = apps.into_iter().collect();
        found.sort();
        found.dedup();
        (found.len() < 2).then_some(Self::TooFewApps { found })
    }
}

/// Weights that are set by hand and stay as they are: walkthroughs never show what daring costs, leave
/// the app, or say how another way would be found back.
pub(super) const FROZEN: &[Feature] = &[
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

/// Examples, and how weights are fitted to them.
pub(super) struct Fitting<'a> {
    pub(super) problem: Problem,
    pub(super) begin: &'a [f32],
    pub(super) settings: FitSettings,
    kept: &'a KeptFits,
    /// Of each decision.
    digests: Vec<[u8; 32]>,
}

impl<'a> Fitting<'a> {
    pub(super) fn new(
        examples: &[DecisionExample],
        begin: &'a PolicyWeights,
        settings: FitSettings,
        kept: &'a KeptFits,
    ) -> Result<Self, FitError> {
        if let Some(error) = FitError::unless_enough(examples.iter().map(|example| example.app.clone())) {
            return Err(error);
        }
        let digest = |example: &DecisionExample| {
            let text = serde_json::to_vec(example).unwrap_or_default();
            Sha256::digest(&text).into()
        };
        let digests = examples.iter().map(digest).collect();
        Ok(Self { problem: Problem::of(examples), begin: begin.values(), settings, kept, digests })
    }

    /// Weights fitted to the decisions that are kept, beginning with `start`; made once for the same question.
    pub(super) fn weights(
        &self,
        kept: &dyn Fn(&Choice) -> bool,
        start: &[f32],
        fixed: &Fixed,
        rounds: usize,
    ) -> Vec<f32> {
        let settings = FitSettings { rounds, ..self.settings };
        let mut digest = Sha256::new();
        digest.update(format!("{settings:?} {fixed:?}"));
        Feature::ALL.iter().for_each(|feature| digest.update(feature.key()));
        [start, self.begin]
            .iter()
            .flat_map(|values| values.iter())
            .for_each(|value| digest.update(value.to_le_bytes()));
        let of = self.problem.choices.iter().zip(&self.digests);
        of.filter(|(choice, _)| kept(choice)).for_each(|(_, one)| digest.update(one));
        let key: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.kept.of(&key, || self.problem.fit(kept, (start, self.begin), fixed, settings))
    }
}

/// What is never fitted.
pub(super) fn frozen() -> Fixed {
    let mut fixed = [false; SIZE];
    FROZEN.iter().for_each(|feature| fixed[*feature as usize] = true);
    fixed
}

/// Fits weights to examples of at least two apps, beginning with `begin`. Fits that `kept` knows are not made again.
///
/// # Errors
/// For fewer apps: nothing could be left out.
pub fn fit_policy(
    examples: &[DecisionExample],
    begin: &PolicyWeights,
    settings: FitSettings,
    kept: &KeptFits,
) -> Result<FittedPolicy, FitError> {
    let fitting = Fitting::new(examples, begin, settings, kept)?;
    let fixed = frozen();
    let fit = |kept: &dyn Fn(&Choice) -> bool| fitting.weights(kept, begin.values(), &fixed, settings.rounds);
    let all = fit(&|_| true);
    let problem = &fitting.problem;
    let by_app: Vec<Vec<f32>> =
        (0..problem.apps.len()).into_par_iter().map(|app| fit(&|choice| choice.app != app)).collect();
    // One family is none that could be left out.
    let groups = if problem.families.len() > 1 { 0..problem.families.len() } else { 0..0 };
    let by_family: Vec<Vec<f32>> =
        groups.into_par_iter().map(|family| fit(&|choice| choice.family != family)).collect();
    let weights = PolicyWeights::of(all.iter().copied());
    let parts = |names: &[String], fits: &[Vec<f32>], of: fn(&DecisionExample) -> &str| -> Vec<LeftOut> {
        let part = |(name, without): (&String, &Vec<f32>)| {
            let own = || examples.iter().filter(|example| of(example) == name && !example.astray);
            let score = |weights: &PolicyWeights| DecisionReport::of(own(), weights).total;
            let without = PolicyWeights::of(without.iter().copied());
            LeftOut { name: name.clone(), before: score(begin), left_out: score(&without), in_sample: score(&weights) }
        };
        names.iter().zip(fits).map(part).collect()
    };
    let calibration = if by_family.is_empty() {
        Calibration::of(problem, &by_app, |choice| choice.app)
    } else {
        Calibration::of(problem, &by_family, |choice| choice.family)
    };
    Ok(FittedPolicy {
        errors: standard_errors(problem, &all, &fixed, settings),
        apps: parts(&problem.apps, &by_app, |example| &example.app),
        families: parts(&problem.families, &by_family, DecisionExample::group),
        weights,
        calibration,
    })
}

impl FittedPolicy {
    /// The weights as a file that [`PolicyWeights::parse`] reads, with their standard errors and figures as comments.
    pub fn to_toml(&self) -> String {
        let percent =
            |share: Option<f64>| share.map_or_else(|| "none".to_owned(), |share| format!("{:.1} %", share * 100.0));
        let told = |what: &str, parts: &[LeftOut]| {
            let LeftOutShares { before, left_out, in_sample } = LeftOutShares::of(parts);
            format!(
                "# {} {what}: {} right with what it began with, {} left out, {} in sample\n",
                parts.len(),
                percent(before),
                percent(left_out),
                percent(in_sample)
            )
        };
        let mut text = told("apps", &self.apps);
        if !self.families.is_empty() {
            text += &told("families", &self.families);
        }
        text += "# behind a weight: its standard error\n[weights]\n";
        for (at, (feature, weight)) in Feature::ALL.iter().zip(self.weights.values()).enumerate() {
            let error = self.errors.as_ref().and_then(|errors| *errors.get(at)?);
            let error = error.map_or_else(String::new, |error| format!(" # {error:.3}"));
            let _ = writeln!(text, "{} = {weight:.3}{error}", feature.key());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::Outcome;
    use super::super::sample::{example, option, telling};
    use super::*;

    #[test]
    fn what_is_right_in_every_app_gains_weight() {
        let examples = [telling("a"), telling("b"), telling("c")];
        let begin = PolicyWeights::of(Feature::ALL.iter().map(|feature| f32::from(*feature == Feature::Meaning)));
        let fitted = fit_policy(&examples, &begin, FitSettings::default(), &KeptFits::default()).unwrap();
        assert!(fitted.weights.get(Feature::Said) > 0.1, "{:?}", fitted.weights.get(Feature::Said));
        for app in &fitted.apps {
            assert_eq!(app.before.count(Outcome::Right), 0);
            assert_eq!(
                (app.left_out.count(Outcome::Right), app.in_sample.count(Outcome::Right)),
                (1, 1),
                "{}",
                app.name
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
        let fitted =
            fit_policy(&["a", "b"].map(misleading), &prior, FitSettings::default(), &KeptFits::default()).unwrap();
        let said = fitted.weights.get(Feature::Said);
        assert!((0.0..prior.get(Feature::Said)).contains(&said), "{said}");
    }

    #[test]
    fn one_app_alone_fits_nothing_and_says_what_to_do() {
        let error = fit_policy(
            &[telling("a"), telling("a")],
            &PolicyWeights::of([]),
            FitSettings::default(),
            &KeptFits::default(),
        );
        let error = error.unwrap_err();
        assert_eq!(error, FitError::TooFewApps { found: vec!["a".into()] });
        assert!(error.to_string().contains("only a. Name more suites"), "{error}");
    }

    #[test]
    fn a_family_is_left_out_as_a_whole_and_ways_astray_are_not_counted() {
        let of = |app: &str, family: &str| DecisionExample { family: family.into(), ..telling(app) };
        let astray = DecisionExample { astray: true, ..of("a1", "a") };
        let examples = [of("a1", "a"), of("a2", "a"), of("b1", ""), astray];
        let begin = PolicyWeights::of(Feature::ALL.iter().map(|feature| f32::from(*feature == Feature::Meaning)));
        let kept = KeptFits::default();
        let fitted = fit_policy(&examples, &begin, FitSettings::default(), &kept).unwrap();
        let sizes = |parts: &[LeftOut]| -> Vec<(String, usize)> {
            parts.iter().map(|part| (part.name.clone(), part.left_out.decisions)).collect()
        };
        let owned = |parts: &[(&str, usize)]| -> Vec<(String, usize)> {
            parts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        assert_eq!(sizes(&fitted.apps), owned(&[("a1", 1), ("a2", 1), ("b1", 1)]));
        assert_eq!(sizes(&fitted.families), owned(&[("a", 2), ("b1", 1)]));
        assert_eq!(kept.count(), 5, "all, three apps, two families; one of these is one of those");
        let written = fitted.to_toml();
        assert!(written.contains("# 2 families: 0.0 % right with what it began with, 100.0 % left out"), "{written}");
        assert_eq!(PolicyWeights::parse(&written).unwrap().to_toml(), fitted.weights.to_toml());
        assert!(written.lines().any(|line| line.starts_with("said = ") && line.contains(" # ")), "{written}");
    }
}
