//! What the HTTP API says, byte by byte where it matters.

use super::fake_launcher::Behaviour::{Malformed, NoModel, Steps};
use super::test_daemon::{TestDaemon, limits, request, within};
use serde_json::{Value, json};
use std::time::Duration;
use tapwright::daemon::{ClientError, DaemonClient, Limits};
use tapwright::domain::Verdict;
use tapwright::store::RunState;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

async fn post(daemon: &TestDaemon, path: &str, body: &str) -> (u16, Value) {
    let request = daemon.http.post(format!("{}{path}", daemon.url)).header("content-type", "application/json");
    answer(request.body(body.to_owned())).await
}

async fn get(daemon: &TestDaemon, path: &str) -> (u16, Value) {
    answer(daemon.http.get(format!("{}{path}", daemon.url))).await
}

async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = within(request.send()).await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["error"]["code"].as_str().unwrap())
}

#[tokio::test]
async fn a_run_is_taken_made_and_told() {
    let daemon = TestDaemon::start(&["emulator-5554"], &[("PAY-0001", Steps(2))]).await;
    let (status, ticket) = post(&daemon, "/api/v1/runs", r#"{"case_id": "PAY-0001", "seed": 9}"#).await;
    let run_id = ticket["run_id"].as_str().unwrap();
    assert_eq!((status, &ticket["state"]), (202, &json!("queued")));
    assert_eq!(ticket["url"], format!("/api/v1/runs/{run_id}"));

    daemon.launcher.let_end("PAY-0001", 1);
    let mut events = Vec::new();
    let end = within(daemon.client.follow(&run_id.into(), |event| events.push(event))).await.unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let step = ["step_started", "step_finished"];
    assert_eq!(kinds, [&["run_started"][..], &step, &step, &["run_finished"]].concat());
    assert!(events.iter().enumerate().all(|(seq, event)| event["seq"] == seq && event["run_id"] == run_id));

    assert_eq!((end.state, end.verdict, end.attempts), (RunState::Finished, Some(Verdict::Passed), 1));
    assert_eq!(end.device, Some("emulator-5554".into()));
    assert!(end.created_at <= end.started_at.unwrap() && end.started_at <= end.finished_at);
    let result = end.result.unwrap();
    assert_eq!(serde_json::to_value(&result).unwrap(), events.last().unwrap()["result"]);
    let (_, list) = get(&daemon, "/api/v1/runs?limit=1").await;
    assert_eq!((&list[0]["run_id"], list[0].get("result")), (&json!(run_id), None));
    assert_eq!(daemon.launcher.launched()[0].seed, 9);
    daemon.stop().await;
}

#[tokio::test]
async fn a_wrong_request_is_told_what_was_expected() {
    let daemon = TestDaemon::start(&["a"], &[("PAY-0001", Steps(1)), ("PAY-0002", Malformed)]).await;
    let unknown = post(&daemon, "/api/v1/runs", r#"{"case_id": "PAY-0O01"}"#).await;
    assert_eq!(code(&unknown), (404, "unknown_case"));
    assert!(unknown.1["error"]["message"].as_str().unwrap().contains("did you mean PAY-0001?"));
    let refused = post(&daemon, "/api/v1/runs", r#"{"case_id": "PAY-0002"}"#).await;
    assert_eq!(code(&refused), (422, "case_refused"));
    let bodies = [
        "",
        "{",
        "[]",
        "{}",
        r#"{"case_id": 1}"#,
        r#"{"case_id": "../../etc"}"#,
        r#"{"case_id": "PAY-0001", "sede": 1}"#,
        r#"{"case_id": "PAY-0001", "seed": -1}"#,
        r#"{"case_id": "PAY-0001", "params": {"pin": 1}}"#,
    ];
    for body in bodies {
        let malformed = post(&daemon, "/api/v1/runs", body).await;
        assert_eq!(code(&malformed), (400, "malformed_request"), "{body}");
        assert!(malformed.1["error"]["message"].as_str().unwrap().contains("expected a JSON object"), "{malformed:?}");
    }
    let huge = format!(r#"{{"case_id": "PAY-0001", "params": {{"x": "{}"}}}}"#, "x".repeat(3 << 20));
    assert_eq!(code(&post(&daemon, "/api/v1/runs", &huge).await), (413, "unreadable_body"));
    for path in ["/api/v1/runs/nope", "/api/v1/runs/nope/events"] {
        assert_eq!(code(&get(&daemon, path).await), (404, "unknown_run"));
    }
    assert_eq!(code(&post(&daemon, "/api/v1/runs/nope/cancel", "").await), (404, "unknown_run"));
    assert_eq!(code(&get(&daemon, "/api/v1/runs?limit=0").await), (400, "malformed_request"));
    assert_eq!(code(&get(&daemon, "/api/v1/runs?state=new").await), (400, "malformed_request"));
    assert_eq!(code(&get(&daemon, "/api/v2/runs").await), (404, "unknown_path"));
    assert_eq!(code(&post(&daemon, "/api/v1/devices", "").await), (405, "wrong_method"));
    assert!(daemon.launcher.launched().is_empty());
    daemon.stop().await;
}

#[tokio::test]
async fn a_device_that_nobody_has_seen_is_refused_at_once() {
    let daemon = TestDaemon::start(&["d1", "d2"], &[("A", Steps(1)), ("DUO-1", Steps(1))]).await;
    let answer = post(&daemon, "/api/v1/runs", r#"{"case_id": "A", "device": "d3"}"#).await;
    assert_eq!(code(&answer), (422, "unknown_device"));
    assert_eq!(answer.1["errors"][0]["pointer"], "/device");
    assert!(answer.1["detail"].as_str().unwrap().contains("known: d1, d2"), "{}", answer.1);
    let answer = post(&daemon, "/api/v1/runs", r#"{"case_id": "DUO-1", "actors": {"guest": "d9"}}"#).await;
    assert_eq!((code(&answer), &answer.1["errors"][0]["pointer"]), ((422, "unknown_device"), &json!("/actors/guest")));
    // One that was there once may come back.
    assert_eq!(get(&daemon, "/api/v1/devices").await.1.as_array().unwrap().len(), 2);
    daemon.devices.send_modify(|rows| drop(rows.pop()));
    let (status, _) = post(&daemon, "/api/v1/runs", r#"{"case_id": "A", "device": "d2"}"#).await;
    assert_eq!(status, 202);
    assert!(daemon.launcher.launched().is_empty());
    daemon.stop().await;
}

#[tokio::test]
async fn so_many_runs_wait_and_no_more() {
    let limits = Limits { waiting: 2, ..limits() };
    let daemon = TestDaemon::start_with(limits, &[], &[("A", Steps(1))]).await;
    let submit = async || post(&daemon, "/api/v1/runs", r#"{"case_id": "A"}"#).await;
    let first = submit().await;
    assert_eq!((first.0, submit().await.0), (202, 202));
    assert_eq!(code(&submit().await), (429, "queue_full"));
    let url = first.1["url"].as_str().unwrap();
    assert_eq!(post(&daemon, &format!("{url}/cancel"), "").await.0, 202);
    assert_eq!(submit().await.0, 202);
    daemon.stop().await;
}

#[tokio::test]
async fn what_is_handed_in_twice_with_one_key_is_one_run() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1)), ("B", Steps(1))]).await;
    let submit = async |body: &str, key: &str| {
        let request =
            daemon.http.post(format!("{}/api/v1/runs", daemon.url)).header("content-type", "application/json");
        answer(request.header("idempotency-key", key).body(body.to_owned())).await
    };
    let body = r#"{"case_id": "A", "params": {"pin": "1"}}"#;
    let (first, second) = tokio::join!(submit(body, "k-1"), submit(body, "k-1"));
    assert_eq!((first.0, second.0), (202, 202));
    assert_eq!(first.1["run_id"], second.1["run_id"]);
    for other in [r#"{"case_id": "B"}"#, r#"{"case_id": "A", "params": {"pin": "2"}}"#, r#"{"case_id": "A"}"#] {
        assert_eq!(code(&submit(other, "k-1").await), (422, "idempotency_key_reused"), "{other}");
    }
    daemon.launcher.let_end("A", 1);
    let run_id = first.1["run_id"].as_str().unwrap().into();
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    let again = submit(body, "k-1").await;
    assert_eq!((&again.1["run_id"], &again.1["state"]), (&first.1["run_id"], &json!("finished")), "{}", again.1);
    assert_eq!(daemon.launcher.launched().len(), 1);
    assert_eq!(code(&submit(body, &"k".repeat(256)).await), (400, "malformed_request"));
    daemon.stop().await;
}

#[tokio::test]
async fn a_long_list_is_read_page_by_page() {
    let daemon = TestDaemon::start(&[], &[("A", Steps(1))]).await;
    let mut submitted = Vec::new();
    for _ in 0..5 {
        submitted.push(daemon.submit("A").await.to_string());
    }
    submitted.reverse();
    let (mut next, mut read, mut pages) = (Some("/api/v1/runs?limit=2&state=queued".to_owned()), Vec::new(), 0);
    while let Some(path) = next {
        let response = within(daemon.http.get(format!("{}{path}", daemon.url)).send()).await.unwrap();
        let link = response.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
        next = link.map(|link| link.split(['<', '>']).nth(1).unwrap().to_owned());
        let page: Value = response.json().await.unwrap();
        read.extend(page.as_array().unwrap().iter().map(|run| run["run_id"].as_str().unwrap().to_owned()));
        pages += 1;
    }
    assert_eq!((read, pages), (submitted, 3));
    daemon.stop().await;
}

#[tokio::test]
async fn who_holds_a_connection_and_asks_nothing_is_shown_out() {
    let limits = Limits { connections: 2, head: Duration::from_millis(300), ..limits() };
    let daemon = TestDaemon::start_with(limits, &[], &[]).await;
    let address = daemon.url.strip_prefix("http://").unwrap();
    let mut silent = within(TcpStream::connect(address)).await.unwrap();
    let mut slow = within(TcpStream::connect(address)).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nhost: loc").await.unwrap();
    // Both seats are taken; this one waits for its own.
    assert_eq!(within(daemon.http.get(format!("{}/healthz", daemon.url)).send()).await.unwrap().status(), 200);
    let mut said = Vec::new();
    within(silent.read_to_end(&mut said)).await.unwrap();
    within(slow.read_to_end(&mut said)).await.unwrap();
    assert!(!String::from_utf8_lossy(&said).contains("200"), "{said:?}");
    daemon.stop().await;
}

#[tokio::test]
async fn foreign_web_pages_are_kept_out() {
    let daemon = TestDaemon::start(&["a"], &[("PAY-0001", Steps(1))]).await;
    let runs = format!("{}/api/v1/runs", daemon.url);
    let rebound = answer(daemon.http.get(&runs).header("host", "evil.example")).await;
    assert_eq!(code(&rebound), (403, "not_loopback"));
    let body = r#"{"case_id": "PAY-0001"}"#;
    let form = daemon.http.post(&runs).header("content-type", "text/plain").body(body);
    assert_eq!(code(&answer(form).await), (415, "wrong_content_type"));
    let json = daemon.http.post(&runs).header("content-type", "application/json").body(body);
    let foreign = json.try_clone().unwrap().header("origin", "https://evil.example");
    assert_eq!(code(&answer(foreign).await), (403, "not_loopback"));
    let own = json.header("origin", daemon.url.as_str());
    assert_eq!(within(own.send()).await.unwrap().status(), 202);
    assert_eq!(get(&daemon, "/api/v1/runs").await.1.as_array().unwrap().len(), 1);
    daemon.launcher.let_end("PAY-0001", 1);
    daemon.stop().await;
}

/// Reads an event stream as raw text until `marker` was seen.
async fn read_until(response: &mut reqwest::Response, text: &mut String, marker: &str) {
    while !text.contains(marker) {
        let chunk = within(response.chunk()).await.unwrap().expect("the stream ended early");
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
}

fn ids(text: &str) -> Vec<u64> {
    text.lines().filter_map(|line| line.strip_prefix("id: ")).map(|id| id.parse().unwrap()).collect()
}

#[tokio::test]
async fn a_follower_gets_what_was_and_what_comes_each_once() {
    let daemon = TestDaemon::start(&["a"], &[("PAY-0001", Steps(1))]).await;
    let run_id = daemon.submit("PAY-0001").await;
    within(daemon.launcher.wait_until_active(vec!["PAY-0001@a"])).await;
    let url = format!("{}/api/v1/runs/{run_id}/events", daemon.url);

    let mut live = within(daemon.http.get(&url).send()).await.unwrap();
    assert_eq!(live.headers()["content-type"], "text/event-stream");
    let mut text = String::new();
    read_until(&mut live, &mut text, "step_started").await;
    assert!(!text.contains("run_finished"));
    daemon.launcher.let_end("PAY-0001", 1);
    read_until(&mut live, &mut text, "event: end").await;
    while let Some(chunk) = within(live.chunk()).await.unwrap() {
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert_eq!(ids(&text), [0, 1, 2, 3]);

    // The same again from the store, from the start and from the middle.
    let replay = daemon.http.get(&url);
    let all = within(replay.try_clone().unwrap().send()).await.unwrap().text().await.unwrap();
    assert_eq!(all.replace(": keep-alive\n\n", ""), text.replace(": keep-alive\n\n", ""));
    let rest = replay.try_clone().unwrap().header("last-event-id", "1").send().await.unwrap().text().await.unwrap();
    assert_eq!(ids(&rest), [2, 3]);
    assert!(rest.contains("event: end") && rest.contains(r#""verdict":"passed""#));
    let beyond = replay.try_clone().unwrap().header("last-event-id", u64::MAX.to_string());
    assert_eq!(ids(&beyond.send().await.unwrap().text().await.unwrap()), [] as [u64; 0]);
    let wrong = answer(replay.header("last-event-id", "last")).await;
    assert_eq!(code(&wrong), (400, "malformed_request"));
    daemon.stop().await;
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive() {
    let limits = tapwright::daemon::Limits { keep_alive: Duration::from_millis(10), ..limits() };
    let daemon = TestDaemon::start_with(limits, &[], &[("PAY-0001", Steps(1))]).await;
    let run_id = daemon.submit("PAY-0001").await;
    let mut stream = daemon.http.get(format!("{}/api/v1/runs/{run_id}/events", daemon.url)).send().await.unwrap();
    read_until(&mut stream, &mut String::new(), ": keep-alive\n\n: keep-alive\n\n").await;
    // The stop ends the stream of a run that still waits, without an `end`.
    daemon.stop.cancel();
    let mut rest = String::new();
    while let Some(chunk) = within(stream.chunk()).await.unwrap() {
        rest.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(!rest.contains("event: end"), "{rest}");
    daemon.stop().await;
}

#[tokio::test]
async fn a_follower_that_never_reads_or_goes_away_costs_a_run_nothing() {
    let daemon = TestDaemon::start(&["a"], &[("LONG", Steps(3000))]).await;
    let run_id = daemon.submit("LONG").await;
    // One asks and never reads (its socket buffers fill up), one asks and goes.
    let mut deaf = TcpStream::connect(daemon.url.trim_start_matches("http://")).await.unwrap();
    let ask = format!("GET /api/v1/runs/{run_id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    deaf.write_all(ask.as_bytes()).await.unwrap();
    let mut first = [0];
    within(deaf.read_exact(&mut first)).await.unwrap();
    drop(daemon.http.get(format!("{}/api/v1/runs/{run_id}/events", daemon.url)).send().await.unwrap());
    daemon.launcher.let_end("LONG", 1);
    let mut count = 0;
    let end = within(daemon.client.follow(&run_id, |_event| count += 1)).await.unwrap();
    assert_eq!((end.verdict, count), (Some(Verdict::Passed), 6002));
    drop(deaf);
    daemon.stop().await;
}

#[tokio::test]
async fn devices_and_health_tell_what_is_going_on() {
    let daemon = TestDaemon::start(&["a", "b"], &[("PAY-0001", Steps(1))]).await;
    let runs = [daemon.submit("PAY-0001").await, daemon.submit("PAY-0001").await, daemon.submit("PAY-0001").await];
    within(daemon.launcher.wait_until_busy(2)).await;
    daemon.devices.send_modify(|rows| {
        rows.push(super::test_daemon::rows(&["c"]).remove(0));
        rows[2].state = tapwright::adb::ConnectionState::Unauthorized;
    });
    let health = daemon.client.health().await.unwrap();
    assert_eq!((health.devices, health.devices_ready, health.devices_busy), (3, 2, 2));
    assert_eq!((health.queue_length, health.devices_tracked, health.stopping), (1, true, false));
    assert_eq!(health.version, env!("CARGO_PKG_VERSION"));
    let devices = daemon.client.devices().await.unwrap();
    let row = |at: usize| (devices[at].serial.as_str(), devices[at].state.as_str(), devices[at].run_id.is_some());
    assert_eq!([row(0), row(1), row(2)], [("a", "device", true), ("b", "device", true), ("c", "unauthorized", false)]);
    assert!(runs.contains(devices[0].run_id.as_ref().unwrap()) && devices[0].run_id != devices[1].run_id);
    let (_, queued) = get(&daemon, "/api/v1/runs?state=queued").await;
    assert_eq!(queued.as_array().unwrap().len(), 1);
    daemon.launcher.let_end("PAY-0001", 3);
    daemon.stop().await;
}

#[tokio::test]
async fn the_dashboard_needs_nothing_from_elsewhere() {
    let daemon = TestDaemon::start(&[], &[]).await;
    let mut texts = Vec::new();
    for (path, kind) in [("/", "text/html"), ("/dashboard.css", "text/css"), ("/dashboard.js", "text/javascript")] {
        let response = daemon.http.get(format!("{}{path}", daemon.url)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with(kind));
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        texts.push(response.text().await.unwrap());
    }
    for text in &texts {
        let foreign = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://") && !foreign.contains("innerHTML"));
    }
    assert!(texts[0].contains("dashboard.css") && texts[0].contains("dashboard.js"));
    assert!(!texts[0].contains("<style") && !texts[0].contains("style=") && !texts[0].contains("onclick"));
    daemon.stop().await;
}

#[tokio::test]
async fn the_client_says_what_to_do_when_nobody_or_somebody_else_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let client = DaemonClient::new(&url).unwrap();
    let stranger = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = [0; 1024];
        assert!(socket.read(&mut request).await.unwrap() > 0);
        socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello").await.unwrap();
    });
    let error = within(client.health()).await.unwrap_err();
    assert!(matches!(error, ClientError::Strange { .. }), "{error}");
    stranger.await.unwrap();
    let error = within(client.submit(request("PAY-0001"))).await.unwrap_err();
    assert!(matches!(error, ClientError::NoDaemon { .. }), "{error}");
    assert!(error.to_string().contains("start it with `tapwright serve`"), "{error}");

    let daemon = TestDaemon::start(&["a"], &[("PAY-0001", NoModel)]).await;
    let error = daemon.client.submit(request("PAY-9999")).await.unwrap_err();
    assert!(matches!(&error, ClientError::Refused { status: 404, code, .. } if code == "unknown_case"), "{error}");
    let run_id = daemon.submit("PAY-0001").await;
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.state, end.verdict, end.result), (RunState::Finished, Some(Verdict::Error), None));
    assert_eq!(end.reason, "the model is missing: run `tapwright models install`");
    daemon.stop().await;
}
