//! What a daemon does for those with which it shares its database: signs of life, taking over from the silent, hearing news;
//! and what it finds out about its own devices.

use super::desk::{Desk, now};
use super::farm::LEASE;
use crate::domain::DeviceSerial;
use crate::store::{HostRecord, StoreError, StoreNews, Whose};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

/// Pause between two signs of life: several fit into a lease.
const BEAT: Duration = Duration::from_secs(5);
/// A device must tell what it is after so long.
const ASKED: Duration = Duration::from_secs(30);

/// Gives signs of life and takes over from those that give none, until the daemon is told to stop.
pub(super) async fn beat(desk: Arc<Desk>) {
    if !desk.store.is_shared() {
        return;
    }
    // While runs under way end, they are still this host's.
    while !desk.over.is_cancelled() {
        if let Err(error) = beat_once(&desk).await {
            desk.trouble.note(&error);
            tracing::error!(%error, "no sign of life could be given; other hosts may take over");
        }
        tokio::select! {
            () = desk.over.cancelled() => {}
            _ = tokio::time::timeout(BEAT, pending::<()>()) => {}
        }
    }
}

async fn beat_once(desk: &Desk) -> Result<(), StoreError> {
    let at = now();
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
    Ok(())
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
