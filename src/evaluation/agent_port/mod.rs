//! Everything of the evaluation that touches the agents' own types, in one place. Whole runs go through
//! [`run_case`](crate::run::run_case), as the product's do; what is here asks for single decisions and rankings.
//!
//! `rules` asks the ordered rules, `weighed` the decision pipeline: whichever the product would let decide.

mod rules;
mod weighed;

use self::rules::RulesProbe;
pub(super) use self::weighed::PipelineProbe;
use crate::agent::{Planning, consider};
use crate::app_map::{AppMap, Discovery};
use crate::device::{Device, Seen};
use crate::domain::{Action, PackageName, Size};
use crate::hierarchy::Screen;
use crate::pipeline::RehearsedQuestion;
use crate::ranking::{Ranked, Scorer};
use crate::run::{Decider, Judgement, PlannedCase};
use crate::skill::Library;

pub(super) use crate::agent::{Parameter, Step};

/// The weights files whose `[fitted_on]` tables tell which apps they were made with a look at.
pub(super) const WEIGHTS: &[&str] =
    &[include_str!("../../ranking/fitted_on.toml"), include_str!("../../pipeline/policy/fitted_on.toml")];

/// What the agent that decides knows of an app beforehand.
pub(super) enum Knowledge {
    /// The rules' plans over a map.
    Rules(Box<Planning>),
    /// The pipeline's map.
    Pipeline(AppMap),
}

impl Knowledge {
    /// From what was found out about the app, for the agent that decides.
    pub(super) fn of(discoveries: &[Discovery], judgement: &Judgement) -> Result<Self, String> {
        let mut map = AppMap::default();
        for discovery in discoveries {
            map.discover(discovery);
        }
        map.embed(judgement.embedder.as_ref()).map_err(|error| error.to_string())?;
        match judgement.decider {
            // Where both decide, the first decisions are the rules'.
            Decider::Rules | Decider::Both => {
                let planning = Planning::bundled(map).map_err(|error| error.to_string())?;
                Ok(Self::Rules(Box::new(planning)))
            }
            Decider::Pipeline => Ok(Self::Pipeline(map)),
        }
    }
}

/// Something that a person did before the agent is asked.
pub(super) struct PastAction<'s> {
    /// The screen it was done on.
    pub(super) before: &'s Seen,
    /// What was done.
    pub(super) action: Action,
    /// The screen it led to.
    pub(super) after: &'s Seen,
}

/// What the agent would do next.
#[derive(Debug)]
pub(super) enum Choice {
    /// This.
    Act(Action),
    /// Nothing: the step is done.
    Done(String),
    /// Nothing: it does not know how to go on, or the step has failed.
    Stuck(String),
}

/// What an agent is asked with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The case.
    pub(super) case: &'a PlannedCase,
    /// Model, weights, cues, and which agent decides.
    pub(super) judgement: &'a Judgement,
    /// Skills.
    pub(super) skills: &'a Library,
    /// What is known of the app.
    pub(super) knowledge: &'a Knowledge,
    /// A device that stays as it is.
    pub(super) device: &'a dyn Device,
    /// Its display.
    pub(super) display: Size,
}

/// An agent that is asked for single decisions, as if it had made a past of its own.
pub(super) enum DecisionProbe<'a, 's> {
    /// The ordered rules.
    Rules(Box<RulesProbe<'a, 's>>),
    /// The decision pipeline.
    Pipeline(Box<PipelineProbe<'a>>),
}

impl<'a, 's> DecisionProbe<'a, 's> {
    /// The agent that knows so much, before the first step.
    pub(super) fn new(asked: Asked<'a>) -> Result<Self, String> {
        Ok(match asked.knowledge {
            Knowledge::Rules(planning) => Self::Rules(Box::new(RulesProbe::new(asked, planning)?)),
            Knowledge::Pipeline(map) => Self::Pipeline(Box::new(PipelineProbe::new(asked, map))),
        })
    }

    /// Begins a step, counted from 0: what the steps before it gave is used up.
    pub(super) fn begin(&mut self, step: usize) {
        match self {
            Self::Rules(probe) => probe.begin(step),
            Self::Pipeline(probe) => probe.begin(step),
        }
    }

    /// What it would do on a screen for the step that was begun, after what was done for it so far.
    pub(super) fn choose(&self, seen: &Seen) -> Result<Choice, String> {
        match self {
            Self::Rules(probe) => probe.choose(seen),
            Self::Pipeline(probe) => probe.choose(seen),
        }
    }

    /// Takes over what was done for the step. `same` tells whether another action does the same.
    pub(super) fn follow(&mut self, done: PastAction<'s>, same: &dyn Fn(&Action) -> bool) -> Result<(), String> {
        match self {
            Self::Rules(probe) => {
                probe.follow(done);
                Ok(())
            }
            Self::Pipeline(probe) => probe.follow(&done, same),
        }
    }

    /// The decisions that the next action of the person answers, or the end of the step; the rules know no options.
    pub(super) fn questions(
        &self,
        same: Option<&dyn Fn(&Action) -> bool>,
        seen: &Seen,
    ) -> Result<Vec<RehearsedQuestion>, String> {
        match self {
            Self::Rules(_) => Ok(Vec::new()),
            Self::Pipeline(probe) => probe.questions(same, seen),
        }
    }
}

/// Everything that fits a step on a screen, best first.
pub(super) fn rank(
    scorer: &Scorer<'_>,
    parameters: &[Parameter],
    package: &PackageName,
    step: &Step,
    screen: &Screen,
) -> Result<Vec<Ranked>, String> {
    consider(scorer, parameters, package, step, screen).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
