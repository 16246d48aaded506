//! Single decisions, asked for one after another, with a past that somebody else made: how an examination asks what the agent
//! would do next where a person has brought the app.

use super::episode::{Episode, Knowledge};
use super::execute::{Order, interrupted, judge};
use super::journal::Journal;
use super::policy::{Chooser, Decision, Options, Weighed, weigh};
use super::screen_model::ScreenModel;
use super::task::{Clause, Parameter};
use super::verdict::is_check;
use crate::app_map::AppMap;
use crate::case::Preferences;
use crate::device::Seen;
use crate::domain::{Action, PackageName};
use crate::inference::{EmbedError, Reading};
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

/// A decision that a person's next action answers.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsedQuestion {
    /// The clause on the screen, in words.
    pub reading: Reading,
    /// Everything that could be done, best first.
    pub weighed: Vec<Weighed>,
    /// Whether each of them is right.
    pub right: Vec<bool>,
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

    /// Takes over what a person did on a screen and what it led to. `same` tells whether another action does the same there.
    ///
    /// # Errors
    /// When the model fails.
    pub fn follow(
        &mut self,
        action: &Action,
        same: &dyn Fn(&Action) -> bool,
        [before, after]: [&Seen; 2],
    ) -> Result<(), EmbedError> {
        let Some(step) = self.clauses.get(self.at).map(|clause| clause.step.index) else { return Ok(()) };
        let alike = |other: &Action| other.skill() == action.skill() && same(other);
        let (at, weighed, others) = match self.as_proposed(&alike, before)? {
            Some(found) => found,
            None => (self.at, Weighed::by_hand(action.clone(), &before.screen), Vec::new()),
        };
        self.journal = self.journal_at(at);
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

    /// The questions that a person's next action answers, or, without one, the end of the step: clauses that are over by then
    /// are done, and the one that the action is for does the same.
    ///
    /// # Errors
    /// When the model fails.
    pub fn questions(
        &self,
        same: Option<&dyn Fn(&Action) -> bool>,
        seen: &Seen,
    ) -> Result<Vec<RehearsedQuestion>, EmbedError> {
        let for_action = match same {
            Some(same) => self.as_proposed(same, seen)?.map_or(self.at, |(at, ..)| at),
            None => usize::MAX,
        };
        let mut found = Vec::new();
        for (at, _) in self.of_step() {
            if at > for_action {
                break;
            }
            let Some(options) = self.options_for(at, &self.journal_at(at), seen)? else { continue };
            let right = |one: &Weighed| match (one.proposal.action(), same.filter(|_| at == for_action)) {
                (Some(action), Some(same)) => same(action),
                (None, None) => true,
                _ => false,
            };
            let right = options.weighed.iter().map(right).collect();
            found.push(RehearsedQuestion { reading: options.reading, weighed: options.weighed, right });
        }
        Ok(found)
    }

    /// The clauses of the step at work from the one at work on, each with its place in the case.
    fn of_step(&self) -> impl Iterator<Item = (usize, &Clause)> {
        let step = self.clauses.get(self.at).map(|clause| clause.step.index);
        let own = move |(_, clause): &(usize, &Clause)| Some(clause.step.index) == step;
        self.clauses.iter().enumerate().skip(self.at).take_while(own)
    }

    /// The journal when a later clause of the step is at work.
    fn journal_at(&self, at: usize) -> Journal {
        let mut journal = self.journal.clone();
        for _ in self.at..at {
            journal.begin_clause();
        }
        journal
    }

    /// The clause of the step that an action is for, the proposal that does it, and what else could be done.
    fn as_proposed(
        &self,
        same: &dyn Fn(&Action) -> bool,
        seen: &Seen,
    ) -> Result<Option<(usize, Weighed, Vec<Weighed>)>, EmbedError> {
        let Some(clause) = self.clauses.get(self.at) else { return Ok(None) };
        let same = |one: &Weighed| one.proposal.action().is_some_and(same);
        let answer = interrupted(clause, self.preferences, &self.journal, seen, &self.knowledge.lexicon);
        if let Some(answer) = answer.filter(|answer| same(answer)) {
            return Ok(Some((self.at, answer, Vec::new())));
        }
        let mut best: Option<(usize, Weighed, Vec<Weighed>)> = None;
        for (at, _) in self.of_step() {
            let options = self.options_for(at, &self.journal_at(at), seen)?;
            let mut others = options.map(|options| options.weighed).unwrap_or_default();
            let Some(position) = others.iter().position(same) else { continue };
            let own = others.remove(position);
            let margin = if at == self.at { 0.0 } else { FITS_BETTER };
            if best.as_ref().is_none_or(|(_, known, _)| own.score > known.score + margin) {
                best = Some((at, own, others));
            }
        }
        Ok(best)
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

    /// Everything that could be done for a clause on a screen.
    fn options_for(&self, at: usize, journal: &Journal, seen: &Seen) -> Result<Option<Options>, EmbedError> {
        let model = ScreenModel::recognise(&seen.screen, &self.knowledge.lexicon);
        self.episode(at, journal).map(|episode| weigh(&episode, &model)).transpose()
    }

    fn episode<'e>(&'e self, at: usize, journal: &'e Journal) -> Option<Episode<'e>> {
        Some(Episode {
            clause: self.clauses.get(at)?,
            previous: at.checked_sub(1).and_then(|before| self.clauses.get(before)),
            later: self.clauses.get(at + 1..).unwrap_or_default(),
            journal,
            parameters: self.parameters,
            package: &self.package,
            knowledge: self.knowledge,
            scorer: &self.scorer,
            map: &self.map,
            // A recorded task says by its actions alone when it is done.
            expectations_hold: None,
            expected: &[],
            seed: 0,
        })
    }
}
