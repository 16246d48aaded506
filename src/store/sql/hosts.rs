//! Hosts in SQL.

use crate::store::{HostRecord, StoreError};

/// A row of `hosts`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct HostRow {
    name: String,
    seen_at: String,
    devices: String,
}

impl HostRow {
    pub(in crate::store) fn read(self) -> Result<HostRecord, StoreError> {
        let of = format!("host {}", self.name);
        let devices = serde_json::from_str(&self.devices).map_err(|error| StoreError::DamagedRow {
            row: of.clone(),
            field: "devices",
            reason: error.to_string(),
        })?;
        Ok(HostRecord { seen_at: super::time_of(&self.seen_at, &of, "seen_at")?, name: self.name, devices })
    }
}

/// Implements `HostStore` for a store with a `pool`, and `hold_name`, `own_clock` and `tell_cancel`.
macro_rules! hosts_in_sql {
    ($store:ty) => {
        const _: () = {
            use jiff::Timestamp;
            use $crate::domain::RunId;
            use $crate::store::sql::{HostRow, failed, readable};
            use $crate::store::{HostRecord, HostStore, StoreError, Whom};

            #[async_trait::async_trait]
            impl HostStore for $store {
                async fn enter(&self, host: &str) -> Result<(), StoreError> {
                    self.hold_name(host).await
                }

                async fn clock(&self) -> Result<Timestamp, StoreError> {
                    self.own_clock().await
                }

                async fn heartbeat(&self, host: HostRecord, until: Timestamp) -> Result<(), StoreError> {
                    let what = failed("give a sign of life");
                    let devices = serde_json::to_string(&host.devices)
                        .map_err(|error| StoreError::Statement { what: "give a sign of life", source: error.into() })?;
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    sqlx::query(
                        "INSERT INTO hosts (name, seen_at, devices) VALUES ($1, $2, $3)
                         ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, devices = excluded.devices",
                    )
                    .bind(host.name.as_str())
                    .bind(host.seen_at.to_string())
                    .bind(devices)
                    .execute(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    sqlx::query(
                        "UPDATE runs SET lease_until = $1 WHERE state IN ('leased', 'running') AND host = $2",
                    )
                    .bind(until.to_string())
                    .bind(host.name.as_str())
                    .execute(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    transaction.commit().await.map_err(&what)
                }

                async fn hosts(&self) -> Result<Vec<HostRecord>, StoreError> {
                    let rows = sqlx::query_as::<_, HostRow>("SELECT * FROM hosts ORDER BY name")
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list hosts"))?;
                    Ok(readable(rows.into_iter().map(HostRow::read)))
                }

                async fn ask_to_cancel(&self, whom: Whom<'_>) -> Result<Vec<RunId>, StoreError> {
                    let (column, of) = match whom {
                        Whom::Run(run_id) => ("run_id", run_id.as_str()),
                        Whom::Night(batch_id) => ("batch_id", batch_id),
                    };
                    let asked: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                        "UPDATE runs SET cancel_requested = TRUE
                         WHERE {column} = $1 AND state IN ('leased', 'running') RETURNING run_id"
                    )))
                    .bind(of)
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("ask for the end of a run"))?;
                    let asked: Vec<RunId> = asked.into_iter().map(RunId::new).collect();
                    for run_id in &asked {
                        self.tell_cancel(run_id).await?;
                    }
                    Ok(asked)
                }

                async fn to_be_cancelled(&self, host: &str) -> Result<Vec<RunId>, StoreError> {
                    let asked: Vec<String> = sqlx::query_scalar(
                        "SELECT run_id FROM runs WHERE cancel_requested AND host = $1 AND state IN ('leased', 'running')",
                    )
                    .bind(host)
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("look for runs that are to end"))?;
                    Ok(asked.into_iter().map(RunId::new).collect())
                }
            }
        };
    };
}
pub(in crate::store) use hosts_in_sql;
