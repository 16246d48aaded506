//! The agent that works on a case by rules: what it has, and how it acts.

use super::confidence::Confidence;
use super::goal::Planning;
use super::memory::StepMemory;
use super::operation::Background;
use super::patience::{Lull, Patience};
use super::popups;
use super::step::Step;
use super::trail::Trail;
use super::validity::{Finding, judge};
use crate::case::Preferences;
use crate::device::DeviceError;
use crate::device::{Eyes, Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind, Expectation, PackageName, Verdict};
use crate::form::Parameter;
use crate::hierarchy::{Fingerprint, Role, Screen};
use crate::inference::EmbedError;
use crate::lexicon::{Lexicon, unasked};
use crate::ranking::{Ranked, Scorer};
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

impl Agent<'_> {
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
    pub(super) fn use_up(&mut self, step: &Step, memory: &StepMemory) {
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
