//! Where runs are handed in, looked up and called off. Knows nothing of HTTP.

use super::artifacts::Artifacts;
use super::events::EventNews;
use super::farm::Farm;
use super::leases::Leases;
use super::meters::Meters;
use super::pool::Pool;
use super::run_threads::RunThreads;
use super::store_trouble::StoreTrouble;
use super::vault::{Unreadable, Vault};
use crate::adb::{ConnectionState, DeviceRow};
use crate::artifact_store::ArtifactStore;
use crate::device::{DeviceRules, HoldError};
use crate::domain::{DeviceSerial, RunId, Secret};
use crate::run::{ANY_DEVICE, LaunchError, Recordings, RunLauncher, RunRequest};
use crate::store::{Hold, NewRun, RunEnd, RunRecord, RunState, Store, StoreError, Whom};
use jiff::{Timestamp, Unit};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// Why a run was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum SubmitError {
    /// The launcher does not want it.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The launcher's check fell over.
    #[error("the case could not be checked: {0}")]
    Check(String),
    /// A device that nobody has seen: the run would wait for ever.
    #[error("no device {serial} was ever connected here ({known}); connect it first, or leave the device out")]
    UnknownDevice {
        /// The device.
        serial: DeviceSerial,
        /// Where the request names it: a JSON pointer.
        pointer: String,
        /// Those there are, in words.
        known: String,
    },
    /// A device that may not be used.
    #[error("{source}")]
    DeviceNotAllowed {
        /// Where the request names it: a JSON pointer.
        pointer: String,
        /// Why.
        source: HoldError,
    },
    /// The key was another submission's.
    #[error("the idempotency key {key:?} was used for run {run_id}, which asks for something else; use a new key")]
    KeyReused {
        /// The key.
        key: String,
        /// Its run.
        run_id: RunId,
    },
    /// Too many wait already.
    #[error("{0} runs wait, and no more are taken until some are made; connect more devices, or call some off")]
    QueueFull(u64),
    /// The daemon is about to stop.
    #[error("the daemon is stopping and takes no more runs")]
    Stopping,
}

/// Why a run was not called off.
#[derive(Debug, thiserror::Error)]
pub(super) enum CancelError {
    /// No such run.
    #[error("no run {0} is known here")]
    Unknown(RunId),
    /// Too late.
    #[error("run {run_id} is already {state}")]
    Ended {
        /// The run.
        run_id: RunId,
        /// How it ended.
        state: RunState,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a run's parameters cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum ParamsError {
    /// They were never sealed: the run comes from a daemon of an earlier version.
    #[error("the parameters of this run are not known to this daemon any more; submit again")]
    Lost,
    /// They were sealed with another key.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A change of a run that must not be lost.
#[derive(Debug)]
pub(super) enum Change {
    /// Its first event came.
    Start,
    /// It ended so.
    Finish(Box<RunEnd>),
    /// It is to be tried again.
    Requeue,
}

/// A run that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Submitted {
    /// The run.
    pub(super) run_id: RunId,
    /// Its state: a run that was handed in before may have gone on.
    pub(super) state: RunState,
}

/// What API and queue worker share.
pub(super) struct Desk {
    pub(super) store: Arc<dyn Store>,
    pub(super) launcher: Arc<dyn RunLauncher>,
    pub(super) devices: watch::Receiver<Vec<DeviceRow>>,
    pub(super) news: EventNews,
    /// While the database is in trouble no run gets a device.
    pub(super) trouble: StoreTrouble,
    /// Which devices may be used, and by whom on this host.
    pub(super) rules: DeviceRules,
    /// In which state each device is, and how far it is trusted.
    pub(super) pool: Pool,
    /// Devices on which a run ended as an error: it is tried on others.
    pub(super) shunned: Mutex<HashMap<RunId, BTreeSet<DeviceSerial>>>,
    /// Devices that another process of this host uses, and what is said of it.
    pub(super) outsiders: Mutex<BTreeMap<DeviceSerial, String>>,
    /// Devices that are or were connected since the start.
    pub(super) seen: Mutex<BTreeSet<DeviceSerial>>,
    /// Pause before a write that failed is tried again.
    store_retry: Duration,
    /// Runs that may wait at once.
    most_waiting: u64,
    /// Held while a run goes from the queue to a device, so that a run to be cancelled is always in one of the two.
    pub(super) leases: tokio::sync::Mutex<Leases>,
    /// Wakes the queue worker.
    pub(super) wake: Notify,
    /// Fires when no more runs are taken.
    pub(super) stop: CancellationToken,
    /// Fires when no run is under way any more.
    pub(super) over: CancellationToken,
    /// Seals the values of parameters.
    vault: Vault,
    /// Where runs leave what they recorded; `None` for a daemon that keeps nothing.
    pub(super) recordings: Option<Recordings>,
    /// Where all hosts find them; `None` where they stay on the host that made them.
    pub(super) artifacts: Option<Arc<Artifacts>>,
    /// What is counted.
    pub(super) meters: Meters,
    /// Host, catalog and what the devices are.
    pub(super) farm: Farm,
    /// Where launchers work.
    pub(super) threads: RunThreads,
}

/// What a desk is made of.
pub(super) struct DeskParts {
    pub(super) store: Arc<dyn Store>,
    pub(super) launcher: Arc<dyn RunLauncher>,
    pub(super) devices: watch::Receiver<Vec<DeviceRow>>,
    pub(super) stop: CancellationToken,
    pub(super) store_retry: Duration,
    pub(super) most_waiting: u64,
    pub(super) rules: DeviceRules,
    pub(super) vault: Vault,
    pub(super) recordings: Option<Recordings>,
    pub(super) artifacts: Option<Arc<ArtifactStore>>,
    pub(super) farm: Farm,
    pub(super) pool: Pool,
    pub(super) threads: RunThreads,
}

impl Desk {
    pub(super) fn new(parts: DeskParts) -> Self {
        let DeskParts {
            store,
            launcher,
            devices,
            stop,
            store_retry,
            most_waiting,
            rules,
            vault,
            recordings,
            artifacts,
            farm,
            pool,
            threads,
        } = parts;
        let seen = devices.borrow().iter().map(|row| row.serial.clone()).collect();
        Self {
            trouble: StoreTrouble::default(),
            store_retry,
            most_waiting,
            rules,
            pool,
            shunned: Mutex::default(),
            outsiders: Mutex::default(),
            seen: Mutex::new(seen),
            store,
            launcher,
            devices,
            news: EventNews::default(),
            leases: tokio::sync::Mutex::default(),
            wake: Notify::new(),
            stop,
            over: CancellationToken::new(),
            vault,
            recordings,
            artifacts: artifacts.map(|store| Arc::new(Artifacts::new(store))),
            meters: Meters::default(),
            farm,
            threads,
        }
    }

    /// Checks the request and queues it.
    ///
    /// With a key, what was handed in with it before is the same run, and nothing is queued a second time.
    pub(super) async fn submit(
        &self,
        request: RunRequest,
        priority: i32,
        key: Option<String>,
    ) -> Result<Submitted, SubmitError> {
        if self.stop.is_cancelled() {
            return Err(SubmitError::Stopping);
        }
        let asked = request.clone();
        if let Some(before) = self.handed_in_before(&asked, priority, key.as_deref()).await? {
            return Ok(before);
        }
        if self.store.queue_length().await? >= self.most_waiting {
            return Err(SubmitError::QueueFull(self.most_waiting));
        }
        // The check reads files, so it must not hold up the other connections.
        let launcher = Arc::clone(&self.launcher);
        let checked = tokio::task::spawn_blocking(move || {
            let mut request = request;
            launcher.check(&request)?;
            // Every actor needs a device; those nobody named are chosen when the run's turn comes.
            for name in launcher.cast(&request)? {
                request.actors.entry(name).or_insert_with(|| DeviceSerial::from(ANY_DEVICE));
            }
            Ok::<_, LaunchError>(request)
        });
        let request = checked.await.map_err(|error| SubmitError::Check(error.to_string()))??;
        self.check_devices(&request).await?;
        let run_id = RunId::new(uuid::Uuid::now_v7().to_string());
        let sealed = (!request.params.is_empty()).then(|| self.vault.seal(&run_id, &request.params));
        let sealed_params = sealed.transpose().map_err(|error| SubmitError::Check(error.to_string()))?;
        let (created_at, idempotency_key) = (now(), key.clone());
        let run = NewRun {
            run_id: run_id.clone(),
            request,
            sealed_params,
            priority,
            created_at,
            idempotency_key,
            place: None,
        };
        if let Err(error) = self.store.enqueue(run).await {
            // Somebody else may have handed it in meanwhile.
            return self.handed_in_before(&asked, priority, key.as_deref()).await?.ok_or_else(|| error.into());
        }
        self.wake.notify_one();
        Ok(Submitted { run_id, state: RunState::Queued })
    }

    /// The run that was handed in with the key; an error where it asks for something else.
    async fn handed_in_before(
        &self,
        asked: &RunRequest,
        priority: i32,
        key: Option<&str>,
    ) -> Result<Option<Submitted>, SubmitError> {
        let Some(key) = key else { return Ok(None) };
        let Some(run) = self.store.run_with_key(key).await? else { return Ok(None) };
        // Parameters go when the run has ended; then only that there were some can be compared.
        let params = match self.store.sealed_params(&run.run_id).await? {
            Some(sealed) => self.vault.unseal(&run.run_id, &sealed).is_ok_and(|params| params == asked.params),
            None => run.params_withheld != asked.params.is_empty(),
        };
        let RunRequest { case_id, device, actors, seed, .. } = &run.request;
        let actors = asked.actors.iter().all(|(name, serial)| actors.get(name) == Some(serial));
        let same = params && actors && (case_id, device, *seed) == (&asked.case_id, &asked.device, asked.seed);
        if !same || run.priority != priority {
            return Err(SubmitError::KeyReused { key: key.to_owned(), run_id: run.run_id });
        }
        Ok(Some(Submitted { run_id: run.run_id, state: run.state }))
    }

    /// Calls a run off: at once when it waits, else its launcher is told to stop. Gives the state found afterwards.
    pub(super) async fn cancel(&self, run_id: &RunId) -> Result<RunRecord, CancelError> {
        let leases = self.leases.lock().await;
        if self.store.cancel_queued(run_id, "cancelled before it started", now()).await? {
            self.forget(run_id);
            self.news.announce(run_id);
            // Devices may have been kept for it.
            self.wake.notify_one();
        } else if let Some(lease) = leases.of_run(run_id) {
            lease.cancelled.cancel();
        } else {
            // Another host that shares the database may hold it: it is asked, and ends it when it hears of that.
            let asked = self.store.is_shared() && !self.store.ask_to_cancel(Whom::Run(run_id)).await?.is_empty();
            let run = self.store.run(run_id).await?.ok_or_else(|| CancelError::Unknown(run_id.clone()))?;
            return if asked { Ok(run) } else { Err(CancelError::Ended { run_id: run.run_id, state: run.state }) };
        }
        self.store.run(run_id).await?.ok_or_else(|| CancelError::Unknown(run_id.clone()))
    }

    /// Writes a change until the database takes it or refuses it for good; `give_up` ends the waiting, after one try at
    /// least.
    pub(super) async fn insist(
        &self,
        hold: &Hold,
        change: &Change,
        give_up: &CancellationToken,
    ) -> Result<(), StoreError> {
        let at = now();
        loop {
            let written = match change {
                Change::Start => self.store.start(hold, at).await,
                Change::Finish(end) => self.store.finish(hold, RunEnd::clone(end), at).await,
                Change::Requeue => self.store.requeue(hold).await,
            };
            match written {
                Err(error) if error.may_pass() => {
                    self.trouble.note(&error);
                    if give_up.is_cancelled() {
                        return Err(error);
                    }
                    // Over when the pause is, or the waiting itself.
                    let _paused = tokio::time::timeout(self.store_retry, give_up.cancelled()).await;
                }
                written_or_refused => return written_or_refused,
            }
        }
    }

    /// Runs that may wait at once.
    pub(super) const fn most_waiting(&self) -> u64 {
        self.most_waiting
    }

    /// Seals the secret of a schedule's webhook.
    pub(super) fn seal_hook(&self, name: &str, secret: &Secret) -> Result<Vec<u8>, Unreadable> {
        let secret = BTreeMap::from([(HOOK_SECRET.to_owned(), secret.expose().to_owned())]);
        self.vault.seal(&hook_id(name), &secret)
    }

    /// Opens it.
    pub(super) fn unseal_hook(&self, name: &str, sealed: &[u8]) -> Result<Secret, Unreadable> {
        let mut secret = self.vault.unseal(&hook_id(name), sealed)?;
        secret.remove(HOOK_SECRET).map(Secret::new).ok_or(Unreadable)
    }

    /// The request as it was handed in, parameters included; why they cannot be had otherwise.
    pub(super) async fn whole_request(&self, run: &RunRecord) -> Result<RunRequest, ParamsError> {
        let mut request = run.request.clone();
        if run.params_withheld {
            let sealed = self.store.sealed_params(&run.run_id).await?.ok_or(ParamsError::Lost)?;
            request.params = self.vault.unseal(&run.run_id, &sealed)?;
        }
        Ok(request)
    }

    /// The run has ended: what was noted for its next attempt goes, and its night goes on.
    pub(super) fn forget(&self, run_id: &RunId) {
        self.farm.nights.notify_one();
        self.shunning().remove(run_id);
    }
}

/// Under which name a webhook's secret is sealed.
const HOOK_SECRET: &str = "webhook";

/// What a webhook's secret is sealed for: no run has such an id.
fn hook_id(name: &str) -> RunId {
    RunId::new(format!("schedule/{name}"))
}

/// Now, to the millisecond.
pub(super) fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now)
}

/// True when a run can be made on the device.
pub(super) fn is_ready(rows: &[DeviceRow], serial: &DeviceSerial) -> bool {
    rows.iter().any(|row| row.serial == *serial && row.state == ConnectionState::Device)
}
