//! Back to where a step began that looks for something, where its first touch led to a place on which nothing of it fits:
//! another one is tried. Steps that choose or open something are not: what they name and is not there is nowhere else.

use super::agent::{Agent, AgentError};
use super::fault::dead_control;
use super::memory::StepMemory;
use super::step::Step;
use super::undoing;
use super::vain;
use crate::device::{Recorder, Seen};
use crate::domain::Action;
use crate::hierarchy::{Fingerprint, Screen, ScreenKind};
use crate::ranking::{Candidate, Ranked};

/// Most first touches of a step that are taken back.
const MOST_RETURNS: usize = 3;

impl Agent<'_> {
    /// Goes back to the screen of the step's first touch, which is not made there again. False where there is no such way,
    /// or it may lose or change something: where anything was typed, switched, sent or held.
    pub(super) async fn backtrack(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        if !self.planning.reading.finds(&step.instruction)
            || self.patience.in_company
            || memory.returns >= MOST_RETURNS
            || memory.trouble.is_some()
        {
            return Ok(false);
        }
        let Some((begun, first)) = self.way_here(step, memory, &seen.screen) else { return Ok(false) };
        let touches = memory.way().filter(|(_, action)| matches!(action, Action::Click { .. })).count();
        for _ in 0..touches {
            if seen.screen.fingerprint == begun || self.spent().is_some() {
                break;
            }
            let before = seen.clone();
            let candidate = Candidate { action: Action::PressBack, widget: None, text: String::new(), offer: None };
            let back = Ranked { candidate, score: 1.0, terms: vec![("it led nowhere for the step", 1.0)] };
            self.act(step, &back, &before, seen, recorder).await?;
            self.budget.actions = self.budget.actions.saturating_sub(1);
            self.note_deed(step.index, Action::PressBack, 0, &before, seen);
            if self.come_back(step, &Action::PressBack, &before, seen, recorder).await? {
                break;
            }
        }
        let returned = seen.screen.fingerprint == begun;
        if returned {
            *memory = memory.after_return(begun, first);
            memory.waiting.begin(&seen.screen);
        }
        Ok(returned)
    }

    /// The first touch of the step and the screen it was made on, where everything since only led on.
    fn way_here(&self, step: &Step, memory: &StepMemory, screen: &Screen) -> Option<(Fingerprint, Action)> {
        let cues = self.scorer.cues;
        let leads = |(_, action): &(Fingerprint, Action)| match action {
            Action::Click { target } => {
                !cues.is_submit(&target.label) && !cues.is_consent(&target.label) && !undoing::is_unasked(step, action)
            }
            action => matches!(action, Action::Scroll { .. } | Action::Wait { .. }),
        };
        let (begun, first) = memory.way().find(|(_, action)| matches!(action, Action::Click { .. }))?;
        let moved = *begun != screen.fingerprint && screen.kind == ScreenKind::Ordinary;
        let safe = memory.given.is_empty() && memory.way().all(leads);
        // A control of the step's own that does nothing is the app's fault, and no other way is looked for.
        let dead = vain::in_vain(step, screen, memory).is_some() || dead_control(step, memory, screen).is_some();
        (moved && safe && !dead && !memory.was_forgiven()).then(|| (*begun, first.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, screen, step};
    use crate::domain::InputText;

    fn click(label: &str) -> Action {
        Action::Click { target: button(label).target() }
    }

    fn way(actions: &[Action]) -> bool {
        let (head, mut memory) = (Head::new(&[], ""), StepMemory::default());
        for (at, action) in actions.iter().enumerate() {
            memory.note(Fingerprint(10 + at as u64), action.clone());
        }
        head.agent().way_here(&step("Open the garden", &[]), &memory, &screen(vec![button("Pear")])).is_some()
    }

    #[test]
    fn only_what_led_on_is_taken_back() {
        assert!(way(&[click("Kitchen")]) && way(&[click("Kitchen"), click("Cellar")]));
        assert!(!way(&[]), "there is nothing to take back");
        assert!(!way(&[click("Kitchen"), click("Send")]), "something was sent");
        let typed = Action::InputText { target: button("Name").target(), text: InputText::Plain("Ada".into()) };
        assert!(!way(&[click("Kitchen"), typed]), "something was typed");
    }

    #[test]
    fn what_led_nowhere_is_not_touched_there_again_and_counts_for_no_dead_control() {
        let mut memory = StepMemory::default();
        memory.note(Fingerprint(1), click("Kitchen"));
        let memory = memory.after_return(Fingerprint(1), click("Kitchen"));
        assert!(memory.is_excluded(Fingerprint(1), &click("Kitchen")) && memory.only_looked());
        assert_eq!(memory.way().count(), 0);
        assert_eq!((memory.vain().count(), memory.invalid_count(), memory.returns), (0, 0, 1));
    }
}
