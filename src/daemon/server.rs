//! The daemon as a whole: listener in, stop signal in, nothing left behind.

use super::api;
use super::caretaker::{Caretaker, Retention};
use super::desk::{Desk, DeskParts, now};
use super::limits::Limits;
use super::listen;
use super::queue_worker::QueueWorker;
use super::vault::Vault;
use crate::adb::DeviceRow;
use crate::device::DeviceRules;
use crate::run::{Recordings, RunLauncher};
use crate::store::{Store, StoreError};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Why the daemon could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The listener is open to others.
    #[error(
        "the daemon listens only on loopback, because it has no authentication; {0} is not: use 127.0.0.1 or [::1]"
    )]
    NotLoopback(SocketAddr),
    /// The listener failed.
    #[error("the daemon's listener failed: {0}")]
    Listener(#[from] std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The long-running service.
#[derive(Debug, Clone, Default)]
pub struct Daemon {
    limits: Limits,
    rules: DeviceRules,
    vault: Vault,
    recordings: Option<Recordings>,
    retention: Retention,
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

    /// This daemon, which keeps what ended for so long.
    #[must_use]
    pub fn retaining(self, retention: Retention) -> Self {
        Self { retention, ..self }
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
        if !address.ip().is_loopback() {
            return Err(DaemonError::NotLoopback(address));
        }
        let recovered = store.recover(now()).await?;
        if recovered != crate::store::Recovered::default() {
            tracing::warn!(
                requeued = recovered.requeued.len(),
                interrupted = recovered.interrupted.len(),
                params_lost = recovered.params_lost.len(),
                "the daemon before this one did not end in order"
            );
        }
        let Self { limits, rules, vault, recordings, retention } = self;
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
        };
        let desk = Arc::new(Desk::new(parts));
        desk.recall_standings().await?;
        let runs_over = CancellationToken::new();
        let app = api::router(Arc::clone(&desk), limits, runs_over.clone());
        let caretaker = tokio::spawn(Caretaker::new(Arc::clone(&desk), retention).work());
        let worker = QueueWorker::new(desk, limits);
        tracing::info!(%address, "the daemon answers");
        let bounds = listen::Bounds { connections: limits.connections, head: limits.head };
        let server = listen::serve(listener, app, bounds, stop.clone());
        tokio::pin!(server);
        let work = async {
            worker.work().await;
            runs_over.cancel();
        };
        tokio::pin!(work);
        tokio::select! {
            () = &mut server => {
                // All connections closed after the stop signal; runs may take longer.
                work.await;
            }
            () = &mut work => {
                // A client that does not read must not keep the process alive.
                if tokio::time::timeout(limits.close, server).await.is_err() {
                    tracing::warn!("connections that did not close were dropped");
                }
            }
        }
        // It heeds the stop between two removals.
        if let Err(error) = caretaker.await {
            tracing::error!(%error, "the task that removes old runs fell over");
        }
        Ok(())
    }
}
