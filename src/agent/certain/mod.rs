//! What is certain: where a step's own words and the screen's leave no doubt, nothing is ranked.
//!
//! A step that names a text touches what shows it; one that has touched all it says is done; numbers are counted to on the
//! control that counts. What is named and not in sight is looked for behind the control that says what it is, further
//! down, and by the app's own search. Everything else is left to the ranking.

mod back;
mod calendar;
mod caption;
mod clock;
mod contrast;
mod counter;
mod coverage;
mod ends;
mod errand;
mod extreme;
mod gauge;
mod gesture;
mod labels;
mod ladder;
mod naming;
mod picked;
mod seek;
mod sight;
mod stars;
mod state;
mod tally;
mod typing;
mod verb;
mod wheels;
mod words;

use super::agent::Agent;
use super::memory::StepMemory;
use super::step::Step;
use crate::case::Quantity;
use crate::domain::{Action, BundledTable, InputText};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::ranking::{Candidate, Ranked};
pub(crate) use sight::only_holds;
pub(super) use sight::same_name;
use sight::{Sight, shows};
use words::{Intent, Words, said};

pub(super) static WORDS: BundledTable<Words> =
    BundledTable::toml("src/agent/certain/certain.toml", include_str!("certain.toml"));

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
        let words = WORDS.get();
        let touched: Vec<&str> = clicks(memory).collect();
        memory.given.is_empty() && said(&words.read(step).words, &touched.join(" ")) == 0
    }

    /// The label of a control that sends off what a page asks for: no way on for a step that only looks for something.
    pub(super) fn sends_a_form(&self, label: &str, screen: &Screen) -> bool {
        let input = |role| matches!(role, Role::Field | Role::Dropdown | Role::Checkbox | Role::Radio | Role::Switch);
        let commits = WORDS.get().commits(label);
        (self.scorer.cues.is_submit(label) || commits) && screen.widgets.iter().any(|widget| input(widget.role))
    }

    /// The parts of a step have one verb among them: it asks for one thing.
    pub(super) fn is_one_deed<'t>(mut deeds: impl Iterator<Item = &'t str>) -> bool {
        deeds.next();
        !deeds.any(|deed| WORDS.get().acts(deed))
    }

    /// The whole label of a control behind which more can be done.
    pub(super) fn is_menu(label: &str) -> bool {
        WORDS.get().is_overflow(label)
    }

    /// The step only goes somewhere.
    pub(super) fn opens(step: &Step) -> bool {
        WORDS.get().read(step).opens
    }

    /// The step touches what it names, and types nothing.
    pub(super) fn touches(step: &Step) -> bool {
        WORDS.get().read(step).touches
    }

    /// What is certain of a step that asks for several things, whichever of them is done now; `None` where nothing is.
    pub(super) fn certain_of_many(&self, step: &Step, screen: &Screen, memory: &StepMemory) -> Option<Certain> {
        let words = WORDS.get();
        let intent = words.read(step);
        Doubt { agent: self, step, next: None, screen, words, intent: &intent }.on_ladder(memory)
    }

    /// What is certain about a step on a screen; `None` where nothing is.
    pub(super) fn certain(
        &self,
        step: &Step,
        next: Option<&Step>,
        screen: &Screen,
        memory: &mut StepMemory,
    ) -> Option<Certain> {
        let words = WORDS.get();
        let intent = words.read(step);
        let doubt = Doubt { agent: self, step, next, screen, words, intent: &intent };
        doubt.conclude(memory)
    }
}

impl Agent<'_> {
    /// What brings a value of a goal nearer on a calendar, a clock, a gauge, a counter or a list, and whether it sets the
    /// value itself; `None` where nothing does.
    pub(super) fn certain_value(
        &self,
        step: &Step,
        screen: &Screen,
        memory: &mut StepMemory,
    ) -> Option<(Ranked, bool)> {
        let words = WORDS.get();
        let intent = words.read(step);
        let doubt = Doubt { agent: self, step, next: None, screen, words, intent: &intent };
        let shown = |widget: &Widget| widget.role != Role::Field && step.named.iter().any(|name| *name == widget.label);
        let picks = memory.met.iter().any(|met| step.mentions.contains(met)) || !screen.widgets.iter().any(shown);
        let opened: Vec<String> = clicks(memory).map(str::to_owned).collect();
        let set = doubt.on_clock(memory).or_else(|| doubt.on_calendar(memory)).or_else(|| doubt.gauged(memory));
        let settles = set.is_some();
        let certain = match set {
            Some(set) => set,
            None => doubt.tallied(memory).or_else(|| picks.then(|| doubt.picked(memory)).flatten())?,
        };
        let Certain::Do(choice) = certain else { return None };
        // What shows a number is opened once; a choice that is made is none of it.
        let widget = choice.candidate.widget.and_then(|id| screen.widgets.get(id))?;
        let counts = words.counts(&widget.label).is_some();
        let idle = !memory.counting && (widget.state.checked == Some(true) || opened.contains(&widget.label));
        (counts || !idle).then_some((choice, settles))
    }

    /// The text that stands over a control and says what it is.
    pub(super) fn caption<'s>(screen: &'s Screen, widget: &Widget) -> Option<&'s str> {
        picked::caption(screen, widget)
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
        let by_control = self.by_control(memory);
        if by_control.is_some() {
            return by_control;
        }
        if memory.done.is_empty() && self.words.waits(&self.step.instruction) {
            return self.offer(seek::waiting("the step says to wait"), memory);
        }
        if let Some(certain) = self.by_order(memory) {
            return Some(certain);
        }
        if self.intent.types
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
        if let Some(certain) = self.reopened(memory).or_else(|| self.next_came(memory)) {
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
        if let Some(certain) = self.switched(memory).or_else(|| self.said_by_one(memory)) {
            return Some(certain);
        }
        if self.step.named.is_empty()
            && let Some(certain) = self.captioned(memory)
        {
            return Some(certain);
        }
        if let Some(certain) = self.said_outright(memory) {
            return Some(certain);
        }
        let implied = |name: &String| !self.step.original.contains(name.as_str());
        if !(self.step.named.is_empty() || self.intent.opens && self.step.named.iter().all(implied)) {
            if let Some(certain) = self.said_beside_implied(memory) {
                return Some(certain);
            }
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

    /// What an order, a count or what was done before makes certain.
    fn by_order(&self, memory: &mut StepMemory) -> Option<Certain> {
        self.on_ladder(memory)
            .or_else(|| self.most_or_least(memory))
            .or_else(|| self.set_apart(memory))
            .or_else(|| self.done_here(memory))
            .or_else(|| self.carried_on(memory))
    }

    /// What a control of its own kind makes certain, whatever the step's verb is.
    fn by_control(&self, memory: &mut StepMemory) -> Option<Certain> {
        if let Some(certain) = self.on_clock(memory) {
            return Some(certain);
        }
        self.on_calendar(memory)
            .or_else(|| self.gauged(memory))
            .or_else(|| self.rated(memory))
            .or_else(|| self.read_through(memory))
            .or_else(|| self.brought_back(memory))
            .or_else(|| self.by_gesture(memory))
            .or_else(|| self.swapped(memory))
            .or_else(|| self.between(memory))
            .or_else(|| self.tallied(memory))
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

    /// A step that only goes somewhere has led to another page, and what the next step names is there to be touched.
    fn next_came(&self, memory: &StepMemory) -> Option<Certain> {
        let names = self.next.filter(|next| Agent::touches(next)).map(|next| next.named.as_slice()).unwrap_or_default();
        let last = self.agent.deeds.last().filter(|deed| deed.step == self.step.index)?;
        let led = memory.done.last() == Some(&last.action)
            && matches!(last.action, Action::Click { .. })
            && last.screen != self.screen.title
            && self.screen.kind == ScreenKind::Ordinary;
        if !self.intent.opens || !self.step.named.is_empty() || names.is_empty() || !led {
            return None;
        }
        // What still says something of the step is the way on: the next one's may be called the same.
        let touched = clicks(memory).collect::<Vec<_>>().join(" ");
        let open: Vec<String> =
            self.intent.words.iter().filter(|word| said(std::slice::from_ref(*word), &touched) == 0).cloned().collect();
        let says = |widget: &Widget| widget.clickable && said(&open, &widget.label) > 0;
        if self.screen.widgets.iter().any(says) {
            return None;
        }
        let sight = Sight { screen: self.screen, intent: self.intent };
        let shown = |name: &String| sight.named(name).is_some_and(|(widget, _)| shows(&widget.label, name) >= 2);
        names.iter().all(shown).then(|| Certain::Done("what the next step names came in sight".to_owned()))
    }

    fn has_fields(&self) -> bool {
        self.screen.widgets.iter().any(|widget| widget.role == Role::Field)
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
