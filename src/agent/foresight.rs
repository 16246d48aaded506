//! What the agent would do next if others had done what was done so far: how single decisions are measured.

use super::Agent;
use super::agent::AgentError;
use super::check::{is_check, read};
use super::memory::StepMemory;
use super::operation::plan;
use super::parameters::Trust;
use super::step::Step;
use super::thought::{Moment, Thought};
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
        if is_check(step, self.scorer.cues) {
            let outcome = read(step, seen, self.scorer.cues);
            let passed = outcome.verdict == Verdict::Passed;
            return Ok(if passed { Next::Done(outcome.reason) } else { Next::Stuck(outcome.reason) });
        }
        let first = past.first().map_or(seen, |past| past.before);
        let mut course = self.course(step, next, first)?;
        for (number, deed) in past.iter().enumerate() {
            let memory = self.remember(step, &past[..number]);
            let plan = plan(&self.background(), step, &deed.before.screen, &memory, Trust::Mention)?;
            let outlook = course.look(&self.background(), &plan, &deed.before.screen, &memory)?;
            course.note(&outlook, &deed.before.screen, &deed.action, false);
        }
        let mut memory = self.remember(step, past);
        memory.waits = 1;
        let last = past.last().map(|past| past.before);
        let moment = Moment { step, next, course: &course, last, seen, reached: None };
        Ok(match self.think(&moment, &mut memory)? {
            Thought::Do(resolve) => Next::Act(resolve.choice.candidate.action),
            Thought::Done(_, reason) => Next::Done(reason),
            Thought::Stuck(reason) | Thought::Astray(reason) | Thought::Unmet(reason) => Next::Stuck(reason),
        })
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
