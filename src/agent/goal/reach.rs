//! Goals on a live app: the planner's paths, with every skill of the agent around them.
//!
//! Parameters are given to the fields and keypads that ask for them; where the case says that any value will do, one is
//! drawn from the seed. What the planner sees a path to is walked. Where it sees none, or has finished although what the
//! case expects is not there, the way is searched for: the likeliest control first, then what is further down, then back.
//! The map learns from every action.

use super::any_value::ANY_VALUE;
use super::coverage::{Judge, holds};
use super::decision::{Decision, decide};
use super::errands::{Errands, errands};
use super::items::{Goal, ItemKind};
use super::offers::{Offer, confirmation, wants_choice};
use super::outcome::{sender_of, was_not_taken};
use super::pursuit::{Planning, as_choice, plain, stride};
use super::quest::Quest;
use super::search::sender;
use super::stages::stages;
use super::wording::{speaks_of, twin};
use crate::agent::StepOutcome;
use crate::agent::agent::{Agent, AgentError, Effect, blocked, failed, held, milliseconds, passed};
use crate::agent::expects::in_question;
use crate::agent::hints;
use crate::agent::operation::{Plan, plan};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::app_map::View;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, EventKind, Verdict, holds_cue};
use crate::hierarchy::{Role, ScreenKind};
use crate::ranking::Ranked;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Waits in a row for a screen that is still coming.
const MOST_WAITS: u32 = 8;
/// An action that takes longer than this, with the look at what came of it, is slow.
const SLOW: Duration = Duration::from_secs(15);
/// Waits in a row for what was touched and is off since.
const MOST_BUSY: u32 = 3;
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
/// What is said where the goal was carried out and what is expected is not there.
const IN_VAIN: &str = "all that the goal speaks of was met, and what is expected did not come of it; it is not sure that the goal was \
                       carried out";
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
    /// Set when everything was done a second time, after the first had come to nothing: what is there then proves little.
    pub again: &'a AtomicBool,
}

/// What to do next.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum Next {
    Act(Ranked, &'static str),
    Passed(String),
    Blocked(String),
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
            return self.reach_one(step, planning, destination, false, seen, recorder).await;
        };
        // What the case expects holds in the end, and says nothing about the way there.
        let nothing = |_: &Seen| None;
        for stage in before {
            let (seed, again) = (destination.seed, destination.again);
            let on_the_way = Destination { unmet: &nothing, texts: Vec::new(), seed, again };
            let outcome = self.reach_stage(stage, planning, &on_the_way, seen, recorder).await?;
            if outcome.verdict != Verdict::Passed {
                return Ok(outcome);
            }
        }
        self.reach_stage(last, planning, destination, seen, recorder).await
    }

    /// Gathers what a stage lists, thing by thing, before the rest of it is worked towards.
    async fn reach_stage(
        &mut self,
        stage: &Step,
        planning: &mut Planning,
        destination: &Destination<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let Some(Errands { steps, rest }) = errands(stage, &planning.cues) else {
            return self.reach_one(stage, planning, destination, false, seen, recorder).await;
        };
        let nothing = |_: &Seen| None;
        for (at, errand) in steps.iter().enumerate() {
            let outcome = self.work_on(errand, steps.get(at + 1), &nothing, seen, recorder).await?;
            if outcome.verdict != Verdict::Passed {
                let reason = format!("{:?}: {}", errand.instruction, outcome.reason);
                return Ok(StepOutcome { reason, ..outcome });
            }
        }
        match rest {
            Some(rest) => self.reach_one(&rest, planning, destination, true, seen, recorder).await,
            None => Ok(passed("everything the goal lists was gathered")),
        }
    }

    async fn reach_one(
        &mut self,
        step: &Step,
        planning: &mut Planning,
        destination: &Destination<'_>,
        gathered: bool,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let embedder = self.scorer.embedder;
        let said = hints::with_advice(embedder, step)?;
        let goal = Goal::read(&said, &step.named, &planning.cues, &planning.map, embedder)?;
        let any = Some(ANY_VALUE.get()).filter(|any| any.is_meant(&step.instruction));
        let mut quest = Quest::new(step, goal, destination, any, gathered);
        quest.trek.arrive(&seen.screen);
        let mut acted = false;
        // How long the last thing took, with the look at what came of it.
        let mut took = Duration::ZERO;
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            self.clear_the_way(step, &mut quest.memory, seen, recorder).await?;
            quest.compare(seen);
            quest.notice(&seen.screen, &planning.cues);
            // What was typed may be all that shows what is expected: it is to be sent first.
            let met = acted && (destination.unmet)(seen).is_some_and(|unmet| unmet.is_empty());
            if met && !quest.trek.typed_on(&seen.screen) {
                return Ok(match quest.outcome.first_sent() {
                    // What was done twice may look like what should have come of it once.
                    Some(sent) => blocked(format!(
                        "what is expected came only when everything was done again; after {:?} on \"{}\" it did not",
                        sent.label, sent.title
                    )),
                    None => passed("everything expected is on the screen"),
                });
            }
            if let Some(reason) = self.spent().or_else(|| self.too_late(took)) {
                return Ok(match quest.in_vain_after_all() {
                    Some(done) => passed(format!("{done}; {reason}")),
                    None => quest.stopped(&reason, seen),
                });
            }
            let thinking = Instant::now();
            let plan = plan(&self.background(), &quest.open_step(), &seen.screen, &quest.memory, Trust::Mention)?;
            let next = self.resolve(&mut quest, planning, &plan, acted, seen)?;
            let (choice, why) = match next {
                Next::Act(choice, why) => (choice, why),
                Next::Passed(reason) => return Ok(passed(reason)),
                Next::Blocked(_) if met && quest.outcome.first_sent().is_none() => {
                    return Ok(passed("everything expected is on the screen"));
                }
                Next::Blocked(reason) => {
                    // What is expected may come late.
                    if acted && self.eyes.device.wait_for_change(&seen.hierarchy, LATE).await? {
                        *seen = self.eyes.look(recorder).await?;
                        quest.trek.vain += 1;
                        if quest.trek.vain < MOST_VAIN {
                            continue;
                        }
                    }
                    return Ok(quest.stopped(&reason, seen));
                }
            };
            if self.has_unasked_consequence(step, &choice.candidate.action, &seen.screen) {
                quest.trek.choose(&seen.screen, &choice.candidate.action);
                quest.in_vain(&choice, seen, seen);
                if quest.trek.vain >= MOST_VAIN {
                    return Ok(
                        quest.stopped("what is left to try has consequences that the case does not ask for", seen)
                    );
                }
                continue;
            }
            let label = choice.candidate.action.target().map_or("", |target| target.label.as_str());
            let again = quest.outcome.starts_over(&seen.screen.title, label);
            if quest.expects_something(seen) && (again || quest.outcome.has_waited()) {
                let proven = quest.outcome.repeated().is_some() || (!again && quest.names_something());
                if let Some(done) = quest.in_vain_after_all().filter(|_| proven) {
                    return Ok(passed(done));
                }
                tracing::debug!("a new round: {:?}", quest.outcome);
                quest.start_over(&seen.screen);
                destination.again.store(true, Ordering::Relaxed);
                continue;
            }
            recorder.emit(EventKind::Decided {
                step: step.index,
                chosen: choice.view(),
                runners_up: runners_up(&plan, &choice),
                decide_ms: milliseconds(thinking),
                why: format!("{why}{}", in_question(&choice)),
                expects: self.expects_by(&planning.map, &seen.screen, &choice.candidate.action),
            });
            let before = seen.clone();
            quest.trek.choose(&before.screen, &choice.candidate.action);
            let left = self.time_left();
            let effect = self.act(step, &choice, &before, seen, recorder).await?;
            took = left.saturating_sub(self.time_left());
            acted = true;
            self.budget.actions = self.budget.actions.saturating_sub(1);
            let mut crash = self.crashed(seen).await?;
            if crash.is_none() {
                crash = self.hung(&before, seen, recorder).await?;
            }
            if let Some(crash) = crash {
                return Ok(failed(crash));
            }
            quest.memory.note_trouble(&before.screen, &choice.candidate.action, &seen.screen);
            quest.memory.note_complaint(&before.screen, &choice.candidate.action, &seen.screen);
            if !matches!(effect, Effect::Impossible(_)) {
                self.note_outcome(&mut quest, planning, &choice.candidate.action, &before, seen);
            }
            match effect {
                Effect::Impossible(reason) => return Ok(blocked(reason)),
                Effect::Invalid => {
                    quest.in_vain(&choice, &before, seen);
                    if quest.trek.vain >= MOST_VAIN {
                        let reason = format!("{MOST_VAIN} actions in a row had no effect");
                        return Ok(quest.stopped(&reason, seen));
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

    /// Notes whether a deed carried the goal out.
    fn note_outcome(
        &self,
        quest: &mut Quest<'_, '_>,
        planning: &Planning,
        action: &Action,
        before: &Seen,
        seen: &Seen,
    ) {
        if matches!(action, Action::Wait { .. } | Action::Scroll { .. }) {
            return;
        }
        let deed = stride(&before.screen, action);
        let cues = self.scorer.cues;
        let (sends, completes) = (&planning.cues.sends, &planning.cues.completes);
        // Where nothing is named that could be dealt with, the control itself must leave no doubt.
        let named = quest.names_something();
        // What only leads to the next page carries nothing out.
        let sent = sender_of(&deed, |label| {
            !cues.is_advance(label)
                && (holds_cue(completes, label) || (named && (cues.is_submit(label) || holds_cue(sends, label))))
        });
        let sent = sent.filter(|sent| !was_not_taken(sent, &before.screen, &seen.screen));
        quest.trek.past.push(deed.clone());
        let ready = sent.is_some() && quest.is_ready(&self.scorer, planning, self.parameters);
        quest.trek.past.pop();
        if let Some(sent) = &sent {
            tracing::debug!("{:?} on \"{}\" carries it out: {ready}", sent.label, sent.title);
        }
        // A form that asks for more was not sent.
        let refused = quest.memory.complained(&seen.screen).is_some();
        quest.outcome.note(&deed, sent.filter(|_| ready && !refused));
    }

    /// Notes what was done.
    fn took_effect(&mut self, quest: &mut Quest<'_, '_>, choice: &Ranked, before: &Seen, seen: &Seen) {
        let action = &choice.candidate.action;
        let waited = matches!(action, Action::Wait { .. });
        quest.trek.waits = if waited { quest.trek.waits + 1 } else { 0 };
        quest.trek.vain = 0;
        if matches!(action, Action::Scroll { .. }) && before.screen.digest == seen.screen.digest {
            quest.trek.exhaust(&before.screen);
        }
        quest.give(self.parameters, choice, before);
        quest.take_back(choice, before, seen);
        quest.release(choice, before, seen);
        if *action == Action::PressBack && self.is_elsewhere(seen) {
            quest.trek.stay(&before.screen);
        }
        quest.memory.note(before.screen.fingerprint, action.clone());
        if waited {
            return;
        }
        self.note_deed(quest.step.index, action.clone(), held(choice, before), before, seen);
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
        if quest.is_astray(screen, &planning.cues) {
            return Ok(Next::Act(plain(Action::PressBack), "this is the page of another thing than the goal names"));
        }
        if quest.trek.waits < MOST_BUSY && quest.is_busy(screen) {
            return Ok(Next::Act(plain(Action::Wait { ms: WAIT_MS }), "what was touched is being carried out"));
        }
        if let Some(said) = quest.placed(self.parameters, screen) {
            return Ok(Next::Act(said, "the goal's own words say that a value belongs here"));
        }
        if let Some(given) = quest.parameter(plan, screen, self.scorer.weights) {
            return Ok(Next::Act(given, "a parameter of the case belongs here"));
        }
        if let Some(drawn) = quest.drawn(screen, &planning.cues) {
            return Ok(Next::Act(drawn, "the case says that any value will do; this one is drawn from the seed"));
        }
        if let Some(set) = quest.set(self, screen, &planning.cues) {
            return Ok(Next::Act(set, "it sets what the goal names"));
        }
        let cued = |action: &Action| {
            self.skills.get(action.skill()).is_some_and(|skill| skill.is_cued(&quest.step.instruction))
        };
        let special = |action: &Action| matches!(action, Action::LongPress { .. } | Action::SwipeSelector { .. });
        let first = plan.ranked.first().filter(|first| {
            let action = &first.candidate.action;
            let named = |label: &str| {
                quest.goal.items.iter().any(|item| item.kind != ItemKind::Word && holds(item, label, &planning.cues))
            };
            let held = !matches!(action, Action::LongPress { .. })
                || !quest.names_something()
                || action.target().is_some_and(|target| named(&target.label));
            special(action) && held && cued(action) && first.score >= self.scorer.weights.clearly_meant
        });
        if let Some(first) = first {
            return Ok(Next::Act(first.clone(), "the goal asks for it"));
        }
        let view = View::of(screen);
        let mut judge = Judge::new(&quest.goal, &planning.map, self.scorer.embedder, &planning.cues, &planning.tuning);
        let expects = (quest.destination.unmet)(seen);
        let mut carried_out = false;
        let kept = quest.kept(&view, &planning.cues);
        let barred = quest.barred(self, screen, &view, &planning.cues, &kept)?;
        let decision = decide(&mut judge, &quest.trek.past, &view, &barred)?;
        tracing::debug!("\"{}\": {decision:?}, {kept:?} stay as they are", screen.title);
        let touched = |offer: &Offer| view.controls.get(offer.control).filter(|_| offer.typed.is_none());
        let chooses = |offer: &Offer| {
            let bears = |label: &str| {
                quest.goal.items.iter().any(|item| item.kind != ItemKind::Word && holds(item, label, &planning.cues))
            };
            touched(offer).is_some_and(|control| control.role != Role::Field && bears(&control.label))
        };
        let confirms = confirmation(&mut judge, &view)?;
        let unsaid = match &decision {
            Decision::Do(offer, worth, _) => {
                *worth < CLEAR
                    && offer.lead.is_none()
                    && confirms != Some(offer.control)
                    && touched(offer).is_some_and(|control| !speaks_of(&quest.goal, &planning.cues, control))
            }
            _ => false,
        };
        let carries_out = |offer: &Offer| {
            confirms == Some(offer.control)
                && touched(offer).is_some_and(|control| {
                    let cues = self.scorer.cues;
                    let ends = holds_cue(&planning.cues.completes, &control.label) || cues.is_submit(&control.label);
                    ends && !cues.is_advance(&control.label)
                })
        };
        if let Decision::Do(offer, ..) = &decision
            && carries_out(offer)
            && let Some(list) = self.unopened(quest, planning, plan, screen)
        {
            return Ok(Next::Act(list, "what is still open may be chosen here"));
        }
        if let Decision::Do(offer, worth, _) = &decision
            && *worth < CLEAR
            && quest.any.is_none()
            && quest.trek.may_leave(screen)
            && touched(offer).is_some_and(|control| {
                control.checked == Some(false) && !speaks_of(&quest.goal, &planning.cues, control)
            })
            && view.controls.iter().any(|control| control.checked == Some(true))
            && confirms != Some(offer.control)
            && wants_choice(&view, &planning.cues)
        {
            return Ok(Next::Act(plain(Action::PressBack), "the choice that is made here is none the goal speaks of"));
        }
        // What was typed is sent, unless there is a clear way on.
        let vague = !matches!(&decision, Decision::Do(offer, worth, _) if offer.typed.is_some() || *worth >= CLEAR || chooses(offer));
        if vague
            && quest.trek.typed_on(screen)
            && let Some(sender) = sender(&plan.ranked, screen, &planning.cues, &quest.trek)
        {
            return Ok(Next::Act(sender, "what was typed is to be sent"));
        }
        let missing = match decision {
            // What the planner knows of a control that says no word of the goal is what the search knows better.
            Decision::Do(..) if unsaid => "nothing on the screen speaks of the goal".to_owned(),
            Decision::Do(offer, worth, why) => {
                match as_choice(screen, &twin(&quest.goal, &planning.cues, &view, offer), worth, why) {
                    Some(choice) => return Ok(Next::Act(choice, why)),
                    None => "the chosen control is gone".to_owned(),
                }
            }
            Decision::Back => return Ok(Next::Act(plain(Action::PressBack), "the keyboard may hide what is left")),
            Decision::Done(reason)
                if acted && expects.as_ref().is_none_or(Vec::is_empty) && quest.outcome.first_sent().is_none() =>
            {
                return Ok(Next::Passed(reason));
            }
            Decision::Done(reason) => {
                carried_out = acted && quest.is_carried_out(&self.scorer, &mut judge)?;
                reason
            }
            Decision::Stuck(reason) => reason,
        };
        let sent = quest.outcome.is_carried_out() && quest.names_something();
        if carried_out || (sent && quest.expects_something(seen)) {
            let searched = quest.trek.searched;
            let since = *quest.carried_out.get_or_insert(searched);
            if searched - since >= MOST_SEARCHED {
                return Ok(done_in_vain(quest));
            }
        }
        let mut found = self.search_on(quest, planning, plan, screen)?;
        if found.is_none() && !quest.trek.thorough {
            quest.trek.thorough = true;
            found = self.search_on(quest, planning, plan, screen)?;
        }
        match found {
            Some((choice, why)) => {
                quest.trek.searched += 1;
                Ok(Next::Act(choice, why))
            }
            None if quest.carried_out.is_some() => Ok(done_in_vain(quest)),
            None => Ok(Next::Blocked(missing)),
        }
    }

    /// A screen that never rests takes long to look at: what would end only after the budget is not begun.
    fn too_late(&self, took: Duration) -> Option<String> {
        let left = self.time_left();
        let told = || {
            format!("{} s are left of the case's budget, and the last action took {} s", left.as_secs(), took.as_secs())
        };
        (took >= SLOW && left < took).then(told)
    }

    /// Another app is in front, or the home screen. What the system asks belongs to the app.
    fn is_elsewhere(&self, seen: &Seen) -> bool {
        let front = seen.screen.foreground.as_deref().and_then(|name| name.split('/').next());
        let asks = matches!(seen.screen.kind, ScreenKind::Permission | ScreenKind::Dialog);
        !asks && front.is_some_and(|front| front != self.package.as_str())
    }
}

/// The goal seems to be done, and what is expected did not come of it: what the case expects decides only where something
/// carried out all that the goal names. That nothing of the goal is left to be met proves little.
fn done_in_vain(quest: &Quest<'_, '_>) -> Next {
    quest.in_vain_after_all().map_or_else(|| Next::Blocked(IN_VAIN.to_owned()), Next::Passed)
}

fn runners_up(plan: &Plan, choice: &Ranked) -> Vec<crate::domain::CandidateView> {
    let others = plan.ranked.iter().filter(|other| other.candidate.action != choice.candidate.action);
    others.take(RUNNERS_UP).map(Ranked::view).collect()
}
