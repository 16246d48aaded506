//! Steps that name what they touch.

use super::sight::{Sight, only_holds, same_name, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::content_words;
use crate::form::turns;
use crate::hierarchy::{Role, ScreenKind, Widget};
use crate::ranking::Ranked;

impl Doubt<'_> {
    /// A step that names texts touches them one after another.
    pub(super) fn named(&self, memory: &mut StepMemory) -> Option<Certain> {
        let met = |name: &String| clicks(memory).any(|label| shows(label, name) > 0 || same_name(label, name));
        let sight = Sight { screen: self.screen, intent: self.intent };
        let mut open = self.step.named.iter().filter(|name| !met(name));
        // What is in sight comes before what has to be looked for.
        let Some(first) = open.clone().next() else { return self.after_named(memory) };
        let open = open.find(|name| sight.named(name).is_some()).unwrap_or(first);
        // A deed beside what is named needs no other touch.
        if !self.intent.deed.is_empty()
            && let Some(control) = sight.beside(open, &self.intent.deed)
            && self.step.quantity.is_none()
        {
            return self.touch(control, "it does what the step says to what it names", memory).inspect(|_| {
                memory.met.push(open.clone());
            });
        }
        if memory.met.contains(open) {
            return self.after_named(memory);
        }
        if let Some((widget, chosen)) = sight.named(open) {
            let wanted = self.agent.scorer.cues.wanted_state(&self.step.instruction);
            if let (Some(wanted), Some(is)) = (wanted, widget.state.checked) {
                return if wanted == is {
                    Some(Certain::Done(format!("{open:?} is {}", if is { "on" } else { "off" })))
                } else {
                    self.touch(widget, "it is to be switched", memory)
                };
            }
            if chosen && self.intent.deed.is_empty() {
                return Some(Certain::Done(format!("{open:?} is chosen")));
            }
            if let Some(scroll) = self.to_its_own(open, widget, memory) {
                return Some(scroll);
            }
            return self.touch(widget, "it shows what the step names", memory);
        }
        // It is the page of what is named.
        if !self.intent.deed.is_empty()
            && sight.is_about(open)
            && let Some(control) = sight.deed(&self.intent.deed)
            && let Some(found) = self.touch(control, "it does what the step says", memory)
        {
            memory.met.push(open.clone());
            return Some(found);
        }
        // It is in the menu that was opened for it.
        if clicks(memory).last().is_some_and(|label| self.words.is_overflow(label))
            && let Some(control) = sight.deed(&self.intent.deed)
            && let Some(found) = self.touch(control, "it does what the step says", memory)
        {
            memory.met.push(open.clone());
            return Some(found);
        }
        if let Some(turn) = sight.wheel(open, memory).filter(|turn| self.is_wheel_for(open, turn, memory)) {
            return self.offer(turn, memory);
        }
        self.sought(open, memory)
    }

    /// A scroll towards what is called as the step quotes it, where what is in sight only holds the quoted words among others and
    /// more of its list may be shown: "Expandable lists" where "Lists" is asked for.
    fn to_its_own(&self, name: &str, widget: &Widget, memory: &StepMemory) -> Option<Certain> {
        if !self.step.quoted.iter().any(|quoted| quoted == name) || !only_holds(widget, name) {
            return None;
        }
        let lists = self.screen.scroll_areas.iter().filter(|area| area.contains(widget.bounds.center()));
        let list = lists.min_by_key(|area| area.area()).copied()?;
        self.offer(self.scroll_in(list, memory)?, memory)
    }

    /// The wheel is not called otherwise than what is looked for, and nothing else opens its choices.
    fn is_wheel_for(&self, name: &str, turn: &Ranked, memory: &StepMemory) -> bool {
        let wheel = turn.candidate.widget.and_then(|id| self.screen.widgets.get(id));
        let own = wheel.map(|wheel| wheel.id_words.clone()).unwrap_or_default();
        let otherwise = !content_words(&own).is_empty()
            && !self.intent.words.is_empty()
            && name.chars().all(|c| c.is_ascii_digit())
            && said(&self.intent.words, &own) == 0;
        !otherwise && self.opener(name, memory).is_none()
    }

    /// The window came up because the step's own control was touched on the page below it, and nothing that the step names is
    /// chosen in it: what it asks for is for the steps that follow.
    fn only_opened(&self, memory: &StepMemory) -> bool {
        let last = memory.done.last();
        let touch = memory.certain.iter().rfind(|(action, _)| Some(action) == last);
        let made = |widget: &Widget| widget.state.checked == Some(true) || widget.state.selected;
        let named = |widget: &Widget| self.step.named.iter().any(|name| shows(&widget.label, name) > 0);
        touch.is_some_and(|(_, window)| window.is_none())
            && !self.screen.widgets.iter().any(|widget| made(widget) && named(widget))
    }

    /// All that is named was touched: what is left is to confirm the choice, or the deed.
    fn after_named(&self, memory: &mut StepMemory) -> Option<Certain> {
        if !self.intent.deed.is_empty() {
            let did = clicks(memory).any(|label| said(&self.intent.deed, label) > 0);
            if did {
                return Some(Certain::Done("the deed the step names was done".to_owned()));
            }
            let sight = Sight { screen: self.screen, intent: self.intent };
            let control = sight.deed(&self.intent.deed)?;
            return self.touch(control, "it does what the step says", memory);
        }
        // What shows the name may have opened the choices, one of which is the name.
        let sight = Sight { screen: self.screen, intent: self.intent };
        let touched: Vec<&str> = clicks(memory).collect();
        if let [only] = touched.as_slice()
            && let Some(name) = self.step.named.last()
            && shows(only, name) == 1
            && let Some((widget, false)) = sight.named(name)
            && widget.label != *only
        {
            return self.touch(widget, "it is the choice the step names", memory);
        }
        let cues = self.agent.scorer.cues;
        let confirms = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && cues.is_submit(&widget.label)
                && !turns_pages(&widget.label)
        };
        let follows = |widget: &&Widget| self.next.is_none_or(|next| !next.instruction.contains(widget.label.as_str()));
        let asks_for_it = self.screen.kind == ScreenKind::Dialog
            && !self.only_opened(memory)
            && self
                .screen
                .widgets
                .iter()
                .any(|widget| widget.state.checked == Some(true) || widget.role == Role::Selector);
        if asks_for_it && let Some(button) = self.screen.widgets.iter().filter(confirms).find(follows) {
            return self.touch(button, "the choice is confirmed", memory);
        }
        Some(Certain::Done("what the step names was touched".to_owned()))
    }
}

/// The label of a control that shows another month, which confirms nothing.
fn turns_pages(label: &str) -> bool {
    turns(label).is_some()
}

#[cfg(test)]
#[path = "naming_tests.rs"]
mod tests;
