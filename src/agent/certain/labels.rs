//! Steps that say what a control is called.

use super::coverage::Coverage;
use super::sight::{name_of, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::words as words_of;
use crate::domain::{Action, content_words};
use crate::hierarchy::{Role, ScreenKind, Widget};

impl Doubt<'_> {
    /// What is open of a step that names nothing is touched where one control says it.
    pub(super) fn said_by_one(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.step.named.is_empty() {
            return None;
        }
        let covering = Coverage::of_step(self.screen, self.step, self.intent, memory).best(memory, self.next);
        match covering.filter(|covering| covering.surely) {
            Some(covering) => self.touch(covering.widget, "it is called as the step says", memory),
            None => self.by_context(memory),
        }
    }

    /// "Add it to the order", where `order` is a parameter as well: the name is only implied and not in sight, and one
    /// control says the deed and all else. What was begun here is not left in search of the name.
    pub(super) fn said_beside_implied(&self, memory: &mut StepMemory) -> Option<Certain> {
        let implied = |name: &String| !self.step.original.contains(name.as_str());
        let shown = |name: &String| self.screen.widgets.iter().any(|widget| shows(&widget.label, name) > 0);
        let named = &self.step.named;
        if self.intent.deed.is_empty() || !named.iter().all(implied) || named.iter().any(shown) {
            return None;
        }
        let covering = Coverage::of_step(self.screen, self.step, self.intent, memory).best(memory, self.next)?;
        let whole = covering.surely && said(&self.intent.deed, &covering.widget.label) > 0;
        let found = self.touch(covering.widget, "it is called as the step says", memory).filter(|_| whole)?;
        memory.met.extend(named.iter().cloned());
        Some(found)
    }

    /// A step that names nothing is done when everything it says was touched.
    pub(super) fn covered(&self, memory: &StepMemory) -> Option<Certain> {
        if let Some(chosen) = self.chosen_already() {
            return Some(Certain::Done(format!("{chosen:?} is chosen")));
        }
        let touched: Vec<&str> = clicks(memory).collect();
        if touched.is_empty()
            || self.intent.words.is_empty()
            || memory.done.last().is_some_and(|last| memory.looked(last))
        {
            return None;
        }
        // A field that was only touched is still to be filled in.
        let last = memory.done.last().and_then(Action::target);
        let is_last =
            |widget: &Widget| last.is_some_and(|target| widget.label == target.label || widget.bounds == target.bounds);
        let mut fields = self.screen.widgets.iter().filter(|widget| widget.role == Role::Field);
        if memory.given.is_empty() && fields.any(is_last) {
            return None;
        }
        let all = touched.join(" ");
        (said(&self.intent.words, &all) == self.intent.words.len())
            .then(|| Certain::Done("everything the step says was touched".to_owned()))
    }

    /// A step that says yes means the control of a dialog that does not refuse: the one that speaks of what was begun, else
    /// the last one.
    pub(super) fn confirmed(&self, memory: &StepMemory) -> Option<Certain> {
        let last = self.agent.deeds.last().and_then(|deed| deed.action.target());
        if let Some(done @ Action::Click { target }) = memory.done.last()
            && self.screen.kind != ScreenKind::Dialog
        {
            // What was touched only for want of anything better confirms nothing.
            let cues = self.agent.scorer.cues;
            let label = &target.label;
            let says_yes = cues.is_submit(label) || cues.acknowledges(label) || cues.is_consent(label);
            let fits = memory.scores.iter().rfind(|(action, _)| action == done);
            let meant = fits.is_none_or(|(_, score)| *score >= self.agent.scorer.weights.clearly_meant);
            return (says_yes || meant || self.words.commits(label) || said(&self.intent.words, label) > 0)
                .then(|| Certain::Done("it is confirmed".to_owned()));
        }
        if self.screen.kind != ScreenKind::Dialog {
            return None;
        }
        let cues = self.agent.scorer.cues;
        let agrees = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && !widget.label.is_empty()
                && !cues.refuses(&widget.label)
                && !cues.puts_off(&widget.label)
        };
        let begun = last.map(|target| content_words(&target.label)).unwrap_or_default();
        let worth =
            |widget: &&Widget| (said(&begun, &widget.label), said(&self.intent.words, &widget.label), widget.id);
        let button = self.screen.widgets.iter().filter(agrees).max_by_key(worth)?;
        self.touch(button, "it says yes to what was begun", memory)
    }

    /// A box whose whole label the step says is ticked, a control whose whole label it says in several words is touched.
    pub(super) fn said_outright(&self, memory: &StepMemory) -> Option<Certain> {
        let said = words_of(&self.step.instruction);
        let outright = |widget: &&Widget| {
            let name = name_of(&widget.label);
            let own = words_of(name);
            let long = own.len() > 1 && content_words(name).len() > 1 || own.len() > 2;
            let whole = long && said.windows(own.len()).any(|part| part == own.as_slice());
            let named = self.step.named.iter().any(|name| shows(&widget.label, name) > 0);
            whole && !named && widget.clickable && widget.state.enabled && widget.role != Role::Field
        };
        let off = self.agent.scorer.cues.wanted_state(&self.step.instruction) == Some(false);
        let open = |widget: &&Widget| match widget.state.checked {
            Some(checked) => !off && !checked && !clicks(memory).any(|label| label == widget.label),
            None => self.step.named.is_empty() && !clicks(memory).any(|label| label == widget.label),
        };
        let widget = self.screen.widgets.iter().filter(outright).find(open)?;
        self.touch(widget, "the step says its whole label", memory)
    }

    /// A step that types says the whole label of a choice that is not made, or the one word of it and of no other choice: it
    /// is made first.
    pub(super) fn chosen_outright(&self, memory: &StepMemory) -> Option<Certain> {
        let said = words_of(&self.step.instruction);
        let is_said = |widget: &Widget| {
            let own = words_of(name_of(&widget.label));
            !content_words(&widget.label).is_empty() && said.windows(own.len()).any(|part| part == own.as_slice())
        };
        let choices = || self.screen.widgets.iter().filter(|widget| widget.role == Role::Radio);
        let alone = choices().count() > 1 && choices().filter(|widget| is_said(widget)).count() == 1;
        let meant = |widget: &&Widget| {
            widget.state.checked == Some(false)
                && widget.state.enabled
                && (alone || words_of(name_of(&widget.label)).len() > 1)
                && is_said(widget)
        };
        let touched = |widget: &&Widget| clicks(memory).any(|label| label == widget.label);
        let widget = choices().filter(meant).find(|widget| !touched(widget))?;
        self.touch(widget, "the step says its whole label", memory)
    }

    /// A choice whose words are the step's own is made.
    fn chosen_already(&self) -> Option<&str> {
        let wants = |widget: &&Widget| {
            let own = content_words(&widget.label);
            let both = said(&self.intent.words, &widget.label);
            matches!(widget.role, Role::Radio)
                && own.len() > 1
                && both == own.len()
                && 2 * both >= self.intent.words.len()
        };
        let widget = self.screen.widgets.iter().filter(|widget| widget.state.checked == Some(true)).find(wants)?;
        Some(&widget.label)
    }
}
