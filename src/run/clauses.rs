//! A case on one device: its clauses one after another, then what is expected.

use super::agenda::agenda;
use super::attempt::{Attempt, Memory};
use super::attribution::Account;
use super::condition::{Conditions, is_in_sight};
use super::executor::{Judgement, Outcome, Run};
use super::expected::{all_expected_holds, expected_texts};
use super::plan::PlannedCase;
use crate::device::Seen;
use crate::domain::Verdict;
use crate::lexicon::CONSEQUENTIAL;
use crate::pipeline::{Agent, Assignment, Attempts, Budget, Clause, Journal, Patience, Progress, Step, StepOutcome};

impl Run<'_> {
    /// Carries the case's clauses out, from the app's first screen, and judges what is expected.
    pub(super) async fn attempt(
        &mut self,
        case: &PlannedCase,
        judgement: &Judgement,
        memory: Memory<'_>,
        seen: &mut Seen,
    ) -> Attempt {
        let Memory { attempts, map, started } = memory;
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
        let (outcome, progress) = self.follow(case, judgement, (&mut agent, attempts), seen).await;
        *map = std::mem::take(&mut agent.map);
        let lexicon = &judgement.knowledge.lexicon;
        let asks = |step: &Step| Clause::of_case(step, &case.title, case.is_goal, lexicon).asked.meets(CONSEQUENTIAL);
        if outcome.verdict != Verdict::Passed {
            self.note_failing(case, &agent.journal);
        }
        let is_final = agent.journal.has_consequences(case.clauses.iter().any(asks));
        Attempt { outcome, progress, is_final }
    }

    /// Carries the clauses out one after another and judges what is expected; how far it came.
    async fn follow(
        &mut self,
        case: &PlannedCase,
        judgement: &Judgement,
        (agent, attempts): (&mut Agent<'_>, &Attempts),
        seen: &mut Seen,
    ) -> (Outcome, Progress) {
        let hold = |seen: &Seen| all_expected_holds(case, seen);
        let expected = expected_texts(case);
        let mut previous: Option<&Clause> = None;
        let mut progress = Progress::default();
        let mut conditions = Conditions::default();
        let read = |step: &Step| Clause::of_case(step, &case.title, case.is_goal, &judgement.knowledge.lexicon);
        let clauses: Vec<Clause> = case.tasks().iter().map(read).collect();
        for (item, at) in agenda(case).into_iter().zip(1..) {
            self.begin_item(case, &item);
            let uncovered = match self.missing(case, &item, &conditions, seen).await {
                Ok(None) => Ok(()),
                // A window that nobody asked for may stand over it.
                Ok(Some(wanted)) => {
                    let is_there = |seen: &Seen| is_in_sight(case, &wanted, seen);
                    agent.uncover(item.step.index, &is_there, seen, &mut self.recorder).await
                }
                Err(error) => return (Outcome::error(&error), progress),
            };
            if let Err(error) = uncovered {
                return (Outcome::error(&error), progress);
            }
            if self.leaves_out(case, &item, &mut conditions, seen) {
                progress.clauses.push(1.0);
                continue;
            }
            let Some(clause) = clauses.get(at - 1) else { break };
            let assignment = Assignment {
                clause,
                previous,
                later: clauses.get(at..).unwrap_or_default(),
                expectations: &hold,
                expected: &expected,
            };
            let worked = agent.work_on(assignment, seen, &mut self.recorder).await;
            let confidence = worked.as_ref().ok().and_then(|outcome| outcome.confidence.as_ref());
            let unmet = confidence.is_some_and(|confidence| confidence.unmet);
            progress.unmet = progress.unmet.or(unmet.then_some(item.step.index));
            let outcome = worked.unwrap_or_else(|error| StepOutcome::new(Verdict::Error, error.to_string()));
            let faults = &judgement.knowledge.faults;
            let account = Account { case, planned: clauses.len(), journal: &agent.journal, seen, faults };
            let outcome = self.attribute_step(&account, outcome);
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
                let faults = &judgement.knowledge.faults;
                let account = Account { case, planned: clauses.len(), journal: &agent.journal, seen, faults };
                let judged = self.conclude(&account, outcomes);
                let judged = self.blame_crash(judged, &case.package).await;
                let passed = judged.verdict == Verdict::Passed;
                let why_not = passed.then(|| self.may_not_pass(&account, &progress, attempts)).flatten();
                if let Some(why_not) = why_not {
                    Outcome::new(Verdict::Blocked, why_not)
                } else if passed {
                    self.record_script(case, &agent.journal)
                } else {
                    judged
                }
            }
        };
        (outcome, progress)
    }
}
