//! Carrying out a case, or replaying a script, on one device: both leave the same stream of events and the same
//! summary.

use super::ensemble;
use super::plan::PlannedCase;
use super::recorder::RunRecorder;
use super::recording::RecordingWriter;
use super::start::start;
use crate::agent::{Agent, AgentError, Budget, Deed, Destination, Planning, StepOutcome, crash_reason};
use crate::app_map::{AppMap, MapStore};
use crate::device::{Device, DeviceError, DeviceInfo, Eyes, Recorder, Seen};
use crate::domain::{
    CaseId, DeviceSerial, DeviceView, EventKind, EventSink, Expectation, ExpectationOutcome, PackageName, RunEvent,
    RunId, RunResult, Secret, Verdict,
};
use crate::inference::Embedder;
use crate::ranking::{Cues, Scorer, Weights};
use crate::script::{self, ActionTrace, AppView, ReplayError, Replayer, Script};
use crate::skill::Library;
use crate::vision::TextReader;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// A device ready for a run.
pub struct ConnectedDevice {
    /// The device.
    pub device: Arc<dyn Device>,
    /// What it is.
    pub info: DeviceInfo,
    /// Name of the profile that matches it.
    pub profile: String,
    /// Colours links are drawn in; empty to find them by contrast.
    pub link_colours: Vec<[u8; 3]>,
    /// Reads the texts of pictures, where that is wanted.
    pub reader: Option<Arc<TextReader>>,
    /// How long a screen may take to show what a script or an expectation waits for.
    pub patience: Duration,
}

/// What judging a screen needs.
pub struct Judgement {
    /// The model.
    pub embedder: Arc<dyn Embedder>,
    /// Weights of the ranking.
    pub weights: Weights,
    /// Cue words.
    pub cues: Cues,
}

impl Judgement {
    /// Scores with these, for `skills`.
    pub fn scorer<'a>(&'a self, skills: &'a Library) -> Scorer<'a> {
        Scorer { embedder: self.embedder.as_ref(), weights: &self.weights, cues: &self.cues, skills }
    }
}

/// Writes what people read about a finished run; a consumer of its events.
pub trait RunReporter: Send + Sync {
    /// Writes into the recording's folder.
    fn write(&self, events: &[RunEvent], folder: &Path) -> Result<(), String>;
}

/// Writes nothing.
pub struct NoReports;

impl RunReporter for NoReports {
    fn write(&self, _events: &[RunEvent], _folder: &Path) -> Result<(), String> {
        Ok(())
    }
}

/// Where runs leave their traces.
#[derive(Clone)]
pub struct Places {
    /// Writes the reports of a recording.
    pub reporter: Arc<dyn RunReporter>,
    /// Recordings and reports; `None` keeps none.
    pub output: Option<PathBuf>,
    /// Persistent scripts; `None` keeps none.
    pub scripts: Option<PathBuf>,
    /// Maps of the apps; `None` keeps none.
    pub maps: Option<MapStore>,
    /// The workspace; paths in results are relative to it where possible.
    pub root: PathBuf,
}

/// What belongs to one run.
pub struct RunContext<'a> {
    /// The run.
    pub run_id: RunId,
    /// The device.
    pub connected: &'a ConnectedDevice,
    /// The devices of the actors, where the case has some.
    pub company: &'a BTreeMap<String, ConnectedDevice>,
    /// The skills.
    pub skills: &'a Library,
    /// Where traces go.
    pub places: &'a Places,
    /// Seed of every random choice.
    pub seed: u64,
    /// Takes the events as they happen.
    pub live: UnboundedSender<RunEvent>,
    /// Fires when the run should end.
    pub cancel: CancellationToken,
}

/// Runs a planned case to its verdict.
pub async fn run_case<'a>(context: RunContext<'a>, case: &'a PlannedCase, judgement: &'a Judgement) -> RunResult {
    let calls_before = judgement.embedder.model_calls();
    let secrets: Vec<Secret> = case.secrets.values().cloned().collect();
    let mut run = Run::begin(context, &case.id, &case.title, &secrets);
    run.private.extend(case.parameters.iter().map(|parameter| parameter.value.expose().to_owned()));
    if !case.cast.is_empty() {
        let outcome = ensemble::play(&mut run, case, judgement).await;
        let model_calls = judgement.embedder.model_calls() - calls_before;
        return run.end(outcome, model_calls);
    }
    let outcome = match run.start_app(&case.package, case.apk.as_deref()).await {
        Ok(mut seen) => {
            let outcome = run.work(case, judgement, &mut seen).await;
            run.blame_crash(outcome, &case.package).await
        }
        Err(outcome) => outcome,
    };
    let model_calls = judgement.embedder.model_calls() - calls_before;
    run.end(outcome, model_calls)
}

/// Replays a script to its verdict.
pub async fn replay_script(
    context: RunContext<'_>,
    script: &Script,
    apk: Option<&Path>,
    secrets: &BTreeMap<String, Secret>,
) -> RunResult {
    let hidden: Vec<Secret> = secrets.values().cloned().collect();
    let mut run = Run::begin(context, &script.case_id, &script.title, &hidden);
    let outcome = match run.start_app(&script.app.package, apk).await {
        Ok(mut seen) => {
            let outcome = run.replay(script, secrets, &mut seen).await;
            run.blame_crash(outcome, &script.app.package).await
        }
        Err(outcome) => outcome,
    };
    run.end(outcome, 0)
}

/// How a run ended, before it is summed up.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    script: Option<PathBuf>,
}

impl Outcome {
    pub(super) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), script: None }
    }

    pub(super) fn error(error: &impl ToString) -> Self {
        Self::new(Verdict::Error, error.to_string())
    }
}

/// Looks for a crash behind a bad ending.
pub(super) async fn blame_crash(device: &dyn Device, outcome: Outcome, package: &PackageName) -> Outcome {
    if !matches!(outcome.verdict, Verdict::Failed | Verdict::Blocked) {
        return outcome;
    }
    match device.crashes(package).await {
        Ok(crashes) => match crashes.last().map(|report| crash_reason(report)) {
            Some(crash) if !outcome.reason.contains(&crash) => {
                Outcome::new(Verdict::Failed, format!("{crash} ({})", outcome.reason))
            }
            _ => outcome,
        },
        Err(error) => {
            tracing::warn!(%error, "whether the app crashed is not known");
            outcome
        }
    }
}

/// What the case expects and the screen does not show, in words; `None` where it expects nothing.
fn unmet(case: &PlannedCase, seen: &Seen) -> Option<Vec<String>> {
    let open = |wanted: &&Expectation| !script::expect(wanted, &case.secrets, &seen.screen).held;
    let all = &case.expectations;
    (!all.is_empty()).then(|| all.iter().filter(open).map(ToString::to_string).collect())
}

/// What the case expects to see, as far as no secret is in it.
fn expected_texts(case: &PlannedCase) -> Vec<String> {
    let shown = case.expectations.iter().filter_map(|wanted| match wanted {
        Expectation::Visible(text) => Some(text.clone()),
        Expectation::Checked { widget, .. } => Some(widget.clone()),
        Expectation::Value { field, .. } => Some(field.clone()),
        Expectation::Absent(_) => None,
    });
    shown.filter(|text| !text.contains("${")).collect()
}

pub(super) struct Run<'a> {
    pub(super) context: RunContext<'a>,
    case_id: CaseId,
    pub(super) recorder: RunRecorder,
    pub(super) secrets: &'a [Secret],
    /// Texts that belong to the run and never into the app's map.
    private: Vec<String>,
    app_version: Option<String>,
}

impl<'a> Run<'a> {
    fn begin(context: RunContext<'a>, case_id: &CaseId, title: &str, secrets: &'a [Secret]) -> Self {
        let recording = context.places.output.as_ref().and_then(|output| {
            // A recording that cannot be kept must not fail the run.
            RecordingWriter::create(output, case_id, &context.run_id)
                .inspect_err(|error| tracing::error!("{error}"))
                .ok()
        });
        let mut recorder = RunRecorder::new(context.run_id.clone(), context.live.clone(), recording);
        recorder.emit(EventKind::RunStarted {
            case_id: case_id.clone(),
            title: title.to_owned(),
            device: device_view(context.connected),
            seed: context.seed,
            started_at: now(),
        });
        let private = secrets.iter().map(|secret| secret.expose().to_owned()).collect();
        Self { context, case_id: case_id.clone(), recorder, secrets, private, app_version: None }
    }

    fn device(&self) -> &'a dyn Device {
        self.context.connected.device.as_ref()
    }

    fn eyes(&self) -> Eyes<'a> {
        self.eyes_on(self.context.connected)
    }

    pub(super) fn eyes_on(&self, connected: &'a ConnectedDevice) -> Eyes<'a> {
        Eyes {
            device: connected.device.as_ref(),
            display: connected.info.display,
            link_colours: &connected.link_colours,
            reader: connected.reader.as_deref(),
            secrets: self.secrets,
        }
    }

    /// Installs the app where it is missing, starts it with clean data, and looks.
    async fn start_app(&mut self, package: &PackageName, apk: Option<&Path>) -> Result<Seen, Outcome> {
        self.recorder.learn_of(package);
        let started = start(self.device(), package, apk).await;
        self.app_version = started.map_err(|error| Outcome::error(&error))?;
        self.eyes().look(&mut self.recorder).await.map_err(|error| Outcome::error(&error))
    }

    async fn work(&mut self, case: &PlannedCase, judgement: &Judgement, seen: &mut Seen) -> Outcome {
        // A goal's map learns on the way; steps are worked on with what is known when the case begins.
        let (known, learning) = match self.planning(case, judgement) {
            Ok(planning) => planning,
            Err(outcome) => return outcome,
        };
        let mut agent = Agent {
            eyes: self.eyes(),
            scorer: judgement.scorer(self.context.skills),
            skills: self.context.skills,
            planning: &known,
            parameters: &case.parameters,
            title: &case.title,
            preferences: &case.preferences,
            package: case.package.clone(),
            budget: Budget { actions: case.budget.actions, time: case.budget.time },
            started: self.recorder.started(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: self.context.cancel.clone(),
        };
        let mut planning = case.is_goal.then_some(learning);
        let unmet = |seen: &Seen| unmet(case, seen);
        let destination = Destination { unmet: &unmet, texts: expected_texts(case), seed: self.context.seed };
        let goal = |seen: &Seen| {
            (!case.expectations.is_empty()).then(|| {
                case.expectations.iter().all(|wanted| script::expect(wanted, &case.secrets, &seen.screen).held)
            })
        };
        // A goal is one thing; a step is what it says, one after another.
        let clauses = if case.is_goal { &case.steps } else { &case.clauses };
        let mut begun = None;
        for (position, step) in clauses.iter().enumerate() {
            if begun.replace(step.index) != Some(step.index) {
                self.begin_step(case, step.index);
            }
            let next = clauses.get(position + 1);
            let worked = match &mut planning {
                Some(planning) => agent.reach(step, planning, &destination, seen, &mut self.recorder).await,
                None => agent.work_on(step, next, &goal, seen, &mut self.recorder).await,
            };
            let outcome = match worked {
                Ok(outcome) => outcome,
                Err(error @ (AgentError::Device(_) | AgentError::Embed(_) | AgentError::Interrupted)) => {
                    StepOutcome { verdict: Verdict::Error, reason: error.to_string() }
                }
            };
            let stopped = outcome.verdict != Verdict::Passed;
            if stopped || next.is_none_or(|next| next.index != step.index) {
                self.recorder.emit(EventKind::StepFinished {
                    index: step.index,
                    verdict: outcome.verdict,
                    reason: outcome.reason.clone(),
                });
            }
            if stopped {
                return Outcome::new(outcome.verdict, format!("step {}: {}", step.index, outcome.reason));
            }
        }
        if let Some(last) = case.steps.last() {
            let held = |seen: &Seen| goal(seen) != Some(false);
            if let Err(error) = agent.uncover(last, &held, seen, &mut self.recorder).await {
                return Outcome::error(&error);
            }
        }
        let deeds = agent.deeds;
        let patience = self.context.connected.patience;
        let eyes = self.eyes();
        let awaited =
            script::await_expectations(&eyes, &case.expectations, &case.secrets, patience, seen, &mut self.recorder);
        match awaited.await {
            Err(error) => Outcome::error(&error),
            Ok(outcomes) => {
                let verdict = self.judge(outcomes);
                if verdict.verdict == Verdict::Passed { self.record_script(case, &deeds) } else { verdict }
            }
        }
    }

    fn begin_step(&mut self, case: &PlannedCase, index: usize) {
        if let Some(step) = case.steps.iter().find(|step| step.index == index) {
            self.recorder.emit(EventKind::StepStarted {
                index,
                instruction: step.original.clone(),
                rewritten: step.instruction.clone(),
            });
        }
    }

    /// Emits the outcomes; failed when one does not hold.
    pub(super) fn judge(&mut self, outcomes: Vec<ExpectationOutcome>) -> Outcome {
        let unmet = outcomes
            .iter()
            .find(|outcome| !outcome.held)
            .map(|outcome| format!("expected {}: {}", outcome.expectation, outcome.evidence));
        for outcome in outcomes {
            self.recorder.emit(EventKind::ExpectationChecked { outcome });
        }
        match unmet {
            Some(reason) => Outcome::new(Verdict::Failed, reason),
            None => Outcome::new(Verdict::Passed, ""),
        }
    }

    fn record_script(&mut self, case: &PlannedCase, deeds: &[Deed]) -> Outcome {
        let Some(scripts) = &self.context.places.scripts else { return Outcome::new(Verdict::Passed, "") };
        let instruction = |index: usize| {
            case.steps.iter().find(|step| step.index == index).map(|step| step.original.clone()).unwrap_or_default()
        };
        let traces: Vec<ActionTrace> = deeds
            .iter()
            .map(|deed| ActionTrace {
                step: deed.step,
                instruction: instruction(deed.step),
                action: deed.action.clone(),
                held: deed.held,
                before: deed.before,
                screen: deed.screen.clone(),
                after: deed.after,
            })
            .collect();
        let connected = self.context.connected;
        let app = AppView { package: case.package.clone(), version: self.app_version.clone() };
        let recorded = script::record(
            self.context.skills,
            &case.id,
            &case.title,
            &connected.profile,
            &now(),
            app,
            &connected.info,
            &case.expectations,
            &traces,
        )
        .map_err(|error| error.to_string())
        .and_then(|script| script.write(scripts).map_err(|error| error.to_string()));
        match recorded {
            Ok(path) => {
                let path = path.strip_prefix(&self.context.places.root).unwrap_or(&path).to_owned();
                self.recorder.emit(EventKind::ScriptWritten { path: path.display().to_string() });
                Outcome { script: Some(path), ..Outcome::new(Verdict::Passed, "") }
            }
            // The case passed; a script that cannot be kept does not change that, but must be said.
            Err(reason) => Outcome::new(Verdict::Passed, format!("passed, but no script was recorded: {reason}")),
        }
    }

    async fn replay(&mut self, script: &Script, secrets: &BTreeMap<String, Secret>, seen: &mut Seen) -> Outcome {
        let connected = self.context.connected;
        let replayer =
            Replayer { eyes: self.eyes(), skills: self.context.skills, secrets, patience: connected.patience };
        let cancel = self.context.cancel.clone();
        let mut steps = StepTracker { recorder: &mut self.recorder, script, current: None };
        let replayed = replayer.replay(script, seen, &mut steps, &cancel).await;
        let open = steps.current;
        let (verdict, reason, outcomes) = match replayed {
            Ok(replayed) => match replayed.divergence {
                Some(divergence) => {
                    let reason = format!("diverged at action {}: {}", divergence.action, divergence.reason);
                    (Verdict::Blocked, reason, Vec::new())
                }
                None => (Verdict::Passed, String::new(), replayed.expectations),
            },
            Err(error @ (ReplayError::MissingSecret(_) | ReplayError::Malformed { .. })) => {
                (Verdict::Blocked, error.to_string(), Vec::new())
            }
            Err(error @ (ReplayError::Device(_) | ReplayError::Interrupted)) => {
                (Verdict::Error, error.to_string(), Vec::new())
            }
        };
        if let Some(index) = open {
            self.recorder.emit(EventKind::StepFinished { index, verdict, reason: reason.clone() });
        }
        if verdict == Verdict::Passed { self.judge(outcomes) } else { Outcome::new(verdict, reason) }
    }

    /// A case that went wrong because the app crashed has failed, wherever that showed first: a crash may come late, and
    /// then the next step finds nothing that fits.
    async fn blame_crash(&self, outcome: Outcome, package: &PackageName) -> Outcome {
        blame_crash(self.device(), outcome, package).await
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

    /// What is known of the app from earlier runs.
    pub(super) fn map(&self, package: &PackageName, version: Option<&str>) -> AppMap {
        let maps = self.context.places.maps.as_ref();
        maps.map(|maps| maps.load_or_begin(package.as_str(), version)).unwrap_or_default()
    }

    /// Adds what was learned of the app to its map. A map that cannot be kept does not change the verdict.
    fn keep_map(&mut self) {
        let (Some(maps), Some(learner)) = (&self.context.places.maps, self.recorder.learner()) else { return };
        self.private.extend(learner.typed().iter().cloned());
        let (package, version) = (learner.package(), self.app_version.as_deref());
        if let Err(error) = maps.add(package, version, learner.found(), &self.private) {
            tracing::warn!("{error}");
        }
    }

    /// Sums up, writes summary and report, and publishes the recording.
    fn end(mut self, outcome: Outcome, model_calls: u64) -> RunResult {
        self.keep_map();
        let mut counts = self.recorder.counts();
        counts.model_calls = model_calls;
        let recorded = self.context.places.output.is_some();
        let outcome = match (outcome.verdict, self.recorder.blindness()) {
            // What could not be seen says nothing about the app.
            (Verdict::Failed | Verdict::Blocked, Some(why)) => {
                let reason = format!("{why}; seen without it: {}", outcome.reason);
                Outcome { verdict: Verdict::Error, reason, ..outcome }
            }
            _ => outcome,
        };
        let result = RunResult {
            schema: 1,
            run_id: self.context.run_id.clone(),
            case_id: self.case_id.clone(),
            verdict: outcome.verdict,
            reason: outcome.reason,
            flaky: false,
            repaired: false,
            attempts: 1,
            device: device_view(self.context.connected),
            steps: self.recorder.steps().to_vec(),
            counts,
            diagnostics: self.recorder.diagnostics().to_vec(),
            acquisition: self.recorder.acquisition().clone(),
            timings_ms: self.recorder.timings(),
            script: outcome.script.map(|path| path.display().to_string()),
            artifacts: if recorded {
                ["events.jsonl", "report.html", "result.json", "screens"].map(str::to_owned).to_vec()
            } else {
                Vec::new()
            },
        };
        self.recorder.emit(EventKind::RunFinished { result: result.clone() });
        if let Some(recording) = self.recorder.take_recording() {
            let published = recording.finish().map_err(|error| error.to_string()).and_then(|finished| {
                self.context.places.reporter.write(self.recorder.events(), finished.unpublished())?;
                finished.publish().map_err(|error| error.to_string())
            });
            if let Err(error) = published {
                tracing::error!("{error}");
            }
        }
        result
    }
}

/// Adds the step events around the actions of a script.
struct StepTracker<'a> {
    recorder: &'a mut RunRecorder,
    script: &'a Script,
    current: Option<usize>,
}

impl StepTracker<'_> {
    fn enter(&mut self, index: usize) {
        if self.current == Some(index) {
            return;
        }
        if let Some(done) = self.current.replace(index) {
            self.recorder.emit(EventKind::StepFinished {
                index: done,
                verdict: Verdict::Passed,
                reason: "replayed".into(),
            });
        }
        let instruction = self
            .script
            .actions
            .iter()
            .find(|action| action.step == index)
            .map(|action| action.instruction.clone())
            .unwrap_or_default();
        self.recorder.emit(EventKind::StepStarted { index, rewritten: instruction.clone(), instruction });
    }
}

impl EventSink for StepTracker<'_> {
    fn emit(&mut self, kind: EventKind) {
        if let EventKind::Acted { step, .. } = &kind {
            self.enter(*step);
        }
        self.recorder.emit(kind);
    }
}

impl Recorder for StepTracker<'_> {
    fn screen(&mut self, screen: &crate::hierarchy::Screen, observation: &crate::device::Observation, observe_ms: f64) {
        self.recorder.screen(screen, observation, observe_ms);
    }
}

fn device_view(connected: &ConnectedDevice) -> DeviceView {
    DeviceView { serial: connected.info.serial.clone(), profile: connected.profile.clone(), api: connected.info.api }
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Makes devices ready by serial.
#[async_trait::async_trait]
pub trait DeviceConnector: Send + Sync {
    /// Connects, describes and matches a profile.
    async fn connect(&self, serial: &DeviceSerial) -> Result<ConnectedDevice, DeviceError>;
}
