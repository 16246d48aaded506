//! The store in a PostgreSQL database that several hosts share.
//!
//! Who changed something tells the others by NOTIFY; what they are told is only that there is something to read.

use super::sql::{access_in_sql, nights_in_sql, queue_in_sql};
use super::{News, StoreError, StoreNews};
use crate::domain::RunId;
use async_trait::async_trait;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use std::str::FromStr as _;
use std::time::Duration;

/// The channel of all news.
const CHANNEL: &str = "tapwright";
/// What is told of the queue; all else is a run's id.
const QUEUE: &str = "queue";
/// Connections of one host.
const CONNECTIONS: u32 = 8;

/// Schema changes in order; `pg_migrations/` holds exactly these. An applied one must never be edited.
const MIGRATIONS: [(i64, &str, &str); 1] = [(1, "all", include_str!("pg_migrations/0001_all.sql"))];

/// Runs and queue in PostgreSQL, for several hosts.
#[derive(Debug)]
pub struct PostgresStore {
    pool: PgPool,
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
            .connect_with(options)
            .await
            .map_err(|source| StoreError::Open { location: location.clone(), source: source.into() })?;
        migrator().run(&pool).await.map_err(|source| StoreError::Migrate { location, source: source.into() })?;
        Ok(Self { pool })
    }

    /// Several daemons use it.
    const SHARED: bool = true;
    /// A run that another host is about to take is not waited for.
    const SKIP_LOCKED: &'static str = "FOR UPDATE SKIP LOCKED";

    async fn tell_queue(&self) -> Result<(), StoreError> {
        self.tell(QUEUE).await
    }

    async fn tell_run(&self, run_id: &RunId) -> Result<(), StoreError> {
        self.tell(run_id.as_str()).await
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
            Some(told) => Ok(StoreNews::Run(RunId::new(told.payload()))),
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
queue_in_sql!(PostgresStore);
nights_in_sql!(PostgresStore);

#[cfg(test)]
mod tests {
    use super::super::pg_server::PgServer;
    use super::super::story;
    use super::*;

    #[tokio::test]
    async fn the_stories_hold_in_postgresql() {
        let server = PgServer::start().await;
        story::a_queue_from_first_run_to_last(&PostgresStore::open(&server.database("queue").await).await.unwrap())
            .await;
        story::nights_and_schedules(&PostgresStore::open(&server.database("nights").await).await.unwrap()).await;
        story::tokens_and_audit(&PostgresStore::open(&server.database("access").await).await.unwrap()).await;
        let url = server.database("shared").await;
        let [one, other] = [PostgresStore::open(&url).await.unwrap(), PostgresStore::open(&url).await.unwrap()];
        story::two_hosts_share_the_queue(&one, &other).await;
        let url = server.database("restart").await;
        let ids = story::a_daemon_dies_with_runs_in_every_state(&PostgresStore::open(&url).await.unwrap()).await;
        story::the_next_daemon_finds_them(&PostgresStore::open(&url).await.unwrap(), ids).await;
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_named_without_the_password() {
        let error = PostgresStore::open("postgres://ann:hunter2@127.0.0.1:1/farm").await.unwrap_err().to_string();
        assert!(error.contains("farm of the PostgreSQL server 127.0.0.1:1") && !error.contains("hunter2"), "{error}");
    }
}
