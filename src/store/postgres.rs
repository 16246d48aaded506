//! The store in a PostgreSQL database that several hosts share.
//!
//! Who changed something tells the others by NOTIFY; what they are told is only that there is something to read.

use super::sql::{access_in_sql, devices_in_sql, hosts_in_sql, nights_in_sql, queue_in_sql, reviews_in_sql};
use super::{News, StoreError, StoreNews};
use crate::domain::RunId;
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions};
use sqlx::{Connection as _, SqlSafeStr};
use std::str::FromStr as _;
use std::time::Duration;
use tokio::sync::Mutex;

/// The channel of all news.
const CHANNEL: &str = "tapwright";
/// What is told of the queue.
const QUEUE: &str = "queue";
/// Before the id of a run whose end is asked for; all else that is told is a run's id.
const CANCEL: &str = "cancel ";
/// The class of the locks on hosts' names, among the server's advisory locks.
const NAMES: i32 = 0x7461_7077;
/// Connections of one host.
const CONNECTIONS: u32 = 8;

/// Schema changes in order; `pg_migrations/` holds exactly these. An applied one must never be edited.
const MIGRATIONS: [(i64, &str, &str); 3] = [
    (1, "all", include_str!("pg_migrations/0001_all.sql")),
    (2, "cancel requested", include_str!("pg_migrations/0002_cancel_requested.sql")),
    (3, "devices and reviews", include_str!("pg_migrations/0003_devices_and_reviews.sql")),
];

/// Runs and queue in PostgreSQL, for several hosts.
#[derive(Debug)]
pub struct PostgresStore {
    pool: PgPool,
    /// For connections of its own.
    options: PgConnectOptions,
    /// The session that holds this host's name.
    name: Mutex<Option<PgConnection>>,
}

impl PostgresStore {
    /// Connects to the database at `url` (`postgres://user@host/database`) and brings its schema up to date; hosts that
    /// start at once take turns.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        // The URL may hold a password: what is told of it does not.
        let options = PgConnectOptions::from_str(url)
            .map_err(|source| StoreError::Open { location: "in PostgreSQL".to_owned(), source: source.into() })?
            .application_name("tapwright");
        let database = options.get_database().unwrap_or("(its user's)");
        let location = format!("{database} of the PostgreSQL server {}:{}", options.get_host(), options.get_port());
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(Duration::from_secs(10));
        let pool = pool
            .connect_with(options.clone())
            .await
            .map_err(|source| StoreError::Open { location: location.clone(), source: source.into() })?;
        migrator().run(&pool).await.map_err(|source| StoreError::Migrate { location, source: source.into() })?;
        Ok(Self { pool, options, name: Mutex::new(None) })
    }

    /// Several daemons use it.
    const SHARED: bool = true;
    /// Milliseconds a run took; nothing where a time is damaged.
    const TOOK: &'static str = "CASE WHEN started_at ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$'
             AND finished_at ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$'
         THEN CAST(EXTRACT(EPOCH FROM (CAST(finished_at AS TIMESTAMPTZ) - CAST(started_at AS TIMESTAMPTZ))) * 1000
             AS BIGINT) END AS ms";
    /// A run that another host is about to take is not waited for.
    const SKIP_LOCKED: &'static str = "FOR UPDATE SKIP LOCKED";

    async fn tell_queue(&self) -> Result<(), StoreError> {
        self.tell(QUEUE).await
    }

    async fn tell_run(&self, run_id: &RunId) -> Result<(), StoreError> {
        self.tell(run_id.as_str()).await
    }

    async fn tell_cancel(&self, run_id: &RunId) -> Result<(), StoreError> {
        self.tell(&format!("{CANCEL}{run_id}")).await
    }

    /// The server's time; hosts whose clocks differ measure leases alike.
    async fn own_clock(&self) -> Result<Timestamp, StoreError> {
        let what = "ask for the time";
        let milliseconds: i64 =
            sqlx::query_scalar("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
                .fetch_one(&self.pool)
                .await
                .map_err(super::sql::failed(what))?;
        Timestamp::from_millisecond(milliseconds).map_err(|error| StoreError::Statement { what, source: error.into() })
    }

    /// Holds the name by a lock of a session of its own, which the server lets go when this process ends. A session that
    /// broke is made anew.
    async fn hold_name(&self, host: &str) -> Result<(), StoreError> {
        let failed = super::sql::failed("hold this host's name");
        let mut held = self.name.lock().await;
        if let Some(session) = held.as_mut()
            && session.ping().await.is_ok()
        {
            return Ok(());
        }
        *held = None;
        // A server that hears nothing of a machine that went off lets its name go after half a minute.
        let patience = [("tcp_keepalives_idle", "10"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "4")];
        let mut session = PgConnection::connect_with(&self.options.clone().options(patience)).await.map_err(&failed)?;
        let taken: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1, hashtext($2))")
            .bind(NAMES)
            .bind(host)
            .fetch_one(&mut session)
            .await
            .map_err(&failed)?;
        if !taken {
            return Err(StoreError::NameInUse { host: host.to_owned() });
        }
        *held = Some(session);
        Ok(())
    }

    async fn tell(&self, what: &str) -> Result<(), StoreError> {
        sqlx::query("SELECT pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(what)
            .execute(&self.pool)
            .await
            .map_err(super::sql::failed("tell the other hosts"))?;
        Ok(())
    }

    async fn listen(&self) -> Result<Option<Box<dyn News>>, StoreError> {
        let failed = super::sql::failed("listen to the other hosts");
        let mut listener = PgListener::connect_with(&self.pool).await.map_err(&failed)?;
        listener.listen(CHANNEL).await.map_err(&failed)?;
        Ok(Some(Box::new(Listener(listener))))
    }
}

/// News of the other hosts, and one's own.
struct Listener(PgListener);

#[async_trait]
impl News for Listener {
    async fn next(&mut self) -> Result<StoreNews, StoreError> {
        // A connection that broke is made again by the listener; what was told meanwhile is lost, and looked for.
        match self.0.try_recv().await.map_err(super::sql::failed("listen to the other hosts"))? {
            None => Ok(StoreNews::Queue),
            Some(told) if told.payload() == QUEUE => Ok(StoreNews::Queue),
            Some(told) => Ok(match told.payload().strip_prefix(CANCEL) {
                Some(run_id) => StoreNews::Cancel(RunId::new(run_id)),
                None => StoreNews::Run(RunId::new(told.payload())),
            }),
        }
    }
}

fn migrator() -> Migrator {
    let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.into_iter().map(migration).collect())
}

access_in_sql!(PostgresStore);
devices_in_sql!(PostgresStore);
hosts_in_sql!(PostgresStore);
reviews_in_sql!(PostgresStore);
queue_in_sql!(PostgresStore);
nights_in_sql!(PostgresStore);

#[cfg(test)]
mod tests {
    use super::super::pg_server::PgServer;
    use super::super::{story, story_devices};
    use super::*;

    #[tokio::test]
    async fn the_stories_hold_in_postgresql() {
        let server = PgServer::start().await;
        story::a_queue_from_first_run_to_last(&PostgresStore::open(&server.database("queue").await).await.unwrap())
            .await;
        story::nights_and_schedules(&PostgresStore::open(&server.database("nights").await).await.unwrap()).await;
        story::tokens_and_audit(&PostgresStore::open(&server.database("access").await).await.unwrap()).await;
        let store = PostgresStore::open(&server.database("devices").await).await.unwrap();
        story_devices::devices_are_logged_reserved_and_put_back(&store).await;
        story_devices::reviews_belong_to_runs(&store).await;
        let url = server.database("shared").await;
        let [one, other] = [PostgresStore::open(&url).await.unwrap(), PostgresStore::open(&url).await.unwrap()];
        story::two_hosts_share_the_queue(&one, &other).await;
        story::the_end_of_a_run_is_asked_for_elsewhere(&one, &other).await;
        let url = server.database("restart").await;
        let ids = story::a_daemon_dies_with_runs_in_every_state(&PostgresStore::open(&url).await.unwrap()).await;
        story::the_next_daemon_finds_them(&PostgresStore::open(&url).await.unwrap(), ids).await;
    }

    #[tokio::test]
    async fn a_name_is_one_daemons_as_long_as_its_session_lives() {
        let server = PgServer::start().await;
        let url = server.database("names").await;
        let [one, other] = [PostgresStore::open(&url).await.unwrap(), PostgresStore::open(&url).await.unwrap()];
        one.hold_name("lab").await.unwrap();
        one.hold_name("lab").await.expect("it is still its own");
        let refused = other.hold_name("lab").await.unwrap_err();
        assert!(matches!(&refused, StoreError::NameInUse { host } if host == "lab"), "{refused}");
        assert!(refused.to_string().contains("--host") && !refused.may_pass(), "{refused}");
        other.hold_name("office").await.expect("another name");

        // The session breaks; the name is taken anew, unless somebody else was faster.
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'";
        sqlx::raw_sql(kill).execute(&one.pool).await.unwrap();
        let again = async { while one.hold_name("lab").await.is_err() {} };
        tokio::time::timeout(Duration::from_secs(30), again).await.unwrap();
        assert!(other.hold_name("lab").await.is_err());
        one.name.lock().await.take().unwrap().close().await.unwrap();
        // `other` gave up "office" with its session.
        let freed = async { while other.hold_name("lab").await.is_err() {} };
        tokio::time::timeout(Duration::from_secs(30), freed).await.unwrap();
    }

    #[tokio::test]
    async fn leases_are_measured_by_the_servers_clock() {
        let server = PgServer::start().await;
        let store = PostgresStore::open(&server.database("clock").await).await.unwrap();
        let asked = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
        let [before, after] = {
            let before: i64 = sqlx::query_scalar(asked).fetch_one(&store.pool).await.unwrap();
            let told = store.own_clock().await.unwrap().as_millisecond();
            let after: i64 = sqlx::query_scalar(asked).fetch_one(&store.pool).await.unwrap();
            [told - before, after - told]
        };
        assert!(before >= 0 && after >= 0, "{before} {after}");
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_named_without_the_password() {
        let error = PostgresStore::open("postgres://ann:hunter2@127.0.0.1:1/farm").await.unwrap_err().to_string();
        assert!(error.contains("farm of the PostgreSQL server 127.0.0.1:1") && !error.contains("hunter2"), "{error}");
    }
}
