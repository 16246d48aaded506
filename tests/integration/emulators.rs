//! Emulators that the daemon keeps running. Google's emulator is not to be had here: a program stands in for it that takes the same
//! arguments and becomes a virtual device on the same ports.

use crate::bench::{Bench, interrupt, repository};
use crate::harness::PATIENCE;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr};
use tokio::time::timeout;

/// Beyond the ports that adb servers search: nobody else on this machine sees it.
const PORT: u16 = 5640;
/// An emulator's start, death and start again take their time beside other tests.
const LONG: std::time::Duration = PATIENCE.saturating_mul(4);
const SERIAL: &str = "emulator-5640";
/// As a virtual device on these ports calls itself.
const AVD: &str = "Tapwright_5641_API_34";

/// A folder that looks like an SDK, and the file in which the stand-in writes the process id and arguments of each start.
fn sdk(bench: &Bench) -> (PathBuf, PathBuf) {
    let (home, starts) = (bench.path("sdk"), bench.path("starts"));
    let emulator = home.join("emulator/emulator");
    std::fs::create_dir_all(emulator.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\n\
         if [ \"$1\" = -list-avds ]; then echo {AVD}; echo other; exit 0; fi\n\
         echo \"$$ $*\" >> '{starts}'\n\
         while [ $# -gt 0 ]; do if [ \"$1\" = -port ]; then port=$2; fi; shift; done\n\
         exec '{program}' emulate --app '{app}' --as-emulator --port \"$port\"\n",
        starts = starts.display(),
        program = env!("CARGO_BIN_EXE_tapwright"),
        app = bench.path("apps/pay.app.yaml").display(),
    );
    std::fs::write(&emulator, script).unwrap();
    std::fs::set_permissions(&emulator, std::fs::Permissions::from_mode(0o755)).unwrap();
    (home, starts)
}

/// Ends every stand-in that was started, also where the test fails: a daemon that is killed leaves its emulators.
struct Ending<'a>(&'a Path);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        for start in std::fs::read_to_string(self.0).unwrap_or_default().lines() {
            let process = start.split_whitespace().next().unwrap_or_default();
            let _ended = std::process::Command::new("kill").args(["-9", process]).output();
        }
    }
}

/// Waits until a process is gone, or ended and not yet collected by whoever is its parent now.
async fn gone(process: &str) {
    loop {
        let told = tokio::process::Command::new("ps").args(["-o", "stat=", "-p", process]).output().await.unwrap();
        let state = String::from_utf8_lossy(&told.stdout).trim().to_owned();
        if state.is_empty() || state.starts_with('Z') {
            return;
        }
    }
}

/// A daemon and what it says.
struct Served {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
    url: String,
}

impl Served {
    async fn start(bench: &Bench, home: &Path) -> Self {
        let mut command = bench.command(&["serve", "-v", "--listen", "127.0.0.1:0"]);
        let mut child = command.env("ANDROID_HOME", home).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = said(&mut lines, "tapwright daemon: ").await;
        let url = url.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        Self { url: url.trim_end_matches('/').to_owned(), child, lines }
    }

    /// Waits until the daemon says something that holds this text.
    async fn says(&mut self, text: &str) -> String {
        said(&mut self.lines, text).await
    }

    async fn get(&self, path: &str) -> Value {
        crate::harness::http().get(format!("{}{path}", self.url)).send().await.unwrap().json().await.unwrap()
    }

    /// Hands a run of a case in and waits for its end.
    async fn runs(&self, case: &str) -> Value {
        let post = crate::harness::http().post(format!("{}/api/v1/runs", self.url)).json(&json!({"case_id": case}));
        let ticket: Value = post.send().await.unwrap().json().await.unwrap();
        let run = format!("/api/v1/runs/{}", ticket["run_id"].as_str().unwrap_or_else(|| panic!("{ticket}")));
        let events = crate::harness::http().get(format!("{}{run}/events", self.url)).send().await.unwrap();
        // The stream ends with the run.
        timeout(LONG, events.text()).await.expect("the run does not end").unwrap();
        self.get(&run).await
    }
}

/// Asks the emulator's `settings`.
async fn settings(bench: &Bench, arguments: &[&str]) -> String {
    let command = [&["-s", SERIAL, "shell", "settings"][..], arguments].concat();
    let told = bench.server().adb(&command).await;
    String::from_utf8(told.stdout).unwrap().trim().to_owned()
}

async fn said(lines: &mut Lines<BufReader<ChildStderr>>, text: &str) -> String {
    let mut all = String::new();
    let found = async {
        loop {
            let line = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("it ended early: {all}"));
            if line.contains(text) {
                return line;
            }
            all.push_str(&line);
            all.push('\n');
        }
    };
    let found = timeout(LONG, found).await;
    found.unwrap_or_else(|_| panic!("{text:?} was not said"))
}

fn configure(bench: &Bench, emulators: &str) {
    let file = bench.path("tapwright.toml");
    let settings = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, format!("{settings}\n[devices]\nallow = ['nobody']\n{emulators}")).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emulator_is_started_put_back_before_each_run_started_again_and_ended() {
    let bench = Bench::new().await;
    let (home, starts) = sdk(&bench);
    let _ending = Ending(&starts);
    let own = bench.path("scripts/PAY-0008");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::copy(repository("scripts/PAY-0008/virtual-phone.toml"), own.join("virtual-phone.toml")).unwrap();
    configure(
        &bench,
        &format!("[[emulators]]\navd = '{AVD}'\nport = {PORT}\nsnapshot = 'clean'\narguments = ['-gpu', 'off']\n"),
    );
    let mut daemon = Served::start(&bench, &home).await;
    daemon.says("an emulator is ready").await;
    let devices = daemon.get("/api/v1/devices").await;
    assert_eq!((&devices[0]["serial"], &devices[0]["barred"]), (&json!(SERIAL), &Value::Null), "{devices}");
    for _ in 0..2 {
        let view = daemon.runs("PAY-0008").await;
        assert_eq!((&view["verdict"], &view["device"]), (&json!("passed"), &json!(SERIAL)), "{view}");
        daemon.says("an emulator was put back to its snapshot").await;
        // The snapshot may not have what the profile wants: it is set again behind it.
        let setting = ["global", "stay_on_while_plugged_in"];
        assert_eq!(settings(&bench, &[&["get"][..], &setting].concat()).await, "7");
        settings(&bench, &[&["put"][..], &setting, &["0"]].concat()).await;
    }
    let first = std::fs::read_to_string(&starts).unwrap();
    assert_eq!(first.lines().count(), 1, "{first}");
    assert!(
        first.contains("-avd Tapwright_5641_API_34 -port 5640 -no-window")
            && first.contains("-snapshot clean -gpu off"),
        "{first}"
    );

    // It dies, and comes back.
    let process = first.split_whitespace().next().unwrap();
    assert!(std::process::Command::new("kill").args(["-9", process]).status().unwrap().success());
    let told = daemon.says("an emulator is down and will be started again").await;
    assert!(told.contains("signal: 9"), "{told}");
    daemon.says("an emulator is ready").await;
    assert_eq!(daemon.runs("PAY-0008").await["verdict"], "passed");
    let second = std::fs::read_to_string(&starts).unwrap();
    assert_eq!(second.lines().count(), 2, "{second}");

    // A daemon that is killed leaves it; the next one ends it and starts its own.
    daemon.child.kill().await.unwrap();
    let mut daemon = Served::start(&bench, &home).await;
    daemon.says("an emulator is ready").await;
    assert_eq!(daemon.runs("PAY-0008").await["device"], SERIAL);
    let second = std::fs::read_to_string(&starts).unwrap();
    assert_eq!(second.lines().count(), 3, "{second}");

    // It ends with the daemon.
    interrupt(&daemon.child).await;
    timeout(LONG, daemon.child.wait()).await.expect("the daemon does not end").unwrap();
    let process = second.lines().last().unwrap().split_whitespace().next().unwrap();
    timeout(LONG, gone(process)).await.unwrap_or_else(|_| panic!("the emulator {process} goes on without its daemon"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_that_start_no_emulator_are_refused_at_the_start() {
    let bench = Bench::new().await;
    let (home, starts) = sdk(&bench);
    let settings = std::fs::read_to_string(bench.path("tapwright.toml")).unwrap();
    for (emulators, sdk, expected) in [
        (
            "avd = 'nobody'",
            Some(&home),
            "there is no virtual device \"nobody\"; there are: Tapwright_5641_API_34, other",
        ),
        ("avd = 'other'\nport = 5641", Some(&home), "port = 5641: use an even number"),
        ("avd = 'other'\nsnapshot = 'a b'", Some(&home), "snapshot = \"a b\": use letters"),
        ("avd = 'other'", Some(&starts), "install it with `sdkmanager emulator`"),
        ("avd = 'other'", None, "ANDROID_HOME is not set"),
        ("avd = 'other'\ninstances = 0", None, "instances"),
    ] {
        std::fs::write(bench.path("tapwright.toml"), format!("{settings}\n[[emulators]]\n{emulators}\n")).unwrap();
        let mut command = bench.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env_remove("ANDROID_HOME").env_remove("ANDROID_SDK_ROOT");
        if let Some(home) = sdk {
            command.env("ANDROID_HOME", home);
        }
        let said = timeout(PATIENCE, command.output()).await.expect("it did not end").unwrap();
        let told = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{emulators}: {told}");
        assert!(told.contains(expected), "{emulators}: {told}");
    }
    assert!(!starts.exists(), "nothing was started");
}
