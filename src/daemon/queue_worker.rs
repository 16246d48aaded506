//! Brings queued runs to free devices, at most one run per device.

use super::allotment::{Allotment, allot};
use super::attempt::Attempt;
use super::desk::{Desk, now};
use super::farm::LEASE;
use super::leases::Leases;
use super::limits::Limits;
use super::nights::is_quiet;
use super::pool::DeviceEvent;
use super::store_trouble::StoreTrouble;
use crate::device::{HoldError, HostLock};
use crate::domain::DeviceSerial;
use crate::run::RunRequest;
use crate::store::{Claimant, Hold, Place, RunEnd, RunRecord, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// How often it is looked whether the quiet hours are over.
const HOUR_HAND: Duration = Duration::from_secs(30);
/// Waiting runs that are read at once.
const PAGE: u32 = 200;

/// Devices that a run gets.
struct Allotted {
    serials: Vec<DeviceSerial>,
    actors: BTreeMap<String, DeviceSerial>,
    locks: Vec<HostLock>,
}

/// The one task that takes runs from the queue.
pub(super) struct QueueWorker {
    desk: Arc<Desk>,
    limits: Limits,
    attempts: JoinSet<()>,
    hard_stop: CancellationToken,
    /// Claims that failed: those runs may have been given away all the same.
    unsure: Vec<Hold>,
    /// True while a run waits only for an hour to come.
    quiet: bool,
}

impl QueueWorker {
    pub(super) fn new(desk: Arc<Desk>, limits: Limits) -> Self {
        Self {
            desk,
            limits,
            attempts: JoinSet::new(),
            hard_stop: CancellationToken::new(),
            unsure: Vec::new(),
            quiet: false,
        }
    }

    /// Works until the daemon is told to stop, then lets runs under way end: first of their own, then by force.
    pub(super) async fn work(mut self) {
        let stop = self.desk.stop.clone();
        let mut devices = self.desk.devices.clone();
        let mut tracked = true;
        while !stop.is_cancelled() {
            let rows = devices.borrow_and_update().clone();
            let filled = async {
                self.desk.note_present(&rows).await;
                self.fill_devices().await
            };
            let filled = tokio::select! {
                filled = filled => filled,
                // A database that hangs does not hold up the stop; what was just claimed is given back meanwhile.
                () = stop.cancelled() => break,
            };
            if let Err(error) = &filled {
                self.desk.trouble.note(error);
            }
            let troubled = self.desk.trouble.current().is_some();
            let crowded = !self.desk.outsiders().is_empty();
            let quiet = std::mem::take(&mut self.quiet);
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.desk.wake.notified() => {}
                Some(ended) = self.attempts.join_next() => report_fall(ended),
                changed = devices.changed(), if tracked => if changed.is_err() {
                    tracked = false;
                    tracing::error!("devices are not followed any more; runs go on with those known");
                },
                () = retry_due(&self.desk.trouble, self.limits.store_retry, troubled) => {}
                _ = tokio::time::timeout(self.limits.device_retry, pending::<()>()), if crowded => {}
                _ = tokio::time::timeout(HOUR_HAND, pending::<()>()), if quiet => {}
            }
        }
        self.drain().await;
    }

    /// Goes through the queue in its order and gives each run the devices it needs, where all of them are free.
    async fn fill_devices(&mut self) -> Result<(), StoreError> {
        self.make_sure_of_the_store().await?;
        let mut ready = self.desk.usable();
        // Sound devices first.
        ready.sort_by_key(|serial| self.desk.pool.of(serial).standing.reason().is_some());
        self.desk.outsiders().clear();
        let desk = Arc::clone(&self.desk);
        let mut leases = desk.leases.lock().await;
        let mut free: Vec<DeviceSerial> =
            ready.iter().filter(|serial| !leases.is_held(serial) && desk.is_idle(serial)).cloned().collect();
        let mut after = None;
        // To the queue's end: however many runs wait for a device that is away, those behind them get theirs.
        while !free.is_empty() && !self.desk.stop.is_cancelled() {
            let page = self.desk.store.waiting(after.as_ref(), PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.run_id.clone());
            for waiting in page {
                self.serve(&waiting, &mut free, &ready, &mut leases).await?;
            }
        }
        Ok(())
    }

    /// Gives a waiting run its devices, where they are free; ends it where it can never be made.
    async fn serve(
        &mut self,
        waiting: &RunRecord,
        free: &mut Vec<DeviceSerial>,
        ready: &[DeviceSerial],
        leases: &mut Leases,
    ) -> Result<(), StoreError> {
        let end = if waiting.cancel_requested {
            Some(RunEnd::cancelled("cancelled", None))
        } else {
            self.hopeless(waiting).map(RunEnd::error)
        };
        if let Some(end) = end {
            tracing::error!(run_id = %waiting.run_id, reason = end.reason, "a waiting run is given up");
            self.desk.store.finish(&Hold::of(waiting), end, now()).await?;
            self.desk.forget(&waiting.run_id);
            self.desk.news.announce(&waiting.run_id);
            return Ok(());
        }
        if let Some(place) = &waiting.place
            && !self.may_begin(place, leases)
        {
            return Ok(());
        }
        let Some(Allotted { serials, actors, locks }) = self.allotted_elsewhere(waiting, free, ready) else {
            return Ok(());
        };
        let Some(first) = serials.first() else { return Ok(()) };
        let by = Claimant { host: self.desk.farm.host.clone(), until: self.desk.store.clock().await? + LEASE };
        // Until the claim has succeeded nobody knows whose the run is.
        self.unsure.push(Hold { run_id: waiting.run_id.clone(), fence: waiting.attempts + 1 });
        let claimed = self.desk.store.claim(&waiting.run_id, first, &by).await?;
        self.unsure.pop();
        let Some(run) = claimed else { return Ok(()) };
        free.retain(|serial| !serials.contains(serial));
        let lease = leases.take(&serials, &run);
        for serial in &serials {
            self.desk.note(serial, &DeviceEvent::Leased).await;
        }
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
            locks,
            hard_stop: self.hard_stop.clone(),
        };
        self.attempts.spawn(attempt.make());
        Ok(())
    }

    /// The devices for a run: of its night's profile and language, and none on which it ended as an error, as long as there
    /// are others.
    fn allotted_elsewhere(
        &self,
        waiting: &RunRecord,
        free: &mut Vec<DeviceSerial>,
        ready: &[DeviceSerial],
    ) -> Option<Allotted> {
        let shunned = self.desk.shunned(&waiting.run_id);
        let farm = &self.desk.farm;
        let Some(place) = &waiting.place else { return self.allotted_but(&shunned, waiting, free, ready) };
        let suits = |serial: &DeviceSerial| farm.suits(place, serial);
        let suitable: Vec<DeviceSerial> = ready.iter().filter(|serial| suits(serial)).cloned().collect();
        let (mut own, kept): (Vec<DeviceSerial>, Vec<DeviceSerial>) = free.drain(..).partition(suits);
        let allotted = self.allotted_but(&shunned, waiting, &mut own, &suitable);
        free.extend(own.into_iter().chain(kept));
        allotted
    }

    /// The devices for a run among these, without those that it shuns as long as there are others.
    fn allotted_but(
        &self,
        shunned: &BTreeSet<DeviceSerial>,
        waiting: &RunRecord,
        free: &mut Vec<DeviceSerial>,
        ready: &[DeviceSerial],
    ) -> Option<Allotted> {
        let others: Vec<DeviceSerial> = ready.iter().filter(|serial| !shunned.contains(*serial)).cloned().collect();
        if shunned.is_empty() || others.len() < waiting.request.actors.len().max(1) {
            return self.allotted(&waiting.request, free, ready);
        }
        let (mut own, kept): (Vec<DeviceSerial>, Vec<DeviceSerial>) =
            free.drain(..).partition(|serial| !shunned.contains(serial));
        let allotted = self.allotted(&waiting.request, &mut own, &others);
        free.extend(own.into_iter().chain(kept));
        allotted
    }

    /// The devices for a request, taken for this host. One that another process uses is not free.
    fn allotted(&self, request: &RunRequest, free: &mut Vec<DeviceSerial>, ready: &[DeviceSerial]) -> Option<Allotted> {
        loop {
            let (serials, actors) = match allot(request, free, ready) {
                Allotment::Take { serials, actors } => (serials, actors),
                Allotment::Wait { kept } => {
                    free.retain(|serial| !kept.contains(serial));
                    return None;
                }
                Allotment::Nothing => return None,
            };
            let mut locks = Vec::new();
            let taken = serials.iter().try_for_each(|serial| {
                locks.extend(self.desk.rules.hold([serial]).map_err(|error| (serial.clone(), error))?);
                Ok::<_, (DeviceSerial, HoldError)>(())
            });
            let Err((taken, error)) = taken else { return Some(Allotted { serials, actors, locks }) };
            tracing::info!(serial = %taken, %error, "a device is not free");
            free.retain(|serial| *serial != taken);
            self.desk.outsiders().insert(taken, error.to_string());
        }
    }

    /// Whether the night's own terms let a run of it begin now.
    fn may_begin(&mut self, place: &Place, leases: &Leases) -> bool {
        if place.quiet.as_ref().is_some_and(|quiet| is_quiet(quiet, now())) {
            self.quiet = true;
            return false;
        }
        place.at_most.is_none_or(|most| leases.of_batch(&place.batch_id) < most.get() as usize)
    }

    /// Why a run can never be made.
    fn hopeless(&self, run: &RunRecord) -> Option<String> {
        let worn = run.attempts >= self.limits.attempts;
        let worn = worn.then(|| format!("it was given a device {} times and never came to an end", run.attempts));
        run.damage.clone().or(worn)
    }

    /// Comes back when the database takes what is written; then a run whose claim had failed halfway waits again.
    async fn make_sure_of_the_store(&mut self) -> Result<(), StoreError> {
        if self.desk.trouble.current().is_none() {
            return Ok(());
        }
        self.desk.store.enter(&self.desk.farm.host).await?;
        self.desk.store.check_writable().await?;
        while let Some(hold) = self.unsure.last() {
            match self.desk.store.requeue(hold).await {
                Err(error) if error.may_pass() => return Err(error),
                // It was not given away, or was called off meanwhile.
                Ok(()) | Err(_) => drop(self.unsure.pop()),
            }
        }
        self.desk.trouble.clear();
        Ok(())
    }

    /// Lets runs under way end: of their own, then by force, then whether or not the database takes what came of them.
    async fn drain(self) {
        let Self { desk, limits, mut attempts, hard_stop, unsure, .. } = self;
        if !attempts.is_empty() {
            tracing::info!(runs = attempts.len(), limit = ?limits.drain, "waiting for runs under way");
        }
        let given_back = async {
            for hold in &unsure {
                if let Err(error) = desk.store.requeue(hold).await {
                    tracing::debug!(run_id = %hold.run_id, %error, "a run that was perhaps claimed is not given back");
                }
            }
        };
        let given_back = tokio::time::timeout(limits.store_grace, given_back);
        let drained = async { tokio::join!(all_ended(&mut attempts), given_back) };
        if tokio::time::timeout(limits.drain, drained).await.is_ok() {
            return;
        }
        tracing::warn!(runs = attempts.len(), "runs are cancelled: they took too long to end");
        hard_stop.cancel();
        let limit = limits.cancel_grace + limits.store_grace;
        if tokio::time::timeout(limit, all_ended(&mut attempts)).await.is_err() {
            tracing::error!(
                runs = attempts.len(),
                "the ends of runs could not be stored; the next daemon makes them again"
            );
        }
    }
}

async fn all_ended(attempts: &mut JoinSet<()>) {
    while let Some(ended) = attempts.join_next().await {
        report_fall(ended);
    }
}

/// Comes back when the database is to be tried again: a while after trouble has begun.
async fn retry_due(trouble: &StoreTrouble, pause: Duration, troubled: bool) {
    if !troubled {
        trouble.begun().await;
    }
    let _over = tokio::time::timeout(pause, pending::<()>()).await;
}

/// An attempt frees its devices whatever falls over in it: a task that fails is one that was ended from outside.
fn report_fall(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "an attempt ended before its time; the next daemon finds its run under way");
    }
}
