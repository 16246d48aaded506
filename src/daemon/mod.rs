//! The long-running service: HTTP API, queue workers, device tracking.
//!
//! It owns no rule about how a run is made: that is [`RunLauncher`](crate::run::RunLauncher)'s, the same as for the
//! command line. Listener, store, launcher, device list and stop signal come from outside. HTTP is known only to
//! `api/`, `error.rs` and `client.rs`.

mod allotment;
mod api;
mod attempt;
mod caretaker;
mod client;
mod desk;
mod error;
mod events;
mod leases;
mod limits;
mod listen;
mod meters;
mod queue_worker;
mod run_view;
mod server;
mod sse;
mod standing;
mod store_trouble;
mod vault;

pub use caretaker::Retention;
pub use client::{ClientError, DaemonClient};
pub use limits::Limits;
pub use run_view::{ArtifactList, ArtifactView, DeviceState, Health, RunSubmission, RunTicket, RunView};
pub use server::{Daemon, DaemonError};
pub use vault::{Vault, VaultError};
