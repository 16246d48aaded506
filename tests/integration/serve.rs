//! The daemon as a process of its own: real HTTP, real database, real device, real model.

use crate::bench::{Bench, interrupt, send_signal};
use crate::harness::PATIENCE;
use serde_json::{Value, json};
use std::time::Duration;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::time::timeout;

struct Daemon {
    child: Child,
    url: String,
    /// Kept open: a daemon whose stderr is closed would be another test.
    log: tokio::io::Lines<BufReader<tokio::process::ChildStderr>>,
}

impl Daemon {
    async fn start(bench: &Bench) -> Self {
        Self::start_at(bench, "127.0.0.1:0").await
    }

    async fn start_at(bench: &Bench, address: &str) -> Self {
        let database = bench.path("runs.db");
        let arguments = ["serve", "--listen", address, "--database", database.to_str().unwrap()];
        let mut child = bench.spawn(&arguments);
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let url = timeout(PATIENCE, async {
            loop {
                let line = log.next_line().await.unwrap().unwrap_or_else(|| panic!("it ended early: {said}"));
                said.push_str(&line);
                if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                    return url.trim_end_matches('/').to_owned();
                }
            }
        })
        .await
        .unwrap();
        Self { child, url, log }
    }

    /// Ctrl-C; it must end in order.
    async fn stop(mut self) {
        interrupt(&self.child).await;
        let mut said = String::new();
        timeout(PATIENCE, async {
            while let Some(line) = self.log.next_line().await.unwrap() {
                said.push_str(&line);
            }
        })
        .await
        .unwrap();
        let status = timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap();
        assert_eq!(status.code(), Some(0), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_daemon_takes_runs_over_http_and_ends_in_order() {
    let mut bench = Bench::new().await;
    let daemon = Daemon::start(&bench).await;
    // It follows the devices: this one comes after its start.
    let serial = bench.device(VirtualDeviceConfig::default()).await;

    let said = bench.tapwright(&["run", "PAY-0008", "--daemon", &daemon.url, "--json"]).await;
    said.succeeded();
    assert_eq!(
        (&said.result()["verdict"], &said.result()["device"]["serial"]),
        (&"passed".into(), &serial.as_str().into())
    );
    let failing = bench.tapwright(&["run", "PAY-0006", "--daemon", &daemon.url]).await;
    failing.failed(1, &["PAY-0006: failed", "Your refund has been paid out"]);
    bench.tapwright(&["run", "PAY-0088", "--daemon", &daemon.url]).await.failed(2, &["PAY-0088", "PAY-0008"]);

    let http = crate::harness::http();
    let post = http.post(format!("{}/api/v1/runs", daemon.url)).json(&json!({"case_id": "PAY-0003"}));
    let answer = timeout(PATIENCE, post.send()).await.unwrap().unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    let ticket: Value = answer.json().await.unwrap();
    let run = format!("{}/api/v1/runs/{}", daemon.url, ticket["run_id"].as_str().unwrap());
    let mut stream = http.get(format!("{run}/events")).send().await.unwrap();
    let mut text = String::new();
    timeout(PATIENCE, async {
        while let Some(chunk) = stream.chunk().await.unwrap() {
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    })
    .await
    .unwrap();
    for part in ["run_started", "step_started", "acted", "run_finished", "event: end"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let view: Value = http.get(&run).send().await.unwrap().json().await.unwrap();
    assert_eq!((&view["state"], &view["verdict"]), (&"finished".into(), &"passed".into()), "{view}");

    let url = daemon.url.clone();
    daemon.stop().await;
    assert!(bench.path("runs.db").is_file());
    let said = bench.tapwright(&["run", "PAY-0008", "--daemon", &url]).await;
    said.failed(3, &["no daemon answers", "tapwright serve"]);

    // The next daemon still knows the run.
    let daemon = Daemon::start(&bench).await;
    let again = format!("{}/api/v1/runs/{}", daemon.url, ticket["run_id"].as_str().unwrap());
    let view: Value = http.get(&again).send().await.unwrap().json().await.unwrap();
    assert_eq!(view["verdict"], "passed", "{view}");
    let second = bench.tapwright(&["serve", "--listen", "0.0.0.0:0", "--database", "other.db"]).await;
    second.failed(2, &["can be reached from other machines", "--tokens", "127.0.0.1"]);
    let database = bench.path("runs.db");
    let busy = bench.tapwright(&["serve", "--listen", "127.0.0.1:0", "--database", database.to_str().unwrap()]).await;
    busy.failed(3, &["in use by another daemon"]);
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_follows_a_run_follows_it_over_a_restart_of_the_daemon() {
    let mut bench = Bench::new().await;
    bench.device(VirtualDeviceConfig::default()).await;
    let mut daemon = Daemon::start(&bench).await;
    let (url, address) = (daemon.url.clone(), daemon.url.strip_prefix("http://").unwrap().to_owned());
    let mut child = bench.spawn(&["run", "PAY-0008", "--daemon", &url]);
    let mut events = BufReader::new(child.stderr.take().unwrap()).lines();
    // It tells steps as they begin: the run is under way, and followed.
    let told = timeout(PATIENCE, async {
        while let Some(line) = events.next_line().await.unwrap() {
            if line.contains("Open Bills") {
                return;
            }
        }
        panic!("it ended early");
    });
    told.await.unwrap();
    daemon.child.kill().await.unwrap();
    let daemon = Daemon::start_at(&bench, &address).await;
    let mut rest = String::new();
    while let Some(line) = timeout(PATIENCE, events.next_line()).await.unwrap().unwrap() {
        rest.push_str(&line);
    }
    let ended = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
    assert_eq!(ended.code(), Some(0), "{rest}");
    assert!(rest.contains("Open Bills"), "the run began anew: {rest}");
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_never_be_run_is_refused_when_it_is_handed_in() {
    let bench = Bench::new().await;
    bench.add_case("NO-APK", "steps:\n  - Open Bills\nexpect:\n  - visible: Bills\n");
    bench.change("cases/NO-APK.case.yaml", "pay.app.yaml", "lost.app.yaml");
    let daemon = Daemon::start(&bench).await;
    let http = crate::harness::http();
    for (body, code, says) in [
        (json!({"case_id": "NO-APK"}), "case_refused", "lost.app.yaml is missing: build it"),
        (json!({"case_id": "PAY-0008", "params": {"bank": "x"}}), "case_refused", "has no parameter \"bank\""),
        (
            json!({"case_id": "PAY-0008", "device": "emulator-5554"}),
            "unknown_device",
            "emulator-5554 was ever connected",
        ),
    ] {
        let answer = timeout(PATIENCE, http.post(format!("{}/api/v1/runs", daemon.url)).json(&body).send());
        let answer = answer.await.unwrap().unwrap();
        assert_eq!(answer.status(), 422, "{body}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["code"], code, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(says), "{problem}");
    }
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_case_is_replayed_where_it_has_a_script_and_the_agent_does_it_where_that_diverges() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let recorded = bench.run("PAY-0008", &serial).await;
    assert!(recorded.script.is_some(), "{}", recorded.reason);
    let daemon = Daemon::start(&bench).await;
    let by_script = bench.tapwright(&["run", "PAY-0008", "--daemon", &daemon.url, "--json"]).await;
    by_script.succeeded();
    assert_eq!(by_script.result()["counts"]["model_calls"], 0, "{}", by_script.stdout);

    // A row in front of it, and its id is another: the script is lost, the agent is not.
    bench.change_app("{id: bills, title: Bills,", "{id: statements, title: Bills and more,");
    let by_agent = bench.tapwright(&["run", "PAY-0008", "--daemon", &daemon.url, "--json"]).await;
    by_agent.succeeded();
    assert_ne!(by_agent.result()["counts"]["model_calls"], 0, "{}", by_agent.stdout);
    daemon.stop().await;

    let settings = std::fs::read_to_string(bench.path("tapwright.toml")).unwrap();
    std::fs::write(bench.path("tapwright.toml"), format!("{settings}[daemon]\nscripts = 'only'\n")).unwrap();
    let daemon = Daemon::start(&bench).await;
    let only = bench.tapwright(&["run", "PAY-0008", "--daemon", &daemon.url, "--json"]).await;
    assert_eq!(only.result()["verdict"], "blocked", "{}", only.stdout);
    let none = bench.tapwright(&["run", "PAY-0003", "--daemon", &daemon.url]).await;
    none.failed(3, &["only scripts are replayed here", "it has no script"]);
    daemon.stop().await;
}

/// How the process ended, which it must within so many seconds.
async fn end_within(mut daemon: Daemon, seconds: u64) -> Option<i32> {
    let ended = timeout(Duration::from_secs(seconds), daemon.child.wait()).await;
    ended.unwrap_or_else(|_| panic!("it was not gone after {seconds} s")).unwrap().code()
}

/// Its open event stream has begun: the run is under way.
async fn run_under_way(daemon: &Daemon, case_id: &str) -> String {
    let http = crate::harness::http();
    let post = http.post(format!("{}/api/v1/runs", daemon.url)).json(&json!({"case_id": case_id}));
    let ticket: Value = post.send().await.unwrap().json().await.unwrap();
    let run_id = ticket["run_id"].as_str().unwrap().to_owned();
    let mut stream = http.get(format!("{}/api/v1/runs/{run_id}/events", daemon.url)).send().await.unwrap();
    let mut text = String::new();
    timeout(PATIENCE, async {
        while !text.contains("run_started") {
            text.push_str(std::str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap());
        }
    })
    .await
    .unwrap();
    run_id
}

async fn view(daemon: &Daemon, run_id: &str) -> Value {
    let http = crate::harness::http();
    http.get(format!("{}/api/v1/runs/{run_id}", daemon.url)).send().await.unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sigterm_lets_a_run_end_and_a_second_one_does_not_wait_for_it() {
    let mut bench = Bench::new().await;
    bench.device(VirtualDeviceConfig::default()).await;

    let daemon = Daemon::start(&bench).await;
    let drained = run_under_way(&daemon, "PAY-0008").await;
    send_signal(&daemon.child, "-TERM").await;
    assert_eq!(end_within(daemon, 30).await, Some(0), "SIGTERM is an end in order");

    let mut daemon = Daemon::start(&bench).await;
    assert_eq!(view(&daemon, &drained).await["verdict"], "passed", "it had its time to end");
    let cut = run_under_way(&daemon, "PAY-0008").await;
    send_signal(&daemon.child, "-TERM").await;
    // Two signals at the same moment are one.
    let said = timeout(PATIENCE, async {
        loop {
            let line = daemon.log.next_line().await.unwrap().expect("it ended early");
            if line.contains("stopping") {
                return line;
            }
        }
    });
    assert!(said.await.unwrap().contains("30 s"));
    send_signal(&daemon.child, "-TERM").await;
    assert_eq!(end_within(daemon, 2).await, Some(130), "the second is an end at once");

    // Nothing is lost: it is made again.
    let daemon = Daemon::start(&bench).await;
    let again = view(&daemon, &cut).await;
    assert!(again["verdict"].is_null() || again["attempts"] == 2, "{again}");
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_manager_hears_that_it_is_ready_lives_and_stops_and_settings_come_from_the_environment() {
    let bench = Bench::new().await;
    let path = bench.path("notify");
    let socket = tokio::net::UnixDatagram::bind(&path).unwrap();
    let settings = std::fs::read_to_string(bench.path("tapwright.toml")).unwrap();
    std::fs::write(
        bench.path("tapwright.toml"),
        format!("{settings}[daemon]\nlisten = '127.0.0.1:1'\nhost = 'file'\n"),
    )
    .unwrap();
    let variables = [("TAPWRIGHT_LISTEN", "127.0.0.1:0"), ("WATCHDOG_USEC", "100000"), ("TAPWRIGHT_HOST", "lab")];
    let mut command = bench.command(&["serve"]);
    command.envs(variables).env("TAPWRIGHT_DATABASE", bench.path("own.db")).env("NOTIFY_SOCKET", &path);
    let mut child = command.spawn().unwrap();
    let mut heard = Vec::new();
    let lives = async {
        while heard.len() < 4 {
            let mut bytes = [0; 512];
            let length = socket.recv(&mut bytes).await.unwrap();
            heard.push(String::from_utf8(bytes[..length].to_vec()).unwrap());
        }
    };
    timeout(PATIENCE, lives).await.unwrap();
    assert!(heard[0].starts_with("READY=1\nSTATUS=answers on http://127.0.0.1:"), "{heard:?}");
    assert!(heard[1..].iter().all(|state| state == "WATCHDOG=1"), "{heard:?}");
    let url = heard[0].split_whitespace().find(|word| word.starts_with("http://")).unwrap().trim_end_matches('/');
    assert!(crate::harness::http().get(format!("{url}/readyz")).send().await.unwrap().status().is_success());
    assert!(bench.path("own.db").is_file());
    send_signal(&child, "-TERM").await;
    let stops = async {
        loop {
            let mut bytes = [0; 512];
            let length = socket.recv(&mut bytes).await.unwrap();
            if bytes[..length] == *b"STOPPING=1" {
                return;
            }
        }
    };
    timeout(PATIENCE, stops).await.unwrap();
    assert_eq!(timeout(PATIENCE, child.wait()).await.unwrap().unwrap().code(), Some(0));

    let mut shown = bench.command(&["config", "show", "--json", "--database", "postgres://ann:hunter2@db/farm"]);
    let shown = shown.envs(variables).output().await.unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    let settings: Vec<Value> = serde_json::from_str(&text).unwrap();
    let of = |key: &str| {
        let found = settings.iter().find(|setting| setting["key"] == key);
        let found = found.unwrap_or_else(|| panic!("{key} is not in {text}"));
        (found["value"].clone(), found["from"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("daemon.listen"), ("127.0.0.1:0".into(), "TAPWRIGHT_LISTEN".into()));
    assert_eq!(of("daemon.host"), ("lab".into(), "TAPWRIGHT_HOST".into()));
    assert_eq!(of("daemon.database"), ("a PostgreSQL database".into(), "--database".into()));
    assert_eq!(of("folders.cases"), (json!(["cases"]), "tapwright.toml".into()));
    assert_eq!(of("model.threads"), (2.into(), "default".into()));
    assert!(!text.contains("hunter2"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_does_not_fit_any_more_is_repaired_and_the_new_version_waits_to_be_judged() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let recorded = bench.run("PAY-0008", &serial).await;
    let script = bench.path(recorded.script.as_deref().unwrap());
    let before = std::fs::read_to_string(&script).unwrap();
    bench.change_app("{id: bills, title: Bills,", "{id: statements, title: Bills and more,");
    let settings = std::fs::read_to_string(bench.path("tapwright.toml")).unwrap();
    std::fs::write(bench.path("tapwright.toml"), format!("{settings}[daemon]\nrepair = 'propose'\n")).unwrap();
    let daemon = Daemon::start(&bench).await;
    let run = bench.tapwright(&["run", "PAY-0008", "--daemon", &daemon.url, "--json"]).await;
    run.succeeded();
    let result = run.result();
    assert_eq!((&result["verdict"], &result["repaired"]), (&"passed".into(), &true.into()), "{result:#}");
    let proposals = crate::harness::http().get(format!("{}/api/v1/proposals", daemon.url)).send().await.unwrap();
    let proposals: Value = proposals.json().await.unwrap();
    assert_eq!(proposals[0]["case_id"], "PAY-0008", "{proposals}");
    assert_eq!(std::fs::read_to_string(&script).unwrap(), before, "nothing replaces a script unseen");
    daemon.stop().await;
}
