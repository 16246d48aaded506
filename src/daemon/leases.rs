//! Which run holds which device, inside this daemon.
//!
//! This is the seam for leases that several processes share: the queue worker and the desk know no more of a device
//! than what is here.

use crate::domain::{DeviceSerial, RunId};
use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;

/// A run that holds a device.
#[derive(Debug, Clone)]
pub(super) struct Lease {
    /// The run.
    pub(super) run_id: RunId,
    /// Fires when somebody asked for the run's end.
    pub(super) cancelled: CancellationToken,
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
    pub(super) fn take(&mut self, serials: &[DeviceSerial], run_id: RunId) -> Lease {
        let lease = Lease { run_id, cancelled: CancellationToken::new() };
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

    /// How many devices are held.
    pub(super) fn len(&self) -> usize {
        self.by_device.len()
    }
}
