//! Exploring an app: every safe control is tried once, nearest first, and what leads where becomes the app's map.
//!
//! No model is needed and nothing is typed. What could cost something, reach other people or be lost is left alone
//! (`caution`). The order follows from the seed.

use super::atlas::{Atlas, Move};
use super::build::Build;
use super::caution::Caution;
use super::executor::ConnectedDevice;
use super::start::start;
use crate::app_map::{AppMap, Discovery, Learner};
use crate::device::{DeviceError, Eyes, Observation, Recorder, Seen};
use crate::domain::{Action, EventKind, EventSink, PackageName, SecretMask};
use crate::hierarchy::{Screen, ScreenKind};
use crate::skill::{Library, PerformError};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// How far a place is looked through by scrolling before what is left in it is given up.
const MOST_SCROLLS: u32 = 6;
/// How often the app is started anew to get somewhere.
const MOST_STARTS: u32 = 4;

/// What to explore, and how far.
#[derive(Debug, Clone)]
pub struct Expedition {
    /// The app.
    pub package: PackageName,
    /// Installed first where given.
    pub apk: Option<PathBuf>,
    /// The most actions on the device.
    pub actions: u32,
    /// The most time.
    pub time: Duration,
    /// Seed of the order.
    pub seed: u64,
    /// Ends it.
    pub cancel: CancellationToken,
}

/// What an exploration found.
#[derive(Debug, Serialize)]
pub struct Exploration {
    /// The app.
    pub package: String,
    /// Its version, where the device tells.
    pub version: Option<String>,
    /// Actions carried out.
    pub actions: u32,
    /// Why it ended.
    pub ended: String,
    /// The places found, in the order in which they were found.
    pub places: Vec<FoundPlace>,
    /// Crashes of the app, each with what was touched.
    pub crashes: Vec<String>,
    /// For the map.
    #[serde(skip)]
    pub discoveries: Vec<Discovery>,
}

/// A place that was found.
#[derive(Debug, Serialize)]
pub struct FoundPlace {
    /// Its title.
    pub title: String,
    /// What leads on from it, each with the title of where it leads.
    pub ways: Vec<(String, String)>,
    /// What was not tried.
    pub untried: Vec<String>,
    /// What was left alone on purpose.
    pub avoided: Vec<String>,
}

impl Exploration {
    /// The map of what was found, without what was known before.
    pub fn map(&self) -> AppMap {
        let mut map = AppMap::default();
        self.discoveries.iter().for_each(|discovery| map.discover(discovery));
        map
    }
}

/// Why an exploration could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// An action could not be made of the skills.
    #[error(transparent)]
    Skill(#[from] crate::skill::ExpandError),
    /// The words of caution are damaged.
    #[error("the words an exploration leaves alone cannot be read: {0}. Please report this as a bug")]
    Words(#[from] toml::de::Error),
}

/// Explores an app on a device. `told` hears of every action.
pub async fn explore(
    connected: &ConnectedDevice,
    skills: &Library,
    expedition: &Expedition,
    told: &mut (dyn FnMut(&str) + Send),
) -> Result<Exploration, ExploreError> {
    let build = expedition.apk.as_deref().map(Build::over);
    let version = start(connected, &expedition.package, build.as_ref(), None).await?;
    let eyes = connected.eyes(SecretMask::none());
    let mut explorer = Explorer {
        eyes,
        skills,
        expedition,
        caution: Caution::bundled()?,
        atlas: Atlas::new(expedition.seed),
        learner: Learner::new(expedition.package.as_str()),
        begun: Instant::now(),
        actions: 0,
        starts: 0,
        crashes: Vec::new(),
        told,
    };
    let ended = explorer.roam().await?;
    Ok(explorer.sum_up(version, ended))
}

struct Explorer<'a> {
    eyes: Eyes<'a>,
    skills: &'a Library,
    expedition: &'a Expedition,
    caution: Caution,
    atlas: Atlas,
    learner: Learner,
    begun: Instant,
    actions: u32,
    starts: u32,
    crashes: Vec<String>,
    told: &'a mut (dyn FnMut(&str) + Send),
}

impl Explorer<'_> {
    async fn roam(&mut self) -> Result<String, ExploreError> {
        let mut seen = self.look().await?;
        let mut scrolls = 0;
        loop {
            if let Some(reason) = self.spent() {
                return Ok(reason);
            }
            let leave = self.caution.weigh(&seen.screen);
            let here = self.atlas.see(&seen.screen, &leave);
            let step = match self.atlas.untried(here, &seen.screen) {
                // What is left here may be further down.
                Some(Move::Scroll) if scrolls >= MOST_SCROLLS => None,
                step => step,
            };
            let step = match step.or_else(|| self.atlas.towards_untried(here, &seen.screen)) {
                Some(step) => step,
                None if self.atlas.may_go_back(here) => Move::Back,
                None => {
                    self.atlas.give_up(here);
                    let left =
                        self.atlas.places().iter().any(|place| place.open.keys().any(|step| *step != Move::Back));
                    if !left {
                        return Ok("everything that was found was tried".into());
                    }
                    if self.starts >= MOST_STARTS {
                        return Ok("no way leads to what is left".into());
                    }
                    self.starts += 1;
                    self.eyes.device.start_fresh(&self.expedition.package).await?;
                    seen = self.look().await?;
                    continue;
                }
            };
            scrolls = if step == Move::Scroll { scrolls + 1 } else { 0 };
            let Some(action) = step.on(&seen.screen) else {
                self.atlas.made(here, &step, None);
                continue;
            };
            let before = seen.screen.digest;
            seen = self.make(&action, &seen).await?;
            let to = if self.in_app(&seen.screen) {
                let leave = self.caution.weigh(&seen.screen);
                Some(self.atlas.see(&seen.screen, &leave))
            } else {
                None
            };
            let more = step == Move::Scroll && to == Some(here) && seen.screen.digest != before;
            if !more {
                self.atlas.made(here, &step, to);
            }
            if to.is_none() {
                seen = self.come_back(&action, seen).await?;
            }
        }
    }

    /// Carries an action out, and looks.
    async fn make(&mut self, action: &Action, before: &Seen) -> Result<Seen, ExploreError> {
        self.learner.decided();
        self.actions += 1;
        match self.skills.perform(self.eyes.device, action, 0, &before.hierarchy).await {
            Ok(_) => {}
            Err(PerformError::Device(error)) => return Err(error.into()),
            Err(PerformError::Expand(error)) => return Err(error.into()),
        }
        let mut seen = self.look().await?;
        if seen.screen.kind == ScreenKind::Loading {
            let patience = Duration::from_secs(3);
            if self.eyes.device.wait_for_change(&seen.hierarchy, patience).await? {
                seen = self.look().await?;
            }
        }
        self.learner.acted(action, true);
        let said = format!("{:>3} {action} → \"{}\"", self.actions, seen.screen.title);
        (self.told)(&said);
        Ok(seen)
    }

    /// Leaves what is not the app: the back key, else the app is opened, else begun anew.
    async fn come_back(&mut self, action: &Action, mut seen: Seen) -> Result<Seen, ExploreError> {
        if let Some(report) = self.eyes.device.crashes(&self.expedition.package).await?.last() {
            let crash = format!("{} after {action}", crate::device::crash_reason(report));
            if !self.crashes.contains(&crash) {
                (self.told)(&crash);
                self.crashes.push(crash);
            }
            self.eyes.device.start_fresh(&self.expedition.package).await?;
            return self.look().await;
        }
        if *action != Action::PressBack {
            seen = self.make(&Action::PressBack, &seen).await?;
        }
        if !self.in_app(&seen.screen) {
            self.eyes.device.open(&self.expedition.package).await?;
            seen = self.look().await?;
        }
        if !self.in_app(&seen.screen) {
            self.eyes.device.start_fresh(&self.expedition.package).await?;
            seen = self.look().await?;
        }
        Ok(seen)
    }

    async fn look(&mut self) -> Result<Seen, ExploreError> {
        let seen = self.eyes.look(&mut Silent).await?;
        self.learner.screen(&seen.screen);
        Ok(seen)
    }

    fn in_app(&self, screen: &Screen) -> bool {
        let foreign = matches!(screen.kind, ScreenKind::Crash | ScreenKind::NotResponding | ScreenKind::Permission);
        let front = screen.foreground.as_deref().and_then(|name| name.split('/').next());
        !foreign && front.is_none_or(|front| front == self.expedition.package.as_str())
    }

    fn spent(&self) -> Option<String> {
        if self.expedition.cancel.is_cancelled() {
            return Some("interrupted".into());
        }
        if self.actions >= self.expedition.actions {
            return Some(format!("{} actions were made", self.actions));
        }
        (self.begun.elapsed() >= self.expedition.time)
            .then(|| format!("{} s have passed", self.expedition.time.as_secs()))
    }

    fn sum_up(self, version: Option<String>, ended: String) -> Exploration {
        let places = self.atlas.places();
        let title = |at: usize| places.get(at).map_or_else(String::new, |place| place.title.clone());
        let found = places.iter().map(|place| FoundPlace {
            title: place.title.clone(),
            ways: place.ways.iter().map(|(step, to)| (words(step), title(*to))).collect(),
            untried: place.open.keys().filter(|step| **step != Move::Back).map(words).collect(),
            avoided: place.avoided.clone(),
        });
        Exploration {
            package: self.expedition.package.to_string(),
            version,
            actions: self.actions,
            ended,
            places: found.collect(),
            crashes: self.crashes,
            discoveries: self.learner.found().to_vec(),
        }
    }
}

/// A move in words.
fn words(step: &Move) -> String {
    match step {
        Move::Touch(label, id) if label.is_empty() => id.clone(),
        Move::Touch(label, _) => label.clone(),
        Move::Scroll => "scroll down".into(),
        Move::Back => "back".into(),
    }
}

/// An exploration keeps no recording.
struct Silent;

impl EventSink for Silent {
    fn emit(&mut self, _kind: EventKind) {}
}

impl Recorder for Silent {
    fn screen(&mut self, _screen: &Screen, _observation: &Observation, _observe_ms: f64) {}
}
