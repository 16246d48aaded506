//! Start, stop, crash.

use super::fake_launcher::Behaviour::Steps;
use super::fake_launcher::FakeLauncher;
use super::test_daemon::{TestDaemon, limits, reopen, request, within};
use std::sync::Arc;
use std::time::Duration;
use tapwright::daemon::{ClientError, Daemon, DaemonError, Limits};
use tapwright::domain::Verdict;
use tapwright::store::{RunState, SqliteStore};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn nothing_listens_beyond_loopback() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let store = Arc::new(SqliteStore::in_memory().await.unwrap());
    let launcher = Arc::new(FakeLauncher::new(&[]));
    let (_devices, rows) = watch::channel(vec![]);
    let served = Daemon::serve(listener, store, launcher, rows, CancellationToken::new());
    let error = within(served).await.unwrap_err();
    assert!(matches!(error, DaemonError::Front(_)), "{error}");
}

#[tokio::test]
async fn a_stop_lets_runs_under_way_end_and_takes_nothing_new() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1)), ("B", Steps(1))]).await;
    let running = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    let waiting = daemon.submit("B").await;
    let mut stream = daemon.http.get(format!("{}/api/v1/runs/{running}/events", daemon.url)).send().await.unwrap();
    daemon.stop.cancel();
    daemon.launcher.let_end("A", 1);
    let mut text = String::new();
    while let Some(chunk) = within(stream.chunk()).await.unwrap() {
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(text.contains("run_finished") && text.contains("event: end"), "{text}");
    let folder = Arc::clone(&daemon.folder);
    let client = daemon.client.clone();
    daemon.stop().await;
    let error = within(client.submit(request("A"))).await.unwrap_err();
    assert!(matches!(error, ClientError::NoDaemon { .. }), "{error}");

    // The next daemon finds the one done, and makes the other.
    let daemon = TestDaemon::start_in(folder, limits(), &["d1"], &[("B", Steps(1))]).await;
    assert_eq!(daemon.client.run(&running).await.unwrap().verdict, Some(Verdict::Passed));
    daemon.launcher.let_end("B", 1);
    assert_eq!(daemon.end_of(&waiting).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn a_stop_cancels_runs_that_take_too_long() {
    let limits = Limits { drain: Duration::from_millis(20), ..limits() };
    let daemon = TestDaemon::start_with(limits, &["d1"], &[("A", Steps(1))]).await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    let folder = Arc::clone(&daemon.folder);
    daemon.stop().await;
    let store = reopen(folder.path()).await;
    let run = tapwright::store::Store::run(&store, &run_id).await.unwrap().unwrap();
    assert_eq!((run.state, run.verdict), (RunState::Finished, Some(Verdict::Error)));
    assert_eq!(run.reason, "the daemon was stopped; interrupted");
}

#[test]
fn a_crash_loses_no_run_silently() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cases = [("A", Steps(1)), ("B", Steps(1))];
    let first = runtime();
    let (folder, running, waiting, secret) = first.block_on(async {
        let daemon = TestDaemon::start(&["d1"], &cases).await;
        let running = daemon.submit("A").await;
        let mut stream = daemon.http.get(format!("{}/api/v1/runs/{running}/events", daemon.url)).send().await.unwrap();
        // The first event is in the store: the run is under way.
        let mut text = String::new();
        while !text.contains("step_started") {
            text.push_str(std::str::from_utf8(&within(stream.chunk()).await.unwrap().unwrap()).unwrap());
        }
        let waiting = daemon.submit("B").await;
        let mut with_params = request("B");
        with_params.params.insert("pin".into(), "1".into());
        let secret = daemon.client.submit(with_params).await.unwrap().run_id;
        (Arc::clone(&daemon.folder), running, waiting, secret)
    });
    // All its tasks die at once, wherever they are.
    drop(first);

    runtime().block_on(async {
        let daemon = TestDaemon::start_in(folder, limits(), &["d1"], &cases).await;
        // It was under way: it is made again, from the start.
        daemon.launcher.let_end("A", 1);
        let end = daemon.end_of(&running).await;
        assert_eq!((end.verdict, end.attempts), (Some(Verdict::Passed), 2));
        daemon.launcher.let_end("B", 2);
        assert_eq!(daemon.end_of(&waiting).await.verdict, Some(Verdict::Passed));
        assert_eq!(daemon.end_of(&secret).await.verdict, Some(Verdict::Passed));
        let launched = daemon.launcher.launched();
        let ids: Vec<_> = launched.iter().map(|run| run.case_id.as_str()).collect();
        assert_eq!(ids, ["A", "B", "B"]);
        assert_eq!(launched[2].params, [("pin".to_owned(), "1".to_owned())].into(), "parameters survive");
        daemon.stop().await;
    });
}

#[tokio::test]
async fn parameters_whose_key_is_gone_end_their_run_with_a_reason() {
    let cases = [("A", Steps(1))];
    let daemon = TestDaemon::start(&[], &cases).await;
    let mut with_params = request("A");
    with_params.params.insert("pin".into(), "8642-secret".into());
    let run_id = daemon.client.submit(with_params).await.unwrap().run_id;
    let folder = Arc::clone(&daemon.folder);
    daemon.stop().await;
    for file in
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
    {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(11).any(|window| window == b"8642-secret"), "{}", file.display());
    }
    std::fs::remove_file(folder.path().join("runs.key")).unwrap();
    drop(reopen(folder.path()).await);
    let daemon = TestDaemon::start_in(folder, limits(), &["d1"], &cases).await;
    let end = daemon.end_of(&run_id).await;
    assert_eq!(end.verdict, Some(Verdict::Error));
    assert!(end.reason.contains("the daemon's key is not the one"), "{}", end.reason);
    assert!(daemon.launcher.launched().is_empty());
    daemon.stop().await;
}

#[tokio::test]
async fn runs_go_on_when_nobody_follows_the_devices_any_more() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    let TestDaemon { devices, client, launcher, stop, task, folder: _folder, .. } = daemon;
    drop(devices);
    assert!(!client.health().await.unwrap().devices_tracked);
    launcher.let_end("A", 1);
    let end = within(client.follow(&run_id, |_event| {})).await.unwrap();
    assert_eq!(end.verdict, Some(Verdict::Passed));
    stop.cancel();
    within(task).await.unwrap().unwrap();
}
