//! What is true on the devices of a run at one moment.

use crate::evaluation::suite::Phone;
use crate::virtual_device::AppState;
use std::collections::BTreeMap;

/// Every device, by its actor; on one device under the empty name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// By actor.
    pub devices: BTreeMap<String, DeviceTruth>,
}

/// One device.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeviceTruth {
    /// Package of what has the focus.
    pub front: String,
    /// Every running app that can tell, by package.
    pub apps: BTreeMap<String, AppTruth>,
}

/// One running app.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AppTruth {
    /// Its process: a new one begins with the app's first state.
    pub process: u32,
    /// What is true inside.
    pub state: AppState,
}

impl Snapshot {
    /// What is true on these devices now.
    pub(in crate::evaluation::suite) fn of<'p>(phones: impl Iterator<Item = (&'p str, &'p Phone)>) -> Self {
        Self { devices: phones.map(|(actor, phone)| (actor.to_owned(), phone.truth())).collect() }
    }

    /// Every app with its device.
    pub(super) fn apps(&self) -> impl Iterator<Item = (AppKey, &AppTruth)> {
        self.devices.iter().flat_map(|(actor, device)| {
            device.apps.iter().map(|(package, app)| (AppKey { actor: actor.clone(), package: package.clone() }, app))
        })
    }

    /// One app.
    pub(super) fn app(&self, key: &AppKey) -> Option<&AppTruth> {
        self.devices.get(&key.actor)?.apps.get(&key.package)
    }
}

/// An app on a device.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AppKey {
    /// Whose device; empty where there is one.
    pub(super) actor: String,
    /// The app.
    pub(super) package: String,
}
