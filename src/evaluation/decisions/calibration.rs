//! How sure the policy is of a choice, and of the end of a clause, on what its weights were not fitted to.

use super::problem::{Choice, Problem};
use crate::evaluation::{Declaration, Reliability};
use serde::Serialize;

/// Sharpnesses that are tried: from nearly indifferent to quite sure.
const SHARPNESSES: [f32; 16] = [0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 16.0];

/// How many of the choices made so surely are right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// How much a difference of 1 in score tells, fitted to what was left out.
    pub sharpness: f32,
    /// Of what is chosen; `None` where nothing is.
    pub choice: Option<Reliability>,
    /// Of the end of a clause, where that is chosen.
    pub done: Option<Reliability>,
}

impl Calibration {
    /// From weights fitted without each group. The sharpness by which a group's choices are judged is that of the other groups.
    pub(super) fn of(problem: &Problem, fits: &[Vec<f32>], group: impl Fn(&Choice) -> usize) -> Self {
        let counted = || problem.choices.iter().filter(|choice| choice.counts);
        let mut losses = vec![[0.0_f32; SHARPNESSES.len()]; fits.len()];
        for choice in counted() {
            let own = group(choice);
            for (loss, sharpness) in losses[own].iter_mut().zip(SHARPNESSES) {
                *loss += choice.loss(&fits[own], sharpness);
            }
        }
        let best = |without: Option<usize>| {
            let loss = |at: usize| -> f32 {
                losses.iter().enumerate().filter(|(group, _)| Some(*group) != without).map(|(_, loss)| loss[at]).sum()
            };
            let at = (0..SHARPNESSES.len()).min_by(|one, other| loss(*one).total_cmp(&loss(*other)));
            at.map_or(1.0, |at| SHARPNESSES[at])
        };
        let of_others: Vec<f32> = (0..fits.len()).map(|own| best(Some(own))).collect();
        let chosen = counted().filter_map(|choice| choice.chosen(&fits[group(choice)], of_others[group(choice)]));
        let chosen: Vec<_> = chosen.collect();
        let declared = |only_done: bool| -> Vec<Declaration> {
            let told = chosen.iter().filter(|one| one.is_done || !only_done);
            told.map(|one| Declaration { confidence: one.share, right: one.right }).collect()
        };
        Self {
            sharpness: best(None),
            choice: Reliability::of(&declared(false)),
            done: Reliability::of(&declared(true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{example, option, telling};
    use super::*;
    use crate::pipeline::Feature;

    #[test]
    fn choices_are_as_sure_as_those_of_other_groups_were_right() {
        // Of ten choices alike seven are right, in both apps.
        let wrong = |app: &str| {
            let options = vec![
                option(&[(Feature::Meaning, 0.6)], true),
                option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], false),
            ];
            example(app, options)
        };
        let examples: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|app| (0..10).map(move |at| if at < 7 { telling(app) } else { wrong(app) }))
            .collect();
        let problem = Problem::of(&examples);
        let mut weights = vec![0.0; super::super::problem::SIZE];
        (weights[Feature::Meaning as usize], weights[Feature::Said as usize]) = (1.0, 0.6);
        let found = Calibration::of(&problem, &[weights.clone(), weights], |choice| choice.app);
        let choice = found.choice.unwrap();
        assert_eq!((choice.bins.len(), choice.bins[0].declared, choice.bins[0].right), (1, 20, 14));
        assert!(choice.expected_calibration_error < 0.05, "{choice:?} at {}", found.sharpness);
        assert_eq!(found.done, None);
    }

    #[test]
    fn the_end_of_a_clause_is_judged_by_itself() {
        let mut done = option(&[(Feature::Done, 1.0)], true);
        done.is_done = true;
        let ended = |app: &str| example(app, vec![option(&[(Feature::Meaning, 0.1)], false), done.clone()]);
        let problem = Problem::of(&[ended("a"), telling("a"), ended("b")]);
        let mut weights = vec![0.0; super::super::problem::SIZE];
        (weights[Feature::Meaning as usize], weights[Feature::Done as usize]) = (1.0, 1.0);
        let found = Calibration::of(&problem, &[weights.clone(), weights], |choice| choice.app);
        let declared = |reliability: Option<Reliability>| -> usize {
            reliability.unwrap().bins.iter().map(|bin| bin.declared).sum()
        };
        assert_eq!((declared(found.choice), declared(found.done)), (3, 2));
    }
}
