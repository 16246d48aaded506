//! Where time comes from.

use super::Interrupt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A device's clock: real (or so many times as fast) for users, virtual for tests (there, waiting moves the time on and costs nothing).
#[derive(Debug, Clone)]
pub struct Clock(Arc<Source>);

#[derive(Debug)]
enum Source {
    /// Runs `factor` times as fast as the host's.
    Real {
        start: Instant,
        wall: jiff::Timestamp,
        factor: u32,
    },
    Virtual {
        passed: Mutex<Duration>,
        wall: jiff::Timestamp,
    },
}

impl Clock {
    /// The host's clock.
    pub fn real() -> Self {
        Self::scaled(1)
    }

    /// A clock that runs `factor` times as fast as the host's.
    pub fn scaled(factor: u32) -> Self {
        Self(Arc::new(Source::Real { start: Instant::now(), wall: now(), factor: factor.max(1) }))
    }

    /// A clock that stands still until someone waits; it starts at the present.
    pub fn virtual_now() -> Self {
        Self::virtual_at(now())
    }

    /// A clock that stands still until someone waits; it starts at `wall`.
    pub fn virtual_at(wall: jiff::Timestamp) -> Self {
        Self(Arc::new(Source::Virtual { passed: Mutex::default(), wall }))
    }

    /// Time since the clock was made.
    pub fn passed(&self) -> Duration {
        match &*self.0 {
            Source::Real { start, factor, .. } => start.elapsed().saturating_mul(*factor),
            Source::Virtual { passed, .. } => *passed.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Date and time, UTC.
    pub fn wall(&self) -> jiff::Timestamp {
        let (Source::Real { wall, .. } | Source::Virtual { wall, .. }) = &*self.0;
        // Out of range only after the year 9999.
        wall.checked_add(self.passed()).unwrap_or(*wall)
    }

    /// Lets `duration` pass; false when interrupted before. Blocks the thread under a real clock: call it where
    /// blocking is allowed.
    pub fn wait(&self, duration: Duration, interrupt: &Interrupt) -> bool {
        match &*self.0 {
            Source::Real { factor, .. } => interrupt.wait(duration / *factor),
            Source::Virtual { passed, .. } => {
                let mut passed = passed.lock().unwrap_or_else(PoisonError::into_inner);
                *passed = passed.saturating_add(duration);
                !interrupt.raised()
            }
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::real()
    }
}

fn now() -> jiff::Timestamp {
    jiff::Timestamp::try_from(SystemTime::now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}
