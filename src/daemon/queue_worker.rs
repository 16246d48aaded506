//! Brings queued runs to free devices, at most one run per device.

use super::allotment::{Allotment, allot};
use super::attempt::Attempt;
use super::desk::Desk;
use super::limits::Limits;
use crate::adb::ConnectionState;
use crate::domain::DeviceSerial;
use crate::store::StoreError;
use std::future::pending;
use std::sync::Arc;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// How many waiting runs are looked at for the free devices.
const MOST_LOOKED_AT: u32 = 1000;

/// The one task that takes runs from the queue.
pub(super) struct QueueWorker {
    desk: Arc<Desk>,
    limits: Limits,
    attempts: JoinSet<()>,
    hard_stop: CancellationToken,
}

impl QueueWorker {
    pub(super) fn new(desk: Arc<Desk>, limits: Limits) -> Self {
        Self { desk, limits, attempts: JoinSet::new(), hard_stop: CancellationToken::new() }
    }

    /// Works until the daemon is told to stop, then lets runs under way end: first of their own, then by force.
    pub(super) async fn work(mut self) {
        let stop = self.desk.stop.clone();
        let mut devices = self.desk.devices.clone();
        let mut tracked = true;
        while !stop.is_cancelled() {
            devices.borrow_and_update();
            let filled = self.fill_devices().await;
            if let Err(error) = &filled {
                tracing::error!(%error, retry = ?self.limits.store_retry, "the queue could not be read");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.desk.wake.notified() => {}
                Some(ended) = self.attempts.join_next() => report_fall(ended),
                changed = devices.changed(), if tracked => if changed.is_err() {
                    tracked = false;
                    tracing::error!("devices are not followed any more; runs go on with those known");
                },
                _ = tokio::time::timeout(self.limits.store_retry, pending::<()>()), if filled.is_err() => {}
            }
        }
        self.drain().await;
    }

    /// Goes through the queue in its order and gives each run the devices it needs, where all of them are free.
    async fn fill_devices(&mut self) -> Result<(), StoreError> {
        let rows = self.desk.devices.borrow().clone();
        let ready: Vec<DeviceSerial> =
            rows.into_iter().filter(|row| row.state == ConnectionState::Device).map(|row| row.serial).collect();
        let mut leases = self.desk.leases.lock().await;
        let mut free: Vec<DeviceSerial> = ready.iter().filter(|serial| !leases.is_held(serial)).cloned().collect();
        if free.is_empty() {
            return Ok(());
        }
        for waiting in self.desk.store.waiting(MOST_LOOKED_AT).await? {
            if free.is_empty() || self.desk.stop.is_cancelled() {
                break;
            }
            let (serials, actors) = match allot(&waiting.request, &free, &ready) {
                Allotment::Take { serials, actors } => (serials, actors),
                Allotment::Wait { kept } => {
                    free.retain(|serial| !kept.contains(serial));
                    continue;
                }
                Allotment::Nothing => continue,
            };
            let Some(first) = serials.first() else { continue };
            let Some(run) = self.desk.store.claim(&waiting.run_id, first).await? else { continue };
            free.retain(|serial| !serials.contains(serial));
            let lease = leases.take(&serials, run.run_id.clone());
            let held: Vec<&str> = serials.iter().map(DeviceSerial::as_str).collect();
            tracing::info!(run_id = %run.run_id, case_id = %run.case_id(), serials = held.join(" "), "run leased its devices");
            self.desk.news.announce(&run.run_id);
            let attempt = Attempt {
                desk: Arc::clone(&self.desk),
                limits: self.limits,
                run,
                serial: first.clone(),
                serials,
                actors,
                lease,
                hard_stop: self.hard_stop.clone(),
            };
            self.attempts.spawn(attempt.make());
        }
        Ok(())
    }

    async fn drain(mut self) {
        if self.attempts.is_empty() {
            return;
        }
        tracing::info!(runs = self.attempts.len(), limit = ?self.limits.drain, "waiting for runs under way");
        let all_ended = async {
            while let Some(ended) = self.attempts.join_next().await {
                report_fall(ended);
            }
        };
        if tokio::time::timeout(self.limits.drain, all_ended).await.is_err() {
            tracing::warn!(runs = self.attempts.len(), "runs are cancelled: they took too long to end");
            self.hard_stop.cancel();
            // Bounded by `cancel_grace`: every attempt gives up its launcher then.
            while let Some(ended) = self.attempts.join_next().await {
                report_fall(ended);
            }
        }
    }
}

fn report_fall(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a worker fell over; its device stays leased until the daemon is restarted");
    }
}
