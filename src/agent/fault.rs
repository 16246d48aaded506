//! Whose fault it is that a step could not be done: the app's, where the screen or the log shows it; else nobody's that is
//! known, and the step stays *blocked*.

use super::agent::{Agent, AgentError, StepOutcome, failed};
use super::crash::crash_reason;
use super::memory::StepMemory;
use super::step::Step;
use super::trail::Trail;
use crate::adb::command;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, Target, Verdict, words};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget, says_trouble};
use std::time::Duration;

/// How long an app may leave a key unanswered before the system calls it not responding, and some more.
const SIGN_OF_LIFE: Duration = Duration::from_secs(8);

/// How often it is asked whether the system says so.
const LISTEN: Duration = Duration::from_secs(1);

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
        let mut memory = StepMemory::default();
        let mut trail = Trail::begin(step, &seen.screen);
        let mut outcome = self.attempt(step, next, goal, &mut memory, seen, recorder).await?;
        outcome.unanswered = memory.waiting.unanswered(self.patience);
        trail.end(&memory);
        trail.found.append(&mut outcome.trail.found);
        outcome.trail = trail;
        if outcome.verdict != Verdict::Blocked {
            return Ok(outcome);
        }
        // A form that asks for what nobody gave is right not to be sent.
        let dead = || dead_control(step, &memory, &seen.screen).filter(|_| memory.complained(&seen.screen).is_none());
        let fault = memory.trouble.clone().or_else(dead);
        Ok(match fault {
            Some(fault) => failed(format!("{fault} ({})", outcome.reason)),
            None => outcome,
        })
    }

    /// The crash or hang of the app, once it is not in front any more or the system says so; the log is the evidence.
    pub(super) async fn crashed(&self, seen: &Seen) -> Result<Option<String>, AgentError> {
        let says = matches!(seen.screen.kind, ScreenKind::Crash | ScreenKind::NotResponding);
        let in_app = seen.screen.foreground.as_deref().is_some_and(|name| name.starts_with(self.package.as_str()));
        if in_app && !says {
            return Ok(None);
        }
        let crashes = self.eyes.device.crashes(&self.package).await?;
        Ok(crashes.last().map(|crash| crash_reason(crash)))
    }

    /// The hang of the app, where its window could be read before it was touched and cannot be read any more: it is asked for
    /// a sign of life, and where none comes the system says that it does not respond.
    pub(super) async fn hung(
        &self,
        before: &Seen,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<String>, AgentError> {
        let device = self.eyes.device;
        if !seen.hierarchy.is_empty() || before.hierarchy.is_empty() || self.time_left() < SIGN_OF_LIFE {
            return Ok(None);
        }
        device.run(&command::nudge()).await?;
        // A screen that never rests cannot be read either, and looking at it is long: only the system's word is waited for.
        let mut left = SIGN_OF_LIFE;
        while device.crashes(&self.package).await?.is_empty() {
            if left.is_zero() || self.cancel.is_cancelled() {
                return Ok(None);
            }
            device.let_pass(LISTEN).await;
            left = left.saturating_sub(LISTEN);
        }
        *seen = self.eyes.look(recorder).await?;
        self.crashed(seen).await
    }

    /// Why a step ended early, with what was still to be done.
    pub(super) fn waiting_for(&self, reason: &str, step: &Step, memory: &StepMemory, seen: &Seen) -> String {
        let given = |name: &&String| !memory.has_given_anywhere(name);
        let open = step.mentions.iter().find(given).map(|name| format!("{name:?} to be given"));
        let shown = |name: &&String| !clicks(memory).any(|target| is_named(&target.label, name));
        let named = || step.named.iter().find(shown).map(|name| format!("{name:?} to be met"));
        let what = open.or_else(named).unwrap_or_else(|| "it to be done".to_owned());
        format!(
            "{reason}; now on \"{}\", {:?} was worked on, still waiting for {what}",
            seen.screen.title, step.instruction
        )
    }
}

impl StepMemory {
    /// Notes what the app says it could not do, where it says so only since `action`.
    pub(super) fn note_trouble(&mut self, before: &Screen, action: &Action, after: &Screen) {
        // What was touched before is a thing's own name, whatever that says.
        let known = |said: &&str| clicks(self).any(|target| target.label.contains(*said));
        if let Some(said) = new_trouble(before, after).filter(|said| !known(said)) {
            self.trouble = Some(format!("after {action} the app said {said:?}"));
        } else if before.fingerprint != after.fingerprint && after.kind != ScreenKind::Dialog {
            // It went on, so the trouble was over.
            self.trouble = self
                .trouble
                .take()
                .filter(|_| matches!(action, Action::PressBack) || before.kind == ScreenKind::Dialog);
        }
    }
}

/// A text that says the app could not do something, and was not there before: in a window of its own, or as a message.
fn new_trouble<'a>(before: &Screen, after: &'a Screen) -> Option<&'a str> {
    let says = |widget: &&crate::hierarchy::Widget| {
        matches!(widget.role, Role::Text | Role::ReadText) && !widget.clickable && says_trouble(&widget.label)
    };
    let old = |label: &str| before.widgets.iter().any(|widget| widget.label == label);
    after.widgets.iter().filter(says).map(|widget| widget.label.as_str()).find(|label| !old(label))
}

/// The control that the step itself names, or says wholly, was touched, and touched again, and nothing happened.
pub(super) fn dead_control(step: &Step, memory: &StepMemory, screen: &Screen) -> Option<String> {
    let mut touched = memory.without_effect(screen.fingerprint).filter(|_| memory.was_forgiven());
    let said = words(&step.instruction);
    let own = |target: &&Target| {
        let label = words(&target.label);
        let whole = !label.is_empty() && said.windows(label.len()).any(|part| part == label.as_slice());
        whole || step.named.iter().chain(&step.quoted).any(|name| is_named(&target.label, name))
    };
    // What leaves no doubt is the step's own as well, whatever it is called.
    let certain = |target: &&Target| {
        let same = |action: &Action| matches!(action, Action::Click { target: done } if done.bounds == target.bounds);
        memory.certain.iter().map(|(action, _)| action).any(same)
    };
    let answered = |target: &&Target| {
        let same = |action: &Action| matches!(action, Action::Click { target: done } if done.bounds == target.bounds);
        memory.seen_only.iter().any(same)
    };
    // What had an effect before is alive: a form that says what it misses says so once, however often it is sent.
    let worked = |target: &&Target| {
        let same = |action: &Action| matches!(action, Action::Click { target: done } if done.bounds == target.bounds && done.label == target.label);
        memory.done.iter().any(same) && memory.stopped != Some(target.bounds)
    };
    let dead = touched.find(|target| {
        (own(target) || certain(target)) && !answered(target) && !worked(target) && !may_refuse(target, screen, memory)
    })?;
    // What only names the page is no control.
    let control = |widget: &Widget| widget.clickable && widget.role != Role::Text && widget.label != screen.title;
    // A choice that is made already has no effect.
    let made = |widget: &Widget| widget.state.checked == Some(true) || widget.state.selected;
    let alive = |widget: &&Widget| widget.bounds == dead.bounds && widget.state.enabled && !made(widget);
    let there = screen.widgets.iter().filter(alive).any(control);
    there.then(|| format!("{:?} on \"{}\" was touched twice and nothing happened", dead.label, screen.title))
}

/// What stands below a form of which something was left empty may only refuse to send it, and say so out of sight.
fn may_refuse(control: &Target, screen: &Screen, memory: &StepMemory) -> bool {
    !screen.scroll_areas.is_empty() && memory.is_below_a_gap(control, screen)
}

fn clicks(memory: &StepMemory) -> impl Iterator<Item = &Target> {
    memory.done.iter().filter_map(Action::target)
}

/// The label begins with the name, or is it.
fn is_named(label: &str, name: &str) -> bool {
    let (label, name) = (words(label), words(name));
    !name.is_empty() && label.starts_with(&name)
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
