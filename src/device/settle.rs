//! When a screen counts as being at rest, and the only pauses in this program. A device cannot say "I am done" over
//! adb, so between two looks at it there is nothing to wait on but time.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many samples must agree, and for how long that is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settle {
    /// Consecutive equal dumps that make a screen count as settled. 1 where `uiautomator dump` itself waits for a second
    /// without events, as it does on every real device.
    pub samples: u32,
    /// Milliseconds after which the last sample is taken as it is, with a note.
    pub limit_ms: u64,
    /// Milliseconds between two samples.
    pub pause_ms: u64,
}

impl Default for Settle {
    fn default() -> Self {
        Self { samples: 1, limit_ms: 5_000, pause_ms: 150 }
    }
}

impl Settle {
    /// [`Settle::limit_ms`] as a duration.
    pub const fn limit(&self) -> Duration {
        Duration::from_millis(self.limit_ms)
    }

    /// [`Settle::pause_ms`] as a duration.
    pub const fn pause(&self) -> Duration {
        Duration::from_millis(self.pause_ms)
    }
}

/// Counts how often in a row the same sample came.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    last: Vec<u8>,
    run: u32,
}

impl Agreement {
    /// Takes a sample; gives how many equal ones have now come in a row.
    pub(super) fn add(&mut self, sample: &[u8]) -> u32 {
        if self.run > 0 && self.last == sample {
            self.run += 1;
        } else {
            sample.clone_into(&mut self.last);
            self.run = 1;
        }
        self.run
    }
}

/// Lets time pass before the device is looked at again.
pub(super) async fn pause(length: Duration) {
    tokio::time::sleep(length).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_consecutive_equal_samples_agree() {
        let mut agreement = Agreement::default();
        let runs: Vec<u32> = [b"a", b"a", b"b", b"a", b"a", b"a"].into_iter().map(|s| agreement.add(s)).collect();
        assert_eq!(runs, [1, 2, 1, 1, 2, 3]);
    }

    #[test]
    fn the_first_sample_never_agrees_with_nothing() {
        assert_eq!(Agreement::default().add(b""), 1);
    }
}
