//! Keeps the past within bounds: recordings that were cut off, runs that are old, recordings that take too much room.
//!
//! Only what this daemon's own runs left is touched, only once a run has ended, and every removal is logged.

use super::desk::{Desk, now};
use crate::artifact_store::{ArtifactError, Swept};
use crate::domain::RunId;
use crate::run::{RecordedRun, Recordings};
use crate::store::{RunFilter, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// How long what ended is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retention {
    /// Days after their end that runs are kept, with their recordings and events; `None` for ever.
    pub days: Option<u32>,
    /// Bytes that recordings may take; the oldest go first, and their runs stay in the list. `None` for any number.
    pub bytes: Option<u64>,
}

/// Ended runs that are read at once.
const PAGE: u32 = 200;
/// Lines of the audit log that are kept.
const AUDITED: u32 = 100_000;
/// Pause between two rounds.
const ROUND: Duration = Duration::from_secs(3600);
/// A recording of an unknown run that was cut off may still be written, by `tapwright run`; after so long it is not.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Why recordings could not be cared for.
#[derive(Debug, thiserror::Error)]
pub(super) enum CareError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("the folder of recordings: {0}")]
    Folder(#[from] std::io::Error),
    #[error("{0}")]
    Fell(#[from] tokio::task::JoinError),
}

/// The one task that removes.
pub(super) struct Caretaker {
    desk: Arc<Desk>,
    retention: Retention,
}

impl Caretaker {
    pub(super) const fn new(desk: Arc<Desk>, retention: Retention) -> Self {
        Self { desk, retention }
    }

    /// Works until the daemon is told to stop: once at the start, then every hour.
    pub(super) async fn work(self) {
        let stop = self.desk.stop.clone();
        if let Err(error) = self.clear_cut_off().await {
            tracing::error!(%error, "recordings that were cut off stay");
        }
        while !stop.is_cancelled() {
            if let Err(error) = self.round().await {
                tracing::error!(%error, "old runs stay for now");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                _ = tokio::time::timeout(ROUND, pending::<()>()) => {}
            }
        }
    }

    async fn round(&self) -> Result<(), CareError> {
        let trimmed = self.desk.store.trim_audit(AUDITED).await?;
        if trimmed > 0 {
            tracing::info!(lines = trimmed, kept = AUDITED, "the audit log was shortened");
        }
        let removed = self.remove_by_age_and_size().await;
        self.sweep().await?;
        removed
    }

    async fn remove_by_age_and_size(&self) -> Result<(), CareError> {
        if let Some(days) = self.retention.days {
            let limit = now() - SignedDuration::from_hours(24 * i64::from(days));
            if self.is_believable(limit).await? && self.remove_old(limit).await? > 0 {
                self.sweep_artifacts().await?;
            }
        }
        if let Some(bytes) = self.retention.bytes {
            self.make_room(bytes).await?;
        }
        Ok(())
    }

    /// Removes pictures and dumps that no recording has any more.
    async fn sweep(&self) -> Result<(), CareError> {
        let Some(recordings) = self.desk.recordings.clone() else { return Ok(()) };
        let bytes = spawn_blocking(move || recordings.sweep_shared()).await??;
        if bytes > 0 {
            tracing::info!(bytes, "pictures and dumps that no recording has any more were removed");
        }
        Ok(())
    }

    /// False where the latest runs of all are as old: then nothing ran for so long, or the clock is wrong, and nothing is lost by
    /// waiting.
    async fn is_believable(&self, limit: Timestamp) -> Result<bool, CareError> {
        let latest = self.desk.store.runs(RunFilter { limit: PAGE, ..RunFilter::default() }).await?;
        let latest = latest.iter().map(|run| run.created_at).max();
        let Some(latest) = latest.filter(|latest| *latest < limit) else { return Ok(true) };
        tracing::warn!(%latest, %limit, "no run is younger than what would be removed: nothing is, the clock may be wrong");
        Ok(false)
    }

    /// Removes files of the artifact store that no run has any more: where runs went, for all their listings are read.
    async fn sweep_artifacts(&self) -> Result<(), CareError> {
        let Some(artifacts) = &self.desk.artifacts else { return Ok(()) };
        let Swept { files, bytes } = artifacts.store.sweep().await?;
        tracing::info!(files, bytes, "stored files that no run has any more were removed");
        Ok(())
    }

    /// Removes what is left of recordings whose daemon or command died.
    async fn clear_cut_off(&self) -> Result<(), CareError> {
        let Some(recordings) = self.desk.recordings.clone() else { return Ok(()) };
        let listing = recordings.clone();
        for found in spawn_blocking(move || listing.cut_off()).await?? {
            let gone = match self.desk.store.run(&found.run_id).await? {
                // The next attempt of a run that waits sets it aside itself.
                Some(run) => run.state.is_final(),
                None => found.untouched_for >= ABANDONED,
            };
            if gone {
                let recordings = recordings.clone();
                let (run_id, bytes) = (found.run_id.clone(), found.bytes);
                spawn_blocking(move || recordings.remove_cut_off(&found)).await??;
                tracing::warn!(%run_id, bytes, "a recording that was cut off was removed");
            }
        }
        Ok(())
    }

    /// Removes runs that ended before `limit`: first what they recorded, then the row, so that nothing is left behind that
    /// nobody knows of. Gives how many.
    async fn remove_old(&self, limit: Timestamp) -> Result<usize, CareError> {
        let mut removed = 0;
        loop {
            let page = self.desk.store.ended_before(limit, PAGE).await?;
            if page.is_empty() {
                return Ok(removed);
            }
            for run in page {
                if let Some(artifacts) = &self.desk.artifacts {
                    artifacts.remove(&run.run_id).await?;
                }
                let bytes = self.remove_recording(RecordedRun::of(run.case_id(), &run.run_id)).await?;
                let finished_at = run.finished_at.map(|at| at.to_string());
                self.desk.store.remove_ended(&run.run_id).await?;
                removed += 1;
                tracing::info!(run_id = %run.run_id, case_id = %run.case_id(), finished_at, bytes, "an old run was removed");
                if self.desk.stop.is_cancelled() {
                    return Ok(removed);
                }
            }
        }
    }

    /// Removes the oldest recordings of ended runs until the rest takes at most `most` bytes. Where there is an artifact store
    /// only what is there goes.
    async fn make_room(&self, most: u64) -> Result<(), CareError> {
        let Some(recordings) = self.desk.recordings.clone() else { return Ok(()) };
        let mut own = Vec::new();
        // The ids of runs sort by the time they were handed in.
        for recorded in spawn_blocking(move || recordings.all()).await?? {
            if let Some(run) = self.desk.store.run(&recorded.run_id).await? {
                own.push((recorded, run.state.is_final()));
            }
        }
        let mut taken: u64 = own.iter().map(|(recorded, _)| recorded.bytes).sum();
        for (recorded, ended) in own {
            if taken <= most || self.desk.stop.is_cancelled() {
                break;
            }
            if ended && self.may_go(&recorded.run_id).await? {
                let run_id: RunId = recorded.run_id.clone();
                let bytes = self.remove_recording(recorded).await?;
                taken = taken.saturating_sub(bytes);
                tracing::info!(%run_id, bytes, limit = most, "an old recording was removed: all together take too much room");
            }
        }
        Ok(())
    }

    /// False while the artifact store lacks a run that it is to have.
    async fn may_go(&self, run_id: &RunId) -> Result<bool, CareError> {
        let Some(artifacts) = &self.desk.artifacts else { return Ok(true) };
        Ok(artifacts.store.has(run_id, &self.desk.farm.host).await?)
    }

    /// Removes the recordings of a run, of all its attempts; gives the bytes they took.
    async fn remove_recording(&self, recorded: RecordedRun) -> Result<u64, CareError> {
        let Some(recordings) = self.desk.recordings.clone() else { return Ok(0) };
        Ok(spawn_blocking(move || Recordings::remove(&recordings, &recorded)).await??)
    }
}
