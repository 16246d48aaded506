//! Statements that SQLite and PostgreSQL share, one text for both: each macro writes one port for a store with a `pool`.
//!
//! Placeholders are `$1`, which both know; a macro, because sqlx's statements are typed by their database, and a generic
//! form would repeat a dozen bounds at every statement (ADR 0029).

mod access;
mod devices;
mod hosts;
mod nights;
mod queue;
mod runs;

pub(super) use access::{AuditRow, TokenRow, access_in_sql};
pub(super) use devices::{LineRow, ReservationRow, ReviewRow, devices_in_sql, originals_of, reviews_in_sql};
pub(super) use hosts::{HostRow, hosts_in_sql};
pub(super) use nights::{BatchRow, ScheduleRow, json_text, nights_in_sql};
pub(super) use queue::queue_in_sql;
pub(super) use runs::{BALLAST, EventRow, INTERRUPTED, LISTED, PARAMS_LOST, RunRow, insert_run, position_of, to_json};

use super::StoreError;
use jiff::Timestamp;

/// Names the statement that failed.
pub(super) fn failed(what: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
    move |source| StoreError::Statement { what, source: source.into() }
}

/// What can be read of a list: one damaged row keeps nobody from the others.
pub(super) fn readable<T>(rows: impl IntoIterator<Item = Result<T, StoreError>>) -> Vec<T> {
    let told = |error: &StoreError| tracing::error!(%error, "a damaged row of the database is left out");
    rows.into_iter().filter_map(|row| row.inspect_err(told).ok()).collect()
}

/// A time as it stands in a row; `of` names the row for the error.
pub(super) fn time_of(text: &str, of: &str, field: &'static str) -> Result<Timestamp, StoreError> {
    text.parse().map_err(|error: jiff::Error| StoreError::DamagedRow {
        row: of.to_owned(),
        field,
        reason: error.to_string(),
    })
}

/// The same, where there may be none.
pub(super) fn maybe_time(text: Option<&str>, of: &str, field: &'static str) -> Result<Option<Timestamp>, StoreError> {
    text.map(|text| time_of(text, of, field)).transpose()
}
