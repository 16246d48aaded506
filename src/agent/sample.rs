//! An agent that only thinks, and made-up screens for it to think about, for tests.

use super::{Agent, Budget, Lull, Parameter, Patience, Planning, Step};
use crate::adb::ShellLine;
use crate::app_map::AppMap;
use crate::case::Preferences;
use crate::device::{Device, DeviceError, DeviceInfo, Eyes, Observation};
use crate::domain::{DeviceSerial, InputText, PackageName, SecretMask, Size};
pub(super) use crate::form::sample::{button, row, screen, text, widget};
use crate::inference::sample::WordEmbedder;
use crate::lexicon::Lexicon;
use crate::ranking::{Cues, Scorer, Weights};
use crate::skill::Library;
use async_trait::async_trait;
use std::path::Path;
use std::time::Duration;

/// What a thinking agent borrows.
pub(super) struct Head {
    device: NoDevice,
    weights: Weights,
    pub(super) cues: Cues,
    skills: Library,
    lexicon: Lexicon,
    planning: Planning,
    preferences: Preferences,
    parameters: Vec<Parameter>,
    title: &'static str,
}

impl Head {
    /// With plain parameters and a case's title.
    pub(super) fn new(parameters: &[(&str, &str)], title: &'static str) -> Self {
        let parameter =
            |(name, value): &(&str, &str)| Parameter { name: (*name).into(), value: InputText::Plain((*value).into()) };
        Self {
            device: NoDevice("none".into()),
            weights: Weights::bundled().unwrap(),
            cues: Cues::bundled().unwrap(),
            skills: Library::bundled().unwrap(),
            lexicon: Lexicon::bundled().unwrap(),
            planning: Planning::bundled(AppMap::default()).unwrap(),
            preferences: Preferences::default(),
            parameters: parameters.iter().map(parameter).collect(),
            title,
        }
    }

    pub(super) fn agent(&self) -> Agent<'_> {
        let scorer = Scorer { embedder: &WordEmbedder, weights: &self.weights, cues: &self.cues, skills: &self.skills };
        let display = Size::new(1000, 2000);
        Agent {
            eyes: Eyes {
                device: &self.device,
                display,
                link_colours: &[],
                reader: None,
                mask: SecretMask::none(),
                bridge: None,
            },
            scorer,
            skills: &self.skills,
            lexicon: &self.lexicon,
            planning: &self.planning,
            parameters: &self.parameters,
            title: self.title,
            preferences: &self.preferences,
            package: "com.example.app".into(),
            budget: Budget { actions: 10, time: Duration::from_secs(60) },
            patience: Patience::NONE,
            lull: Lull::default(),
            started: self.device.now(),
            checked: Vec::new(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: tokio_util::sync::CancellationToken::new(),
        }
    }
}

/// A step that names texts.
pub(super) fn step(instruction: &str, named: &[&str]) -> Step {
    Step {
        index: 1,
        original: instruction.into(),
        instruction: instruction.into(),
        sentence: instruction.into(),
        named: named.iter().map(|name| (*name).to_owned()).collect(),
        ..Step::default()
    }
}

/// Who only thinks never asks the device.
struct NoDevice(DeviceSerial);

impl NoDevice {
    fn refused<T>(&self) -> Result<T, DeviceError> {
        let reason = "there is no device".to_owned();
        Err(DeviceError::NoHierarchy { serial: self.0.clone(), attempts: 0, reason })
    }
}

#[async_trait]
impl Device for NoDevice {
    fn serial(&self) -> &DeviceSerial {
        &self.0
    }
    async fn describe(&self) -> Result<DeviceInfo, DeviceError> {
        self.refused()
    }
    async fn observe(&self) -> Result<Observation, DeviceError> {
        self.refused()
    }
    async fn glance(&self) -> Result<Observation, DeviceError> {
        self.refused()
    }
    async fn wait_for_change(&self, _before: &[u8], _limit: Duration) -> Result<bool, DeviceError> {
        self.refused()
    }
    async fn run(&self, _line: &ShellLine) -> Result<(), DeviceError> {
        self.refused()
    }
    async fn installed_version(&self, _package: &PackageName) -> Result<Option<String>, DeviceError> {
        self.refused()
    }
    async fn install(&self, _package: &PackageName, _apk: &Path) -> Result<(), DeviceError> {
        self.refused()
    }
    async fn start_fresh(&self, _package: &PackageName) -> Result<(), DeviceError> {
        self.refused()
    }
    async fn open(&self, _package: &PackageName) -> Result<(), DeviceError> {
        self.refused()
    }
    async fn crashes(&self, _package: &PackageName) -> Result<Vec<String>, DeviceError> {
        self.refused()
    }
}
