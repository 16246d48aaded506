//! Algorithm 1, one step at a time.

use super::certain::Certain;
use super::crash::crash_reason;
use super::expects::by_terms;
use super::inspection::{Evidence, Inspection, inspect};
use super::memory::StepMemory;
use super::operation::{Background, asked_for, plan, unmet};
use super::parameters::Trust;
use super::popups;
use super::step::{Parameter, Step};
use super::validity::judge;
use crate::case::Preferences;
use crate::device::DeviceError;
use crate::device::{Eyes, Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind, PackageName, Verdict, overlap, words};
use crate::hierarchy::{Fingerprint, Role, Screen};
use crate::inference::EmbedError;
use crate::ranking::{ADVANCE, Cues, Place, Ranked, Scorer};
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

/// What was done last.
#[derive(Clone, Copy)]
pub(super) struct Done<'a> {
    /// The screen it was done on.
    pub before: &'a Seen,
    /// What it was.
    pub action: &'a Action,
    /// How well the step fitted it.
    pub score: f32,
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
    /// When the case began.
    pub started: Instant,
    /// What was done so far, valid actions only.
    pub deeds: Vec<Deed>,
    /// Names of the parameters used up by earlier steps.
    pub used: Vec<String>,
    /// Fires when the run should end.
    pub cancel: tokio_util::sync::CancellationToken,
}

/// Longest wait for a screen on which nothing fits.
const WAIT_MS: u64 = 3_000;
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
        memory.counting = step.quantity.is_some();
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            if let Some(reason) = self.spent() {
                return Ok(blocked(reason));
            }
            self.clear_the_way(step, &mut memory, seen, recorder).await?;
            let thinking = Instant::now();
            let certain = self.certain(step, next, &seen.screen, &mut memory);
            if let Some(Certain::Done(reason)) = certain {
                self.use_up(step, &memory);
                return Ok(passed(reason));
            }
            let mut plan = plan(&self.background(), step, &seen.screen, &memory, Trust::Mention)?;
            if Self::touches(step) {
                plan.ranked.retain(|ranked| ranked.candidate.offer.as_ref().is_none_or(|offer| !offer.tentative));
            }
            if let Some(Certain::Filled(reason)) = certain.as_ref().filter(|_| plan.pending == 0) {
                self.use_up(step, &memory);
                return Ok(passed(reason.clone()));
            }
            if let Some(reason) = plan.satisfied.filter(|_| plan.pending == 0) {
                self.use_up(step, &memory);
                return Ok(passed(reason));
            }
            let sure = match certain {
                Some(Certain::Do(choice)) => Some(choice),
                _ => None,
            };
            let certainly = sure.is_some();
            let Some(choice) = sure.or_else(||  self.choose(&plan.ranked, &mut memory)).map_or_else(|| self.fall_back(step, &seen.screen, &mut memory), |choice| Ok(Some(choice)))? else {
                if memory.only_looked() {
                    return Ok(blocked(nothing_fits(step, &plan.ranked)));
                }
                if let Some(name) = unmet(step, self.parameters, &seen.screen, &memory) {
                    return Ok(blocked(format!("{name:?} is nowhere on the screen \"{}\"", seen.screen.title)));
                }
                self.use_up(step, &memory);
                return Ok(passed("nothing on the screen fits the step any more"));
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
            self.deeds.push(Deed {
                step: step.index,
                action: action.clone(),
                held: held(&choice, &before),
                before: before.screen.fingerprint,
                screen: before.screen.title.clone(),
                after: seen.screen.fingerprint,
            });
            // Where something was certain, what follows is asked for first.
            if certainly || self.certain(step, next, &seen.screen, &mut memory.clone()).is_some() {
                continue;
            }
            let done = Done { before: &before, action: &action, score: choice.score };
            let inspection = self.inspect(step, next, goal, done, seen, &memory)?;
            if inspection.done {
                self.use_up(step, &memory);
                return Ok(passed(inspection.reason));
            }
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

    /// The best candidate worth trying; where none is, what shows more: scrolling, else a control that leads on, else
    /// waiting once.
    pub(super) fn choose(&self, ranked: &[Ranked], memory: &mut StepMemory) -> Option<Ranked> {
        let best = ranked.first();
        let least = self.scorer.weights.nothing_fits;
        if let Some(best) = best.filter(|best| best.score >= least) {
            return Some(top_of_form(best, ranked, self.scorer.weights.form_spread));
        }
        if memory.only_looked() {
            if let Some(further) = ranked.iter().find(|ranked| looks_on(&ranked.candidate.action, memory)) {
                return Some(further.clone());
            }
            if let Some(leading) = ranked.iter().find(|ranked| ranked.terms.iter().any(|(name, _)| *name == ADVANCE)) {
                memory.led_on.push(leading.candidate.action.clone());
                return Some(leading.clone());
            }
        }
        if memory.waits == 0 {
            memory.waits += 1;
            let action = Action::Wait { ms: WAIT_MS };
            let candidate = crate::ranking::Candidate { action, widget: None, text: String::new(), offer: None };
            return Some(Ranked { candidate, score: least, terms: vec![("nothing fits yet", least)] });
        }
        None
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

    pub(super) fn inspect(
        &self,
        step: &Step,
        next: Option<&Step>,
        goal: &(dyn Fn(&Seen) -> Option<bool> + Sync),
        done: Done<'_>,
        after: &Seen,
        memory: &StepMemory,
    ) -> Result<Inspection, AgentError> {
        let Done { before, action, score } = done;
        let current = plan(&self.background(), step, &after.screen, memory, Trust::Mention)?;
        let next_plan = match next {
            Some(next) if self.scorer.cues.is_assertion(&next.instruction) => None,
            Some(next) => {
                // Whether the next step's named text is in sight yet does not matter: it may have to be scrolled to.
                let next = Step { named: Vec::new(), ..next.clone() };
                let fresh = StepMemory::default();
                Some(plan(&self.background(), &next, &after.screen, &fresh, Trust::PlaceOnly)?)
            }
            None => None,
        };
        let evidence = Evidence {
            before,
            after,
            chosen: score,
            looked: memory.looked(action),
            pending: current.pending,
            unmet: unmet(step, self.parameters, &after.screen, memory),
            asked_for: asked_for(self.skills, step, action),
            unsent: self.unsent(step, before, after),
            satisfied: current.satisfied,
            current: &current.ranked,
            next: next_plan.as_ref().map(|plan| plan.ranked.as_slice()),
            goal: if next.is_none() { goal(after) } else { None },
        };
        Ok(inspect(&evidence, self.scorer.weights))
    }

    /// The step asks for something to be sent, the screen is still the same, and the control that sends is on it.
    fn unsent(&self, step: &Step, before: &Seen, after: &Seen) -> bool {
        let cues = self.scorer.cues;
        cues.is_submit(&step.instruction)
            && before.screen.fingerprint == after.screen.fingerprint
            && after
                .screen
                .widgets
                .iter()
                .any(|widget| widget.role == Role::Button && widget.clickable && cues.is_submit(&widget.label))
    }

    /// A step that checks: what it names must be on the screen, now or soon.
    async fn check(
        &mut self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let cues = self.scorer.cues;
        let mut outcome = read(step, seen, cues);
        if outcome.verdict != Verdict::Passed {
            let limit = Duration::from_millis(WAIT_MS);
            if self.eyes.device.wait_for_change(&seen.hierarchy, limit).await? {
                *seen = self.eyes.look(recorder).await?;
                outcome = read(step, seen, cues);
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
pub(super) fn read(step: &Step, seen: &Seen, cues: &Cues) -> StepOutcome {
    let texts: Vec<&str> = seen.screen.widgets.iter().map(|widget| widget.label.as_str()).collect();
    let title = &seen.screen.title;
    if !step.named.is_empty() && cues.is_negated(&step.instruction) {
        let there = step.named.iter().find(|name| {
            let name = name.to_lowercase();
            seen.screen.widgets.iter().any(|widget| {
                widget.label.to_lowercase().contains(&name) || widget.value.to_lowercase().contains(&name)
            })
        });
        return match there {
            None => passed("the texts it names are not on the screen"),
            Some(name) => failed(format!("{name:?} is on the screen \"{title}\"")),
        };
    }
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

/// Scrolling, but not back to where the step came from.
fn looks_on(action: &Action, memory: &StepMemory) -> bool {
    let Action::Scroll { direction, .. } = action else { return false };
    !memory.done.iter().any(|done| done.direction() == Some(direction.opposite()))
}

/// A person fills in a form from top to bottom: of several places that are as good as the best one, the topmost. So the
/// order does not hang on hundredths of a score, which differ between processors.
fn top_of_form(best: &Ranked, ranked: &[Ranked], spread: f32) -> Ranked {
    let placed = |ranked: &Ranked| {
        let offer = ranked.candidate.offer.as_ref().filter(|offer| !offer.tentative)?;
        Some((offer.place.widget()?, offer.mentioned, offer.others_mentioned))
    };
    let Some((_, mentioned, others)) = placed(best) else { return best.clone() };
    let top = ranked
        .iter()
        .filter(|other| other.score >= best.score - spread)
        .filter_map(|other| Some((placed(other)?, other)))
        .filter(|((_, m, o), _)| (*m, *o) == (mentioned, others))
        .min_by_key(|((widget, ..), _)| *widget)
        .map_or(best, |(_, top)| top);
    let mut top = top.clone();
    if top.score < best.score {
        top.terms.push(("top to bottom", best.score - top.score));
        top.score = best.score;
    }
    top
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

pub(super) fn nothing_fits(step: &Step, ranked: &[Ranked]) -> String {
    match ranked.iter().find(|ranked| !ranked.candidate.text.is_empty()) {
        Some(best) => {
            format!(
                "nothing on the screen fits {:?}; nearest is {} ({:.2})",
                step.instruction, best.candidate.action, best.score
            )
        }
        None => format!("nothing on the screen fits {:?}", step.instruction),
    }
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
