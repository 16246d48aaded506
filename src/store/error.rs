//! What can go wrong with the database.

use super::RunState;
use crate::domain::RunId;

/// A store failure, with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be opened or made.
    #[error("the run database {location} cannot be opened: {source}; check that its folder exists and is writable")]
    Open {
        /// Its path, or `:memory:`.
        location: String,
        /// What the driver said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process has the database.
    #[error("the run database {location} is in use by another daemon: stop that one or choose another database file")]
    InUse {
        /// Its path.
        location: String,
    },
    /// Another daemon that shares the database has this host's name.
    #[error(
        "another daemon that shares the run database is called {host}, too: stop that one, or give this one another name \
         with --host"
    )]
    NameInUse {
        /// The name.
        host: String,
    },
    /// Pages of the database are damaged.
    #[error(
        "the run database {location} is damaged: {reason}; stop the daemon, keep the file for whoever may mend it, and put a \
         backup in its place (`tapwright backup` makes them)"
    )]
    Corrupt {
        /// Its path.
        location: String,
        /// What the driver found first.
        reason: String,
    },
    /// The schema could not be brought up to date.
    #[error(
        "the run database {location} does not fit this version: {source}; it may come from a newer Tapwright, \
         or move it away to start with an empty one"
    )]
    Migrate {
        /// Its path, or `:memory:`.
        location: String,
        /// What the driver said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A statement failed.
    #[error("the run database failed to {what}: {source}")]
    Statement {
        /// What was asked of it: `store an event`.
        what: &'static str,
        /// What the driver said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A row cannot be read back.
    #[error("run {run_id}: its {field} in the database is damaged: {reason}")]
    Damaged {
        /// The run.
        run_id: String,
        /// The column.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A row that is no run's cannot be read back.
    #[error("{row}: its {field} in the database is damaged: {reason}")]
    DamagedRow {
        /// Which: `token 0a1b`.
        row: String,
        /// The column.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// No such run.
    #[error("no run {0} is in the database")]
    UnknownRun(RunId),
    /// The run is not in a state from which this is possible.
    #[error("run {run_id} is {found}; it cannot be {what}")]
    WrongState {
        /// The run.
        run_id: RunId,
        /// Its state.
        found: RunState,
        /// What was asked: `started`, `finished`.
        what: &'static str,
    },
}

impl StoreError {
    /// The same may succeed later: the disk was full, the database locked or away.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Statement { .. })
    }
}
