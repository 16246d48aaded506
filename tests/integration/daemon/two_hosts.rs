//! Two daemons on one PostgreSQL database; one dies.

use super::fake_launcher::Behaviour::Steps;
use super::pg_server::PgServer;
use super::test_daemon::{TestDaemon, limits, within};
use std::sync::Arc;
use std::time::Duration;
use tapwright::daemon::Daemon;
use tapwright::domain::Verdict;
use tapwright::store::{PostgresStore, Store};
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
