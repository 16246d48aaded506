//! An errand: a step that is done only when an app says so, "Book a table", "Request a ride to the station".
//!
//! Such a step does not end with the first touch. After what it names was met, each screen's own way on is taken, until
//! none asks any more or the next step's own control is there.

use super::sight::{Sight, name_of, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::agent::popups;
use crate::agent::thought::offers_little;
use crate::domain::{Action, content_words, holds_cue, same_word};
use crate::hierarchy::{Role, ScreenKind, Widget};

impl Doubt<'_> {
    /// What carries an errand on, once it was begun.
    pub(super) fn carried_on(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.words.is_errand(&self.step.instruction) {
            return None;
        }
        let begun = memory.done.iter().any(|action| matches!(action, Action::Click { .. }) && !memory.looked(action));
        if begun && popups::opens_for(self.next, self.screen, self.agent.scorer.cues) {
            return Some(Certain::Filled("what follows is the next step's".to_owned()));
        }
        let sight = Sight { screen: self.screen, intent: self.intent };
        let met = |name: &String| {
            clicks(memory).any(|label| shows(label, name) > 0)
                || memory.met.contains(name)
                || self.is_on_the_way_to(name)
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
        if !begun {
            return None;
        }
        if !self.step.named.iter().all(met) {
            // Where there is nothing to choose from, the page's own main control is the way there.
            let named = self.step.named.iter().any(|name| sight.named(name).is_some());
            let main = self.main_control().filter(|_| !named && !self.has_fields())?;
            return self.touch(main, "it is the way on of an errand that was begun", memory);
        }
        if self.is_reported(memory) {
            return Some(Certain::Filled("the app says that it is done".to_owned()));
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

    /// The page says in the same words that what was touched last is done: "Trip complete" after "Complete trip".
    fn is_reported(&self, memory: &StepMemory) -> bool {
        let Some(Action::Click { target }) = memory.done.last() else { return false };
        let own = content_words(&target.label);
        let says = |widget: &Widget| {
            let said = content_words(&widget.label);
            widget.role == Role::Text
                && !widget.clickable
                && said.len() == own.len()
                && widget.label != target.label
                && own.iter().all(|word| said.iter().any(|other| same_word(word, other)))
        };
        own.len() > 1 && self.screen.widgets.iter().any(|widget| says(widget))
    }

    /// The page says the name among other words and offers nothing to choose that shows it: "Drive to the station".
    fn is_on_the_way_to(&self, name: &str) -> bool {
        let shown = |widget: &&Widget| shows(&widget.label, name) > 0;
        let mut all = self.screen.widgets.iter().filter(shown).peekable();
        all.peek().is_some() && all.all(|widget| widget.role == Role::Text && !widget.clickable)
    }

    /// The widest button of a page that offers little, by far, and the lowest.
    fn main_control(&self) -> Option<&Widget> {
        let cues = self.agent.scorer.cues;
        let buttons = || self.screen.widgets.iter().filter(|widget| widget.role == Role::Button && widget.clickable);
        let goes_on = |widget: &Widget| {
            widget.state.enabled
                && widget.state.checked.is_none()
                && !widget.label.is_empty()
                && !cues.refuses(&widget.label)
                && !cues.puts_off(&widget.label)
                && !cues.leads_back(&widget.label)
                && !holds_cue(&self.agent.planning.cues.destroys, &widget.label)
        };
        if !offers_little(self.screen) || !self.screen.scroll_areas.is_empty() {
            return None;
        }
        let widest = buttons().max_by_key(|widget| widget.bounds.width()).filter(|widget| goes_on(widget))?;
        let is_main = |other: &Widget| {
            other.id == widest.id
                || (2 * widest.bounds.width() >= 3 * other.bounds.width()
                    && widest.bounds.bottom >= other.bounds.bottom)
        };
        buttons().all(is_main).then_some(widest)
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
