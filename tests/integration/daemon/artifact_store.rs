//! Recordings that are brought to an artifact store: found by a daemon that has none of them, whatever became of their host.
//!
//! `TAPWRIGHT_TEST_S3` names a place as `s3://BUCKET/FOLDER` beside the `AWS_…` variables it is reached with: the same story is
//! told there. Without it a folder is used, and the test says so.

use super::fake_launcher::Behaviour::Steps;
use super::test_daemon::{TestDaemon, limits, reopen, request, within};
use jiff::{SignedDuration, Timestamp};
use reqwest::Response;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tapwright::artifact_store::{AccessKeys, ArtifactStore};
use tapwright::daemon::{Daemon, Limits, Retention};
use tapwright::domain::{RunId, Secret};
use tapwright::store::{Hold, NewRun, RunEnd, Store as _};
use tempfile::TempDir;

/// The places to tell the story of: a folder, and the S3 of the environment below a name of its own.
fn places(folder: &Path) -> Vec<String> {
    let mut places = vec![format!("file://{}", folder.join("store").display())];
    match std::env::var("TAPWRIGHT_TEST_S3") {
        Ok(place) => places.push(format!("{}/{}", place.trim_end_matches('/'), uuid::Uuid::now_v7())),
        Err(_) => println!("skipped for S3: TAPWRIGHT_TEST_S3 names no place; CONTRIBUTING.md says how to start one"),
    }
    places
}

fn keys() -> AccessKeys {
    let own = std::env::vars().filter(|(name, _)| name.starts_with("AWS_"));
    AccessKeys(own.map(|(name, value)| (name, Secret::new(value))).collect())
}

fn open(place: &str) -> ArtifactStore {
    ArtifactStore::open(place, &keys()).unwrap()
}

async fn start(folder: &Arc<TempDir>, place: &str, retention: Retention) -> TestDaemon {
    let limits = Limits { upload_retry: Duration::from_millis(20), ..limits() };
    let daemon = Daemon::with_limits(limits).storing(open(place)).retaining(retention);
    TestDaemon::start_as(daemon, Arc::clone(folder), &["d1"], &[("A", Steps(1))]).await
}

/// Has a run end whose recording holds these files; gives the recording's folder.
async fn run(daemon: &TestDaemon, files: &[(&str, &str)]) -> (RunId, PathBuf) {
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_busy(1)).await;
    let folder = daemon.folder.path().join("runs/A").join(run_id.as_str());
    for (path, text) in files {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
    daemon.launcher.let_end("A", 1);
    daemon.end_of(&run_id).await;
    (run_id, folder)
}

/// Waits until the store has a run, or has it no more.
async fn until_stored(store: &ArtifactStore, run_id: &RunId, expected: bool) {
    within(async {
        while store.has(run_id, "local").await.unwrap() != expected {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// Waits until so many runs wait to be stored.
async fn until_waiting(daemon: &TestDaemon, runs: usize) {
    let line = format!("tapwright_artifacts_waiting {runs}");
    let told = async || get(daemon, "/metrics", &[]).await.text().await.unwrap();
    within(async { while !told().await.lines().any(|said| said == line) {} }).await;
}

async fn get(daemon: &TestDaemon, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = daemon.http.get(format!("{}{path}", daemon.url));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    within(request.send()).await.unwrap()
}

fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn what_a_host_lost_is_listed_and_fetched_from_the_store() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    for place in places(folder.path()) {
        let store = open(&place);
        store.check().await.unwrap();
        let daemon = start(&folder, &place, Retention::default()).await;
        let files = [("events.jsonl", "0123456789"), ("report.html", "<h1>A</h1>"), ("screens/a b.png", "png")];
        let (run_id, recording) = run(&daemon, &files).await;
        until_stored(&store, &run_id, true).await;
        let base = format!("/api/v1/runs/{run_id}/artifacts");
        let own: Value = get(&daemon, &base, &[]).await.json().await.unwrap();
        let report = format!("{base}/report.html");
        let own_report = get(&daemon, &report, &[]).await;
        let of_report = |response: &Response| {
            ["content-type", "content-length", "content-security-policy", "x-content-type-options", "accept-ranges"]
                .map(|name| header(response, name).to_owned())
        };
        let own_headers = of_report(&own_report);
        std::fs::remove_dir_all(&recording).unwrap();
        assert_eq!(get(&daemon, &base, &[]).await.json::<Value>().await.unwrap(), own, "{place}");
        assert_eq!(own["files"].as_array().unwrap().len(), 3, "{own}");
        let stored_report = get(&daemon, &report, &[]).await;
        assert_eq!(of_report(&stored_report), own_headers, "{place}");
        let tag = header(&stored_report, "etag").to_owned();
        assert_eq!(stored_report.text().await.unwrap(), "<h1>A</h1>");
        assert_eq!(get(&daemon, &report, &[("if-none-match", &tag)]).await.status(), 304);
        assert_eq!(get(&daemon, &format!("{base}/screens/a%20b.png"), &[]).await.text().await.unwrap(), "png");
        for (range, status, text, told) in [
            ("bytes=2-4", 206, "234", "bytes 2-4/10"),
            ("bytes=7-", 206, "789", "bytes 7-9/10"),
            ("bytes=-2", 206, "89", "bytes 8-9/10"),
            ("bytes=99-", 416, "", "bytes */10"),
            ("bytes=0-1,3-4", 200, "0123456789", ""),
            ("lines=1-2", 416, "", "bytes */10"),
        ] {
            let part = get(&daemon, &format!("{base}/events.jsonl"), &[("range", range)]).await;
            assert_eq!((part.status().as_u16(), header(&part, "content-range")), (status, told), "{place} {range}");
            assert_eq!(part.text().await.unwrap(), text, "{place} {range}");
        }
        for path in ["missing", "../events.jsonl", "screens", "events.jsonl?attempt=1"] {
            assert_eq!(get(&daemon, &format!("{base}/{path}"), &[]).await.status(), 404, "{place} {path}");
        }
        store.remove(&run_id).await.unwrap();
        daemon.stop().await;
    }
}

#[tokio::test]
async fn what_could_not_be_stored_is_stored_later() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    for place in places(folder.path()) {
        // A daemon without a store leaves its recording to the next one.
        let cases = [("A", Steps(1))];
        let before = TestDaemon::start_in(Arc::clone(&folder), limits(), &["d1"], &cases).await;
        let (run_id, recording) = run(&before, &[("events.jsonl", "one")]).await;
        before.stop().await;
        std::fs::create_dir_all(folder.path().join("runs/A/by-command")).unwrap();
        let store = open(&place);
        let daemon = start(&folder, &place, Retention::default()).await;
        until_stored(&store, &run_id, true).await;
        assert!(!store.has(&RunId::new("by-command"), "local").await.unwrap(), "{place}");
        until_waiting(&daemon, 0).await;
        daemon.stop().await;
        // Retention by size frees this host only; by age it frees the store, too.
        let by_size = start(&folder, &place, Retention { days: None, bytes: Some(1) }).await;
        within(async {
            while recording.exists() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let events = format!("/api/v1/runs/{run_id}/artifacts/events.jsonl");
        assert_eq!(get(&by_size, &events, &[]).await.text().await.unwrap(), "one");
        by_size.stop().await;
        store.remove(&run_id).await.unwrap();
    }
}

#[tokio::test]
async fn what_is_stored_of_a_run_goes_with_it() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    for (number, place) in places(folder.path()).into_iter().enumerate() {
        let old = RunId::from(format!("r-old-{number}").as_str());
        let database = reopen(folder.path()).await;
        let at = Timestamp::now() - SignedDuration::from_hours(24 * 10);
        let new = NewRun {
            run_id: old.clone(),
            request: request("A"),
            sealed_params: None,
            priority: 0,
            created_at: at,
            idempotency_key: None,
            place: None,
        };
        database.enqueue(new).await.unwrap();
        database.finish(&Hold { run_id: old.clone(), fence: 0 }, RunEnd::error("a test"), at).await.unwrap();
        drop(database);
        let recording = folder.path().join("runs/A").join(old.as_str());
        std::fs::create_dir_all(&recording).unwrap();
        std::fs::write(recording.join("events.jsonl"), "one").unwrap();
        let store = open(&place);
        let daemon = start(&folder, &place, Retention::default()).await;
        until_stored(&store, &old, true).await;
        // Without a young run nothing would go.
        let (young, _) = run(&daemon, &[("events.jsonl", "two")]).await;
        until_stored(&store, &young, true).await;
        daemon.stop().await;
        let by_age = start(&folder, &place, Retention { days: Some(7), bytes: None }).await;
        until_stored(&store, &old, false).await;
        assert!(store.has(&young, "local").await.unwrap(), "{place}");
        by_age.stop().await;
        store.remove(&young).await.unwrap();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_that_takes_nothing_holds_nobody_up() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let place = format!("file://{}", folder.path().join("store").display());
    let store = open(&place);
    let daemon = start(&folder, &place, Retention { days: None, bytes: Some(1) }).await;
    let runs = folder.path().join("store/runs");
    // A file where the folder of listings is to be.
    std::fs::write(&runs, "").unwrap();
    let (run_id, recording) = run(&daemon, &[("events.jsonl", "one")]).await;
    until_waiting(&daemon, 1).await;
    assert!(recording.exists(), "what is not stored stays, whatever room it takes");
    std::fs::remove_file(&runs).unwrap();
    until_stored(&store, &run_id, true).await;
    daemon.stop().await;
}
