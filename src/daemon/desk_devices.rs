//! What the desk knows of devices: which may be used, which there are, and what is held against them.

use super::desk::{Desk, SubmitError};
use super::standing::{Experience, Standing};
use crate::adb::{ConnectionState, DeviceRow};
use crate::device::HoldError;
use crate::domain::{DeviceSerial, RunId};
use crate::run::{ANY_DEVICE, RunRequest};
use crate::store::{StoreError, StoredStanding};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{MutexGuard, PoisonError};

impl Desk {
    /// Refuses a device that may not be used or that nobody knows: not at 3 a.m., when the run's turn would have come.
    pub(super) async fn check_devices(&self, request: &RunRequest) -> Result<(), SubmitError> {
        let own = request.device.iter().map(|serial| (serial, "/device".to_owned()));
        let named = request.actors.iter().filter(|(_, serial)| serial.as_str() != ANY_DEVICE);
        let theirs =
            named.map(|(name, serial)| (serial, format!("/actors/{}", name.replace('~', "~0").replace('/', "~1"))));
        self.note_listed(&self.devices.borrow());
        let all: Vec<(DeviceSerial, String)> =
            own.chain(theirs).map(|(serial, pointer)| (serial.clone(), pointer)).collect();
        for (serial, pointer) in all {
            let serial = &serial;
            if !self.rules.allows(serial) {
                let source = HoldError::NotAllowed { serial: serial.clone() };
                return Err(SubmitError::DeviceNotAllowed { pointer, source });
            }
            if self.is_elsewhere(serial).await? {
                continue;
            }
            let seen = self.seen();
            // One that is named in the settings may come later.
            if !seen.contains(serial) && !self.rules.allow.contains(serial) {
                let known: Vec<&str> = seen.iter().map(DeviceSerial::as_str).collect();
                let known =
                    if known.is_empty() { "none was".to_owned() } else { format!("known: {}", known.join(", ")) };
                return Err(SubmitError::UnknownDevice { serial: serial.clone(), pointer, known });
            }
        }
        Ok(())
    }

    /// True for a device of another host that shares the database.
    async fn is_elsewhere(&self, serial: &DeviceSerial) -> Result<bool, StoreError> {
        if !self.store.is_shared() {
            return Ok(false);
        }
        let hosts = self.store.hosts().await?;
        Ok(hosts.iter().any(|host| host.devices.iter().any(|device| device == serial.as_str())))
    }

    /// Notes devices that are or were connected.
    pub(super) fn note_listed(&self, rows: &[DeviceRow]) {
        self.seen().extend(rows.iter().map(|row| row.serial.clone()));
    }

    fn seen(&self) -> MutexGuard<'_, BTreeSet<DeviceSerial>> {
        // A set of names is whole after any panic.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what happened to a device, and writes down what is held against it now: a restart must not forget a quarantine.
    pub(super) async fn note(&self, serial: &DeviceSerial, experience: &Experience) {
        let before = self.standings.of(serial);
        let after = self.standings.note(serial, experience);
        if after == before {
            return;
        }
        let written = match after.reason() {
            None => self.store.drop_standing(serial).await,
            Some(reason) => {
                let (standing, reason) = (after.word().to_owned(), reason.to_owned());
                self.store.keep_standing(StoredStanding { serial: serial.clone(), standing, reason }).await
            }
        };
        if let Err(error) = written {
            self.trouble.note(&error);
            tracing::error!(%serial, %error, "what is held against a device will be forgotten at a restart");
        }
    }

    /// Takes up what an earlier daemon held against devices.
    pub(super) async fn recall_standings(&self) -> Result<(), StoreError> {
        for StoredStanding { serial, standing, reason } in self.store.standings().await? {
            if let Some(standing) = Standing::stored(&standing, reason) {
                self.standings.take_up(serial, standing);
            } else {
                tracing::error!(%serial, standing, "what is held against a device cannot be read");
            }
        }
        Ok(())
    }

    /// Devices on which a run ended as an error.
    pub(super) fn shunned(&self, run_id: &RunId) -> BTreeSet<DeviceSerial> {
        self.shunning().get(run_id).cloned().unwrap_or_default()
    }

    /// The run is to be tried on other devices.
    pub(super) fn shun(&self, run_id: &RunId, serials: &[DeviceSerial]) {
        self.shunning().entry(run_id.clone()).or_default().extend(serials.iter().cloned());
    }

    pub(super) fn shunning(&self) -> MutexGuard<'_, HashMap<RunId, BTreeSet<DeviceSerial>>> {
        // Sets of names are whole after any panic.
        self.shunned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Devices that runs may get, those in use too.
    pub(super) fn usable(&self) -> Vec<DeviceSerial> {
        let rows = self.devices.borrow();
        let ready = rows.iter().filter(|row| row.state == ConnectionState::Device).map(|row| &row.serial);
        let usable = |serial: &&DeviceSerial| {
            self.rules.allows(serial)
                && !self.standings.of(serial).is_quarantined()
                && self.farm.emulators.obstacle(serial).is_none()
        };
        ready.filter(usable).cloned().collect()
    }

    /// What is said of the other process that uses a device.
    pub(super) fn outsider(&self, serial: &DeviceSerial) -> Option<String> {
        self.outsiders().get(serial).cloned()
    }

    /// Devices that other processes use; a map is whole after any panic.
    pub(super) fn outsiders(&self) -> MutexGuard<'_, BTreeMap<DeviceSerial, String>> {
        self.outsiders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
