//! The agent at work on a task, while it is watched.

use super::played_device::PlayedDevice;
use super::scoring::{Attempt, budget};
use super::{EvaluationError, Mode, task_case};
use crate::agent::{Agent, Aim, Budget, Lull, Patience, Planning, Step};
use crate::case::Rewriter;
use crate::device::{Device, Eyes, Observation, Recorder};
use crate::domain::{EventKind, EventSink, PackageName, Verdict};
use crate::hierarchy::Screen;
use crate::inference::EmbedError;
use crate::ranking::Scorer;
use crate::recorded::{RecordedApp, Task};
use crate::run::Judgement;
use crate::skill::Library;
use crate::virtual_device::recorded::Journal;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// What the agent needs.
#[derive(Clone, Copy)]
pub(super) struct Faculties<'a> {
    /// Model, weights, cues.
    pub judgement: &'a Judgement,
    /// Skills.
    pub skills: &'a Library,
    /// How instructions are read.
    pub rewriter: &'a Rewriter,
    /// What is known of the app.
    pub planning: &'a Planning,
}

impl<'a> Faculties<'a> {
    pub(super) fn scorer(self) -> Scorer<'a> {
        self.judgement.scorer(self.skills)
    }
}

/// How a trial went.
pub(super) struct Trial {
    /// What was done for each step; steps behind one the agent did not finish are missing.
    pub attempts: Vec<Attempt>,
    /// Milliseconds of each decision.
    pub decisions: Vec<f64>,
    /// What the agent said in the end.
    pub reason: String,
    /// What it did and said, in order.
    pub did: Vec<String>,
}

/// Time never decides how a task ends; this only ends an agent that would never end.
const LONG: Duration = Duration::from_secs(3600);

/// Lets the agent work on the task from its start.
pub(super) async fn run(
    app: &Arc<RecordedApp>,
    task: &Task,
    mode: Mode,
    faculties: Faculties<'_>,
    cancel: &CancellationToken,
) -> Result<Trial, EvaluationError> {
    let failed = |reason: String| EvaluationError::Task { id: task.id.clone(), reason };
    let case = task_case::planned(app, task, mode, faculties.rewriter)?;
    let device = PlayedDevice::new(app, task);
    let package = PackageName::new(app.info.package.as_str());
    device.start_fresh(&package).await.map_err(|error| failed(error.to_string()))?;
    drop(device.journal().take());
    let eyes = || Eyes {
        device: &device,
        display: app.display(),
        link_colours: &[],
        reader: None,
        secrets: &[],
        bridge: None,
    };
    let mut watcher =
        Watcher { journal: device.journal(), attempts: Vec::new(), decisions: Vec::new(), did: Vec::new() };
    let mut seen = eyes().look(&mut watcher).await.map_err(|error| failed(error.to_string()))?;
    let mut agent = Agent {
        eyes: eyes(),
        scorer: faculties.scorer(),
        skills: faculties.skills,
        planning: faculties.planning,
        parameters: &case.parameters,
        title: "",
        preferences: &case.preferences,
        package,
        budget: Budget { actions: budget(task) as u32, time: LONG },
        patience: Patience::NONE,
        lull: Lull::default(),
        started: Instant::now(),
        checked: Vec::new(),
        deeds: Vec::new(),
        used: Vec::new(),
        cancel: cancel.clone(),
    };
    let mut reason = String::new();
    for (position, step) in case.steps.iter().enumerate() {
        watcher.attempts.push(Attempt::default());
        let next = case.steps.get(position + 1);
        let outcome = match aim(faculties, mode, step).map_err(|error| failed(error.to_string()))? {
            Some(aim) => agent.pursue(&aim, &|_| None, &mut seen, &mut watcher).await,
            None => agent.work_on(step, next, &|_| None, &mut seen, &mut watcher).await,
        };
        let outcome = outcome.map_err(|error| failed(error.to_string()))?;
        let declared = outcome.verdict == Verdict::Passed;
        watcher.did.push(format!("{} {}: {}", step.index, if declared { "done" } else { "stuck" }, outcome.reason));
        reason = outcome.reason;
        if let Some(attempt) = watcher.attempts.last_mut() {
            attempt.declared = declared;
            attempt.confidence = outcome.confidence.filter(|_| declared);
        }
        // A run ends with the first step that is not passed.
        if !declared {
            break;
        }
    }
    Ok(Trial { attempts: watcher.attempts, decisions: watcher.decisions, reason, did: watcher.did })
}

/// The goal to be planned for; `None` where steps are given.
pub(super) fn aim<'a>(faculties: Faculties<'a>, mode: Mode, step: &'a Step) -> Result<Option<Aim<'a>>, EmbedError> {
    match mode {
        Mode::Goal => Aim::new(step, faculties.planning, faculties.judgement.embedder.as_ref()).map(Some),
        Mode::Steps => Ok(None),
    }
}

/// Notes what each action did to the app.
struct Watcher<'a> {
    journal: &'a Journal,
    attempts: Vec<Attempt>,
    decisions: Vec<f64>,
    did: Vec<String>,
}

impl EventSink for Watcher<'_> {
    fn emit(&mut self, kind: EventKind) {
        match kind {
            EventKind::Decided { decide_ms, .. } => self.decisions.push(decide_ms),
            EventKind::Acted { step, action, reason, .. } => {
                self.did.push(format!("{step} {action}: {reason}"));
                let deed = self.journal.take();
                if let Some(attempt) = self.attempts.last_mut() {
                    attempt.deeds.push(deed);
                }
            }
            _ => {}
        }
    }
}

impl Recorder for Watcher<'_> {
    fn screen(&mut self, _screen: &Screen, _observation: &Observation, _observe_ms: f64) {}
}
