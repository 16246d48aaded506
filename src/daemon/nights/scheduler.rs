//! Lets schedules fire. Several hosts may watch one schedule: the database says who was first.

use super::clock::Clock;
use super::submit::Origin;
use crate::daemon::desk::{Desk, now};
use crate::store::{BatchSpec, ScheduleRecord, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;

/// How long at most until the clock is looked at again: it may be set, and schedules may come from elsewhere.
const ROUND: Duration = Duration::from_secs(30);
/// A time that was missed by more is not made up for: whoever sleeps for a week wants one night, not seven.
const MISSED: SignedDuration = SignedDuration::from_hours(6);

/// The one task that watches the clock.
pub(in crate::daemon) struct Scheduler {
    desk: Arc<Desk>,
}

impl Scheduler {
    pub(in crate::daemon) const fn new(desk: Arc<Desk>) -> Self {
        Self { desk }
    }

    /// Works until the daemon is told to stop.
    pub(in crate::daemon) async fn work(self) {
        let stop = self.desk.stop.clone();
        while !stop.is_cancelled() {
            let wait = match self.round().await {
                Ok(next) => next.map_or(ROUND, until),
                Err(error) => {
                    tracing::error!(%error, "schedules do not fire for now");
                    ROUND
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.desk.farm.clock.notified() => {}
                _ = tokio::time::timeout(wait, std::future::pending::<()>()) => {}
            }
        }
    }

    /// Lets fire what is due, and gives the time of what is due next.
    async fn round(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut earliest: Option<Timestamp> = None;
        for schedule in self.desk.store.schedules().await?.into_iter().filter(|schedule| schedule.enabled) {
            let Some(due) = schedule.next_at else { continue };
            let name = schedule.name.clone();
            let next = if due <= now() {
                match self.fire(schedule, due).await {
                    // What is wrong with one schedule is no other's trouble.
                    Err(error) if !error.may_pass() => {
                        tracing::error!(name, %error, "a schedule does not fire");
                        continue;
                    }
                    fired => fired?,
                }
            } else {
                Some(due)
            };
            earliest = [earliest, next].into_iter().flatten().min();
        }
        Ok(earliest)
    }

    /// Begins the schedule's night, unless somebody else did; gives its next time.
    async fn fire(&self, schedule: ScheduleRecord, due: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let ScheduleRecord { name, cron, zone, spec, .. } = schedule;
        let at = now();
        let clock = cron.as_deref().and_then(|cron| Clock::new(cron, &zone, at).ok());
        let next = clock.and_then(|clock| clock.next(at));
        if !self.desk.store.fire(&name, due, next, at).await? {
            return Ok(next);
        }
        if at.duration_since(due) > MISSED {
            tracing::warn!(name, %due, "a schedule's time was missed by too much; it fires next time");
            return Ok(next);
        }
        let open = self.desk.store.open_batches().await?;
        if open.iter().any(|batch| batch.schedule.as_deref() == Some(name.as_str())) {
            tracing::warn!(name, "the night before is not over; this one is left out");
            return Ok(next);
        }
        let origin = Origin { trigger: "schedule".to_owned(), schedule: Some(name.clone()), key: None };
        let spec = BatchSpec { name: name.clone(), ..spec };
        if let Err(error) = self.desk.submit_batch(spec, origin).await {
            tracing::error!(name, %error, "a night could not begin");
        }
        Ok(next)
    }
}

fn until(next: Timestamp) -> Duration {
    Duration::try_from(next.duration_since(now())).unwrap_or_default().min(ROUND)
}
