//! Where runs and the queue live: [`Store`], and its SQLite form.
//!
//! The store indexes runs; it is not the source of truth about what a run saw (that is the recording). Values of
//! parameters come here only sealed: they may be secrets.

mod error;
mod port;
mod row;
mod run_record;
mod sqlite;
#[cfg(test)]
mod story;

pub use error::StoreError;
pub use port::Store;
pub use run_record::{
    NewRun, Recovered, RunEnd, RunFilter, RunRecord, RunState, StoredEvent, StoredStanding, UnknownState,
};
pub use sqlite::SqliteStore;
