//! A launcher that plays runs: real events in the real order, and steps the test lets through one by one.

use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex};
use tapwright::domain::{
    Acquisition, CaseId, Counts, DeviceSerial, DeviceView, EventKind, RunEvent, RunId, RunResult, Timings, Verdict,
};
use tapwright::run::{LaunchError, RunLauncher, RunRequest};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

/// What a case does when it is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// So many steps; waits for a permit of its gate before the last one ends; passes.
    Steps(usize),
    /// Waits for a permit of its gate, then tells of so many steps; passes.
    Talks(usize),
    /// As `Steps(1)`, but does not heed `cancel`.
    Deaf,
    /// Cannot be launched.
    NoModel,
    /// Starts, then panics.
    Panics,
    /// Starts, then ends as error of its own.
    Errs,
    /// Passes at once, but ends as error on this device.
    SickOn(&'static str),
    /// Fails in its launches before this one, and passes from then on.
    FailsUntil(usize),
    /// Holds its thread until [`FakeLauncher::let_go`], then passes.
    Blocks,
    /// Its file is malformed.
    Malformed,
}

/// One launch as the launcher saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Launched {
    pub(super) case_id: String,
    pub(super) serial: String,
    pub(super) params: BTreeMap<String, String>,
    pub(super) seed: u64,
    pub(super) location: Option<String>,
}

struct Case {
    behaviour: Behaviour,
    gate: Semaphore,
}

/// Strict: knows only its cases, and notes when a device is given to two runs at once.
pub(super) struct FakeLauncher {
    cases: BTreeMap<String, Case>,
    launched: Mutex<Vec<Launched>>,
    /// Runs under way as `case@device`.
    active: watch::Sender<Vec<String>>,
    violations: Mutex<Vec<String>>,
    /// True once threads are let go.
    let_go: (Mutex<bool>, Condvar),
}

impl FakeLauncher {
    pub(super) fn new(cases: &[(&str, Behaviour)]) -> Self {
        let case = |(id, behaviour): &(&str, Behaviour)| {
            ((*id).to_owned(), Case { behaviour: *behaviour, gate: Semaphore::new(0) })
        };
        Self {
            cases: cases.iter().map(case).collect(),
            launched: Mutex::default(),
            active: watch::Sender::new(Vec::new()),
            violations: Mutex::default(),
            let_go: (Mutex::default(), Condvar::new()),
        }
    }

    /// Lets so many runs of a case end.
    pub(super) fn let_end(&self, case_id: &str, runs: usize) {
        self.cases[case_id].gate.add_permits(runs);
    }

    /// Lets all threads go that are held.
    pub(super) fn let_go(&self) {
        *self.let_go.0.lock().unwrap() = true;
        self.let_go.1.notify_all();
    }

    /// Waits until exactly these runs are under way, as `case@device`.
    pub(super) async fn wait_until_active(&self, mut expected: Vec<&str>) {
        expected.sort_unstable();
        self.active
            .subscribe()
            .wait_for(|active| {
                let mut active: Vec<&str> = active.iter().map(String::as_str).collect();
                active.sort_unstable();
                active == expected
            })
            .await
            .unwrap();
    }

    /// Waits until so many runs are under way.
    pub(super) async fn wait_until_busy(&self, runs: usize) {
        self.active.subscribe().wait_for(|active| active.len() == runs).await.unwrap();
    }

    pub(super) fn launched(&self) -> Vec<Launched> {
        self.launched.lock().unwrap().clone()
    }

    fn launches_of(&self, case_id: &str) -> usize {
        self.launched.lock().unwrap().iter().filter(|launched| launched.case_id == case_id).count()
    }

    pub(super) fn assert_lawful(&self) {
        assert!(self.violations.lock().unwrap().is_empty(), "{:?}", self.violations.lock().unwrap());
    }
}

/// Leaves the list of active runs even when the run's future is dropped.
struct Presence<'a>(&'a FakeLauncher, String);

impl<'a> Presence<'a> {
    fn enter(launcher: &'a FakeLauncher, case_id: &CaseId, serial: &DeviceSerial) -> Self {
        let suffix = format!("@{serial}");
        launcher.active.send_modify(|active| {
            if let Some(other) = active.iter().find(|run| run.ends_with(&suffix)) {
                launcher.violations.lock().unwrap().push(format!("{case_id} was given {serial}, which {other} holds"));
            }
            active.push(format!("{case_id}{suffix}"));
        });
        Self(launcher, format!("{case_id}{suffix}"))
    }
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.0.active.send_modify(|active| {
            let place = active.iter().position(|run| *run == self.1).unwrap();
            active.remove(place);
        });
    }
}

struct Stage {
    run_id: RunId,
    seq: u64,
    events: UnboundedSender<RunEvent>,
}

impl Stage {
    fn tell(&mut self, kind: EventKind) {
        let event = RunEvent { run_id: self.run_id.clone(), seq: self.seq, at_ms: self.seq as f64, kind };
        self.seq += 1;
        // A closed receiver is ignored: the port's contract.
        drop(self.events.send(event));
    }
}

#[async_trait]
impl RunLauncher for FakeLauncher {
    fn check(&self, request: &RunRequest) -> Result<(), LaunchError> {
        let id = request.case_id.as_str();
        match self.cases.get(id).map(|case| case.behaviour) {
            None => {
                let near = self.cases.keys().next().map_or_else(String::new, |near| format!("; did you mean {near}?"));
                Err(LaunchError::UnknownCase(format!("no case has the id {id}{near}")))
            }
            Some(Behaviour::Malformed) => Err(LaunchError::Request(format!("{id}.yaml:3:1: expected a list of steps"))),
            Some(_) => Ok(()),
        }
    }

    fn cast(&self, request: &RunRequest) -> Result<Vec<String>, LaunchError> {
        let is_duo = request.case_id.as_str().starts_with("DUO");
        Ok(if is_duo { vec!["cook".into(), "guest".into()] } else { Vec::new() })
    }

    async fn launch(
        &self,
        run_id: RunId,
        request: &RunRequest,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> Result<RunResult, LaunchError> {
        self.check(request)?;
        let RunRequest { case_id, params, seed, location, .. } = request.clone();
        let case = &self.cases[case_id.as_str()];
        self.launched.lock().unwrap().push(Launched {
            case_id: case_id.to_string(),
            serial: serial.to_string(),
            params,
            seed,
            location,
        });
        if case.behaviour == Behaviour::NoModel {
            return Err(LaunchError::Infrastructure("the model is missing: run `tapwright models install`".into()));
        }
        let others = request.actors.values().filter(|other| *other != serial);
        let _presences: Vec<Presence<'_>> =
            [serial].into_iter().chain(others).map(|serial| Presence::enter(self, &case_id, serial)).collect();
        let device = DeviceView { serial: serial.clone(), profile: "default".into(), api: 34 };
        let mut stage = Stage { run_id: run_id.clone(), seq: 0, events };
        stage.tell(EventKind::RunStarted {
            case_id: case_id.clone(),
            title: format!("Case {case_id}"),
            device: device.clone(),
            seed,
            started_at: "2026-01-01T00:00:00Z".into(),
        });
        let (steps, gated) = match case.behaviour {
            Behaviour::Steps(steps) => (steps, steps),
            Behaviour::Talks(steps) => (steps, 1),
            _ => (1, 1),
        };
        let mut verdict = (Verdict::Passed, String::new());
        for index in 1..=steps {
            stage.tell(EventKind::StepStarted { index, instruction: "Tap Pay".into(), rewritten: "tap Pay".into() });
            if index == gated {
                let pass = async { case.gate.acquire().await.unwrap().forget() };
                match case.behaviour {
                    Behaviour::Panics => panic!("the executor fell over"),
                    Behaviour::Errs => verdict = (Verdict::Error, "adb: device offline".into()),
                    Behaviour::SickOn(sick) if serial.as_str() == sick => {
                        verdict = (Verdict::Error, "no space left on the device".into());
                    }
                    Behaviour::SickOn(_) => {}
                    Behaviour::FailsUntil(number) if self.launches_of(case_id.as_str()) < number => {
                        verdict = (Verdict::Failed, "expected visible: 20 points: not on the screen".into());
                    }
                    Behaviour::FailsUntil(_) => {}
                    Behaviour::Deaf => pass.await,
                    Behaviour::Blocks => {
                        let held = self.let_go.0.lock().unwrap();
                        drop(self.let_go.1.wait_while(held, |gone| !*gone).unwrap());
                    }
                    _ => tokio::select! {
                        () = pass => {}
                        () = cancel.cancelled() => verdict = (Verdict::Error, "interrupted".into()),
                    },
                }
            }
            stage.tell(EventKind::StepFinished {
                index,
                verdict: verdict.0,
                reason: verdict.1.clone(),
                confidence: None,
            });
        }
        let result = RunResult {
            schema: 1,
            run_id,
            case_id,
            verdict: verdict.0,
            reason: verdict.1,
            flaky: false,
            repaired: false,
            attempts: 1,
            told_attempt: 1,
            device,
            apps: Vec::new(),
            attribution: None,
            steps: vec![],
            counts: Counts { actions: steps as u64, model_calls: 0, dumps: steps as u64, failed_dumps: 0 },
            diagnostics: vec![],
            acquisition: Acquisition::default(),
            model: None,
            timings_ms: Timings { total: 0.1, ..Timings::default() },
            script: None,
            artifacts: vec![],
        };
        stage.tell(EventKind::RunFinished { result: result.clone() });
        Ok(result)
    }
}
