//! The agent, asked for single decisions: the shipped weights and chooser on a past that a person made.

use super::{Asked, Choice, PastAction};
use crate::app_map::AppMap;
use crate::device::Seen;
use crate::domain::Action;
use crate::pipeline::{BestScore, Clause, Decision, Journal, Rehearsal, RehearsedQuestion};
use crate::run::{Judgement, PlannedCase};
use crate::skill::Library;

/// The agent with the clauses of a case and a past that a person makes.
pub(in crate::evaluation) struct DecisionProbe<'a>(Rehearsal<'a>);

impl<'a> DecisionProbe<'a> {
    /// The agent before the first step, with a map of its own to learn from.
    pub(in crate::evaluation) fn new(asked: Asked<'a>) -> Self {
        Self::of(asked.case, asked.judgement, asked.skills, asked.map)
    }

    /// The same for a case of any kind.
    pub(in crate::evaluation) fn of(
        case: &'a PlannedCase,
        judgement: &'a Judgement,
        skills: &'a Library,
        map: &AppMap,
    ) -> Self {
        let knowledge = &judgement.knowledge;
        let read = |step| Clause::of_case(step, &case.title, case.is_goal, &knowledge.lexicon);
        Self(Rehearsal {
            chooser: &BestScore,
            scorer: judgement.scorer(skills),
            skills,
            knowledge,
            parameters: &case.parameters,
            preferences: &case.preferences,
            package: case.package.clone(),
            clauses: case.tasks().iter().map(read).collect(),
            at: 0,
            journal: Journal::default(),
            map: map.clone(),
        })
    }

    /// Begins a step, counted from 0.
    pub(in crate::evaluation) fn begin(&mut self, step: usize) {
        self.0.begin_step(step + 1);
    }

    /// What it would do for the step on a screen.
    pub(in crate::evaluation) fn choose(&self, seen: &Seen) -> Result<Choice, String> {
        Ok(match self.0.decide(seen).map_err(|error| error.to_string())? {
            Decision::Done(chosen, _) => Choice::Done(chosen.proposal.reason),
            Decision::GiveUp(reason, _) => Choice::Stuck(reason),
            Decision::Act(chosen, _) => match chosen.proposal.action() {
                Some(action) => Choice::Act(action.clone()),
                None => Choice::Done(chosen.proposal.reason),
            },
        })
    }

    /// Takes over what was done for the step.
    pub(in crate::evaluation) fn follow(
        &mut self,
        done: &PastAction<'_>,
        same: &dyn Fn(&Action) -> bool,
    ) -> Result<(), String> {
        self.0.follow(&done.action, same, [done.before, done.after]).map_err(|error| error.to_string())
    }

    /// The decisions that the next action of the person answers, or the end of the step.
    pub(in crate::evaluation) fn questions(
        &self,
        same: Option<&dyn Fn(&Action) -> bool>,
        seen: &Seen,
    ) -> Result<Vec<RehearsedQuestion>, String> {
        self.0.questions(same, seen).map_err(|error| error.to_string())
    }
}
