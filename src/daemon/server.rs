//! The daemon as a whole: listener in, stop signal in, nothing left behind.

use super::api;
use super::caretaker::{Caretaker, Retention};
use super::desk::{Desk, DeskParts, now};
use super::emulators::{self, Emulators};
use super::farm::Farm;
use super::front::{Front, FrontError};
use super::hosts;
use super::limits::Limits;
use super::listen;
use super::nights::{Keeper, Notice, Scheduler};
use super::pool::{DeviceKeeper, Pool};
use super::queue_worker::QueueWorker;
use super::run_threads::RunThreads;
use super::uploader::Uploader;
use super::vault::Vault;
use crate::adb::DeviceRow;
use crate::artifact_store::ArtifactStore;
use crate::device::{DeviceCare, DeviceRules};
use crate::run::{Catalog, Recordings, RunLauncher};
use crate::store::{Store, StoreError, Whose};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Why the daemon could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The listener is open to others, who would not be asked who they are.
    #[error(transparent)]
    Front(#[from] FrontError),
    /// The listener failed.
    #[error("the daemon's listener failed: {0}")]
    Listener(#[from] std::io::Error),
    /// The system gives no threads.
    #[error("no threads for runs could be started: {0}; let the daemon's user have more of them")]
    Threads(std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The long-running service.
#[derive(Clone, Default)]
pub struct Daemon {
    limits: Limits,
    rules: DeviceRules,
    vault: Vault,
    recordings: Option<Recordings>,
    artifacts: Option<Arc<ArtifactStore>>,
    retention: Retention,
    front: Front,
    catalog: Option<Arc<dyn Catalog>>,
    care: Option<Arc<dyn DeviceCare>>,
    notices: Vec<Notice>,
    emulators: Arc<Emulators>,
    host: Option<String>,
    ready: CancellationToken,
}

impl Daemon {
    /// A daemon with other limits than the usual ones.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// This daemon, with devices used by these rules.
    #[must_use]
    pub fn using(self, rules: DeviceRules) -> Self {
        Self { rules, ..self }
    }

    /// This daemon, with parameters sealed by this key.
    #[must_use]
    pub fn sealing(self, vault: Vault) -> Self {
        Self { vault, ..self }
    }

    /// This daemon, whose runs leave their recordings there.
    #[must_use]
    pub fn keeping(self, recordings: Recordings) -> Self {
        Self { recordings: Some(recordings), ..self }
    }

    /// This daemon, which brings recordings of ended runs to this store, where other hosts find them.
    #[must_use]
    pub fn storing(self, artifacts: ArtifactStore) -> Self {
        Self { artifacts: Some(Arc::new(artifacts)), ..self }
    }

    /// This daemon, which keeps what ended for so long.
    #[must_use]
    pub fn retaining(self, retention: Retention) -> Self {
        Self { retention, ..self }
    }

    /// This daemon, reached that way.
    #[must_use]
    pub fn behind(self, front: Front) -> Self {
        Self { front, ..self }
    }

    /// This daemon, which knows what a workspace has to offer.
    #[must_use]
    pub fn knowing(self, catalog: Arc<dyn Catalog>) -> Self {
        Self { catalog: Some(catalog), ..self }
    }

    /// This daemon, whose devices are made ready, asked how they are and put back; without it whoever is connected is ready.
    #[must_use]
    pub fn caring(self, care: Arc<dyn DeviceCare>) -> Self {
        Self { care: Some(care), ..self }
    }

    /// This daemon, which tells them that a night has ended.
    #[must_use]
    pub fn notifying(self, notices: Vec<Notice>) -> Self {
        Self { notices, ..self }
    }

    /// This daemon, which keeps these emulators running.
    #[must_use]
    pub fn running(self, emulators: Emulators) -> Self {
        Self { emulators: Arc::new(emulators), ..self }
    }

    /// This daemon, under this name among those that share its database; `local` unless given.
    #[must_use]
    pub fn named(self, host: String) -> Self {
        Self { host: Some(host), ..self }
    }

    /// This daemon, which fires this once it answers.
    #[must_use]
    pub fn saying_when_ready(self, ready: CancellationToken) -> Self {
        Self { ready, ..self }
    }

    /// Serves with the usual limits; see [`Daemon::run`].
    pub async fn serve(
        listener: TcpListener,
        store: Arc<dyn Store>,
        launcher: Arc<dyn RunLauncher>,
        devices: watch::Receiver<Vec<DeviceRow>>,
        stop: CancellationToken,
    ) -> Result<(), DaemonError> {
        Self::default().run(listener, store, launcher, devices, stop).await
    }

    /// Brings the queue in order, then answers HTTP and makes runs until `stop` fires; then takes nothing new, lets
    /// runs under way end (bounded), and comes back.
    pub async fn run(
        self,
        listener: TcpListener,
        store: Arc<dyn Store>,
        launcher: Arc<dyn RunLauncher>,
        devices: watch::Receiver<Vec<DeviceRow>>,
        stop: CancellationToken,
    ) -> Result<(), DaemonError> {
        let address = listener.local_addr()?;
        self.front.check(address)?;
        let host = self.host.clone().unwrap_or_else(|| "local".to_owned());
        // Before anything is brought in order: what another daemon of this name holds is not what this one held.
        store.enter(&host).await?;
        let whose = if store.is_shared() { Whose::Host(host.clone()) } else { Whose::All };
        let recovered = store.recover(now(), &whose).await?;
        if recovered != crate::store::Recovered::default() {
            tracing::warn!(
                requeued = recovered.requeued.len(),
                interrupted = recovered.interrupted.len(),
                params_lost = recovered.params_lost.len(),
                "the daemon before this one did not end in order"
            );
        }
        let Self {
            limits,
            rules,
            vault,
            recordings,
            artifacts,
            retention,
            front,
            catalog,
            care,
            notices,
            emulators,
            host: _,
            ready,
        } = self;
        let farm = Farm::new(host, catalog, notices, emulators);
        let (stop_desk, store_retry, most_waiting) = (stop.clone(), limits.store_retry, limits.waiting);
        let parts = DeskParts {
            store,
            launcher,
            devices,
            stop: stop_desk,
            store_retry,
            most_waiting,
            rules,
            vault,
            recordings,
            artifacts,
            farm,
            pool: Pool::new(care),
            threads: RunThreads::start().map_err(DaemonError::Threads)?,
        };
        let desk = Arc::new(Desk::new(parts));
        desk.recall_devices().await?;
        let runs_over = CancellationToken::new();
        let app = api::router(Arc::clone(&desk), limits, runs_over.clone(), &front);
        let mut helpers = JoinSet::new();
        helpers.spawn(Caretaker::new(Arc::clone(&desk), retention).work());
        if let Some(uploader) = Uploader::new(&desk, limits.upload_retry) {
            helpers.spawn(uploader.work());
        }
        helpers.spawn(Keeper::new(Arc::clone(&desk)).work());
        helpers.spawn(Scheduler::new(Arc::clone(&desk)).work());
        helpers.spawn(DeviceKeeper::new(Arc::clone(&desk), limits.care_retry, limits.rest).work());
        helpers.spawn(hosts::look_at_devices(Arc::clone(&desk)));
        helpers.spawn(hosts::beat(Arc::clone(&desk)));
        helpers.spawn(hosts::listen(Arc::clone(&desk)));
        helpers.spawn(emulators::keep(Arc::clone(&desk)));
        let over = desk.over.clone();
        let worker = QueueWorker::new(desk, limits);
        tracing::info!(%address, "the daemon answers");
        ready.cancel();
        let bounds = listen::Bounds { connections: limits.connections, head: limits.head };
        let server = listen::serve(listener, app, front.into_tls(), bounds, stop.clone());
        tokio::pin!(server);
        let work = async {
            worker.work().await;
            runs_over.cancel();
            over.cancel();
        };
        tokio::pin!(work);
        // All connections may have closed after the stop signal; runs may take longer.
        let answered = tokio::select! {
            () = &mut server => true,
            () = &mut work => false,
        };
        if answered {
            work.await;
        }
        let closed = async {
            // A client that does not read must not keep the process alive.
            if !answered && tokio::time::timeout(limits.close, server).await.is_err() {
                tracing::warn!("connections that did not close were dropped");
            }
        };
        tokio::join!(closed, see_out(helpers, limits.put_back));
        Ok(())
    }
}

/// Lets helpers end, which heed the stop between two things they do; one that hangs is dropped.
async fn see_out(mut helpers: JoinSet<()>, limit: Duration) {
    let ended = async {
        while let Some(ended) = helpers.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a task of the farm fell over");
            }
        }
    };
    if tokio::time::timeout(limit, ended).await.is_err() {
        tracing::warn!(tasks = helpers.len(), "tasks of the farm that hang were dropped");
    }
}
