//! Records the script of a case and replays it on the next versions of its app, each time on a fresh device.

use super::next_version::NextVersion;
use super::report::{BugEnding, BugReplay, NextReplay, RenewalReport, ReplayEnding, ScriptReport};
use super::wording::Wording;
use crate::case::Case;
use crate::device::{Device, DeviceError};
use crate::domain::{DeviceSerial, PackageName, RunId, RunResult, Verdict};
use crate::evaluation::suite::error::SuiteError;
use crate::evaluation::suite::file::{Expected, SuiteDevice, SuiteRun};
use crate::evaluation::suite::folder::Suite;
use crate::evaluation::suite::phone::{Phone, morning};
use crate::evaluation::suite::trial::PATIENCE;
use crate::evaluation::suite::truth::{Watch, Yardstick};
use crate::evaluation::suite::walkthrough::{Pace, Play, Walkthrough};
use crate::evaluation::watched_device::{WatchedDevice, Watcher};
use crate::run::{
    CaseLauncher, ConnectedDevice, DeviceConnector, Language, NoReports, Places, RepairMode, RunLauncher, RunRequest,
    StringTables,
};
use crate::script::Script;
use crate::virtual_device::AppFiles;
use async_trait::async_trait;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

/// Which scripts are tried.
#[derive(Debug, Clone, Default)]
pub struct RenewalSelection {
    /// Only these cases; all when empty.
    pub cases: Vec<String>,
    /// Only these kinds of change; all when empty.
    pub versions: Vec<NextVersion>,
}

/// Records scripts of suites and replays them on the next versions of their apps.
pub struct Renewal {
    /// Makes the runs; its connector is replaced.
    pub launcher: CaseLauncher,
    /// Colours links are drawn in on virtual devices.
    pub link_colours: Vec<[u8; 3]>,
    /// The texts of apps in their languages.
    pub strings: Arc<StringTables>,
    /// Ends it early; what was tried until then is reported.
    pub cancel: CancellationToken,
}

/// Hands out the device that was put on it.
#[derive(Default)]
struct Desk(Mutex<Option<ConnectedDevice>>);

#[async_trait]
impl DeviceConnector for Desk {
    async fn connect(&self, serial: &DeviceSerial) -> Result<ConnectedDevice, DeviceError> {
        let device = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        device.ok_or_else(|| DeviceError::App {
            serial: serial.clone(),
            package: PackageName::new("android"),
            what: "started",
            reason: "the device was given away already".to_owned(),
        })
    }
}

/// What a suite has for a case: where it is done, and on what.
struct Scene<'a> {
    suite: &'a Suite,
    case: &'a Case,
    run: &'a SuiteRun,
    device: SuiteDevice,
    seed: u64,
    yardstick: Yardstick,
}

/// A replay, and whether it left the app as the case means it.
struct Replayed {
    result: RunResult,
    /// What is otherwise; empty where nothing is.
    differs: String,
}

impl Replayed {
    fn told(&self) -> String {
        format!("{}: {}", self.result.verdict, self.result.reason)
    }

    fn passed(&self) -> bool {
        self.result.verdict == Verdict::Passed
    }
}

impl Renewal {
    /// Tries the scripts of all cases of one device that `selection` takes. `progress` hears of each.
    ///
    /// # Errors
    /// When a run cannot even begin.
    pub async fn of(
        mut self,
        suites: &[Suite],
        selection: &RenewalSelection,
        progress: &mut (dyn FnMut(&ScriptReport) + Send),
    ) -> Result<RenewalReport, SuiteError> {
        let desk = Arc::new(Desk::default());
        self.launcher.connector = Arc::clone(&desk) as Arc<dyn DeviceConnector>;
        self.launcher.case_roots = Vec::new();
        self.launcher.hints = Vec::new();
        let wording = Wording::bundled().map_err(|error| SuiteError::wrong(Path::new(""), error.to_string()))?;
        let mut scripts = Vec::new();
        for suite in suites {
            let wanted = |case: &&Case| {
                case.actors.is_empty()
                    && (selection.cases.is_empty() || selection.cases.iter().any(|id| id == case.id.as_str()))
            };
            for case in suite.cases.iter().filter(wanted) {
                if self.cancel.is_cancelled() {
                    return Ok(RenewalReport { scripts });
                }
                let Some(report) = self.script_of(&desk, suite, case, selection, &wording).await? else { continue };
                progress(&report);
                scripts.push(report);
            }
        }
        Ok(RenewalReport { scripts })
    }

    /// Everything about the script of a case; `None` for one that no run means to pass as it is written.
    async fn script_of(
        &mut self,
        desk: &Desk,
        suite: &Suite,
        case: &Case,
        selection: &RenewalSelection,
        wording: &Wording,
    ) -> Result<Option<ScriptReport>, SuiteError> {
        let of_case =
            |run: &&SuiteRun| run.params.is_empty() && suite.cases_of(run).iter().any(|own| own.id == case.id);
        let Some(run) = suite.runs.iter().filter(of_case).find(|run| run.expect == Expected::Passed) else {
            return Ok(None);
        };
        let mut report = ScriptReport {
            suite: suite.name.clone(),
            case: case.id.to_string(),
            left_out: None,
            next: Vec::new(),
            bugs: Vec::new(),
        };
        let scene = match scene(suite, case, run)? {
            Ok(scene) => scene,
            Err(why) => return Ok(Some(ScriptReport { left_out: Some(why), ..report })),
        };
        let folder = tempfile::tempdir().map_err(|error| SuiteError::wrong(&suite.folder, error.to_string()))?;
        self.launcher.case_files = vec![case.path.clone()];
        self.launcher.places = places(&folder);
        let script = match self.recorded(desk, &scene, &folder).await? {
            Ok(script) => script,
            Err(why) => return Ok(Some(ScriptReport { left_out: Some(why), ..report })),
        };
        let kept = expected_texts(case, &script);
        for version in NextVersion::ALL {
            if !selection.versions.is_empty() && !selection.versions.contains(&version) {
                continue;
            }
            let Some(apps) = version.of(&suite.apps, wording, &kept)? else { continue };
            report.next.push(self.next(desk, &scene, &script, version, &apps, &folder).await?);
            for bug in suite.runs.iter().filter(of_case).filter(|run| run.expect == Expected::Failed) {
                report.bugs.push(self.with_bug(desk, &scene, &script, version, &apps, bug).await?);
            }
        }
        Ok(Some(report))
    }

    /// The script that a run leaves which passes, does what the case means, and replays by itself; else why not.
    async fn recorded(
        &self,
        desk: &Desk,
        scene: &Scene<'_>,
        folder: &TempDir,
    ) -> Result<Result<Script, String>, SuiteError> {
        let first = self.try_on(desk, scene, &scene.suite.apps, &scene.run.switches, None).await?;
        let Some(path) = first.result.script.as_deref().filter(|_| first.passed()) else {
            return Ok(Err(format!("no script was recorded: {}", first.told())));
        };
        if !first.differs.is_empty() {
            return Ok(Err(format!("the run passed and did something else: {}", first.differs)));
        }
        let script = match Script::read(&folder.path().join(path)) {
            Ok(script) => script,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let again = (&script, RepairMode::Off);
        let again = self.try_on(desk, scene, &scene.suite.apps, &scene.run.switches, Some(again)).await?;
        Ok(match again.passed() && again.differs.is_empty() {
            true => Ok(script),
            false => Err(format!("the script does not replay on the same app: {} {}", again.told(), again.differs)),
        })
    }

    /// Replays a script on the next version of its app, and its proposal by itself.
    async fn next(
        &self,
        desk: &Desk,
        scene: &Scene<'_>,
        script: &Script,
        version: NextVersion,
        apps: &[(PathBuf, String)],
        folder: &TempDir,
    ) -> Result<NextReplay, SuiteError> {
        let switches = &scene.run.switches;
        let replayed = self.try_on(desk, scene, apps, switches, Some((script, RepairMode::Propose))).await?;
        let told = replayed.told();
        let ended = |ending: ReplayEnding, told: String| Ok(NextReplay { version, ending, told });
        if !replayed.passed() {
            return ended(ReplayEnding::GivenUp, told);
        }
        if !replayed.differs.is_empty() {
            return ended(ReplayEnding::Wrong, format!("{told}; {}", replayed.differs));
        }
        let Some(path) = replayed.result.script.as_deref().filter(|_| replayed.result.repaired) else {
            return ended(ReplayEnding::AsItWas, told);
        };
        let proposal = match Script::read(&folder.path().join(path)) {
            Ok(proposal) => proposal,
            Err(error) => return ended(ReplayEnding::Wrong, format!("{told}; {error}")),
        };
        let alone = self.try_on(desk, scene, apps, switches, Some((&proposal, RepairMode::Off))).await?;
        match alone.passed() && alone.differs.is_empty() && alone.result.counts.model_calls == 0 {
            true => ended(ReplayEnding::Repaired, told),
            false => ended(ReplayEnding::Wrong, format!("{told}; by itself {} {}", alone.told(), alone.differs)),
        }
    }

    /// Replays a script on the next version of its app with a planted bug.
    async fn with_bug(
        &self,
        desk: &Desk,
        scene: &Scene<'_>,
        script: &Script,
        version: NextVersion,
        apps: &[(PathBuf, String)],
        bug: &SuiteRun,
    ) -> Result<BugReplay, SuiteError> {
        let repairing = Some((script, RepairMode::Propose));
        let replayed = self.try_on(desk, scene, apps, &bug.switches, repairing).await?;
        let ending = match replayed.result.verdict {
            Verdict::Failed => BugEnding::Failed,
            Verdict::Blocked | Verdict::Error => BugEnding::NotPassed,
            Verdict::Passed => {
                let before =
                    self.try_on(desk, scene, &scene.suite.apps, &bug.switches, Some((script, RepairMode::Off)));
                if before.await?.passed() { BugEnding::Unseen } else { BugEnding::Hidden }
            }
        };
        Ok(BugReplay { bug: bug.switches.join(" "), version, ending, told: replayed.told() })
    }

    /// Runs the case, or replays a script of it, on a fresh device.
    async fn try_on(
        &self,
        desk: &Desk,
        scene: &Scene<'_>,
        apps: &[(PathBuf, String)],
        switches: &[String],
        script: Option<(&Script, RepairMode)>,
    ) -> Result<Replayed, SuiteError> {
        let (files, clock) = (Arc::new(AppFiles::default()), morning());
        let Scene { suite, case, run, device, seed, yardstick } = scene;
        let at = case.location.as_deref().or(run.location.as_deref());
        let wrong = |error: &dyn ToString| SuiteError::Run {
            case: case.id.to_string(),
            device: device.to_string(),
            reason: error.to_string(),
        };
        let phone = Arc::new(Phone::new(device, *seed, switches, at, &files, &clock, apps)?);
        let (live, events) = unbounded_channel();
        let watch = Arc::new(Watch::new(BTreeMap::from([(String::new(), Arc::clone(&phone))]), events));
        let watched = WatchedDevice::new(Arc::clone(&phone) as Arc<dyn Device>, Arc::clone(&watch) as Arc<dyn Watcher>);
        let connected = ConnectedDevice {
            device: Arc::new(watched),
            info: phone.describe().await.map_err(|error| wrong(&error))?,
            profile: "virtual-phone".to_owned(),
            link_colours: self.link_colours.clone(),
            reader: None,
            patience: PATIENCE,
            language: Language::of(&self.strings),
        };
        *desk.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(connected);
        let request = RunRequest {
            case_id: case.id.clone(),
            device: None,
            actors: BTreeMap::new(),
            params: BTreeMap::new(),
            seed: *seed,
            location: None,
        };
        let (run_id, serial) = (RunId::from("renewal"), phone.serial().clone());
        let ended = match script {
            None => self.launcher.launch(run_id, &request, &serial, live, self.cancel.clone()).await,
            Some((script, mode)) => {
                self.launcher.replay(run_id, script, &request, mode, &serial, live, self.cancel.clone()).await
            }
        };
        let result = ended.map_err(|error| wrong(&error))?;
        tracing::info!(suite = suite.name, case = %case.id, verdict = %result.verdict, "{}", result.reason);
        let (_, samples) = watch.end();
        Ok(Replayed { result, differs: yardstick.end(&samples).differs })
    }
}

/// A case where its suite does it, with what it leaves behind; why that cannot be told where it cannot.
fn scene<'a>(suite: &'a Suite, case: &'a Case, run: &'a SuiteRun) -> Result<Result<Scene<'a>, String>, SuiteError> {
    let Some((device, seed)) = run.variants(None).into_iter().next() else {
        return Ok(Err("its run names no device".to_owned()));
    };
    if !Walkthrough::path(suite, case).is_file() {
        return Ok(Err("the case has no walkthrough to be judged by".to_owned()));
    }
    let walkthrough = Walkthrough::load(suite, case)?;
    let Some(attribution) = walkthrough.attribution(case.aim.instructions().len()) else {
        return Ok(Err("the walkthrough does not say which action belongs to which step".to_owned()));
    };
    let apps = suite.apps.as_slice();
    let play = |pace: Pace| Play { suite, case, run, device: &device, seed, apps, pace }.to_the_end();
    let (played, later) = (play(Pace::Brisk)?, play(Pace::Leisurely)?);
    if played.verdict != Expected::Passed {
        return Ok(Err(format!("the walkthrough {}: {}", played.verdict, played.reason)));
    }
    let answers = walkthrough.answers(&case.preferences);
    let views = suite.view_variables();
    let yardstick = Yardstick::of(played, &later, &attribution, views, (&walkthrough.free, &answers));
    Ok(Ok(Scene { suite, case, run, device, seed, yardstick }))
}

/// What a case and its script expect and check: an app that says it otherwise has another case.
fn expected_texts(case: &Case, script: &Script) -> Vec<String> {
    let texts = RefCell::new(Vec::new());
    let note = |text: &str| {
        texts.borrow_mut().push(text.to_owned());
        text.to_owned()
    };
    for expectation in script.actions.iter().flat_map(|action| &action.checks).chain(&script.expectations) {
        let _same = expectation.map_texts(note);
    }
    let mut texts = texts.into_inner();
    texts.extend(case.expect.iter().flat_map(|outcome| outcome.expectation.texts()).map(str::to_owned));
    texts.retain(|text| !text.is_empty() && !text.contains("${"));
    texts
}

/// Scripts are kept in a folder of their own, nothing else is.
fn places(folder: &TempDir) -> Places {
    Places {
        reporter: Arc::new(NoReports),
        output: None,
        scripts: Some(folder.path().join("scripts")),
        maps: None,
        root: folder.path().to_owned(),
    }
}
