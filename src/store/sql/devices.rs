//! Logs, reservations and original settings of devices, and reviews of runs, in SQL.

use super::time_of;
use crate::domain::{DeviceSerial, RunId};
use crate::store::{Decision, DeviceLine, Originals, Reservation, Review, StoreError};

/// A row of `device_log`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct LineRow {
    serial: String,
    at: String,
    phase: String,
    what: String,
}

impl LineRow {
    pub(in crate::store) fn read(self) -> Result<(DeviceSerial, DeviceLine), StoreError> {
        let at = time_of(&self.at, "a device's log", "at")?;
        Ok((DeviceSerial::new(self.serial), DeviceLine { at, phase: self.phase, what: self.what }))
    }
}

/// A row of `reservations`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct ReservationRow {
    serial: String,
    person: String,
    note: String,
    until_time: String,
}

impl ReservationRow {
    pub(in crate::store) fn read(self) -> Result<Reservation, StoreError> {
        let until = time_of(&self.until_time, &format!("the reservation of {}", self.serial), "until_time")?;
        Ok(Reservation { serial: DeviceSerial::new(self.serial), person: self.person, note: self.note, until })
    }
}

/// A row of `reviews`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct ReviewRow {
    run_id: String,
    decision: String,
    link: String,
    comment: String,
    person: String,
    at: String,
}

impl ReviewRow {
    pub(in crate::store) fn read(self) -> Result<Review, StoreError> {
        let of = format!("the review of run {}", self.run_id);
        let decision = Decision::of(&self.decision).ok_or_else(|| StoreError::DamagedRow {
            row: of.clone(),
            field: "decision",
            reason: format!("{:?} is none", self.decision),
        })?;
        let at = time_of(&self.at, &of, "at")?;
        let Self { link, comment, person, .. } = self;
        Ok(Review { run_id: RunId::new(self.run_id), decision, link, comment, person, at })
    }
}

/// Settings as they stand in a row.
pub(in crate::store) fn originals_of(json: &str, serial: &DeviceSerial) -> Result<Originals, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::DamagedRow {
        row: format!("what the settings of {serial} were"),
        field: "settings",
        reason: error.to_string(),
    })
}

/// Implements `DeviceStore` for a store with a `pool`.
macro_rules! devices_in_sql {
    ($store:ty) => {
        const _: () = {
            use jiff::Timestamp;
            use $crate::domain::DeviceSerial;
            use $crate::store::sql::{LineRow, ReservationRow, failed, originals_of, readable};
            use $crate::store::{DeviceLine, DeviceStore, KEPT_LINES, Originals, Reservation, StoreError};

            #[async_trait::async_trait]
            impl DeviceStore for $store {
                async fn log_device(&self, serial: &DeviceSerial, line: DeviceLine) -> Result<(), StoreError> {
                    let what = failed("write a device's log");
                    let mut transaction = self.pool.begin().await.map_err(&what)?;
                    sqlx::query("INSERT INTO device_log (serial, at, phase, what) VALUES ($1, $2, $3, $4)")
                        .bind(serial.as_str())
                        .bind(line.at.to_string())
                        .bind(line.phase)
                        .bind(line.what)
                        .execute(&mut *transaction)
                        .await
                        .map_err(&what)?;
                    sqlx::query(
                        "DELETE FROM device_log WHERE serial = $1 AND number <=
                             (SELECT number FROM device_log WHERE serial = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)",
                    )
                    .bind(serial.as_str())
                    .bind(i64::from(KEPT_LINES))
                    .execute(&mut *transaction)
                    .await
                    .map_err(&what)?;
                    transaction.commit().await.map_err(&what)
                }

                async fn device_log(&self, serial: &DeviceSerial, limit: u32) -> Result<Vec<DeviceLine>, StoreError> {
                    let rows = sqlx::query_as::<_, LineRow>(
                        "SELECT serial, at, phase, what FROM device_log WHERE serial = $1 ORDER BY number DESC LIMIT $2",
                    )
                    .bind(serial.as_str())
                    .bind(i64::from(limit))
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("read a device's log"))?;
                    Ok(readable(rows.into_iter().map(|row| Ok(row.read()?.1))))
                }

                async fn device_lines(
                    &self,
                    from: Timestamp,
                    until: Timestamp,
                    limit: u32,
                ) -> Result<Vec<(DeviceSerial, DeviceLine)>, StoreError> {
                    // Fractions of a second do not sort as text: the database looks a second further at both ends. A few
                    // hundred lines a device are kept, so that going through all of them takes no index.
                    let second = jiff::SignedDuration::from_secs(1);
                    let rows = sqlx::query_as::<_, LineRow>(
                        "SELECT serial, at, phase, what FROM device_log WHERE at >= $1 AND at <= $2
                         ORDER BY number DESC LIMIT $3",
                    )
                    .bind((from.saturating_sub(second).unwrap_or(from)).to_string())
                    .bind((until.saturating_add(second).unwrap_or(until)).to_string())
                    .bind(i64::from(limit))
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("read what happened to devices"))?;
                    let mut lines = readable(rows.into_iter().map(LineRow::read));
                    lines.retain(|(_, line)| (from..=until).contains(&line.at));
                    Ok(lines)
                }

                async fn reserve(&self, reservation: Reservation) -> Result<(), StoreError> {
                    sqlx::query(
                        "INSERT INTO reservations (serial, person, note, until_time) VALUES ($1, $2, $3, $4)
                         ON CONFLICT (serial) DO UPDATE SET person = excluded.person, note = excluded.note,
                             until_time = excluded.until_time",
                    )
                    .bind(reservation.serial.as_str())
                    .bind(reservation.person)
                    .bind(reservation.note)
                    .bind(reservation.until.to_string())
                    .execute(&self.pool)
                    .await
                    .map_err(failed("reserve a device"))?;
                    self.tell_queue().await
                }

                async fn end_reservation(&self, serial: &DeviceSerial) -> Result<bool, StoreError> {
                    let done = sqlx::query("DELETE FROM reservations WHERE serial = $1")
                        .bind(serial.as_str())
                        .execute(&self.pool)
                        .await
                        .map_err(failed("end a reservation"))?;
                    self.tell_queue().await?;
                    Ok(done.rows_affected() == 1)
                }

                async fn reservations(&self) -> Result<Vec<Reservation>, StoreError> {
                    let rows = sqlx::query_as::<_, ReservationRow>("SELECT * FROM reservations ORDER BY serial")
                        .fetch_all(&self.pool)
                        .await
                        .map_err(failed("list reservations"))?;
                    Ok(readable(rows.into_iter().map(ReservationRow::read)))
                }

                async fn keep_originals(
                    &self,
                    serial: &DeviceSerial,
                    originals: &Originals,
                ) -> Result<(), StoreError> {
                    let what = "keep how a device was";
                    let json = serde_json::to_string(originals)
                        .map_err(|error| StoreError::Statement { what, source: error.into() })?;
                    sqlx::query(
                        "INSERT INTO device_originals (serial, settings) VALUES ($1, $2)
                         ON CONFLICT (serial) DO UPDATE SET settings = excluded.settings",
                    )
                    .bind(serial.as_str())
                    .bind(json)
                    .execute(&self.pool)
                    .await
                    .map(drop)
                    .map_err(failed(what))
                }

                async fn originals(&self, serial: &DeviceSerial) -> Result<Originals, StoreError> {
                    let found: Option<String> =
                        sqlx::query_scalar("SELECT settings FROM device_originals WHERE serial = $1")
                            .bind(serial.as_str())
                            .fetch_optional(&self.pool)
                            .await
                            .map_err(failed("read how a device was"))?;
                    found.map_or_else(|| Ok(Originals::new()), |json| originals_of(&json, serial))
                }

                async fn drop_originals(&self, serial: &DeviceSerial) -> Result<(), StoreError> {
                    sqlx::query("DELETE FROM device_originals WHERE serial = $1")
                        .bind(serial.as_str())
                        .execute(&self.pool)
                        .await
                        .map(drop)
                        .map_err(failed("forget how a device was"))
                }
            }
        };
    };
}
pub(in crate::store) use devices_in_sql;

/// Implements `ReviewStore` for a store with a `pool`.
macro_rules! reviews_in_sql {
    ($store:ty) => {
        const _: () = {
            use $crate::domain::RunId;
            use $crate::store::sql::{ReviewRow, failed, readable};
            use $crate::store::{Review, ReviewStore, StoreError};

            #[async_trait::async_trait]
            impl ReviewStore for $store {
                async fn put_review(&self, review: Review) -> Result<(), StoreError> {
                    sqlx::query(
                        "INSERT INTO reviews (run_id, decision, link, comment, person, at) VALUES ($1, $2, $3, $4, $5, $6)
                         ON CONFLICT (run_id) DO UPDATE SET decision = excluded.decision, link = excluded.link,
                             comment = excluded.comment, person = excluded.person, at = excluded.at",
                    )
                    .bind(review.run_id.as_str())
                    .bind(review.decision.as_str())
                    .bind(review.link)
                    .bind(review.comment)
                    .bind(review.person)
                    .bind(review.at.to_string())
                    .execute(&self.pool)
                    .await
                    .map(drop)
                    .map_err(failed("keep a review"))
                }

                async fn remove_review(&self, run_id: &RunId) -> Result<bool, StoreError> {
                    let done = sqlx::query("DELETE FROM reviews WHERE run_id = $1")
                        .bind(run_id.as_str())
                        .execute(&self.pool)
                        .await
                        .map_err(failed("take a review back"))?;
                    Ok(done.rows_affected() == 1)
                }

                async fn review(&self, run_id: &RunId) -> Result<Option<Review>, StoreError> {
                    let row = sqlx::query_as::<_, ReviewRow>("SELECT * FROM reviews WHERE run_id = $1")
                        .bind(run_id.as_str())
                        .fetch_optional(&self.pool)
                        .await
                        .map_err(failed("read a review"))?;
                    row.map(ReviewRow::read).transpose()
                }

                async fn reviews_of_batch(&self, batch_id: &str) -> Result<Vec<Review>, StoreError> {
                    let rows = sqlx::query_as::<_, ReviewRow>(
                        "SELECT reviews.* FROM reviews JOIN runs ON runs.run_id = reviews.run_id
                         WHERE runs.batch_id = $1 ORDER BY runs.number",
                    )
                    .bind(batch_id)
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed("read reviews"))?;
                    Ok(readable(rows.into_iter().map(ReviewRow::read)))
                }
            }
        };
    };
}
pub(in crate::store) use reviews_in_sql;
