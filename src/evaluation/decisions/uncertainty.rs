//! How sure fitted weights are: standard errors from the loss's curvature, with the apps as what was drawn.

use super::fit::FitSettings;
use super::problem::{Choice, Fixed, Problem, SIZE};
use nalgebra::{DMatrix, DVector};

/// Standard errors of weights, `None` for one that is fixed, was held at 0, or that no decision says anything of. The sandwich of the inverse Hessian around the spread of
/// the apps' slopes: decisions of one app are alike, apps are not (Liang and Zeger 1986). `None` where the curvature cannot be inverted.
pub(super) fn standard_errors(
    problem: &Problem,
    weights: &[f32],
    fixed: &Fixed,
    settings: FitSettings,
) -> Option<Vec<Option<f32>>> {
    let free: Vec<usize> = (0..SIZE).filter(|at| !fixed[*at] && weights[*at] != 0.0).collect();
    let mut place = [None; SIZE];
    free.iter().enumerate().for_each(|(to, from)| place[*from] = Some(to));
    let shares = problem.shares(&|_| true);
    let mut curvature = DMatrix::<f64>::identity(free.len(), free.len()) * f64::from(settings.pull);
    let mut slopes = vec![DVector::<f64>::zeros(free.len()); problem.apps.len()];
    for (choice, share) in problem.choices.iter().zip(&shares) {
        add_curvature(choice, weights, (settings.sharpness, *share), &place, &mut curvature);
        let mut slope = vec![0.0; SIZE];
        choice.add_slope(weights, settings.sharpness, *share, &mut slope);
        for (to, from) in free.iter().enumerate() {
            slopes[choice.app][to] += f64::from(slope[*from]);
        }
    }
    let mut spread = DMatrix::<f64>::zeros(free.len(), free.len());
    slopes.iter().for_each(|slope| spread += slope * slope.transpose());
    let inverse = curvature.clone().cholesky().map(|half| half.inverse()).or_else(|| curvature.try_inverse())?;
    let variance = (&inverse * spread * &inverse).diagonal();
    // What no app says anything of is not sure, it stays where it began.
    let error = |at: usize| (variance[at] > 0.0).then(|| variance[at].sqrt() as f32);
    Some(place.iter().map(|place| place.and_then(error)).collect())
}

/// Adds the second derivatives of −log(share of the right options): the covariance of the features by the odds among all options, less
/// that among the right ones.
fn add_curvature(
    choice: &Choice,
    weights: &[f32],
    (sharpness, share): (f32, f32),
    place: &[Option<usize>; SIZE],
    curvature: &mut DMatrix<f64>,
) {
    let size = curvature.nrows();
    let factor = f64::from(sharpness * sharpness * share);
    let (mut of_all, mut of_right) = (DVector::<f64>::zeros(size), DVector::<f64>::zeros(size));
    choice.each_option(weights, sharpness, &mut |features, (all, right)| {
        let known: Vec<(usize, f64)> =
            features.iter().filter_map(|(at, value)| Some((place[*at]?, f64::from(*value)))).collect();
        let (all, right) = (f64::from(all), f64::from(right));
        for (row, one) in &known {
            of_all[*row] += all * one;
            of_right[*row] += right * one;
            for (column, other) in &known {
                curvature[(*row, *column)] += factor * (all - right) * one * other;
            }
        }
    });
    *curvature -= (&of_all * of_all.transpose() - &of_right * of_right.transpose()) * factor;
}

#[cfg(test)]
mod tests {
    use super::super::sample::{example, option, telling};
    use super::*;
    use crate::pipeline::Feature;

    #[test]
    fn what_apps_disagree_on_is_less_sure_than_what_they_agree_on() {
        let said = Feature::Said as usize;
        let other = |app: &str| {
            let options = vec![
                option(&[(Feature::Meaning, 0.6)], true),
                option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], false),
            ];
            example(app, options)
        };
        let settings = FitSettings::default();
        let mut weights = vec![0.0; SIZE];
        (weights[Feature::Meaning as usize], weights[said]) = (1.0, 0.6);
        let error = |examples: &[super::super::DecisionExample]| {
            standard_errors(&Problem::of(examples), &weights, &[false; SIZE], settings).unwrap()
        };
        let agreed = error(&["a", "b", "c", "d"].map(telling));
        let torn = error(&[telling("a"), other("b"), telling("c"), other("d")]);
        assert!(agreed[said].unwrap() < torn[said].unwrap(), "{:?} {:?}", agreed[said], torn[said]);
        assert_eq!(agreed[Feature::Named as usize], None, "a weight that is 0 has none");
        let mut silent = weights.clone();
        silent[Feature::Consent as usize] = 0.5;
        let of = standard_errors(&Problem::of(&[telling("a")]), &silent, &[false; SIZE], settings).unwrap();
        assert_eq!(of[Feature::Consent as usize], None, "no decision has it");
        let mut fixed = [false; SIZE];
        fixed[said] = true;
        let held = standard_errors(&Problem::of(&[telling("a")]), &weights, &fixed, settings).unwrap();
        assert_eq!(held[said], None);
    }

    #[test]
    fn the_curvature_is_that_of_the_loss() {
        let problem = Problem::of(&[telling("a")]);
        let said = Feature::Said as usize;
        let mut weights = vec![0.0; SIZE];
        weights[Feature::Meaning as usize] = 1.0;
        let mut place = [None; SIZE];
        place[said] = Some(0);
        let mut curvature = DMatrix::<f64>::zeros(1, 1);
        add_curvature(&problem.choices[0], &weights, (6.0, 1.0), &place, &mut curvature);
        let slope = |by: f32| {
            let mut moved = weights.clone();
            moved[said] += by;
            let mut slope = vec![0.0; SIZE];
            problem.choices[0].add_slope(&moved, 6.0, 1.0, &mut slope);
            f64::from(slope[said])
        };
        let measured = (slope(5e-3) - slope(-5e-3)) / 1e-2;
        assert!((measured - curvature[(0, 0)]).abs() < 0.05, "{measured} {curvature}");
    }
}
