//! When `uiautomator dump` calls a screen idle.

use std::time::Duration;

/// How long `uiautomator dump` waits for quiet, and when it gives up.
///
/// Android waits until no accessibility event has come for 1000 ms and gives up after 10 s
/// (`DumpCommand.waitForIdle(1000, 10000)`), so there every dump costs a second. A virtual device knows whether
/// something moves and by default does not make its user wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleWait {
    /// How long nothing may move before the screen counts as idle.
    pub quiet: Duration,
    /// When to give up on an app that keeps moving.
    pub limit: Duration,
}

impl IdleWait {
    /// No wait on a quiet screen; gives up after 10 s like Android.
    pub const NONE: Self = Self { quiet: Duration::ZERO, limit: Duration::from_secs(10) };
    /// Exactly Android's wait.
    pub const AS_ON_ANDROID: Self = Self { quiet: Duration::from_secs(1), limit: Duration::from_secs(10) };
}

impl Default for IdleWait {
    fn default() -> Self {
        Self::NONE
    }
}
