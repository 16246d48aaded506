//! Devices, adb server and workspace of the bench.

use super::Outcome;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// A workspace with devices; all of it goes with this.
pub(super) struct Fleet {
    tapwright: PathBuf,
    adb: PathBuf,
    port: u16,
    folder: TempDir,
    serials: Vec<String>,
    _server: Child,
    _devices: Child,
}

impl Fleet {
    pub(super) async fn start(tapwright: &Path, devices: usize) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        let models = std::env::var_os("TAPWRIGHT_MODELS").map_or_else(|| repository.join("models"), PathBuf::from);
        let adb = std::env::var_os("TAPWRIGHT_ADB").map_or_else(|| PathBuf::from("adb"), PathBuf::from);
        let suite = repository.join("tests/suites/first_light");
        for part in ["apps", "cases"] {
            std::fs::create_dir(folder.path().join(part))?;
            for entry in std::fs::read_dir(suite.join(part))? {
                let file = entry?.path();
                let name = file.file_name().ok_or("a file without a name")?;
                std::fs::copy(&file, folder.path().join(part).join(name))?;
            }
        }
        let settings = format!(
            "[folders]\ncases = ['cases']\nskills = '{0}/skills'\ndevice_profiles = '{0}/device-profiles'\nmodels = '{1}'\n",
            repository.display(),
            models.display()
        );
        std::fs::write(folder.path().join("tapwright.toml"), settings)?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut server = Command::new(&adb);
        server.args(["-L", &format!("tcp:localhost:{port}"), "nodaemon", "server"]).env("HOME", folder.path());
        let server =
            server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn()?;
        let begun = Instant::now();
        loop {
            let mut asked = Command::new(&adb);
            asked.args(["-P", &port.to_string(), "devices"]).env("HOME", folder.path());
            if asked.output().await?.status.success() {
                break;
            }
            if begun.elapsed() > Duration::from_secs(60) {
                return Err(format!("{} did not start as a server", adb.display()).into());
            }
        }
        let mut emulate = environment(Command::new(tapwright), &adb, port, folder.path());
        emulate.args(["emulate", "--app", "apps/pay.app.yaml", "--connect", "--count", &devices.to_string()]);
        let mut emulate = emulate.stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true).spawn()?;
        let mut lines = BufReader::new(emulate.stdout.take().ok_or("no stdout")?).lines();
        let mut serials = Vec::new();
        while serials.len() < devices {
            serials.push(lines.next_line().await?.ok_or("`emulate` ended early")?.trim().to_owned());
        }
        Ok(Self { tapwright: tapwright.to_owned(), adb, port, folder, serials, _server: server, _devices: emulate })
    }

    pub(super) fn size(&self) -> usize {
        self.serials.len()
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// `tapwright ARGS…` in the workspace.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = environment(Command::new(&self.tapwright), &self.adb, self.port, self.folder.path());
        command.args(arguments);
        command
    }

    /// Runs the case once with the agent, which leaves its script.
    pub(super) async fn record(&self, case_id: &str) -> Outcome<()> {
        let serial = self.serials.first().ok_or("no device")?;
        let ended = self.command(&["run", case_id, "--device", serial]).output().await?;
        if !ended.status.success() {
            return Err(format!("{case_id} could not be recorded: {}", String::from_utf8_lossy(&ended.stderr)).into());
        }
        Ok(())
    }

    /// How often the app was started on all devices, as their own logs tell.
    pub(super) async fn starts(&self, package: &str) -> Outcome<usize> {
        let mut starts = 0;
        for serial in &self.serials {
            let mut adb = Command::new(&self.adb);
            adb.args([
                "-P",
                &self.port.to_string(),
                "-s",
                serial,
                "logcat",
                "-d",
                "-b",
                "events",
                "-s",
                "am_proc_start",
            ]);
            let said = adb.env("HOME", self.folder.path()).output().await?;
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            starts += said.lines().filter(|line| line.contains(package)).count();
        }
        Ok(starts)
    }

    /// Recordings that attempts of these runs left, finished or cut off.
    pub(super) fn recordings(&self, case_id: &str, runs: &[String]) -> Outcome<usize> {
        let mut found = 0;
        for entry in std::fs::read_dir(self.folder.path().join("runs").join(case_id))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let run = name.split('.').next().unwrap_or_default();
            found += usize::from(runs.iter().any(|own| own == run));
        }
        Ok(found)
    }
}

fn environment(mut command: Command, adb: &Path, port: u16, folder: &Path) -> Command {
    command.current_dir(folder).env("HOME", folder).env("TAPWRIGHT_ADB", adb);
    command.env("ANDROID_ADB_SERVER_PORT", port.to_string()).env("TAPWRIGHT_LOCKS", folder.join("locks"));
    for name in ["ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_SERIAL", "TAPWRIGHT_LOG"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}
