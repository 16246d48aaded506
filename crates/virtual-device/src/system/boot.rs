//! Restarting the device.

use super::{Buffer, VirtualSystem};
use std::time::Duration;

/// From the restart to `sys.boot_completed`: short, but long enough for a client that does not wait to notice.
const BOOT_TIME: Duration = Duration::from_millis(1500);

/// What says that the device has started.
const BOOT_COMPLETED: [(&str, &str); 3] =
    [("sys.boot_completed", "1"), ("dev.bootcomplete", "1"), ("init.svc.bootanim", "stopped")];

impl VirtualSystem {
    /// False while the device restarts: adbd is back, the system services are not yet.
    pub const fn boot_completed(&self) -> bool {
        self.booting_until.is_none()
    }

    pub(super) fn finish_boot(&mut self) {
        if self.booting_until.is_some_and(|end| self.uptime() >= end) {
            self.booting_until = None;
            for (property, value) in BOOT_COMPLETED {
                self.properties.put(property, value);
            }
        }
    }

    /// Restarts: processes end, data, files and settings stay.
    pub fn reboot(&mut self) {
        let running: Vec<String> = self.tasks.apps().map(|app| app.process.package().to_owned()).collect();
        for package in running {
            self.end(&package);
        }
        self.tasks.overlays_mut().clear();
        self.cached.clear();
        self.crashes.clear();
        self.ordered_crashes.clear();
        self.clipboard = None;
        self.resumed = None;
        self.log.clear(&Buffer::ALL);
        self.booted_at = self.config.clock.passed();
        self.booting_until = Some(BOOT_TIME);
        for (property, _) in BOOT_COMPLETED {
            self.properties.put(property, "");
        }
        self.properties.put("init.svc.bootanim", "running");
        let chosen = self.properties.get("persist.sys.locale");
        let locale = if chosen.is_empty() { self.properties.get("ro.product.locale") } else { chosen };
        self.locale = locale.to_owned();
        self.renew_home();
    }
}
