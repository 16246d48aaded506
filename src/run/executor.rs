//! Carrying out a case, or replaying a script, on one device: both leave the same stream of events and the same
//! summary.

use super::agenda::Item;
use super::attempt::Tries;
use super::build::Build;
use super::doubts::{Doubts, Sight};
use super::early::Early;
use super::ensemble;
use super::expected::blame_crash;
use super::language::Language;
use super::masking::hide_result;
use super::plan::PlannedCase;
use super::recorder::RunRecorder;
use super::recording::RecordingWriter;
use super::repair::{CaseMender, Repair};
use super::reprise;
use super::start::start;
use super::step_tracker::StepTracker;
use crate::app_map::{AppMap, MapStore};
use crate::device::{Device, DeviceError, DeviceInfo, Eyes, Seen};
use crate::domain::{
    AppVersion, Attribution, CaseId, DeviceSerial, DeviceView, EventKind, EventSink, Expectation, ExpectationOutcome,
    PackageName, Place, RunEvent, RunId, RunResult, Secret, SecretMask, Verdict,
};
use crate::hierarchy::Screen;
use crate::inference::Embedder;
use crate::pipeline::{Knowledge, StepOutcome};
use crate::ranking::{Cues, Scorer, Weights};
use crate::script::{Divergence, Mender, NoMender, Proposal, ReplayError, Replayed, Replayer, Script, Trust};
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
    /// What is known of the language it shows the app in.
    pub language: Language,
}

impl ConnectedDevice {
    /// Eyes on it, to which secrets stay hidden.
    pub(super) fn eyes<'e>(&'e self, mask: &'e SecretMask) -> Eyes<'e> {
        Eyes {
            device: self.device.as_ref(),
            display: self.info.display,
            link_colours: &self.link_colours,
            reader: self.reader.as_deref(),
            mask,
            bridge: self.language.bridge(),
        }
    }
}

/// What judging a screen needs.
pub struct Judgement {
    /// The model.
    pub embedder: Arc<dyn Embedder>,
    /// Weights of the ranking.
    pub weights: Weights,
    /// Cue words.
    pub cues: Cues,
    /// What the agent knows of language, and its weights.
    pub knowledge: Knowledge,
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

impl Places {
    /// What there is to tell of a proposal that took the place of another one; empty where it took nobody's.
    pub(super) fn told_of(&self, proposal: &Proposal) -> String {
        let Some(kept) = &proposal.replaced else { return String::new() };
        let kept = kept.strip_prefix(&self.root).unwrap_or(kept).display();
        format!("; another one that waited is kept as {kept} until then")
    }
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
    let mask = SecretMask::new(case.secrets.values());
    let mut run = Run::begin(context, &case.id, &case.title, &mask);
    run.private.extend(case.secrets.values().map(|secret| secret.expose().to_owned()));
    run.private.extend(case.parameters.iter().map(|parameter| parameter.value.expose().to_owned()));
    if case.expectations.iter().any(|wanted| matches!(wanted, Expectation::Toast(_))) {
        run.recorder.keep_moments();
    }
    if !case.cast.is_empty() {
        let outcome = ensemble::play(&mut run, case, judgement).await;
        let seat = |actor: &'a super::plan::PlannedActor| {
            Some((actor.name.as_str(), run.context.company.get(&actor.name)?, &actor.package))
        };
        let seats: Vec<_> = case.cast.iter().filter_map(seat).collect();
        run.keep_log(&outcome, &seats).await;
        return run.end(outcome, ModelUse::since(calls_before, judgement));
    }
    let outcome = match run.start_app(&case.package, case.build().as_ref(), case.location).await {
        Ok(mut seen) => {
            run.early.note("", &case.expectations, &case.secrets, &seen);
            let outcome = run.work(case, judgement, &mut seen).await;
            run.blame_crash(outcome, &case.package).await
        }
        Err(outcome) => outcome,
    };
    run.keep_log(&outcome, &[("", run.context.connected, &case.package)]).await;
    run.end(outcome, ModelUse::since(calls_before, judgement))
}

/// Replays a script to its verdict. `builds` holds what to install for each actor; on one device under the empty name.
/// With a `repair` a way is looked for where the script does not fit any more. It begins with the action `from` (from 0);
/// `remark` is told whatever it says of the app.
pub(super) async fn replay_script<'a>(
    context: RunContext<'a>,
    script: &'a Script,
    builds: &BTreeMap<String, Build>,
    secrets: &'a BTreeMap<String, Secret>,
    repair: Option<&'a Repair<'a>>,
    (from, remark): (usize, Option<String>),
) -> RunResult {
    let mask = SecretMask::new(secrets.values());
    let mut run = Run::begin(context, &script.case_id, &script.title, &mask);
    run.private.extend(secrets.values().map(|secret| secret.expose().to_owned()));
    run.remark = remark;
    if !script.actors.is_empty() {
        let outcome = reprise::play(&mut run, script, builds, secrets).await;
        let company = run.context.company;
        let seats = script.actors.iter();
        let seats: Vec<_> =
            seats.filter_map(|(name, actor)| Some((name.as_str(), company.get(name)?, &actor.app.package))).collect();
        run.keep_log(&outcome, &seats).await;
        return run.end(outcome, ModelUse::default());
    }
    let build = builds.get("");
    let begun = match from {
        0 => run.start_app(&script.app.package, build, script.app.location).await,
        _ => run.go_on(&script.app.package, build).await,
    };
    let mut seen = match begun {
        Ok(seen) => seen,
        Err(outcome) => return run.end(outcome, ModelUse::default()),
    };
    // What an app shows in the middle of a script tells nothing of its start.
    if from == 0 {
        run.early.note("", &script.expectations, secrets, &seen);
    }
    let Some(repair) = repair else {
        let way = Way { trust: Trust::Place, from };
        let outcome = run.replay(script, secrets, &mut NoMender, way, &mut seen).await;
        let outcome = run.blame_crash(outcome, &script.app.package).await;
        run.keep_log(&outcome, &[("", run.context.connected, &script.app.package)]).await;
        return run.end(outcome, ModelUse::default());
    };
    let map = run.map(&script.app.package, run.app_version.as_deref());
    let mut mender = CaseMender::new(repair, &run.context, &mask, map);
    let outcome = run.replay(script, secrets, &mut mender, Way { trust: Trust::Name, from }, &mut seen).await;
    let outcome = run.blame_crash(outcome, &script.app.package).await;
    let outcome = run.conclude_repair(outcome, repair, script, &mender);
    let model = mender.model_use();
    drop(mender);
    run.keep_log(&outcome, &[("", run.context.connected, &script.app.package)]).await;
    run.end(outcome, model)
}

/// Which model decided in a run, and how often it ran.
#[derive(Debug, Default)]
pub(super) struct ModelUse {
    /// `None` when none decided.
    name: Option<String>,
    /// Answers from the cache are not counted.
    calls: u64,
}

impl ModelUse {
    /// A judgement's model, and what it ran since it had run so often.
    pub(super) fn since(before: u64, judgement: &Judgement) -> Self {
        Self { name: Some(judgement.embedder.name().to_owned()), calls: judgement.embedder.model_calls() - before }
    }
}

/// How a script is replayed.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// What is enough to take a widget for the recorded one.
    trust: Trust,
    /// The action it begins with, from 0.
    from: usize,
}

/// How a run ended, before it is summed up.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    pub(super) script: Option<PathBuf>,
    /// A script had to be repaired on the way.
    pub(super) repaired: bool,
    /// Whose fault it is that it did not pass, where that was judged.
    pub(super) attribution: Option<Attribution>,
}

impl Outcome {
    pub(super) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), script: None, repaired: false, attribution: None }
    }

    pub(super) fn error(error: &impl ToString) -> Self {
        Self::new(Verdict::Error, error.to_string())
    }
}

/// What came of what a case expects.
pub(super) struct Checked {
    /// Each expectation.
    pub(super) outcomes: Vec<ExpectationOutcome>,
    /// What the last screens show of it.
    pub(super) sight: Sight,
}

pub(super) struct Run<'a> {
    pub(super) context: RunContext<'a>,
    case_id: CaseId,
    pub(super) recorder: RunRecorder,
    /// Hides the values of secrets in whatever is told.
    pub(super) mask: &'a SecretMask,
    /// Texts that belong to the run and never into the app's map.
    private: Vec<String>,
    pub(super) app_version: Option<String>,
    /// How sure it is that the steps were carried out.
    pub(super) doubts: Doubts,
    /// What was expected and held before the first action.
    pub(super) early: Early,
    /// How often the case was tried.
    pub(super) tries: Tries,
    /// What is to be told besides, whether it passed or failed.
    remark: Option<String>,
    /// The apps that were started.
    apps: Vec<AppVersion>,
    /// What each attempt that did not pass did, as a script; by the attempt's number.
    pub(super) failing: BTreeMap<u32, String>,
}

impl<'a> Run<'a> {
    fn begin(context: RunContext<'a>, case_id: &CaseId, title: &str, mask: &'a SecretMask) -> Self {
        let recording = context.places.output.as_ref().and_then(|output| {
            // A recording that cannot be kept must not fail the run.
            RecordingWriter::create(output, case_id, &context.run_id)
                .inspect_err(|error| tracing::error!("{error}"))
                .ok()
        });
        let mut recorder = RunRecorder::new(context.run_id.clone(), context.live.clone(), recording, mask.clone());
        recorder.emit(EventKind::RunStarted {
            case_id: case_id.clone(),
            title: title.to_owned(),
            device: device_view(context.connected),
            seed: context.seed,
            started_at: now(),
        });
        Self {
            context,
            case_id: case_id.clone(),
            recorder,
            mask,
            private: Vec::new(),
            app_version: None,
            doubts: Doubts::default(),
            early: Early::default(),
            tries: Tries::default(),
            remark: None,
            apps: Vec::new(),
            failing: BTreeMap::new(),
        }
    }

    fn device(&self) -> &'a dyn Device {
        self.context.connected.device.as_ref()
    }

    pub(super) fn eyes(&self) -> Eyes<'a> {
        self.eyes_on(self.context.connected)
    }

    pub(super) fn eyes_on(&self, connected: &'a ConnectedDevice) -> Eyes<'a> {
        connected.eyes(self.mask)
    }

    /// Installs the app where it is missing, starts it, with clean data unless it was upgraded, and looks.
    pub(super) async fn start_app(
        &mut self,
        package: &PackageName,
        build: Option<&Build>,
        location: Option<Place>,
    ) -> Result<Seen, Outcome> {
        self.recorder.learn_of(package);
        let started = start(self.context.connected, package, build, location).await;
        self.app_version = started.map_err(|error| Outcome::error(&error))?;
        self.note_app("", package, self.app_version.clone());
        self.recorder.note(self.context.connected.language.take_trouble());
        self.first_look(self.context.connected, package).await.map_err(|error| Outcome::error(&error))
    }

    /// Notes an app that was started, and its version.
    pub(super) fn note_app(&mut self, actor: &str, package: &PackageName, version: Option<String>) {
        self.apps.retain(|known| known.actor != actor);
        self.apps.push(AppVersion { actor: actor.to_owned(), package: package.to_string(), version });
    }

    /// Tells that a step begins, where one does.
    pub(super) fn begin_item(&mut self, case: &PlannedCase, item: &Item<'_>) {
        let step = case.steps.iter().find(|step| step.index == item.step.index).filter(|_| item.begins);
        if let Some(step) = step {
            let by = if item.actor.is_empty() { String::new() } else { format!("{}: ", item.actor) };
            self.recorder.emit(EventKind::StepStarted {
                index: step.index,
                instruction: format!("{by}{}", step.original),
                rewritten: step.instruction.clone(),
            });
        }
    }

    /// Tells that a step ends, where one does; how the case ends where it cannot go on.
    pub(super) fn end_item(&mut self, item: &Item<'_>, outcome: StepOutcome) -> Option<Outcome> {
        let index = item.step.index;
        self.doubts.note(index, &item.step.original, item.actor, &outcome);
        let StepOutcome { verdict, reason, attribution, .. } = outcome;
        let stopped = verdict != Verdict::Passed;
        if stopped || item.ends {
            let confidence = self.doubts.of(index);
            self.recorder.emit(EventKind::StepFinished { index, verdict, reason: reason.clone(), confidence });
        }
        let by = if item.actor.is_empty() { String::new() } else { format!(" ({})", item.actor) };
        stopped.then(|| Outcome { attribution, ..Outcome::new(verdict, format!("step {index}{by}: {reason}")) })
    }

    /// Emits the outcomes; failed when one does not hold and every step was surely carried out.
    pub(super) fn judge(&mut self, outcomes: Vec<ExpectationOutcome>, shown: &[&Screen]) -> Outcome {
        let Checked { outcomes, sight } = self.checked(outcomes, shown);
        match outcomes.iter().find(|outcome| !outcome.held) {
            Some(unmet) => {
                let (verdict, reason) = self.doubts.judge(unmet, &sight);
                Outcome::new(verdict, reason)
            }
            None => Outcome::new(Verdict::Passed, ""),
        }
    }

    /// Emits the outcomes, marked where they held from the start and timed.
    pub(super) fn checked(&mut self, outcomes: Vec<ExpectationOutcome>, shown: &[&Screen]) -> Checked {
        let outcomes = self.early.mark("", outcomes);
        self.early.weigh(&outcomes);
        // What several devices showed is one stream, which says of none when it showed something.
        let alone = self.context.company.is_empty();
        let timed = |outcome| if alone { self.recorder.looks().tell(outcome) } else { outcome };
        let outcomes: Vec<ExpectationOutcome> = outcomes.into_iter().map(timed).collect();
        // What else was expected and is there, or is there with other numbers, shows that the steps led where they should.
        let wordings = || shown.iter().flat_map(|screen| screen.wordings());
        let sight = Sight {
            seen: outcomes.iter().filter_map(|outcome| outcome.text_seen()).map(str::to_owned).collect(),
            near: outcomes.iter().filter_map(|outcome| outcome.counterpart(wordings())).map(str::to_owned).collect(),
        };
        for outcome in outcomes.iter().cloned() {
            self.recorder.emit(EventKind::ExpectationChecked { outcome });
        }
        Checked { outcomes, sight }
    }

    async fn replay(
        &mut self,
        script: &Script,
        secrets: &BTreeMap<String, Secret>,
        mender: &mut dyn Mender,
        Way { trust, from }: Way,
        seen: &mut Seen,
    ) -> Outcome {
        let (patience, skills) = (self.context.connected.patience, self.context.skills);
        let replayer = Replayer { eyes: self.eyes(), skills, secrets, patience, trust, from };
        let cancel = self.context.cancel.clone();
        let mut steps = StepTracker { recorder: &mut self.recorder, script, current: None };
        let replayed = replayer.replay(script, seen, &mut steps, &cancel, mender).await;
        let open = steps.current;
        if let Ok(replayed) = &replayed {
            self.keep_progress(script, replayed.performed);
            self.note_failing_replay(script, replayed.performed);
        }
        let (verdict, reason, outcomes) = match replayed {
            Ok(Replayed { failure: Some(failure), .. }) => (Verdict::Failed, failure, Vec::new()),
            Ok(Replayed { divergence: None, expectations, .. }) => (Verdict::Passed, String::new(), expectations),
            Ok(Replayed { divergence: Some(divergence), .. }) => {
                let Outcome { verdict, reason, .. } = diverged(&divergence);
                (verdict, reason, Vec::new())
            }
            Err(error) => {
                let Outcome { verdict, reason, .. } = not_replayed(&error);
                (verdict, reason, Vec::new())
            }
        };
        if let Some(index) = open {
            self.recorder.emit(EventKind::StepFinished { index, verdict, reason: reason.clone(), confidence: None });
        }
        if verdict == Verdict::Passed { self.judge(outcomes, &[]) } else { Outcome::new(verdict, reason) }
    }

    /// A case that went wrong because the app crashed has failed, wherever that showed first: a crash may come late, and
    /// then the next step finds nothing that fits.
    pub(super) async fn blame_crash(&self, outcome: Outcome, package: &PackageName) -> Outcome {
        blame_crash(self.device(), outcome, package).await
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
    fn end(mut self, outcome: Outcome, model: ModelUse) -> RunResult {
        self.keep_map();
        let mut counts = self.recorder.counts();
        counts.model_calls = model.calls;
        let recorded = self.context.places.output.is_some();
        let outcome = match (outcome.verdict, self.recorder.flaw()) {
            // What could not be seen says nothing about the app.
            (Verdict::Passed | Verdict::Failed | Verdict::Blocked, Some(why)) => {
                let reason = format!("{why}; seen without it: {}", outcome.reason);
                Outcome { verdict: Verdict::Error, reason, ..outcome }
            }
            (Verdict::Passed, _) => Outcome { reason: self.early.told(outcome.reason), ..outcome },
            _ => outcome,
        };
        let reason = match (outcome.verdict, self.remark.take()) {
            (Verdict::Passed | Verdict::Failed, Some(remark)) if outcome.reason.is_empty() => remark,
            (Verdict::Passed | Verdict::Failed, Some(remark)) => format!("{}; {remark}", outcome.reason),
            _ => outcome.reason,
        };
        self.keep_failing(outcome.verdict);
        let mut result = RunResult {
            schema: 1,
            run_id: self.context.run_id.clone(),
            case_id: self.case_id.clone(),
            verdict: outcome.verdict,
            reason,
            flaky: false,
            repaired: outcome.repaired,
            attempts: self.tries.attempts,
            told_attempt: self.tries.told,
            device: device_view(self.context.connected),
            apps: std::mem::take(&mut self.apps),
            attribution: outcome.attribution.filter(|_| matches!(outcome.verdict, Verdict::Failed | Verdict::Blocked)),
            steps: self.recorder.steps().to_vec(),
            counts,
            diagnostics: self.recorder.diagnostics().to_vec(),
            acquisition: self.recorder.acquisition().clone(),
            model: model.name,
            timings_ms: self.recorder.timings(),
            script: outcome.script.map(|path| path.display().to_string()),
            artifacts: if recorded {
                let always = ["events.jsonl", "report.html", "result.json", "screens"].map(str::to_owned);
                always.into_iter().chain(self.recorder.kept().iter().cloned()).collect()
            } else {
                Vec::new()
            },
        };
        hide_result(self.mask, &mut result);
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

/// How a replay ends whose screen is not the recorded one.
pub(super) fn diverged(divergence: &Divergence) -> Outcome {
    Outcome::new(Verdict::Blocked, format!("diverged at action {}: {}", divergence.action, divergence.reason))
}

/// How a replay ends that could not go on.
pub(super) fn not_replayed(error: &ReplayError) -> Outcome {
    let verdict = match error {
        ReplayError::MissingSecret(_) | ReplayError::Malformed { .. } => Verdict::Blocked,
        ReplayError::Device(_) | ReplayError::Unreadable(_) | ReplayError::Interrupted => Verdict::Error,
    };
    Outcome::new(verdict, error.to_string())
}

fn device_view(connected: &ConnectedDevice) -> DeviceView {
    DeviceView { serial: connected.info.serial.clone(), profile: connected.profile.clone(), api: connected.info.api }
}

pub(super) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Makes devices ready by serial.
#[async_trait::async_trait]
pub trait DeviceConnector: Send + Sync {
    /// Connects, describes and matches a profile.
    async fn connect(&self, serial: &DeviceSerial) -> Result<ConnectedDevice, DeviceError>;
}
