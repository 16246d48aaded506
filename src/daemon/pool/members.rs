//! All devices of the pool, and who reserved them.

use super::{Condition, Happening, Phase, Standing};
use crate::device::DeviceCare;
use crate::domain::DeviceSerial;
use crate::store::Reservation;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The devices of this host.
#[derive(Default)]
pub(in crate::daemon) struct Pool {
    /// Who cares for devices; `None`: whoever is connected is ready.
    carer: Option<Arc<dyn DeviceCare>>,
    by_device: Mutex<BTreeMap<DeviceSerial, Condition>>,
    reservations: Mutex<BTreeMap<DeviceSerial, Reservation>>,
    /// Wakes whoever tends devices.
    pub(in crate::daemon) care: Notify,
}

impl Pool {
    /// An empty pool, whose devices are cared for so.
    pub(in crate::daemon) fn new(carer: Option<Arc<dyn DeviceCare>>) -> Self {
        Self { carer, ..Self::default() }
    }

    /// Who cares for devices.
    pub(in crate::daemon) fn carer(&self) -> Option<Arc<dyn DeviceCare>> {
        self.carer.clone()
    }

    /// A device's condition.
    pub(in crate::daemon) fn of(&self, serial: &DeviceSerial) -> Condition {
        self.by_device().get(serial).cloned().unwrap_or_default()
    }

    /// Takes up what an earlier daemon held against a device.
    pub(in crate::daemon) fn take_up(&self, serial: DeviceSerial, standing: Standing) {
        self.by_device().insert(serial, Condition { standing, ..Condition::default() });
    }

    /// Notes what happened to a device; its condition before and after.
    pub(in crate::daemon) fn note(&self, serial: &DeviceSerial, happening: &Happening) -> (Condition, Condition) {
        let mut all = self.by_device();
        let before = all.get(serial).cloned().unwrap_or_default();
        let after = before.after(happening);
        if after.standing.word() != before.standing.word() {
            let (standing, reason) = (after.standing.word(), after.standing.reason());
            tracing::warn!(%serial, standing, reason, "a device's standing changed");
        }
        all.insert(serial.clone(), after.clone());
        (before, after)
    }

    /// Devices that are known and not gone.
    pub(in crate::daemon) fn present(&self) -> Vec<DeviceSerial> {
        let all = self.by_device();
        let present = all.iter().filter(|(_, condition)| !matches!(condition.phase, Phase::New | Phase::Gone));
        present.map(|(serial, _)| serial.clone()).collect()
    }

    /// Devices in one phase, and whether their settings are to be looked at.
    pub(super) fn in_phase(&self, wanted: Phase) -> Vec<(DeviceSerial, bool)> {
        let all = self.by_device();
        let found = all.iter().filter(|(_, condition)| condition.phase == wanted);
        found.map(|(serial, condition)| (serial.clone(), condition.raw)).collect()
    }

    /// Who has reserved a device.
    pub(in crate::daemon) fn reservation(&self, serial: &DeviceSerial) -> Option<Reservation> {
        self.reservations().get(serial).cloned()
    }

    /// The reservations as they are stored, in place of those known.
    pub(in crate::daemon) fn put_reservations(&self, stored: Vec<Reservation>) {
        let stored = stored.into_iter().map(|reservation| (reservation.serial.clone(), reservation));
        *self.reservations() = stored.collect();
    }

    /// Notes a reservation.
    pub(in crate::daemon) fn reserve(&self, reservation: Reservation) {
        self.reservations().insert(reservation.serial.clone(), reservation);
    }

    /// Ends a reservation; false where there is none.
    pub(in crate::daemon) fn unreserve(&self, serial: &DeviceSerial) -> bool {
        self.reservations().remove(serial).is_some()
    }

    /// Devices that are reserved.
    pub(super) fn reserved(&self) -> Vec<DeviceSerial> {
        self.reservations().keys().cloned().collect()
    }

    /// Devices whose reservation is over.
    pub(super) fn overdue(&self, now: Timestamp) -> Vec<DeviceSerial> {
        let all = self.reservations();
        all.values().filter(|held| held.until <= now).map(|held| held.serial.clone()).collect()
    }

    fn by_device(&self) -> MutexGuard<'_, BTreeMap<DeviceSerial, Condition>> {
        // The map is whole after every statement.
        self.by_device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reservations(&self) -> MutexGuard<'_, BTreeMap<DeviceSerial, Reservation>> {
        // The same.
        self.reservations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
