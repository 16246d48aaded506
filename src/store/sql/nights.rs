//! Nights and schedules in SQL.

use super::{maybe_time, time_of};
use crate::store::{BatchRecord, BatchSpec, ScheduleRecord, StoreError};
use serde::de::DeserializeOwned;

/// A row of `batches`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct BatchRow {
    batch_id: String,
    schedule: Option<String>,
    trigger_by: String,
    app_before: Option<String>,
    app_after: Option<String>,
    spec: String,
    tally: Option<String>,
    created_at: String,
    finished_at: Option<String>,
    idempotency_key: Option<String>,
}

impl BatchRow {
    pub(in crate::store) fn read(self) -> Result<BatchRecord, StoreError> {
        let of = format!("night {}", self.batch_id);
        Ok(BatchRecord {
            spec: json_of::<BatchSpec>(&self.spec, &of, "spec")?,
            tally: self.tally.map(|tally| json_of(&tally, &of, "tally")).transpose()?,
            created_at: time_of(&self.created_at, &of, "created_at")?,
            finished_at: maybe_time(self.finished_at.as_deref(), &of, "finished_at")?,
            batch_id: self.batch_id,
            schedule: self.schedule,
            trigger: self.trigger_by,
            app_before: self.app_before,
            app_after: self.app_after,
            idempotency_key: self.idempotency_key,
        })
    }
}

/// A row of `schedules`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct ScheduleRow {
    name: String,
    cron: Option<String>,
    zone: String,
    spec: String,
    enabled: bool,
    sealed_secret: Option<Vec<u8>>,
    created_at: String,
    next_at: Option<String>,
    last_at: Option<String>,
}

impl ScheduleRow {
    pub(in crate::store) fn read(self) -> Result<ScheduleRecord, StoreError> {
        let of = format!("schedule {}", self.name);
        Ok(ScheduleRecord {
            spec: json_of(&self.spec, &of, "spec")?,
            created_at: time_of(&self.created_at, &of, "created_at")?,
            next_at: maybe_time(self.next_at.as_deref(), &of, "next_at")?,
            last_at: maybe_time(self.last_at.as_deref(), &of, "last_at")?,
            name: self.name,
            cron: self.cron,
            zone: self.zone,
            enabled: self.enabled,
            sealed_secret: self.sealed_secret,
        })
    }
}

fn json_of<T: DeserializeOwned>(text: &str, of: &str, field: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::DamagedRow {
        row: of.to_owned(),
        field,
        reason: error.to_string(),
    })
}

pub(in crate::store) fn json_text(value: &impl serde::Serialize, of: &str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::DamagedRow {
        row: of.to_owned(),
        field: "JSON",
        reason: error.to_string(),
    })
}

/// Implements `NightStore` for a store with a `pool`.
macro_rules! nights_in_sql {
    ($store:ty) => {
        const _: () = {
            use jiff::Timestamp;
            use $crate::domain::CaseId;
            use $crate::store::sql::{
                BatchRow, LISTED, RunRow, ScheduleRow, failed, insert_run, json_text, readable,
            };
            use $crate::store::{
                BatchEnd, BatchFilter, BatchRecord, NewRun, NightStore, PastTime, RunRecord, ScheduleRecord, StoreError,
            };

            #[async_trait::async_trait]
            impl NightStore for $store {
                async fn add_batch(&self, batch: BatchRecord, runs: Vec<NewRun>) -> Result<(), StoreError> {
                    let what = failed("keep a night");
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    let spec = json_text(&batch.spec, &batch.batch_id)?;
                    sqlx::query(
                        "INSERT INTO batches (batch_id, name, schedule, trigger_by, commit_id, app_before, spec, created_at,
                             idempotency_key)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    )
                    .bind(batch.batch_id)
                    .bind(batch.spec.name)
                    .bind(batch.schedule)
                    .bind(batch.trigger)
                    .bind(batch.spec.commit)
                    .bind(batch.app_before)
                    .bind(spec)
                    .bind(batch.created_at.to_string())
                    .bind(batch.idempotency_key)
                    .execute(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    for run in runs {
                        insert_run!(run, &mut *transaction)?;
                    }
                    transaction.commit().await.map_err(&what)?;
                    self.tell_queue().await
                }

                async fn batch(&self, batch_id: &str) -> Result<Option<BatchRecord>, StoreError> {
                    let row = sqlx::query_as::<_, BatchRow>("SELECT * FROM batches WHERE batch_id = $1")
                        .bind(batch_id)
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a night"))?;
                    row.map(BatchRow::read).transpose()
                }

                async fn batch_with_key(&self, key: &str) -> Result<Option<BatchRecord>, StoreError> {
                    let row = sqlx::query_as::<_, BatchRow>("SELECT * FROM batches WHERE idempotency_key = $1")
                        .bind(key)
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a night"))?;
                    row.map(BatchRow::read).transpose()
                }

                async fn batches(&self, filter: BatchFilter) -> Result<Vec<BatchRecord>, StoreError> {
                    let named = if filter.name.is_some() { "name = $1" } else { "CAST($1 AS TEXT) IS NULL" };
                    let text = format!(
                        "SELECT * FROM batches WHERE {named} AND number <
                             (CASE WHEN CAST($2 AS TEXT) IS NULL THEN 9223372036854775807
                              ELSE COALESCE((SELECT number FROM batches WHERE batch_id = $2), 0) END)
                         ORDER BY number DESC LIMIT $3"
                    );
                    let rows = sqlx::query_as::<_, BatchRow>(sqlx::AssertSqlSafe(text))
                        .bind(filter.name)
                        .bind(filter.before)
                        .bind(i64::from(filter.limit))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list nights"))?;
                    Ok(readable(rows.into_iter().map(BatchRow::read)))
                }

                async fn open_batches(&self) -> Result<Vec<BatchRecord>, StoreError> {
                    let rows = sqlx::query_as::<_, BatchRow>(
                        "SELECT * FROM batches WHERE finished_at IS NULL ORDER BY number",
                    )
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("list open nights"))?;
                    Ok(readable(rows.into_iter().map(BatchRow::read)))
                }

                async fn runs_of_batch(&self, batch_id: &str) -> Result<Vec<RunRecord>, StoreError> {
                    let text = format!("SELECT {LISTED} FROM runs WHERE batch_id = $1 ORDER BY number");
                    let rows = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(batch_id)
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list the runs of a night"))?;
                    Ok(rows.into_iter().filter_map(RunRow::read_or_salvage).collect())
                }

                async fn finish_batch(
                    &self,
                    batch_id: &str,
                    end: BatchEnd,
                    at: Timestamp,
                ) -> Result<bool, StoreError> {
                    let tally = json_text(&end.tally, batch_id)?;
                    let done = sqlx::query(
                        "UPDATE batches SET tally = $2, app_after = $3, finished_at = $4
                         WHERE batch_id = $1 AND finished_at IS NULL",
                    )
                    .bind(batch_id)
                    .bind(tally)
                    .bind(end.app_after)
                    .bind(at.to_string())
                    .execute(&self.pool)
                    .await
                    .map_err(failed("end a night"))?;
                    Ok(done.rows_affected() == 1)
                }

                async fn cancel_waiting(
                    &self,
                    batch_id: &str,
                    reason: &str,
                    at: Timestamp,
                ) -> Result<Vec<String>, StoreError> {
                    sqlx::query_scalar(
                        "UPDATE runs SET state = 'cancelled', verdict = 'error', reason = $2, finished_at = $3,
                             sealed_params = NULL
                         WHERE batch_id = $1 AND state = 'queued' RETURNING run_id",
                    )
                    .bind(batch_id)
                    .bind(reason)
                    .bind(at.to_string())
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("call a night off"))
                }

                async fn runs_of_case(&self, case_id: &CaseId, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
                    let text = format!("SELECT {LISTED} FROM runs WHERE case_id = $1 ORDER BY number DESC LIMIT $2");
                    let rows = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(case_id.as_str())
                        .bind(i64::from(limit))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list the runs of a case"))?;
                    Ok(rows.into_iter().filter_map(RunRow::read_or_salvage).collect())
                }

                async fn past_times(&self, limit: u32) -> Result<Vec<PastTime>, StoreError> {
                    // The database reckons: two thousand rows are read for each page of a night.
                    let text = format!(
                        "SELECT case_id, {} FROM runs
                         WHERE state = 'finished' AND started_at IS NOT NULL AND verdict <> 'error'
                         ORDER BY number DESC LIMIT $1",
                        Self::TOOK
                    );
                    let rows = sqlx::query_as::<_, (String, Option<i64>)>(sqlx::AssertSqlSafe(text))
                        .bind(i64::from(limit))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("read how long runs took"))?;
                    // Where a time is damaged there is none.
                    let known = |(case_id, ms): (String, Option<i64>)| Some(PastTime { case_id, ms: ms? });
                    Ok(rows.into_iter().filter_map(known).collect())
                }

                async fn put_schedule(&self, schedule: ScheduleRecord) -> Result<(), StoreError> {
                    let spec = json_text(&schedule.spec, &schedule.name)?;
                    sqlx::query(
                        "INSERT INTO schedules (name, cron, zone, spec, enabled, sealed_secret, created_at, next_at, last_at)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                         ON CONFLICT (name) DO UPDATE SET cron = excluded.cron, zone = excluded.zone, spec = excluded.spec,
                             enabled = excluded.enabled, sealed_secret = excluded.sealed_secret,
                             next_at = excluded.next_at",
                    )
                    .bind(schedule.name)
                    .bind(schedule.cron)
                    .bind(schedule.zone)
                    .bind(spec)
                    .bind(schedule.enabled)
                    .bind(schedule.sealed_secret)
                    .bind(schedule.created_at.to_string())
                    .bind(schedule.next_at.map(|at| at.to_string()))
                    .bind(schedule.last_at.map(|at| at.to_string()))
                    .execute(&self.pool)
                    .await
                    .map_err(failed("keep a schedule"))?;
                    Ok(())
                }

                async fn schedules(&self) -> Result<Vec<ScheduleRecord>, StoreError> {
                    let rows = sqlx::query_as::<_, ScheduleRow>("SELECT * FROM schedules ORDER BY name")
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list schedules"))?;
                    Ok(readable(rows.into_iter().map(ScheduleRow::read)))
                }

                async fn schedule(&self, name: &str) -> Result<Option<ScheduleRecord>, StoreError> {
                    let row = sqlx::query_as::<_, ScheduleRow>("SELECT * FROM schedules WHERE name = $1")
                        .bind(name)
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a schedule"))?;
                    row.map(ScheduleRow::read).transpose()
                }

                async fn remove_schedule(&self, name: &str) -> Result<bool, StoreError> {
                    let done = sqlx::query("DELETE FROM schedules WHERE name = $1")
                        .bind(name)
                        .execute(&self.pool)
                        .await
                        .map_err(failed("remove a schedule"))?;
                    Ok(done.rows_affected() == 1)
                }

                async fn fire(
                    &self,
                    name: &str,
                    due: Timestamp,
                    next: Option<Timestamp>,
                    at: Timestamp,
                ) -> Result<bool, StoreError> {
                    let done = sqlx::query(
                        "UPDATE schedules SET next_at = $3, last_at = $4 WHERE name = $1 AND next_at = $2 AND enabled",
                    )
                    .bind(name)
                    .bind(due.to_string())
                    .bind(next.map(|next| next.to_string()))
                    .bind(at.to_string())
                    .execute(&self.pool)
                    .await
                    .map_err(failed("let a schedule fire"))?;
                    Ok(done.rows_affected() == 1)
                }

                async fn put_off(&self, name: &str, due: Timestamp, next: Timestamp) -> Result<bool, StoreError> {
                    let text = "UPDATE schedules SET next_at = $3 WHERE name = $1 AND next_at = $2 AND enabled";
                    let done = sqlx::query(text).bind(name).bind(due.to_string()).bind(next.to_string());
                    let done = done.execute(&self.pool).await.map_err(failed("change when a schedule fires"))?;
                    Ok(done.rows_affected() == 1)
                }
            }
        };
    };
}
pub(in crate::store) use nights_in_sql;
