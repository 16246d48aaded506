//! Recorded apps as an examination: every task tried, every decision asked for.

use super::foresight::{self, Screens};
use super::played_device::PlayedDevice;
use super::scoring::{Attempt, completed, step_passed};
use super::trial::{self, Faculties};
use super::{Declaration, Mode, Report, TaskReport, known_map};
use crate::agent::Planning;
use crate::app_map::AppMap;
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
    /// Goals are planned over a map of what exploration has found.
    pub with_map: bool,
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
            let planning = self.planning(app, &mut screens)?;
            for task in app.tasks.iter().filter(|task| wanted(task)) {
                if self.cancel.is_cancelled() {
                    return Ok(Report::new(self.mode, results));
                }
                let result = self.task(app, &mut screens, &planning, task).await?;
                progress(&result);
                results.push(result);
            }
        }
        Ok(Report::new(self.mode, results))
    }

    fn planning(&self, app: &RecordedApp, screens: &mut Screens<'_>) -> Result<Planning, EvaluationError> {
        let failed = |reason: String| EvaluationError::Map { app: app.info.name.clone(), reason };
        let map = if self.with_map {
            let embedder = self.judgement.embedder.as_ref();
            known_map::explored(app, screens, embedder).map_err(|error| failed(error.to_string()))?
        } else {
            AppMap::default()
        };
        Planning::bundled(map).map_err(|error| failed(error.to_string()))
    }

    async fn task(
        &self,
        app: &Arc<RecordedApp>,
        screens: &mut Screens<'_>,
        planning: &Planning,
        task: &Task,
    ) -> Result<TaskReport, EvaluationError> {
        let faculties = Faculties { judgement: self.judgement, skills: self.skills, rewriter: self.rewriter, planning };
        let trial = trial::run(app, task, self.mode, faculties, &self.cancel).await?;
        let idle = PlayedDevice::new(app, task);
        let foresight = foresight::measure(app, screens, task, self.mode, faculties, &idle)?;
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
            Mode::Goal => completed(task, &trial.attempts),
            Mode::Steps => task.steps.get(at).is_some_and(|step| step_passed(task, &step.actions, attempt)),
        };
        let declared = trial.attempts.iter().enumerate().filter(|(_, attempt)| attempt.declared);
        let finished = trial.attempts.len() == wanted;
        Ok(TaskReport {
            app: app.info.name.clone(),
            id: task.id.clone(),
            completed: finished && completed(task, &trial.attempts),
            declared: finished && trial.attempts.iter().all(|attempt| attempt.declared),
            actions: trial.attempts.iter().map(|attempt| attempt.deeds.len()).sum(),
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
            milliseconds: trial.decisions.into_iter().chain(foresight.decisions).collect(),
        })
    }
}

/// What was declared done up to the first step that was wrong, that one included.
fn sure(attempts: &[Attempt], steps: &[bool]) -> Vec<Declaration> {
    let known = steps.iter().position(|right| !right).map_or(steps.len(), |first| first + 1);
    let tried = attempts.iter().zip(steps).take(known);
    tried
        .filter_map(|(attempt, &right)| {
            let sure = attempt.confidence.as_ref()?;
            Some(Declaration { confidence: sure.value, signs: sure.signs, right })
        })
        .collect()
}
