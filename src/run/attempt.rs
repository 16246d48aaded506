//! Attempts at a case on one device: after a dead end it starts over, decided upon otherwise.

use super::attribution::Account;
use super::build::Build;
use super::doubts::Doubts;
use super::executor::{Judgement, Outcome, Run};
use super::plan::PlannedCase;
use crate::app_map::AppMap;
use crate::device::Seen;
use crate::domain::{EventKind, EventSink, StepResult, Verdict};
use crate::pipeline::{Attempts, Progress};
use std::time::Duration;

/// With less of the run's time left than this no further attempt begins.
const MIN_TIME: Duration = Duration::from_secs(15);
/// Below this a clause was hardly carried out, and a later attempt does not pass.
const LIKELY: f32 = 0.6;
/// Why an attempt that strays from the policy does not pass where what is expected held from the start.
const PROVES_NOTHING: &str =
    "everything expected was already true at the start, which proves nothing of a later attempt";

/// How often a case was tried, and which attempt is told, from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries {
    pub(super) attempts: u32,
    pub(super) told: u32,
}

impl Default for Tries {
    fn default() -> Self {
        Self { attempts: 1, told: 1 }
    }
}

/// What an attempt came to.
pub(super) struct Attempt {
    pub(super) outcome: Outcome,
    /// How far it came.
    pub(super) progress: Progress,
    /// Something was done that starting over does not undo.
    pub(super) is_final: bool,
}

/// An attempt that came to a dead end, to be told if none passes.
struct DeadEnd {
    number: u32,
    outcome: Outcome,
    steps: Vec<StepResult>,
}

/// How many steps, from the first, were likely carried out. A goal is one step, and whether it was carried out is what is expected
/// of it: none.
fn likely_steps(case: &PlannedCase, steps: &[StepResult]) -> usize {
    let likely = |step: &&StepResult| {
        step.verdict == Verdict::Passed && step.confidence.is_none_or(|confidence| confidence >= LIKELY)
    };
    if case.is_goal { 0 } else { steps.iter().take_while(likely).count() }
}

/// What the agent knows from the attempts before.
pub(super) struct Memory<'a> {
    pub(super) attempts: &'a Attempts,
    pub(super) map: &'a mut AppMap,
    /// Device time at which the first attempt began.
    pub(super) started: Duration,
}

impl Run<'_> {
    /// Works on a case until an attempt at it passes or shows that the app fails. After a dead end the case starts over, as long
    /// as attempts are left and nothing was done that starting over does not undo.
    pub(super) async fn work(&mut self, case: &PlannedCase, judgement: &Judgement, seen: &mut Seen) -> Outcome {
        let bridge = self.context.connected.language.bridge();
        let translated = bridge.map(|bridge| case.in_own_words(&bridge));
        let case = translated.as_ref().unwrap_or(case);
        let mut map = self.map(&case.package, self.app_version.as_deref());
        if let Err(error) = map.embed(judgement.embedder.as_ref()) {
            return Outcome::error(&error);
        }
        let device = self.context.connected.device.as_ref();
        let started = device.now();
        let attempts = Attempts::default();
        let mut farthest: Option<DeadEnd> = None;
        loop {
            let number = self.tries.attempts;
            let memory = Memory { attempts: &attempts, map: &mut map, started };
            let attempt = self.attempt(case, judgement, memory, seen).await;
            if attempt.outcome.verdict != Verdict::Blocked {
                self.tries.told = number;
                return attempt.outcome;
            }
            let left = case.budget.time.saturating_sub(device.now().saturating_sub(started));
            let may_go_on = !attempt.is_final
                && number < case.budget.attempts
                && left >= MIN_TIME
                && !self.context.cancel.is_cancelled();
            tracing::debug!(number, attempt.is_final, left_s = left.as_secs(), may_go_on, "dead end");
            let otherwise = if may_go_on { attempts.start_over(&attempt.progress) } else { None };
            let steps = self.recorder.steps().to_vec();
            let done = |steps: &[StepResult]| likely_steps(case, steps);
            if farthest.as_ref().is_none_or(|known| done(&steps) > done(&known.steps)) {
                farthest = Some(DeadEnd { number, outcome: attempt.outcome, steps });
            }
            let Some(otherwise) = otherwise else { break };
            self.tries.attempts += 1;
            self.recorder.emit(EventKind::StartedOver { attempt: self.tries.attempts, otherwise });
            match self.start_over(case).await {
                Ok(fresh) => *seen = fresh,
                Err(outcome) => return outcome,
            }
        }
        let Some(DeadEnd { number, outcome, steps }) = farthest else {
            return Outcome::new(Verdict::Error, "no attempt was made");
        };
        self.tries.told = number;
        self.recorder.tell_steps(steps);
        outcome
    }

    /// Starts the app with clean data, and looks; one that is upgraded, from its earlier build on.
    async fn start_over(&mut self, case: &PlannedCase) -> Result<Seen, Outcome> {
        self.doubts = Doubts::default();
        let package = &case.package;
        if let Some(build) = case.build().filter(Build::keeps_data) {
            return self.start_app(package, Some(&build), case.location).await;
        }
        let device = self.context.connected.device.as_ref();
        device.start_fresh(package).await.map_err(|error| Outcome::error(&error))?;
        self.eyes().look(&mut self.recorder).await.map_err(|error| Outcome::error(&error))
    }

    /// Why the attempt at work must not pass although all that is expected holds; `None` if it may. None passes that left a
    /// parameter out which a step mentions. A later one must have done something to what each step names. One that strays from the
    /// policy must prove more.
    pub(super) fn may_not_pass(
        &self,
        account: &Account<'_>,
        progress: &Progress,
        attempts: &Attempts,
    ) -> Option<String> {
        if let Some(left_out) = account.mentioned_and_left_out() {
            return Some(format!("{left_out}, although what is expected came"));
        }
        if self.tries.attempts < 2 {
            return None;
        }
        if let Some(step) = progress.unmet {
            return Some(format!("step {step}: nothing was done to what it names, although what is expected came"));
        }
        let unlikely = attempts.strays() && progress.clauses.iter().any(|sure| *sure < LIKELY);
        let why = if self.early.all_held_at_start() {
            PROVES_NOTHING
        } else if unlikely {
            "what is expected came, but it is not likely that every step was carried out"
        } else {
            return None;
        };
        Some(why.to_owned())
    }
}
