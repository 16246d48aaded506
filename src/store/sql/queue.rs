//! The queue in SQL: [`Store`](crate::store::Store) itself.

/// Implements `Store` for a store with a `pool`, a `SKIP_LOCKED` clause, and `tell_queue` and `tell_run`.
macro_rules! queue_in_sql {
    ($store:ty) => {
        const _: () = {
            use jiff::Timestamp;
            use $crate::domain::{DeviceSerial, RunEvent, RunId};
            use $crate::store::sql::{
                BALLAST, EventRow, INTERRUPTED, LISTED, PARAMS_LOST, RunRow, failed, insert_run, position_of,
                to_json,
            };
            use $crate::store::{
                Claimant, Hold, News, NewRun, Recovered, RunEnd, RunFilter, RunRecord, RunState, Store,
                StoreError, StoredEvent, StoredStanding, Whose,
            };

            impl $store {
                /// Explains why a guarded update touched no row.
                async fn refused(&self, run_id: &RunId, what: &'static str) -> StoreError {
                    match self.run(run_id).await {
                        Ok(Some(run)) => StoreError::WrongState { run_id: run_id.clone(), found: run.state, what },
                        Ok(None) => StoreError::UnknownRun(run_id.clone()),
                        Err(error) => error,
                    }
                }
            }

            #[async_trait::async_trait]
            impl Store for $store {
                fn is_shared(&self) -> bool {
                    Self::SHARED
                }

                async fn news(&self) -> Result<Option<Box<dyn News>>, StoreError> {
                    self.listen().await
                }

                async fn enqueue(&self, run: NewRun) -> Result<(), StoreError> {
                    insert_run!(run, &self.pool)?;
                    self.tell_queue().await
                }

                async fn waiting(&self, after: Option<&RunId>, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
                    let columns = LISTED.split(", ").map(|column| format!("runs.{column}"));
                    let columns = columns.collect::<Vec<_>>().join(", ");
                    let text = format!(
                        "SELECT {columns} FROM runs LEFT JOIN runs AS latest ON latest.run_id = $1
                         WHERE runs.state = 'queued' AND (CAST($1 AS TEXT) IS NULL OR runs.priority < latest.priority
                             OR (runs.priority = latest.priority AND runs.number > latest.number))
                         ORDER BY runs.priority DESC, runs.number LIMIT $2"
                    );
                    let rows = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(after.map(RunId::as_str))
                        .bind(i64::from(limit))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("read the queue"))?;
                    Ok(rows.into_iter().filter_map(RunRow::read_or_salvage).collect())
                }

                async fn claim(
                    &self,
                    run_id: &RunId,
                    device: &DeviceSerial,
                    by: &Claimant,
                ) -> Result<Option<RunRecord>, StoreError> {
                    // A row that RETURNING gives is not yet on disk: only a commit that succeeded gives the run away.
                    let what = failed("take a run from the queue");
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    let text = format!(
                        "UPDATE runs SET state = 'leased', device = $2, attempts = attempts + 1, started_at = NULL,
                             host = $3, lease_until = $4
                         WHERE run_id = (SELECT run_id FROM runs WHERE run_id = $1 AND state = 'queued' {})
                         RETURNING *",
                        Self::SKIP_LOCKED
                    );
                    let row = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(run_id.as_str())
                        .bind(device.as_str())
                        .bind(by.host.as_str())
                        .bind(by.until.to_string())
                        .fetch_all(&mut *transaction)
                        .await
                        .map_err(&what)?;
                    let run = row.first().map(RunRow::read).transpose()?;
                    transaction.commit().await.map_err(&what)?;
                    Ok(run)
                }

                async fn start(&self, hold: &Hold, at: Timestamp) -> Result<(), StoreError> {
                    let done = sqlx::query(
                        "UPDATE runs SET state = 'running', started_at = $1
                         WHERE run_id = $2 AND attempts = $3 AND state = 'leased'",
                    )
                    .bind(at.to_string())
                    .bind(hold.run_id.as_str())
                    .bind(i64::from(hold.fence))
                    .execute(&self.pool)
                    .await
                    .map_err(failed("mark a run as running"))?;
                    if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(&hold.run_id, "started").await) }
                }

                async fn append_event(&self, hold: &Hold, event: &RunEvent) -> Result<u64, StoreError> {
                    let json = to_json(event, &hold.run_id, "event")?;
                    let position: Option<i64> = sqlx::query_scalar(
                        "INSERT INTO events (run_id, position, event)
                         SELECT run_id, (SELECT COALESCE(MAX(position) + 1, 0) FROM events WHERE run_id = $1), $2 FROM runs
                         WHERE run_id = $1 AND attempts = $3 AND state IN ('leased', 'running')
                         RETURNING position",
                    )
                    .bind(hold.run_id.as_str())
                    .bind(json)
                    .bind(i64::from(hold.fence))
                    .fetch_optional(&self.pool)
                    .await
                    .map_err(failed("store an event"))?;
                    let Some(position) = position else { return Err(self.refused(&hold.run_id, "told of").await) };
                    self.tell_run(&hold.run_id).await?;
                    position_of(position, hold.run_id.as_str())
                }

                async fn events_after(
                    &self,
                    run_id: &RunId,
                    after: Option<u64>,
                    limit: u32,
                ) -> Result<Vec<StoredEvent>, StoreError> {
                    // A position beyond i64 is beyond every stored one.
                    let after = after.map_or(-1, |position| i64::try_from(position).unwrap_or(i64::MAX));
                    let rows = sqlx::query_as::<_, EventRow>(
                        "SELECT position, event FROM events WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT $3",
                    )
                    .bind(run_id.as_str())
                    .bind(after)
                    .bind(i64::from(limit))
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("read events"))?;
                    let read = |row: EventRow| {
                        Ok(StoredEvent { position: position_of(row.position, run_id.as_str())?, json: row.event })
                    };
                    rows.into_iter().map(read).collect()
                }

                async fn finish(&self, hold: &Hold, end: RunEnd, at: Timestamp) -> Result<(), StoreError> {
                    let result = end.result.as_ref().map(|result| to_json(result, &hold.run_id, "result")).transpose()?;
                    let state =
                        if end.state == RunState::Cancelled { RunState::Cancelled } else { RunState::Finished };
                    let done = sqlx::query(
                        "UPDATE runs SET state = $1, verdict = $2, reason = $3, result = $4, finished_at = $5,
                             sealed_params = NULL, lease_until = NULL
                         WHERE run_id = $6 AND attempts = $7 AND state IN ('queued', 'leased', 'running')",
                    )
                    .bind(state.as_str())
                    .bind(end.verdict.to_string())
                    .bind(end.reason)
                    .bind(result)
                    .bind(at.to_string())
                    .bind(hold.run_id.as_str())
                    .bind(i64::from(hold.fence))
                    .execute(&self.pool)
                    .await
                    .map_err(failed("store a result"))?;
                    if done.rows_affected() != 1 {
                        return Err(self.refused(&hold.run_id, "finished").await);
                    }
                    self.tell_run(&hold.run_id).await
                }

                async fn requeue(&self, hold: &Hold) -> Result<(), StoreError> {
                    let done = sqlx::query(
                        "UPDATE runs SET state = 'queued', device = NULL, started_at = NULL, host = NULL,
                             lease_until = NULL
                         WHERE run_id = $1 AND attempts = $2 AND state IN ('leased', 'running')",
                    )
                    .bind(hold.run_id.as_str())
                    .bind(i64::from(hold.fence))
                    .execute(&self.pool)
                    .await
                    .map_err(failed("put a run back into the queue"))?;
                    if done.rows_affected() != 1 {
                        return Err(self.refused(&hold.run_id, "queued again").await);
                    }
                    self.tell_queue().await
                }

                async fn cancel_queued(
                    &self,
                    run_id: &RunId,
                    reason: &str,
                    at: Timestamp,
                ) -> Result<bool, StoreError> {
                    let done = sqlx::query(
                        "UPDATE runs SET state = 'cancelled', verdict = 'error', reason = $1, finished_at = $2,
                             sealed_params = NULL
                         WHERE run_id = $3 AND state = 'queued'",
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
                    let row = sqlx::query_as::<_, RunRow>("SELECT * FROM runs WHERE run_id = $1")
                        .bind(run_id.as_str())
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a run"))?;
                    Ok(row.and_then(RunRow::read_or_salvage))
                }

                async fn run_with_key(&self, key: &str) -> Result<Option<RunRecord>, StoreError> {
                    let row = sqlx::query_as::<_, RunRow>("SELECT * FROM runs WHERE idempotency_key = $1")
                        .bind(key)
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a run"))?;
                    Ok(row.and_then(RunRow::read_or_salvage))
                }

                async fn sealed_params(&self, run_id: &RunId) -> Result<Option<Vec<u8>>, StoreError> {
                    let found: Option<Option<Vec<u8>>> =
                        sqlx::query_scalar("SELECT sealed_params FROM runs WHERE run_id = $1")
                            .bind(run_id.as_str())
                            .fetch_optional(&self.pool)
                            .await
                            .map_err(failed("read the parameters of a run"))?;
                    Ok(found.flatten())
                }

                async fn runs(&self, filter: RunFilter) -> Result<Vec<RunRecord>, StoreError> {
                    // One statement a shape, so that each is answered from an index. A run before which nothing is known
                    // has nothing before it.
                    let state = if filter.state.is_some() { "state = $1" } else { "CAST($1 AS TEXT) IS NULL" };
                    let device = if filter.device.is_some() { "device = $4" } else { "CAST($4 AS TEXT) IS NULL" };
                    let before = match filter.before {
                        Some(_) => "number < (SELECT number FROM runs WHERE run_id = $3)",
                        None => "CAST($3 AS TEXT) IS NULL",
                    };
                    let text = format!(
                        "SELECT {LISTED} FROM runs WHERE {state} AND {device} AND {before} ORDER BY number DESC LIMIT $2"
                    );
                    let rows = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(filter.state.map(RunState::as_str))
                        .bind(i64::from(filter.limit))
                        .bind(filter.before.as_ref().map(RunId::as_str))
                        .bind(filter.device.as_ref().map(DeviceSerial::as_str))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list runs"))?;
                    Ok(rows.into_iter().filter_map(RunRow::read_or_salvage).collect())
                }

                async fn ended_before(&self, limit: Timestamp, most: u32) -> Result<Vec<RunRecord>, StoreError> {
                    let text = format!(
                        "SELECT {LISTED} FROM runs WHERE state IN ('finished', 'cancelled') AND finished_at < $1
                         ORDER BY number LIMIT $2"
                    );
                    let rows = sqlx::query_as::<_, RunRow>(sqlx::AssertSqlSafe(text))
                        .bind(limit.to_string())
                        .bind(i64::from(most))
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list old runs"))?;
                    Ok(rows.into_iter().filter_map(RunRow::read_or_salvage).collect())
                }

                async fn remove_ended(&self, run_id: &RunId) -> Result<(), StoreError> {
                    let done =
                        sqlx::query("DELETE FROM runs WHERE run_id = $1 AND state IN ('finished', 'cancelled')")
                            .bind(run_id.as_str())
                            .execute(&self.pool)
                            .await
                            .map_err(failed("remove an old run"))?;
                    if done.rows_affected() == 1 { Ok(()) } else { Err(self.refused(run_id, "removed").await) }
                }

                async fn standings(&self) -> Result<Vec<StoredStanding>, StoreError> {
                    let rows = sqlx::query_as::<_, (String, String, String)>(
                        "SELECT serial, standing, reason FROM standings ORDER BY serial",
                    )
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
                    sqlx::query(
                        "INSERT INTO standings (serial, standing, reason) VALUES ($1, $2, $3)
                         ON CONFLICT (serial) DO UPDATE SET standing = excluded.standing, reason = excluded.reason",
                    )
                    .bind(stored.serial.as_str())
                    .bind(stored.standing)
                    .bind(stored.reason)
                    .execute(&self.pool)
                    .await
                    .map_err(failed("store what is held against a device"))?;
                    Ok(())
                }

                async fn drop_standing(&self, serial: &DeviceSerial) -> Result<(), StoreError> {
                    sqlx::query("DELETE FROM standings WHERE serial = $1")
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
                    // Bytes that do not get smaller where the database packs them.
                    let mut ballast = vec![0_u8; BALLAST];
                    getrandom::fill(&mut ballast)
                        .map_err(|error| StoreError::Statement { what: "write at all", source: error.into() })?;
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    sqlx::query(
                        "INSERT INTO probe (id, ballast) VALUES (1, $1)
                         ON CONFLICT (id) DO UPDATE SET ballast = excluded.ballast",
                    )
                    .bind(ballast)
                    .execute(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    transaction.commit().await.map_err(&what)
                }

                async fn recover(&self, at: Timestamp, whose: &Whose) -> Result<Recovered, StoreError> {
                    let what = failed("bring the queue in order after a stop");
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    let (held, name) = match whose {
                        Whose::All => ("CAST($3 AS TEXT) IS NULL", None),
                        Whose::Host(name) => ("(host IS NULL OR host = $3)", Some(name.clone())),
                        Whose::Silent => ("lease_until < $3", Some(at.to_string())),
                    };
                    let end = "UPDATE runs SET state = 'finished', verdict = 'error', reason = $1, finished_at = $2,
                         sealed_params = NULL, lease_until = NULL";
                    let interrupted: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                        "{end} WHERE state = 'running' AND interruptions >= 1 AND {held} RETURNING run_id"
                    )))
                    .bind(INTERRUPTED)
                    .bind(at.to_string())
                    .bind(name.clone())
                    .fetch_all(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    let params_lost: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                        "{end} WHERE state IN ('queued', 'leased', 'running') AND params_withheld
                             AND sealed_params IS NULL AND {held} RETURNING run_id"
                    )))
                    .bind(PARAMS_LOST)
                    .bind(at.to_string())
                    .bind(name.clone())
                    .fetch_all(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    let held = held.replace("$3", "$1");
                    let requeued: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                        "UPDATE runs SET interruptions = interruptions + CASE WHEN state = 'running' THEN 1 ELSE 0 END,
                             state = 'queued', device = NULL, started_at = NULL, host = NULL, lease_until = NULL
                         WHERE state IN ('leased', 'running') AND {held} RETURNING run_id"
                    )))
                    .bind(name)
                    .fetch_all(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    transaction.commit().await.map_err(&what)?;
                    if !requeued.is_empty() {
                        self.tell_queue().await?;
                    }
                    let ids = |ids: Vec<String>| ids.into_iter().map(RunId::new).collect();
                    Ok(Recovered {
                        requeued: ids(requeued),
                        interrupted: ids(interrupted),
                        params_lost: ids(params_lost),
                    })
                }
            }
        };
    };
}
pub(in crate::store) use queue_in_sql;
