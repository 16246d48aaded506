//! The environment variables Tapwright knows, read once.

use crate::artifact_store::AccessKeys;
use crate::domain::Secret;
use std::env;
use std::path::PathBuf;

/// What the environment says; adb's own variables mean what they mean to adb.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `ADB_SERVER_SOCKET`.
    pub adb_socket: Option<String>,
    /// `ANDROID_ADB_SERVER_ADDRESS`.
    pub adb_host: Option<String>,
    /// `ANDROID_ADB_SERVER_PORT`.
    pub adb_port: Option<String>,
    /// `ANDROID_SERIAL`.
    pub serial: Option<String>,
    /// `ANDROID_HOME`, else `ANDROID_SDK_ROOT`: the folder of the Android SDK.
    pub android_home: Option<PathBuf>,
    /// `TAPWRIGHT_ADB`: the adb binary.
    pub adb: Option<PathBuf>,
    /// `TAPWRIGHT_ORT_LIB`: an ONNX Runtime library of the user's own.
    pub onnxruntime: Option<PathBuf>,
    /// `TAPWRIGHT_PACKAGE_INDEX`, else pip's `PIP_INDEX_URL`: where runtime libraries are fetched from.
    pub package_index: Option<String>,
    /// A folder of this user for what belongs to no workspace: `TAPWRIGHT_DATA`, else `tapwright` in `XDG_DATA_HOME`, else in
    /// `~/.local/share`.
    pub data: Option<PathBuf>,
    /// `TAPWRIGHT_LOG`: a filter for log messages.
    pub log: Option<String>,
    /// `TAPWRIGHT_LOCKS`, else a folder for temporary files: which process of this host uses which device.
    pub locks: Option<PathBuf>,
    /// `TAPWRIGHT_TOKEN`: what a daemon that asks for tokens is shown.
    pub token: Option<Secret>,
    /// `TAPWRIGHT_CA`: certificates in PEM that are trusted beside the system's, for a daemon's own.
    pub authority: Option<PathBuf>,
    /// `TAPWRIGHT_DATABASE`: the daemon's database, a file or a URL.
    pub database: Option<Secret>,
    /// `TAPWRIGHT_DATABASE_URL`: the PostgreSQL database of the daemon.
    pub database_url: Option<Secret>,
    /// `TAPWRIGHT_LISTEN`: where the daemon listens.
    pub listen: Option<String>,
    /// `TAPWRIGHT_ARTIFACTS`: where the daemon brings recordings of ended runs.
    pub artifacts: Option<String>,
    /// `AWS_…`: how an S3-compatible store is reached, as Amazon's own tools read it.
    pub access_keys: AccessKeys,
    /// Where spans of runs and devices go; nowhere where it is absent.
    pub collector: Option<Collector>,
    /// `TAPWRIGHT_HOST`: this host's name among those that share a database.
    pub host: Option<String>,
    /// `TAPWRIGHT_KEY`: the key of the daemon's sealed values.
    pub key: Option<PathBuf>,
    /// `NOTIFY_SOCKET`: where a service manager hears what state the daemon is in.
    pub notify_socket: Option<PathBuf>,
    /// `WATCHDOG_USEC`: it ends a process of which it hears nothing for so long, in microseconds.
    pub watchdog_microseconds: Option<u64>,
    /// `WATCHDOG_PID`: the process that is meant.
    pub watchdog_pid: Option<u32>,
    /// `TAPWRIGHT_WEBHOOK_SECRET`: what the webhook of a schedule that is made is signed with.
    pub webhook_secret: Option<Secret>,
    /// GitHub Actions, where it runs there.
    pub github: Option<Github>,
    /// `PATH`, where adb is looked for.
    pub path: Vec<PathBuf>,
    /// This program itself, where the system tells; the models delivered with it are found from there.
    pub program: Option<PathBuf>,
}

/// Where spans go, as OpenTelemetry's own variables say it.
#[derive(Debug, Clone)]
pub struct Collector {
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector; `/v1/traces` is added.
    pub endpoint: String,
    /// `OTEL_SERVICE_NAME`: what this process is called there; `tapwright` unless given.
    pub service: Option<String>,
}

/// What GitHub Actions tells a step.
#[derive(Debug, Clone, Default)]
pub struct Github {
    /// `GITHUB_STEP_SUMMARY`: the page of the step, to be added to.
    pub summary: Option<PathBuf>,
    /// `GITHUB_WORKSPACE`: where the repository is checked out.
    pub folder: Option<PathBuf>,
}

impl Environment {
    /// Reads the process's environment.
    pub fn read() -> Self {
        let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            adb_socket: text("ADB_SERVER_SOCKET"),
            adb_host: text("ANDROID_ADB_SERVER_ADDRESS"),
            adb_port: text("ANDROID_ADB_SERVER_PORT"),
            serial: text("ANDROID_SERIAL"),
            android_home: text("ANDROID_HOME").or_else(|| text("ANDROID_SDK_ROOT")).map(PathBuf::from),
            adb: text("TAPWRIGHT_ADB").map(PathBuf::from),
            onnxruntime: text("TAPWRIGHT_ORT_LIB").map(PathBuf::from),
            package_index: text("TAPWRIGHT_PACKAGE_INDEX").or_else(|| text("PIP_INDEX_URL")),
            data: text("TAPWRIGHT_DATA").map(PathBuf::from).or_else(|| {
                let home = || Some(PathBuf::from(text("HOME")?).join(".local/share"));
                Some(text("XDG_DATA_HOME").map(PathBuf::from).or_else(home)?.join("tapwright"))
            }),
            log: text("TAPWRIGHT_LOG"),
            locks: Some(text("TAPWRIGHT_LOCKS").map_or_else(|| env::temp_dir().join("tapwright-locks"), PathBuf::from)),
            token: text("TAPWRIGHT_TOKEN").map(Secret::new),
            authority: text("TAPWRIGHT_CA").map(PathBuf::from),
            database: text("TAPWRIGHT_DATABASE").map(Secret::new),
            artifacts: text("TAPWRIGHT_ARTIFACTS"),
            access_keys: AccessKeys(
                env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                    .filter(|(name, value)| name.starts_with("AWS_") && !value.is_empty())
                    .map(|(name, value)| (name, Secret::new(value)))
                    .collect(),
            ),
            collector: text("OTEL_EXPORTER_OTLP_ENDPOINT")
                .map(|endpoint| Collector { endpoint, service: text("OTEL_SERVICE_NAME") }),
            listen: text("TAPWRIGHT_LISTEN"),
            host: text("TAPWRIGHT_HOST"),
            key: text("TAPWRIGHT_KEY").map(PathBuf::from),
            notify_socket: text("NOTIFY_SOCKET").map(PathBuf::from),
            watchdog_microseconds: text("WATCHDOG_USEC").and_then(|time| time.parse().ok()),
            watchdog_pid: text("WATCHDOG_PID").and_then(|id| id.parse().ok()),
            database_url: text("TAPWRIGHT_DATABASE_URL").map(Secret::new),
            webhook_secret: text("TAPWRIGHT_WEBHOOK_SECRET").map(Secret::new),
            github: text("GITHUB_ACTIONS").map(|_| Github {
                summary: text("GITHUB_STEP_SUMMARY").map(PathBuf::from),
                folder: text("GITHUB_WORKSPACE").map(PathBuf::from),
            }),
            path: env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default(),
            program: env::current_exe().ok(),
        }
    }

    /// The first executable of that name on the path.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        self.path.iter().map(|folder| folder.join(program)).find(|file| file.is_file())
    }
}
