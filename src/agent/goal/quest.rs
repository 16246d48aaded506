//! A goal that is being worked on, with what is remembered of it.

use super::another::is_anothers;
use super::any_value::AnyValue;
use super::coverage::Judge;
use super::cues::GoalCues;
use super::decision::covered_by;
use super::items::{Goal, ItemKind};
use super::kept::kept;
use super::offers::is_search;
use super::outcome::{Outcome, all_dealt_with, counts_things, is_related};
use super::pursuit::{Planning, stride};
use super::reach::Destination;
use super::refusals::Refusals;
use super::route::done_key;
use super::trek::Trek;
use crate::agent::StepOutcome;
use crate::agent::agent::{blocked, failed};
use crate::agent::memory::StepMemory;
use crate::agent::operation::Plan;
use crate::agent::step::Step;
use crate::app_map::{Control, View};
use crate::device::Seen;
use crate::domain::{Action, InputText, content_words, same_word};
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::inference::EmbedError;
use crate::ranking::{Candidate, Place, Ranked, Scorer, Weights};
use std::collections::{HashMap, HashSet};

/// How often something is typed again after it was cleared.
const MOST_TAKEN_BACK: u32 = 2;
/// Share of the goal's words that may be left when it counts as carried out.
const MOST_OPEN: f32 = 0.6;
/// The same where nothing was sent.
const LEAST_OPEN: f32 = 0.05;

/// A goal that is being worked on.
pub(super) struct Quest<'a, 'd> {
    pub(super) step: &'a Step,
    pub(super) goal: Goal,
    pub(super) destination: &'a Destination<'d>,
    pub(super) any: Option<&'static AnyValue>,
    /// The things the goal lists were gathered before.
    pub(super) gathered: bool,
    pub(super) trek: Trek,
    pub(super) memory: StepMemory,
    /// How far the search was when everything the goal speaks of had been done.
    pub(super) carried_out: Option<u32>,
    /// How often something that was given was taken back.
    pub(super) taken_back: u32,
    /// A field that was empty when its form was sent.
    pub(super) empty_field: Option<String>,
    /// What was carried out, and how often.
    pub(super) outcome: Outcome,
    /// What fields did not take.
    pub(super) refusals: Refusals,
    /// Values that were set instead of being typed.
    pub(super) settled: HashSet<String>,
    /// What was done for each value that is set and not typed.
    pub(super) setting: HashMap<String, StepMemory>,
    /// Names that bear something to be touched: they are there already, and not to be typed.
    pub(super) shown: HashSet<String>,
    /// The screen after that which came nearest to what is expected, and what was missing on it.
    nearest: Option<(String, Vec<String>)>,
}

impl<'a, 'd> Quest<'a, 'd> {
    /// Begins.
    pub(super) fn new(
        step: &'a Step,
        goal: Goal,
        destination: &'a Destination<'d>,
        any: Option<&'static AnyValue>,
        gathered: bool,
    ) -> Self {
        let named = goal.items.iter().filter(|item| item.kind != ItemKind::Word);
        let named = named.map(|item| item.text.to_lowercase()).collect();
        Self {
            step,
            goal,
            destination,
            any,
            gathered,
            trek: Trek::new(named),
            memory: StepMemory::default(),
            carried_out: None,
            taken_back: 0,
            empty_field: None,
            outcome: Outcome::default(),
            refusals: Refusals::default(),
            settled: HashSet::new(),
            setting: HashMap::new(),
            shown: HashSet::new(),
            nearest: None,
        }
    }

    /// Something that a screen shows is expected in the end.
    pub(super) fn expects_something(&self, seen: &Seen) -> bool {
        (self.destination.unmet)(seen).is_some()
    }

    /// The goal names a value, a name or a parameter.
    pub(super) fn names_something(&self) -> bool {
        self.gathered
            || !self.step.mentions.is_empty()
            || self.goal.items.iter().any(|item| item.kind != ItemKind::Word)
    }

    /// Everything the goal names was dealt with, and nothing was left empty.
    pub(super) fn is_ready(&self, scorer: &Scorer<'_>, planning: &Planning, parameters: &[Parameter]) -> bool {
        all_dealt_with(&self.goal, &planning.cues, &self.trek.past, &self.settled)
            && self.step.mentions.iter().all(|name| self.has_dealt(name, parameters))
            && !counts_things(&self.step.instruction, &self.step.named, &planning.cues)
            && self.left_empty(scorer).is_none()
            && is_related(&self.goal, &planning.cues, &self.trek.past, &self.step.mentions)
    }

    /// Tries once more from the beginning: what was given is to be given again.
    pub(super) fn start_over(&mut self, screen: &Screen) {
        self.outcome.start_over();
        let (searched, named) = (self.trek.searched, std::mem::take(&mut self.trek.named));
        self.trek = Trek::new(named);
        self.trek.searched = searched;
        self.trek.arrive(screen);
        self.memory = StepMemory::default();
        self.setting.clear();
        self.settled.clear();
        self.carried_out = None;
        self.taken_back = 0;
    }

    /// Notes how near a screen comes to what is expected, once everything was done.
    pub(super) fn compare(&mut self, seen: &Seen) {
        if self.outcome.last_sent().is_none() {
            return;
        }
        let Some(missing) = (self.destination.unmet)(seen) else { return };
        if self.nearest.as_ref().is_none_or(|(_, least)| missing.len() < least.len()) {
            self.nearest = Some((seen.screen.title.clone(), missing));
        }
    }

    /// What was done in vain: everything the goal asks for.
    pub(super) fn in_vain_after_all(&self) -> Option<String> {
        let sent = self.outcome.last_sent().filter(|_| self.names_something() || self.outcome.rounds() > 1)?;
        let times = match self.outcome.rounds() {
            1 => "once",
            _ => "and tried once more",
        };
        let nearest = self.nearest.as_ref().and_then(|(title, missing)| {
            missing.first().map(|first| format!("; \"{title}\" came nearest, without {first}"))
        });
        Some(format!(
            "everything the goal asks for was done {times}, {:?} on \"{}\" last, and what is expected did not come of it{}",
            sent.label,
            sent.title,
            nearest.unwrap_or_default()
        ))
    }

    /// The step without the texts in quotes that turned out to be labels: they are not to be typed.
    pub(super) fn open_step(&self) -> Step {
        let touched = |text: &String| {
            let text = text.to_lowercase();
            let mut targets = self.memory.done.iter().filter_map(Action::target);
            targets.any(|target| target.label.to_lowercase().contains(&text))
        };
        let mut step = self.step.clone();
        step.quoted.retain(|text| !touched(text));
        step
    }

    /// The parameter to give next, topmost place first. What was typed into a field and not sent is not typed over.
    pub(super) fn parameter(&self, plan: &Plan, screen: &Screen, weights: &Weights) -> Option<Ranked> {
        let unsent = |text: &str| {
            let typed = self.trek.past.iter().rposition(|stride| stride.typed.as_deref() == Some(text));
            typed.is_some_and(|at| self.trek.past[at..].iter().all(|stride| stride.typed.is_some() || stride.back))
        };
        let open = plan.ranked.iter().filter(|ranked| {
            ranked.candidate.offer.as_ref().is_some_and(|offer| {
                let typed = matches!(offer.place, Place::Field(_) | Place::Keypad);
                let held =
                    offer.place.widget().and_then(|id| screen.widgets.get(id)).map_or("", |field| field.value.as_str());
                let field = offer.place.widget().and_then(|id| screen.widgets.get(id));
                let refused = field.is_some_and(|field| self.refusals.refuses_again(field, offer.text.expose()));
                typed
                    && !refused
                    && !self.memory.has_given_anywhere(&offer.parameter)
                    && (held.is_empty() || !unsent(held))
            })
        });
        let open: Vec<&Ranked> = open.collect();
        // A place that is only offered for want of a better one waits.
        let best = open.iter().map(|ranked| ranked.score).fold(0.0, f32::max);
        let fitting =
            open.into_iter().filter(|ranked| ranked.score >= weights.nothing_fits.max(best - weights.form_spread));
        fitting.min_by_key(|ranked| ranked.candidate.widget).cloned()
    }

    /// What was touched last is off since then, and nothing else came: it is being carried out.
    pub(super) fn is_busy(&self, screen: &Screen) -> bool {
        let Some(last) = self.trek.past.last().filter(|last| last.typed.is_none() && last.on.title == screen.title)
        else {
            return false;
        };
        let Some(touched) = last.control.and_then(|at| last.on.controls.get(at)) else { return false };
        let off = |widget: &Widget| {
            widget.role == Role::Button
                && widget.label == touched.label
                && widget.bounds == touched.bounds
                && !widget.state.enabled
        };
        touched.enabled && screen.widgets.iter().any(off)
    }

    /// The page is about another thing than the goal names, and may be left again.
    pub(super) fn is_astray(&self, screen: &Screen, cues: &GoalCues) -> bool {
        !self.trek.thorough
            && screen.kind == ScreenKind::Ordinary
            && self.trek.may_leave(screen)
            && is_anothers(&self.goal, cues, &self.trek.past, &View::of(screen))
    }

    /// Controls that would undo what was chosen as the goal wants it, by position.
    pub(super) fn kept(&self, view: &View, cues: &GoalCues) -> Vec<usize> {
        kept(&self.goal, cues, &self.trek.past, view)
    }

    /// Something the goal names was neither typed nor touched.
    pub(super) fn is_open(&self, cues: &GoalCues) -> bool {
        !all_dealt_with(&self.goal, cues, &self.trek.past, &self.settled)
    }

    /// The parameter was given, or set, or what bears its value was touched.
    fn has_dealt(&self, name: &str, parameters: &[Parameter]) -> bool {
        let value = parameters.iter().find(|one| one.name == name && !one.value.is_secret());
        let touched =
            |value: &str| self.memory.done.iter().filter_map(Action::target).any(|target| target.label == value);
        self.memory.has_given_anywhere(name)
            || value.map(|one| one.value.expose()).is_some_and(|value| self.settled.contains(value) || touched(value))
    }

    /// A value drawn for the first empty field, where any will do.
    pub(super) fn drawn(&self, screen: &Screen, cues: &GoalCues) -> Option<Ranked> {
        let any = self.any.as_ref()?;
        let search = |widget: &Widget| is_search(&Control::of(widget), cues);
        let (field, text) = any.for_field(screen, search, &self.step.instruction, self.destination.seed)?;
        let action = Action::InputText { target: field.target(), text: InputText::Plain(text) };
        if self.memory.is_excluded(screen.fingerprint, &action) {
            return None;
        }
        let candidate = Candidate { action, widget: Some(field.id), text: field.label.clone(), offer: None };
        Some(Ranked { candidate, score: 0.5, terms: vec![("any value", 0.5)] })
    }

    /// What was typed may be a parameter's value, whoever chose it.
    pub(super) fn give(&mut self, parameters: &[Parameter], choice: &Ranked, before: &Seen) {
        let place = |id: Option<usize>| {
            id.and_then(|id| before.screen.widgets.get(id)).map(|widget| widget.resource_id.clone())
        };
        if let Some(offer) = choice.candidate.offer.as_ref().filter(|offer| !matches!(offer.place, Place::Opener(_))) {
            self.memory.given.push((offer.parameter.clone(), place(offer.place.widget())));
            return;
        }
        if let Action::InputText { text, .. } = &choice.candidate.action {
            let same = parameters.iter().filter(|parameter| parameter.value.expose() == text.expose());
            let given = same.map(|parameter| (parameter.name.clone(), place(choice.candidate.widget)));
            self.memory.given.extend(given);
        }
    }

    /// A field of a form that was sent with nothing typed into it at all: something to type is missing.
    pub(super) fn left_empty(&self, scorer: &Scorer<'_>) -> Option<String> {
        let past = &self.trek.past;
        let sent = past.iter().rev().find(|stride| {
            let control = stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at));
            control.is_some_and(|control| scorer.cues.is_submit(&control.label))
        })?;
        let empty =
            |control: &&Control| control.is_field() && (control.value.is_empty() || control.value == control.label);
        let mut fields = sent.on.controls.iter().filter(|control| control.is_field());
        let typed = past.iter().any(|stride| stride.typed.is_some() && stride.on.title == sent.on.title);
        let first = sent.on.controls.iter().find(empty)?;
        (!typed && fields.all(|control| empty(&control))).then(|| first.label.clone())
    }

    /// What was typed on a page that is gone back from, and was not sent, was not given; it is not typed there again.
    pub(super) fn release(&mut self, choice: &Ranked, before: &Seen, seen: &Seen) {
        if choice.candidate.action != Action::PressBack || !self.trek.typed_on(&before.screen) {
            return;
        }
        let left =
            View::of(&before.screen).differs(&View::of(&seen.screen)) && before.screen.title != seen.screen.title;
        if !left {
            return;
        }
        for widget in
            before.screen.widgets.iter().filter(|widget| widget.role == Role::Field && !widget.value.is_empty())
        {
            let text = InputText::Plain(widget.value.clone());
            let place = Some(widget.resource_id.clone());
            let there = self.memory.given.iter().filter(|(_, at)| *at == place).count();
            if there > 0 {
                self.memory.given.retain(|(_, at)| *at != place);
                self.memory.exclude(before.screen.fingerprint, Action::InputText { target: widget.target(), text });
            }
        }
    }

    /// A control that clears what was typed before takes it back: it may have to be typed again.
    pub(super) fn take_back(&mut self, choice: &Ranked, before: &Seen, seen: &Seen) {
        let Action::Click { target } = &choice.candidate.action else { return };
        let asked = content_words(&self.step.instruction);
        let clears = content_words(&target.label).iter().any(|word| asked.iter().any(|other| same_word(word, other)));
        if !clears {
            return;
        }
        let emptied = |place: &Option<String>| {
            let field = |seen: &Seen| {
                let mut fields = seen.screen.widgets.iter().filter(|widget| widget.role == Role::Field);
                fields.find(|field| Some(&field.resource_id) == place.as_ref()).map(|field| field.value.clone())
            };
            field(before).is_some_and(|held| !held.is_empty()) && field(seen).is_some_and(|held| held.is_empty())
        };
        if let Some(at) = self.memory.given.iter().rposition(|(_, place)| emptied(place))
            && self.taken_back < MOST_TAKEN_BACK
        {
            self.taken_back += 1;
            self.memory.given.remove(at);
        }
    }

    /// Everything the goal speaks of was done, as far as that can be told: what was typed was sent, or something was sent
    /// or confirmed, and no parameter it names is left.
    pub(super) fn is_carried_out(&self, scorer: &Scorer<'_>, judge: &mut Judge<'_>) -> Result<bool, EmbedError> {
        if counts_things(&self.step.instruction, &self.step.named, judge.cues) {
            return Ok(false);
        }
        let covered = covered_by(judge, &self.trek.past)?;
        let left =
            self.goal.items.iter().zip(&covered.items).any(|(item, share)| item.kind != ItemKind::Word && *share < 0.5);
        let open = covered.open(&self.goal);
        if left || open > MOST_OPEN {
            return Ok(false);
        }

        let past = &self.trek.past;
        let typed = past.iter().rposition(|stride| stride.typed.is_some());
        let touches =
            |from: usize| past[from..].iter().any(|stride| stride.typed.is_none() && stride.control.is_some());
        let sent = typed.is_some_and(touches);
        let confirmed = past.iter().any(|stride| {
            let control = stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at));
            control.is_some_and(|control| scorer.cues.is_submit(&control.label))
        });
        let given = self.step.mentions.iter().all(|name| self.memory.has_given_anywhere(name));
        // A goal whose every word was touched needs nothing that sends.
        let said_outright = open <= LEAST_OPEN && !past.is_empty() && typed.is_none();
        Ok(given && (sent || confirmed || said_outright) && self.left_empty(scorer).is_none())
    }

    pub(super) fn in_vain(&mut self, choice: &Ranked, before: &Seen, seen: &Seen) {
        self.refusals.note(&before.screen, &choice.candidate.action, &seen.screen);
        self.trek.vain += 1;
        self.memory.exclude(before.screen.fingerprint, choice.candidate.action.clone());
        let stride = stride(&before.screen, &choice.candidate.action);
        if let Some((digest, key, ..)) = done_key(&stride.on, stride.control, stride.typed.as_deref()) {
            self.trek.barred.insert((digest, key));
        }
    }

    /// There is no way on: because of what the app said it could not do, or for no reason that is known.
    pub(super) fn stopped(&self, reason: &str, seen: &Seen) -> StepOutcome {
        let reason = self.waiting_for(reason, seen);
        match &self.memory.trouble {
            Some(trouble) => failed(format!("{trouble} ({reason})")),
            None => blocked(reason),
        }
    }

    /// A reason with what is still missing.
    pub(super) fn waiting_for(&self, reason: &str, seen: &Seen) -> String {
        let unmet = (self.destination.unmet)(seen).unwrap_or_default();
        let places = self.trek.places();
        let missing = match unmet.first() {
            Some(first) => format!("; still waiting for {first}"),
            None => String::new(),
        };
        let empty = match &self.empty_field {
            Some(field) => format!("; the field {field:?} was left empty: no parameter of the case fits it"),
            None => String::new(),
        };
        let plural = if places == 1 { "" } else { "s" };
        format!("{reason}; {places} screen{plural} seen, now on \"{}\"{missing}{empty}", seen.screen.title)
    }
}
