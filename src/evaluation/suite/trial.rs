//! One case on one device of a suite, by the executor that `tapwright run` uses.

use super::ending::{Ending, RunReport, StepReport};
use super::error::SuiteError;
use super::examination::Examination;
use super::file::{SuiteDevice, SuiteRun};
use super::folder::Suite;
use super::fuzz::VariantReport;
use super::phone::{Phone, morning};
use crate::case::{Aim, Case};
use crate::device::Device;
use crate::domain::{Action, ActionRecord, Direction, EventKind, Expectation, RunEvent, RunId, RunResult, Size};
use crate::hierarchy::{Screen, ScreenInput, ScreenKind, Widget, check, check_all};
use crate::run::{ConnectedDevice, Language, NoReports, Places, PlannedCase, RunContext, run_case};
use crate::skill::Library;
use crate::virtual_device::AppFiles;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// How long a screen may take to show what an expectation waits for, as over adb.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the outcome is looked at before it counts as not held, half a second apart.
const LOOKS: usize = 12;
/// How far a screen is followed down, and up again.
const SWIPES: usize = 12;

/// What is tried.
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

impl Trial<'_> {
    fn wrong(&self, reason: &dyn ToString) -> SuiteError {
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
        let Self { suite, seed, .. } = self;
        let phones = self.phones()?;
        let mut company = BTreeMap::new();
        for (actor, phone) in &phones {
            company.insert(actor.clone(), self.connected(examination, phone).await?);
        }
        let first = phones.values().next().ok_or_else(|| self.wrong(&"it has no device"))?;
        let connected = self.connected(examination, first).await?;
        let (live, events) = unbounded_channel();
        let places = Places {
            reporter: Arc::new(NoReports),
            output: examination.output.clone(),
            scripts: None,
            maps: None,
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
        let device_time = first.skipped();
        let mut held = Vec::new();
        for (at, wanted) in awaited.iter().enumerate() {
            let phone = planned.witnesses.get(at).and_then(|actor| phones.get(actor)).unwrap_or(first);
            let declined = &self.case.preferences.decline;
            held.push(shows(phone, wanted, self.device.display, examination.skills, declined).await);
        }
        Ok(self.report(&result, &gathered(events), &held, taken, device_time))
    }

    /// A device for each actor, sharing what apps share and the clock; one where there are none.
    fn phones(&self) -> Result<BTreeMap<String, Arc<Phone>>, SuiteError> {
        let (files, clock) = (Arc::new(AppFiles::default()), morning());
        let Self { apps, run, device, seed, case, .. } = self;
        let phone = |location: Option<&str>| {
            let location = location.or(run.location.as_deref());
            Phone::new(device, *seed, &run.switches, location, &files, &clock, apps)
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

    fn report(
        &self,
        result: &RunResult,
        watched: &Watched,
        held: &[bool],
        taken: Duration,
        device_time: Duration,
    ) -> RunReport {
        let all_held = held.iter().all(|held| *held);
        let step = |step: &crate::domain::StepResult| StepReport {
            instruction: step.rewritten.clone(),
            verdict: step.verdict,
            reason: step.reason.clone(),
            actions: step.actions.iter().map(done).collect(),
        };
        RunReport {
            suite: self.suite.name.clone(),
            case: self.case.id.to_string(),
            device: self.device.to_string(),
            variant: self.variant.cloned(),
            switches: self.run.switches.clone(),
            seed: self.seed,
            expected: self.run.expect,
            verdict: result.verdict,
            held: all_held,
            ending: Ending::of(result.verdict, self.run.expect, all_held),
            reason: result.reason.clone(),
            why: self.run.why.clone(),
            steps_total: self.case.aim.instructions().len(),
            steps: result.steps.iter().map(step).collect(),
            actions: result.counts.actions,
            invalid_actions: watched.invalid,
            restarts: watched.restarts,
            expectations_held: held.iter().filter(|held| **held).count(),
            expectations: held.len(),
            device_seconds: device_time.as_secs_f64(),
            overhead_ms: (result.timings_ms.total - taken.as_secs_f64() * 1000.0).max(0.0),
            model_calls: result.counts.model_calls,
            prompt: matches!(self.case.aim, Aim::Goal(_)),
            decisions: watched.decisions.clone(),
        }
    }
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

/// What the events of a run told.
#[derive(Default)]
struct Watched {
    decisions: Vec<f64>,
    invalid: u64,
    restarts: u64,
}

fn gathered(mut events: UnboundedReceiver<RunEvent>) -> Watched {
    let mut watched = Watched::default();
    while let Ok(event) = events.try_recv() {
        match event.kind {
            EventKind::Decided { decide_ms, .. } => watched.decisions.push(decide_ms),
            EventKind::Acted { valid, action, .. } => {
                watched.invalid += u64::from(!valid);
                watched.restarts += u64::from(action.skill() == "open_app");
            }
            _ => {}
        }
    }
    watched
}

/// Whether an expectation holds, as the device itself shows in the end: given time, then further down, then further up.
async fn shows(phone: &Phone, wanted: &Expectation, display: Size, skills: &Library, declined: &[String]) -> bool {
    // A message that was there for a moment is gone, and pictures are not read here.
    if !wanted.is_told_by_hierarchy() {
        return true;
    }
    let mut looks: Vec<Screen> = Vec::new();
    for _ in 0..LOOKS {
        let Some(screen) = sight(phone, display).await else { return false };
        let held = check(wanted, &screen).held;
        looks = vec![screen];
        if held {
            break;
        }
        if let Some(leaving) = looks.first().and_then(|look| leaving(look, declined)) {
            let _ = skills.perform(phone, &leaving, 0, &[]).await;
        }
        phone.pass(Duration::from_millis(500));
    }
    for direction in [Direction::Down, Direction::Up] {
        for _ in 0..SWIPES {
            if check_all(wanted, &looks).held != wanted.is_of_whole_screen() {
                return check_all(wanted, &looks).held;
            }
            let area = looks.last().and_then(|last| last.scroll_areas.first().copied());
            let Some(area) = area else { return check_all(wanted, &looks).held };
            if skills.perform(phone, &Action::Scroll { direction, area }, 0, &[]).await.is_err() {
                return false;
            }
            let Some(screen) = sight(phone, display).await else { return false };
            if looks.last().is_some_and(|last| last.digest == screen.digest) {
                break;
            }
            looks.push(screen);
        }
    }
    check_all(wanted, &looks).held
}

/// A window that came up after the verdict hides what is to be seen: it is turned down as the case prefers, else left.
fn leaving(screen: &Screen, declined: &[String]) -> Option<Action> {
    if screen.kind != ScreenKind::Dialog {
        return None;
    }
    let declines = |widget: &&Widget| widget.clickable && declined.contains(&widget.label);
    let no = screen.widgets.iter().find(declines).map(|widget| Action::Click { target: widget.target() });
    Some(no.unwrap_or(Action::PressBack))
}

async fn sight(phone: &Phone, display: Size) -> Option<Screen> {
    let observation = phone.glance().await.ok()?;
    Some(Screen::perceive(ScreenInput {
        hierarchy: &observation.hierarchy,
        screenshot: None,
        display,
        foreground: observation.foreground.as_ref().map(ToString::to_string),
        keyboard_shown: observation.keyboard_shown,
    }))
}
