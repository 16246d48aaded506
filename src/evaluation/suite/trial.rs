//! One case on one device of a suite, by the executor that `tapwright run` uses.

use super::ending::{AimKind, Ending, RunCost, RunReport, RunSetting, StepReport, TruthReport};
use super::error::SuiteError;
use super::examination::Examination;
use super::file::{Expected, SuiteDevice, SuiteRun};
use super::folder::Suite;
use super::fuzz::VariantReport;
use super::last_look::shows;
use super::phone::{Phone, Pictures, morning};
use super::truth::{StepJudgement, Watch, Yardstick};
use super::walkthrough::{Pace, Play, Walkthrough};
use crate::case::{Aim, Case};
use crate::device::Device;
use crate::domain::{ActionRecord, EventKind, Expectation, RunEvent, RunId, RunResult, StepResult, Verdict};
use crate::evaluation::watched_device::{WatchedDevice, Watcher};
use crate::run::{ConnectedDevice, Language, NoReports, Places, PlannedCase, RunContext, run_case};
use crate::virtual_device::AppFiles;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// How long a screen may take to show what an expectation waits for, as over adb.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// What is tried.
#[derive(Clone)]
pub(super) struct Trial<'a> {
    pub(super) suite: &'a Suite,
    pub(super) run: &'a SuiteRun,
    pub(super) case: &'a Case,
    /// Path and text of every app file that is installed.
    pub(super) apps: &'a [(PathBuf, String)],
    /// What is changed of the suite's own run.
    pub(super) variant: Option<&'a VariantReport>,
    pub(super) device: SuiteDevice,
    pub(super) seed: u64,
    /// How many runs were made before it: one case may run with other switches, or elsewhere.
    pub(super) number: usize,
}

/// What a trial came to, before it is summed up.
struct Found<'a> {
    result: &'a RunResult,
    events: &'a [RunEvent],
    /// Whether each expectation holds on the device.
    held: Vec<bool>,
    truth: TruthReport,
    /// By step of the case, from the first.
    steps: Vec<Option<StepJudgement>>,
    /// Real time that went into the devices.
    taken: Duration,
    /// Time that passed on the device.
    device_time: Duration,
}

impl Trial<'_> {
    pub(super) fn wrong(&self, reason: &dyn ToString) -> SuiteError {
        let (case, device) = (self.case.id.to_string(), self.device.to_string());
        SuiteError::Run { case, device, reason: reason.to_string() }
    }

    /// Runs it to its verdict.
    pub(super) async fn to_the_end(&self, examination: &Examination<'_>) -> Result<RunReport, SuiteError> {
        let params = self.suite.params_of(self.run, &self.device);
        let mut planned =
            PlannedCase::new(self.case, examination.rewriter, &params).map_err(|error| self.wrong(&error))?;
        let on_display = |expectation: &Expectation| {
            expectation.map_texts(|text| self.suite.in_language(text, &self.device.locale, &self.run.switches))
        };
        let awaited: Vec<Expectation> = planned.expectations.iter().map(on_display).collect();
        // Who knows no texts of the app cannot know what the display will say.
        if examination.strings.is_none() {
            planned.expectations.clone_from(&awaited);
        }
        let yardstick = self.yardstick()?;
        let Self { suite, seed, .. } = self;
        let phones = self.phones(examination.pictures)?;
        let (live, events) = unbounded_channel();
        let watch = Arc::new(Watch::new(phones.clone(), events));
        let mut company = BTreeMap::new();
        for (actor, phone) in &phones {
            company.insert(actor.clone(), self.connected(examination, phone, &watch).await?);
        }
        let first = phones.values().next().ok_or_else(|| self.wrong(&"it has no device"))?;
        let connected = self.connected(examination, first, &watch).await?;
        let maps = match &examination.known {
            Some(known) => Some(known.maps(self, examination).await?),
            None => None,
        };
        let places = Places {
            reporter: Arc::new(NoReports),
            output: examination.output.clone(),
            scripts: None,
            maps,
            root: PathBuf::from(&suite.folder),
        };
        let context = RunContext {
            run_id: RunId::from(format!("{}-{seed}-{}", self.case.id, self.number + 1).as_str()),
            connected: &connected,
            company: &company,
            skills: examination.skills,
            places: &places,
            seed: *seed,
            live,
            cancel: examination.cancel.clone(),
        };
        let result = run_case(context, &planned, examination.judgement).await;
        let taken = phones.values().map(|phone| phone.taken()).sum();
        // All of them live on one clock.
        let device_time = first.now();
        let (events, samples) = watch.end();
        let mut held = Vec::new();
        for (at, wanted) in awaited.iter().enumerate() {
            let phone = planned.witnesses.get(at).and_then(|actor| phones.get(actor)).unwrap_or(first);
            let declined = &self.case.preferences.decline;
            held.push(shows(phone, wanted, self.device.display, examination.skills, declined).await);
        }
        let (truth, steps) = match yardstick {
            Ok(yardstick) => self.judged(&yardstick, &samples, &result),
            Err(reason) => (TruthReport { unjudged: Some(reason), ..TruthReport::default() }, Vec::new()),
        };
        let found = Found { result: &result, events: &events, held, truth, steps, taken, device_time };
        let mut report = self.report(examination, found);
        for secret in planned.secrets.values() {
            report.hide(secret.expose());
        }
        Ok(report)
    }

    /// What the case's walkthrough leaves behind on this device; why that cannot be told where it cannot.
    fn yardstick(&self) -> Result<Result<Yardstick, String>, SuiteError> {
        if self.run.expect != Expected::Passed {
            return Ok(Err(format!("the run has to be {}", self.run.expect)));
        }
        if !Walkthrough::path(self.suite, self.case).is_file() {
            return Ok(Err("the case has no walkthrough".to_owned()));
        }
        let walkthrough = Walkthrough::load(self.suite, self.case)?;
        let Some(attribution) = walkthrough.attribution(self.case.aim.instructions().len()) else {
            return Ok(Err("the walkthrough does not say which action belongs to which step".to_owned()));
        };
        let Self { suite, case, run, apps, seed, .. } = *self;
        let play = |pace: Pace| Play { suite, case, run, device: &self.device, seed, apps, pace }.to_the_end();
        let (played, later) = (play(Pace::Brisk)?, play(Pace::Leisurely)?);
        if played.verdict != Expected::Passed {
            return Ok(Err(format!("the walkthrough {}: {}", played.verdict, played.reason)));
        }
        let answers = walkthrough.answers(&case.preferences);
        Ok(Ok(Yardstick::of(played, &later, &attribution, suite.view_variables(), (&walkthrough.free, &answers))))
    }

    /// Judges the run by what was true on the way.
    fn judged(
        &self,
        yardstick: &Yardstick,
        samples: &[super::truth::Sampled],
        result: &RunResult,
    ) -> (TruthReport, Vec<Option<StepJudgement>>) {
        let total = self.case.aim.instructions().len();
        // The last attempt left the state; what any of them did beyond the walkthrough counts.
        let attempt = samples.last().map_or(0, |sample| sample.attempt);
        let begun = samples.iter().position(|sample| sample.attempt == attempt).unwrap_or_default();
        let last = samples.get(begun..).unwrap_or_default();
        let verdict = |step: usize| -> Option<Verdict> {
            result.steps.iter().find(|known| known.index == step).map(|known| known.verdict)
        };
        let steps: Vec<Option<StepJudgement>> =
            (1..=total).map(|step| yardstick.step(step, last, verdict(step))).collect();
        let known = || steps.iter().flatten();
        let end = yardstick.end(last);
        let truth = TruthReport {
            steps_judged: known().count(),
            steps_right: known().filter(|step| step.right).count(),
            end_right: Some(end.right),
            end_differs: end.differs,
            unasked: yardstick.unasked(samples),
            unjudged: None,
        };
        (truth, steps)
    }

    /// A device for each actor, sharing what apps share and the clock; one where there are none.
    fn phones(&self, pictures: Pictures) -> Result<BTreeMap<String, Arc<Phone>>, SuiteError> {
        let (files, clock) = (Arc::new(AppFiles::default()), morning());
        let Self { apps, run, device, seed, case, .. } = self;
        let phone = |location: Option<&str>| {
            let location = location.or(run.location.as_deref());
            Phone::new(device, *seed, &run.switches, location, &files, &clock, apps)
                .map(|phone| phone.showing(pictures))
        };
        if case.actors.is_empty() {
            return Ok(BTreeMap::from([(String::new(), Arc::new(phone(None)?))]));
        }
        case.actors
            .iter()
            .map(|(name, actor)| Ok((name.clone(), Arc::new(phone(actor.location.as_deref())?.called(name)))))
            .collect()
    }

    async fn connected(
        &self,
        examination: &Examination<'_>,
        phone: &Arc<Phone>,
        watch: &Arc<Watch>,
    ) -> Result<ConnectedDevice, SuiteError> {
        let device = WatchedDevice::new(Arc::clone(phone) as Arc<dyn Device>, Arc::clone(watch) as Arc<dyn Watcher>);
        let plain = self.plain(examination, phone).await?;
        Ok(ConnectedDevice { device: Arc::new(device), ..plain })
    }

    /// The device itself, which nobody watches.
    pub(super) async fn plain(
        &self,
        examination: &Examination<'_>,
        phone: &Arc<Phone>,
    ) -> Result<ConnectedDevice, SuiteError> {
        Ok(ConnectedDevice {
            device: Arc::clone(phone) as Arc<dyn Device>,
            info: phone.describe().await.map_err(|error| self.wrong(&error))?,
            profile: "virtual-phone".to_owned(),
            link_colours: examination.link_colours.to_vec(),
            reader: examination.reader.clone(),
            patience: PATIENCE,
            language: examination.strings.as_ref().map_or_else(Language::unknown, Language::of),
        })
    }

    fn setting(&self, examination: &Examination<'_>) -> RunSetting {
        let package = self.case.app.package.to_string();
        let sample = self.suite.status.sample(&examination.fitted_on, &package);
        RunSetting {
            suite: self.suite.name.clone(),
            case: self.case.id.to_string(),
            package,
            tags: self.case.tags.clone(),
            aim: if matches!(self.case.aim, Aim::Goal(_)) { AimKind::Goal } else { AimKind::Steps },
            language: self.suite.language.clone(),
            locale: self.device.locale.clone(),
            sample,
            device: self.device.to_string(),
            variant: self.variant.cloned(),
            switches: self.run.switches.clone(),
            seed: self.seed,
            why: self.run.why.clone(),
        }
    }

    fn report(&self, examination: &Examination<'_>, found: Found<'_>) -> RunReport {
        let Found { result, events, held, truth, steps, taken, device_time } = found;
        let all_held = held.iter().all(|held| *held);
        let step = |step: &StepResult| {
            let judged = step.index.checked_sub(1).and_then(|at| steps.get(at)).and_then(Option::as_ref);
            StepReport {
                instruction: step.rewritten.clone(),
                verdict: step.verdict,
                reason: step.reason.clone(),
                actions: step.actions.iter().map(done).collect(),
                right: judged.map(|judged| judged.right),
                differs: judged.map(|judged| judged.differs.clone()).unwrap_or_default(),
            }
        };
        RunReport {
            setting: self.setting(examination),
            expected: self.run.expect,
            verdict: result.verdict,
            held: all_held,
            ending: Ending::of(result.verdict, self.run.expect, all_held, truth.end_right),
            reason: result.reason.clone(),
            fault: result.attribution.as_ref().map(|attribution| attribution.probability),
            signs: result.attribution.iter().flat_map(|attribution| attribution.evidence.iter().cloned()).collect(),
            steps_total: self.case.aim.instructions().len(),
            steps: result.steps.iter().map(step).collect(),
            truth,
            expectations_held: held.iter().filter(|held| **held).count(),
            expectations: held.len(),
            cost: cost(result, events, taken, device_time),
        }
    }
}

/// What the run took, as its events and its result tell.
fn cost(result: &RunResult, events: &[RunEvent], taken: Duration, device_time: Duration) -> RunCost {
    let mut cost = RunCost {
        actions: result.counts.actions,
        device_seconds: device_time.as_secs_f64(),
        overhead_ms: (result.timings_ms.total - taken.as_secs_f64() * 1000.0).max(0.0),
        model_calls: result.counts.model_calls,
        ..RunCost::default()
    };
    for event in events {
        match &event.kind {
            EventKind::Decided { decide_ms, .. } => cost.decisions.push(*decide_ms),
            EventKind::Acted { valid, action, .. } => {
                cost.invalid_actions += u64::from(!valid);
                cost.restarts += u64::from(action.skill() == "open_app");
            }
            _ => {}
        }
    }
    cost
}

/// An action in a few words; secrets only by name.
fn done(action: &ActionRecord) -> String {
    let what = action.args.get("text").map(|text| match text.as_str() {
        Some(text) => format!(" {text:?}"),
        None => format!(" {text}"),
    });
    let target = action.target.as_ref().map(|label| format!(" {label:?}"));
    format!("{}{}{}", action.skill, what.unwrap_or_default(), target.unwrap_or_default())
}
