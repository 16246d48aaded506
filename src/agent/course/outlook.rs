//! How well everything on a screen fits each part.

use super::parts::Part;
use super::reading::Costs;
use crate::agent::agent::AgentError;
use crate::agent::memory::StepMemory;
use crate::agent::operation::{Background, Plan, plan};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::app_map::{AppMap, Control, View};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::inference::{Embedding, cosine};
use crate::ranking::Ranked;
use std::collections::HashMap;
use std::rc::Rc;

/// What could be done on the screen that is seen, and how likely each part means it.
pub(in crate::agent) struct Outlook {
    /// Everything that could be done.
    pub moves: Vec<Ranked>,
    /// For each part, the logarithm of how likely it means each move.
    pub fits: Vec<Vec<f32>>,
    /// For each part, the scores these come from.
    pub scores: Vec<Vec<Option<f32>>>,
    /// For each part, what shows that it is so already.
    pub satisfied: Vec<Option<String>>,
}

/// Below this nothing is told apart.
pub(super) const LEAST: f32 = -6.0;

impl Outlook {
    /// Nothing was looked at yet.
    pub(super) const fn new() -> Self {
        Self { moves: Vec::new(), fits: Vec::new(), scores: Vec::new(), satisfied: Vec::new() }
    }

    /// Looks at a screen with the eyes of a step and its parts. `whole` is the step's own plan there.
    pub(super) fn look(
        &mut self,
        background: &Background<'_>,
        whole: &Plan,
        parts: &[Part],
        screen: &Screen,
        memory: &StepMemory,
        trust: Trust,
        costs: &Costs,
    ) -> Result<(), AgentError> {
        let (cues, skills) = (background.scorer.cues, background.scorer.skills);
        for part in parts {
            let single = parts.len() == 1;
            let asked_back = skills.get("press_back").is_some_and(|skill| skill.is_cued(&part.step.instruction));
            // No step means the way back unless it says so.
            let back = |ranked: &Ranked| {
                let label = ranked.candidate.action.target().map(|target| target.label.as_str());
                !asked_back && label.is_some_and(|label| cues.leads_back(label))
            };
            let own = match (single, part.repeated) {
                (true, _) => None,
                (false, true) => Some(plan(background, &part.step, screen, &memory.without_deeds(), trust)?),
                (false, false) => Some(plan(background, &part.step, screen, memory, trust)?),
            };
            let plan = own.as_ref().unwrap_or(whole);
            let mut scores: Vec<Option<f32>> = vec![None; self.moves.len()];
            for ranked in plan.ranked.iter().filter(|ranked| !is_anothers(ranked, whole)) {
                let same = |known: &&Ranked| known.candidate.action == ranked.candidate.action;
                let at = if let Some(at) = self.moves.iter().position(|known| same(&known)) {
                    if self.moves[at].candidate.offer.is_none() && ranked.candidate.offer.is_some() {
                        self.moves[at] = ranked.clone();
                    }
                    at
                } else {
                    self.moves.push(ranked.clone());
                    scores.push(None);
                    self.moves.len() - 1
                };
                // What was done counts against the whole step, but not against doing it again.
                let share = if single || part.repeated { 0.0 } else { costs.whole };
                let as_whole = whole.ranked.iter().find(same).map_or(ranked.score, |whole| whole.score);
                let unasked = if back(ranked) { costs.arrow } else { 0.0 };
                let score = share * as_whole + (1.0 - share) * ranked.score - unasked;
                scores[at] = Some(scores[at].map_or(score, |known| known.max(score)));
            }
            self.fits.push(likelihoods(&scores, costs));
            self.scores.push(scores);
            self.satisfied.push(plan.satisfied.clone().filter(|_| plan.pending == 0));
        }
        for fits in &mut self.fits {
            fits.resize(self.moves.len(), LEAST);
        }
        Ok(())
    }

    /// A move with the best score that any of the step's own parts gives it.
    pub(super) fn ranked(&self, at: usize, own: usize) -> Option<Ranked> {
        let mut ranked = self.moves.get(at)?.clone();
        let scores = self.scores.iter().take(own).filter_map(|scores| scores.get(at).copied().flatten());
        let best = scores.fold(f32::NEG_INFINITY, f32::max);
        if best.is_finite() && (best - ranked.score).abs() > 1e-4 {
            ranked.terms.push(("part", best - ranked.score));
            ranked.score = best;
        }
        Some(ranked)
    }
}

/// The step as a whole gives this field something else that it mentions.
fn is_anothers(ranked: &Ranked, whole: &Plan) -> bool {
    let Some(offer) = &ranked.candidate.offer else { return false };
    whole.ranked.iter().filter_map(|other| other.candidate.offer.as_ref()).any(|other| {
        other.place == offer.place && other.parameter != offer.parameter && other.mentioned && !other.tentative
    })
}

/// Scores as logarithms of likelihoods, "none of these" among them.
fn likelihoods(scores: &[Option<f32>], costs: &Costs) -> Vec<f32> {
    let most = scores.iter().flatten().copied().fold(costs.nothing, f32::max);
    let weight = |score: f32| ((score - most) / costs.spread).exp();
    let sum: f32 = scores.iter().flatten().map(|score| weight(*score)).sum::<f32>() + weight(costs.nothing);
    scores.iter().map(|score| score.map_or(LEAST, |score| (weight(score) / sum).ln().max(LEAST))).collect()
}

/// Controls of a screen by number, and how well each fits a part, best first.
type Fits = Rc<Vec<(usize, f32)>>;

/// How well what is on the map fits parts, each screen once.
pub(super) struct Chart<'a> {
    map: &'a AppMap,
    costs: &'a Costs,
    /// The vectors of the parts, and of the steps they belong to.
    asked: Vec<(Embedding, Embedding)>,
    steps: Vec<&'a Step>,
    /// By view and part.
    known: HashMap<(usize, usize), Fits>,
}

/// Controls of a screen that are followed up for a part.
const BRANCHES: usize = 5;
/// What the ranking's other terms come to for a touch that is meant.
const USUAL: f32 = 0.06;
/// The same for typing what a part names into a field.
const TYPED: f32 = 0.40;
/// What a label counts that a part names, and what one that lacks it.
const NAMED: f32 = 0.30;

impl<'a> Chart<'a> {
    /// `asked` holds the vectors of each part and of its step.
    pub(super) fn new(
        map: &'a AppMap,
        costs: &'a Costs,
        asked: Vec<(Embedding, Embedding)>,
        steps: Vec<&'a Step>,
    ) -> Self {
        Self { map, costs, asked, steps, known: HashMap::new() }
    }

    /// The controls of a screen on the map that a part may mean, best first.
    pub(super) fn fits(&mut self, view: usize, part: usize) -> Fits {
        if let Some(known) = self.known.get(&(view, part)) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.map.view(view).map_or_else(Vec::new, |view| self.work_out(view, part)));
        self.known.insert((view, part), Rc::clone(&found));
        found
    }

    fn work_out(&self, view: &View, part: usize) -> Vec<(usize, f32)> {
        let (Some((own, whole)), Some(step)) = (self.asked.get(part), self.steps.get(part)) else { return Vec::new() };
        let usable = |control: &Control| control.enabled && (control.clickable || control.is_field());
        let typing = !step.mentions.is_empty() || !step.quoted.is_empty();
        let score = |control: &Control| {
            if !usable(control) || control.name.is_empty() {
                return None;
            }
            let vector = self.map.vector(&control.name)?;
            let share = self.costs.whole;
            let mut score = 0.8 * ((1.0 - share) * cosine(own, vector) + share * cosine(whole, vector)) + USUAL;
            if control.is_field() {
                score += if typing { TYPED } else { 0.0 };
            } else if !step.named.is_empty() {
                let label = control.label.to_lowercase();
                let holds = step.named.iter().any(|name| label.contains(&name.to_lowercase()));
                score += if holds { NAMED } else { -NAMED };
            }
            Some(score)
        };
        let scores: Vec<Option<f32>> = view.controls.iter().map(score).collect();
        let mut fits: Vec<(usize, f32)> = likelihoods(&scores, self.costs).into_iter().enumerate().collect();
        fits.retain(|(_, fit)| *fit > LEAST);
        fits.sort_by(|a, b| b.1.total_cmp(&a.1));
        fits.truncate(BRANCHES);
        fits
    }
}

/// Stays on its screen, whatever it changes there.
pub(super) fn stays(action: &Action) -> bool {
    matches!(action, Action::InputText { .. } | Action::InputByNumericKeyboard { .. } | Action::SwipeSelector { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::course::Reading;

    fn likely(scores: &[Option<f32>]) -> Vec<f32> {
        likelihoods(scores, &Reading::bundled().unwrap().costs)
    }

    #[test]
    fn what_fits_best_is_likeliest_and_less_so_among_others_that_fit() {
        let (alone, among) = (likely(&[Some(0.8), Some(0.2)]), likely(&[Some(0.8), Some(0.7)]));
        assert!(alone[0] > alone[1] && among[0] > among[1]);
        assert!(alone[0] > among[0] && alone[0] <= 0.0);
        assert!(among.iter().map(|fit| fit.exp()).sum::<f32>() < 1.0);
    }

    #[test]
    fn where_nothing_fits_none_of_these_is_likeliest() {
        let fits = likely(&[Some(0.0), Some(0.05), None]);
        assert!(fits.iter().map(|fit| fit.exp()).sum::<f32>() < 0.1, "{fits:?}");
        assert!((fits[2] - LEAST).abs() < 1e-6 && likely(&[]).is_empty());
    }
}
