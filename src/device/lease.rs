//! Exclusive use of devices: a run leases one, and dropping the lease gives it back.

use super::health::{Health, HealthEvent};
use crate::adb::{ConnectionState, DeviceRow};
use crate::domain::DeviceSerial;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// The devices the server lists, and which of them are in use. Cheap to clone; all clones share the leases.
#[derive(Debug, Clone)]
pub struct DevicePool {
    rows: watch::Receiver<Vec<DeviceRow>>,
    leases: Arc<Leases>,
}

#[derive(Debug, Default)]
struct Leases {
    taken: Mutex<BTreeSet<DeviceSerial>>,
    returned: Notify,
}

impl Leases {
    fn taken(&self) -> MutexGuard<'_, BTreeSet<DeviceSerial>> {
        // A set of names is whole after any panic.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to use one device, until dropped.
#[derive(Debug)]
pub struct Lease {
    serial: DeviceSerial,
    leases: Arc<Leases>,
}

impl Lease {
    /// The leased device.
    pub const fn serial(&self) -> &DeviceSerial {
        &self.serial
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.leases.taken().remove(&self.serial);
        self.leases.returned.notify_waiters();
    }
}

impl DevicePool {
    /// A pool over the list that [`AdbServer::track`](crate::adb::AdbServer::track) follows.
    pub fn new(rows: watch::Receiver<Vec<DeviceRow>>) -> Self {
        Self { rows, leases: Arc::default() }
    }

    /// Waits for a usable, free device (the `wanted` one if given) and takes it. Waits as long as there is none: bound it
    /// with a timeout or a cancellation where a caller must not wait for ever. Safe to drop at any time.
    pub async fn lease(&self, wanted: Option<&DeviceSerial>) -> Lease {
        let mut rows = self.rows.clone();
        loop {
            // Registered before looking, so that a lease returned in between is not missed.
            let returned = self.leases.returned.notified();
            tokio::pin!(returned);
            returned.as_mut().enable();
            rows.mark_unchanged();
            if let Some(lease) = self.try_lease(wanted) {
                return lease;
            }
            tokio::select! {
                () = &mut returned => {}
                changed = rows.changed() => {
                    if changed.is_err() {
                        // Nobody follows the list any more; only a returned lease can help.
                        returned.await;
                    }
                }
            }
        }
    }

    /// Takes a usable, free device if there is one now.
    pub fn try_lease(&self, wanted: Option<&DeviceSerial>) -> Option<Lease> {
        let mut taken = self.leases.taken();
        let serial = self
            .rows
            .borrow()
            .iter()
            .filter(|row| row.state == ConnectionState::Device)
            .filter(|row| wanted.is_none_or(|wanted| row.serial == *wanted))
            .map(|row| &row.serial)
            .find(|serial| !taken.contains(*serial))?
            .clone();
        taken.insert(serial.clone());
        Some(Lease { serial, leases: self.leases.clone() })
    }

    /// Every listed device with its health, and leased ones that have vanished.
    pub fn health(&self) -> Vec<(DeviceSerial, Health)> {
        let taken = self.leases.taken();
        let rows = self.rows.borrow();
        let listed = rows.iter().map(|row| {
            let mut health = Health::Gone.after(&HealthEvent::Listed(row.state.clone()));
            if taken.contains(&row.serial) {
                health = health.after(&HealthEvent::Leased);
            }
            (row.serial.clone(), health)
        });
        let vanished = taken
            .iter()
            .filter(|serial| !rows.iter().any(|row| row.serial == **serial))
            .map(|serial| (serial.clone(), Health::Gone));
        listed.chain(vanished).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adb::parse_device_list;
    use std::time::Duration;
    use tokio::time::timeout;

    fn pool(list: &str) -> (watch::Sender<Vec<DeviceRow>>, DevicePool) {
        let (sender, rows) = watch::channel(parse_device_list(list));
        (sender, DevicePool::new(rows))
    }

    const SOON: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn a_device_is_leased_once_at_a_time() {
        let (_sender, pool) = pool("a\tdevice\nb\tdevice\n");
        let first = pool.lease(None).await;
        let second = pool.lease(None).await;
        assert_ne!(first.serial(), second.serial());
        assert!(pool.try_lease(None).is_none());

        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.lease(Some(&"a".into())).await.serial().clone() }
        });
        tokio::task::yield_now().await;
        drop(second);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "the wrong device was handed out");
        drop(first);
        assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap().as_str(), "a");
    }

    #[tokio::test]
    async fn a_lease_waits_for_the_device_to_come() {
        let (sender, pool) = pool("a\tunauthorized\n");
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.lease(None).await.serial().clone() }
        });
        tokio::task::yield_now().await;
        sender.send(parse_device_list("a\tdevice\n")).unwrap();
        assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap().as_str(), "a");
    }

    #[tokio::test]
    async fn a_returned_device_is_handed_on_even_when_nobody_follows_the_list() {
        let (sender, pool) = pool("a\tdevice\n");
        let lease = pool.lease(None).await;
        drop(sender);
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.lease(None).await.serial().clone() }
        });
        tokio::task::yield_now().await;
        drop(lease);
        assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap().as_str(), "a");
    }

    #[tokio::test]
    async fn health_shows_leases_and_vanished_devices() {
        let (sender, pool) = pool("a\tdevice\nb\tdevice\nc\toffline\n");
        let _a = pool.lease(Some(&"a".into())).await;
        let of = |pool: &DevicePool| {
            pool.health().into_iter().map(|(serial, health)| format!("{serial} {health:?}")).collect::<Vec<_>>()
        };
        assert_eq!(of(&pool), ["a Busy", "b Ready", "c Offline"]);
        sender.send(parse_device_list("b\tdevice\n")).unwrap();
        assert_eq!(of(&pool), ["b Ready", "a Gone"]);
    }
}
