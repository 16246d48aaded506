//! The device's state behind one lock.

use super::{Clock, VirtualSystem};
use crate::domain::Point;
use crate::faults::Faults;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A finger that is down between two `input motionevent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finger {
    /// Where it went down.
    pub down: Point,
    /// When.
    pub since: Duration,
    /// It has left the touch slop.
    pub travelled: bool,
}

/// What `input` leaves behind for its next call.
#[derive(Debug, Default)]
pub struct Hand {
    /// A finger on the display.
    pub finger: Option<Finger>,
    /// Ctrl-A was the last key.
    pub all_selected: bool,
}

/// A [`VirtualSystem`] that many adb streams use at once.
pub struct SharedSystem {
    state: Mutex<VirtualSystem>,
    clock: Clock,
    automation: AtomicBool,
    hand: Mutex<Hand>,
    /// What goes wrong on purpose.
    pub faults: Faults,
}

impl SharedSystem {
    /// Shares a system.
    pub fn new(system: VirtualSystem) -> Self {
        let faults = system.files.faults.clone();
        let clock = system.config().clock.clone();
        Self { clock, state: Mutex::new(system), automation: AtomicBool::new(false), hand: Mutex::default(), faults }
    }

    /// The state, brought up to the present. Let go before writing anything to a stream.
    pub fn lock(&self) -> MutexGuard<'_, VirtualSystem> {
        let mut system = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        system.catch_up();
        system
    }

    /// What `input` left behind. Lock it for as long as it takes to look, and never while holding [`Self::lock`].
    pub fn hand(&self) -> MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device's clock.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Registers the one `UiAutomation` a device can have; `None` while another is connected
    /// (`UiAutomationService … already registered!`).
    pub fn connect_automation(&self) -> Option<Automation<'_>> {
        (!self.automation.swap(true, Ordering::AcqRel)).then(|| Automation(&self.automation))
    }
}

/// A connected `UiAutomation`; dropping it disconnects.
pub struct Automation<'a>(&'a AtomicBool);

impl Drop for Automation<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
