//! What to do next for a step, or that it is done: what the best path begins with.

use super::outlook::{Chart, LEAST, Outlook};
use super::parts::{Part, PartKind, parts};
use super::reading::{Costs, Reading};
use super::search::{Begins, Terrain, search, skipping};
use crate::agent::agent::AgentError;
use crate::agent::check::is_check;
use crate::agent::memory::StepMemory;
use crate::agent::operation::{Background, Plan, plan};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::app_map::{AppMap, View};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::inference::Embedding;
use crate::ranking::{ADVANCE, FORM, Ranked};

/// Parts of the next step that are looked for.
const NEXT_PARTS: usize = 2;
/// An action that no part explains is not held against the step more than this.
const MOST_HELD_AGAINST: f32 = -4.0;
/// Nor is a field of the step's form more than this.
const FORM_FIELD: f32 = -0.1;

/// Nor is what a form is sent or gone on with.
const LEADS_ON: f32 = -1.0;

/// The control that sends a form, or leads on in it.
fn leads_on((name, worth): &(&str, f32)) -> bool {
    (*name == ADVANCE || *name == FORM) && *worth > 0.0
}

/// A step and the one after it, taken apart, and how far the step has come.
pub(in crate::agent) struct Course<'a> {
    map: &'a AppMap,
    costs: &'a Costs,
    own: Vec<Part>,
    next: Option<(Step, Vec<Part>)>,
    asked: Vec<(Embedding, Embedding)>,
    /// How well what was done is explained, with as many parts dealt with.
    so_far: Vec<f32>,
    /// The best score that each part gave to something that was done.
    met: Vec<f32>,
    /// Both before each thing that was done.
    earlier: Vec<(Vec<f32>, Vec<f32>)>,
    /// Screens on which something was done.
    left: Vec<u64>,
}

impl<'a> Course<'a> {
    /// Begins with a step on a screen.
    pub(in crate::agent) fn new(
        background: &Background<'_>,
        map: &'a AppMap,
        reading: &'a Reading,
        step: &'a Step,
        next: Option<&Step>,
        screen: &Screen,
    ) -> Result<Self, AgentError> {
        let own = parts(step, background.parameters, screen, reading);
        let next = next.filter(|next| !is_check(next, background.scorer.cues)).map(|next| {
            let mut parts = parts(next, background.parameters, screen, reading);
            let deed = parts.iter().position(|part| part.kind == PartKind::Deed).unwrap_or_default();
            parts.truncate((deed + 1).min(NEXT_PARTS));
            (next.clone(), parts)
        });
        let following = next.iter().flat_map(|(next, parts)| parts.iter().map(move |part| (part, next)));
        let texts: Vec<&str> = own
            .iter()
            .map(|part| (part, step))
            .chain(following)
            .flat_map(|(part, step)| [part.step.sentence.as_str(), step.sentence.as_str()])
            .collect();
        let vectors = background.scorer.embedder.embed(&texts)?;
        let asked = vectors.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let mut so_far = vec![f32::NEG_INFINITY; own.len() + 1];
        so_far[0] = 0.0;
        let met = vec![f32::NEG_INFINITY; own.len()];
        Ok(Self { map, costs: &reading.costs, own, next, asked, so_far, met, earlier: Vec::new(), left: Vec::new() })
    }

    /// How well everything that could be done on a screen fits the parts. `whole` is the step's plan there.
    pub(in crate::agent) fn look(
        &self,
        background: &Background<'_>,
        whole: &Plan,
        screen: &Screen,
        memory: &StepMemory,
    ) -> Result<Outlook, AgentError> {
        let mut outlook = Outlook::new();
        outlook.look(background, whole, &self.own, screen, memory, Trust::Mention, self.costs)?;
        if let Some((next, parts)) = &self.next {
            let fresh = StepMemory::default();
            let whole = plan(background, next, screen, &fresh, Trust::PlaceOnly)?;
            outlook.look(background, &whole, parts, screen, &fresh, Trust::PlaceOnly, self.costs)?;
        }
        Ok(outlook)
    }

    /// Weighs everything that could be done on a screen, and being done, against which `done` speaks. What to do, best
    /// first; `None` for declaring the step done.
    pub(in crate::agent) fn weigh(&self, outlook: &Outlook, screen: &Screen, done: f32) -> Vec<(Option<Ranked>, f32)> {
        let view = View::of(screen);
        let all: Vec<&Part> = self.own.iter().chain(self.next.iter().flat_map(|(_, parts)| parts)).collect();
        let steps = all.iter().map(|part| &part.step).collect();
        let mut chart = Chart::new(self.map, self.costs, self.asked.clone(), steps);
        let terrain = Terrain {
            map: self.map,
            view: &view,
            outlook,
            parts: &all,
            own: self.own.len(),
            costs: self.costs,
            so_far: &self.so_far,
            met: &self.met,
            left: &self.left,
            done,
        };
        let found = search(&terrain, &mut chart);
        found
            .into_iter()
            .filter_map(|(begins, worth)| match begins {
                Begins::Done => Some((None, worth)),
                Begins::Move(at) => Some((Some(outlook.ranked(at, self.own.len())?), worth)),
                Begins::Open => None,
            })
            .collect()
    }

    /// Notes what was done on the screen that was weighed.
    pub(in crate::agent) fn note(&mut self, outlook: &Outlook, on: &Screen, action: &Action, certain: bool) {
        self.left.push(on.digest);
        self.earlier.push((self.so_far.clone(), self.met.clone()));
        let place = |action: &Action| (action.skill(), action.target().map(|target| target.bounds));
        let done = outlook
            .moves
            .iter()
            .position(|known| known.candidate.action == *action)
            .or_else(|| outlook.moves.iter().position(|known| place(&known.candidate.action) == place(action)));
        let offered = done.and_then(|at| outlook.moves.get(at)).is_some_and(|done| done.candidate.offer.is_some());
        // The fields of a form share what is likely among them; together they are what the step asks for.
        let leads = done.and_then(|at| outlook.moves.get(at)).is_some_and(|done| done.terms.iter().any(leads_on));
        let least = match () {
            () if certain || (offered && self.deeds().count() == 1) => FORM_FIELD,
            () if leads => LEADS_ON,
            () => MOST_HELD_AGAINST,
        };
        let fit = |part: usize| {
            let fit = done.and_then(|at| outlook.fits.get(part)?.get(at).copied()).unwrap_or(LEAST);
            fit.max(least)
        };
        for (part, met) in self.met.iter_mut().enumerate() {
            let score = done.and_then(|at| outlook.scores.get(part)?.get(at).copied().flatten());
            // What is typed scores higher than any touch, and tells nothing of the touches to come.
            *met = met.max(score.filter(|_| !offered).unwrap_or(f32::NEG_INFINITY));
        }
        let mut before = self.so_far.clone();
        for part in 0..self.own.len() {
            let satisfied = outlook.satisfied.get(part).is_some_and(Option::is_some);
            let left_out = before[part] - if satisfied { 0.0 } else { skipping(&self.own[part], self.costs) };
            before[part + 1] = before[part + 1].max(left_out);
        }
        // What the same touch does as well.
        let mut echoed = f32::NEG_INFINITY;
        let touched = matches!(action, Action::Click { .. });
        for part in 0..=self.own.len() {
            let mut worth = (before[part] - self.costs.way).max(echoed);
            echoed = f32::NEG_INFINITY;
            if let Some(last) = part.checked_sub(1) {
                let again = if offered || certain { 0.0 } else { self.costs.again };
                worth = worth.max(before[last] + fit(last)).max(before[part] - again + fit(last));
                if touched && self.own.get(part).is_some_and(|next| next.echoes) {
                    echoed = worth;
                }
            }
            self.so_far[part] = worth;
        }
    }

    /// What was done after the first so many things did not count after all.
    pub(in crate::agent) fn forget_beyond(&mut self, deeds: usize) {
        if let Some(earlier) = self.earlier.get(deeds).cloned() {
            (self.so_far, self.met) = earlier;
            self.earlier.truncate(deeds);
            self.left.truncate(deeds);
        }
    }

    /// The best score of what could be touched or filled in: for the step's own parts, and for the next one's.
    pub(in crate::agent) fn best(&self, outlook: &Outlook) -> (f32, f32) {
        let best = |scores: &[Vec<Option<f32>>]| {
            let acts = |(at, score): (usize, &Option<f32>)| {
                let action = &outlook.moves.get(at)?.candidate.action;
                score.filter(|_| action.target().is_some())
            };
            let all = scores.iter().flat_map(|scores| scores.iter().enumerate().filter_map(acts));
            all.fold(f32::NEG_INFINITY, f32::max)
        };
        let (own, next) = outlook.scores.split_at(self.own.len().min(outlook.scores.len()));
        (best(own), best(next))
    }

    /// The parts, and how well what was done is explained with as many of them dealt with; for debugging.
    pub(in crate::agent) fn describe(&self) -> String {
        let parts: Vec<&str> = self.own.iter().map(|part| part.step.instruction.as_str()).collect();
        format!("{parts:?} {:.2?}", self.so_far)
    }

    /// What is to be done, one text after another.
    pub(in crate::agent) fn deeds(&self) -> impl Iterator<Item = &str> {
        let deeds = self.own.iter().filter(|part| part.kind == PartKind::Deed);
        deeds.map(|part| part.step.instruction.as_str())
    }

    /// The step has one part only.
    pub(in crate::agent) fn is_plain(&self) -> bool {
        self.own.len() == 1
    }
}
