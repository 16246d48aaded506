//! Several daemons on one database: their names, their signs of life, and what they ask of each other.

use super::{HostRecord, StoreError};
use crate::domain::RunId;
use async_trait::async_trait;
use jiff::Timestamp;

/// Whose end is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom<'a> {
    /// One run.
    Run(&'a RunId),
    /// All runs of a night.
    Night(&'a str),
}

/// What hosts that share a database tell each other. One that has it for itself needs little of this.
#[async_trait]
pub trait HostStore: Send + Sync {
    /// A host uses the database under this name, from now on or still.
    ///
    /// # Errors
    /// [`StoreError::NameInUse`] while another daemon does.
    async fn enter(&self, host: &str) -> Result<(), StoreError>;

    /// The time by which leases are measured: the database's, whatever the clocks of its hosts say.
    async fn clock(&self) -> Result<Timestamp, StoreError>;

    /// A host lives and has these devices; the runs it holds are its own until `until`.
    async fn heartbeat(&self, host: HostRecord, until: Timestamp) -> Result<(), StoreError>;

    /// The hosts that share the database, by name.
    async fn hosts(&self) -> Result<Vec<HostRecord>, StoreError>;

    /// Asks whoever holds these runs to end them, wherever that is; gives those that are under way.
    async fn ask_to_cancel(&self, whom: Whom<'_>) -> Result<Vec<RunId>, StoreError>;

    /// The runs a host holds whose end was asked for.
    async fn to_be_cancelled(&self, host: &str) -> Result<Vec<RunId>, StoreError>;
}
