//! Algorithm 1, one step at a time.

use super::crash::crash_reason;
use super::expects::by_terms;
use super::goal::Planning;
use super::memory::StepMemory;
use super::operation::Background;
use super::popups;
use super::step::{Parameter, Step};
use super::thought::{Thought, WAIT_MS};
use super::validity::judge;
use crate::case::Preferences;
use crate::device::DeviceError;
use crate::device::{Eyes, Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind, PackageName, Verdict, overlap, words};
use crate::hierarchy::{Fingerprint, Role, Screen};
use crate::inference::EmbedError;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepOutcome {
    /// Passed, failed or blocked.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
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
    /// What is known of the app, and how steps and goals are read.
    pub planning: &'a Planning,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// What to answer to questions that no step speaks of.
    pub preferences: &'a Preferences,
    /// The app under test.
    pub package: PackageName,
    /// What is left of the case's budget.
    pub budget: Budget,
    /// When the case began.
    pub started: Instant,
    /// What was done so far, valid actions only.
    pub deeds: Vec<Deed>,
    /// Names of the parameters used up by earlier steps.
    pub used: Vec<String>,
    /// Fires when the run should end.
    pub cancel: tokio_util::sync::CancellationToken,
}

/// Invalid actions after which a step counts as blocked.
pub(super) const MOST_INVALID: usize = 6;
/// Runner-ups kept for explanation.
const RUNNERS_UP: usize = 4;

impl Agent<'_> {
    /// Works on `step` until it is done, blocked or failed. `next` is the step after it; `goal` tells whether all
    /// expectations hold on a screen and is asked after the last step's actions only.
    pub async fn work_on(
        &mut self,
        step: &Step,
        next: Option<&Step>,
        goal: &(dyn Fn(&Seen) -> Option<bool> + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        if self.scorer.cues.is_assertion(&step.instruction) {
            self.clear_the_way(step, &mut StepMemory::default(), seen, recorder).await?;
            return self.check(step, seen, recorder).await;
        }
        let mut memory = StepMemory::default();
        let mut course = self.course(step, next, seen)?;
        let mut last: Option<Seen> = None;
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            if let Some(reason) = self.spent() {
                return Ok(blocked(reason));
            }
            self.clear_the_way(step, &mut memory, seen, recorder).await?;
            course.forget_beyond(memory.deeds());
            let thinking = Instant::now();
            let reached = if next.is_none() && last.is_some() { goal(seen) } else { None };
            let thought = self.think(step, next, &course, last.as_ref(), seen, &mut memory, reached)?;
            let (choice, plan, outlook) = match thought {
                Thought::Done(reason) => {
                    self.use_up(step, &memory);
                    return Ok(passed(reason));
                }
                Thought::Stuck(reason) => return Ok(blocked(reason)),
                Thought::Do(choice, plan, outlook) => (choice, plan, outlook),
            };
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
            if let Some(crash) = self.crashed(seen).await? {
                return Ok(StepOutcome { verdict: Verdict::Failed, reason: crash });
            }
            let action = choice.candidate.action.clone();
            if let Effect::Impossible(reason) = effect {
                return Ok(blocked(reason));
            }
            if effect == Effect::Invalid {
                memory.exclude(before.screen.fingerprint, action);
                if memory.invalid_count() >= MOST_INVALID {
                    return Ok(blocked(format!("{MOST_INVALID} actions in a row had no effect")));
                }
                continue;
            }
            if let Some(offer) =
                choice.candidate.offer.as_ref().filter(|offer| !matches!(offer.place, Place::Opener(_)))
            {
                let widget = offer.place.widget().and_then(|id| before.screen.widgets.get(id));
                memory.given.push((offer.parameter.clone(), widget.map(|widget| widget.resource_id.clone())));
            }
            memory.note(before.screen.fingerprint, action.clone());
            if !memory.looked(&action) {
                course.note(&outlook, &before.screen, &action);
            }
            self.deeds.push(Deed {
                step: step.index,
                action: action.clone(),
                held: held(&choice, &before),
                before: before.screen.fingerprint,
                screen: before.screen.title.clone(),
                after: seen.screen.fingerprint,
            });
            last = Some(before);
        }
    }

    /// Leaves a window on which nothing fits the step.
    pub(super) fn leave(&self, screen: &Screen, memory: &StepMemory) -> Option<Ranked> {
        let out = popups::touching(popups::way_out(screen, self.scorer.cues)?, "nothing fits on this window");
        (!memory.is_excluded(screen.fingerprint, &out.candidate.action)).then_some(out)
    }

    pub(super) fn background(&self) -> Background<'_> {
        Background { scorer: &self.scorer, parameters: self.parameters, used: &self.used, package: &self.package }
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
        let acting = Instant::now();
        let performed = self.skills.perform(self.eyes.device, action, held, &before.hierarchy).await;
        let act_ms = milliseconds(acting);
        let settling = Instant::now();
        let (effect, reason) = match performed {
            Ok(()) => {
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
        });
        Ok(effect)
    }

    /// A step that checks: what it names must be on the screen, now or soon.
    async fn check(
        &mut self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let mut outcome = read(step, seen);
        if outcome.verdict != Verdict::Passed {
            let limit = Duration::from_millis(WAIT_MS);
            if self.eyes.device.wait_for_change(&seen.hierarchy, limit).await? {
                *seen = self.eyes.look(recorder).await?;
                outcome = read(step, seen);
            }
        }
        Ok(outcome)
    }

    pub(super) async fn crashed(&self, seen: &Seen) -> Result<Option<String>, AgentError> {
        let in_app = seen.screen.foreground.as_deref().is_some_and(|name| name.starts_with(self.package.as_str()));
        if in_app {
            return Ok(None);
        }
        let crashes = self.eyes.device.crashes(&self.package).await?;
        Ok(crashes.last().map(|crash| crash_reason(crash)))
    }

    pub(super) fn spent(&self) -> Option<String> {
        if self.budget.actions == 0 {
            return Some("the case's budget of actions is used up".into());
        }
        (self.started.elapsed() + self.eyes.device.skipped() >= self.budget.time)
            .then(|| format!("the case's budget of {} s is used up", self.budget.time.as_secs()))
    }
}

/// Whether the screen says what a checking step wants: every text it names, else most of its words in one text.
pub(super) fn read(step: &Step, seen: &Seen) -> StepOutcome {
    let texts: Vec<&str> = seen.screen.widgets.iter().map(|widget| widget.label.as_str()).collect();
    if !step.named.is_empty() {
        let missing = step.named.iter().find(|name| {
            let name = name.to_lowercase();
            !seen.screen.widgets.iter().any(|widget| {
                widget.label.to_lowercase().contains(&name) || widget.value.to_lowercase().contains(&name)
            })
        });
        return match missing {
            None => passed("the texts it names are on the screen"),
            Some(name) => failed(format!("{name:?} is not on the screen \"{}\"", seen.screen.title)),
        };
    }
    let asked = words(&step.instruction);
    let best = texts
        .iter()
        .map(|text| (overlap(&words(text), &asked), *text))
        .filter(|(_, text)| !text.is_empty())
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((shared, text)) if shared >= 0.5 => passed(format!("the screen says {text:?}")),
        Some((_, text)) => failed(format!("nothing on the screen says so; nearest is {text:?}")),
        None => failed("the screen holds no text"),
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
    StepOutcome { verdict: Verdict::Passed, reason: reason.into() }
}

fn failed(reason: impl Into<String>) -> StepOutcome {
    StepOutcome { verdict: Verdict::Failed, reason: reason.into() }
}

pub(super) fn blocked(reason: impl Into<String>) -> StepOutcome {
    StepOutcome { verdict: Verdict::Blocked, reason: reason.into() }
}
