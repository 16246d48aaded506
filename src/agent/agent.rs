//! Algorithm 1, one step at a time.

use super::check::is_check;
use super::confidence::{Confidence, Ground};
use super::expects::by_terms;
use super::goal::Planning;
use super::memory::StepMemory;
use super::operation::Background;
use super::patience::{Lull, Patience};
use super::popups;
use super::step::Step;
use super::thought::{Moment, Resolve, Thought};
use super::trail::{Trail, is_one_of_a_kind, lead, leaves_no_doubt};
use super::vain;
use super::validity::{Finding, judge};
use crate::case::Preferences;
use crate::device::DeviceError;
use crate::device::{Eyes, Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind, Expectation, InputText, PackageName, Verdict};
use crate::form::Parameter;
use crate::form::is_begun;
use crate::hierarchy::{Fingerprint, Role, Screen, ScreenKind};
use crate::inference::EmbedError;
use crate::lexicon::{Lexicon, unasked};
use crate::ranking::{Place, Ranked, Scorer};
use crate::skill::{Library, PerformError, Validity};
use std::time::{Duration, Instant};

/// How much a case may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Actions, invalid ones included.
    pub actions: u32,
    /// Wall time.
    pub time: Duration,
}

/// What became of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// It had its effect.
    Valid,
    /// It had none, or the wrong one.
    Invalid,
    /// It cannot be done on any screen.
    Impossible(String),
}

/// How a step ended, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// Passed, failed or blocked.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// How sure it is that a step that passed was carried out; `None` where that is no question.
    pub confidence: Option<Confidence>,
    /// What the app itself said it could not do, the step having passed all the same.
    pub trouble: Option<String>,
    /// It failed for what is not to be seen, which may as well be for want of what was to be done before.
    pub unseen: bool,
    /// How long nothing came of what another actor had done, where the step waited for it as long as it may take.
    pub unanswered: Option<Duration>,
    /// What the step began with and what it found, by which later steps bear out earlier ones.
    pub trail: Trail,
}

impl StepOutcome {
    /// This verdict, for this reason.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            confidence: None,
            trouble: None,
            unseen: false,
            unanswered: None,
            trail: Trail::default(),
        }
    }
}

/// A valid action, with what a script needs to repeat it.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// The step, from 1.
    pub step: usize,
    /// The action.
    pub action: Action,
    /// Characters the field held before.
    pub held: usize,
    /// The screen it was chosen on.
    pub before: Fingerprint,
    /// Its title.
    pub screen: String,
    /// The screen it led to.
    pub after: Fingerprint,
    /// What was waited for before it.
    pub lull: Lull,
    /// What was checked before it, and held.
    pub checks: Vec<Expectation>,
}

/// Infrastructure failed while the agent worked.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The device or adb.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The model.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// Works on the steps of one case on one device.
pub struct Agent<'a> {
    /// Its eyes.
    pub eyes: Eyes<'a>,
    /// Its judgement.
    pub scorer: Scorer<'a>,
    /// The skills.
    pub skills: &'a Library,
    /// Words, by which consequences are known.
    pub lexicon: &'a Lexicon,
    /// What is known of the app, and how steps and goals are read.
    pub planning: &'a Planning,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// What the case is about, in one line.
    pub title: &'a str,
    /// What to answer to questions that no step speaks of.
    pub preferences: &'a Preferences,
    /// The app under test.
    pub package: PackageName,
    /// What is left of the case's budget.
    pub budget: Budget,
    /// How long it waits for what only time or others bring.
    pub patience: Patience,
    /// What was waited for since the last thing that was done.
    pub lull: Lull,
    /// When the case began, on the device's clock.
    pub started: Duration,
    /// What was checked since the last thing that was done, and held.
    pub checked: Vec<Expectation>,
    /// What was done so far, valid actions only.
    pub deeds: Vec<Deed>,
    /// Names of the parameters used up by earlier steps.
    pub used: Vec<String>,
    /// Fires when the run should end.
    pub cancel: tokio_util::sync::CancellationToken,
}

/// Invalid actions after which a step counts as blocked.
pub(super) const MOST_INVALID: usize = 6;
/// Runners-up kept for explanation.
const RUNNERS_UP: usize = 4;
/// Score of what is certain.
const SURE: f32 = 1.0;

impl Agent<'_> {
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
        memory.counting = step.quantity.is_some();
        memory.waiting.begin(&seen.screen);
        memory.since = self.deeds.len();
        let typed = |deed: &Deed| match &deed.action {
            Action::InputText { text: InputText::Plain(text), .. } => Some(text.clone()),
            _ => None,
        };
        memory.typed = self.deeds.iter().filter_map(typed).collect();
        let mut course = self.course(step, next, seen)?;
        let mut last: Option<Seen> = None;
        // Why there was no way on, before another one was tried.
        let mut stuck: Option<String> = None;
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
            if last.is_some() && !(next.is_none() && goal(seen) == Some(true)) {
                self.outlast(step, memory, seen, recorder).await?;
            }
            course.forget_beyond(memory.deeds());
            let thinking = Instant::now();
            let reached = if next.is_none() && last.is_some() { goal(seen) } else { None };
            let moment = Moment { step, next, course: &course, last: last.as_ref(), seen, reached };
            let thought = self.think(&moment, memory)?;
            let unmet = matches!(thought, Thought::Unmet(_));
            let Resolve { choice, plan, outlook } = match thought {
                Thought::Done(ground, reason) => {
                    self.use_up(step, memory);
                    let confidence = Some(self.signs(ground, step, memory, seen).confidence());
                    return Ok(StepOutcome { confidence, trouble: memory.trouble.take(), ..passed(reason) });
                }
                Thought::Astray(_) if self.patience != Patience::NONE && memory.begin_anew() => {
                    course = self.course(step, next, seen)?;
                    last = None;
                    continue;
                }
                Thought::Stuck(reason) | Thought::Astray(reason) | Thought::Unmet(reason) => {
                    // What fits may still come; where it does not, the last resorts are tried.
                    if memory.waiting.goes_on() {
                        if self.wait_on(step, memory, seen, recorder).await? && memory.deeds() > 0 {
                            // The screen has moved on by itself: what was done there is no part of the step any more.
                            *memory = memory.anew();
                            course = self.course(step, next, seen)?;
                            last = None;
                        }
                        continue;
                    }
                    if memory.second_chance() || self.start_again(step, memory, seen, recorder).await? {
                        course = self.course(step, next, seen)?;
                        last = None;
                        continue;
                    }
                    if !unmet && self.backtrack(step, memory, seen, recorder).await? {
                        stuck.get_or_insert(reason);
                        course = self.course(step, next, seen)?;
                        last = None;
                        continue;
                    }
                    if unmet {
                        // All there is to do was done; what the case expects decides, as far as the step is sure.
                        self.use_up(step, memory);
                        let confidence = Some(self.signs(Ground::Exhausted, step, memory, seen).confidence());
                        return Ok(StepOutcome { confidence, trouble: memory.trouble.take(), ..passed(reason) });
                    }
                    let reason = stuck.unwrap_or(reason);
                    return Ok(blocked(format!("{reason}{}", memory.waiting.told(step, self.patience))));
                }
                Thought::Do(resolve) => *resolve,
            };
            if self.has_unasked_consequence(step, &choice.candidate.action, &seen.screen) {
                memory.exclude(seen.screen.fingerprint, choice.candidate.action.clone());
                continue;
            }
            if self.hesitate(step, &choice, memory, seen, recorder).await? {
                continue;
            }
            recorder.emit(EventKind::Decided {
                step: step.index,
                chosen: choice.view(),
                runners_up: plan
                    .ranked
                    .iter()
                    .filter(|other| other.candidate.action != choice.candidate.action)
                    .take(RUNNERS_UP)
                    .map(Ranked::view)
                    .collect(),
                decide_ms: milliseconds(thinking),
                why: by_terms(&choice, &plan.ranked),
                expects: self.expects(&choice.candidate.action),
            });
            let before = seen.clone();
            let effect = self.act(step, &choice, &before, seen, recorder).await?;
            self.budget.actions = self.budget.actions.saturating_sub(1);
            memory.tried += 1;
            if leaves_no_doubt(&choice) {
                let window = (before.screen.kind == ScreenKind::Dialog).then(|| before.screen.title.clone());
                memory.certain.push((choice.candidate.action.clone(), window));
            }
            memory.alike |= is_one_of_a_kind(&choice, &plan.ranked, &before.screen);
            let mut crash = self.crashed(seen).await?;
            if crash.is_none() {
                crash = self.hung(&before, seen, recorder).await?;
            }
            if let Some(crash) = crash {
                return Ok(failed(crash));
            }
            memory.note_trouble(&before.screen, &choice.candidate.action, &seen.screen);
            memory.note_complaint(&before.screen, &choice.candidate.action, &seen.screen);
            let action = choice.candidate.action.clone();
            if effect == Effect::Valid && self.come_back(step, &action, &before, seen, recorder).await? {
                memory.exclude(before.screen.fingerprint, action.clone());
                memory.exclude(seen.screen.fingerprint, action);
                continue;
            }
            if let Effect::Impossible(reason) = effect {
                return Ok(blocked(reason));
            }
            if effect == Effect::Invalid {
                if before.differs_in_picture(seen) {
                    memory.seen_only.push(action.clone());
                }
                memory.exclude(before.screen.fingerprint, action.clone());
                if vain::is_made(&before.screen, &action) {
                    // The choice was made already: touching it had nothing to do.
                    memory.note(before.screen.fingerprint, action.clone());
                    memory.scores.push((action.clone(), choice.score));
                    course.note(&outlook, &before.screen, &action, choice.score >= SURE);
                    last = Some(before);
                    continue;
                }
                if memory.invalid_count() >= MOST_INVALID {
                    return Ok(blocked(format!("{MOST_INVALID} actions in a row had no effect")));
                }
                continue;
            }
            if let Some(offer) =
                choice.candidate.offer.as_ref().filter(|offer| !matches!(offer.place, Place::Opener(_)))
                && !is_begun(&seen.screen, &action)
            {
                let widget = offer.place.widget().and_then(|id| before.screen.widgets.get(id));
                memory.given.push((offer.parameter.clone(), widget.map(|widget| widget.resource_id.clone())));
            }
            if popups::only_dismisses(step, &before.screen, &choice, self.scorer.cues) {
                memory.dismissed.push(action.clone());
            }
            memory.note(before.screen.fingerprint, action.clone());
            memory.scores.push((action.clone(), choice.score));
            memory.dropped |= self.drops_a_form(&action, &before, seen);
            if !memory.looked(&action) {
                let lead = lead(&choice, &plan.ranked);
                memory.lead = Some(memory.lead.map_or(lead, |least| least.min(lead)));
                course.note(&outlook, &before.screen, &action, choice.score >= SURE);
            }
            self.note_deed(step.index, action.clone(), held(&choice, &before), &before, seen);
            if popups::has_turned_down(step, &before.screen, &choice, self.scorer.cues) {
                return Ok(passed("the window it is about was refused"));
            }
            last = Some(before);
        }
    }

    /// Leaves a window on which nothing fits the step.
    pub(super) fn leave(&self, screen: &Screen, memory: &StepMemory) -> Option<Ranked> {
        let out = popups::touching(popups::way_out(screen, self.scorer.cues)?, popups::LEFT);
        (!memory.is_excluded(screen.fingerprint, &out.candidate.action)).then_some(out)
    }

    /// True if the action would send, pay, delete or call something, and neither the step nor the case's title asks for that.
    pub(super) fn has_unasked_consequence(&self, step: &Step, action: &Action, screen: &Screen) -> bool {
        let Action::Click { target } = action else { return false };
        let languages = self.lexicon.languages_of(screen.widgets.iter().map(|widget| widget.label.as_str()));
        let asked = [step.original.as_str(), step.instruction.as_str(), self.title];
        unasked(self.lexicon, &target.label, languages, &asked).is_some()
    }

    pub(super) fn background(&self) -> Background<'_> {
        Background { scorer: &self.scorer, parameters: self.parameters, used: &self.used, package: &self.package }
    }

    /// Notes a valid action that was done on `before` and led to `after`, with what was waited for before it. `held` is how many
    /// characters its field held.
    pub(super) fn note_deed(&mut self, step: usize, action: Action, held: usize, before: &Seen, after: &Seen) {
        self.deeds.push(Deed {
            step,
            action,
            held,
            before: before.screen.fingerprint,
            screen: before.screen.title.clone(),
            after: after.screen.fingerprint,
            lull: std::mem::take(&mut self.lull),
            checks: std::mem::take(&mut self.checked),
        });
    }

    /// What a step has used is not offered again unless a step mentions it.
    fn use_up(&mut self, step: &Step, memory: &StepMemory) {
        let given = memory.given.iter().map(|(name, _)| name);
        for name in step.mentions.iter().chain(given) {
            if !self.used.contains(name) {
                self.used.push(name.clone());
            }
        }
    }

    pub(super) async fn act(
        &self,
        step: &Step,
        choice: &Ranked,
        before: &Seen,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Effect, AgentError> {
        let action = &choice.candidate.action;
        let held = held(choice, before);
        recorder.about_to_act(&before.screen);
        let acting = Instant::now();
        let performed = self.skills.perform(self.eyes.device, action, held, &before.hierarchy).await;
        let act_ms = milliseconds(acting);
        let settling = Instant::now();
        let adb = performed.as_ref().map(Clone::clone).unwrap_or_default();
        let (effect, reason) = match performed {
            Ok(_) => {
                *seen = self.eyes.look(recorder).await?;
                let rule = self.skills.get(action.skill()).map_or(Validity::ScreenChanges, |skill| skill.validity);
                let mut finding = judge(rule, action, before, seen, self.package.as_str());
                let slow = matches!(
                    action,
                    Action::Click { .. } | Action::LongPress { .. } | Action::InputByNumericKeyboard { .. }
                );
                if !finding.valid && rule == Validity::ScreenChanges && slow {
                    // Slow apps answer late: an action is invalid only when nothing happened for a while.
                    let patience = Duration::from_millis(800);
                    if self.eyes.device.wait_for_change(&before.hierarchy, patience).await? {
                        *seen = self.eyes.look(recorder).await?;
                        finding = judge(rule, action, before, seen, self.package.as_str());
                    }
                    // A colour, a drawing or a passing message is in the picture only; what moves all the time is no answer.
                    if !finding.valid && before.differs_in_picture(seen) {
                        let first = seen.clone();
                        *seen = self.eyes.look(recorder).await?;
                        finding = judge(rule, action, before, seen, self.package.as_str());
                        if !finding.valid && before.differs_in_picture(seen) && !first.differs_in_picture(seen) {
                            finding = Finding { valid: true, reason: "only the picture changed".to_owned() };
                        }
                    }
                }
                (if finding.valid { Effect::Valid } else { Effect::Invalid }, finding.reason)
            }
            Err(PerformError::Expand(error)) => (Effect::Invalid, error.to_string()),
            // The device is well; the text is one it cannot type.
            Err(PerformError::Device(error @ DeviceError::Text { .. })) => {
                (Effect::Impossible(error.to_string()), error.to_string())
            }
            Err(PerformError::Device(error)) => return Err(error.into()),
        };
        recorder.emit(EventKind::Acted {
            step: step.index,
            action: action.clone(),
            score: Some(choice.score),
            source: ActionSource::Agent,
            valid: effect == Effect::Valid,
            reason,
            act_ms,
            settle_ms: milliseconds(settling),
            adb,
        });
        Ok(effect)
    }

    pub(super) fn spent(&self) -> Option<String> {
        if self.budget.actions == 0 {
            return Some("the case's budget of actions is used up".into());
        }
        self.time_left().is_zero().then(|| format!("the case's budget of {} s is used up", self.budget.time.as_secs()))
    }

    /// What is left of the case's time.
    pub(super) fn time_left(&self) -> Duration {
        let passed = self.eyes.device.now().saturating_sub(self.started);
        self.budget.time.saturating_sub(passed)
    }
}

/// How many characters the field an action is aimed at holds.
pub(super) fn held(choice: &Ranked, before: &Seen) -> usize {
    choice
        .candidate
        .widget
        .and_then(|id| before.screen.widgets.get(id))
        .filter(|widget| widget.role == Role::Field)
        .map_or(0, |widget| widget.value.chars().count())
}

pub(super) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

pub(super) fn passed(reason: impl Into<String>) -> StepOutcome {
    StepOutcome::new(Verdict::Passed, reason)
}

pub(super) fn failed(reason: impl Into<String>) -> StepOutcome {
    StepOutcome::new(Verdict::Failed, reason)
}

pub(super) fn blocked(reason: impl Into<String>) -> StepOutcome {
    StepOutcome::new(Verdict::Blocked, reason)
}
