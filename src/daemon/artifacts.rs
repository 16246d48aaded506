//! The artifact store beside a daemon's own folder of recordings: what waits to be brought there, and what is there of a run.

use super::desk::Desk;
use crate::artifact_store::{ArtifactError, ArtifactStore, Recorded, StoredRun, Uploaded};
use crate::domain::{CaseId, RunId};
use crate::run::{FoundRecording, Recordings};
use crate::store::StoreError;
use jiff::Timestamp;
use lru::LruCache;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::spawn_blocking;

/// Pause between two looks for recordings that somebody else's death left behind.
const ROUND: Duration = Duration::from_secs(3600);
/// Runs whose listings are remembered: a report asks for the same one with every picture.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);
/// How long they are: another host may add an attempt.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);

/// The artifact store as a daemon uses it.
pub(super) struct Artifacts {
    pub(super) store: Arc<ArtifactStore>,
    /// Ended runs whose recordings are to be stored.
    waiting: Mutex<BTreeMap<RunId, CaseId>>,
    news: Notify,
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

    fn next(&self) -> Option<(RunId, CaseId)> {
        lock(&self.waiting).first_key_value().map(|(run_id, case_id)| (run_id.clone(), case_id.clone()))
    }

    fn done(&self, run_id: &RunId) {
        lock(&self.waiting).remove(run_id);
        lock(&self.remembered).pop(run_id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a recording is not stored for now.
#[derive(Debug, thiserror::Error)]
enum UploadError {
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the folder of recordings: {0}")]
    Folder(#[from] std::io::Error),
    #[error("{0}")]
    Fell(#[from] tokio::task::JoinError),
}

/// The one task that stores recordings.
pub(super) struct Uploader {
    desk: Arc<Desk>,
    artifacts: Arc<Artifacts>,
    recordings: Recordings,
    /// Pause before what could not be stored is tried again.
    retry: Duration,
}

impl Uploader {
    /// None where the daemon has no artifact store, or keeps nothing.
    pub(super) fn new(desk: &Arc<Desk>, retry: Duration) -> Option<Self> {
        let (artifacts, recordings) = (desk.artifacts.clone()?, desk.recordings.clone()?);
        Some(Self { desk: Arc::clone(desk), artifacts, recordings, retry })
    }

    /// Works until the daemon is told to stop. What is not stored by then is found at the next start.
    pub(super) async fn work(self) {
        let stop = self.desk.stop.clone();
        let _stopped = stop.run_until_cancelled(self.go_on()).await;
    }

    async fn go_on(&self) {
        let mut looked: Option<Instant> = None;
        loop {
            let mut pause = ROUND;
            if looked.is_none_or(|at| at.elapsed() >= ROUND) {
                match self.look_for_forgotten().await {
                    Ok(()) => looked = Some(Instant::now()),
                    Err(error) => {
                        pause = self.retry;
                        tracing::error!(%error, "whether recordings are stored is not known for now");
                    }
                }
            }
            while let Some((run_id, case_id)) = self.artifacts.next() {
                match self.upload(&case_id, &run_id).await {
                    Ok(Uploaded { written, found, bytes }) => {
                        self.artifacts.done(&run_id);
                        tracing::info!(%run_id, written, found, bytes, "a recording was stored");
                    }
                    Err(error) => {
                        pause = self.retry;
                        let waiting = self.artifacts.waiting();
                        tracing::error!(%error, %run_id, waiting, "recordings stay on this host for now");
                        break;
                    }
                }
            }
            // Whether somebody told or it is time: it goes on.
            let _told = tokio::time::timeout(pause, self.artifacts.news.notified()).await;
        }
    }

    /// Finds ended runs with recordings on this host that the store has not.
    async fn look_for_forgotten(&self) -> Result<(), UploadError> {
        let stored = self.artifacts.store.runs_of(&self.desk.farm.host).await?;
        let recordings = self.recordings.clone();
        for recorded in spawn_blocking(move || recordings.all()).await?? {
            if stored.contains(&recorded.run_id) {
                continue;
            }
            // What a command recorded is nobody's run.
            if self.desk.store.run(&recorded.run_id).await?.is_some_and(|run| run.state.is_final()) {
                self.artifacts.add(&recorded.case_id, &recorded.run_id);
            }
        }
        Ok(())
    }

    async fn upload(&self, case_id: &CaseId, run_id: &RunId) -> Result<Uploaded, UploadError> {
        let (recordings, case, run) = (self.recordings.clone(), case_id.clone(), run_id.clone());
        let found = spawn_blocking(move || recorded(&recordings, &case, &run)).await??;
        if found.is_empty() {
            // It recorded nothing, or retention was here first.
            return Ok(Uploaded::default());
        }
        Ok(self.artifacts.store.put(&self.desk.farm.host, (case_id, run_id), found).await?)
    }
}

/// Everything that this host has of a run, the earlier attempts first.
fn recorded(recordings: &Recordings, case_id: &CaseId, run_id: &RunId) -> std::io::Result<Vec<Recorded>> {
    let mut attempts: Vec<Option<u32>> = recordings.attempts(case_id, run_id)?.into_iter().map(Some).collect();
    attempts.push(None);
    let mut found = Vec::new();
    for attempt in attempts {
        if let Some(recording) = recordings.of(case_id, run_id, attempt)?.filter(|recording| recording.complete) {
            found.push(Recorded { attempt, ended_at: ended_at(&recording)?, files: files_of(&recording)? });
        }
    }
    Ok(found)
}

fn files_of(recording: &FoundRecording) -> std::io::Result<Vec<(String, std::path::PathBuf)>> {
    let files = recording.files()?.into_iter();
    Ok(files.map(|file| (file.path.clone(), recording.folder.join(file.path))).collect())
}

/// When its last event was written.
fn ended_at(recording: &FoundRecording) -> std::io::Result<Timestamp> {
    let events = recording.folder.join("events.jsonl");
    let found = std::fs::metadata(&events).or_else(|_| std::fs::metadata(&recording.folder))?;
    Ok(Timestamp::try_from(found.modified()?).unwrap_or(Timestamp::UNIX_EPOCH))
}
