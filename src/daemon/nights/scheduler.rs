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
                Some(self.with_the_clock(&schedule, due).await?)
            };
            earliest = [earliest, next].into_iter().flatten().min();
        }
        Ok(earliest)
    }

    /// When a schedule fires that waits; one whose time is of a clock that was wrong gets another.
    async fn with_the_clock(&self, schedule: &ScheduleRecord, due: Timestamp) -> Result<Timestamp, StoreError> {
        let Some(next) = corrected(schedule, due, now()) else { return Ok(due) };
        if self.desk.store.put_off(&schedule.name, due, next).await? {
            tracing::warn!(name = schedule.name, %due, %next, "the clock was set back: a schedule fires earlier than was said");
        }
        Ok(next)
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

/// When a schedule should fire that is to fire at `due`, where the clock that said so was set back since. Hosts' clocks that differ a
/// little are not taken for that: what one has just let fire does not fire again by another's.
fn corrected(schedule: &ScheduleRecord, due: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let clock = Clock::new(schedule.cron.as_deref()?, &schedule.zone, now).ok()?;
    let next = clock.next(now).filter(|next| *next < due)?;
    let just_fired = schedule.last_at.is_some_and(|last| last >= next && last.duration_since(now) <= MISSED);
    (!just_fired).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_moves_schedules_and_clocks_that_differ_do_not() {
        let at = |text: &str| format!("2026-11-{text}Z").parse::<Timestamp>().unwrap();
        let check = |cron: Option<&str>, last: Option<&str>, due: &str, now: &str, expected: Option<&str>| {
            let schedule = ScheduleRecord {
                name: "nightly".into(),
                cron: cron.map(Into::into),
                zone: "UTC".into(),
                spec: BatchSpec::default(),
                enabled: true,
                sealed_secret: None,
                created_at: at("01T00:00:00"),
                next_at: Some(at(due)),
                last_at: last.map(at),
            };
            assert_eq!(corrected(&schedule, at(due), at(now)), expected.map(at), "due {due} at {now}");
        };
        let nightly = Some("0 1 * * *");
        // As it should be.
        check(nightly, Some("10T01:00:01"), "11T01:00:00", "10T12:00:00", None);
        check(nightly, None, "11T01:00:00", "10T12:00:00", None);
        // It was made, or fired, in a future that never came.
        check(nightly, None, "21T01:00:00", "10T12:00:00", Some("11T01:00:00"));
        check(nightly, Some("20T01:00:00"), "21T01:00:00", "10T12:00:00", Some("11T01:00:00"));
        // Another host's clock is ten seconds ahead.
        check(nightly, Some("10T01:00:01"), "11T01:00:00", "10T00:59:51", None);
        // It fired, and then the clock was set back by two hours: not twice in a night.
        check(nightly, Some("10T01:00:01"), "11T01:00:00", "09T23:00:00", None);
        check(None, None, "21T01:00:00", "10T12:00:00", None);
    }
}
