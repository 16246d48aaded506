//! What is counted and measured, as Prometheus reads it.

use super::desk::{Desk, is_ready};
use crate::domain::Verdict;
use crate::store::StoreError;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::fmt::Write as _;
use std::time::Duration;

/// Bounds of the durations of runs, in seconds: a replay takes seconds, a long case half an hour.
const DURATIONS: [f64; 9] = [2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0];

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    verdict: VerdictLabel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct VerdictLabel(Verdict);

impl EncodeLabelValue for VerdictLabel {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> std::fmt::Result {
        write!(encoder, "{}", self.0)
    }
}

/// A kind of device: its state and its standing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeviceKind {
    state: String,
    standing: String,
}

/// Counters and gauges of one daemon.
#[derive(Debug)]
pub(super) struct Meters {
    registry: Registry,
    ended: Family<Ended, Counter>,
    durations: Histogram,
    attempts: Counter,
    requeued: Counter,
    queued: Gauge,
    busy: Gauge,
    devices: Family<DeviceKind, Gauge>,
    store_trouble: Gauge,
    unstored: Gauge,
}

impl Default for Meters {
    fn default() -> Self {
        let meters = Self {
            registry: Registry::with_prefix("tapwright"),
            ended: Family::default(),
            durations: Histogram::new(DURATIONS),
            attempts: Counter::default(),
            requeued: Counter::default(),
            queued: Gauge::default(),
            busy: Gauge::default(),
            devices: Family::default(),
            store_trouble: Gauge::default(),
            unstored: Gauge::default(),
        };
        meters.registered()
    }
}

impl Meters {
    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program", version);
        registry.register("runs_ended", "Runs that ended since the start, by verdict", self.ended.clone());
        let durations = self.durations.clone();
        registry.register_with_unit(
            "attempt_duration",
            "Time from device to end of an attempt",
            Unit::Seconds,
            durations,
        );
        registry.register("attempts", "Times a run was given a device since the start", self.attempts.clone());
        registry.register("requeued", "Attempts that ended with the run queued again", self.requeued.clone());
        registry.register("runs_queued", "Runs that wait", self.queued.clone());
        registry.register("devices_busy", "Devices that hold a run", self.busy.clone());
        registry.register("devices", "Devices by state and standing", self.devices.clone());
        registry.register(
            "artifacts_waiting",
            "Ended runs that the artifact store has not got yet",
            self.unstored.clone(),
        );
        registry.register("store_trouble", "1 while the database takes nothing", self.store_trouble.clone());
        self
    }

    /// A run got a device.
    pub(super) fn begin(&self) {
        self.attempts.inc();
    }

    /// An attempt ended after so long, and its run with this verdict, or is to be tried again.
    pub(super) fn end(&self, took: Duration, verdict: Option<Verdict>) {
        self.durations.observe(took.as_secs_f64());
        if let Some(verdict) = verdict {
            self.ended.get_or_create(&Ended { verdict: VerdictLabel(verdict) }).inc();
        } else {
            self.requeued.inc();
        }
    }

    /// The text that is scraped, as things stand now.
    ///
    /// # Errors
    /// The database does not answer.
    pub(super) async fn text(&self, desk: &Desk) -> Result<String, StoreError> {
        let waiting = desk.store.queue_length().await?;
        self.queued.set(i64::try_from(waiting).unwrap_or(i64::MAX));
        self.busy.set(desk.leases.lock().await.len() as i64);
        let unstored = desk.artifacts.as_ref().map_or(0, |artifacts| artifacts.waiting());
        self.unstored.set(i64::try_from(unstored).unwrap_or(i64::MAX));
        self.store_trouble.set(i64::from(desk.trouble.current().is_some()));
        let rows = desk.devices.borrow().clone();
        // Kinds that no device is of any more go.
        self.devices.clear();
        for row in &rows {
            let ready = is_ready(&rows, &row.serial);
            let state = if ready { "ready".to_owned() } else { row.state.to_string() };
            let standing = desk.pool.of(&row.serial).standing.word().to_owned();
            self.devices.get_or_create(&DeviceKind { state, standing }).inc();
        }
        let mut text = String::new();
        // Writing into a string does not fail.
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::error!(%error, "metrics cannot be told");
        }
        Ok(text)
    }
}
