//! A case on one device, worked on by the decision pipeline: its clauses one after another, then what is expected.

use super::agenda::Item;
use super::doubts::Doubts;
use super::executor::{Judgement, Outcome, Run};
use super::expected::{all_expected_holds, expected_texts};
use super::plan::PlannedCase;
use crate::agent::{Confidence, Deed, Lull, Step, StepOutcome as RuleOutcome, Trail};
use crate::device::Seen;
use crate::app_map::AppMap;
use crate::domain::{EventKind, EventSink, PackageName, StepResult, Verdict};
use crate::lexicon::CONSEQUENTIAL;
use crate::pipeline::{ActionRecord, Agent, Assignment, Attempts, Budget, Clause, Journal, Patience, Progress, StepOutcome};
use std::time::Duration;

/// With less time left than this no attempt begins.
const MIN_TIME: Duration = Duration::from_secs(15);

/// Why an attempt that strays from the policy does not pass where what is expected held from the start.
const PROVES_NOTHING: &str = "everything expected was already true at the start, which proves nothing of a later attempt";

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
struct Attempt {
    outcome: Outcome,
    /// How far it came.
    progress: Progress,
    /// Something was done that starting over does not undo.
    is_final: bool,
}

/// An attempt that came to a dead end, to be told if none passes.
struct DeadEnd {
    number: u32,
    attempt: Attempt,
    steps: Vec<StepResult>,
}

impl Run<'_> {
    /// Carries the case's clauses out by the pipeline and judges what is expected. After a dead end the case starts over and one
    /// decision is taken otherwise, as long as time is left and nothing was done that starting over does not undo.
    pub(super) async fn work_by_pipeline(
        &mut self,
        case: &PlannedCase,
        judgement: &Judgement,
        seen: &mut Seen,
    ) -> Outcome {
        let mut map = self.map(&case.package, self.app_version.as_deref());
        if let Err(error) = map.embed(judgement.embedder.as_ref()) {
            return Outcome::error(&error);
        }
        let device = self.context.connected.device.as_ref();
        let started = device.now();
        let attempts = Attempts::default();
        let mut farthest: Option<DeadEnd> = None;
        loop {
            let setting = Setting { case, judgement, attempts: &attempts, started };
            let attempt = self.attempt(&setting, &mut map, seen).await;
            if attempt.outcome.verdict != Verdict::Blocked {
                self.tries.told = self.tries.attempts;
                return attempt.outcome;
            }
            let left = case.budget.time.saturating_sub(device.now().saturating_sub(started));
            let may_go_on = !attempt.is_final
                && left >= MIN_TIME
                && self.tries.attempts < case.budget.attempts
                && !self.context.cancel.is_cancelled();
            let steps = self.recorder.steps().to_vec();
            let otherwise = may_go_on.then(|| attempts.start_over(&attempt.progress)).flatten();
            let clauses = |attempt: &Attempt| attempt.progress.clauses.len();
            let farther = farthest.as_ref().is_none_or(|known| clauses(&attempt) > clauses(&known.attempt));
            if farther {
                farthest = Some(DeadEnd { number: self.tries.attempts, attempt, steps });
            }
            let Some(otherwise) = otherwise else { break };
            self.tries.attempts += 1;
            self.recorder.emit(EventKind::StartedOver { attempt: self.tries.attempts, otherwise });
            match self.start_over(&case.package).await {
                Ok(fresh) => *seen = fresh,
                Err(outcome) => return outcome,
            }
        }
        let Some(DeadEnd { number, attempt, steps }) = farthest else {
            return Outcome::new(Verdict::Error, "no attempt was made");
        };
        self.tries.told = number;
        self.recorder.tell_steps(steps);
        attempt.outcome
    }

    /// Starts the app with clean data, and looks.
    async fn start_over(&mut self, package: &PackageName) -> Result<Seen, Outcome> {
        self.doubts = Doubts::default();
        let device = self.context.connected.device.as_ref();
        device.start_fresh(package).await.map_err(|error| Outcome::error(&error))?;
        self.eyes().look(&mut self.recorder).await.map_err(|error| Outcome::error(&error))
    }

    /// One attempt, from the app's first screen.
    async fn attempt(&mut self, setting: &Setting<'_>, map: &mut AppMap, seen: &mut Seen) -> Attempt {
        let Setting { case, judgement, attempts, started } = *setting;
        let mut agent = Agent {
            eyes: self.eyes(),
            chooser: attempts,
            scorer: judgement.scorer(self.context.skills),
            skills: self.context.skills,
            knowledge: &judgement.knowledge,
            parameters: &case.parameters,
            preferences: &case.preferences,
            package: case.package.clone(),
            budget: Budget { actions: case.budget.actions, time: case.budget.time },
            patience: Patience::ALONE,
            started,
            seed: self.context.seed,
            journal: Journal::default(),
            map: std::mem::take(map),
            cancel: self.context.cancel.clone(),
        };
        let (outcome, progress) = self.follow(case, judgement, &mut agent, seen).await;
        *map = std::mem::take(&mut agent.map);
        let lexicon = &judgement.knowledge.lexicon;
        let asks = |step: &Step| Clause::of_case(step, &case.title, case.is_goal, lexicon).asked.meets(CONSEQUENTIAL);
        let is_final = agent.journal.has_consequences(case.clauses.iter().any(asks));
        Attempt { outcome, progress, is_final }
    }

    /// Carries the clauses out one after another and judges what is expected; how far it came.
    async fn follow(
        &mut self,
        case: &PlannedCase,
        judgement: &Judgement,
        agent: &mut Agent<'_>,
        seen: &mut Seen,
    ) -> (Outcome, Progress) {
        let hold = |seen: &Seen| all_expected_holds(case, seen);
        let expected = expected_texts(case);
        let mut previous: Option<Clause> = None;
        let mut progress = Progress::default();
        for item in items(case) {
            self.begin_item(case, &item);
            let read = |step: &Step| Clause::of_case(step, &case.title, case.is_goal, &judgement.knowledge.lexicon);
            let (clause, next) = (read(item.step), item.next.map(read));
            let assignment = Assignment {
                clause: &clause,
                previous: previous.as_ref(),
                next: next.as_ref(),
                expectations: &hold,
                expected: &expected,
            };
            let worked = agent.work_on(assignment, seen, &mut self.recorder).await;
            let outcome = worked.map_or_else(|error| RuleOutcome::new(Verdict::Error, error.to_string()), outcome_of);
            let sure = outcome.confidence.as_ref().map_or(1.0, |confidence| confidence.value);
            if let Some(ended) = self.end_item(&item, outcome) {
                return (ended, progress);
            }
            previous = Some(clause);
            progress.clauses.push(sure);
        }
        let last = case.steps.last().map_or(1, |step| step.index);
        let held = |seen: &Seen| hold(seen) != Some(false);
        if let Err(error) = agent.uncover(last, &held, seen, &mut self.recorder).await {
            return (Outcome::error(&error), progress);
        }
        let outcome = match self.witness(self.context.connected, case, &case.expectations, last, seen).await {
            Err(error) => Outcome::error(&error),
            Ok(outcomes) => {
                let held = outcomes.iter().filter(|outcome| outcome.held).count();
                progress.held = held as f32 / outcomes.len().max(1) as f32;
                let judged = self.judge(outcomes, &[&seen.screen]);
                let judged = self.blame_crash(judged, &case.package).await;
                if judged.verdict == Verdict::Passed && self.tries.attempts > 1 && self.early.all_held_at_start() {
                    Outcome::new(Verdict::Blocked, PROVES_NOTHING)
                } else if judged.verdict == Verdict::Passed {
                    let deeds: Vec<Deed> = agent.journal.valid().map(deed_of).collect();
                    self.record_script(case, &deeds, std::mem::take(&mut agent.journal.pending_checks))
                } else {
                    judged
                }
            }
        };
        (outcome, progress)
    }
}

/// What all attempts at a case have in common.
#[derive(Clone, Copy)]
struct Setting<'a> {
    case: &'a PlannedCase,
    judgement: &'a Judgement,
    attempts: &'a Attempts,
    /// Device time at which the first began.
    started: Duration,
}

/// The clauses of a case in their order; a goal is taken apart like a step.
fn items(case: &PlannedCase) -> Vec<Item<'_>> {
    let clauses = &case.clauses;
    let item = |(at, step): (usize, _)| -> Item<'_> {
        let step: &Step = step;
        let before = at.checked_sub(1).and_then(|at| clauses.get(at));
        let after = clauses.get(at + 1);
        Item {
            step,
            actor: "",
            next: after,
            begins: before.is_none_or(|before| before.index != step.index),
            ends: after.is_none_or(|after| after.index != step.index),
            handed_over: false,
            is_last: after.is_none(),
        }
    };
    clauses.iter().enumerate().map(item).collect()
}

/// The outcome as verdicts and reports know it.
fn outcome_of(outcome: StepOutcome) -> RuleOutcome {
    let corroboration = outcome.corroboration;
    RuleOutcome {
        confidence: outcome.confidence.map(|confidence| Confidence {
            value: confidence.value,
            doubt: confidence.doubt,
            signs: None,
        }),
        trouble: outcome.app_error,
        unseen: outcome.unseen,
        unanswered: outcome.unanswered,
        trail: Trail { shown: corroboration.shown, found: corroboration.found, given: corroboration.given },
        ..RuleOutcome::new(outcome.verdict, outcome.reason)
    }
}

/// A valid action as scripts know it.
fn deed_of(record: &ActionRecord) -> Deed {
    Deed {
        step: record.step,
        action: record.action.clone(),
        held: record.held,
        before: record.before.fingerprint,
        screen: record.before.title.clone(),
        after: record.after.fingerprint,
        lull: Lull { waited: record.wait.waited, paused: record.wait.paused },
        checks: record.checks.clone(),
    }
}
