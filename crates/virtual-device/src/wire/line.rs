//! Whether the device can be reached: services take it off the line, the endpoint brings it back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Why and how long a device cannot be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// Its port refuses connections (adbd restarts, the device reboots, the network is gone).
    Gone(Duration),
    /// Its port takes connections, but nobody answers.
    Silent(Duration),
}

/// One device's way to the outside; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Line(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    wanted: Mutex<Option<Away>>,
    changed: Notify,
}

impl Line {
    /// Hangs up on every host, for as long as `away` says. One that is under way already goes first.
    pub fn leave(&self, away: Away) {
        self.wanted().get_or_insert(away);
        self.0.changed.notify_one();
    }

    /// The device is back: what was asked of it before is done.
    pub fn arrive(&self) {
        self.wanted().take();
    }

    /// Waits until someone asks the device to leave.
    pub async fn left(&self) -> Away {
        loop {
            // Registered before looking, so that no request is lost.
            let changed = self.0.changed.notified();
            if let Some(away) = self.wanted().take() {
                return away;
            }
            changed.await;
        }
    }

    fn wanted(&self) -> std::sync::MutexGuard<'_, Option<Away>> {
        self.0.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
