//! The store in one SQLite file.

use super::row::{self, read_run};
use super::{
    NewRun, Recovered, RunEnd, RunFilter, RunRecord, RunState, Store, StoreError, StoredEvent, StoredStanding,
};
use crate::domain::{DeviceSerial, RunEvent, RunId};
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Row, SqlSafeStr};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// The text of a run that was under way when the daemon died, and had been before.
const INTERRUPTED: &str = "interrupted by a restart, as in the attempt before";
/// Bytes a database must take before it counts as well again: more than any claim or end of a run needs.
const BALLAST: i64 = 64 * 1024;
/// The text of a run that waited with parameters when the daemon died.
const PARAMS_LOST: &str = "parameters were lost at restart; submit again";

/// Schema changes in order; `migrations/` holds exactly these. An applied one must never be edited.
const MIGRATIONS: [(i64, &str, &str); 4] = [
    (1, "runs and events", include_str!("migrations/0001_runs_and_events.sql")),
    (2, "interruptions and probe", include_str!("migrations/0002_interruptions_and_probe.sql")),
    (3, "sealed parameters", include_str!("migrations/0003_sealed_params.sql")),
    (4, "keys and standings", include_str!("migrations/0004_keys_and_standings.sql")),
];

/// Runs and queue in one SQLite file (write-ahead log beside it), or in memory.
#[derive(Debug)]
pub struct SqliteStore {
    pool: SqlitePool,
    /// Held as long as the store lives: `recover` in a second process would end the first one's runs.
    _lock: Option<File>,
}

impl SqliteStore {
    /// Opens the database file, makes it if need be, and brings its schema up to date. `<path>.lock` beside it is
    /// locked until the store is dropped.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let location = path.display().to_string();
        // A link to the database is the same database: both names must lead to one lock.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
        let open = |source: std::io::Error| StoreError::Open { location: location.clone(), source: source.into() };
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(open)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { location }),
            Err(TryLockError::Error(error)) => return Err(open(error)),
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // In WAL mode NORMAL can lose the last commits in a power cut but never damages the file.
            .synchronous(SqliteSynchronous::Normal);
        Self::connect(location, options, SqlitePoolOptions::new().max_connections(4), Some(lock)).await
    }

    /// An empty database that dies with the store.
    pub async fn in_memory() -> Result<Self, StoreError> {
        // Every connection to `:memory:` is a database of its own, so there must be one, for ever.
        let pool = SqlitePoolOptions::new().max_connections(1).min_connections(1).idle_timeout(None).max_lifetime(None);
        Self::connect(":memory:".to_owned(), SqliteConnectOptions::new().in_memory(true), pool, None).await
    }

    async fn connect(
        location: String,
        options: SqliteConnectOptions,
        pool: SqlitePoolOptions,
        lock: Option<File>,
    ) -> Result<Self, StoreError> {
        // What was sealed is not left in free pages either.
        let options = options.foreign_keys(true).busy_timeout(Duration::from_secs(5)).pragma("secure_delete", "ON");
        let pool = pool
            .connect_with(options)
            .await
            .map_err(|source| StoreError::Open { location: location.clone(), source: source.into() })?;
        migrator().run(&pool).await.map_err(|source| StoreError::Migrate { location, source: source.into() })?;
        Ok(Self { pool, _lock: lock })
    }

    /// Explains why a guarded update touched no row.
    async fn refused(&self, run_id: &RunId, what: &'static str) -> StoreError {
        match self.run(run_id).await {
            Ok(Some(run)) => StoreError::WrongState { run_id: run_id.clone(), found: run.state, what },
            Ok(None) => StoreError::UnknownRun(run_id.clone()),
            Err(error) => error,
        }
    }
}

fn migrator() -> Migrator {
    let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.into_iter().map(migration).collect())
}

/// Names the statement that failed.
fn failed(what: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |source| StoreError::Statement { what, source: source.into() }
}

#[async_trait]
impl Store for SqliteStore {
    async fn enqueue(&self, run: NewRun) -> Result<(), StoreError> {
        let NewRun { run_id, mut request, sealed_params, priority, created_at, idempotency_key } = run;
        let params_withheld = !request.params.is_empty();
        request.params.clear();
        let request_json = to_json(&request, &run_id, "request")?;
        sqlx::query(
            "INSERT INTO runs (run_id, case_id, state, priority, request, params_withheld, sealed_params, wanted_device,
                 created_at, idempotency_key)
             VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(run_id.as_str())
        .bind(request.case_id.as_str())
        .bind(priority)
        .bind(request_json)
        .bind(params_withheld)
        .bind(sealed_params)
        .bind(request.device.as_ref().map(DeviceSerial::as_str))
        .bind(created_at.to_string())
        .bind(idempotency_key)
        .execute(&self.pool)
        .await
        .map_err(failed("queue a run"))?;
        Ok(())
    }

    async fn waiting(&self, after: Option<&RunId>, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT runs.* FROM runs LEFT JOIN runs AS last ON last.run_id = ?1
             WHERE runs.state = 'queued' AND (?1 IS NULL OR runs.priority < last.priority
                 OR (runs.priority = last.priority AND runs.number > last.number))
             ORDER BY runs.priority DESC, runs.number LIMIT ?2",
        )
        .bind(after.map(RunId::as_str))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read the queue"))?;
        Ok(rows.iter().filter_map(row::read_or_salvage).collect())
    }

    async fn claim(&self, run_id: &RunId, device: &DeviceSerial) -> Result<Option<RunRecord>, StoreError> {
        // A row that RETURNING gives is not yet on disk: only a commit that succeeded gives the run away.
        let what = failed("take a run from the queue");
        let mut transaction = self.pool.begin().await.map_err(&what)?;
        let rows = sqlx::query(
            "UPDATE runs SET state = 'leased', device = ?2, attempts = attempts + 1, started_at = NULL
             WHERE run_id = ?1 AND state = 'queued'
             RETURNING *",
        )
        .bind(run_id.as_str())
        .bind(device.as_str())
        .fetch_all(&mut *transaction)
        .await
        .map_err(&what)?;
        let run = rows.first().map(read_run).transpose()?;
        transaction.commit().await.map_err(&what)?;
        Ok(run)
    }

    async fn start(&self, run_id: &RunId, at: Timestamp) -> Result<(), StoreError> {
        let done =
            sqlx::query("UPDATE runs SET state = 'running', started_at = ? WHERE run_id = ? AND state = 'leased'")
                .bind(at.to_string())
                .bind(run_id.as_str())
                .execute(&self.pool)
                .await
                .map_err(failed("mark a run as running"))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(run_id, "started").await) }
    }

    async fn append_event(&self, run_id: &RunId, event: &RunEvent) -> Result<u64, StoreError> {
        let json = to_json(event, run_id, "event")?;
        let position: i64 = sqlx::query_scalar(
            "INSERT INTO events (run_id, position, event)
             SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2 FROM events WHERE run_id = ?1
             RETURNING position",
        )
        .bind(run_id.as_str())
        .bind(json)
        .fetch_one(&self.pool)
        .await
        .map_err(failed("store an event"))?;
        position_of(position, run_id.as_str())
    }

    async fn events_after(
        &self,
        run_id: &RunId,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        // A position beyond i64 is beyond every stored one.
        let after = after.map_or(-1, |position| i64::try_from(position).unwrap_or(i64::MAX));
        let rows = sqlx::query(
            "SELECT position, event FROM events WHERE run_id = ? AND position > ? ORDER BY position LIMIT ?",
        )
        .bind(run_id.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read events"))?;
        let read = |row: &SqliteRow| {
            let position = position_of(row.try_get("position").map_err(failed("read events"))?, run_id.as_str())?;
            Ok(StoredEvent { position, json: row.try_get("event").map_err(failed("read events"))? })
        };
        rows.iter().map(read).collect()
    }

    async fn finish(&self, run_id: &RunId, end: RunEnd, at: Timestamp) -> Result<(), StoreError> {
        let result = end.result.as_ref().map(|result| to_json(result, run_id, "result")).transpose()?;
        let state = if end.state == RunState::Cancelled { RunState::Cancelled } else { RunState::Finished };
        let done = sqlx::query(
            "UPDATE runs SET state = ?, verdict = ?, reason = ?, result = ?, finished_at = ?, sealed_params = NULL
             WHERE run_id = ? AND state IN ('queued', 'leased', 'running')",
        )
        .bind(state.as_str())
        .bind(end.verdict.to_string())
        .bind(end.reason)
        .bind(result)
        .bind(at.to_string())
        .bind(run_id.as_str())
        .execute(&self.pool)
        .await
        .map_err(failed("store a result"))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(run_id, "finished").await) }
    }

    async fn requeue(&self, run_id: &RunId) -> Result<(), StoreError> {
        let done = sqlx::query(
            "UPDATE runs SET state = 'queued', device = NULL, started_at = NULL
             WHERE run_id = ? AND state IN ('leased', 'running')",
        )
        .bind(run_id.as_str())
        .execute(&self.pool)
        .await
        .map_err(failed("put a run back into the queue"))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(run_id, "queued again").await) }
    }

    async fn cancel_queued(&self, run_id: &RunId, reason: &str, at: Timestamp) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE runs SET state = 'cancelled', verdict = 'error', reason = ?, finished_at = ?, sealed_params = NULL
             WHERE run_id = ? AND state = 'queued'",
        )
        .bind(reason)
        .bind(at.to_string())
        .bind(run_id.as_str())
        .execute(&self.pool)
        .await
        .map_err(failed("cancel a run"))?;
        Ok(done.rows_affected() == 1)
    }

    async fn run(&self, run_id: &RunId) -> Result<Option<RunRecord>, StoreError> {
        let row = sqlx::query("SELECT * FROM runs WHERE run_id = ?")
            .bind(run_id.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read a run"))?;
        Ok(row.as_ref().and_then(row::read_or_salvage))
    }

    async fn run_with_key(&self, key: &str) -> Result<Option<RunRecord>, StoreError> {
        let row = sqlx::query("SELECT * FROM runs WHERE idempotency_key = ?")
            .bind(key)
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read a run"))?;
        Ok(row.as_ref().and_then(row::read_or_salvage))
    }

    async fn sealed_params(&self, run_id: &RunId) -> Result<Option<Vec<u8>>, StoreError> {
        let found: Option<Option<Vec<u8>>> = sqlx::query_scalar("SELECT sealed_params FROM runs WHERE run_id = ?")
            .bind(run_id.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the parameters of a run"))?;
        Ok(found.flatten())
    }

    async fn runs(&self, filter: RunFilter) -> Result<Vec<RunRecord>, StoreError> {
        // A run before which nothing is known has nothing before it.
        let rows = sqlx::query(
            "SELECT * FROM runs WHERE (?1 IS NULL OR state = ?1)
                 AND (?3 IS NULL OR number < (SELECT number FROM runs WHERE run_id = ?3))
             ORDER BY number DESC LIMIT ?2",
        )
        .bind(filter.state.map(RunState::as_str))
        .bind(filter.limit)
        .bind(filter.before.as_ref().map(RunId::as_str))
        .fetch_all(&self.pool)
        .await
        .map_err(failed("list runs"))?;
        Ok(rows.iter().filter_map(row::read_or_salvage).collect())
    }

    async fn ended_before(&self, limit: Timestamp, most: u32) -> Result<Vec<RunRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM runs WHERE state IN ('finished', 'cancelled') AND finished_at < ? ORDER BY number LIMIT ?",
        )
        .bind(limit.to_string())
        .bind(most)
        .fetch_all(&self.pool)
        .await
        .map_err(failed("list old runs"))?;
        Ok(rows.iter().filter_map(row::read_or_salvage).collect())
    }

    async fn remove_ended(&self, run_id: &RunId) -> Result<(), StoreError> {
        let done = sqlx::query("DELETE FROM runs WHERE run_id = ? AND state IN ('finished', 'cancelled')")
            .bind(run_id.as_str())
            .execute(&self.pool)
            .await
            .map_err(failed("remove an old run"))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(run_id, "removed").await) }
    }

    async fn standings(&self) -> Result<Vec<StoredStanding>, StoreError> {
        let rows = sqlx::query_as::<_, (String, String, String)>("SELECT serial, standing, reason FROM standings")
            .fetch_all(&self.pool)
            .await
            .map_err(failed("read what is held against devices"))?;
        let stored = |(serial, standing, reason): (String, String, String)| StoredStanding {
            serial: DeviceSerial::new(serial),
            standing,
            reason,
        };
        Ok(rows.into_iter().map(stored).collect())
    }

    async fn keep_standing(&self, stored: StoredStanding) -> Result<(), StoreError> {
        sqlx::query("INSERT OR REPLACE INTO standings (serial, standing, reason) VALUES (?, ?, ?)")
            .bind(stored.serial.as_str())
            .bind(stored.standing)
            .bind(stored.reason)
            .execute(&self.pool)
            .await
            .map_err(failed("store what is held against a device"))?;
        Ok(())
    }

    async fn drop_standing(&self, serial: &DeviceSerial) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM standings WHERE serial = ?")
            .bind(serial.as_str())
            .execute(&self.pool)
            .await
            .map_err(failed("store what is held against a device"))?;
        Ok(())
    }

    async fn queue_length(&self) -> Result<u64, StoreError> {
        let length: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM runs WHERE state = 'queued'")
            .fetch_one(&self.pool)
            .await
            .map_err(failed("count the queue"))?;
        Ok(length.unsigned_abs())
    }

    async fn check_writable(&self) -> Result<(), StoreError> {
        let what = failed("write at all");
        let mut transaction = self.pool.begin().await.map_err(&what)?;
        sqlx::query("INSERT OR REPLACE INTO probe (id, ballast) VALUES (1, randomblob(?))")
            .bind(BALLAST)
            .execute(&mut *transaction)
            .await
            .map_err(&what)?;
        transaction.commit().await.map_err(&what)
    }

    async fn recover(&self, at: Timestamp) -> Result<Recovered, StoreError> {
        let what = failed("bring the queue in order after a restart");
        let mut transaction = self.pool.begin().await.map_err(&what)?;
        let end =
            "UPDATE runs SET state = 'finished', verdict = 'error', reason = ?, finished_at = ?, sealed_params = NULL";
        let interrupted: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "{end} WHERE state = 'running' AND interruptions >= 1 RETURNING run_id"
        )))
        .bind(INTERRUPTED)
        .bind(at.to_string())
        .fetch_all(&mut *transaction)
        .await
        .map_err(&what)?;
        let params_lost: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "{end} WHERE state IN ('queued', 'leased', 'running') AND params_withheld = 1 AND sealed_params IS NULL
                 RETURNING run_id"
        )))
        .bind(PARAMS_LOST)
        .bind(at.to_string())
        .fetch_all(&mut *transaction)
        .await
        .map_err(&what)?;
        let requeued: Vec<String> = sqlx::query_scalar(
            "UPDATE runs SET interruptions = interruptions + (state = 'running'), state = 'queued', device = NULL,
                 started_at = NULL
             WHERE state IN ('leased', 'running') RETURNING run_id",
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(&what)?;
        transaction.commit().await.map_err(&what)?;
        let ids = |ids: Vec<String>| ids.into_iter().map(RunId::new).collect();
        Ok(Recovered { requeued: ids(requeued), interrupted: ids(interrupted), params_lost: ids(params_lost) })
    }
}

fn to_json(value: &impl serde::Serialize, run_id: &RunId, field: &'static str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged {
        run_id: run_id.to_string(),
        field,
        reason: error.to_string(),
    })
}

fn position_of(position: i64, run_id: &str) -> Result<u64, StoreError> {
    u64::try_from(position).map_err(|error| StoreError::Damaged {
        run_id: run_id.to_owned(),
        field: "event position",
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::story;
    use super::*;

    #[tokio::test]
    async fn the_story_of_a_queue_holds_in_memory() {
        let store = SqliteStore::in_memory().await.unwrap();
        story::a_queue_from_first_run_to_last(&store).await;
    }

    #[tokio::test]
    async fn the_story_of_a_queue_holds_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("runs.sqlite")).await.unwrap();
        story::a_queue_from_first_run_to_last(&store).await;
    }

    #[tokio::test]
    async fn a_restart_is_recovered_from() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        let ids = {
            let store = SqliteStore::open(&path).await.unwrap();
            story::a_daemon_dies_with_runs_in_every_state(&store).await
        };
        let store = SqliteStore::open(&path).await.unwrap();
        story::the_next_daemon_finds_them(&store, ids).await;
    }

    #[tokio::test]
    async fn parameter_values_never_reach_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("runs.sqlite")).await.unwrap();
        let mut run = story::new_run("r-1", "PAY-0001");
        run.request.params.insert("pin".into(), "135790-very-secret".into());
        store.enqueue(run).await.unwrap();
        let stored = store.run(&RunId::from("r-1")).await.unwrap().unwrap();
        assert!(stored.params_withheld && stored.request.params.is_empty());
        store.pool.close().await;
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            assert!(!bytes.windows(11).any(|part| part == b"very-secret"));
        }
    }

    #[tokio::test]
    async fn a_claim_whose_commit_fails_gives_no_run_away() {
        let store = SqliteStore::in_memory().await.unwrap();
        store.enqueue(story::new_run("r-1", "PAY-0001")).await.unwrap();
        // A violation that is only found at the commit: until then the statement succeeds, as on a disk that is full.
        let fault = "CREATE TABLE nobody (id INTEGER PRIMARY KEY) STRICT;
             CREATE TABLE orphans (of INTEGER REFERENCES nobody (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
             CREATE TRIGGER fault AFTER UPDATE ON runs BEGIN INSERT INTO orphans VALUES (1); END;";
        sqlx::raw_sql(fault).execute(&store.pool).await.unwrap();
        let (run, device) = (RunId::from("r-1"), DeviceSerial::from("a"));
        let claimed = store.claim(&run, &device).await;
        assert!(claimed.as_ref().is_err_and(StoreError::may_pass), "{claimed:?}");
        assert_eq!(store.run(&run).await.unwrap().unwrap().state, RunState::Queued);
        sqlx::raw_sql("DROP TRIGGER fault").execute(&store.pool).await.unwrap();
        assert_eq!(store.claim(&run, &device).await.unwrap().unwrap().attempts, 1);
    }

    #[tokio::test]
    async fn a_full_database_says_so_until_there_is_room_again() {
        let store = SqliteStore::in_memory().await.unwrap();
        store.check_writable().await.unwrap();
        sqlx::raw_sql("DELETE FROM probe; VACUUM; PRAGMA max_page_count = 1").execute(&store.pool).await.unwrap();
        let full = store.check_writable().await.unwrap_err();
        assert!(full.may_pass() && full.to_string().contains("full"), "{full}");
        sqlx::raw_sql("PRAGMA max_page_count = 100000").execute(&store.pool).await.unwrap();
        store.check_writable().await.unwrap();
    }

    #[tokio::test]
    async fn a_damaged_row_stops_neither_the_queue_nor_the_list() {
        let store = SqliteStore::in_memory().await.unwrap();
        for id in ["r-1", "r-2", "r-3"] {
            store.enqueue(story::new_run(id, "PAY-0001")).await.unwrap();
        }
        let damage = "UPDATE runs SET request = '{' WHERE run_id = 'r-1'; UPDATE runs SET created_at = 'noon', case_id = '/' WHERE run_id = 'r-2'";
        sqlx::raw_sql(damage).execute(&store.pool).await.unwrap();
        let waiting = store.waiting(None, 10).await.unwrap();
        let told: Vec<_> = waiting.iter().map(|run| (run.run_id.as_str(), run.damage.is_some())).collect();
        assert_eq!(told, [("r-1", true), ("r-2", true), ("r-3", false)]);
        let list = store.runs(RunFilter { limit: 10, ..RunFilter::default() }).await.unwrap();
        assert_eq!(
            list.iter().map(|run| run.case_id().as_str()).collect::<Vec<_>>(),
            ["PAY-0001", "DAMAGED", "PAY-0001"]
        );
        assert!(list[2].reason.contains("its request in the database is damaged"), "{}", list[2].reason);
        store.finish(&list[2].run_id, RunEnd::error("damaged"), Timestamp::UNIX_EPOCH).await.unwrap();
        assert_eq!(store.run(&list[2].run_id).await.unwrap().unwrap().state, RunState::Finished);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_to_the_database_is_the_same_database() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("runs.sqlite"), folder.path().join("link.sqlite"));
        let _first = SqliteStore::open(&path).await.unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let error = SqliteStore::open(&link).await.unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    }

    #[tokio::test]
    async fn a_second_daemon_on_the_same_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        let first = SqliteStore::open(&path).await.unwrap();
        let error = SqliteStore::open(&path).await.unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
        drop(first);
        SqliteStore::open(&path).await.unwrap();
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "this is no database, and longer than one header of a hundred bytes ".repeat(4)).unwrap();
        let error = SqliteStore::open(&path).await.unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
        let error = SqliteStore::open(&folder.path().join("missing/runs.sqlite")).await.unwrap_err().to_string();
        assert!(error.contains("check that its folder exists"), "{error}");
    }

    #[test]
    fn every_migration_file_is_listed_in_order() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/migrations");
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        assert_eq!(texts, MIGRATIONS.map(|(_, _, sql)| sql.to_owned()));
        for (index, (version, ..)) in MIGRATIONS.iter().enumerate() {
            assert_eq!(*version, index as i64 + 1);
        }
    }
}
