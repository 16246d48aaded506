//! What a daemon does for those with which it shares its database: signs of life, taking over from the silent, hearing news;
//! and what it finds out about its own devices.

use super::desk::Desk;
use super::farm::LEASE;
use crate::domain::{DeviceSerial, RunId};
use crate::store::{HostRecord, StoreError, StoreNews, Whose};
use jiff::SignedDuration;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Pause between two signs of life: several fit into a lease.
const BEAT: Duration = Duration::from_secs(5);
/// A host that gave a sign of life within so long may take over from this one.
const LATELY: SignedDuration = SignedDuration::from_mins(10);
/// A device must tell what it is after so long.
const ASKED: Duration = Duration::from_secs(30);

/// Gives signs of life and takes over from those that give none, until the daemon is told to stop.
pub(super) async fn beat(desk: Arc<Desk>) {
    if !desk.store.is_shared() {
        return;
    }
    let mut pulse = Pulse { last: Instant::now(), alone: true };
    // While runs under way end, they are still this host's.
    while !desk.over.is_cancelled() {
        // A database that hangs must not keep this host from noticing that its time is over.
        let beaten = tokio::time::timeout(BEAT, beat_once(&desk)).await;
        match beaten {
            Ok(Ok(alone)) => pulse = Pulse { last: Instant::now(), alone },
            Ok(Err(error)) => {
                desk.trouble.note(&error);
                tracing::error!(%error, "no sign of life could be given; other hosts may take over");
            }
            Err(_elapsed) => tracing::error!("no sign of life could be given: the database does not answer"),
        }
        if pulse.is_lost(Instant::now()) {
            tracing::error!("other hosts may have taken over what is under way here: it is ended");
            desk.leases.lock().await.lapse();
        }
        tokio::select! {
            () = desk.over.cancelled() => {}
            _ = tokio::time::timeout(BEAT, pending::<()>()) => {}
        }
    }
}

/// The latest sign of life.
struct Pulse {
    last: Instant,
    /// No other host gave one lately: nobody takes over.
    alone: bool,
}

impl Pulse {
    /// Another host may have taken over by now.
    fn is_lost(&self, now: Instant) -> bool {
        let lease = Duration::try_from(LEASE).unwrap_or_default();
        !self.alone && now.saturating_duration_since(self.last) + BEAT >= lease
    }
}

/// Gives one sign of life; true where no other host gives any.
async fn beat_once(desk: &Desk) -> Result<bool, StoreError> {
    // A name is held by a session: it may have broken, and somebody else may have taken the name.
    desk.store.enter(&desk.farm.host).await?;
    let at = desk.store.clock().await?;
    let devices = desk.usable().iter().map(|serial| serial.as_str().to_owned()).collect();
    let host = HostRecord { name: desk.farm.host.clone(), seen_at: at, devices };
    desk.store.heartbeat(host, at + LEASE).await?;
    let taken = desk.store.recover(at, &Whose::Silent).await?;
    for run_id in taken.requeued.iter().chain(&taken.interrupted).chain(&taken.params_lost) {
        tracing::warn!(%run_id, "the host of a run fell silent; the run is taken over");
        desk.news.announce(run_id);
    }
    if !taken.requeued.is_empty() {
        desk.wake.notify_one();
    }
    // Somebody may have reserved a device at another host.
    if desk.store.is_shared() {
        desk.pool.put_reservations(desk.store.reservations().await?);
    }
    // What was told while nobody listened.
    for run_id in desk.store.to_be_cancelled(&desk.farm.host).await? {
        cancel(desk, &run_id).await;
    }
    let others = desk.store.hosts().await?;
    Ok(!others.iter().any(|host| host.name != desk.farm.host && at.duration_since(host.seen_at) < LATELY))
}

/// Ends a run that is held here: another host was asked for that.
async fn cancel(desk: &Desk, run_id: &RunId) {
    if let Some(lease) = desk.leases.lock().await.of_run(run_id) {
        lease.cancelled.cancel();
    }
}

/// Hears what other hosts tell, until the daemon is told to stop.
pub(super) async fn listen(desk: Arc<Desk>) {
    while !desk.over.is_cancelled() {
        let heard = tokio::select! {
            () = desk.over.cancelled() => return,
            heard = hear(&desk) => heard,
        };
        match heard {
            Ok(()) => return,
            Err(error) => {
                desk.trouble.note(&error);
                tracing::error!(%error, "other hosts are not heard for now");
                let _paused = tokio::time::timeout(BEAT, desk.over.cancelled()).await;
            }
        }
    }
}

/// Comes back at once where there is nobody to hear.
async fn hear(desk: &Desk) -> Result<(), StoreError> {
    let Some(mut news) = desk.store.news().await? else { return Ok(()) };
    loop {
        match news.next().await? {
            StoreNews::Queue => {
                desk.wake.notify_one();
                desk.farm.nights.notify_one();
            }
            StoreNews::Cancel(run_id) => cancel(desk, &run_id).await,
            StoreNews::Run(run_id) => {
                desk.news.announce(&run_id);
                desk.farm.nights.notify_one();
            }
        }
    }
}

/// Finds out what devices are, as they come, until the daemon is told to stop.
pub(super) async fn look_at_devices(desk: Arc<Desk>) {
    let Some(catalog) = desk.farm.catalog.clone() else { return };
    let mut devices = desk.devices.clone();
    let stop = desk.stop.clone();
    while !stop.is_cancelled() {
        let rows = devices.borrow_and_update().clone();
        let here: Vec<DeviceSerial> = desk.usable();
        let listed: Vec<DeviceSerial> = rows.iter().map(|row| row.serial.clone()).collect();
        desk.farm.keep_only(&listed);
        let mut failed = false;
        for serial in here.iter().filter(|serial| desk.farm.traits_of(serial).is_none()) {
            match tokio::time::timeout(ASKED, catalog.traits_of(serial)).await {
                Ok(Ok(traits)) => {
                    desk.farm.learn(serial.clone(), traits);
                    desk.wake.notify_one();
                }
                Ok(Err(error)) => {
                    failed = true;
                    tracing::warn!(%serial, %error, "what a device is could not be found out yet");
                }
                Err(_elapsed) => failed = true,
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            changed = devices.changed() => if changed.is_err() { return },
            _ = tokio::time::timeout(ASKED, pending::<()>()), if failed => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_cannot_be_heard_gives_up_before_another_takes_over() {
        let begun = Instant::now();
        let after = |seconds: u64| begun + Duration::from_secs(seconds);
        let pulse = Pulse { last: begun, alone: false };
        assert!(!pulse.is_lost(begun) && !pulse.is_lost(after(14)) && pulse.is_lost(after(15)));
        assert!(!Pulse { alone: true, ..pulse }.is_lost(after(3600)), "nobody takes over");
    }
}
