//! An errand: a step that is done only when an app says so, "Book a table", "Request a ride to the station".
//!
//! Such a step does not end with the first touch. After what it names was met, each screen's own way on is taken, until
//! none asks any more or the next step's own control is there.

use super::sight::{name_of, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::agent::popups;
use crate::domain::{Action, content_words, holds_cue};
use crate::hierarchy::{Role, ScreenKind, Widget};

impl Doubt<'_> {
    /// What carries an errand on, once it was begun.
    pub(super) fn carried_on(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.words.is_errand(&self.step.instruction) {
            return None;
        }
        let begun = memory.done.iter().any(|action| matches!(action, Action::Click { .. }) && !memory.looked(action));
        let met = |name: &String| {
            clicks(memory).any(|label| shows(label, name) > 0)
                || memory.met.contains(name)
                || memory
                    .done
                    .iter()
                    .any(|action| matches!(action, Action::InputText { text, .. } if text.expose() == name))
        };
        if self.primary().is_none()
            && let Some(found) = self.agreed(memory)
        {
            return Some(found);
        }
        if !begun || !self.step.named.iter().all(met) {
            return None;
        }
        let asks = self.screen.kind == ScreenKind::Dialog;
        let cues = self.agent.scorer.cues;
        if asks
            && let Some(out) = popups::way_out(self.screen, cues)
            && popups::declines(&out.label, cues)
        {
            return self.touch(out, "nobody asked for what is offered", memory);
        }
        let primary = self.primary()?;
        if self.is_left_to_the_next(primary) {
            return Some(Certain::Filled("what follows is the next step's".to_owned()));
        }
        self.touch(primary, "it carries on what was begun", memory)
    }

    /// Where what goes on is off, what must be agreed to first is ticked.
    fn agreed(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let off = |widget: &&Widget| {
            widget.role == Role::Button
                && !widget.state.enabled
                && (cues.is_submit(&widget.label) || self.words.commits(&widget.label))
        };
        self.screen.widgets.iter().find(off)?;
        let open = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && widget.state.checked == Some(false)
                && widget.role != Role::Radio
                && cues.is_consent(&widget.label)
        };
        self.touch(self.screen.widgets.iter().find(open)?, "it must be agreed to first", memory)
    }

    /// The lowest button of the screen that goes on with something, and neither refuses nor undoes.
    fn primary(&self) -> Option<&Widget> {
        let cues = self.agent.scorer.cues;
        let goes_on = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && widget.state.checked.is_none()
                && !cues.refuses(&widget.label)
                && !cues.puts_off(&widget.label)
                && !cues.leads_back(&widget.label)
                // What only acknowledges leaves what the app says of the errand's end.
                && !cues.acknowledges(&widget.label)
                && (cues.is_submit(&widget.label) || self.words.commits(&widget.label))
                && !holds_cue(&self.agent.planning.cues.destroys, &widget.label)
        };
        self.screen.widgets.iter().filter(goes_on).max_by_key(|widget| (widget.bounds.bottom, widget.id))
    }

    /// The next step says the whole label, or speaks of something else that is to be touched here.
    fn is_left_to_the_next(&self, primary: &Widget) -> bool {
        let Some(next) = self.next else { return false };
        // A page that asks for values is left to the step that gives them.
        let asks = |widget: &Widget| widget.role == Role::Field && widget.state.enabled && widget.value.is_empty();
        if self.agent.scorer.cues.is_form(&next.instruction) && self.screen.widgets.iter().any(asks) {
            return true;
        }
        let own = content_words(name_of(&primary.label));
        let whole = !own.is_empty() && said(&own, &next.instruction) == own.len();
        let shown = |name: &String| {
            self.screen.widgets.iter().any(|widget| widget.clickable && shows(&widget.label, name) >= 2)
                && !self.step.named.contains(name)
        };
        whole || next.named.iter().any(shown) || {
            let outright = |other: &&Widget| {
                let label = content_words(name_of(&other.label));
                other.clickable
                    && other.state.enabled
                    && label.len() > 1
                    && said(&label, &next.instruction) == label.len()
                    && said(&label, &self.step.instruction) < label.len()
            };
            self.screen.widgets.iter().any(|other| outright(&other))
        }
    }
}
