//! Two daemons on one PostgreSQL database; one dies.

use super::fake_launcher::Behaviour::Steps;
use super::pg_server::PgServer;
use super::test_daemon::{TestDaemon, limits, within};
use std::sync::Arc;
use std::time::Duration;
use tapwright::daemon::Daemon;
use tapwright::domain::Verdict;
use tapwright::store::{PostgresStore, RunState, Store};
use tokio::time::timeout;

async fn host(name: &str, url: &str, device: &str) -> (TestDaemon, Arc<dyn Store>) {
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(url).await.unwrap());
    let daemon = Daemon::with_limits(limits()).named(name.to_owned());
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let cases = [("A", Steps(1)), ("B", Steps(1))];
    (TestDaemon::start_on(daemon, Arc::clone(&store), folder, &[device], &cases).await, store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_dead_host_held_is_taken_over_and_made_once_more() {
    let server = PgServer::start().await;
    let url = server.database("farm").await;
    let (one, _) = host("one", &url, "d1").await;
    let first = one.submit("A").await;
    within(one.launcher.wait_until_active(vec!["A@d1"])).await;
    let (other, store) = host("other", &url, "d2").await;

    // A run that is handed in at one host is made by the other, which heard of it.
    let second = one.submit("B").await;
    within(other.launcher.wait_until_active(vec!["B@d2"])).await;
    other.launcher.let_end("B", 1);
    // And followed from either.
    let end = one.end_of(&second).await;
    assert_eq!((end.verdict, end.device), (Some(Verdict::Passed), Some("d2".into())));

    // The host dies without goodbye: no drain, no sign of life.
    one.task.abort();
    let taken = async {
        loop {
            let run = store.run(&first).await.unwrap().unwrap();
            if run.host.as_deref() == Some("other") {
                return run;
            }
        }
    };
    let run = timeout(Duration::from_secs(30), taken).await.expect("nobody took it over within 30 s");
    assert_eq!((run.attempts, run.interruptions), (2, 1));
    other.launcher.let_end("A", 1);
    let end = other.end_of(&first).await;
    assert_eq!((end.verdict, end.device, end.attempts), (Some(Verdict::Passed), Some("d2".into()), 2));
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_called_off_from_another_host_than_the_one_that_holds_it() {
    let server = PgServer::start().await;
    let url = server.database("farm").await;
    let (one, _) = host("one", &url, "d1").await;
    let run = one.submit("A").await;
    within(one.launcher.wait_until_active(vec!["A@d1"])).await;
    let (other, store) = host("other", &url, "d2").await;
    let called_off = format!("{}/api/v1/runs/{run}/cancel", other.url);
    let answer = other.http.post(called_off).header("content-type", "application/json").send().await.unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    let end = one.end_of(&run).await;
    assert_eq!((end.state, end.attempts), (RunState::Cancelled, 1));
    assert!(store.run(&run).await.unwrap().unwrap().reason.contains("cancelled"));
    let late = other.http.post(format!("{}/api/v1/runs/{run}/cancel", other.url));
    let late = late.header("content-type", "application/json").send().await.unwrap();
    assert_eq!(late.status(), 409, "what has ended cannot be called off");

    // And a night, of which one run is under way at each host.
    let night = one.http.post(format!("{}/api/v1/batches", one.url)).json(&serde_json::json!({"cases": ["A", "B"]}));
    let night: serde_json::Value = night.send().await.unwrap().json().await.unwrap();
    let both = async {
        loop {
            let busy = [&one, &other].map(|host| host.launcher.launched().len());
            // The run before was the first that `one` launched.
            if busy == [2, 1] {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    within(both).await;
    let cancel = format!("{}/api/v1/batches/{}/cancel", other.url, night["batch_id"].as_str().unwrap());
    let answer = other.http.post(cancel).header("content-type", "application/json").send().await.unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    within(one.launcher.wait_until_active(vec![])).await;
    within(other.launcher.wait_until_active(vec![])).await;
    one.stop().await;
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_daemon_of_one_name_is_refused_and_takes_nothing_from_the_first() {
    let server = PgServer::start().await;
    let url = server.database("farm").await;
    let (one, store) = host("lab", &url, "d1").await;
    let run = one.submit("A").await;
    within(one.launcher.wait_until_active(vec!["A@d1"])).await;
    let (twin, _) = host("lab", &url, "d2").await;
    let refused = within(twin.task).await.unwrap().unwrap_err().to_string();
    assert!(refused.contains("lab") && refused.contains("--host"), "{refused}");
    let held = store.run(&run).await.unwrap().unwrap();
    assert_eq!((held.attempts, held.interruptions), (1, 0));
    assert!(matches!(held.state, RunState::Leased | RunState::Running), "{}", held.state);
    one.launcher.let_end("A", 1);
    assert_eq!(one.end_of(&run).await.verdict, Some(Verdict::Passed));
    one.stop().await;
}
