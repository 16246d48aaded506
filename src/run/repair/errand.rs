//! The agent sent out for one step of a script, or for the windows that stand in its way.

use super::super::executor::{ConnectedDevice, Judgement};
use super::super::expected::{all_expected_holds, expected_texts};
use super::super::plan::PlannedCase;
use super::super::scribe;
use super::watch::Watch;
use crate::app_map::AppMap;
use crate::device::{DeviceError, Eyes, Seen};
use crate::domain::{SecretMask, Verdict};
use crate::pipeline::{Agent, AgentError, Assignment, BestScore, Budget, Clause, Journal, Patience, Step};
use crate::script::ActionTrace;
use crate::skill::Library;
use tokio_util::sync::CancellationToken;

/// Most actions that one step may take: a way round a new screen is short.
const MOST_ACTIONS: u32 = 15;

/// What the agent needs beside the step.
pub(super) struct Errand<'a> {
    pub(super) connected: &'a ConnectedDevice,
    pub(super) skills: &'a Library,
    pub(super) judgement: &'a Judgement,
    pub(super) case: &'a PlannedCase,
    pub(super) mask: &'a SecretMask,
    pub(super) seed: u64,
    /// What is known of the app.
    pub(super) map: &'a AppMap,
    /// Ends it: the run is cancelled, or the script fits again.
    pub(super) cancel: CancellationToken,
}

/// How an errand ended.
pub(super) struct Outcome {
    /// What the agent says of the step; `None` where it was called off.
    pub(super) step: Option<(Verdict, String)>,
    /// What it did, valid actions only.
    pub(super) done: Vec<ActionTrace>,
}

/// Why an errand could not be carried out: infrastructure, never the app.
#[derive(Debug, thiserror::Error)]
pub(super) enum ErrandError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error("{0}")]
    Other(String),
}

impl From<AgentError> for ErrandError {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Device(error) => Self::Device(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl Errand<'_> {
    /// Carries out a step of the case, from where the device stands.
    ///
    /// # Errors
    /// The device or the model fails.
    pub(super) async fn carry_out(
        &self,
        step: usize,
        seen: &mut Seen,
        watch: &mut Watch<'_>,
    ) -> Result<Outcome, ErrandError> {
        let mut agent = self.agent();
        let hold = |seen: &Seen| self.expected(seen);
        let expected = expected_texts(self.case);
        let mut last = (Verdict::Blocked, "the case has no such step".to_owned());
        let mut previous: Option<&Clause> = None;
        let clauses: Vec<Clause> = self.case.tasks().iter().map(|step| self.read(step)).collect();
        for (at, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.step.index == step) {
            let assignment = Assignment {
                clause,
                previous,
                later: clauses.get(at + 1..).unwrap_or_default(),
                expectations: &hold,
                expected: &expected,
            };
            match agent.work_on(assignment, seen, watch).await {
                Ok(outcome) => last = (outcome.verdict, outcome.reason),
                Err(AgentError::Interrupted) => {
                    return Ok(Outcome { step: None, done: self.done(&agent) });
                }
                Err(error) => return Err(error.into()),
            }
            if last.0 != Verdict::Passed {
                break;
            }
            previous = Some(clause);
        }
        Ok(Outcome { step: Some(last), done: self.done(&agent) })
    }

    /// Answers windows that the step does not speak of, as the case prefers, until `held` or there is none left. Gives what was done.
    ///
    /// # Errors
    /// The device or the model fails.
    pub(super) async fn clear_windows(
        &self,
        step: usize,
        held: &(dyn Fn(&Seen) -> bool + Sync),
        seen: &mut Seen,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<ActionTrace>, ErrandError> {
        let whole = self.case.steps.iter().find(|other| other.index == step).map(|step| self.read(step));
        let mut agent = self.agent();
        agent.answer_windows((step, whole.as_ref()), held, seen, watch).await?;
        Ok(self.done(&agent))
    }

    fn read(&self, step: &Step) -> Clause {
        Clause::of_case(step, &self.case.title, self.case.is_goal, &self.judgement.knowledge.lexicon)
    }

    /// Whether what the case expects is there, as far as one look tells.
    fn expected(&self, seen: &Seen) -> Option<bool> {
        all_expected_holds(self.case, seen)
    }

    fn eyes(&self) -> Eyes<'_> {
        self.connected.eyes(self.mask)
    }

    fn agent(&self) -> Agent<'_> {
        Agent {
            eyes: self.eyes(),
            chooser: &BestScore,
            scorer: self.judgement.scorer(self.skills),
            skills: self.skills,
            knowledge: &self.judgement.knowledge,
            parameters: &self.case.parameters,
            preferences: &self.case.preferences,
            package: self.case.package.clone(),
            budget: Budget { actions: MOST_ACTIONS, time: self.case.budget.time },
            patience: Patience::ALONE,
            started: self.connected.device.now(),
            seed: self.seed,
            journal: Journal::default(),
            map: self.map.clone(),
            cancel: self.cancel.clone(),
        }
    }

    fn done(&self, agent: &Agent<'_>) -> Vec<ActionTrace> {
        agent.journal.valid().map(|record| scribe::trace(self.case, record, None)).collect()
    }
}
