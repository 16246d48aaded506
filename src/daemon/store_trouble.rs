//! Whether the database takes what is written. While it does not, no run gets a device: what cannot be written down
//! must not be done.

use crate::store::StoreError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// What is wrong with the database, if anything is.
#[derive(Debug, Default)]
pub(super) struct StoreTrouble {
    last: Mutex<Option<String>>,
    begun: Notify,
}

impl StoreTrouble {
    /// A write failed.
    pub(super) fn note(&self, error: &StoreError) {
        let text = error.to_string();
        let mut last = self.last();
        if last.as_ref() != Some(&text) {
            tracing::error!(%error, "no run gets a device until the database takes what is written");
            if last.replace(text).is_none() {
                self.begun.notify_one();
            }
        }
    }

    /// Comes back when trouble has begun.
    pub(super) async fn begun(&self) {
        self.begun.notified().await;
    }

    /// The database takes everything again.
    pub(super) fn clear(&self) {
        if self.last().take().is_some() {
            tracing::info!("the database takes what is written again");
        }
    }

    /// What is wrong now.
    pub(super) fn current(&self) -> Option<String> {
        self.last().clone()
    }

    fn last(&self) -> MutexGuard<'_, Option<String>> {
        // A text is whole after any panic.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
