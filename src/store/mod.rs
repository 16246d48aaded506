//! Where runs and the queue live: [`Store`], in SQLite for one host and in PostgreSQL for several.
//!
//! The store indexes runs; it is not the source of truth about what a run saw (that is the recording). Values of
//! parameters come here only sealed: they may be secrets.

mod access;
mod device;
mod error;
mod host;
mod night;
#[cfg(test)]
mod pg_server;
mod port;
mod postgres;
mod review;
mod run_record;
mod sql;
mod sqlite;
#[cfg(test)]
mod story;
#[cfg(test)]
mod story_devices;

pub use access::{AccessStore, AuditEntry, Scope, TokenRecord, UnknownScope};
pub use device::{DeviceLine, DeviceStore, KEPT_LINES, Originals, Reservation};
pub use error::StoreError;
pub use host::{HostStore, Whom};
pub use night::{
    BatchEnd, BatchFilter, BatchRecord, BatchSpec, NightStore, PastTime, Place, Quiet, ScheduleRecord, Tally,
};
pub use port::{News, Store, StoreNews};
pub use postgres::PostgresStore;
pub use review::{Decision, Review, ReviewStore};
pub use run_record::{
    Claimant, Hold, HostRecord, NewRun, Recovered, RunEnd, RunFilter, RunRecord, RunState, StoredEvent, StoredStanding,
    UnknownState, Whose,
};
pub use sqlite::SqliteStore;
#[cfg(test)]
pub(crate) use story::result as sample_result;
