//! Looks after open nights: tries again what did not pass, gives up what waits too long, and ends the night.
//!
//! Whatever it does can be done again after a crash, and by several hosts at once: a further try has a key of its own, and a
//! night ends once.

use super::cause::causes;
use super::cell::{Cell, cells, tally};
use super::notice::{Report, deliver};
use crate::daemon::desk::{Desk, now};
use crate::domain::{DeviceSerial, RunId};
use crate::store::{BatchEnd, BatchRecord, Hold, NewRun, RunEnd, RunRecord, RunState, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked without anybody asking for it.
const ROUND: Duration = Duration::from_secs(30);
/// An app's version must be told after so long.
const ASKED: Duration = Duration::from_secs(20);
/// Causes that are told in a notice.
const TOLD: usize = 5;

/// The one task that looks after nights.
pub(in crate::daemon) struct Keeper {
    desk: Arc<Desk>,
}

impl Keeper {
    pub(in crate::daemon) const fn new(desk: Arc<Desk>) -> Self {
        Self { desk }
    }

    /// Works until the daemon is told to stop.
    pub(in crate::daemon) async fn work(self) {
        let stop = self.desk.stop.clone();
        while !stop.is_cancelled() {
            if let Err(error) = self.round().await {
                tracing::error!(%error, "nights are not looked after for now");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.desk.farm.nights.notified() => {}
                _ = tokio::time::timeout(ROUND, std::future::pending::<()>()) => {}
            }
        }
    }

    async fn round(&self) -> Result<(), StoreError> {
        for batch in self.desk.store.open_batches().await? {
            match self.look_after(&batch).await {
                // What is wrong with one night is no other's trouble.
                Err(error) if !error.may_pass() => {
                    tracing::error!(batch_id = batch.batch_id, %error, "a night is not looked after");
                }
                looked_after => looked_after?,
            }
        }
        Ok(())
    }

    async fn look_after(&self, batch: &BatchRecord) -> Result<(), StoreError> {
        let runs = self.desk.store.runs_of_batch(&batch.batch_id).await?;
        if self.give_up(&runs).await? {
            // What was given up is looked at again, as it is now.
            self.desk.farm.nights.notify_one();
            return Ok(());
        }
        let cells = cells(&runs);
        let mut open = false;
        for cell in &cells {
            let again = cell.wants_another(batch.spec.retries);
            if again && let Some(last) = cell.last() {
                self.try_again(last).await?;
            }
            open |= again || cell.last().is_none_or(|last| !last.state.is_final());
        }
        if open {
            return Ok(());
        }
        self.end(batch, &cells).await
    }

    /// Ends what waits for longer than the night may; true where there was something.
    async fn give_up(&self, runs: &[RunRecord]) -> Result<bool, StoreError> {
        let late = |run: &&RunRecord| {
            run.state == RunState::Queued && run.place.as_ref().is_some_and(|place| place.give_up_at <= now())
        };
        let mut any = false;
        for run in runs.iter().filter(late) {
            let place = run.place.as_ref();
            let wanted = place.into_iter().flat_map(|place| [&place.profile, &place.locale]).flatten();
            let wanted: Vec<&str> = wanted.map(String::as_str).collect();
            let kind = if wanted.is_empty() { String::new() } else { format!(" ({})", wanted.join(", ")) };
            let reason = format!("no device for it{kind} was free until the night was given up");
            match self.desk.store.finish(&Hold::of(run), RunEnd::error(reason), now()).await {
                Ok(()) => any = true,
                // It was given a device in this very moment.
                Err(StoreError::WrongState { .. }) => {}
                Err(error) => return Err(error),
            }
            self.desk.news.announce(&run.run_id);
        }
        Ok(any)
    }

    /// Queues a further try; another host may have done so.
    async fn try_again(&self, last: &RunRecord) -> Result<(), StoreError> {
        let Some(mut place) = last.place.clone() else { return Ok(()) };
        place.tried += 1;
        let words = [&place.profile, &place.locale].map(|word| word.clone().unwrap_or_default());
        // As it was before there were places, where a night has none.
        let at = place.location.as_ref().map(|location| format!("@{location}")).unwrap_or_default();
        let key = format!("{}/{}/{}/{}{at}/{}", place.batch_id, last.case_id(), words[0], words[1], place.tried);
        if self.desk.store.run_with_key(&key).await?.is_some() {
            return Ok(());
        }
        let mut request = last.request.clone();
        for serial in request.actors.values_mut() {
            *serial = DeviceSerial::from(crate::run::ANY_DEVICE);
        }
        let again = NewRun {
            run_id: RunId::new(uuid::Uuid::now_v7().to_string()),
            request,
            sealed_params: None,
            priority: last.priority,
            created_at: now(),
            idempotency_key: Some(key.clone()),
            place: Some(place),
        };
        tracing::info!(case_id = %last.case_id(), reason = last.reason, "a run of a night is tried again");
        if let Err(error) = self.desk.store.enqueue(again).await {
            return if self.desk.store.run_with_key(&key).await?.is_some() { Ok(()) } else { Err(error) };
        }
        self.desk.wake.notify_one();
        Ok(())
    }

    async fn end(&self, batch: &BatchRecord, cells: &[Cell<'_>]) -> Result<(), StoreError> {
        let end = BatchEnd { tally: tally(cells), app_after: self.app_version(cells).await };
        if !self.desk.store.finish_batch(&batch.batch_id, end.clone(), now()).await? {
            return Ok(());
        }
        tracing::info!(batch_id = batch.batch_id, name = batch.spec.name, tally = ?end.tally, "a night has ended");
        let told = causes(cells);
        let told = told.iter().take(TOLD).map(|cause| (cause.reason.clone(), cause.cells.len())).collect();
        let report = Report { batch: batch.clone(), end, causes: told };
        for notice in &self.desk.farm.notices {
            tokio::spawn(deliver(notice.clone(), report.clone()));
        }
        Ok(())
    }

    /// The app's version where it was used last and is still there.
    async fn app_version(&self, cells: &[Cell<'_>]) -> Option<String> {
        let catalog = self.desk.farm.catalog.as_ref()?;
        let usable = self.desk.usable();
        let used = cells.iter().filter_map(Cell::last);
        let last = used.filter(|run| run.device.as_ref().is_some_and(|device| usable.contains(device)));
        let last = last.max_by_key(|run| run.finished_at)?;
        let asked = catalog.app_version(last.case_id(), last.device.as_ref()?);
        match tokio::time::timeout(ASKED, asked).await {
            Ok(Ok(version)) => version.filter(|version| !version.is_empty()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the version of a night's app is not known");
                None
            }
            Err(_elapsed) => None,
        }
    }
}
