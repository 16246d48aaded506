//! What the desk knows of devices: which may be used, which there are, and what is held against them.

use super::desk::now;
use super::desk::{Desk, SubmitError};
use super::pool::{DeviceEvent, Phase, Standing};
use crate::adb::{ConnectionState, DeviceRow};
use crate::device::HoldError;
use crate::domain::{DeviceSerial, RunId};
use crate::run::{ANY_DEVICE, RunRequest};
use crate::store::{DeviceLine, Reservation, StoreError, StoredStanding};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{MutexGuard, PoisonError};

/// A time for people.
fn told(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

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

    /// Notes which devices are connected, and what became of the others.
    pub(super) async fn note_present(&self, rows: &[DeviceRow]) {
        self.note_listed(rows);
        let ready: BTreeSet<DeviceSerial> =
            rows.iter().filter(|row| row.state == ConnectionState::Device).map(|row| row.serial.clone()).collect();
        for row in rows {
            // Each time once: from then on it is gone.
            if row.state == ConnectionState::Silent && self.pool.of(&row.serial).phase != Phase::Gone {
                self.note(&row.serial, &DeviceEvent::FellSilent).await;
            }
        }
        for serial in self.pool.present() {
            if !ready.contains(&serial) {
                self.note(&serial, &DeviceEvent::Vanished).await;
            }
        }
        for serial in &ready {
            self.note(serial, &DeviceEvent::Appeared).await;
        }
    }

    /// Notes what happened to a device, and writes down what is held against it now: a restart must not forget a quarantine.
    pub(super) async fn note(&self, serial: &DeviceSerial, happening: &DeviceEvent) {
        let turn = self.pool.turn(serial).await;
        let (before, after) = self.pool.note(serial, happening);
        if after.standing != before.standing {
            let written = match after.standing.reason() {
                None => self.store.drop_standing(serial).await,
                Some(reason) => {
                    let (standing, reason) = (after.standing.word().to_owned(), reason.to_owned());
                    self.store.keep_standing(StoredStanding { serial: serial.clone(), standing, reason }).await
                }
            };
            if let Err(error) = written {
                self.trouble.note(&error);
                tracing::error!(%serial, %error, "what is held against a device will be forgotten at a restart");
            }
        }
        if let Some(what) = before.told(happening, &after) {
            tracing::info!(%serial, phase = after.phase.word(), what, "a device's state changed");
            self.log_device(serial, after.phase, what).await;
        }
        drop(turn);
        if after.phase == Phase::Preparing && before.phase != Phase::Preparing {
            if self.pool.carer().is_some() {
                self.pool.care.notify_one();
            } else {
                // Nobody makes it ready: it is.
                Box::pin(self.note(serial, &DeviceEvent::Prepared)).await;
            }
        }
    }

    /// Adds a line to a device's log. While the database is in trouble there is none: each would wait for its refusal.
    async fn log_device(&self, serial: &DeviceSerial, phase: Phase, what: String) {
        if self.trouble.current().is_some() {
            return;
        }
        let line = DeviceLine { at: now(), phase: phase.word().to_owned(), what };
        if let Err(error) = self.store.log_device(serial, line).await {
            self.trouble.note(&error);
            tracing::error!(%serial, %error, "a line of a device's log is lost");
        }
    }

    /// Takes up what an earlier daemon held against devices, and who has reserved which.
    pub(super) async fn recall_devices(&self) -> Result<(), StoreError> {
        for StoredStanding { serial, standing, reason } in self.store.standings().await? {
            if let Some(standing) = Standing::stored(&standing, reason) {
                self.pool.take_up(serial, standing);
            } else {
                tracing::error!(%serial, standing, "what is held against a device cannot be read");
            }
        }
        self.pool.put_reservations(self.store.reservations().await?);
        Ok(())
    }

    /// Reserves a device for a person: the run that has it ends, and no other gets it.
    pub(super) async fn reserve(&self, reservation: Reservation) -> Result<(), StoreError> {
        self.store.reserve(reservation.clone()).await?;
        let serial = reservation.serial.clone();
        let what = format!("reserved by {} until {}", reservation.person, told(reservation.until));
        self.pool.reserve(reservation);
        self.log_device(&serial, self.pool.of(&serial).phase, what).await;
        self.pool.care.notify_one();
        Ok(())
    }

    /// Ends a reservation; false where there was none.
    pub(super) async fn end_reservation(&self, serial: &DeviceSerial) -> Result<bool, StoreError> {
        let stored = self.store.end_reservation(serial).await?;
        if self.pool.unreserve(serial) || stored {
            self.note(serial, &DeviceEvent::Returned).await;
            self.wake.notify_one();
            return Ok(true);
        }
        Ok(false)
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
                && self.why_not(serial).is_none()
                && self.farm.emulators.obstacle(serial).is_none()
        };
        ready.filter(usable).cloned().collect()
    }

    /// Why a connected device gets no runs, in a sentence; `None` for one that does, or soon will.
    pub(super) fn why_not(&self, serial: &DeviceSerial) -> Option<String> {
        if let Some(Reservation { person, until, .. }) = self.pool.reservation(serial) {
            return Some(format!("{serial} is reserved by {person} until {}", told(until)));
        }
        let condition = self.pool.of(serial);
        if condition.standing.is_quarantined() {
            return Some(format!("{serial} is quarantined: {}", condition.standing.reason().unwrap_or_default()));
        }
        condition.unfit.map(|reason| format!("{serial} is not ready: {reason}"))
    }

    /// True for a device that a run may take now.
    pub(super) fn is_idle(&self, serial: &DeviceSerial) -> bool {
        self.pool.of(serial).phase.is_idle()
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
