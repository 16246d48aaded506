//! Goals on a live app: the planner's paths, with every skill of the agent around them.
//!
//! Parameters are given to the fields and keypads that ask for them; where the case says that any value will do, one is
//! drawn from the seed. What the planner sees a path to is walked. Where it sees none, or has finished although what the
//! case expects is not there, the way is searched for: the likeliest control first, then what is further down, then back.
//! The map learns from every action.

use super::any_value::ANY_VALUE;
use super::errands::{Errands, errands};
use super::items::Goal;
use super::outcome::{sender_of, was_not_taken};
use super::pursuit::{Planning, stride};
use super::quest::Quest;
use super::resolve::Next;
use super::stages::stages;
use crate::agent::StepOutcome;
use crate::agent::agent::{Agent, AgentError, Effect, blocked, failed, held, milliseconds, passed};
use crate::agent::expects::in_question;
use crate::agent::hints;
use crate::agent::operation::{Plan, plan};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, EventKind, Verdict, holds_cue};
use crate::ranking::Ranked;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An action that takes longer than this, with the look at what came of it, is slow.
const SLOW: Duration = Duration::from_secs(15);
/// How long what is expected may take to appear after the last action.
const LATE: Duration = Duration::from_secs(3);
/// Actions without effect in a row after which there is no way on.
const MOST_VAIN: u32 = 6;
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

/// How far working towards a goal has come.
struct Progress {
    /// Something was done.
    acted: bool,
    /// How long the last thing took, with the look at what came of it.
    took: Duration,
}

/// Whether something would be done for the second time.
enum Repetition {
    /// No, or that is of no account.
    None,
    /// Everything was done as often as it may be; this is how the goal ends.
    Over(StepOutcome),
    /// A new round begins.
    Round,
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
        let mut progress = Progress { acted: false, took: Duration::ZERO };
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            self.clear_the_way(step, &mut quest.memory, seen, recorder).await?;
            quest.compare(seen);
            quest.notice(&seen.screen, &planning.cues);
            // What was typed may be all that shows what is expected: it is to be sent first.
            let met = progress.acted && (destination.unmet)(seen).is_some_and(|unmet| unmet.is_empty());
            if met && !quest.trek.typed_on(&seen.screen) {
                return Ok(met_by(&quest));
            }
            if let Some(ended) = self.out_of_budget(&quest, &progress, seen) {
                return Ok(ended);
            }
            let thinking = Instant::now();
            let plan = plan(&self.background(), &quest.open_step(), &seen.screen, &quest.memory, Trust::Mention)?;
            let (choice, why) = match self.resolve(&mut quest, planning, &plan, progress.acted, seen)? {
                Next::Act(choice, why) => (choice, why),
                Next::Passed(reason) => return Ok(passed(reason)),
                Next::Blocked(_) if met && quest.outcome.first_sent().is_none() => {
                    return Ok(passed("everything expected is on the screen"));
                }
                Next::Blocked(reason) => {
                    // What is expected may come late.
                    if progress.acted && self.eyes.device.wait_for_change(&seen.hierarchy, LATE).await? {
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
                    let reason = "what is left to try has consequences that the case does not ask for";
                    return Ok(quest.stopped(reason, seen));
                }
                continue;
            }
            match repetition(&mut quest, &choice, seen) {
                Repetition::None => {}
                Repetition::Over(outcome) => return Ok(outcome),
                Repetition::Round => continue,
            }
            recorder.emit(EventKind::Decided {
                step: step.index,
                chosen: choice.view(),
                runners_up: runners_up(&plan, &choice),
                decide_ms: milliseconds(thinking),
                why: format!("{why}{}", in_question(&choice)),
                expects: self.expects_by(&planning.map, &seen.screen, &choice.candidate.action),
            });
            let ended = self.go_on_with(&choice, &mut quest, planning, &mut progress, seen, recorder).await?;
            if let Some(outcome) = ended {
                return Ok(outcome);
            }
        }
    }

    /// The outcome where the case's budget or the goal's own time is used up.
    fn out_of_budget(&self, quest: &Quest<'_, '_>, progress: &Progress, seen: &Seen) -> Option<StepOutcome> {
        let reason = self.spent().or_else(|| self.too_late(progress.took))?;
        Some(match quest.in_vain_after_all() {
            Some(done) => passed(format!("{done}; {reason}")),
            None => quest.stopped(&reason, seen),
        })
    }

    /// Does what was chosen and learns from it; the outcome where that ends the goal.
    async fn go_on_with(
        &mut self,
        choice: &Ranked,
        quest: &mut Quest<'_, '_>,
        planning: &mut Planning,
        progress: &mut Progress,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<StepOutcome>, AgentError> {
        let (before, action) = (seen.clone(), &choice.candidate.action);
        quest.trek.choose(&before.screen, action);
        let left = self.time_left();
        let effect = self.act(quest.step, choice, &before, seen, recorder).await?;
        progress.took = left.saturating_sub(self.time_left());
        progress.acted = true;
        self.budget.actions = self.budget.actions.saturating_sub(1);
        let mut crash = self.crashed(seen).await?;
        if crash.is_none() {
            crash = self.hung(&before, seen, recorder).await?;
        }
        if let Some(crash) = crash {
            return Ok(Some(failed(crash)));
        }
        quest.memory.note_trouble(&before.screen, action, &seen.screen);
        quest.memory.note_complaint(&before.screen, action, &seen.screen);
        if !matches!(effect, Effect::Impossible(_)) {
            self.note_outcome(quest, planning, action, &before, seen);
        }
        match effect {
            Effect::Impossible(reason) => return Ok(Some(blocked(reason))),
            Effect::Invalid => {
                quest.in_vain(choice, &before, seen);
                if quest.trek.vain >= MOST_VAIN {
                    let reason = format!("{MOST_VAIN} actions in a row had no effect");
                    return Ok(Some(quest.stopped(&reason, seen)));
                }
            }
            Effect::Valid => {
                self.took_effect(quest, choice, &before, seen);
                planning.map.learn(&before.screen, action, &seen.screen);
                planning.map.embed(self.scorer.embedder)?;
            }
        }
        Ok(None)
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

    /// A screen that never rests takes long to look at: what would end only after the budget is not begun.
    fn too_late(&self, took: Duration) -> Option<String> {
        let left = self.time_left();
        let told = || {
            format!("{} s are left of the case's budget, and the last action took {} s", left.as_secs(), took.as_secs())
        };
        (took >= SLOW && left < took).then(told)
    }
}

/// Everything expected is on the screen.
fn met_by(quest: &Quest<'_, '_>) -> StepOutcome {
    match quest.outcome.first_sent() {
        // What was done twice may look like what should have come of it once.
        Some(sent) => blocked(format!(
            "what is expected came only when everything was done again; after {:?} on \"{}\" it did not",
            sent.label, sent.title
        )),
        None => passed("everything expected is on the screen"),
    }
}

/// Whether what was chosen would do everything again, which is done once where nothing came of the first time.
fn repetition(quest: &mut Quest<'_, '_>, choice: &Ranked, seen: &Seen) -> Repetition {
    let label = choice.candidate.action.target().map_or("", |target| target.label.as_str());
    let again = quest.outcome.starts_over(&seen.screen.title, label);
    if !quest.expects_something(seen) || !(again || quest.outcome.has_waited()) {
        return Repetition::None;
    }
    let proven = quest.outcome.repeated().is_some() || (!again && quest.names_something());
    if let Some(done) = quest.in_vain_after_all().filter(|_| proven) {
        return Repetition::Over(passed(done));
    }
    tracing::debug!("a new round: {:?}", quest.outcome);
    quest.start_over(&seen.screen);
    quest.destination.again.store(true, Ordering::Relaxed);
    Repetition::Round
}

fn runners_up(plan: &Plan, choice: &Ranked) -> Vec<crate::domain::CandidateView> {
    let others = plan.ranked.iter().filter(|other| other.candidate.action != choice.candidate.action);
    others.take(RUNNERS_UP).map(Ranked::view).collect()
}
