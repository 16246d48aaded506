//! What is certain: where a step's own words and the screen's leave no doubt, nothing is ranked.
//!
//! A step that names a text touches what shows it; one that has touched all it says is done; numbers are counted to on the
//! control that counts. What is named and not in sight is looked for behind the control that says what it is, further
//! down, and by the app's own search. Everything else is left to the ranking.

mod back;
mod calendar;
mod counter;
mod coverage;
mod ends;
mod errand;
mod extreme;
mod gauge;
mod picked;
mod seek;
mod sight;
mod stars;
mod state;
mod tally;
mod wheels;
mod words;

use super::agent::Agent;
use super::memory::StepMemory;
use super::step::Step;
use super::written_date::turns;
use crate::case::Quantity;
use crate::domain::words as words_of;
use crate::domain::{Action, InputText, content_words, same_word};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::ranking::{Candidate, Ranked};
use coverage::Coverage;
pub(super) use sight::same_name;
use sight::{Sight, name_of, shows};
use std::sync::LazyLock;
use words::{Intent, Words, said};

/// Read once; where the words are broken, nothing is certain.
static WORDS: LazyLock<Option<Words>> = LazyLock::new(|| Words::bundled().ok());

/// What is certain.
pub(super) enum Certain {
    /// This is to be done.
    Do(Ranked),
    /// The step is done.
    Done(String),
    /// The step is done if nothing else is to be filled in.
    Filled(String),
    /// The step cannot be done with what the case has.
    Lacking(String),
}

impl Agent<'_> {
    /// Nothing was filled in for the step, and nothing it says was touched.
    pub(super) fn is_untouched(step: &Step, memory: &StepMemory) -> bool {
        let Some(words) = WORDS.as_ref() else { return false };
        let touched: Vec<&str> = clicks(memory).collect();
        memory.given.is_empty() && said(&words.read(step).words, &touched.join(" ")) == 0
    }

    /// The parts of a step have one verb among them: it asks for one thing.
    pub(super) fn is_one_deed<'t>(mut deeds: impl Iterator<Item = &'t str>) -> bool {
        deeds.next();
        WORDS.as_ref().is_some_and(|words| !deeds.any(|deed| words.acts(deed)))
    }

    /// A parameter that the step says is to be typed and that is nowhere: neither given, nor on the screen, nor touched.
    pub(super) fn untyped<'s>(&self, step: &'s Step, screen: &Screen, memory: &StepMemory) -> Option<&'s str> {
        if !WORDS.as_ref().is_some_and(|words| words.read(step).types) {
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
    pub(super) fn owes_text(step: &Step, screen: &Screen, memory: &StepMemory) -> bool {
        let Some(Action::Click { target }) = memory.done.last() else { return false };
        let field = |widget: &Widget| {
            widget.role == Role::Field && (widget.bounds == target.bounds || widget.label == target.label)
        };
        memory.given.is_empty()
            && WORDS.as_ref().is_some_and(|words| words.types(&step.instruction))
            && screen.widgets.iter().any(field)
    }

    /// The step touches what it names, and types nothing.
    pub(super) fn touches(step: &Step) -> bool {
        WORDS.as_ref().is_some_and(|words| words.read(step).touches)
    }

    /// What is certain about a step on a screen; `None` where nothing is.
    pub(super) fn certain(
        &self,
        step: &Step,
        next: Option<&Step>,
        screen: &Screen,
        memory: &mut StepMemory,
    ) -> Option<Certain> {
        let words = WORDS.as_ref()?;
        let intent = words.read(step);
        let doubt = Doubt { agent: self, step, next, screen, words, intent: &intent };
        doubt.conclude(memory)
    }
}

/// Everything that is looked at.
struct Doubt<'a> {
    agent: &'a Agent<'a>,
    step: &'a Step,
    next: Option<&'a Step>,
    screen: &'a Screen,
    words: &'a Words,
    intent: &'a Intent,
}

impl Doubt<'_> {
    fn conclude(&self, memory: &mut StepMemory) -> Option<Certain> {
        if let Some(certain) = self.on_calendar(memory).or_else(|| self.gauged(memory)).or_else(|| self.rated(memory)) {
            return Some(certain);
        }
        if let Some(certain) = self.read_through(memory) {
            return Some(certain);
        }
        if let Some(certain) = self.brought_back(memory) {
            return Some(certain);
        }
        if self.words.swaps(&self.step.instruction) && clicks(memory).next().is_some() {
            return Some(Certain::Done("it was done with one touch".to_owned()));
        }
        if let Some(certain) = self.between(memory).or_else(|| self.tallied(memory)) {
            return Some(certain);
        }
        if memory.done.is_empty() && self.words.waits(&self.step.instruction) {
            return self.offer(seek::waiting("the step says to wait"), memory);
        }
        if let Some(certain) = self.most_or_least(memory) {
            return Some(certain);
        }
        if let Some(certain) = self.carried_on(memory) {
            return Some(certain);
        }
        if self.intent.types
            && memory.done.iter().all(|action| memory.looked(action))
            && let Some(certain) = self.chosen_outright(memory)
        {
            return Some(certain);
        }
        if self.intent.types {
            let looks_up = self.words.searches(&self.step.instruction);
            return self.to_search(memory).filter(|_| looks_up).or_else(|| self.typed(memory));
        }
        if self.intent.returns && self.step.named.is_empty() {
            return self.returned(memory);
        }
        if let Some(certain) = self.reopened(memory) {
            return Some(certain);
        }
        if self.intent.opens
            && self.step.named.is_empty()
            && let Some(certain) = self.covered(memory)
        {
            return Some(certain);
        }
        if self.step.named.is_empty()
            && let Some(certain) = self.turned(memory)
        {
            return Some(certain);
        }
        if let Some(quantity) = self.step.quantity
            && let Some(certain) = self.counted(quantity, memory)
        {
            return Some(certain);
        }
        if self.intent.confirms
            && self.step.named.is_empty()
            && let Some(certain) = self.confirmed(memory)
        {
            return Some(certain);
        }
        if let Some(certain) = self.switched(memory) {
            return Some(certain);
        }
        if let Some(certain) = self.said_by_one(memory) {
            return Some(certain);
        }
        if let Some(certain) = self.said_outright(memory) {
            return Some(certain);
        }
        let implied = |name: &String| !self.step.original.contains(name.as_str());
        if !self.step.named.is_empty() && !(self.intent.opens && self.step.named.iter().all(implied)) {
            if self.intent.touches {
                return self.named(memory);
            }
            let shown = |name: &String| {
                self.screen.widgets.iter().any(|widget| shows(&widget.label, name) + shows(&widget.value, name) > 0)
            };
            let begun = clicks(memory).next().is_some() || self.has_fields() || self.step.named.iter().any(shown);
            return if begun { None } else { self.called_like_it(memory) };
        }
        self.covered(memory)
    }

    /// What a step reads needs no deed once it is open: its page is in front, or its own control was touched just before.
    fn read_through(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.words.reads(&self.step.instruction) || self.step.named.is_empty() {
            return None;
        }
        let sight = Sight { screen: self.screen, intent: self.intent };
        let last = self.agent.deeds.last().and_then(|deed| deed.action.target());
        let opened = |name: &String| last.is_some_and(|target| shows(&target.label, name) == 3);
        let open = |name: &String| sight.is_about(name) || (memory.done.is_empty() && opened(name));
        self.step.named.iter().all(open).then(|| Certain::Done("what is to be read is open".to_owned()))
    }

    /// What is open of a step that names nothing is touched where one control says it.
    fn said_by_one(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.step.named.is_empty() {
            return None;
        }
        let covering = Coverage::of_step(self.screen, self.step, self.intent, memory).best(memory, self.next);
        match covering.filter(|covering| covering.surely) {
            Some(covering) => self.touch(covering.widget, "it is called as the step says", memory),
            None => self.by_context(memory),
        }
    }

    /// A step that names nothing is done when everything it says was touched.
    fn covered(&self, memory: &StepMemory) -> Option<Certain> {
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
    fn confirmed(&self, memory: &StepMemory) -> Option<Certain> {
        let last = self.agent.deeds.last().and_then(|deed| deed.action.target());
        if matches!(memory.done.last(), Some(Action::Click { .. })) && self.screen.kind != ScreenKind::Dialog {
            return Some(Certain::Done("it is confirmed".to_owned()));
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
    fn said_outright(&self, memory: &StepMemory) -> Option<Certain> {
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

    /// A step that types says the whole label of a choice that is not made: it is made first.
    fn chosen_outright(&self, memory: &StepMemory) -> Option<Certain> {
        let said = words_of(&self.step.instruction);
        let meant = |widget: &&Widget| {
            let own = words_of(name_of(&widget.label));
            widget.role == Role::Radio
                && widget.state.checked == Some(false)
                && widget.state.enabled
                && own.len() > 1
                && said.windows(own.len()).any(|part| part == own.as_slice())
        };
        let widget = self.screen.widgets.iter().find(meant)?;
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

    /// A step that types is done when everything it mentions was typed, and sent where it says so.
    fn typed(&self, memory: &mut StepMemory) -> Option<Certain> {
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

    fn is_number(&self, name: &str) -> bool {
        let value = self.agent.parameters.iter().find(|parameter| parameter.name == name);
        self.step.quantity.is_some() && value.is_some_and(|value| value.value.expose().parse::<u32>().is_ok())
    }

    fn has_fields(&self) -> bool {
        self.screen.widgets.iter().any(|widget| widget.role == Role::Field)
    }

    /// A step that names texts touches them one after another.
    fn named(&self, memory: &mut StepMemory) -> Option<Certain> {
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

    fn counted(&self, quantity: Quantity, memory: &mut StepMemory) -> Option<Certain> {
        let counter = counter::find(self.screen, self.words, self.step.named.first().map(String::as_str))?;
        let (wanted, sets) = match quantity {
            Quantity::Set(count) => (count, true),
            Quantity::Add(count) => (count, false),
        };
        let touched = self.step.named.iter().all(|name| clicks(memory).any(|label| shows(label, name) > 0));
        if !sets && !touched && !counter.named {
            return None;
        }
        if counter.value == wanted {
            return sets.then(|| Certain::Done(format!("it counts {wanted}")));
        }
        let control = if counter.value < wanted { counter.more } else { counter.fewer };
        let control = self.screen.widgets.get(control?)?;
        let choice = chosen(control, "it counts towards the number");
        (!memory.is_excluded(self.screen.fingerprint, &choice.candidate.action)).then_some(Certain::Do(choice))
    }

    fn touch(&self, widget: &Widget, why: &'static str, memory: &StepMemory) -> Option<Certain> {
        self.offer(chosen(widget, why), memory)
    }

    fn offer(&self, choice: Ranked, memory: &StepMemory) -> Option<Certain> {
        (!memory.is_excluded(self.screen.fingerprint, &choice.candidate.action)).then_some(Certain::Do(choice))
    }

    fn type_into(&self, field: &Widget, text: &str, why: &'static str, memory: &StepMemory) -> Option<Certain> {
        let action = Action::InputText { target: field.target(), text: InputText::Plain(text.to_owned()) };
        let candidate = Candidate { action, widget: Some(field.id), text: field.label.clone(), offer: None };
        self.offer(Ranked { candidate, score: 1.0, terms: vec![(why, 1.0)] }, memory)
    }
}

/// The label of a control that shows another month, which confirms nothing.
fn turns_pages(label: &str) -> bool {
    turns(label).is_some()
}

/// Labels of what was touched in this step.
fn clicks(memory: &StepMemory) -> impl Iterator<Item = &str> {
    memory.done.iter().filter_map(|action| match action {
        Action::Click { target } | Action::LongPress { target } => Some(target.label.as_str()),
        _ => None,
    })
}

fn chosen(widget: &Widget, why: &'static str) -> Ranked {
    let action = Action::Click { target: widget.target() };
    let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
    Ranked { candidate, score: 1.0, terms: vec![(why, 1.0)] }
}

#[cfg(test)]
#[path = "certain_tests.rs"]
mod tests;
