//! Everything of the evaluation that touches the agent's own types, in one place. Whole runs go through
//! [`run_case`](crate::run::run_case), as the product's do; what is here asks for single decisions and rankings.

use crate::agent::{Agent, Aim, Budget, Lull, Next, Past, Patience, Planning, consider};
use crate::app_map::{AppMap, Discovery};
use crate::device::{Device, Eyes, Seen};
use crate::domain::{Action, PackageName, Size};
use crate::hierarchy::Screen;
use crate::inference::Embedder;
use crate::ranking::{Ranked, Scorer};
use crate::run::{Judgement, PlannedCase};
use crate::skill::Library;
use std::time::Duration;

pub(super) use crate::agent::{Parameter, Step};

/// The weights files whose `[fitted_on]` tables tell which apps they were made with a look at.
pub(super) const WEIGHTS: &[&str] = &[include_str!("../ranking/fitted_on.toml")];

/// What the agent knows of an app beforehand.
pub(super) struct Knowledge(Planning);

impl Knowledge {
    /// From what was found out about the app.
    pub(super) fn of(discoveries: &[Discovery], embedder: &dyn Embedder) -> Result<Self, String> {
        let mut map = AppMap::default();
        for discovery in discoveries {
            map.discover(discovery);
        }
        map.embed(embedder).map_err(|error| error.to_string())?;
        Planning::bundled(map).map(Self).map_err(|error| error.to_string())
    }
}

/// Something that was done before the agent is asked.
pub(super) struct PastAction<'a> {
    /// The screen it was done on.
    pub(super) before: &'a Seen,
    /// What was done.
    pub(super) action: Action,
    /// The screen it led to.
    pub(super) after: &'a Seen,
}

/// What the agent would do next.
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
    pub(super) knowledge: &'a Knowledge,
    /// A device that stays as it is.
    pub(super) device: &'a dyn Device,
    /// Its display.
    pub(super) display: Size,
}

/// An agent that is asked for single decisions, as if it had made a past of its own.
pub(super) struct DecisionProbe<'a> {
    agent: Agent<'a>,
    steps: &'a [Step],
    /// For each step the goal it is; `None` where steps are given.
    aims: Vec<Option<Aim<'a>>>,
}

impl<'a> DecisionProbe<'a> {
    /// An agent before the first step.
    pub(super) fn new(asked: Asked<'a>) -> Result<Self, String> {
        let Asked { case, judgement, skills, knowledge, device, display } = asked;
        let embedder = judgement.embedder.as_ref();
        let aim = |step: &'a Step| case.is_goal.then(|| Aim::new(step, &knowledge.0, embedder)).transpose();
        let aims = case.steps.iter().map(aim).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let agent = Agent {
            eyes: Eyes { device, display, link_colours: &[], reader: None, secrets: &[], bridge: None },
            scorer: judgement.scorer(skills),
            skills,
            lexicon: &judgement.knowledge.lexicon,
            planning: &knowledge.0,
            parameters: &case.parameters,
            title: &case.title,
            preferences: &case.preferences,
            package: case.package.clone(),
            budget: Budget { actions: u32::MAX, time: Duration::MAX },
            patience: Patience::NONE,
            lull: Lull::default(),
            started: device.now(),
            checked: Vec::new(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: tokio_util::sync::CancellationToken::new(),
        };
        Ok(Self { agent, steps: &case.steps, aims })
    }

    /// What it would do for a step, counted from 0, on a screen, after what was done for it so far.
    pub(super) fn choose(&self, step: usize, past: &[PastAction<'_>], seen: &Seen) -> Result<Choice, String> {
        let Some(own) = self.steps.get(step) else { return Err(format!("there is no step {step}")) };
        let past: Vec<Past<'_>> =
            past.iter().map(|one| Past { before: one.before, action: one.action.clone(), after: one.after }).collect();
        let next = match self.aims.get(step).and_then(Option::as_ref) {
            Some(aim) => self.agent.next_towards(aim, &past, seen),
            None => self.agent.next(own, self.steps.get(step + 1), &past, seen),
        };
        Ok(match next.map_err(|error| error.to_string())? {
            Next::Act(action) => Choice::Act(action),
            Next::Done(reason) => Choice::Done(reason),
            Next::Stuck(reason) => Choice::Stuck(reason),
        })
    }

    /// A step, counted from 0, is over: what it gave is used up.
    pub(super) fn end_step(&mut self, step: usize) {
        let mentions = self.steps.get(step).map(|step| step.mentions.clone());
        self.agent.used.extend(mentions.unwrap_or_default());
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
