//! Tends devices: makes those ready that came, asks those how they are whose run has ended, and puts back what was changed.

use super::{DeviceEvent, Phase};
use crate::daemon::desk::{Desk, now};
use crate::device::{DeviceCare, DeviceError};
use crate::domain::DeviceSerial;
use crate::store::StoreError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// How long care of one device may take.
const PATIENCE: Duration = Duration::from_secs(90);

/// Why a device is not ready.
#[derive(Debug, thiserror::Error)]
enum CareError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a device needs before its next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// It came anew: its settings are looked at.
    Preparation,
    /// A run has let it go, or it was not fit when it was asked last.
    Question,
    /// It is suspect, and no run has had it for long.
    SecondLook,
}

/// The one task that tends devices.
pub(in crate::daemon) struct DeviceKeeper {
    desk: Arc<Desk>,
    care: Option<Arc<dyn DeviceCare>>,
    /// Pause before a device is asked again that is not fit, and between looks at reservations.
    pause: Duration,
    /// How long a suspect device rests before it is asked whether it is sound.
    rest: Duration,
    /// Suspect devices that no run has, since when.
    resting: BTreeMap<DeviceSerial, Instant>,
    /// Devices that are being tended.
    busy: BTreeSet<DeviceSerial>,
    works: JoinSet<DeviceSerial>,
    /// Devices that are reserved and as they were.
    put_back: BTreeSet<DeviceSerial>,
}

impl DeviceKeeper {
    pub(in crate::daemon) fn new(desk: Arc<Desk>, pause: Duration, rest: Duration) -> Self {
        let care = desk.pool.carer();
        Self {
            desk,
            care,
            pause,
            rest,
            resting: BTreeMap::new(),
            busy: BTreeSet::new(),
            works: JoinSet::new(),
            put_back: BTreeSet::new(),
        }
    }

    /// Works until the daemon is told to stop and no run is under way any more; then devices are put back.
    pub(in crate::daemon) async fn work(mut self) {
        let over = self.desk.over.clone();
        let mut clock = tokio::time::interval(self.pause);
        while !over.is_cancelled() {
            let mut again = false;
            tokio::select! {
                () = over.cancelled() => break,
                () = self.desk.pool.care.notified() => {}
                Some(ended) = self.works.join_next() => match ended {
                    Ok(serial) => { self.busy.remove(&serial); }
                    Err(error) => tracing::error!(%error, "care of a device fell over"),
                },
                _ = clock.tick() => again = true,
            }
            if again {
                self.end_reservations().await;
                self.look_again();
            }
            self.take_up(again);
        }
        self.works.shutdown().await;
        self.put_all_back().await;
    }

    /// Begins to tend devices that need it; those that were not fit only when it is time again.
    fn take_up(&mut self, again: bool) {
        let Some(care) = self.care.clone() else { return };
        let reserved: BTreeSet<DeviceSerial> = self.desk.pool.reserved().into_iter().collect();
        self.put_back.retain(|serial| reserved.contains(serial));
        for (serial, raw) in self.desk.pool.in_phase(Phase::Preparing) {
            let was_unfit = self.desk.pool.of(&serial).unfit.is_some();
            if was_unfit && !again || reserved.contains(&serial) || !self.busy.insert(serial.clone()) {
                continue;
            }
            let need = if raw { Need::Preparation } else { Need::Question };
            let span = span_of(&serial);
            self.works.spawn(tend(Arc::clone(&self.desk), Arc::clone(&care), serial, need).instrument(span));
        }
        for serial in reserved {
            let idle = !matches!(self.desk.pool.of(&serial).phase, Phase::Leased | Phase::New | Phase::Gone);
            if idle && !self.busy.contains(&serial) && self.put_back.insert(serial.clone()) {
                self.busy.insert(serial.clone());
                let (desk, care) = (Arc::clone(&self.desk), Arc::clone(&care));
                let span = span_of(&serial);
                let work = async move {
                    put_back(&desk, &*care, &serial).await;
                    serial
                };
                self.works.spawn(work.instrument(span));
            }
        }
    }

    /// Asks suspect devices how they are that no run has had for long.
    fn look_again(&mut self) {
        let Some(care) = self.care.clone() else { return };
        let suspect = self.desk.pool.in_phase(Phase::Suspect).into_iter().map(|(serial, _)| serial);
        let now = Instant::now();
        self.resting = suspect.map(|serial| (serial.clone(), *self.resting.get(&serial).unwrap_or(&now))).collect();
        for (serial, since) in &mut self.resting {
            let rested = now.duration_since(*since) >= self.rest && self.desk.pool.reservation(serial).is_none();
            if rested && self.busy.insert(serial.clone()) {
                // One that is not fit is asked again when it has rested once more.
                *since = now;
                self.works.spawn(tend(Arc::clone(&self.desk), Arc::clone(&care), serial.clone(), Need::SecondLook));
            }
        }
    }

    /// Ends reservations whose time is over.
    async fn end_reservations(&self) {
        for serial in self.desk.pool.overdue(now()) {
            if let Err(error) = self.desk.end_reservation(&serial).await {
                self.desk.trouble.note(&error);
            }
        }
    }

    /// Puts back what was changed on any device.
    async fn put_all_back(self) {
        let Some(care) = self.care else { return };
        let mut works = JoinSet::new();
        for serial in self.desk.pool.present() {
            let (desk, care) = (Arc::clone(&self.desk), Arc::clone(&care));
            works.spawn(async move { put_back(&desk, &*care, &serial).await });
        }
        // Whoever sees this task out bounds it; the next daemon knows how a device was that is left.
        while works.join_next().await.is_some() {}
    }
}

/// What is logged of a device between runs, and told to a collector, names it.
fn span_of(serial: &DeviceSerial) -> tracing::Span {
    tracing::error_span!("device", %serial)
}

/// Tends one device and notes what came of it.
async fn tend(desk: Arc<Desk>, care: Arc<dyn DeviceCare>, serial: DeviceSerial, need: Need) -> DeviceSerial {
    let happening = match tokio::time::timeout(PATIENCE, made_ready(&desk, &*care, &serial, need)).await {
        Ok(Ok(None)) if need == Need::SecondLook => DeviceEvent::Rested,
        Ok(Ok(None)) => DeviceEvent::Prepared,
        Ok(Ok(Some(reason))) => DeviceEvent::Unfit(reason),
        Ok(Err(CareError::Store(error))) => {
            desk.trouble.note(&error);
            DeviceEvent::Unfit(error.to_string())
        }
        Ok(Err(CareError::Device(error))) => DeviceEvent::Unfit(error.to_string()),
        Err(_elapsed) => DeviceEvent::Unfit(format!("it was not made ready within {PATIENCE:?}")),
    };
    desk.note(&serial, &happening).await;
    desk.wake.notify_one();
    serial
}

/// Makes a device ready; why it is not fit, or `None`.
async fn made_ready(
    desk: &Desk,
    care: &dyn DeviceCare,
    serial: &DeviceSerial,
    need: Need,
) -> Result<Option<String>, CareError> {
    if need == Need::Preparation {
        // First it is written down how the device was: a daemon that dies now leaves that to the next.
        let mut originals = care.to_be_changed(serial).await?;
        if !originals.is_empty() {
            originals.extend(desk.store.originals(serial).await?);
            desk.store.keep_originals(serial, &originals).await?;
            care.prepare(serial).await?;
        }
    }
    let unfit = care.unfit(serial).await?;
    if need == Need::SecondLook && unfit.is_none() {
        care.picture(serial).await?;
    }
    Ok(unfit)
}

/// Puts a device back as it was, where it was changed.
async fn put_back(desk: &Desk, care: &dyn DeviceCare, serial: &DeviceSerial) {
    let work = async {
        let originals = desk.store.originals(serial).await?;
        if originals.is_empty() {
            return Ok(());
        }
        care.put_back(serial, &originals).await?;
        desk.store.drop_originals(serial).await?;
        Ok::<_, CareError>(())
    };
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%serial, %error, "a device's settings are not put back"),
        Err(_elapsed) => tracing::warn!(%serial, "a device does not answer: its settings are not put back"),
    }
}
