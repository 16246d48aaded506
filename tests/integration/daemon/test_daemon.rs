//! A real daemon on a free port, with a real SQLite file and a fake launcher.

use super::fake_launcher::{Behaviour, FakeLauncher};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tapwright::adb::{ConnectionState, DeviceRow};
use tapwright::daemon::{Daemon, DaemonClient, DaemonError, Front, Limits, Retention, RunView, Vault};
use tapwright::device::DeviceRules;
use tapwright::domain::{CaseId, DeviceSerial, RunId};
use tapwright::run::{Recordings, RunRequest};
use tapwright::store::{SqliteStore, Store, StoreError};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(super) struct TestDaemon {
    pub(super) url: String,
    pub(super) client: DaemonClient,
    pub(super) http: reqwest::Client,
    pub(super) devices: watch::Sender<Vec<DeviceRow>>,
    pub(super) launcher: Arc<FakeLauncher>,
    pub(super) stop: CancellationToken,
    pub(super) task: JoinHandle<Result<(), DaemonError>>,
    pub(super) folder: Arc<TempDir>,
}

/// No wait of a test is longer: a hang is a failure.
pub(super) async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), work).await.expect("it took longer than 30 s")
}

pub(super) fn limits() -> Limits {
    Limits {
        device_loss_grace: Duration::from_millis(20),
        store_retry: Duration::from_millis(20),
        device_retry: Duration::from_millis(20),
        care_retry: Duration::from_millis(20),
        ..Limits::default()
    }
}

pub(super) fn rows(serials: &[&str]) -> Vec<DeviceRow> {
    let row = |serial: &&str| DeviceRow {
        serial: DeviceSerial::from(*serial),
        state: ConnectionState::Device,
        product: None,
        model: Some("Pixel_8".into()),
        device: None,
        transport_id: Some(1),
    };
    serials.iter().map(row).collect()
}

pub(super) fn request(case_id: &str) -> RunRequest {
    RunRequest {
        case_id: CaseId::new(case_id).unwrap(),
        device: None,
        actors: [].into(),
        params: [].into(),
        seed: 7,
        location: None,
    }
}

impl TestDaemon {
    pub(super) async fn start(devices: &[&str], cases: &[(&str, Behaviour)]) -> Self {
        Self::start_with(limits(), devices, cases).await
    }

    pub(super) async fn start_with(limits: Limits, devices: &[&str], cases: &[(&str, Behaviour)]) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().unwrap()), limits, devices, cases).await
    }

    pub(super) async fn start_in(
        folder: Arc<TempDir>,
        limits: Limits,
        devices: &[&str],
        cases: &[(&str, Behaviour)],
    ) -> Self {
        Self::start_retaining(folder, limits, devices, cases, Retention::default()).await
    }

    pub(super) async fn start_retaining(
        folder: Arc<TempDir>,
        limits: Limits,
        devices: &[&str],
        cases: &[(&str, Behaviour)],
        retention: Retention,
    ) -> Self {
        let daemon = Daemon::with_limits(limits).retaining(retention);
        Self::start_as(daemon, folder, devices, cases).await
    }

    /// A daemon that is reached that way.
    pub(super) async fn start_behind(
        front: Front,
        folder: Arc<TempDir>,
        devices: &[&str],
        cases: &[(&str, Behaviour)],
    ) -> Self {
        Self::start_as(Daemon::with_limits(limits()).behind(front), folder, devices, cases).await
    }

    pub(super) async fn start_as(
        daemon: Daemon,
        folder: Arc<TempDir>,
        devices: &[&str],
        cases: &[(&str, Behaviour)],
    ) -> Self {
        let store = Arc::new(reopen(folder.path()).await);
        Self::start_on(daemon, store, folder, devices, cases).await
    }

    /// A daemon on a store of the test's own.
    pub(super) async fn start_on(
        daemon: Daemon,
        store: Arc<dyn Store>,
        folder: Arc<TempDir>,
        devices: &[&str],
        cases: &[(&str, Behaviour)],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let launcher = Arc::new(FakeLauncher::new(cases));
        let devices = watch::Sender::new(rows(devices));
        let stop = CancellationToken::new();
        let daemon = daemon.using(device_rules(folder.path(), "tapwright serve"));
        let daemon = daemon.sealing(Vault::open(&folder.path().join("runs.key")).unwrap());
        let daemon = daemon.keeping(Recordings::new(folder.path().join("runs")));
        let task = tokio::spawn(daemon.run(listener, store, launcher.clone(), devices.subscribe(), stop.clone()));
        let client = DaemonClient::new(&url).unwrap();
        let http = crate::harness::http();
        Self { url, client, http, devices, launcher, stop, task, folder }
    }

    /// Queues a case and gives the run's id.
    pub(super) async fn submit(&self, case_id: &str) -> RunId {
        self.client.submit(request(case_id)).await.unwrap().run_id
    }

    /// Follows a run to its end.
    pub(super) async fn end_of(&self, run_id: &RunId) -> RunView {
        within(self.client.follow(run_id, |_event| {})).await.unwrap()
    }

    /// Stops the daemon in order and checks that it did so.
    pub(super) async fn stop(self) {
        self.stop.cancel();
        within(self.task).await.unwrap().unwrap();
        self.launcher.assert_lawful();
    }
}

/// The last connection's task may hold the file a moment longer than the daemon.
pub(super) async fn reopen(folder: &Path) -> SqliteStore {
    let opened = async {
        loop {
            match SqliteStore::open(&database(folder)).await {
                Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
                other => return other.unwrap(),
            }
        }
    };
    within(opened).await
}

/// All devices are allowed, and the host's locks are in the folder.
pub(super) fn device_rules(folder: &Path, holder: &str) -> DeviceRules {
    DeviceRules { allow: Vec::new(), locks: Some(folder.join("locks")), holder: holder.to_owned() }
}

pub(super) fn database(folder: &Path) -> std::path::PathBuf {
    folder.join("runs.sqlite")
}
