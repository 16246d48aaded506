//! A device whose examiner is told before every call: what happened until then is complete, and nothing else has.
//!
//! A device within the process changes by calls only, and events are emitted in the order in which things happen. So
//! who looks before each call sees the device as it was when the last event was emitted.

use crate::adb::ShellLine;
use crate::device::{Device, DeviceError, DeviceInfo, Observation};
use crate::domain::{DeviceSerial, PackageName, Place};
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What is about to be asked of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// To be looked at, or to let time pass.
    Looks,
    /// To take input, or to start something.
    Acts,
}

/// Is told before every call.
pub(super) trait Watcher: Send + Sync {
    /// A call comes.
    fn before(&self, call: Call);
}

/// A device and its examiner.
pub(super) struct WatchedDevice {
    device: Arc<dyn Device>,
    watcher: Arc<dyn Watcher>,
}

impl WatchedDevice {
    /// Tells `watcher` before each call to `device`.
    pub(super) const fn new(device: Arc<dyn Device>, watcher: Arc<dyn Watcher>) -> Self {
        Self { device, watcher }
    }
}

#[async_trait]
impl Device for WatchedDevice {
    fn serial(&self) -> &DeviceSerial {
        self.device.serial()
    }

    async fn describe(&self) -> Result<DeviceInfo, DeviceError> {
        self.device.describe().await
    }

    fn now(&self) -> Duration {
        self.device.now()
    }

    fn was_told_a_secret(&self) -> bool {
        self.device.was_told_a_secret()
    }

    async fn observe(&self) -> Result<Observation, DeviceError> {
        self.watcher.before(Call::Looks);
        self.device.observe().await
    }

    async fn glance(&self) -> Result<Observation, DeviceError> {
        self.watcher.before(Call::Looks);
        self.device.glance().await
    }

    async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        self.watcher.before(Call::Looks);
        self.device.wait_for_change(before, limit).await
    }

    async fn let_pass(&self, time: Duration) {
        self.watcher.before(Call::Looks);
        self.device.let_pass(time).await;
    }

    async fn run(&self, line: &ShellLine) -> Result<(), DeviceError> {
        self.watcher.before(Call::Acts);
        self.device.run(line).await
    }

    async fn set_location(&self, place: Place) -> Result<(), DeviceError> {
        self.device.set_location(place).await
    }

    async fn installed_version(&self, package: &PackageName) -> Result<Option<String>, DeviceError> {
        self.device.installed_version(package).await
    }

    async fn app_files(&self, package: &PackageName) -> Result<Vec<Vec<u8>>, DeviceError> {
        self.device.app_files(package).await
    }

    async fn install(&self, package: &PackageName, apk: &Path) -> Result<(), DeviceError> {
        self.watcher.before(Call::Acts);
        self.device.install(package, apk).await
    }

    async fn uninstall(&self, package: &PackageName) -> Result<(), DeviceError> {
        self.watcher.before(Call::Acts);
        self.device.uninstall(package).await
    }

    async fn start_fresh(&self, package: &PackageName) -> Result<(), DeviceError> {
        self.watcher.before(Call::Acts);
        self.device.start_fresh(package).await
    }

    async fn open(&self, package: &PackageName) -> Result<(), DeviceError> {
        self.watcher.before(Call::Acts);
        self.device.open(package).await
    }

    async fn crashes(&self, package: &PackageName) -> Result<Vec<String>, DeviceError> {
        self.device.crashes(package).await
    }
}
