//! A recorded task, worked on by the loop that the product runs, while it is watched.

use super::played_device::PlayedDevice;
use super::scoring::{Attempt, Deed, budget};
use super::watched_device::{Call, WatchedDevice, Watcher};
use super::{EvaluationError, task_case};
use crate::app_map::{Discovery, MapStore};
use crate::device::Device;
use crate::domain::{Action, EventKind, RunEvent, RunId, Verdict};
use crate::recorded::{RecordedApp, Task};
use crate::run::{ConnectedDevice, Judgement, Language, NoReports, Places, PlannedCase, RunContext, run_case};
use crate::skill::Library;
use crate::virtual_device::recorded::Journal;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

/// What is tried, and what with.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    /// The app.
    pub(super) app: &'a Arc<RecordedApp>,
    /// The task.
    pub(super) task: &'a Task,
    /// The task as a case.
    pub(super) case: &'a PlannedCase,
    /// Model, weights, cues.
    pub(super) judgement: &'a Judgement,
    /// Skills.
    pub(super) skills: &'a Library,
    /// What is known of the app beforehand.
    pub(super) discoveries: &'a [Discovery],
    /// Ends it early.
    pub(super) cancel: &'a CancellationToken,
}

/// How a trial went.
#[derive(Default)]
pub(super) struct Trial {
    /// What was done for each step; steps behind one the agent did not finish are missing. Where the agent started over, those
    /// of the try that came farthest.
    pub(super) attempts: Vec<Attempt>,
    /// Actions of the other tries.
    pub(super) spent: usize,
    /// Tries that came to a dead end, oldest first.
    tries: Vec<Vec<Attempt>>,
    /// Milliseconds of each decision.
    pub(super) decisions: Vec<f64>,
    /// What the agent said in the end.
    pub(super) reason: String,
    /// What it did and said, in order.
    pub(super) did: Vec<String>,
}

/// Lets the agent work on the task from its start, as `tapwright run` does with a case.
pub(super) async fn run(setup: Setup<'_>) -> Result<Trial, EvaluationError> {
    let Setup { app, task, case, judgement, skills, discoveries, cancel } = setup;
    let failed = |reason: String| EvaluationError::Task { id: task.id.clone(), reason };
    let device = Arc::new(PlayedDevice::new(app, task));
    let (live, events) = unbounded_channel();
    // What begins after the person's budget does not count, so that the run need not go on.
    let stop = cancel.child_token();
    let watch = Arc::new(TaskWatch::new(device.journal().clone(), events, (stop.clone(), budget(task))));
    let info = device.describe().await.map_err(|error| failed(error.to_string()))?;
    let watched = WatchedDevice::new(Arc::clone(&device) as Arc<dyn Device>, Arc::clone(&watch) as Arc<dyn Watcher>);
    let connected = ConnectedDevice {
        device: Arc::new(watched),
        info,
        profile: "recording".to_owned(),
        link_colours: Vec::new(),
        reader: None,
        patience: Duration::ZERO,
        language: Language::unknown(),
    };
    // A run keeps what it learns; the next task begins without it.
    let known = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let maps = MapStore::new(known.path());
    let version = device.installed_version(&case.package).await.map_err(|error| failed(error.to_string()))?;
    maps.add(case.package.as_str(), version.as_deref(), discoveries, &[]).map_err(|error| failed(error.to_string()))?;
    let places =
        Places { reporter: Arc::new(NoReports), output: None, scripts: None, maps: Some(maps), root: PathBuf::new() };
    let context = RunContext {
        run_id: RunId::from(task_case::plain_id(task).as_str()),
        connected: &connected,
        company: &BTreeMap::new(),
        skills,
        places: &places,
        seed: 0,
        live,
        cancel: stop.clone(),
    };
    let result = run_case(context, case, judgement).await;
    if result.verdict == Verdict::Error && !stop.is_cancelled() {
        return Err(failed(result.reason));
    }
    Ok(watch.end(result.reason))
}

/// Notes what each action did to the app.
struct TaskWatch {
    journal: Journal,
    notes: Mutex<Notes>,
    /// Ends the run where it starts over after so many actions.
    stop: CancellationToken,
    budget: usize,
}

struct Notes {
    coming: UnboundedReceiver<RunEvent>,
    trial: Trial,
}

impl TaskWatch {
    fn new(journal: Journal, coming: UnboundedReceiver<RunEvent>, (stop, budget): (CancellationToken, usize)) -> Self {
        Self { journal, notes: Mutex::new(Notes { coming, trial: Trial::default() }), stop, budget }
    }

    /// The trial, of which only the tries count that began within the budget.
    fn end(&self, reason: String) -> Trial {
        self.before(Call::Looks);
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let trial = &mut notes.trial;
        trial.start_over();
        let tries = std::mem::take(&mut trial.tries);
        let all: usize = tries.iter().map(|attempts| actions(attempts)).sum();
        // The last of those that came equally far has passed, or is as good as any.
        let farthest =
            within(tries, self.budget).max_by_key(|attempts| attempts.iter().filter(|one| one.declared).count());
        let attempts = farthest.unwrap_or_default();
        Trial {
            spent: all - actions(&attempts),
            attempts,
            tries: Vec::new(),
            decisions: std::mem::take(&mut trial.decisions),
            reason: if reason.is_empty() { std::mem::take(&mut trial.reason) } else { reason },
            did: std::mem::take(&mut trial.did),
        }
    }
}

/// How many actions the attempts at a task's steps took.
fn actions(attempts: &[Attempt]) -> usize {
    attempts.iter().map(|attempt| attempt.deeds.len()).sum()
}

/// The tries that began before so many actions were used.
fn within(tries: Vec<Vec<Attempt>>, budget: usize) -> impl Iterator<Item = Vec<Attempt>> {
    let mut used = 0;
    tries.into_iter().take_while(move |attempts| {
        let began = used;
        used += actions(attempts);
        began < budget
    })
}

impl Watcher for TaskWatch {
    fn before(&self, _call: Call) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let notes = &mut *notes;
        while let Ok(event) = notes.coming.try_recv() {
            notes.trial.note(event.kind, &self.journal);
        }
        if !notes.trial.tries.is_empty()
            && notes.trial.tries.iter().map(|one| actions(one)).sum::<usize>() >= self.budget
        {
            self.stop.cancel();
        }
    }
}

impl Trial {
    /// The try at work is over.
    fn start_over(&mut self) {
        let over = std::mem::take(&mut self.attempts);
        self.tries.push(over);
    }

    fn note(&mut self, event: EventKind, journal: &Journal) {
        match event {
            EventKind::StartedOver { attempt, otherwise } => {
                self.did.push(format!("started over ({attempt}): {otherwise}"));
                self.start_over();
            }
            EventKind::StepStarted { .. } => {
                // What starting the app did belongs to no step.
                drop(journal.take());
                self.attempts.push(Attempt::default());
            }
            EventKind::Decided { decide_ms, .. } => self.decisions.push(decide_ms),
            EventKind::Acted { step, action, reason, .. } => {
                self.did.push(format!("{step} {action}: {reason}"));
                let deed: Deed = journal.take();
                // Who waits does nothing to the app.
                if let Some(attempt) = self.attempts.last_mut().filter(|_| !matches!(action, Action::Wait { .. })) {
                    attempt.deeds.push(deed);
                }
            }
            EventKind::StepFinished { index, verdict, reason, confidence } => {
                let declared = verdict == Verdict::Passed;
                self.did.push(format!("{index} {}: {reason}", if declared { "done" } else { "stuck" }));
                self.reason = reason;
                if let Some(attempt) = self.attempts.last_mut() {
                    attempt.declared = declared;
                    attempt.confidence = confidence.filter(|_| declared);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tries_that_begin_within_the_budget_count() {
        let check = |actions: &[usize], budget: usize, expected: usize| {
            let attempt = |actions: &usize| vec![Attempt { deeds: vec![Deed::new(); *actions], ..Attempt::default() }];
            let tries = actions.iter().map(attempt).collect();
            assert_eq!(within(tries, budget).count(), expected, "{actions:?} of {budget}");
        };
        check(&[3, 3, 3], 6, 2);
        check(&[3, 3, 3], 7, 3);
        check(&[9], 4, 1);
        check(&[], 4, 0);
    }
}
