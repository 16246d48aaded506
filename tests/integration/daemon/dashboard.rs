//! The farm's pages in a real browser: what they show, and that nothing of theirs breaks their own policy.

use super::fake_launcher::Behaviour::{FailsUntil, Steps};
use super::nights::{ask, daemon, ended};
use super::test_daemon::within;
use reqwest::Method;
use serde_json::json;
use tokio::process::Command;

/// The page as the browser has it once its requests are answered.
async fn page(url: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let mut browser = Command::new("chromium");
    browser.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--virtual-time-budget=8000",
    ]);
    browser.arg(format!("--user-data-dir={}", profile.path().display())).args([
        "--window-size=400,900",
        "--dump-dom",
        url,
    ]);
    let output = tokio::time::timeout(std::time::Duration::from_secs(120), browser.kill_on_drop(true).output()).await;
    let output = output.expect("the browser hangs").expect("chromium starts: install the package chromium");
    let said = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> =
        said.lines().filter(|line| line.contains("CONSOLE") && !line.contains("favicon")).collect();
    assert!(complaints.is_empty(), "{url}: {complaints:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nights_cases_schedules_proposals_and_queue_are_shown_in_a_browser() {
    let cases = [("A", Steps(1)), ("B", FailsUntil(9)), ("C", Steps(1))];
    let daemon = daemon(&["p1", "t1"], &cases, vec![]).await;
    daemon.launcher.let_end("A", 2);
    let spec = json!({"name": "nightly <b>", "tags": ["smoke"], "profiles": ["phone", "tablet"], "commit": "3f9c1e2"});
    let (_, batch) = ask(&daemon, Method::POST, "batches", Some(spec)).await;
    ended(&daemon, batch["batch_id"].as_str().unwrap()).await;
    let schedule = json!({"name": "weekly", "cron": "0 2 * * sun", "zone": "Europe/Berlin", "spec": {"cases": ["A"]}});
    ask(&daemon, Method::POST, "schedules", Some(schedule)).await;
    // One that waits for ever: the case never ends on the only tablet.
    let spec = json!({"cases": ["C"], "profiles": ["tablet"], "concurrency": 1});
    ask(&daemon, Method::POST, "batches", Some(spec.clone())).await;
    within(daemon.launcher.wait_until_active(vec!["C@t1"])).await;
    ask(&daemon, Method::POST, "batches", Some(spec)).await;

    let check = async |hash: &str, expected: &[&str]| {
        let shown = page(&format!("{}/farm#{hash}", daemon.url)).await;
        for text in expected {
            assert!(shown.contains(text), "{hash} does not show {text:?}: {shown}");
        }
    };
    let night = format!("night={}", batch["batch_id"].as_str().unwrap());
    check(&night, &["nightly &lt;b&gt; @ 3f9c1e2", "20 points", "B on tablet: failed", "t-passed", "Case A"]).await;
    check(&night, &["night-devices", "2 runs · no trouble", "0 devices in trouble"]).await;
    check("case=B", &["Run B", "chip failed", "the case's own (secret)"]).await;
    check("schedules", &["0 2 * * sun (Europe/Berlin)", "Next five times"]).await;
    check("devices", &["t1", "leased", "its run", "Pixel 8", "ready"]).await;
    check("device=t1", &["State log", "connected", "Latest runs", "Quarantine", "#case=C"]).await;
    let (_, view) = ask(&daemon, Method::GET, &format!("batches/{}", batch["batch_id"].as_str().unwrap()), None).await;
    let failed = view["causes"][0]["runs"][0].as_str().unwrap();
    let review = json!({"decision": "defect", "link": "https://bugs.example/7", "comment": "<i>total</i>"});
    assert_eq!(ask(&daemon, Method::POST, &format!("runs/{failed}/review"), Some(review)).await.0, 200);
    check(&night, &["bugs.example/7", "Reviewed 1 of 2", "&lt;i&gt;total&lt;/i&gt;", "Approve all 2"]).await;
    check("proposals", &["+ tap Pay", "Accept"]).await;
    check("queue", &["all 1 devices for it are in use"]).await;
    daemon.launcher.let_end("C", 2);
    daemon.stop().await;
}
