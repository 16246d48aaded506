//! All devices of the pool, and who reserved them.

use super::{Condition, DeviceEvent, Phase, Standing};
use crate::device::DeviceCare;
use crate::domain::DeviceSerial;
use crate::store::Reservation;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedMutexGuard};

/// The devices of this host.
#[derive(Default)]
pub(in crate::daemon) struct Pool {
    /// Who cares for devices; `None`: whoever is connected is ready.
    carer: Option<Arc<dyn DeviceCare>>,
    by_device: Mutex<BTreeMap<DeviceSerial, Condition>>,
    reservations: Mutex<BTreeMap<DeviceSerial, Reservation>>,
    /// Whoever notes something of a device has its turn until that is written down.
    turns: Mutex<BTreeMap<DeviceSerial, Arc<tokio::sync::Mutex<()>>>>,
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

    /// Waits until what was noted of the device before is written down, so that its log has the order of what happened.
    pub(in crate::daemon) async fn turn(&self, serial: &DeviceSerial) -> OwnedMutexGuard<()> {
        let turn = {
            // A map of locks is whole after any panic.
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(serial.clone()).or_default())
        };
        turn.lock_owned().await
    }

    /// Notes what happened to a device; its condition before and after.
    pub(in crate::daemon) fn note(&self, serial: &DeviceSerial, happening: &DeviceEvent) -> (Condition, Condition) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_notes_something_of_a_device_waits_for_who_did_before_and_for_nobody_else() {
        let pool = Pool::default();
        let [one, other] = ["d1", "d2"].map(DeviceSerial::from);
        let first = pool.turn(&one).await;
        drop(pool.turn(&other).await);
        let mut second = Box::pin(pool.turn(&one));
        assert!(futures_util::poll!(&mut second).is_pending());
        drop(first);
        drop(second.await);
    }
}
