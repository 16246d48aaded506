//! Algorithm 1, one step: until it is done, blocked or failed.

use super::agent::{Agent, AgentError, Effect, StepOutcome, blocked, failed, held, milliseconds, passed};
use super::check::is_check;
use super::confidence::Ground;
use super::course::Course;
use super::expects::by_terms;
use super::memory::StepMemory;
use super::patience::Patience;
use super::popups;
use super::step::Step;
use super::thought::{Moment, Resolve, Thought};
use super::trail::{is_one_of_a_kind, lead, leaves_no_doubt};
use super::vain;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, EventKind, InputText};
use crate::form::is_begun;
use crate::hierarchy::ScreenKind;
use crate::ranking::{Place, Ranked};
use std::time::Instant;

/// Invalid actions after which a step counts as blocked.
pub(super) const MOST_INVALID: usize = 6;
/// Runners-up kept for explanation.
const RUNNERS_UP: usize = 4;
/// Score of what is certain.
const SURE: f32 = 1.0;

/// A step that is worked on.
struct Attempt<'c> {
    step: &'c Step,
    next: Option<&'c Step>,
    course: Course<'c>,
    /// The screen on which the last thing was done for the step.
    last: Option<Seen>,
    /// Why there was no way on, before another one was tried.
    stuck: Option<String>,
}

/// Why nothing is to be done on a screen.
enum DeadEnd {
    /// There is no way on.
    Stuck(String),
    /// All there is to do was done; only what the case expects in the end is not there.
    Unmet(String),
}

impl<'a> Agent<'a> {
    /// Works on `step` until it is done, blocked or failed; whose fault a blocked one is, is not asked yet.
    pub(super) async fn attempt(
        &mut self,
        step: &Step,
        next: Option<&Step>,
        goal: &(dyn Fn(&Seen) -> Option<bool> + Sync),
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        if is_check(step, self.scorer.cues) {
            self.clear_the_way(step, &mut StepMemory::default(), seen, recorder).await?;
            return self.check(step, seen, recorder).await;
        }
        self.begin(step, memory, seen);
        let mut work = Attempt { step, next, course: self.course(step, next, seen)?, last: None, stuck: None };
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            if let Some(reason) = self.spent() {
                let reason = format!("{reason}{}", memory.waiting.told(step, self.patience));
                return Ok(blocked(self.waiting_for(&reason, step, memory, seen)));
            }
            self.clear_the_way(step, memory, seen, recorder).await?;
            // What is expected may be there only for a while.
            if work.last.is_some() && !(next.is_none() && goal(seen) == Some(true)) {
                self.outlast(step, memory, seen, recorder).await?;
            }
            work.course.forget_beyond(memory.deeds());
            let thinking = Instant::now();
            let reached = if next.is_none() && work.last.is_some() { goal(seen) } else { None };
            let moment = Moment { step, next, course: &work.course, last: work.last.as_ref(), seen, reached };
            let dead_end = match self.think(&moment, memory)? {
                Thought::Do(resolve) => {
                    let outcome = self.try_out(&resolve, thinking, &mut work, memory, seen, recorder).await?;
                    if let Some(outcome) = outcome {
                        return Ok(outcome);
                    }
                    continue;
                }
                Thought::Done(ground, reason) => return Ok(self.done(ground, reason, step, memory, seen)),
                Thought::Astray(_) if self.patience != Patience::NONE && memory.begin_anew() => {
                    self.begin_again(&mut work, seen)?;
                    continue;
                }
                Thought::Stuck(reason) | Thought::Astray(reason) => DeadEnd::Stuck(reason),
                Thought::Unmet(reason) => DeadEnd::Unmet(reason),
            };
            if let Some(outcome) = self.look_for_a_way(dead_end, &mut work, memory, seen, recorder).await? {
                return Ok(outcome);
            }
        }
    }

    /// Notes what is known when a step begins.
    fn begin(&self, step: &Step, memory: &mut StepMemory, seen: &Seen) {
        memory.counting = step.quantity.is_some();
        memory.waiting.begin(&seen.screen);
        memory.since = self.deeds.len();
        let typed = self.deeds.iter().filter_map(|deed| match &deed.action {
            Action::InputText { text: InputText::Plain(text), .. } => Some(text.clone()),
            _ => None,
        });
        memory.typed = typed.collect();
    }

    /// Begins the step again where it stands now.
    fn begin_again<'c>(&self, work: &mut Attempt<'c>, seen: &Seen) -> Result<(), AgentError>
    where
        'a: 'c,
    {
        work.course = self.course(work.step, work.next, seen)?;
        work.last = None;
        Ok(())
    }

    fn done(
        &mut self,
        ground: Ground,
        reason: String,
        step: &Step,
        memory: &mut StepMemory,
        seen: &Seen,
    ) -> StepOutcome {
        self.use_up(step, memory);
        let confidence = Some(self.signs(ground, step, memory, seen).confidence());
        StepOutcome { confidence, trouble: memory.trouble.take(), ..passed(reason) }
    }

    /// Waits, starts again or goes back where nothing is to be done; the outcome where none of them is left.
    async fn look_for_a_way<'c>(
        &mut self,
        dead_end: DeadEnd,
        work: &mut Attempt<'c>,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<StepOutcome>, AgentError>
    where
        'a: 'c,
    {
        let step = work.step;
        // What fits may still come; where it does not, the last resorts are tried.
        if memory.waiting.goes_on() {
            if self.wait_on(step, memory, seen, recorder).await? && memory.deeds() > 0 {
                // The screen has moved on by itself: what was done there is no part of the step any more.
                *memory = memory.anew();
                self.begin_again(work, seen)?;
            }
            return Ok(None);
        }
        if memory.second_chance() || self.start_again(step, memory, seen, recorder).await? {
            self.begin_again(work, seen)?;
            return Ok(None);
        }
        let reason = match dead_end {
            // What the case expects decides, as far as the step is sure.
            DeadEnd::Unmet(reason) => return Ok(Some(self.done(Ground::Exhausted, reason, step, memory, seen))),
            DeadEnd::Stuck(reason) => reason,
        };
        if self.backtrack(step, memory, seen, recorder).await? {
            work.stuck.get_or_insert(reason);
            self.begin_again(work, seen)?;
            return Ok(None);
        }
        let reason = work.stuck.take().unwrap_or(reason);
        Ok(Some(blocked(format!("{reason}{}", memory.waiting.told(step, self.patience)))))
    }

    /// Does what was thought of, unless nobody asked for it or it may be better to wait; the outcome where that ends the step.
    async fn try_out(
        &mut self,
        resolve: &Resolve,
        thinking: Instant,
        work: &mut Attempt<'_>,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<StepOutcome>, AgentError> {
        let Resolve { choice, plan, .. } = resolve;
        let (step, action) = (work.step, &choice.candidate.action);
        if self.has_unasked_consequence(step, action, &seen.screen) {
            memory.exclude(seen.screen.fingerprint, action.clone());
            return Ok(None);
        }
        if self.hesitate(step, choice, memory, seen, recorder).await? {
            return Ok(None);
        }
        let others = plan.ranked.iter().filter(|other| other.candidate.action != *action);
        recorder.emit(EventKind::Decided {
            step: step.index,
            chosen: choice.view(),
            runners_up: others.take(RUNNERS_UP).map(Ranked::view).collect(),
            decide_ms: milliseconds(thinking),
            why: by_terms(choice, &plan.ranked),
            expects: self.expects(action),
        });
        let before = seen.clone();
        let effect = self.act(step, choice, &before, seen, recorder).await?;
        self.budget.actions = self.budget.actions.saturating_sub(1);
        memory.tried += 1;
        if leaves_no_doubt(choice) {
            let window = (before.screen.kind == ScreenKind::Dialog).then(|| before.screen.title.clone());
            memory.certain.push((action.clone(), window));
        }
        memory.alike |= is_one_of_a_kind(choice, &plan.ranked, &before.screen);
        let mut crash = self.crashed(seen).await?;
        if crash.is_none() {
            crash = self.hung(&before, seen, recorder).await?;
        }
        if let Some(crash) = crash {
            return Ok(Some(failed(crash)));
        }
        memory.note_trouble(&before.screen, action, &seen.screen);
        memory.note_complaint(&before.screen, action, &seen.screen);
        if effect == Effect::Valid && self.come_back(step, action, &before, seen, recorder).await? {
            memory.exclude(before.screen.fingerprint, action.clone());
            memory.exclude(seen.screen.fingerprint, action.clone());
            return Ok(None);
        }
        Ok(match effect {
            Effect::Impossible(reason) => Some(blocked(reason)),
            Effect::Invalid => had_no_effect(resolve, work, memory, before, seen),
            Effect::Valid => self.had_its_effect(resolve, work, memory, before, seen),
        })
    }

    /// Notes what was done; the outcome where that ends the step.
    fn had_its_effect(
        &mut self,
        Resolve { choice, plan, outlook }: &Resolve,
        work: &mut Attempt<'_>,
        memory: &mut StepMemory,
        before: Seen,
        seen: &Seen,
    ) -> Option<StepOutcome> {
        let (step, action) = (work.step, &choice.candidate.action);
        let own = choice.candidate.offer.as_ref().filter(|offer| !matches!(offer.place, Place::Opener(_)));
        if let Some(offer) = own
            && !is_begun(&seen.screen, action)
        {
            let widget = offer.place.widget().and_then(|id| before.screen.widgets.get(id));
            memory.given.push((offer.parameter.clone(), widget.map(|widget| widget.resource_id.clone())));
        }
        if popups::only_dismisses(step, &before.screen, choice, self.scorer.cues) {
            memory.dismissed.push(action.clone());
        }
        memory.note(before.screen.fingerprint, action.clone());
        memory.scores.push((action.clone(), choice.score));
        memory.dropped |= self.drops_a_form(action, &before, seen);
        if !memory.looked(action) {
            let lead = lead(choice, &plan.ranked);
            memory.lead = Some(memory.lead.map_or(lead, |least| least.min(lead)));
            work.course.note(outlook, &before.screen, action, choice.score >= SURE);
        }
        self.note_deed(step.index, action.clone(), held(choice, &before), &before, seen);
        if popups::has_turned_down(step, &before.screen, choice, self.scorer.cues) {
            return Some(passed("the window it is about was refused"));
        }
        work.last = Some(before);
        None
    }
}

/// Notes that nothing came of what was done; the outcome where that happened too often.
fn had_no_effect(
    Resolve { choice, outlook, .. }: &Resolve,
    work: &mut Attempt<'_>,
    memory: &mut StepMemory,
    before: Seen,
    seen: &Seen,
) -> Option<StepOutcome> {
    let action = &choice.candidate.action;
    if before.differs_in_picture(seen) {
        memory.seen_only.push(action.clone());
    }
    memory.exclude(before.screen.fingerprint, action.clone());
    if vain::is_made(&before.screen, action) {
        // The choice was made already: touching it had nothing to do.
        memory.note(before.screen.fingerprint, action.clone());
        memory.scores.push((action.clone(), choice.score));
        work.course.note(outlook, &before.screen, action, choice.score >= SURE);
        work.last = Some(before);
        return None;
    }
    let too_many = memory.invalid_count() >= MOST_INVALID;
    too_many.then(|| blocked(format!("{MOST_INVALID} actions in a row had no effect")))
}
