//! What a run left, over HTTP: whole, in parts, and nothing beside it; and what supervisors and monitoring are told.

use super::fake_launcher::Behaviour::Steps;
use super::test_daemon::{TestDaemon, rows, within};
use reqwest::Response;
use serde_json::Value;
use std::path::PathBuf;
use tapwright::domain::RunId;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// A daemon whose only run left a recording, and the recording's folder.
async fn recorded() -> (TestDaemon, RunId, PathBuf) {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", 1);
    let run_id = daemon.submit("A").await;
    daemon.end_of(&run_id).await;
    let folder = daemon.folder.path().join("runs/A").join(run_id.as_str());
    std::fs::create_dir_all(folder.join("screens")).unwrap();
    std::fs::write(folder.join("events.jsonl"), "0123456789").unwrap();
    std::fs::write(folder.join("report.html"), "<h1>A</h1>").unwrap();
    std::fs::write(folder.join("screens/a b.png"), "png").unwrap();
    (daemon, run_id, folder)
}

async fn get(daemon: &TestDaemon, path: &str, range: Option<&str>) -> Response {
    let request = daemon.http.get(format!("{}{path}", daemon.url));
    let request = range.map(|range| request.try_clone().unwrap().header("range", range)).unwrap_or(request);
    within(request.send()).await.unwrap()
}

fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn the_files_of_a_run_are_listed_and_fetched_whole_or_in_parts() {
    let (daemon, run_id, folder) = recorded().await;
    let base = format!("/api/v1/runs/{run_id}/artifacts");
    let list: Value = get(&daemon, &base, None).await.json().await.unwrap();
    assert_eq!((&list["complete"], &list["attempts"]), (&true.into(), &Value::Array(vec![])), "{list}");
    let files = list["files"].as_array().unwrap();
    let told: Vec<_> =
        files.iter().map(|file| (file["path"].as_str().unwrap(), file["bytes"].as_u64().unwrap())).collect();
    assert_eq!(told, [("events.jsonl", 10), ("report.html", 10), ("screens/a b.png", 3)]);
    for file in files {
        let fetched = get(&daemon, file["url"].as_str().unwrap(), None).await;
        assert_eq!(fetched.status(), 200, "{file}");
        assert_eq!(fetched.bytes().await.unwrap().len() as u64, file["bytes"].as_u64().unwrap());
    }
    let events = format!("{base}/events.jsonl");
    for (range, status, text) in [
        (None, 200, "0123456789"),
        (Some("bytes=2-4"), 206, "234"),
        (Some("bytes=7-"), 206, "789"),
        (Some("bytes=-2"), 206, "89"),
        (Some("bytes=99-"), 416, ""),
    ] {
        let part = get(&daemon, &events, range).await;
        assert_eq!(part.status(), status, "{range:?}");
        if status == 206 {
            assert!(header(&part, "content-range").ends_with("/10"), "{range:?}");
        }
        assert_eq!(part.text().await.unwrap(), text, "{range:?}");
    }
    // A report from a run is a page of no origin: it cannot use this API.
    let report = get(&daemon, &format!("{base}/report.html"), None).await;
    assert!(header(&report, "content-security-policy").starts_with("sandbox allow-scripts; default-src 'none'"));
    assert_eq!((header(&report, "content-type"), header(&report, "x-content-type-options")), ("text/html", "nosniff"));

    std::fs::rename(&folder, folder.with_file_name(format!("{run_id}.attempt-1"))).unwrap();
    let list: Value = get(&daemon, &base, None).await.json().await.unwrap();
    assert_eq!((&list["attempts"][0], &list["files"]), (&1.into(), &Value::Array(vec![])), "{list}");
    let earlier: Value = get(&daemon, &format!("{base}?attempt=1"), None).await.json().await.unwrap();
    let url = earlier["files"][0]["url"].as_str().unwrap();
    assert_eq!(get(&daemon, url, None).await.text().await.unwrap(), "0123456789");
    daemon.stop().await;
}

/// Sends a path as it is, which an HTTP client would tidy first; gives the status.
async fn raw(daemon: &TestDaemon, path: &str) -> u16 {
    let address = daemon.url.strip_prefix("http://").unwrap();
    let mut socket = within(tokio::net::TcpStream::connect(address)).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut said = String::new();
    within(socket.read_to_string(&mut said)).await.unwrap();
    assert!(!said.contains("precious"), "{path}: {said}");
    said.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn no_path_leads_out_of_a_recording() {
    let (daemon, run_id, folder) = recorded().await;
    std::fs::write(daemon.folder.path().join("secret.txt"), "precious").unwrap();
    std::fs::write(folder.with_file_name("secret.txt"), "precious").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(daemon.folder.path().join("secret.txt"), folder.join("link.txt")).unwrap();
        std::os::unix::fs::symlink(daemon.folder.path(), folder.join("up")).unwrap();
    }
    let base = format!("/api/v1/runs/{run_id}/artifacts");
    for path in [
        "../../../secret.txt",
        "..%2F..%2F..%2Fsecret.txt",
        "%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "screens/../../secret.txt",
        "screens%2f..%2f..%2fsecret.txt",
        "/etc/hostname",
        "%2Fetc%2Fhostname",
        "link.txt",
        "up/secret.txt",
        "screens",
        "screens/",
        "events.jsonl%00",
        "..%5csecret.txt",
        "missing",
    ] {
        let status = raw(&daemon, &format!("{base}/{path}")).await;
        assert!(matches!(status, 400 | 404), "{path}: {status}");
    }
    for (path, status) in [
        (format!("{base}?attempt=0"), 400),
        (format!("{base}?attempts=1"), 400),
        ("/api/v1/runs/nope/artifacts".to_owned(), 404),
        ("/api/v1/runs/..%2F../artifacts/secret.txt".to_owned(), 404),
        (base, 200),
    ] {
        assert_eq!(raw(&daemon, &path).await, status, "{path}");
    }
    daemon.stop().await;
}

#[tokio::test]
async fn an_error_is_a_problem_with_its_place() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    let post = daemon.http.post(format!("{}/api/v1/runs", daemon.url)).header("content-type", "application/json");
    let answer = within(post.body(r#"{"case_id": "A", "params": {"pin": 1}}"#).send()).await.unwrap();
    assert_eq!((answer.status().as_u16(), header(&answer, "content-type")), (400, "application/problem+json"));
    let problem: Value = answer.json().await.unwrap();
    assert_eq!((&problem["status"], &problem["code"]), (&400.into(), &"malformed_request".into()), "{problem}");
    assert_eq!(problem["errors"][0]["pointer"], "/params/pin", "{problem}");
    assert_eq!(problem["detail"], problem["error"]["message"], "the form of before stays");
    daemon.stop().await;
}

#[tokio::test]
async fn supervisors_and_monitoring_are_told() {
    let (daemon, _, _) = recorded().await;
    assert_eq!(get(&daemon, "/healthz", None).await.text().await.unwrap(), "ok\n");
    assert_eq!(get(&daemon, "/readyz", None).await.status(), 200);
    let mut told = rows(&["d1", "d2"]);
    told[1].state = tapwright::adb::ConnectionState::Silent;
    daemon.devices.send_replace(told);
    let _waiting = daemon.submit("A").await;
    within(daemon.launcher.wait_until_busy(1)).await;
    let metrics = get(&daemon, "/metrics", None).await;
    assert!(header(&metrics, "content-type").starts_with("application/openmetrics-text"));
    let text = metrics.text().await.unwrap();
    for line in [
        "tapwright_runs_ended_total{verdict=\"passed\"} 1",
        "tapwright_attempts_total 2",
        "tapwright_attempt_duration_seconds_count 1",
        "tapwright_runs_queued 0",
        "tapwright_devices_busy 1",
        "tapwright_devices{state=\"ready\",standing=\"sound\"} 1",
        "tapwright_store_trouble 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|said| said == line), "{line:?} is not in\n{text}");
    }
    assert!(text.contains("tapwright_devices{state=\"not answering\""), "{text}");
    daemon.launcher.let_end("A", 1);
    daemon.stop().await;
}

#[tokio::test]
async fn a_daemon_that_follows_no_devices_any_more_is_alive_and_not_ready() {
    let daemon = TestDaemon::start(&["d1"], &[]).await;
    let TestDaemon { devices, http, url, stop, task, folder: _folder, .. } = daemon;
    drop(devices);
    let ask = async |path: &str| within(http.get(format!("{url}{path}")).send()).await.unwrap();
    assert_eq!(ask("/healthz").await.status(), 200);
    let unready = ask("/readyz").await;
    assert_eq!(unready.status(), 503);
    let problem: Value = unready.json().await.unwrap();
    assert!(problem["detail"].as_str().unwrap().contains("not followed"), "{problem}");
    stop.cancel();
    within(task).await.unwrap().unwrap();
}
