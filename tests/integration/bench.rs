//! A workspace of its own with the bundled suite, the real adb server and virtual devices: what the tests of the whole
//! product share. Every test has its own workspace, server and devices, so that none can disturb another; the loaded model is shared.

use crate::harness::{AdbServer, PATIENCE};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tapwright::app::{Environment, Workspace};
use tapwright::device::DeviceError;
use tapwright::domain::{CaseId, DeviceSerial, RunEvent, RunId, RunResult};
use tapwright::inference::{self, Embedder, Manifest};
use tapwright::pipeline::Knowledge;
use tapwright::ranking::{Cues, Weights};
use tapwright::run::{CaseLauncher, ConnectedDevice, DeviceConnector, Judgement, RepairMode, RunLauncher, RunRequest};
use tapwright::script::Script;
use tapwright::virtual_device::{AppFiles, VirtualDevice, VirtualDeviceConfig};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The secret of the bundled cases.
pub(crate) const PASSWORD: &str = "135790";

/// A path of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The suite whose cases and app every bench starts from.
pub(crate) fn suite(path: &str) -> PathBuf {
    repository("tests/suites/first_light").join(path)
}

/// The bundled model, loaded once.
fn model() -> Arc<dyn Embedder> {
    static MODEL: OnceLock<Arc<dyn Embedder>> = OnceLock::new();
    static LOADING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = LOADING.lock();
    MODEL
        .get_or_init(|| {
            let manifest = Manifest::load(&repository("models")).unwrap();
            let library = runtime_library();
            inference::open_with_library(&manifest, None, &library, 1).unwrap_or_else(|error| panic!("{error}"))
        })
        .clone()
}

/// The ONNX Runtime under test.
pub(crate) fn runtime_library() -> PathBuf {
    match std::env::var_os("TAPWRIGHT_ORT_LIB") {
        Some(path) => path.into(),
        None => Manifest::load(&repository("models")).unwrap().runtime_library().unwrap(),
    }
}

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Its stdout as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The only result of what `run` or `replay` printed as JSON, which is a list however many there are.
    pub(crate) fn result(&self) -> Value {
        let results = self.json();
        assert_eq!(results.as_array().map(Vec::len), Some(1), "{self:?}");
        results[0].clone()
    }

    /// Checks the exit code and that stderr holds all of these.
    #[track_caller]
    pub(crate) fn failed(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }

    /// Checks that it ended with 0.
    #[track_caller]
    pub(crate) fn succeeded(&self) {
        assert_eq!(self.code, Some(0), "{self:?}");
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A workspace, a server, devices.
pub(crate) struct Bench {
    server: AdbServer,
    folder: TempDir,
    devices: Vec<VirtualDevice>,
    patience: Option<Duration>,
}

/// Makes devices ready that are waited for no longer than this.
struct Hasty {
    inner: Arc<dyn DeviceConnector>,
    patience: Duration,
}

#[async_trait::async_trait]
impl DeviceConnector for Hasty {
    async fn connect(&self, serial: &DeviceSerial) -> Result<ConnectedDevice, DeviceError> {
        Ok(ConnectedDevice { patience: self.patience, ..self.inner.connect(serial).await? })
    }
}

impl Bench {
    /// A fresh workspace, and a server that knows no devices yet.
    pub(crate) async fn new() -> Self {
        let server = AdbServer::start().await;
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { server, folder, devices: Vec::new(), patience: None };
        for part in ["apps", "cases"] {
            std::fs::create_dir(bench.path(part)).unwrap();
            for entry in std::fs::read_dir(suite(part)).unwrap() {
                let file = entry.unwrap().path();
                std::fs::copy(&file, bench.path(part).join(file.file_name().unwrap())).unwrap();
            }
        }
        bench.configure(&repository("models"));
        bench
    }

    /// Adds the cases and apps of another suite.
    pub(crate) fn add_suite(&self, name: &str) {
        for part in ["apps", "cases"] {
            for entry in std::fs::read_dir(repository("tests/suites").join(name).join(part)).unwrap() {
                let file = entry.unwrap().path();
                std::fs::copy(&file, self.path(part).join(file.file_name().unwrap())).unwrap();
            }
        }
    }

    /// Writes a `tapwright.toml` that takes the models from `models`.
    pub(crate) fn configure(&self, models: &Path) {
        let text = format!(
            "[folders]\ncases = [\"cases\"]\nskills = '{}'\ndevice_profiles = '{}'\nmodels = '{}'\n",
            repository("skills").display(),
            repository("device-profiles").display(),
            models.display(),
        );
        std::fs::write(self.path("tapwright.toml"), text).unwrap();
    }

    /// From now on runs in this process wait no longer for what is expected.
    pub(crate) fn hurry(&mut self, patience: Duration) {
        self.patience = Some(patience);
    }

    /// A path of the workspace.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn server(&self) -> &AdbServer {
        &self.server
    }

    /// Changes the app in this workspace; the old text must be in it.
    pub(crate) fn change_app(&self, old: &str, new: &str) {
        self.change("apps/pay.app.yaml", old, new);
    }

    /// Changes a file of the workspace; the old text must be in it.
    pub(crate) fn change(&self, file: &str, old: &str, new: &str) {
        let path = self.path(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{old:?} is not in {file}:\n{text}");
        std::fs::write(path, text.replacen(old, new, 1)).unwrap();
    }

    /// Adds a case.
    pub(crate) fn add_case(&self, id: &str, rest: &str) {
        let head = format!("id: {id}\ntitle: A test\napp: {{package: com.example.pay, apk: ../apps/pay.app.yaml}}\n");
        std::fs::write(self.path("cases").join(format!("{id}.case.yaml")), head + rest).unwrap();
    }

    /// Starts a device without apps and connects it; gives its serial.
    pub(crate) async fn device(&mut self, config: VirtualDeviceConfig) -> String {
        let address = self.start_device(config).await;
        self.server.connect(address).await
    }

    /// The same, whose apps share what they share with those of other devices on the same `files`.
    pub(crate) async fn device_sharing(&mut self, config: VirtualDeviceConfig, files: &Arc<AppFiles>) -> String {
        let stop = CancellationToken::new();
        let device = VirtualDevice::start(config, files.clone(), files.clone(), Vec::new(), stop).await.unwrap();
        let address = device.addr();
        self.devices.push(device);
        self.server.connect(address).await
    }

    /// Starts a device without apps; the server does not know it yet.
    pub(crate) async fn start_device(&mut self, config: VirtualDeviceConfig) -> std::net::SocketAddr {
        let files = Arc::new(AppFiles::default());
        let stop = CancellationToken::new();
        let device = VirtualDevice::start(config, files.clone(), files, Vec::new(), stop).await.unwrap();
        let address = device.addr();
        self.devices.push(device);
        address
    }

    /// Switches all devices off.
    pub(crate) fn stop_devices(&self) {
        for device in &self.devices {
            device.stop();
        }
    }

    /// Runs a case in this process, on the shared model.
    pub(crate) async fn run(&self, case_id: &str, serial: &str) -> RunResult {
        let (events, _nobody) = unbounded_channel();
        self.run_with(case_id, serial, events, CancellationToken::new()).await
    }

    /// Runs a case in this process; its events go to `events`.
    pub(crate) async fn run_with(
        &self,
        case_id: &str,
        serial: &str,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> RunResult {
        let (launcher, request, serial) = (self.launcher(), request(case_id), DeviceSerial::from(serial));
        let launched = launcher.launch(new_run_id(), &request, &serial, events, cancel);
        timeout(PATIENCE, launched).await.expect("the run did not end").unwrap_or_else(|error| panic!("{error}"))
    }

    /// Replays a script in this process.
    pub(crate) async fn replay_here(&self, script: &Script, serial: &str) -> RunResult {
        let (events, _nobody) = unbounded_channel();
        let (launcher, request) = (self.launcher(), request(script.case_id.as_str()));
        let serial = DeviceSerial::from(serial);
        let replayed =
            launcher.replay(new_run_id(), script, &request, RepairMode::Off, &serial, events, CancellationToken::new());
        timeout(PATIENCE, replayed).await.expect("the replay did not end").unwrap_or_else(|error| panic!("{error}"))
    }

    /// Replays a script in this process, on the shared model.
    pub(crate) async fn replay_in_process(&self, script: &Script, serial: &str, repair: RepairMode) -> RunResult {
        let launcher = self.launcher();
        let request = request(script.case_id.as_str());
        let run_id = RunId::new(uuid::Uuid::now_v7().to_string());
        let (events, _nobody) = unbounded_channel();
        let (serial, cancel) = (DeviceSerial::from(serial), CancellationToken::new());
        let launched = launcher.replay(run_id, script, &request, repair, &serial, events, cancel);
        // A repair works on a step as a run does, and there may be several.
        let ended = timeout(4 * PATIENCE, launched).await.expect("the replay did not end");
        ended.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes this workspace's runs, on the shared model.
    fn launcher(&self) -> CaseLauncher {
        let environment = Environment {
            adb_host: Some(self.server.address().ip().to_string()),
            adb_port: Some(self.server.address().port().to_string()),
            adb: Some(self.server.binary().to_owned()),
            ..Environment::default()
        };
        let workspace = Workspace::open(Some(self.folder.path()), environment).unwrap();
        let mut launcher = workspace.launcher(Vec::new(), workspace.places(None)).unwrap();
        launcher.judgement = Box::new(|| {
            Ok(Judgement {
                embedder: model(),
                weights: Weights::bundled().unwrap(),
                cues: Cues::bundled().unwrap(),
                knowledge: Knowledge::bundled().unwrap(),
            })
        });
        if let Some(patience) = self.patience {
            launcher.connector = Arc::new(Hasty { inner: launcher.connector, patience });
        }
        launcher
    }

    /// The built `tapwright`, in this workspace and on this server.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.in_environment(Command::new(env!("CARGO_BIN_EXE_tapwright")), args)
    }

    pub(crate) fn in_environment(&self, mut command: Command, args: &[&str]) -> Command {
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("ANDROID_ADB_SERVER_PORT", self.server.address().port().to_string())
            .env("TAPWRIGHT_ADB", self.server.binary())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let others =
            ["ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_SERIAL", "TAPWRIGHT_LOG", "GITHUB_ACTIONS"];
        let own =
            ["TAPWRIGHT_LISTEN", "TAPWRIGHT_HOST", "TAPWRIGHT_KEY", "TAPWRIGHT_DATABASE", "TAPWRIGHT_DATABASE_URL"];
        for name in others.into_iter().chain(own).chain(["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) {
            command.env_remove(name);
        }
        command
    }

    /// Runs `tapwright ARGS…` to its end.
    pub(crate) async fn tapwright(&self, args: &[&str]) -> Said {
        finish(self.command(args)).await
    }

    /// Runs `tapwright ARGS…` in the background.
    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    /// Replays a script by the command line; gives the exit code and the result.
    pub(crate) async fn replay(&self, script: &str, serial: &str) -> (Said, Value) {
        let said = self.tapwright(&["replay", script, "--device", serial, "--json"]).await;
        let result = said.result();
        (said, result)
    }

    /// Runs an exported shell script with nothing but adb.
    pub(crate) async fn shell_script(&self, script: &Path, serial: &str, secrets: &[(&str, &str)]) -> Said {
        let mut command = self.in_environment(Command::new("sh"), &[script.to_str().unwrap()]);
        command.env("ADB", self.server.binary()).env("ANDROID_SERIAL", serial).envs(secrets.iter().copied());
        finish(command).await
    }

    /// All files below a folder of the workspace.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let entry = entry.unwrap();
                let kind = entry.file_type().unwrap();
                // A link leads to what is found by its own name.
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    found.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }

    /// The folder of a run that has ended.
    pub(crate) fn run_folder(&self, result: &RunResult) -> PathBuf {
        self.path("runs").join(result.case_id.as_str()).join(result.run_id.as_str())
    }

    /// Nothing is half-written: no recording without its end, no script, no temporary file beside one.
    #[track_caller]
    pub(crate) fn nothing_half_written(&self) {
        let partial: Vec<_> =
            self.files("runs").into_iter().filter(|path| path.to_string_lossy().contains(".partial")).collect();
        assert!(partial.is_empty(), "{partial:?}");
        assert_eq!(self.files("scripts"), Vec::<PathBuf>::new());
    }
}

/// A request for a case as it stands.
fn request(case_id: &str) -> RunRequest {
    RunRequest {
        case_id: CaseId::new(case_id).unwrap(),
        device: None,
        actors: BTreeMap::new(),
        params: BTreeMap::new(),
        seed: 0,
        location: None,
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.stop_devices();
    }
}

fn new_run_id() -> RunId {
    RunId::new(uuid::Uuid::now_v7().to_string())
}

async fn finish(mut command: Command) -> Said {
    let child = command.spawn().unwrap();
    timeout(4 * PATIENCE, child.wait_with_output()).await.expect("the command did not end").unwrap().into()
}

/// Ctrl-C for a program in the background.
pub(crate) async fn interrupt(child: &Child) {
    send_signal(child, "-INT").await;
}

/// Sends a signal, `-TERM`, to a process.
pub(crate) async fn send_signal(child: &Child, signal: &str) {
    let id = child.id().expect("it has ended already").to_string();
    let killed = Command::new("kill").args([signal, &id]).status().await.unwrap();
    assert!(killed.success());
}
