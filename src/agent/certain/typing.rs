//! Steps that type: what they mention goes into fields, and is sent where they say so.

use super::sight::Sight;
use super::words::said;
use super::{Certain, Doubt, WORDS, clicks, seek, shows};
use crate::agent::agent::Agent;
use crate::agent::memory::StepMemory;
use crate::agent::step::Step;
use crate::domain::{Action, InputText, content_words, same_word, words};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};

impl Agent<'_> {
    /// A parameter that the step says is to be typed and that is nowhere: neither given, nor on the screen, nor touched.
    pub(in crate::agent) fn untyped<'s>(
        &self,
        step: &'s Step,
        screen: &Screen,
        memory: &StepMemory,
    ) -> Option<&'s str> {
        if !WORDS.get().read(step).types {
            return None;
        }
        let shown = |value: &str| {
            let holds = |text: &str| !value.is_empty() && text.contains(value);
            screen.widgets.iter().any(|widget| holds(&widget.label) || holds(&widget.value))
                || clicks(memory).any(holds)
        };
        let known = |name: &str| {
            memory.has_given_anywhere(name)
                || self
                    .parameters
                    .iter()
                    .find(|one| one.name == name)
                    .is_none_or(|one| !one.value.is_secret() && shown(one.value.expose()))
        };
        step.mentions.iter().map(String::as_str).find(|name| !known(name))
    }

    /// The step says that something is to be typed, nothing was, and a field was only touched.
    pub(in crate::agent) fn owes_text(step: &Step, screen: &Screen, memory: &StepMemory) -> bool {
        let Some(Action::Click { target }) = memory.done.last() else { return false };
        let field = |widget: &Widget| {
            widget.role == Role::Field && (widget.bounds == target.bounds || widget.label == target.label)
        };
        memory.given.is_empty() && WORDS.get().types(&step.instruction) && screen.widgets.iter().any(field)
    }
}

impl Doubt<'_> {
    /// A step that types is done when everything it mentions was typed, and sent where it says so.
    pub(super) fn typed(&self, memory: &mut StepMemory) -> Option<Certain> {
        let wanted: Vec<&String> = self.step.mentions.iter().chain(&self.step.quoted).collect();
        if let Some(found) = self.picked(memory) {
            return Some(found);
        }
        let picked: Vec<String> =
            self.step.mentions.iter().filter(|name| self.is_picked(name, memory)).cloned().collect();
        for name in picked {
            if !memory.has_given_anywhere(&name) {
                memory.given.push((name, None));
            }
        }
        let given =
            |name: &&String| memory.has_given_anywhere(name) || self.is_number(name) || self.is_picked(name, memory);
        if !wanted.is_empty() && memory.given.is_empty() && !wanted.iter().all(given) {
            return self.field_below(memory);
        }
        if wanted.is_empty() || !wanted.iter().all(given) {
            return None;
        }
        if let Some(found) = self.suggested(memory) {
            return Some(found);
        }
        if let Some(reason) = self.lacking(memory) {
            return Some(Certain::Lacking(reason));
        }
        if !self.intent.sends {
            if let Some(own) = self.bearing_its_verb(memory) {
                return self.touch(own, "it is called as the step says", memory);
            }
            return Some(Certain::Filled("everything it mentions is filled in".to_owned()));
        }
        let keyed = matches!(memory.done.last(), Some(Action::InputByNumericKeyboard { .. }));
        if keyed && self.screen.keypad_keys().len() < 10 {
            return Some(Certain::Filled("what it mentions was taken".to_owned()));
        }
        // What is looked up is sent by the enter key; where that does nothing, the results are there.
        if self.words.searches(&self.step.instruction) {
            if matches!(memory.done.last(), Some(Action::InputText { .. }))
                && let Some(enter) = self.offer(seek::enter(), memory)
            {
                return Some(enter);
            }
            return Some(Certain::Filled("what it mentions is searched for".to_owned()));
        }
        // A box that is ticked or a choice that is opened sends nothing: it is what sends, leads on, or leaves the form.
        let cues = self.agent.scorer.cues;
        let ticked = |label: &str| {
            self.screen.widgets.iter().any(|widget| widget.label == label && widget.state.checked.is_some())
        };
        let sends = |label: &str| !ticked(label) && (cues.is_submit(label) || cues.is_advance(label));
        let left = !self.has_fields() && self.screen.kind != ScreenKind::Dialog;
        let sent = !self.is_back_on_form()
            && matches!(memory.done.last(), Some(Action::Click { target }) if left || sends(&target.label));
        if sent {
            return Some(Certain::Filled("what it mentions was filled in and sent".to_owned()));
        }
        let sends = |widget: &&Widget| {
            matches!(widget.role, Role::Button)
                && widget.clickable
                && widget.state.enabled
                && cues.is_submit(&widget.label)
        };
        let own = |widget: &&Widget| said(&self.intent.words, &widget.label);
        let button = self.screen.widgets.iter().filter(sends).max_by_key(own);
        match button {
            Some(button) => self.touch(button, "what was filled in is sent", memory),
            None if self.screen.keypad_keys().len() < 10 && left => {
                Some(Certain::Filled("what it mentions was taken".to_owned()))
            }
            None => None,
        }
    }

    /// The button beside what was typed that bears the step's own verb, and says nothing that the step does not: "Set limit"
    /// for "Set the limit to 5". It is left to a next step that sends.
    fn bearing_its_verb(&self, memory: &StepMemory) -> Option<&Widget> {
        let verb = words(&self.step.instruction).into_iter().next()?;
        let sends = self.next.is_some_and(|next| self.agent.scorer.cues.is_submit(&next.instruction));
        let typed = memory.done.iter().any(|action| matches!(action, Action::InputText { .. }));
        let bears = |widget: &&Widget| {
            let own = words(&widget.label);
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && widget.state.checked.is_none()
                && own.len() > 1
                && own.first() == Some(&verb)
                && said(&own, &self.step.instruction) == own.len()
                && !clicks(memory).any(|label| label == widget.label)
        };
        self.screen.widgets.iter().find(bears).filter(|_| typed && !sends)
    }

    /// What was touched last closed a window over the form: it sent the window's answer, not the form.
    fn is_back_on_form(&self) -> bool {
        let deeds = self.agent.deeds.iter().rev();
        let mut own = deeds.take_while(|deed| deed.step == self.step.index);
        let Some(last) = own.next() else { return false };
        let typed = own.find(|deed| matches!(deed.action, Action::InputText { .. }));
        typed.is_some_and(|typed| typed.screen != last.screen && self.screen.title == typed.screen) && self.has_fields()
    }

    /// What was typed into a page's only field to find it, and is offered there as a whole, is chosen.
    fn suggested(&self, memory: &StepMemory) -> Option<Certain> {
        let Some(Action::InputText { text: InputText::Plain(text), .. }) = memory.done.last() else { return None };
        let fields = self.screen.widgets.iter().filter(|widget| widget.role == Role::Field);
        if fields.count() != 1 || self.words.searches(&self.step.instruction) {
            return None;
        }
        let offers = |widget: &&Widget| {
            matches!(widget.role, Role::ListItem | Role::Button)
                && widget.clickable
                && widget.state.enabled
                && shows(&widget.label, text) == 3
        };
        let mut offered = self.screen.widgets.iter().filter(offers);
        let only = offered.next().filter(|_| offered.next().is_none())?;
        self.touch(only, "it is what was typed", memory)
    }

    /// Where no field in sight shares a word with what is to be typed, the right one may be further down.
    fn field_below(&self, memory: &StepMemory) -> Option<Certain> {
        // What stands there to be chosen needs no other field.
        let sight = Sight { screen: self.screen, intent: self.intent };
        let in_sight = |name: &String| sight.named(name).is_some_and(|(widget, _)| shows(&widget.label, name) >= 2);
        if self.step.named.iter().any(in_sight) {
            return None;
        }
        let cues = self.agent.scorer.cues;
        let names = self.step.mentions.iter().map(|name| name.replace(['_', '-', '.'], " "));
        let asked = names.fold(self.intent.words.clone(), |mut all, name| {
            all.extend(content_words(&name));
            all
        });
        let asked = cues.kinds(asked);
        let own = |widget: &Widget| {
            let text = format!("{} {} {} {}", widget.label, widget.hint, widget.context, widget.id_words);
            cues.kinds(content_words(&text))
        };
        let mut fields = self.screen.widgets.iter().filter(|widget| widget.role == Role::Field).peekable();
        fields.peek()?;
        let other = |words: Vec<String>| {
            !words.is_empty() && !words.iter().any(|word| asked.iter().any(|other| same_word(word, other)))
        };
        if self.screen.keypad_keys().len() >= 10 || !fields.all(|field| other(own(field))) {
            return None;
        }
        self.offer(self.scroll(memory)?, memory)
    }

    pub(super) fn is_number(&self, name: &str) -> bool {
        let value = self.agent.parameters.iter().find(|parameter| parameter.name == name);
        self.step.quantity.is_some() && value.is_some_and(|value| value.value.expose().parse::<u32>().is_ok())
    }
}
