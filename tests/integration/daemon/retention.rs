//! What the daemon removes of the past, and what it must not.

use super::fake_launcher::Behaviour::Steps;
use super::test_daemon::{TestDaemon, database, limits, request};
use jiff::{SignedDuration, Timestamp};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tapwright::daemon::Retention;
use tapwright::domain::RunId;
use tapwright::store::{Hold, NewRun, RunEnd, SqliteStore, Store};
use tempfile::TempDir;

/// A run of case A in the database, ended so many days ago, or still waiting.
async fn run(store: &SqliteStore, id: &str, ended_days_ago: Option<i64>) {
    let at = Timestamp::now() - SignedDuration::from_hours(24 * ended_days_ago.unwrap_or(30));
    let mut request = request("A");
    request.device = Some("away".into());
    let new = NewRun {
        run_id: RunId::from(id),
        request,
        sealed_params: None,
        priority: 0,
        created_at: at,
        idempotency_key: None,
        place: None,
    };
    store.enqueue(new).await.unwrap();
    if ended_days_ago.is_some() {
        store.finish(&Hold { run_id: RunId::from(id), fence: 0 }, RunEnd::error("a test"), at).await.unwrap();
    }
}

/// A folder of case A with a file of so many bytes.
fn record(folder: &Path, name: &str, bytes: usize) {
    let run = folder.join("runs/A").join(name);
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("events.jsonl"), vec![b'x'; bytes]).unwrap();
}

fn recorded(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("runs/A")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Starts a daemon that retains so much, and stops it once these recordings are left, and the runs it knows are these.
async fn care(folder: &Arc<TempDir>, retention: Retention, left: &[&str], known: &[&str]) {
    let cases = [("A", Steps(1))];
    let daemon = TestDaemon::start_retaining(Arc::clone(folder), limits(), &["d1"], &cases, retention).await;
    let done = async {
        loop {
            let mut told = Vec::new();
            for id in ["r-new", "r-old", "r-wait"] {
                told.extend(daemon.client.run(&RunId::from(id)).await.is_ok().then_some(id));
            }
            if recorded(folder.path()) == left && told == known {
                return;
            }
        }
    };
    let reached = tokio::time::timeout(Duration::from_secs(30), done).await;
    assert!(reached.is_ok(), "left are {:?}", recorded(folder.path()));
    daemon.stop().await;
}

async fn past() -> Arc<TempDir> {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let store = SqliteStore::open(&database(folder.path())).await.unwrap();
    for (id, ended) in [("r-old", Some(10)), ("r-new", Some(1)), ("r-wait", None)] {
        run(&store, id, ended).await;
    }
    for name in ["r-old", "r-old.attempt-1", "r-new", "r-new.partial", "r-wait.partial", "r-cli", "r-cli2.partial"] {
        record(folder.path(), name, 1000);
    }
    folder
}

#[tokio::test]
async fn nothing_goes_by_age_where_no_run_is_young() {
    let folder = past().await;
    // By a clock that is two days ahead all runs are old: those of yesterday and that which waits for thirty days, too.
    let store = SqliteStore::open(&database(folder.path())).await.unwrap();
    store.remove_ended(&RunId::from("r-new")).await.unwrap();
    drop(store);
    // A cut-off recording of nobody's run stays for a day in any case.
    let left = ["r-cli", "r-cli2.partial", "r-new", "r-new.partial", "r-old", "r-old.attempt-1", "r-wait.partial"];
    care(&folder, Retention { days: Some(7), bytes: None }, &left, &["r-old", "r-wait"]).await;
}

const ALL: [&str; 3] = ["r-new", "r-old", "r-wait"];

#[tokio::test]
async fn what_is_old_goes_and_what_waits_or_belongs_to_others_stays() {
    let folder = past().await;
    let left = ["r-cli", "r-cli2.partial", "r-new", "r-old", "r-old.attempt-1", "r-wait.partial"];
    care(&folder, Retention::default(), &left, &ALL).await;
    let left = ["r-cli", "r-cli2.partial", "r-new", "r-wait.partial"];
    care(&folder, Retention { days: Some(7), bytes: None }, &left, &["r-new", "r-wait"]).await;
}

#[tokio::test]
async fn the_oldest_recordings_make_room_and_their_runs_stay_in_the_list() {
    let folder = past().await;
    // By their ids, "r-new" is older than "r-old".
    let left = ["r-cli", "r-cli2.partial", "r-old", "r-old.attempt-1", "r-wait.partial"];
    care(&folder, Retention { days: None, bytes: Some(3500) }, &left, &ALL).await;
    // What waits is never taken, however little room there is.
    let left = ["r-cli", "r-cli2.partial", "r-wait.partial"];
    care(&folder, Retention { days: None, bytes: Some(0) }, &left, &ALL).await;
}
