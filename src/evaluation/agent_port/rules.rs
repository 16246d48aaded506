//! The ordered rules, asked for single decisions.

use super::{Asked, Choice, PastAction};
use crate::agent::{Agent, Aim, Budget, Lull, Next, Past, Patience, Planning, Step};
use crate::device::{Eyes, Seen};
use crate::domain::SecretMask;
use std::time::Duration;

/// The rules' agent with the steps of a case and a past that a person makes.
pub(in crate::evaluation) struct RulesProbe<'a, 's> {
    agent: Agent<'a>,
    steps: &'a [Step],
    /// For each step the goal it is; `None` where steps are given.
    aims: Vec<Option<Aim<'a>>>,
    /// The step at work, counted from 0.
    step: usize,
    /// What was done for it.
    past: Vec<PastAction<'s>>,
}

impl<'a, 's> RulesProbe<'a, 's> {
    /// An agent before the first step.
    pub(super) fn new(asked: Asked<'a>, planning: &'a Planning) -> Result<Self, String> {
        let Asked { case, judgement, skills, device, display, .. } = asked;
        let embedder = judgement.embedder.as_ref();
        let aim = |step: &'a Step| case.is_goal.then(|| Aim::new(step, planning, embedder)).transpose();
        let aims = case.steps.iter().map(aim).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let agent = Agent {
            eyes: Eyes { device, display, link_colours: &[], reader: None, mask: SecretMask::none(), bridge: None },
            scorer: judgement.scorer(skills),
            skills,
            lexicon: &judgement.knowledge.lexicon,
            planning,
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
        Ok(Self { agent, steps: &case.steps, aims, step: 0, past: Vec::new() })
    }

    /// Begins a step, counted from 0: what the steps before it gave is used up.
    pub(super) fn begin(&mut self, step: usize) {
        let over = self.steps.iter().take(step).skip(self.step);
        self.agent.used.extend(over.flat_map(|step| step.mentions.iter().cloned()));
        self.step = step;
        self.past.clear();
    }

    /// What it would do for the step on a screen.
    pub(super) fn choose(&self, seen: &Seen) -> Result<Choice, String> {
        let Some(own) = self.steps.get(self.step) else { return Err(format!("there is no step {}", self.step)) };
        let past = self.past.iter();
        let past: Vec<Past<'_>> =
            past.map(|one| Past { before: one.before, action: one.action.clone(), after: one.after }).collect();
        let next = match self.aims.get(self.step).and_then(Option::as_ref) {
            Some(aim) => self.agent.next_towards(aim, &past, seen),
            None => self.agent.next(own, self.steps.get(self.step + 1), &past, seen),
        };
        Ok(match next.map_err(|error| error.to_string())? {
            Next::Act(action) => Choice::Act(action),
            Next::Done(reason) => Choice::Done(reason),
            Next::Stuck(reason) => Choice::Stuck(reason),
        })
    }

    /// Takes over what was done for the step.
    pub(super) fn follow(&mut self, done: PastAction<'s>) {
        self.past.push(done);
    }
}
