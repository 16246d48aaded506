//! Threads of their own for runs: whatever holds one up, be it a model or a file that does not come, holds up no answer of
//! the API, no sign of life and no write to the database.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use tokio::runtime::{Builder, Handle, Runtime};

/// Fewer threads let one run that holds its thread up hold up all others.
const FEWEST: usize = 2;

/// The threads on which launchers work. Runs that are still under way when this goes are left to end with the process.
pub(super) struct RunThreads {
    runtime: Option<Runtime>,
}

impl RunThreads {
    /// Starts one for each processor.
    ///
    /// # Errors
    /// The system gives no threads.
    pub(super) fn start() -> std::io::Result<Self> {
        let threads = available_parallelism().map_or(FEWEST, NonZeroUsize::get).max(FEWEST);
        let runtime = Builder::new_multi_thread().worker_threads(threads).thread_name("runs").enable_all().build()?;
        Ok(Self { runtime: Some(runtime) })
    }

    /// Where runs are spawned.
    pub(super) fn handle(&self) -> Handle {
        self.runtime.as_ref().map_or_else(Handle::current, |runtime| runtime.handle().clone())
    }
}

impl Drop for RunThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Whoever drops this must not be held up by a run that is.
            runtime.shutdown_background();
        }
    }
}
