//! Everything of the evaluation that touches the agent's own types, in one place. Whole runs go through
//! [`run_case`](crate::run::run_case), as the product's do; what is here asks for single decisions and rankings.

mod probe;

pub(super) use self::probe::DecisionProbe;
use crate::app_map::{AppMap, Discovery};
use crate::device::Seen;
use crate::domain::{Action, PackageName};
use crate::hierarchy::Screen;
use crate::pipeline::{Knowledge, consider};
use crate::ranking::{Ranked, Scorer};
use crate::run::{Judgement, PlannedCase};
use crate::skill::Library;

pub(super) use crate::pipeline::{Parameter, Step};

/// The weights files whose `[fitted_on]` tables tell which apps they were made with a look at.
pub(super) const WEIGHTS: &[&str] =
    &[include_str!("../../ranking/fitted_on.toml"), include_str!("../../pipeline/policy/fitted_on.toml")];

/// The map of an app from what was found out about it.
///
/// # Errors
/// The model fails.
pub(super) fn map_of(discoveries: &[Discovery], judgement: &Judgement) -> Result<AppMap, String> {
    let mut map = AppMap::default();
    for discovery in discoveries {
        map.discover(discovery);
    }
    map.embed(judgement.embedder.as_ref()).map_err(|error| error.to_string())?;
    Ok(map)
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
    /// Model, weights, cues.
    pub(super) judgement: &'a Judgement,
    /// Skills.
    pub(super) skills: &'a Library,
    /// What is known of the app.
    pub(super) map: &'a AppMap,
}

/// Everything that fits a step on a screen, best first.
pub(super) fn rank(
    scorer: &Scorer<'_>,
    knowledge: &Knowledge,
    parameters: &[Parameter],
    package: &PackageName,
    step: &Step,
    screen: &Screen,
) -> Result<Vec<Ranked>, String> {
    consider(scorer, &knowledge.lexicon, parameters, package, step, screen).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
