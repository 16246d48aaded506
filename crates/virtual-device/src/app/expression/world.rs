//! What functions of expressions know of the app and the device it runs on.

use super::chance::Generator;
use rhai::{Dynamic, EvalAltResult, NativeCallContext};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What functions can ask about. The program keeps it current; nothing here reads a clock.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a device")]
pub(in super::super) struct Facts {
    /// Since the device's boot.
    pub now: Duration,
    /// The device's wall clock.
    pub wall: jiff::civil::DateTime,
    /// `en-US`.
    pub locale: String,
    /// Night mode.
    pub dark: bool,
    /// Wider than high.
    pub landscape: bool,
    /// At least 600 dp wide.
    pub wide: bool,
    /// Factor on text sizes.
    pub font_scale: f32,
    /// API level.
    pub api: u32,
    /// A network is there.
    pub online: bool,
    /// Latitude and longitude, when the device has a location.
    pub location: Option<(f64, f64)>,
    /// Permissions granted to the app.
    pub granted: Arc<BTreeSet<String>>,
    /// Planted bugs: whether each is switched on.
    pub bugs: BTreeMap<String, bool>,
    /// A/B tests: the chosen variant.
    pub variants: BTreeMap<String, String>,
    /// `versionName`.
    pub version: String,
    /// Source of chance.
    pub generator: Generator,
    /// True while a window is built: drawing must not draw lots.
    pub drawing: bool,
    /// Something asked for the time while a window was built: it is out of date as soon as time passes.
    pub clock_read: bool,
}

/// The facts, shared by a program and the functions of its expressions.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct World(Arc<Mutex<Facts>>);

pub(super) type Failure = Box<EvalAltResult>;

impl World {
    /// Shares facts.
    pub(in super::super) fn new(facts: Facts) -> Self {
        Self(Arc::new(Mutex::new(facts)))
    }

    /// The facts, to read or change; held for moments only.
    pub(in super::super) fn facts(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The facts for a function that tells the time.
    pub(super) fn clock(&self) -> MutexGuard<'_, Facts> {
        let mut facts = self.facts();
        facts.clock_read |= facts.drawing;
        facts
    }

    /// As a tag that every function called by the engine sees.
    pub(super) fn tag(&self) -> Dynamic {
        Dynamic::from(self.clone())
    }

    /// The world of the engine that calls a function.
    pub(super) fn of(context: &NativeCallContext<'_>) -> Result<Self, Failure> {
        let world = context.tag().and_then(|tag| tag.clone().try_cast::<Self>());
        world.ok_or_else(|| "the function needs an app".into())
    }
}
