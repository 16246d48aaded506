//! Emulators that the daemon starts, keeps running, and puts back to a snapshot before each run.
//!
//! `plan` says which ones and how each is called, `sdk` finds the program that runs them, `fleet` keeps them running, `orphans` ends
//! those of a daemon that was killed.

mod fleet;
mod orphans;
mod plan;
mod sdk;

pub use fleet::{EmulatorWaits, Emulators};
pub use orphans::{end_left_over, is_free, note};
pub use plan::{EmulatorPlan, EmulatorWish, PlanError};
pub use sdk::{Sdk, SdkError};

use super::desk::Desk;
use std::sync::Arc;

/// Keeps the desk's emulators running until no run is under way any more, and wakes the queue when one gets ready.
pub(super) async fn keep(desk: Arc<Desk>) {
    let emulators = Arc::clone(&desk.farm.emulators);
    let over = desk.over.clone();
    let wake = async {
        loop {
            emulators.ready.notified().await;
            desk.wake.notify_one();
        }
    };
    tokio::select! {
        () = Arc::clone(&emulators).keep(over) => {}
        () = wake => {}
    }
}
