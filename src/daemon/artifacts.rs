//! The artifact store beside a daemon's own folder of recordings: what waits to be brought there, and what is there of a run.

use crate::artifact_store::{ArtifactError, ArtifactStore, StoredRun};
use crate::domain::{CaseId, RunId};
use lru::LruCache;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Runs whose listings are remembered: a report asks for the same one with every picture.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);
/// How long they are: another host may add an attempt.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);

/// The artifact store as a daemon uses it.
pub(super) struct Artifacts {
    pub(super) store: Arc<ArtifactStore>,
    /// Ended runs whose recordings are to be stored.
    waiting: Mutex<BTreeMap<RunId, CaseId>>,
    pub(super) news: Notify,
    remembered: Mutex<LruCache<RunId, (Instant, Arc<StoredRun>)>>,
}

impl Artifacts {
    pub(super) fn new(store: Arc<ArtifactStore>) -> Self {
        let remembered = Mutex::new(LruCache::new(REMEMBERED));
        Self { store, waiting: Mutex::default(), news: Notify::new(), remembered }
    }

    /// A run has ended, and its recordings are to be stored.
    pub(super) fn add(&self, case_id: &CaseId, run_id: &RunId) {
        lock(&self.waiting).insert(run_id.clone(), case_id.clone());
        self.news.notify_one();
    }

    /// How many runs wait to be stored.
    pub(super) fn waiting(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// What is stored of a run, as it was within the last minute.
    ///
    /// # Errors
    /// The store does not say.
    pub(super) async fn run(&self, run_id: &RunId) -> Result<Arc<StoredRun>, ArtifactError> {
        let known = lock(&self.remembered).get(run_id).cloned();
        if let Some((_, run)) = known.filter(|(since, _)| since.elapsed() < REMEMBERED_FOR) {
            return Ok(run);
        }
        let run = Arc::new(self.store.run(run_id).await?);
        // Nothing is no news: it may be stored in a moment.
        if !run.is_empty() {
            lock(&self.remembered).put(run_id.clone(), (Instant::now(), Arc::clone(&run)));
        }
        Ok(run)
    }

    /// Takes away what is stored of a run.
    ///
    /// # Errors
    /// The store does not do it.
    pub(super) async fn remove(&self, run_id: &RunId) -> Result<(), ArtifactError> {
        lock(&self.waiting).remove(run_id);
        lock(&self.remembered).pop(run_id);
        self.store.remove(run_id).await
    }

    /// A run whose recordings are to be stored, the one that was submitted first.
    pub(super) fn next(&self) -> Option<(RunId, CaseId)> {
        lock(&self.waiting).first_key_value().map(|(run_id, case_id)| (run_id.clone(), case_id.clone()))
    }

    /// A run is stored.
    pub(super) fn done(&self, run_id: &RunId) {
        lock(&self.waiting).remove(run_id);
        lock(&self.remembered).pop(run_id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
