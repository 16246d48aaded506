//! Waiting for what only time or somebody else brings: a screen on which nothing fits yet, a control that answers with an
//! apology, an app that has got stuck.
//!
//! A person who finds nothing to touch looks again before touching something else, longer where the app says that it is
//! busy, longest where others have to do their part first. What came to nothing is tried again after a pause that grows.
//! All of it is within the case's budget, counted on the device's clock.

use super::agent::{Agent, AgentError};
use super::memory::StepMemory;
use super::popups::{touching, way_out};
use super::step::Step;
use crate::adb::command;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource, BundledTable, CueList, EventKind, content_words, holds_cue, same_word};
use crate::hierarchy::{Role, Screen, ScreenKind, new_error};
use crate::ranking::Ranked;
use serde::Deserialize;
use std::time::{Duration, Instant};

/// How long a screen is waited on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Where the screen says nothing of going on, since it last moved on by itself.
    pub quiet: Duration,
    /// At most, while the app says that it is busy or in trouble, or others act.
    pub most: Duration,
    /// What the step needs may be the doing of somebody else, who acts on a device of their own.
    pub in_company: bool,
    /// How long what is meant may take to come before something that may be meant is touched.
    pub doubt: Duration,
}

impl Patience {
    /// Nothing is waited for: what cannot be seen now never comes.
    pub const NONE: Self =
        Self { quiet: Duration::ZERO, most: Duration::ZERO, in_company: false, doubt: LONGEST_DOUBT };
    /// Of somebody who is alone with the app.
    pub const ALONE: Self = Self {
        quiet: Duration::from_secs(20),
        most: Duration::from_secs(15 * 60),
        in_company: false,
        doubt: LONGEST_DOUBT,
    };
    /// Of somebody who waits for what another does, and something has come already.
    pub const IN_COMPANY: Self = Self { quiet: Duration::from_secs(180), in_company: true, ..Self::ALONE };
    /// The same where nothing has come yet: the screen is as it was before the other acted.
    pub const EXPECTANT: Self = Self { doubt: Duration::from_secs(180), ..Self::IN_COMPANY };
}

/// What was waited for between two things that were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lull {
    /// Until the screen showed what came next.
    pub waited: Duration,
    /// Before something was tried again that could have been tried at once.
    pub paused: Duration,
}

/// The first pause; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How long what is meant may take to come, where something has come, before something that may be meant is touched.
const LONGEST_DOUBT: Duration = Duration::from_secs(30);
/// How long an app may be busy with what was touched before the step goes on beside it.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);
/// How long something that spins is waited for before the step goes on beside it.
const LONGEST_BUSY: Duration = Duration::from_secs(90);

/// What came by itself is there once it stays for so long.
const STAYS: Duration = Duration::from_secs(2);
/// Bits in which something may come before it is looked at all the same.
const MOST_BITS: usize = 4;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    trouble: CueList,
}

pub(super) static WORDS: BundledTable<Words> =
    BundledTable::toml("src/agent/patience.toml", include_str!("patience.toml"));

/// What was waited for in a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Waiting {
    /// In all.
    total: Duration,
    /// Since the screen last moved on by itself.
    still: Duration,
    /// How often something was tried again.
    tries: u32,
    /// The app was started again.
    restarted: bool,
    /// The screen span when the step began.
    busy: bool,
    /// Apologies that were on the screen when the step began.
    known: Vec<String>,
    /// The screen moved on by itself.
    moved: bool,
    /// Waiting has come to its end; what is left is to try something else.
    over: bool,
}

impl Waiting {
    /// Waiting has not come to its end.
    pub(super) const fn goes_on(&self) -> bool {
        !self.over
    }

    /// The screen moved on by itself while it was waited on.
    pub(super) const fn has_moved(&self) -> bool {
        self.moved
    }

    /// How long nothing at all came of what another did, where that was all the time that it is given.
    pub(super) fn unanswered(&self, patience: Patience) -> Option<Duration> {
        let all = patience == Patience::EXPECTANT && !self.moved && self.total >= patience.doubt;
        all.then_some(self.total)
    }

    /// Notes what the screen says before anything is done for the step.
    pub(super) fn begin(&mut self, screen: &Screen) {
        self.busy = is_busy(screen);
        self.known = trouble(screen).map(str::to_owned).into_iter().collect();
    }

    fn is_newly_busy(&self, screen: &Screen) -> bool {
        !self.busy && is_busy(screen)
    }

    /// What was waited for, in words, to go behind a reason.
    pub(super) fn told(&self, step: &Step, patience: Patience) -> String {
        let (seconds, said) = (self.total.as_secs(), &step.instruction);
        match (seconds, patience.in_company) {
            (0, _) => String::new(),
            (_, true) => format!("; {seconds} s were waited for the others' doings to bring what {said:?} needs"),
            (_, false) => format!("; {seconds} s were waited for what {said:?} needs"),
        }
    }

    fn pause(&self) -> Duration {
        FIRST_PAUSE.saturating_mul(1 << self.tries.min(5)).min(LONGEST_PAUSE)
    }
}

/// Something on the screen spins or fills up.
pub(super) fn is_busy(screen: &Screen) -> bool {
    let waits = |class: &str| class.ends_with("ProgressBar") || class.ends_with("ProgressIndicator");
    screen.kind == ScreenKind::Loading
        || screen.tree.nodes.iter().any(|node| waits(&node.class) && !node.bounds.is_empty())
}

/// The step says a word of what would be touched.
pub(super) fn is_spoken_of(step: &Step, choice: &Ranked) -> bool {
    let label = choice.candidate.action.target().map(|target| content_words(&target.label)).unwrap_or_default();
    let said = content_words(&step.instruction);
    label.iter().any(|word| said.iter().any(|other| same_word(word, other)))
}

/// The text by which the app says that something does not work now.
pub(super) fn trouble(screen: &Screen) -> Option<&str> {
    let words = WORDS.get();
    let says = |text: &&str| holds_cue(&words.trouble, text);
    let told = screen.widgets.iter().filter(|widget| widget.role != Role::Field);
    told.map(|widget| widget.label.as_str()).find(says)
}

impl Agent<'_> {
    /// Waits on a screen on which nothing fits until it changes; false once it has been waited on for long enough, or says that
    /// something is wrong in reply to what was done.
    pub(super) async fn wait_on(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let waiting = &mut memory.waiting;
        while waiting.goes_on() {
            let going_on = is_busy(&seen.screen) || trouble(&seen.screen).is_some();
            let most = if going_on {
                self.patience.quiet.max(LONGEST_BUSY.min(self.patience.most))
            } else {
                self.patience.quiet
            };
            // Who is told that something is wrong, in reply to what was done, waits for nothing.
            let before = recorder.errors_before().filter(|_| !self.patience.in_company);
            let answered = before.is_some_and(|before| new_error(before, &seen.screen).is_some());
            if answered || waiting.still >= most || waiting.total >= self.patience.most || self.spent().is_some() {
                waiting.over = true;
                break;
            }
            let before = seen.screen.digest;
            let limit = waiting.pause().min(most.saturating_sub(waiting.still));
            let passed = self.pause(step, limit, true, seen, recorder).await?;
            waiting.total += passed;
            waiting.still += passed;
            waiting.tries += 1;
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            if seen.screen.digest != before {
                (waiting.still, waiting.tries) = (Duration::ZERO, 0);
                waiting.moved = true;
                self.let_come(step, seen, recorder).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What comes by itself may come bit by bit, a page and then a window over it: it is looked at once it stays.
    async fn let_come(&mut self, step: &Step, seen: &mut Seen, recorder: &mut dyn Recorder) -> Result<(), AgentError> {
        for _ in 0..MOST_BITS {
            let digest = seen.screen.digest;
            self.pause(step, STAYS, true, seen, recorder).await?;
            if seen.screen.digest == digest || self.cancel.is_cancelled() || self.spent().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Where others act meanwhile, something that is not clearly meant is not touched before what is meant had its time to
    /// come. True when it was waited for.
    pub(super) async fn hesitate(
        &mut self,
        step: &Step,
        choice: &Ranked,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let longest = if memory.waiting.moved { LONGEST_DOUBT } else { self.patience.doubt };
        let doubts = self.patience.in_company
            && memory.only_looked()
            && memory.waiting.total < longest
            && choice.score < self.scorer.weights.clearly_meant
            && !is_spoken_of(step, choice)
            && way_out(&seen.screen, self.scorer.cues).is_none();
        if doubts {
            let limit = memory.waiting.pause().min(longest.saturating_sub(memory.waiting.total));
            let digest = seen.screen.digest;
            memory.waiting.total += self.pause(step, limit, true, seen, recorder).await?;
            memory.waiting.tries += 1;
            memory.waiting.moved |= seen.screen.digest != digest;
        }
        Ok(doubts)
    }

    /// After a touch: waits while the app is busy with it. Where the app then says that it did not work, and what was
    /// touched can be touched again, it is forgotten after a pause, so that it is done again.
    pub(super) async fn outlast(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        if self.patience == Patience::NONE || !matches!(memory.done.last(), Some(Action::Click { .. })) {
            return Ok(());
        }
        let mut busy = Duration::ZERO;
        while memory.waiting.is_newly_busy(&seen.screen) && busy < LONGEST_ANSWER && self.spent().is_none() {
            let limit = LONGEST_ANSWER.saturating_sub(busy);
            let (digest, passed) = (seen.screen.digest, self.pause(step, limit, true, seen, recorder).await?);
            busy += passed;
            if seen.screen.digest == digest {
                break;
            }
        }
        // A window that apologises is answered, not waited for.
        if matches!(seen.screen.kind, ScreenKind::Dialog | ScreenKind::Permission) {
            return Ok(());
        }
        let Some(said) = trouble(&seen.screen).map(str::to_owned) else { return Ok(()) };
        if memory.waiting.known.contains(&said) && memory.waiting.tries == 0 {
            return Ok(());
        }
        let again = |action: &Action| {
            let Action::Click { target } = action else { return false };
            let found = seen.screen.resolve(&target.selector);
            found.is_some_and(|(widget, _)| widget.state.enabled && widget.clickable && widget.label == target.label)
        };
        if memory.waiting.total < self.patience.most && memory.forget_from(again) {
            tracing::debug!("what was touched came to nothing: the app says {said:?}");
            let pause = memory.waiting.pause();
            memory.waiting.total += self.pause(step, pause, false, seen, recorder).await?;
            memory.waiting.tries += 1;
        }
        Ok(())
    }

    /// The last resort where the app says that it is in trouble: it is stopped and started, its data kept, and the step
    /// is done anew. Once in a step, and only while nothing was done in an earlier one that would be lost.
    pub(super) async fn start_again(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let stuck = trouble(&seen.screen).is_some() || seen.screen.kind == ScreenKind::Loading;
        if self.patience == Patience::NONE || !stuck || memory.waiting.restarted || self.spent().is_some() {
            return Ok(false);
        }
        let earlier: Vec<Action> = self.deeds.iter().take(memory.since).map(|deed| deed.action.clone()).collect();
        let leads = |action: &Action| match action {
            Action::Click { target } => !self.scorer.cues.is_submit(&target.label),
            Action::Scroll { .. } | Action::PressBack | Action::Wait { .. } | Action::OpenApp { .. } => true,
            _ => false,
        };
        if !earlier.iter().all(leads) {
            return Ok(false);
        }
        let begun = Instant::now();
        let device = self.eyes.device;
        device.run(&command::force_stop(&self.package)).await?;
        device.open(&self.package).await?;
        *seen = self.eyes.look(recorder).await?;
        recorder.emit(EventKind::Acted {
            step: step.index,
            action: Action::OpenApp { package: self.package.clone() },
            score: None,
            source: ActionSource::Agent,
            valid: true,
            reason: "the app got stuck and was started again".to_owned(),
            act_ms: begun.elapsed().as_secs_f64() * 1000.0,
            settle_ms: 0.0,
            adb: Vec::new(),
        });
        self.note_deed(step.index, Action::OpenApp { package: self.package.clone() }, 0, seen, seen);
        // The way to where the step begins, as far as it is still there.
        for action in earlier {
            let Action::Click { target } = &action else { continue };
            let Some((widget, _)) =
                seen.screen.resolve(&target.selector).filter(|(widget, _)| widget.label == target.label)
            else {
                continue;
            };
            let choice = touching(widget, "it led to where the app got stuck");
            let before = seen.clone();
            self.act(step, &choice, &before, seen, recorder).await?;
        }
        *memory = memory.anew();
        memory.waiting = Waiting { restarted: true, total: memory.waiting.total, ..Waiting::default() };
        memory.waiting.begin(&seen.screen);
        Ok(true)
    }

    /// Lets time pass, until the screen changes where that is what is waited for, and looks. How much passed.
    async fn pause(
        &mut self,
        step: &Step,
        limit: Duration,
        for_change: bool,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Duration, AgentError> {
        let device = self.eyes.device;
        let (asked, begun) = (Instant::now(), device.now());
        let passed = || device.now().saturating_sub(begun);
        let limit = limit.min(self.time_left());
        let mut changed = device.wait_for_change(&seen.hierarchy, limit).await?;
        while changed && !for_change && passed() < limit && !self.cancel.is_cancelled() {
            *seen = self.eyes.look(recorder).await?;
            changed = device.wait_for_change(&seen.hierarchy, limit.saturating_sub(passed())).await?;
        }
        let acted = passed();
        *seen = self.eyes.look(recorder).await?;
        recorder.emit(EventKind::Acted {
            step: step.index,
            action: Action::Wait { ms: u64::try_from(acted.as_millis()).unwrap_or(u64::MAX) },
            score: None,
            source: ActionSource::Agent,
            valid: true,
            reason: if changed { "the screen changed" } else { "the screen stayed as it was" }.to_owned(),
            act_ms: asked.elapsed().as_secs_f64() * 1000.0,
            settle_ms: 0.0,
            adb: Vec::new(),
        });
        let passed = passed();
        *(if for_change { &mut self.lull.waited } else { &mut self.lull.paused }) += passed;
        Ok(passed)
    }
}

#[cfg(test)]
#[path = "patience_tests.rs"]
mod tests;
