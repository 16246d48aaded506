//! How long the daemon waits for what.

use std::time::Duration;

/// Every wait of the daemon is bounded by one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// After the stop signal, runs under way may go on for so long before they are cancelled.
    pub drain: Duration,
    /// A cancelled run may clean up for so long before it is abandoned.
    pub cancel_grace: Duration,
    /// What is left to be written when the daemon ends may take so long; the next start does without it.
    pub store_grace: Duration,
    /// When a run ends as `error`, the device list is watched for so long: a device that vanishes now is the cause.
    pub device_loss_grace: Duration,
    /// When all runs have ended, open connections may read their last bytes for so long.
    pub close: Duration,
    /// Pause between two comments on a silent event stream, so that dead connections are noticed.
    pub keep_alive: Duration,
    /// When the database failed, it is tried again after so long; until it takes what is written no run gets a device.
    pub store_retry: Duration,
    /// A recording that the artifact store did not take is offered to it again after so long.
    pub upload_retry: Duration,
    /// A device that another process of this host uses is asked for again after so long.
    pub device_retry: Duration,
    /// A device that is not fit for a run is asked again how it is after so long.
    pub care_retry: Duration,
    /// A suspect device that no run has had for so long is asked how it is; one that is fit is sound again.
    pub rest: Duration,
    /// What was changed on devices may take so long to be put back when the daemon ends; the next one does it otherwise.
    pub put_back: Duration,
    /// Connections at once: descriptors are kept for adb, database and recordings.
    pub connections: usize,
    /// The head of a request must be there after so long; a connection on which none comes is closed.
    pub head: Duration,
    /// Runs that may wait at once.
    pub waiting: u64,
    /// How often a run may be given a device, whatever ended the attempts before.
    pub attempts: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            drain: Duration::from_secs(30),
            cancel_grace: Duration::from_secs(8),
            store_grace: Duration::from_secs(2),
            device_loss_grace: Duration::from_secs(1),
            close: Duration::from_secs(2),
            keep_alive: Duration::from_secs(15),
            store_retry: Duration::from_secs(5),
            upload_retry: Duration::from_secs(60),
            device_retry: Duration::from_secs(2),
            care_retry: Duration::from_secs(15),
            rest: Duration::from_secs(600),
            put_back: Duration::from_secs(3),
            connections: 256,
            head: Duration::from_secs(20),
            waiting: 50_000,
            attempts: 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_is_told_to_stop_is_gone_within_45_seconds_whatever_hangs() {
        let limits = Limits::default();
        assert_eq!(limits.drain, Duration::from_secs(30));
        // Connections and helpers end side by side; emulators have a second to end, and so have threads that hang.
        let last = limits.close.max(limits.put_back) + Duration::from_secs(2);
        assert!(limits.drain + limits.cancel_grace + limits.store_grace + last <= Duration::from_secs(45));
    }
}
