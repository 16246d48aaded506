//! Recorded apps as an examination: every task tried, every decision asked for.

use super::agent_port::{Asked, map_of};
use super::decisions::DecisionExample;
use super::foresight::{self, Screens};
use super::scoring::{Attempt, completed, step_passed};
use super::trial::{self, Setup};
use super::{Declaration, FittedOn, Mode, Report, TaskReport, known_map, task_case};
use crate::app_map::{AppMap, Discovery};
use crate::case::Rewriter;
use crate::recorded::{RecordedApp, Task};
use crate::run::Judgement;
use crate::skill::Library;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// An evaluation that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// No map of an app can be made.
    #[error("map of {app}: {reason}")]
    Map {
        /// The app.
        app: String,
        /// Why.
        reason: String,
    },
    /// A task cannot be tried.
    #[error("task {id}: {reason}")]
    Task {
        /// The task.
        id: String,
        /// Why.
        reason: String,
    },
}

/// Tries the tasks of recorded apps.
pub struct Evaluation<'a> {
    /// Model, weights, cues.
    pub judgement: &'a Judgement,
    /// Skills.
    pub skills: &'a Library,
    /// How instructions are read.
    pub rewriter: &'a Rewriter,
    /// What the agent is given.
    pub mode: Mode,
    /// The agent is given a map of what exploration has found.
    pub with_map: bool,
    /// Which apps the weights were fitted on.
    pub fitted_on: FittedOn,
    /// Ends it early; what was tried until then is reported.
    pub cancel: CancellationToken,
}

impl Evaluation<'_> {
    /// Tries every task for which `wanted` holds, one after another, so that the same recordings always give the same
    /// numbers. `progress` hears of each.
    pub async fn run(
        &self,
        apps: &[Arc<RecordedApp>],
        wanted: &(dyn Fn(&Task) -> bool + Sync),
        progress: &mut (dyn FnMut(&TaskReport) + Send),
    ) -> Result<Report, EvaluationError> {
        let mut results = Vec::new();
        for app in apps {
            let mut screens = Screens::new(app);
            let discoveries = if self.with_map { known_map::explored(app, &mut screens) } else { Vec::new() };
            let map = self.map(app, &discoveries)?;
            for task in app.tasks.iter().filter(|task| wanted(task)) {
                if self.cancel.is_cancelled() {
                    return Ok(Report::new(self.mode, results));
                }
                let result = self.task(app, &mut screens, &discoveries, &map, task).await?;
                progress(&result);
                results.push(result);
            }
        }
        Ok(Report::new(self.mode, results))
    }

    /// Every single decision of the tasks with all its options, to learn from.
    ///
    /// # Errors
    /// When a task or a map makes no sense, or the model fails.
    pub fn lessons(&self, apps: &[Arc<RecordedApp>]) -> Result<Vec<DecisionExample>, EvaluationError> {
        let (judgement, skills) = (self.judgement, self.skills);
        let mut examples = Vec::new();
        for app in apps {
            let mut screens = Screens::new(app);
            let discoveries = if self.with_map { known_map::explored(app, &mut screens) } else { Vec::new() };
            let map = &self.map(app, &discoveries)?;
            for task in &app.tasks {
                let case = &task_case::planned(app, task, self.mode, self.rewriter)?;
                let asked = Asked { case, judgement, skills, map };
                examples.extend(foresight::measure(app, &mut screens, task, asked)?.examples);
            }
        }
        Ok(examples)
    }

    fn map(&self, app: &RecordedApp, discoveries: &[Discovery]) -> Result<AppMap, EvaluationError> {
        let failed = |reason| EvaluationError::Map { app: app.info.name.clone(), reason };
        map_of(discoveries, self.judgement).map_err(failed)
    }

    async fn task(
        &self,
        app: &Arc<RecordedApp>,
        screens: &mut Screens<'_>,
        discoveries: &[Discovery],
        map: &AppMap,
        task: &Task,
    ) -> Result<TaskReport, EvaluationError> {
        let (judgement, skills) = (self.judgement, self.skills);
        let case = &task_case::planned(app, task, self.mode, self.rewriter)?;
        let trial = trial::run(Setup { app, task, case, judgement, skills, discoveries, cancel: &self.cancel }).await?;
        let asked = Asked { case, judgement, skills, map };
        let foresight = foresight::measure(app, screens, task, asked)?;
        let steps = match self.mode {
            Mode::Goal => Vec::new(),
            Mode::Steps => {
                let tried = |at: usize| trial.attempts.get(at).cloned().unwrap_or_default();
                let step =
                    |(at, step): (usize, &crate::recorded::TaskStep)| step_passed(task, &step.actions, &tried(at));
                task.steps.iter().enumerate().map(step).collect()
            }
        };
        let wanted = if self.mode == Mode::Steps { task.steps.len() } else { 1 };
        let done = |at: usize, attempt: &Attempt| match self.mode {
            Mode::Goal => completed(task, &trial.attempts, trial.spent),
            Mode::Steps => task.steps.get(at).is_some_and(|step| step_passed(task, &step.actions, attempt)),
        };
        let declared = trial.attempts.iter().enumerate().filter(|(_, attempt)| attempt.declared);
        let finished = trial.attempts.len() == wanted;
        Ok(TaskReport {
            app: app.info.name.clone(),
            sample: self.fitted_on.sample(&app.info.package),
            id: task.id.clone(),
            completed: finished && completed(task, &trial.attempts, trial.spent),
            declared: finished && trial.attempts.iter().all(|attempt| attempt.declared),
            actions: trial.spent + trial.attempts.iter().map(|attempt| attempt.deeds.len()).sum::<usize>(),
            human_actions: task.actions.len(),
            right: foresight.right,
            decisions: foresight.all,
            declarations: declared.clone().count(),
            false_declarations: declared.filter(|(at, attempt)| !done(*at, attempt)).count(),
            sure: sure(&trial.attempts, &steps),
            steps,
            reason: trial.reason,
            did: trial.did,
            choices: foresight.choices,
            examples: foresight.examples,
            milliseconds: trial.decisions.into_iter().chain(foresight.decisions).collect(),
        })
    }
}

/// What was declared done up to the first step that was wrong, that one included.
fn sure(attempts: &[Attempt], steps: &[bool]) -> Vec<Declaration> {
    let known = steps.iter().position(|right| !right).map_or(steps.len(), |first| first + 1);
    let tried = attempts.iter().zip(steps).take(known);
    tried.filter_map(|(attempt, &right)| Some(Declaration { confidence: attempt.confidence?, right })).collect()
}
