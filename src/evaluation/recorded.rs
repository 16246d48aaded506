//! Recorded apps as an examination: every task tried, every decision asked for.

use super::foresight::{self, Screens};
use super::played_device::PlayedDevice;
use super::scoring::{completed, step_passed};
use super::trial::{self, Faculties};
use super::{Mode, Report, TaskReport};
use crate::case::Rewriter;
use crate::recorded::{RecordedApp, Task};
use crate::run::Judgement;
use crate::skill::Library;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// An evaluation that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
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
            for task in app.tasks.iter().filter(|task| wanted(task)) {
                if self.cancel.is_cancelled() {
                    return Ok(Report::new(self.mode, results));
                }
                let result = self.task(app, &mut screens, task).await?;
                progress(&result);
                results.push(result);
            }
        }
        Ok(Report::new(self.mode, results))
    }

    async fn task(
        &self,
        app: &Arc<RecordedApp>,
        screens: &mut Screens<'_>,
        task: &Task,
    ) -> Result<TaskReport, EvaluationError> {
        let faculties = Faculties { judgement: self.judgement, skills: self.skills, rewriter: self.rewriter };
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
            steps,
            reason: trial.reason,
            choices: foresight.choices,
            milliseconds: trial.decisions.into_iter().chain(foresight.decisions).collect(),
        })
    }
}
