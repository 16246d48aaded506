//! The signal that ends a device process when its adb stream goes.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Raised once, seen by everyone who holds a clone.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<(Mutex<bool>, Condvar)>);

impl Interrupt {
    /// Ends every wait, now and later.
    pub fn raise(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    /// True after [`Self::raise`].
    pub fn raised(&self) -> bool {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until raised.
    pub fn wait_for_ever(&self) {
        let mut raised = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !*raised {
            raised = self.0.1.wait(raised).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for `duration`; false when raised before it passed.
    pub fn wait(&self, duration: Duration) -> bool {
        let begin = Instant::now();
        let mut raised = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if *raised {
                return false;
            }
            let Some(left) = duration.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) else { return true };
            raised = self.0.1.wait_timeout(raised, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
