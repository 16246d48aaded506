//! Backtracking (DragonCrawl's guardrail): a way that was tried for a step and on which it cannot go on is gone back, and not
//! taken again.

use super::agent::{Agent, AgentError, Deed, Effect};
use super::memory::StepMemory;
use super::patience::Patience;
use super::step::Step;
use crate::device::{Recorder, Seen};
use crate::domain::Action;
use crate::hierarchy::Fingerprint;
use crate::ranking::{Candidate, Ranked};

/// Ways that are gone back in one step.
const MOST_WAYS: u32 = 2;
/// Screens that a way may have led through.
const MOST_SCREENS: usize = 4;

impl Agent<'_> {
    /// Goes back to where the step's first touch was made, where everything done for it only led somewhere. The touch is
    /// not made again. False where there is no way back, or nothing to go back from.
    pub(super) async fn retreat(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        if self.patience == Patience::NONE || memory.retreats >= MOST_WAYS || self.spent().is_some() {
            return Ok(false);
        }
        let Some((origin, first)) = memory.way_taken(|action| self.only_leads(action)) else { return Ok(false) };
        if seen.screen.fingerprint == origin {
            return Ok(false);
        }
        memory.retreats += 1;
        for _ in 0..MOST_SCREENS {
            if self.spent().is_some() || !self.back(step, seen, recorder).await? {
                return Ok(false);
            }
            self.clear_the_way(step, memory, seen, recorder).await?;
            if seen.screen.fingerprint == origin {
                tracing::debug!("{first} led nowhere: it was gone back");
                memory.take_another_way(origin, first);
                memory.waiting.begin(&seen.screen);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A touch that changes nothing that would have to be undone.
    fn only_leads(&self, action: &Action) -> bool {
        match action {
            Action::Click { target } => !self.scorer.cues.is_submit(&target.label),
            Action::Scroll { .. } | Action::Wait { .. } => true,
            _ => false,
        }
    }

    /// The back key; false where it does nothing, or leads out of the app.
    async fn back(&mut self, step: &Step, seen: &mut Seen, recorder: &mut dyn Recorder) -> Result<bool, AgentError> {
        let candidate = Candidate { action: Action::PressBack, widget: None, text: String::new(), offer: None };
        let choice = Ranked { candidate, score: 0.0, terms: vec![("the way leads nowhere", 0.0)] };
        let before = seen.clone();
        let effect = self.act(step, &choice, &before, seen, recorder).await?;
        self.budget.actions = self.budget.actions.saturating_sub(1);
        if effect != Effect::Valid {
            return Ok(false);
        }
        self.deeds.push(Deed {
            step: step.index,
            action: Action::PressBack,
            held: 0,
            before: before.screen.fingerprint,
            screen: before.screen.title.clone(),
            after: seen.screen.fingerprint,
            lull: std::mem::take(&mut self.lull),
        });
        Ok(seen.screen.foreground.as_deref().is_some_and(|name| name.starts_with(self.package.as_str())))
    }
}

impl StepMemory {
    /// The step's first touch and the screen it was made on, where all it did is as `leads` says.
    fn way_taken(&self, leads: impl Fn(&Action) -> bool) -> Option<(Fingerprint, Action)> {
        let all = self.done.iter().all(leads) && self.given.is_empty();
        self.deeds_made().find(|(_, action)| matches!(action, Action::Click { .. })).filter(|_| all).cloned()
    }
}
