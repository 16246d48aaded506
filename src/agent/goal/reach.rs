//! Goals on a live app: the planner's paths, with every skill of the agent around them.
//!
//! Parameters are given to the fields and keypads that ask for them; where the case says that any value will do, one is
//! drawn from the seed. What the planner sees a path to is walked. Where it sees none, or has finished although what the
//! case expects is not there, the way is searched for: the likeliest control first, then what is further down, then back.
//! The map learns from every action.

use super::any_value::AnyValue;
use super::coverage::Judge;
use super::cues::GoalCues;
use super::decision::{Decision, covered_by, decide};
use super::items::{Goal, ItemKind};
use super::offers::is_search;
use super::pursuit::{Planning, as_choice, plain, stride};
use super::search::{Search, search, sender};
use super::stages::stages;
use super::trek::Trek;
use crate::agent::StepOutcome;
use crate::agent::agent::{Agent, AgentError, Deed, Effect, blocked, held, milliseconds, passed};
use crate::agent::hints;
use crate::agent::memory::StepMemory;
use crate::agent::operation::{Plan, plan};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::app_map::{Control, View};
use crate::device::{Recorder, Seen};
use crate::domain::{Action, EventKind, InputText, Verdict, content_words, holds_cue, same_word};
use crate::hierarchy::{Role, Screen, ScreenKind};
use crate::ranking::{Candidate, Place, Ranked, Weights};
use std::time::{Duration, Instant};

/// Waits in a row for a screen that is still coming.
const MOST_WAITS: u32 = 8;
/// How long one of them lasts at most.
const WAIT_MS: u64 = 5_000;
/// How long what is expected may take to appear after the last action.
const LATE: Duration = Duration::from_secs(3);
/// Actions without effect in a row after which there is no way on.
const MOST_VAIN: u32 = 6;
/// What a path must be worth to be taken before what was typed is sent.
const CLEAR: f32 = 0.30;
/// How often the app is brought to the front again.
const MOST_OUTSIDE: u32 = 4;
/// How much is tried beyond what the goal speaks of before its outcome is judged.
const MOST_SEARCHED: u32 = 6;
/// How often something is typed again after it was cleared.
const MOST_TAKEN_BACK: u32 = 2;
/// Share of the goal's words that may be left when it counts as carried out.
const MOST_OPEN: f32 = 0.6;
/// Runners-up kept for explanation.
const RUNNERS_UP: usize = 4;

/// Where a goal leads.
pub struct Destination<'a> {
    /// What the case expects and the screen does not show yet, in words; `None` where the case expects nothing.
    pub unmet: &'a (dyn Fn(&Seen) -> Option<Vec<String>> + Sync),
    /// What is expected, as far as it is text that may be shown to the model.
    pub texts: Vec<String>,
    /// The seed of what is drawn.
    pub seed: u64,
}

/// What to do next.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum Next {
    Act(Ranked, &'static str),
    Passed(String),
    Blocked(String),
}

/// A goal that is being worked on.
struct Quest<'a, 'd> {
    step: &'a Step,
    goal: Goal,
    destination: &'a Destination<'d>,
    any: Option<AnyValue>,
    trek: Trek,
    memory: StepMemory,
    /// How far the search was when everything the goal speaks of had been done.
    carried_out: Option<u32>,
    /// How often something that was given was taken back.
    taken_back: u32,
    /// A field that was empty when its form was sent.
    empty_field: Option<String>,
}

impl Agent<'_> {
    /// Works towards a goal on a live app until it is reached, blocked or failed. The map of `planning` learns on the way.
    pub async fn reach(
        &mut self,
        step: &Step,
        planning: &mut Planning,
        destination: &Destination<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        planning.map.embed(self.scorer.embedder)?;
        let stages = stages(step, self.parameters, &planning.cues);
        let Some((last, before)) = stages.split_last() else {
            return self.reach_one(step, planning, destination, seen, recorder).await;
        };
        // What the case expects holds in the end, and says nothing about the way there.
        let nothing = |_: &Seen| None;
        for stage in before {
            let on_the_way = Destination { unmet: &nothing, texts: Vec::new(), seed: destination.seed };
            let outcome = self.reach_one(stage, planning, &on_the_way, seen, recorder).await?;
            if outcome.verdict != Verdict::Passed {
                return Ok(outcome);
            }
        }
        self.reach_one(last, planning, destination, seen, recorder).await
    }

    async fn reach_one(
        &mut self,
        step: &Step,
        planning: &mut Planning,
        destination: &Destination<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let embedder = self.scorer.embedder;
        let said = hints::with_advice(embedder, step)?;
        let goal = Goal::read(&said, &step.named, &planning.cues, &planning.map, embedder)?;
        let any = AnyValue::bundled().ok().filter(|any| any.is_meant(&step.instruction));
        let (trek, memory) = (Trek::default(), StepMemory::default());
        let mut quest =
            Quest { step, goal, destination, any, trek, memory, carried_out: None, taken_back: 0, empty_field: None };
        quest.trek.arrive(&seen.screen);
        let mut acted = false;
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            self.clear_the_way(step, &mut quest.memory, seen, recorder).await?;
            // What was typed may be all that shows what is expected: it is to be sent first.
            let met = acted && (destination.unmet)(seen).is_some_and(|unmet| unmet.is_empty());
            if met && !quest.trek.typed_on(&seen.screen) {
                return Ok(passed("everything expected is on the screen"));
            }
            if let Some(reason) = self.spent() {
                return Ok(blocked(quest.waiting_for(&reason, seen)));
            }
            let thinking = Instant::now();
            let plan = plan(&self.background(), &quest.open_step(), &seen.screen, &quest.memory, Trust::Mention)?;
            let next = self.resolve(&mut quest, planning, &plan, acted, seen)?;
            let (choice, why) = match next {
                Next::Act(choice, why) => (choice, why),
                Next::Passed(reason) => return Ok(passed(reason)),
                Next::Blocked(_) if met => return Ok(passed("everything expected is on the screen")),
                Next::Blocked(reason) => {
                    // What is expected may come late.
                    if acted && self.eyes.device.wait_for_change(&seen.hierarchy, LATE).await? {
                        *seen = self.eyes.look(recorder).await?;
                        quest.trek.vain += 1;
                        if quest.trek.vain < MOST_VAIN {
                            continue;
                        }
                    }
                    return Ok(blocked(quest.waiting_for(&reason, seen)));
                }
            };
            recorder.emit(EventKind::Decided {
                step: step.index,
                chosen: choice.view(),
                runners_up: runners_up(&plan, &choice),
                decide_ms: milliseconds(thinking),
                why: why.to_owned(),
                expects: self.expects_by(&planning.map, &seen.screen, &choice.candidate.action),
            });
            let before = seen.clone();
            quest.trek.choose(&before.screen, &choice.candidate.action);
            let effect = self.act(step, &choice, &before, seen, recorder).await?;
            acted = true;
            self.budget.actions = self.budget.actions.saturating_sub(1);
            if let Some(crash) = self.crashed(seen).await? {
                return Ok(StepOutcome { verdict: Verdict::Failed, reason: crash });
            }
            match effect {
                Effect::Impossible(reason) => return Ok(blocked(reason)),
                Effect::Invalid => {
                    quest.in_vain(&choice, &before);
                    if quest.trek.vain >= MOST_VAIN {
                        let reason = format!("{MOST_VAIN} actions in a row had no effect");
                        return Ok(blocked(quest.waiting_for(&reason, seen)));
                    }
                }
                Effect::Valid => {
                    self.took_effect(&mut quest, &choice, &before, seen);
                    planning.map.learn(&before.screen, &choice.candidate.action, &seen.screen);
                    planning.map.embed(embedder)?;
                }
            }
        }
    }

    /// Notes what was done.
    fn took_effect(&mut self, quest: &mut Quest<'_, '_>, choice: &Ranked, before: &Seen, seen: &Seen) {
        let action = &choice.candidate.action;
        let waited = matches!(action, Action::Wait { .. });
        quest.trek.waits = if waited { quest.trek.waits + 1 } else { 0 };
        quest.trek.vain = 0;
        if matches!(action, Action::Scroll { .. }) && before.screen.digest == seen.screen.digest {
            quest.trek.exhaust(before.screen.fingerprint);
        }
        quest.give(self.parameters, choice, before);
        quest.take_back(choice, before, seen);
        quest.memory.note(before.screen.fingerprint, action.clone());
        if waited {
            return;
        }
        self.deeds.push(Deed {
            step: quest.step.index,
            action: action.clone(),
            held: held(choice, before),
            before: before.screen.fingerprint,
            screen: before.screen.title.clone(),
            after: seen.screen.fingerprint,
        });
        let stride = stride(&before.screen, action);
        quest.trek.note(&before.screen, action, stride, &seen.screen, &mut self.deeds);
        quest.empty_field = quest.left_empty(&self.scorer).or(quest.empty_field.take());
        quest.trek.arrive(&seen.screen);
    }

    fn resolve(
        &self,
        quest: &mut Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        acted: bool,
        seen: &Seen,
    ) -> Result<Next, AgentError> {
        let screen = &seen.screen;
        if screen.kind == ScreenKind::Loading {
            if quest.trek.waits >= MOST_WAITS {
                return Ok(Next::Blocked(format!("the screen \"{}\" never stopped loading", screen.title)));
            }
            return Ok(Next::Act(plain(Action::Wait { ms: WAIT_MS }), "the screen is still loading"));
        }
        if self.is_elsewhere(seen) {
            if quest.trek.outside >= MOST_OUTSIDE {
                return Ok(Next::Blocked("the app does not come to the front again".to_owned()));
            }
            quest.trek.outside += 1;
            let action = Action::OpenApp { package: self.package.clone() };
            return Ok(Next::Act(plain(action), "the app is not in front"));
        }
        if let Some(given) = quest.parameter(plan, screen, self.scorer.weights) {
            return Ok(Next::Act(given, "a parameter of the case belongs here"));
        }
        if let Some(drawn) = quest.drawn(screen, &planning.cues) {
            return Ok(Next::Act(drawn, "the case says that any value will do; this one is drawn from the seed"));
        }
        let cued = |action: &Action| {
            self.skills.get(action.skill()).is_some_and(|skill| skill.is_cued(&quest.step.instruction))
        };
        let special = |action: &Action| matches!(action, Action::LongPress { .. } | Action::SwipeSelector { .. });
        let first = plan.ranked.first().filter(|first| {
            let action = &first.candidate.action;
            special(action) && cued(action) && first.score >= self.scorer.weights.clearly_meant
        });
        if let Some(first) = first {
            return Ok(Next::Act(first.clone(), "the goal asks for it"));
        }
        let view = View::of(screen);
        let mut judge = Judge::new(&quest.goal, &planning.map, self.scorer.embedder, &planning.cues, &planning.tuning);
        let expects = (quest.destination.unmet)(seen);
        let mut carried_out = false;
        let decision = decide(&mut judge, &quest.trek.past, &view, &quest.trek.barred)?;
        // What was typed is sent, unless there is a clear way on.
        let vague = !matches!(&decision, Decision::Do(offer, worth, _) if offer.typed.is_some() || *worth >= CLEAR);
        if vague
            && quest.trek.typed_on(screen)
            && let Some(sender) = sender(&plan.ranked, screen, &planning.cues, &quest.trek)
        {
            return Ok(Next::Act(sender, "what was typed is to be sent"));
        }
        let missing = match decision {
            Decision::Do(offer, worth, why) => match as_choice(screen, &offer, worth, why) {
                Some(choice) => return Ok(Next::Act(choice, why)),
                None => "the chosen control is gone".to_owned(),
            },
            Decision::Back => return Ok(Next::Act(plain(Action::PressBack), "the keyboard may hide what is left")),
            Decision::Done(reason) if acted && expects.as_ref().is_none_or(Vec::is_empty) => {
                return Ok(Next::Passed(reason));
            }
            Decision::Done(reason) => {
                carried_out = acted && quest.is_carried_out(&self.scorer, &mut judge)?;
                reason
            }
            Decision::Stuck(reason) => reason,
        };
        if carried_out {
            let searched = quest.trek.searched;
            let since = *quest.carried_out.get_or_insert(searched);
            if searched - since >= MOST_SEARCHED {
                return Ok(Next::Passed("everything was done, and what is expected did not come of it".to_owned()));
            }
        }
        let found = search(&Search {
            scorer: &self.scorer,
            typed: quest.trek.typed_on(screen),
            goal_destroys: holds_cue(&planning.cues.destroys, &quest.step.instruction),
            goal: &quest.goal,
            cues: &planning.cues,
            texts: &quest.destination.texts,
            ranked: &plan.ranked,
            trek: &quest.trek,
            memory: &quest.memory,
            any: quest.any.is_some().then_some(quest.destination.seed),
            screen,
        })?;
        match found {
            Some((choice, why)) => {
                quest.trek.searched += 1;
                Ok(Next::Act(choice, why))
            }
            None if quest.carried_out.is_some() => {
                Ok(Next::Passed("everything was done, and what is expected did not come of it".to_owned()))
            }
            None => Ok(Next::Blocked(missing)),
        }
    }

    /// Another app is in front, or the home screen. What the system asks belongs to the app.
    fn is_elsewhere(&self, seen: &Seen) -> bool {
        let front = seen.screen.foreground.as_deref().and_then(|name| name.split('/').next());
        let asks = matches!(seen.screen.kind, ScreenKind::Permission | ScreenKind::Dialog);
        !asks && front.is_some_and(|front| front != self.package.as_str())
    }
}

impl Quest<'_, '_> {
    /// The step without the texts in quotes that turned out to be labels: they are not to be typed.
    fn open_step(&self) -> Step {
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
    fn parameter(&self, plan: &Plan, screen: &Screen, weights: &Weights) -> Option<Ranked> {
        let unsent = |text: &str| {
            let typed = self.trek.past.iter().rposition(|stride| stride.typed.as_deref() == Some(text));
            typed.is_some_and(|at| self.trek.past[at..].iter().all(|stride| stride.typed.is_some() || stride.back))
        };
        let open = plan.ranked.iter().filter(|ranked| {
            ranked.candidate.offer.as_ref().is_some_and(|offer| {
                let typed = matches!(offer.place, Place::Field(_) | Place::Keypad);
                let held =
                    offer.place.widget().and_then(|id| screen.widgets.get(id)).map_or("", |field| field.value.as_str());
                typed && !self.memory.has_given_anywhere(&offer.parameter) && (held.is_empty() || !unsent(held))
            })
        });
        let open: Vec<&Ranked> = open.collect();
        // A place that is only offered for want of a better one waits.
        let best = open.iter().map(|ranked| ranked.score).fold(0.0, f32::max);
        let fitting =
            open.into_iter().filter(|ranked| ranked.score >= weights.nothing_fits.max(best - weights.form_spread));
        fitting.min_by_key(|ranked| ranked.candidate.widget).cloned()
    }

    /// A value drawn for the first empty field, where any will do.
    fn drawn(&self, screen: &Screen, cues: &GoalCues) -> Option<Ranked> {
        let any = self.any.as_ref()?;
        let search = |widget: &crate::hierarchy::Widget| is_search(&Control::of(widget), cues);
        let (field, text) = any.for_field(screen, search, &self.step.instruction, self.destination.seed)?;
        let action = Action::InputText { target: field.target(), text: InputText::Plain(text) };
        if self.memory.is_excluded(screen.fingerprint, &action) {
            return None;
        }
        let candidate = Candidate { action, widget: Some(field.id), text: field.label.clone(), offer: None };
        Some(Ranked { candidate, score: 0.5, terms: vec![("any value", 0.5)] })
    }

    /// What was typed may be a parameter's value, whoever chose it.
    fn give(&mut self, parameters: &[crate::agent::Parameter], choice: &Ranked, before: &Seen) {
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
    fn left_empty(&self, scorer: &crate::ranking::Scorer<'_>) -> Option<String> {
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

    /// A control that clears what was typed before takes it back: it may have to be typed again.
    fn take_back(&mut self, choice: &Ranked, before: &Seen, seen: &Seen) {
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
    fn is_carried_out(
        &self,
        scorer: &crate::ranking::Scorer<'_>,
        judge: &mut Judge<'_>,
    ) -> Result<bool, crate::inference::EmbedError> {
        let covered = covered_by(judge, &self.trek.past)?;
        let left =
            self.goal.items.iter().zip(&covered.items).any(|(item, share)| item.kind != ItemKind::Word && *share < 0.5);
        if left || covered.open(&self.goal) > MOST_OPEN {
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
        Ok(given && (sent || confirmed) && self.left_empty(scorer).is_none())
    }

    fn in_vain(&mut self, choice: &Ranked, before: &Seen) {
        self.trek.vain += 1;
        self.memory.exclude(before.screen.fingerprint, choice.candidate.action.clone());
        let stride = stride(&before.screen, &choice.candidate.action);
        if let Some((digest, key, ..)) = super::route::done_key(&stride.on, stride.control, stride.typed.as_deref()) {
            self.trek.barred.insert((digest, key));
        }
    }

    /// A reason with what is still missing.
    fn waiting_for(&self, reason: &str, seen: &Seen) -> String {
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

fn runners_up(plan: &Plan, choice: &Ranked) -> Vec<crate::domain::CandidateView> {
    let others = plan.ranked.iter().filter(|other| other.candidate.action != choice.candidate.action);
    others.take(RUNNERS_UP).map(Ranked::view).collect()
}
