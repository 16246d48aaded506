//! The database fails while the daemon works: what cannot be written down is not done, and nothing is done twice.

use super::brittle_store::BrittleStore;
use super::fake_launcher::Behaviour::{Steps, Talks};
use super::nights::{self, ask, ended};
use super::test_daemon::{TestDaemon, database, limits, reopen, request, rows, within};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Sqlite;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tapwright::daemon::{Daemon, Limits};
use tapwright::domain::{RunId, Verdict};
use tapwright::store::{NewRun, RunState, SqliteStore, Store};

/// A second hand on the daemon's database.
struct Saboteur(SqlitePool);

impl Saboteur {
    async fn on(daemon: &TestDaemon) -> Self {
        let options = SqliteConnectOptions::new().filename(database(daemon.folder.path()));
        Self(SqlitePool::connect_with(options).await.unwrap())
    }

    async fn run(&self, sql: &'static str) {
        sqlx::raw_sql(sql).execute(&self.0).await.unwrap();
    }

    /// From now on no change of a run can be committed, as on a full disk: the statements themselves succeed.
    async fn refuse_commits(&self) {
        self.run(
            "CREATE TABLE IF NOT EXISTS nobody (id INTEGER PRIMARY KEY) STRICT;
             CREATE TABLE IF NOT EXISTS orphans (of INTEGER REFERENCES nobody (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
             CREATE TRIGGER fault AFTER UPDATE ON runs BEGIN INSERT INTO orphans VALUES (1); END;
             CREATE TRIGGER probe_fault AFTER INSERT ON probe BEGIN INSERT INTO orphans VALUES (1); END;",
        )
        .await;
    }

    /// Runs can still be given away; that one has begun cannot be committed, and from then on nothing can.
    async fn refuse_beginnings(&self) {
        self.run(
            "CREATE TABLE IF NOT EXISTS nobody (id INTEGER PRIMARY KEY) STRICT;
             CREATE TABLE IF NOT EXISTS orphans (of INTEGER REFERENCES nobody (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
             CREATE TRIGGER fault AFTER UPDATE ON runs WHEN NEW.state = 'running' BEGIN INSERT INTO orphans VALUES (1); END;
             CREATE TRIGGER probe_fault AFTER INSERT ON probe BEGIN INSERT INTO orphans VALUES (1); END;",
        )
        .await;
    }

    /// Nobody else can write until what is given back is let go; each waits for that as long as it may.
    async fn hang(&self) -> Hang {
        let mut connection = self.0.acquire().await.unwrap();
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await.unwrap();
        Hang(connection)
    }

    async fn relent(&self) {
        self.run("DROP TRIGGER fault; DROP TRIGGER probe_fault;").await;
    }
}

struct Hang(PoolConnection<Sqlite>);

impl Hang {
    async fn end(mut self) {
        sqlx::raw_sql("ROLLBACK").execute(&mut *self.0).await.unwrap();
    }
}

/// A run that is under way, with its first event stored.
async fn running(daemon: &TestDaemon, case_id: &str) -> RunId {
    let run_id = daemon.submit(case_id).await;
    let running = async { while daemon.client.run(&run_id).await.unwrap().state != RunState::Running {} };
    within(running).await;
    run_id
}

async fn trouble(daemon: &TestDaemon) -> String {
    let told = async {
        loop {
            if let Some(trouble) = daemon.client.health().await.unwrap().store_trouble {
                return trouble;
            }
        }
    };
    within(told).await
}

#[tokio::test]
async fn a_run_whose_claim_cannot_be_stored_is_not_made() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    let saboteur = Saboteur::on(&daemon).await;
    saboteur.refuse_commits().await;
    daemon.launcher.let_end("A", 100);
    let run_id = daemon.submit("A").await;
    assert!(trouble(&daemon).await.contains("the run database failed to"));
    assert_eq!(daemon.launcher.launched(), [], "nothing is done that cannot be written down");
    saboteur.relent().await;
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.verdict, daemon.launcher.launched().len()), (Some(Verdict::Passed), 1));
    assert_eq!(daemon.client.health().await.unwrap().store_trouble, None);
    daemon.stop().await;
}

#[tokio::test]
async fn the_end_of_a_run_is_written_as_soon_as_there_is_room_and_the_run_is_made_once() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1)), ("B", Steps(1))]).await;
    let saboteur = Saboteur::on(&daemon).await;
    let (first, second) = (daemon.submit("A").await, daemon.submit("B").await);
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    saboteur.refuse_commits().await;
    daemon.launcher.let_end("A", 100);
    daemon.launcher.let_end("B", 100);
    trouble(&daemon).await;
    assert_eq!(daemon.launcher.launched().len(), 1, "no run gets a device meanwhile");
    saboteur.relent().await;
    assert_eq!(daemon.end_of(&first).await.verdict, Some(Verdict::Passed));
    assert_eq!(daemon.end_of(&second).await.verdict, Some(Verdict::Passed));
    let launched: Vec<_> = daemon.launcher.launched().into_iter().map(|run| run.case_id).collect();
    assert_eq!(launched, ["A", "B"]);
    daemon.stop().await;
}

#[tokio::test]
async fn that_a_run_began_and_that_it_waits_again_are_written_as_soon_as_there_is_room() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    let saboteur = Saboteur::on(&daemon).await;
    saboteur.refuse_beginnings().await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    trouble(&daemon).await;
    assert_eq!(daemon.client.run(&run_id).await.unwrap().state, RunState::Leased);
    saboteur.relent().await;
    within(async { while daemon.client.run(&run_id).await.unwrap().state != RunState::Running {} }).await;

    // Its device vanishes while nothing can be written: it is given to no other until that is.
    saboteur.refuse_commits().await;
    daemon.devices.send_replace(rows(&["d2"]));
    trouble(&daemon).await;
    let told = daemon.client.run(&run_id).await.unwrap();
    assert_eq!((told.state, daemon.launcher.launched().len()), (RunState::Running, 1));
    saboteur.relent().await;
    within(daemon.launcher.wait_until_active(vec!["A@d2"])).await;
    daemon.launcher.let_end("A", 1);
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.verdict, end.attempts), (Some(Verdict::Passed), 2));
    daemon.stop().await;
}

#[tokio::test]
async fn a_damaged_run_ends_as_error_and_those_behind_it_are_made() {
    let daemon = TestDaemon::start(&[], &[("A", Steps(1)), ("B", Steps(1))]).await;
    let (damaged, sound) = (daemon.submit("A").await, daemon.submit("B").await);
    Saboteur::on(&daemon).await.run("UPDATE runs SET request = '{\"case_id\":7}' WHERE case_id = 'A'").await;
    daemon.launcher.let_end("B", 1);
    daemon.devices.send_replace(super::test_daemon::rows(&["d1"]));
    assert_eq!(daemon.end_of(&sound).await.verdict, Some(Verdict::Passed));
    let end = daemon.end_of(&damaged).await;
    assert_eq!((end.state, end.verdict), (RunState::Finished, Some(Verdict::Error)));
    assert!(end.reason.contains("its request in the database is damaged"), "{}", end.reason);
    let list: serde_json::Value =
        daemon.http.get(format!("{}/api/v1/runs", daemon.url)).send().await.unwrap().json().await.unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
    daemon.stop().await;
}

#[tokio::test]
async fn a_damaged_night_schedule_reservation_or_time_stops_none_of_the_others() {
    let cases = [("A", Steps(1)), ("B", Steps(1)), ("C", Steps(1))];
    let daemon = nights::daemon(&["p1"], &cases, vec![]).await;
    daemon.launcher.let_end("A", 9);
    let night = || async {
        let spec = json!({"name": "nightly", "cases": ["A"]});
        let (_, batch) = ask(&daemon, Method::POST, "batches", Some(spec)).await;
        ended(&daemon, batch["batch_id"].as_str().unwrap()).await
    };
    night().await;
    for name in ["broken", "weekly"] {
        let schedule = json!({"name": name, "cron": "0 2 * * sun", "zone": "UTC", "spec": {"cases": ["A"]}});
        assert_eq!(ask(&daemon, Method::POST, "schedules", Some(schedule)).await.0, 201);
    }
    let damage = "UPDATE batches SET spec = '{', finished_at = NULL;
         UPDATE runs SET started_at = 'yesterday';
         UPDATE schedules SET spec = '{', next_at = '2026-01-01T00:00:00Z' WHERE name = 'broken';
         INSERT INTO reservations VALUES ('p9', 'ann', '', 'for ever');
         INSERT INTO hosts VALUES ('other', 'just now', '[]');";
    Saboteur::on(&daemon).await.run(damage).await;
    let second = night().await;
    assert_eq!(second["batch"]["tally"]["passed"], 1);
    let (_, nights) = ask(&daemon, Method::GET, "batches", None).await;
    assert_eq!(nights.as_array().unwrap().len(), 1, "{nights}");
    let (_, schedules) = ask(&daemon, Method::GET, "schedules", None).await;
    assert_eq!((schedules.as_array().unwrap().len(), &schedules[0]["name"]), (1, &json!("weekly")));
    assert_eq!(ask(&daemon, Method::POST, "schedules/weekly/begin", Some(Value::Null)).await.0, 202);
    assert_eq!(ask(&daemon, Method::GET, "hosts", None).await.0, 200);
    let folder = Arc::clone(&daemon.folder);
    daemon.stop().await;
    // The next one does not fail at its start either.
    let daemon = TestDaemon::start_in(folder, limits(), &["p1"], &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", 9);
    let run_id = daemon.submit("A").await;
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn however_many_runs_wait_for_an_absent_device_the_others_are_made() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    {
        let store = SqliteStore::open(&database(folder.path())).await.unwrap();
        for number in 0..1200 {
            let mut absent = request("A");
            absent.device = Some("away".into());
            let run_id = RunId::new(format!("r-{number}"));
            let created_at = jiff::Timestamp::UNIX_EPOCH;
            store
                .enqueue(NewRun {
                    run_id,
                    request: absent,
                    sealed_params: None,
                    priority: 0,
                    created_at,
                    idempotency_key: None,
                    place: None,
                })
                .await
                .unwrap();
        }
    }
    let daemon = TestDaemon::start_in(folder, limits(), &["d1"], &[("A", Steps(1)), ("B", Steps(1))]).await;
    daemon.launcher.let_end("B", 1);
    let behind = daemon.submit("B").await;
    assert_eq!(daemon.end_of(&behind).await.verdict, Some(Verdict::Passed));
    assert_eq!(daemon.client.health().await.unwrap().queue_length, 1200);
    daemon.stop().await;
}

#[tokio::test]
async fn calling_off_a_pair_frees_the_device_that_was_kept_for_it() {
    let cases = [("DUO-1", Steps(1)), ("A", Steps(1)), ("B", Steps(1))];
    let daemon = TestDaemon::start(&["d1", "d2"], &cases).await;
    daemon.submit("A").await;
    within(daemon.launcher.wait_until_busy(1)).await;
    let pair = daemon.submit("DUO-1").await;
    let behind = daemon.submit("B").await;
    daemon.client.cancel(&pair).await.unwrap();
    daemon.launcher.let_end("B", 1);
    assert_eq!(daemon.end_of(&behind).await.verdict, Some(Verdict::Passed));
    daemon.launcher.let_end("A", 1);
    daemon.stop().await;
}

#[tokio::test]
async fn an_attempt_that_falls_over_in_the_database_ends_its_run_and_frees_its_device() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let store = Arc::new(BrittleStore::over(reopen(folder.path()).await));
    let (daemon, store_of_daemon) = (Daemon::with_limits(limits()), Arc::<BrittleStore>::clone(&store));
    let daemon = TestDaemon::start_on(daemon, store_of_daemon, folder, &["d1"], &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", 100);
    for (falls, verdict) in [
        (&["sealed_params"][..], Verdict::Error),
        (&["start"], Verdict::Passed),
        (&["append_event"], Verdict::Passed),
        (&["finish"], Verdict::Error),
    ] {
        store.fall_over_in(falls);
        let mut with_params = request("A");
        with_params.params.insert("pin".into(), "1".into());
        let run_id = daemon.client.submit(with_params).await.unwrap().run_id;
        let end = daemon.end_of(&run_id).await;
        assert_eq!((end.verdict, store.falls_to_come()), (Some(verdict), 0), "{falls:?}: {}", end.reason);
        let told = format!("the attempt fell over, which is a defect of Tapwright: {} fell over", falls[0]);
        assert_eq!(end.reason == told, verdict == Verdict::Error, "{}", end.reason);
    }
    // What cannot be written down at all still keeps no device.
    store.fall_over_in(&["finish", "finish"]);
    let lost = daemon.submit("A").await;
    let next = daemon.submit("A").await;
    assert_eq!(daemon.end_of(&next).await.verdict, Some(Verdict::Passed));
    assert_eq!(daemon.client.run(&lost).await.unwrap().state, RunState::Running);
    let folder = Arc::clone(&daemon.folder);
    drop(store);
    daemon.stop().await;
    let daemon = TestDaemon::start_in(folder, limits(), &["d1"], &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&lost).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_database_that_hangs() {
    let short = Duration::from_millis(100);
    let limits = Limits { drain: short, cancel_grace: short, store_grace: short, close: short, ..limits() };
    let cases = [("A", Talks(50)), ("B", Steps(1))];
    let daemon = TestDaemon::start_with(limits, &["d1"], &cases).await;
    let told = running(&daemon, "A").await;
    let waiting = daemon.submit("B").await;
    let hang = Saboteur::on(&daemon).await.hang().await;
    // Fifty steps wait to be stored, and a run for its device: each write would wait for five seconds.
    daemon.launcher.let_end("A", 1);
    within(daemon.launcher.wait_until_active(vec![])).await;
    daemon.devices.send_replace(rows(&["d1", "d2"]));
    let folder = Arc::clone(&daemon.folder);
    let begun = Instant::now();
    daemon.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(4), "gone after {:?}", begun.elapsed());
    hang.end().await;

    // Nothing is lost: what the database did not take in the end is made again.
    let daemon = TestDaemon::start_in(folder, super::test_daemon::limits(), &["d1"], &cases).await;
    daemon.launcher.let_end("A", 1);
    daemon.launcher.let_end("B", 1);
    assert_eq!(daemon.end_of(&told).await.verdict, Some(Verdict::Passed));
    assert_eq!(daemon.end_of(&waiting).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn the_events_of_a_run_do_not_hold_up_its_end_while_the_database_hangs() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Talks(50))]).await;
    let run_id = running(&daemon, "A").await;
    let hang = Saboteur::on(&daemon).await.hang().await;
    daemon.launcher.let_end("A", 1);
    let end_refused = async { while !trouble(&daemon).await.contains("store a result") {} };
    within(end_refused).await;
    hang.end().await;
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}
