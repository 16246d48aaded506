//! A case on one device, worked on by the ordered rules: its steps one after another, then what is expected.

use super::agenda::{Item, agenda};
use super::attempt::Attempt;
use super::condition::{Conditions, is_in_sight};
use super::executor::{Judgement, Outcome, Run};
use super::expected::{all_expected_holds, expected_texts, unmet};
use super::plan::PlannedCase;
use crate::agent::{Agent, AgentError, Budget, Deed, Destination, Lull, Patience, Planning, StepOutcome};
use crate::app_map::AppMap;
use crate::device::Seen;
use crate::domain::Verdict;
use crate::lexicon::{CONSEQUENTIAL, Lexicon};
use crate::pipeline::{Progress, leads_to_its_page};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

impl Run<'_> {
    /// Carries the case's steps out by the rules and judges what is expected.
    pub(super) async fn attempt_by_rules(
        &mut self,
        case: &PlannedCase,
        judgement: &Judgement,
        started: Duration,
        seen: &mut Seen,
    ) -> Attempt {
        // A goal's map learns on the way; steps are worked on with what is known when the case begins.
        let (known, learning) = match self.planning(case, judgement) {
            Ok(planning) => planning,
            Err(outcome) => return Attempt::spoilt(outcome),
        };
        let mut agent = Agent {
            eyes: self.eyes(),
            scorer: judgement.scorer(self.context.skills),
            skills: self.context.skills,
            lexicon: &judgement.knowledge.lexicon,
            planning: &known,
            parameters: &case.parameters,
            title: &case.title,
            preferences: &case.preferences,
            package: case.package.clone(),
            budget: Budget { actions: case.budget.actions, time: case.budget.time },
            patience: Patience::ALONE,
            lull: Lull::default(),
            started,
            checked: Vec::new(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: self.context.cancel.clone(),
        };
        let planning = case.is_goal.then_some(learning);
        let (outcome, progress) = self.follow_by_rules(case, &mut agent, planning, seen).await;
        let is_final = has_consequences(&agent.deeds, &judgement.knowledge.lexicon);
        if outcome.verdict != Verdict::Passed {
            self.note_failing(case, &agent.deeds, &agent.checked);
        }
        Attempt { outcome, progress, is_final }
    }

    /// Carries the steps out one after another and judges what is expected; how far it came.
    async fn follow_by_rules(
        &mut self,
        case: &PlannedCase,
        agent: &mut Agent<'_>,
        mut planning: Option<Planning>,
        seen: &mut Seen,
    ) -> (Outcome, Progress) {
        let mut progress = Progress::default();
        let mut conditions = Conditions::default();
        let unmet = |seen: &Seen| unmet(case, seen);
        let again = AtomicBool::new(false);
        let (texts, seed) = (expected_texts(case), self.context.seed);
        let destination = Destination { unmet: &unmet, texts, seed, again: &again };
        let goal = |seen: &Seen| all_expected_holds(case, seen);
        for item in agenda(case) {
            let Item { step, next, .. } = item;
            self.begin_item(case, &item);
            let uncovered = match self.missing(case, &item, &conditions, seen).await {
                Ok(None) => Ok(()),
                // A window that nobody asked for may stand over it.
                Ok(Some(wanted)) => {
                    let is_there = |seen: &Seen| is_in_sight(case, &wanted, seen);
                    agent.uncover(step, &is_there, seen, &mut self.recorder).await
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
            let worked = match &mut planning {
                Some(planning) => agent.reach(step, planning, &destination, seen, &mut self.recorder).await,
                None => agent.work_on(step, next, &goal, seen, &mut self.recorder).await,
            };
            let outcome = match worked {
                Ok(outcome) => outcome,
                Err(error @ (AgentError::Device(_) | AgentError::Embed(_) | AgentError::Interrupted)) => {
                    StepOutcome::new(Verdict::Error, error.to_string())
                }
            };
            let sure = outcome.confidence.as_ref().map_or(1.0, |confidence| confidence.value);
            if let Some(ended) = self.end_item(&item, outcome) {
                return (ended, progress);
            }
            progress.clauses.push(sure);
        }
        if let Some(last) = case.steps.last() {
            let held = |seen: &Seen| goal(seen) != Some(false);
            if let Err(error) = agent.uncover(last, &held, seen, &mut self.recorder).await {
                return (Outcome::error(&error), progress);
            }
        }
        let (deeds, checked) = (agent.deeds.clone(), std::mem::take(&mut agent.checked));
        let step = case.steps.last().map_or(1, |step| step.index);
        let outcome = match self.witness(self.context.connected, case, &case.expectations, step, seen).await {
            Err(error) => Outcome::error(&error),
            Ok(outcomes) => {
                let judged = self.judge(outcomes, &[&seen.screen]);
                // A run with a crash in it is no path to keep.
                let judged = self.blame_crash(judged, &case.package).await;
                if judged.verdict == Verdict::Passed && again.into_inner() {
                    Outcome::new(Verdict::Blocked, "what is expected came only when everything was done again")
                } else if judged.verdict == Verdict::Passed {
                    self.record_script(case, &deeds, checked)
                } else {
                    judged
                }
            }
        };
        (outcome, progress)
    }

    /// What is known of the app, for steps and for a goal.
    fn planning(&self, case: &PlannedCase, judgement: &Judgement) -> Result<(Planning, Planning), Outcome> {
        let (mut known, mut learning) = (self.map(&case.package, self.app_version.as_deref()), AppMap::default());
        if case.is_goal {
            std::mem::swap(&mut known, &mut learning);
        }
        known.embed(judgement.embedder.as_ref()).map_err(|error| Outcome::error(&error))?;
        let bundled = |map: AppMap| Planning::bundled(map).map_err(|error| Outcome::error(&error));
        Ok((bundled(known)?, bundled(learning)?))
    }
}

/// True if a control was touched whose label says what starting over does not undo, and that did more than open a page for it.
fn has_consequences(deeds: &[Deed], lexicon: &Lexicon) -> bool {
    let labels = || deeds.iter().filter_map(|deed| deed.action.target()).map(|target| target.label.as_str());
    let languages = lexicon.languages_of(labels());
    deeds.iter().enumerate().any(|(at, deed)| {
        let label = deed.action.target().map_or("", |target| target.label.as_str());
        let page = deeds.get(at + 1).map_or("", |next| next.screen.as_str());
        lexicon.label_verbs(label, languages).meets(CONSEQUENTIAL) && !leads_to_its_page(label, page)
    })
}
