//! The agent sent out for one step of a script, or for the windows that stand in its way.

use super::super::by_pipeline::deed_of;
use super::super::decider::Decider;
use super::super::executor::{ConnectedDevice, Judgement};
use super::super::expected::{all_expected_holds, expected_texts};
use super::super::plan::PlannedCase;
use super::super::scribe;
use super::watch::Watch;
use crate::agent::{Agent, AgentError, Budget, Deed, Lull, Patience, Planning, Step};
use crate::app_map::AppMap;
use crate::device::{DeviceError, Eyes, Seen};
use crate::domain::{SecretMask, Verdict};
use crate::pipeline;
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

impl From<pipeline::AgentError> for ErrandError {
    fn from(error: pipeline::AgentError) -> Self {
        match error {
            pipeline::AgentError::Device(error) => Self::Device(error),
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
        match self.judgement.decider {
            Decider::Pipeline => self.by_pipeline(step, seen, watch).await,
            // A step is small: the rules decide, as they do first where both are asked.
            Decider::Rules | Decider::Both => self.by_rules(step, seen, watch).await,
        }
    }

    /// Answers windows as the case prefers until `held` or there is none left. Gives what was done.
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
        match self.judgement.decider {
            Decider::Pipeline => {
                let mut agent = self.pipeline();
                agent.uncover(step, held, seen, watch).await?;
                Ok(self.of_journal(&agent))
            }
            Decider::Rules | Decider::Both => {
                let Some(step) = self.case.steps.iter().find(|other| other.index == step) else {
                    return Ok(Vec::new());
                };
                let planning = self.planning()?;
                let mut agent = self.rules(&planning);
                agent.uncover(step, held, seen, watch).await?;
                Ok(self.of_deeds(&agent.deeds))
            }
        }
    }

    /// The parts of a step, and what comes after each of them.
    fn clauses(&self, step: usize) -> impl Iterator<Item = (&Step, Option<&Step>)> {
        let clauses = &self.case.clauses;
        let with_next = clauses.iter().enumerate().map(|(at, clause)| (clause, clauses.get(at + 1)));
        with_next.filter(move |(clause, _)| clause.index == step)
    }

    /// Whether what the case expects is there, as far as one look tells.
    fn expected(&self, seen: &Seen) -> Option<bool> {
        all_expected_holds(self.case, seen)
    }

    async fn by_rules(&self, step: usize, seen: &mut Seen, watch: &mut Watch<'_>) -> Result<Outcome, ErrandError> {
        let planning = self.planning()?;
        let mut agent = self.rules(&planning);
        let goal = |seen: &Seen| self.expected(seen);
        let mut last = (Verdict::Blocked, "the case has no such step".to_owned());
        for (clause, next) in self.clauses(step) {
            match agent.work_on(clause, next, &goal, seen, watch).await {
                Ok(outcome) => last = (outcome.verdict, outcome.reason),
                Err(AgentError::Interrupted) => return Ok(Outcome { step: None, done: self.of_deeds(&agent.deeds) }),
                Err(error) => return Err(error.into()),
            }
            if last.0 != Verdict::Passed {
                break;
            }
        }
        Ok(Outcome { step: Some(last), done: self.of_deeds(&agent.deeds) })
    }

    async fn by_pipeline(&self, step: usize, seen: &mut Seen, watch: &mut Watch<'_>) -> Result<Outcome, ErrandError> {
        let mut agent = self.pipeline();
        let hold = |seen: &Seen| self.expected(seen);
        let expected = expected_texts(self.case);
        let read = |step: &Step| {
            pipeline::Clause::of_case(step, &self.case.title, self.case.is_goal, &self.judgement.knowledge.lexicon)
        };
        let mut last = (Verdict::Blocked, "the case has no such step".to_owned());
        let mut previous: Option<&pipeline::Clause> = None;
        let clauses: Vec<pipeline::Clause> = self.case.clauses.iter().map(read).collect();
        for (at, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.step.index == step) {
            let assignment = pipeline::Assignment {
                clause,
                previous,
                later: clauses.get(at + 1..).unwrap_or_default(),
                expectations: &hold,
                expected: &expected,
            };
            match agent.work_on(assignment, seen, watch).await {
                Ok(outcome) => last = (outcome.verdict, outcome.reason),
                Err(pipeline::AgentError::Interrupted) => {
                    return Ok(Outcome { step: None, done: self.of_journal(&agent) });
                }
                Err(error) => return Err(error.into()),
            }
            if last.0 != Verdict::Passed {
                break;
            }
            previous = Some(clause);
        }
        Ok(Outcome { step: Some(last), done: self.of_journal(&agent) })
    }

    fn eyes(&self) -> Eyes<'_> {
        self.connected.eyes(self.mask)
    }

    fn planning(&self) -> Result<Planning, ErrandError> {
        Planning::bundled(self.map.clone()).map_err(|error| ErrandError::Other(error.to_string()))
    }

    fn rules<'s>(&'s self, planning: &'s Planning) -> Agent<'s> {
        Agent {
            eyes: self.eyes(),
            scorer: self.judgement.scorer(self.skills),
            skills: self.skills,
            lexicon: &self.judgement.knowledge.lexicon,
            planning,
            parameters: &self.case.parameters,
            title: &self.case.title,
            preferences: &self.case.preferences,
            package: self.case.package.clone(),
            budget: Budget { actions: MOST_ACTIONS, time: self.case.budget.time },
            patience: Patience::ALONE,
            lull: Lull::default(),
            started: self.connected.device.now(),
            checked: Vec::new(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: self.cancel.clone(),
        }
    }

    fn pipeline(&self) -> pipeline::Agent<'_> {
        pipeline::Agent {
            eyes: self.eyes(),
            chooser: &pipeline::BestScore,
            scorer: self.judgement.scorer(self.skills),
            skills: self.skills,
            knowledge: &self.judgement.knowledge,
            parameters: &self.case.parameters,
            preferences: &self.case.preferences,
            package: self.case.package.clone(),
            budget: pipeline::Budget { actions: MOST_ACTIONS, time: self.case.budget.time },
            patience: pipeline::Patience::ALONE,
            started: self.connected.device.now(),
            seed: self.seed,
            journal: pipeline::Journal::default(),
            map: self.map.clone(),
            cancel: self.cancel.clone(),
        }
    }

    fn of_deeds(&self, deeds: &[Deed]) -> Vec<ActionTrace> {
        deeds.iter().map(|deed| scribe::trace(self.case, deed, None)).collect()
    }

    fn of_journal(&self, agent: &pipeline::Agent<'_>) -> Vec<ActionTrace> {
        self.of_deeds(&agent.journal.valid().map(deed_of).collect::<Vec<_>>())
    }
}
