//! The signal that ends a device process when its adb stream goes.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Raised once, seen by everyone who holds a clone.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    state: Mutex<State>,
    raised: Condvar,
}

#[derive(Debug, Default)]
struct State {
    raised: bool,
    children: Vec<Weak<Signal>>,
}

impl Signal {
    fn raise(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.raised = true;
        let children = std::mem::take(&mut state.children);
        drop(state);
        self.raised.notify_all();
        for child in children.iter().filter_map(Weak::upgrade) {
            child.raise();
        }
    }
}

impl Interrupt {
    /// Ends every wait, now and later.
    pub fn raise(&self) {
        self.0.raise();
    }

    /// One that is raised with this one, and alone without it: a stage of a pipeline.
    #[must_use]
    pub fn child(&self) -> Self {
        let child = Self::default();
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.raised {
            child.raise();
        } else {
            state.children.push(Arc::downgrade(&child.0));
        }
        drop(state);
        child
    }

    /// True after [`Self::raise`].
    pub fn raised(&self) -> bool {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).raised
    }

    /// Waits until raised.
    pub fn wait_for_ever(&self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.raised {
            state = self.0.raised.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for `duration`; false when raised before it passed.
    pub fn wait(&self, duration: Duration) -> bool {
        let begin = Instant::now();
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.raised {
                return false;
            }
            let Some(left) = duration.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) else { return true };
            state = self.0.raised.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
