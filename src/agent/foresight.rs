//! What the agent would do next if others had done what was done so far: how single decisions are measured.

use super::Agent;
use super::agent::{AgentError, Done, nothing_fits, read};
use super::memory::StepMemory;
use super::operation::{plan, unmet};
use super::parameters::Trust;
use super::step::Step;
use crate::device::Seen;
use crate::domain::{Action, Verdict};

/// Something that was done while the step was worked on.
pub struct Past<'a> {
    /// The screen it was done on.
    pub before: &'a Seen,
    /// What was done.
    pub action: Action,
    /// The screen it led to.
    pub after: &'a Seen,
}

/// What the agent would do.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// This.
    Act(Action),
    /// Nothing: the step is done.
    Done(String),
    /// Nothing: it does not know how to go on, or the step has failed.
    Stuck(String),
}

impl Agent<'_> {
    /// What the agent would do first on `seen` for `step`, the past being as if the agent itself had made it. Screens
    /// are taken as they are: it never waits.
    pub fn next(&self, step: &Step, next: Option<&Step>, past: &[Past<'_>], seen: &Seen) -> Result<Next, AgentError> {
        if self.scorer.cues.is_assertion(&step.instruction) {
            let outcome = read(step, seen, self.scorer.cues);
            let passed = outcome.verdict == Verdict::Passed;
            return Ok(if passed { Next::Done(outcome.reason) } else { Next::Stuck(outcome.reason) });
        }
        let mut memory = self.remember(step, past);
        if let Some(last) = past.last() {
            let no_goal = |_: &Seen| None;
            let done = Done { before: last.before, action: &last.action, score: self.fitted(step, past)? };
            let inspection = self.inspect(step, next, &no_goal, done, last.after, &memory)?;
            if inspection.done {
                return Ok(Next::Done(inspection.reason));
            }
        }
        let plan = plan(&self.background(), step, &seen.screen, &memory, Trust::Mention)?;
        if let Some(reason) = plan.satisfied.filter(|_| plan.pending == 0) {
            return Ok(Next::Done(reason));
        }
        memory.waits = 1;
        if let Some(choice) = self.choose(&plan.ranked, &mut memory) {
            return Ok(Next::Act(choice.candidate.action));
        }
        if memory.only_looked() {
            return Ok(Next::Stuck(nothing_fits(step, &plan.ranked)));
        }
        Ok(match unmet(step, self.parameters, &seen.screen, &memory) {
            Some(name) => Next::Stuck(format!("{name:?} is nowhere on the screen \"{}\"", seen.screen.title)),
            None => Next::Done("nothing on the screen fits the step any more".into()),
        })
    }

    /// How well the step fitted what was done last; as little as nothing where the agent would not have thought of it.
    fn fitted(&self, step: &Step, past: &[Past<'_>]) -> Result<f32, AgentError> {
        let Some((last, earlier)) = past.split_last() else { return Ok(0.0) };
        let memory = self.remember(step, earlier);
        let plan = plan(&self.background(), step, &last.before.screen, &memory, Trust::Mention)?;
        let place = |action: &Action| (action.skill(), action.target().map(|target| target.bounds));
        let done = plan.ranked.iter().find(|ranked| place(&ranked.candidate.action) == place(&last.action));
        Ok(done.map_or(0.0, |done| done.score))
    }

    /// The memory the agent would have.
    fn remember(&self, step: &Step, past: &[Past<'_>]) -> StepMemory {
        let mut memory = StepMemory::default();
        for past in past {
            if let Action::InputText { target, text } = &past.action {
                let named = self.parameters.iter().find(|parameter| parameter.value.expose() == text.expose());
                let name = named.map(|parameter| parameter.name.clone());
                let quoted = || step.quoted.iter().find(|quoted| quoted.as_str() == text.expose()).cloned();
                let field = past.before.screen.widgets.iter().find(|widget| widget.bounds == target.bounds);
                let place = field.map(|field| field.resource_id.clone());
                memory.given.extend(name.or_else(quoted).map(|name| (name, place)));
            }
            memory.note(past.before.screen.fingerprint, past.action.clone());
            memory.tried += 1;
        }
        memory
    }
}
