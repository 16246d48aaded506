//! The store in one SQLite file.

use super::sql::{access_in_sql, devices_in_sql, hosts_in_sql, nights_in_sql, queue_in_sql, reviews_in_sql};
use super::{News, StoreError};
use crate::domain::RunId;
use jiff::Timestamp;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// Schema changes in order; `migrations/` holds exactly these. An applied one must never be edited.
const MIGRATIONS: [(i64, &str, &str); 8] = [
    (1, "runs and events", include_str!("migrations/0001_runs_and_events.sql")),
    (2, "interruptions and probe", include_str!("migrations/0002_interruptions_and_probe.sql")),
    (3, "sealed parameters", include_str!("migrations/0003_sealed_params.sql")),
    (4, "keys and standings", include_str!("migrations/0004_keys_and_standings.sql")),
    (5, "tokens and audit", include_str!("migrations/0005_tokens_and_audit.sql")),
    (6, "nights", include_str!("migrations/0006_nights.sql")),
    (7, "cancel requested", include_str!("migrations/0007_cancel_requested.sql")),
    (8, "devices and reviews", include_str!("migrations/0008_devices_and_reviews.sql")),
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
        let open = |source: std::io::Error| StoreError::Open { location: location.clone(), source: source.into() };
        // A link to the database is the same database: both names must lead to one lock, also where the link was there
        // before the database. An empty file is an empty database.
        drop(File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(open)?);
        let path = &std::fs::canonicalize(path).map_err(open)?;
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
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
        let bytes = std::fs::metadata(path).map_or(0, |found| found.len());
        let pool = SqlitePoolOptions::new().max_connections(4);
        let store = Self::connect(location.clone(), options, pool, Some(lock)).await?;
        // A larger one would hold up the start; `tapwright doctor --farm` looks through it.
        if bytes <= MOST_CHECKED {
            look_through(&store.pool, &location).await?;
        }
        Ok(store)
    }

    /// Opens a database that a daemon may be using, for what is no run's: tokens, schedules. Its schema is brought up to
    /// date only where no daemon has it; a daemon does that itself.
    pub async fn attach(path: &Path) -> Result<Self, StoreError> {
        match Self::open(path).await {
            Err(StoreError::InUse { location }) => {
                let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
                let options = options.busy_timeout(Duration::from_secs(5));
                let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
                let pool = pool.map_err(|source| StoreError::Open { location, source: source.into() })?;
                Ok(Self { pool, _lock: None })
            }
            opened => opened,
        }
    }

    /// An empty database that dies with the store.
    pub async fn in_memory() -> Result<Self, StoreError> {
        // Every connection to `:memory:` is a database of its own, so there must be one, for ever.
        let pool = SqlitePoolOptions::new().max_connections(1).min_connections(1).idle_timeout(None).max_lifetime(None);
        Self::connect(":memory:".to_owned(), SqliteConnectOptions::new().in_memory(true), pool, None).await
    }

    /// Looks through a database, which a daemon may be using, for damage. Reads all of it; changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with what was found first.
    pub async fn check_whole(path: &Path) -> Result<(), StoreError> {
        let location = path.display().to_string();
        let pool = Self::beside(path).await?;
        let found = look_through(&pool, &location).await;
        pool.close().await;
        found
    }

    /// Writes a copy of a database, which a daemon may be using, as it is at one moment. Its schema stays as it is, so that the
    /// version before can use the copy.
    ///
    /// # Errors
    /// The copy's file is there already, or cannot be written.
    pub async fn backup(path: &Path, copy: &Path) -> Result<(), StoreError> {
        let pool = Self::beside(path).await?;
        let what = "make a backup";
        let copied = sqlx::query("VACUUM INTO $1").bind(copy.to_string_lossy().into_owned()).execute(&pool).await;
        pool.close().await;
        copied.map(drop).map_err(super::sql::failed(what))?;
        // What is sealed in it is sealed; what is not is nobody else's business.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(copy, mode)
                .map_err(|error| StoreError::Statement { what, source: error.into() })?;
        }
        Ok(())
    }

    /// A connection beside whoever else uses the file.
    async fn beside(path: &Path) -> Result<SqlitePool, StoreError> {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(false);
        let options = options.busy_timeout(Duration::from_secs(5));
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
        pool.map_err(|source| StoreError::Open { location: path.display().to_string(), source: source.into() })
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
            .map_err(|error| damage(&error, &location).unwrap_or_else(|| open_error(location.clone(), error)))?;
        migrator().run(&pool).await.map_err(|error| {
            let found = match &error {
                MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => damage(error, &location),
                _ => None,
            };
            found.unwrap_or_else(|| StoreError::Migrate { location: location.clone(), source: error.into() })
        })?;
        Ok(Self { pool, _lock: lock })
    }
}

fn open_error(location: String, error: sqlx::Error) -> StoreError {
    StoreError::Open { location, source: error.into() }
}

/// The bytes up to which a database is looked through at every start: well below a second on any disk.
const MOST_CHECKED: u64 = 64 << 20;

/// SQLite's codes for a file that is damaged, and for one that is no database (`SQLITE_CORRUPT`, `SQLITE_NOTADB`).
const DAMAGED: [i32; 2] = [11, 26];

/// What an error says of damage to the file; `None` for one that says nothing of it.
fn damage(error: &sqlx::Error, location: &str) -> Option<StoreError> {
    // An extended code has the plain one in its lower eight bits.
    let code: i32 = error.as_database_error()?.code()?.parse().ok()?;
    DAMAGED
        .contains(&(code & 0xff))
        .then(|| StoreError::Corrupt { location: location.to_owned(), reason: error.to_string() })
}

/// Reads all pages of a database; the first damage is the error.
async fn look_through(pool: &SqlitePool, location: &str) -> Result<(), StoreError> {
    let corrupt = |reason: String| StoreError::Corrupt { location: location.to_owned(), reason };
    let found: Result<String, sqlx::Error> = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(pool).await;
    match found {
        Ok(told) if told == "ok" => Ok(()),
        Ok(reason) => Err(corrupt(reason)),
        Err(error) => Err(corrupt(error.to_string())),
    }
}

fn migrator() -> Migrator {
    let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.into_iter().map(migration).collect())
}

access_in_sql!(SqliteStore);
devices_in_sql!(SqliteStore);
hosts_in_sql!(SqliteStore);
reviews_in_sql!(SqliteStore);

queue_in_sql!(SqliteStore);
nights_in_sql!(SqliteStore);

impl SqliteStore {
    /// One daemon has the file.
    const SHARED: bool = false;
    /// Milliseconds a run took; nothing where a time is damaged.
    const TOOK: &'static str =
        "CAST(ROUND((julianday(finished_at) - julianday(started_at)) * 86400000) AS INTEGER) AS ms";
    /// Writers of SQLite take turns; nobody holds a row.
    const SKIP_LOCKED: &'static str = "";

    /// Nobody else is there to be told.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn tell_queue(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Nobody else is there to be told.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn tell_run(&self, _run_id: &RunId) -> Result<(), StoreError> {
        Ok(())
    }

    /// Nobody else is there to be told.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn tell_cancel(&self, _run_id: &RunId) -> Result<(), StoreError> {
        Ok(())
    }

    /// The file's lock keeps every other daemon out, whatever its name.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn hold_name(&self, _host: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// The database has this machine's clock.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn own_clock(&self) -> Result<Timestamp, StoreError> {
        Ok(Timestamp::now())
    }

    /// Nobody else has news.
    #[expect(clippy::unused_async, clippy::unused_self, reason = "PostgreSQL's form has to ask the database")]
    async fn listen(&self) -> Result<Option<Box<dyn News>>, StoreError> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Claimant, Hold, RunEnd, RunFilter, RunState, Store as _};
    use super::super::{story, story_devices};
    use super::*;
    use crate::domain::DeviceSerial;

    #[tokio::test]
    async fn the_story_of_a_queue_holds_in_memory() {
        let store = SqliteStore::in_memory().await.unwrap();
        story::a_queue_from_first_run_to_last(&store).await;
    }

    #[tokio::test]
    async fn the_stories_of_nights_and_tokens_hold() {
        story::nights_and_schedules(&SqliteStore::in_memory().await.unwrap()).await;
        story::tokens_and_audit(&SqliteStore::in_memory().await.unwrap()).await;
        let store = SqliteStore::in_memory().await.unwrap();
        story_devices::devices_are_logged_reserved_and_put_back(&store).await;
        story_devices::reviews_belong_to_runs(&store).await;
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
        let by = Claimant { host: "one".into(), until: Timestamp::UNIX_EPOCH };
        let claimed = store.claim(&run, &device, &by).await;
        assert!(claimed.as_ref().is_err_and(StoreError::may_pass), "{claimed:?}");
        assert_eq!(store.run(&run).await.unwrap().unwrap().state, RunState::Queued);
        sqlx::raw_sql("DROP TRIGGER fault").execute(&store.pool).await.unwrap();
        assert_eq!(store.claim(&run, &device, &by).await.unwrap().unwrap().attempts, 1);
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
        store.finish(&Hold::of(&list[2]), RunEnd::error("damaged"), Timestamp::UNIX_EPOCH).await.unwrap();
        assert_eq!(store.run(&list[2].run_id).await.unwrap().unwrap().state, RunState::Finished);
    }

    #[tokio::test]
    async fn a_backup_is_a_whole_database_taken_while_a_daemon_has_it_and_damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy] = ["runs.sqlite", "copy.sqlite"].map(|name| folder.path().join(name));
        let store = SqliteStore::open(&path).await.unwrap();
        for number in 0..200 {
            store.enqueue(story::new_run(&format!("r-{number}"), "PAY-0001")).await.unwrap();
        }
        SqliteStore::backup(&path, &copy).await.unwrap();
        assert!(SqliteStore::backup(&path, &copy).await.is_err(), "a backup is never overwritten");
        store.enqueue(story::new_run("later", "PAY-0001")).await.unwrap();
        let read = SqliteStore::open(&copy).await.unwrap();
        assert_eq!(read.queue_length().await.unwrap(), 200);
        drop((store, read));
        SqliteStore::check_whole(&copy).await.unwrap();
        let mut bytes = std::fs::read(&copy).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 4096].fill(0xa5);
        let damaged = folder.path().join("damaged.sqlite");
        std::fs::write(&damaged, bytes).unwrap();
        let error = SqliteStore::check_whole(&damaged).await.unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert!(
            error.to_string().contains("damaged.sqlite") && error.to_string().contains("tapwright backup"),
            "{error}"
        );
        // A daemon does not even start on it: one that did would answer from half of its runs.
        for bytes in [std::fs::read(&damaged).unwrap(), vec![0xa5; 8192]] {
            std::fs::write(&damaged, bytes).unwrap();
            let error = SqliteStore::open(&damaged).await.unwrap_err();
            assert!(
                matches!(&error, StoreError::Corrupt { location, .. } if location.ends_with("damaged.sqlite")),
                "{error}"
            );
        }
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
        // The link may be there before the database.
        let (path, link) = (folder.path().join("later.sqlite"), folder.path().join("later-link.sqlite"));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let _first = SqliteStore::open(&link).await.unwrap();
        for name in [&path, &link] {
            let error = SqliteStore::open(name).await.unwrap_err();
            assert!(matches!(error, StoreError::InUse { .. }), "{error}");
        }
    }

    #[tokio::test]
    async fn a_second_daemon_on_the_same_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        let first = SqliteStore::open(&path).await.unwrap();
        let error = SqliteStore::open(&path).await.unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
        drop(first);
        // A program that another test starts at this moment holds the lock until it is loaded.
        let freed = async {
            while let Err(StoreError::InUse { .. }) = SqliteStore::open(&path).await {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), freed).await.unwrap();
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
