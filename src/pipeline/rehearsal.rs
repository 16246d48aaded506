//! Single decisions, asked for one after another, with a past that somebody else made: how an examination asks what the agent
//! would do next where a person has brought the app.

use super::episode::{Episode, Knowledge};
use super::execute::{Order, interrupted, judge};
use super::journal::{Journal, is_same_action};
use super::policy::{Chooser, Decision, Weighed, weigh};
use super::propose::{Move, Source};
use super::screen_model::ScreenModel;
use super::task::{Clause, Parameter};
use super::verdict::is_check;
use crate::app_map::AppMap;
use crate::case::Preferences;
use crate::device::Seen;
use crate::domain::{Action, PackageName};
use crate::inference::EmbedError;
use crate::ranking::Scorer;
use crate::skill::{Library, Validity};

/// By so much a later clause of the step must fit a person's action better than the clause at work to be the one it is for.
const FITS_BETTER: f32 = 0.3;

/// The clauses of a case, a past that a person makes, and the decisions that the loop would come to.
pub struct Rehearsal<'a> {
    /// Picks among what could be done.
    pub chooser: &'a dyn Chooser,
    /// The ranking.
    pub scorer: Scorer<'a>,
    /// The skills.
    pub skills: &'a Library,
    /// Language and policy.
    pub knowledge: &'a Knowledge,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// What to answer to questions that no step speaks of.
    pub preferences: &'a Preferences,
    /// The app under test.
    pub package: PackageName,
    /// The clauses in their order; each knows its step.
    pub clauses: Vec<Clause>,
    /// The clause at work, counted from 0.
    pub at: usize,
    /// What was done so far.
    pub journal: Journal,
    /// Screens known of the app; learns from every action.
    pub map: AppMap,
}

impl Rehearsal<'_> {
    /// Goes on to a step of the case, counted from 1; what was asked for before it counts as carried out.
    pub fn begin_step(&mut self, step: usize) {
        let first = self.clauses.iter().position(|clause| clause.step.index == step);
        self.at = first.unwrap_or(self.clauses.len());
        self.journal.begin_clause();
    }

    /// What the loop would do on a screen for the step at work. A clause that is done gives way to the next one of the step;
    /// *done* is said of the whole step only.
    ///
    /// # Errors
    /// When the model fails.
    pub fn decide(&self, seen: &Seen) -> Result<Decision, EmbedError> {
        let mut journal = self.journal.clone();
        let mut at = self.at;
        loop {
            let Some(clause) = self.clauses.get(at) else {
                return Ok(Decision::GiveUp("the case has no such step".to_owned(), Vec::new()));
            };
            if let Some(answer) = interrupted(clause, self.preferences, &journal, seen, &self.knowledge.lexicon) {
                return Ok(Decision::Act(Box::new(answer), Vec::new()));
            }
            // A clause that only checks does nothing to the app.
            let checks = !clause.is_goal && is_check(&clause.step, self.scorer.cues);
            let decision = if checks { None } else { Some(self.decide_for(at, &journal, seen)?) };
            let is_last = self.clauses.get(at + 1).is_none_or(|next| next.step.index != clause.step.index);
            match decision {
                Some(decision) if is_last || !matches!(decision, Decision::Done(..)) => return Ok(decision),
                None if is_last => {
                    return Ok(Decision::GiveUp("the step only checks".to_owned(), Vec::new()));
                }
                _ => {
                    at += 1;
                    journal.begin_clause();
                }
            }
        }
    }

    /// Takes over what a person did on a screen and what it led to.
    ///
    /// # Errors
    /// When the model fails.
    pub fn follow(&mut self, action: &Action, before: &Seen, after: &Seen) -> Result<(), EmbedError> {
        let Some(step) = self.clauses.get(self.at).map(|clause| clause.step.index) else { return Ok(()) };
        let (at, weighed, others) = self.as_proposed(action, before)?;
        for _ in self.at..at {
            self.journal.begin_clause();
        }
        self.at = at;
        let Some(order) = Order::of(&weighed, &others) else { return Ok(()) };
        let rule = self.skills.get(action.skill()).map_or(Validity::ScreenChanges, |skill| skill.validity);
        let effect = judge(rule, &order.action, before, after, self.package.as_str());
        if effect.is_valid() {
            self.map.learn(&before.screen, &order.action, &after.screen);
        }
        self.journal.append(order.record(step, [before, after], effect, &self.knowledge.lexicon));
        Ok(())
    }

    /// The clause of the step that a person's action is for, the proposal that does the same, and what else could be done.
    fn as_proposed(&self, action: &Action, seen: &Seen) -> Result<(usize, Weighed, Vec<Weighed>), EmbedError> {
        let Some(clause) = self.clauses.get(self.at) else {
            return Ok((self.at, Weighed::by_hand(action.clone(), &seen.screen), Vec::new()));
        };
        let same = |one: &Weighed| one.proposal.action().is_some_and(|proposed| is_same_action(proposed, action));
        let answer = interrupted(clause, self.preferences, &self.journal, seen, &self.knowledge.lexicon);
        if let Some(answer) = answer.filter(same) {
            return Ok((self.at, answer, Vec::new()));
        }
        let mut best: Option<(usize, Weighed, Vec<Weighed>)> = None;
        let of_step = self.clauses.iter().enumerate().skip(self.at);
        for (at, _) in of_step.take_while(|(_, other)| other.step.index == clause.step.index) {
            let mut journal = self.journal.clone();
            for _ in self.at..at {
                journal.begin_clause();
            }
            let mut others = self.options_for(at, &journal, seen)?;
            let Some(position) = others.iter().position(same) else { continue };
            let own = others.remove(position);
            let margin = if at == self.at { 0.0 } else { FITS_BETTER };
            if best.as_ref().is_none_or(|(_, known, _)| own.score > known.score + margin) {
                best = Some((at, own, others));
            }
        }
        Ok(best.unwrap_or_else(|| (self.at, Weighed::by_hand(action.clone(), &seen.screen), Vec::new())))
    }

    fn decide_for(&self, at: usize, journal: &Journal, seen: &Seen) -> Result<Decision, EmbedError> {
        let model = ScreenModel::recognise(&seen.screen, &self.knowledge.lexicon);
        let Some(episode) = self.episode(at, journal) else {
            return Ok(Decision::GiveUp("the case has no such step".to_owned(), Vec::new()));
        };
        let decision = self.chooser.choose(&episode, &model, weigh(&episode, &model)?);
        tracing::debug!(at, screen = model.screen.title, "{}", decision.told(self.knowledge));
        Ok(decision)
    }

    /// Everything that could be done for a clause on a screen, the end of it left out.
    fn options_for(&self, at: usize, journal: &Journal, seen: &Seen) -> Result<Vec<Weighed>, EmbedError> {
        let model = ScreenModel::recognise(&seen.screen, &self.knowledge.lexicon);
        let Some(episode) = self.episode(at, journal) else { return Ok(Vec::new()) };
        let mut weighed = weigh(&episode, &model)?.weighed;
        weighed.retain(|one| one.proposal.action != Move::Done && one.proposal.source != Source::Interruption);
        Ok(weighed)
    }

    fn episode<'e>(&'e self, at: usize, journal: &'e Journal) -> Option<Episode<'e>> {
        Some(Episode {
            clause: self.clauses.get(at)?,
            previous: at.checked_sub(1).and_then(|before| self.clauses.get(before)),
            next: self.clauses.get(at + 1),
            journal,
            parameters: self.parameters,
            package: &self.package,
            knowledge: self.knowledge,
            scorer: &self.scorer,
            map: &self.map,
            // A recorded task says by its actions alone when it is done.
            expectations_hold: None,
            seed: 0,
        })
    }
}
