//! An agent that only thinks, and made-up screens for it to think about, for tests.

use super::{Agent, Budget, Lull, Parameter, Patience, Planning, Step};
use crate::adb::ShellLine;
use crate::app_map::AppMap;
use crate::case::Preferences;
use crate::device::{Device, DeviceError, DeviceInfo, Eyes, Observation};
use crate::domain::{DeviceSerial, InputText, PackageName, Rect, Selector, Size};
use crate::hierarchy::{
    Fingerprint, Role, Screen, ScreenKind, ScreenText, ScreenTexts, TextSource, UiTree, Widget, WidgetState,
};
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
            eyes: Eyes { device: &self.device, display, link_colours: &[], reader: None, secrets: &[], bridge: None },
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

/// A widget without a place.
pub(super) fn widget(role: Role, label: &str) -> Widget {
    Widget {
        id: 0,
        node: 0,
        role,
        label: label.into(),
        shown: None,
        context: String::new(),
        value: String::new(),
        hint: String::new(),
        resource_id: String::new(),
        id_words: String::new(),
        class: "android.view.View".into(),
        package: "app".into(),
        state: WidgetState { enabled: true, ..WidgetState::default() },
        clickable: role != Role::Text,
        long_clickable: false,
        scrollable: false,
        bounds: Rect::new(0, 0, 0, 0),
        tap: Rect::new(0, 0, 0, 0).center(),
        links: Vec::new(),
        selector: Selector::default(),
    }
}

pub(super) fn button(label: &str) -> Widget {
    widget(Role::Button, label)
}

pub(super) fn text(label: &str) -> Widget {
    widget(Role::Text, label)
}

/// The widget in a row, counted from 0, that far from the left.
pub(super) fn row(mut widget: Widget, row: i32, left: i32) -> Widget {
    widget.bounds = Rect::new(left, 100 * row, left + 100, 100 * row + 100);
    widget
}

/// A screen of them; those without a place stand below each other.
pub(super) fn screen(mut widgets: Vec<Widget>) -> Screen {
    for (id, widget) in widgets.iter_mut().enumerate() {
        if widget.bounds.height() == 0 {
            *widget = row(widget.clone(), id as i32, 0);
        }
        (widget.id, widget.node, widget.tap) = (id, id, widget.bounds.center());
    }
    let told = |widget: &Widget| {
        let bounds = widget.bounds;
        let (node, widget_id) = (widget.node, Some(widget.id));
        let texts = [(TextSource::Text, widget.label.clone()), (TextSource::Text, widget.value.clone())];
        texts.into_iter().filter(|(_, text)| !text.is_empty()).map(move |(source, text)| ScreenText {
            text,
            shown: None,
            source,
            node,
            widget: widget_id,
            bounds,
        })
    };
    let texts = ScreenTexts { shown: widgets.iter().flat_map(told).collect(), covered: Vec::new() };
    Screen {
        tree: UiTree::default(),
        widgets,
        texts,
        screenshot: None,
        display: Size::new(1000, 2000),
        foreground: None,
        keyboard_shown: false,
        masked: Vec::new(),
        title: "Screen".into(),
        shown_title: None,
        kind: ScreenKind::Ordinary,
        fingerprint: Fingerprint(1),
        digest: 1,
        scroll_areas: Vec::new(),
        rows: Vec::new(),
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
