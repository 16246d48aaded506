//! Which run holds which device, inside this daemon.
//!
//! This is the seam for leases that several processes share: the queue worker and the desk know no more of a device
//! than what is here.

use crate::domain::{DeviceSerial, RunId};
use crate::store::RunRecord;
use std::collections::{BTreeMap, BTreeSet};
use tokio_util::sync::CancellationToken;

/// A run that holds a device.
#[derive(Debug, Clone)]
pub(super) struct Lease {
    /// The run.
    pub(super) run_id: RunId,
    /// Its night.
    pub(super) batch_id: Option<String>,
    /// Fires when somebody asked for the run's end.
    pub(super) cancelled: CancellationToken,
    /// Fires when this host may not hold the run any longer.
    pub(super) lapsed: CancellationToken,
}

/// At most one run per device; a run may hold several.
#[derive(Debug, Default)]
pub(super) struct Leases {
    by_device: BTreeMap<DeviceSerial, Lease>,
}

impl Leases {
    /// True when a run holds the device.
    pub(super) fn is_held(&self, serial: &DeviceSerial) -> bool {
        self.by_device.contains_key(serial)
    }

    /// Gives devices to a run, all at once, so that no two runs wait for each other. The caller has checked that they are
    /// free, under the same lock.
    pub(super) fn take(&mut self, serials: &[DeviceSerial], run: &RunRecord) -> Lease {
        let batch_id = run.place.as_ref().map(|place| place.batch_id.clone());
        let (cancelled, lapsed) = (CancellationToken::new(), CancellationToken::new());
        let lease = Lease { run_id: run.run_id.clone(), batch_id, cancelled, lapsed };
        for serial in serials {
            self.by_device.insert(serial.clone(), lease.clone());
        }
        lease
    }

    /// Frees the devices.
    pub(super) fn release(&mut self, serials: &[DeviceSerial]) {
        for serial in serials {
            self.by_device.remove(serial);
        }
    }

    /// The lease a run holds.
    pub(super) fn of_run(&self, run_id: &RunId) -> Option<&Lease> {
        self.by_device.values().find(|lease| lease.run_id == *run_id)
    }

    /// The run that holds a device.
    pub(super) fn of_device(&self, serial: &DeviceSerial) -> Option<&RunId> {
        self.by_device.get(serial).map(|lease| &lease.run_id)
    }

    /// How many runs of a night are under way here.
    pub(super) fn of_batch(&self, batch_id: &str) -> usize {
        let own = self.by_device.values().filter(|lease| lease.batch_id.as_deref() == Some(batch_id));
        own.map(|lease| &lease.run_id).collect::<BTreeSet<_>>().len()
    }

    /// All leases of a night.
    pub(super) fn all_of_batch(&self, batch_id: &str) -> impl Iterator<Item = &Lease> {
        self.by_device.values().filter(move |lease| lease.batch_id.as_deref() == Some(batch_id))
    }

    /// Ends the hold of all runs: others may have taken them over.
    pub(super) fn lapse(&self) {
        self.by_device.values().for_each(|lease| lease.lapsed.cancel());
    }

    /// How many devices are held.
    pub(super) fn len(&self) -> usize {
        self.by_device.len()
    }
}
