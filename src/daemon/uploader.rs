//! Brings recordings of ended runs to the artifact store.

use super::artifacts::Artifacts;
use super::caretaker::CareError;
use super::desk::Desk;
use crate::artifact_store::{Recorded, Uploaded};
use crate::domain::{CaseId, RunId};
use crate::run::{FoundRecording, Recordings};
use jiff::Timestamp;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::spawn_blocking;

/// Pause between two looks for recordings that somebody else's death left behind.
const ROUND: Duration = Duration::from_secs(3600);

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
    async fn look_for_forgotten(&self) -> Result<(), CareError> {
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

    async fn upload(&self, case_id: &CaseId, run_id: &RunId) -> Result<Uploaded, CareError> {
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

fn files_of(recording: &FoundRecording) -> std::io::Result<Vec<(String, PathBuf)>> {
    let files = recording.files()?.into_iter();
    Ok(files.map(|file| (file.path.clone(), recording.folder.join(file.path))).collect())
}

/// When its last event was written.
fn ended_at(recording: &FoundRecording) -> std::io::Result<Timestamp> {
    let events = recording.folder.join("events.jsonl");
    let found = std::fs::metadata(&events).or_else(|_| std::fs::metadata(&recording.folder))?;
    Ok(Timestamp::try_from(found.modified()?).unwrap_or(Timestamp::UNIX_EPOCH))
}
