//! The long-running service: HTTP API, queue workers, device tracking.
//!
//! It owns no rule about how a run is made: that is [`RunLauncher`](crate::run::RunLauncher)'s, the same as for the
//! command line. Listener, store, launcher, device list and stop signal come from outside. HTTP is known only to
//! `api/`, `error.rs` and `client.rs`.

mod access;
mod allotment;
mod api;
mod artifacts;
mod attempt;
mod caretaker;
mod client;
mod desk;
mod desk_devices;
mod emulators;
mod error;
mod events;
mod farm;
mod front;
mod hosts;
mod leases;
mod limits;
mod listen;
mod meters;
mod nights;
mod pool;
mod queue_worker;
mod run_threads;
mod run_view;
mod server;
mod sse;
mod store_trouble;
mod uploader;
mod vault;
mod waiting;
mod web;

pub use access::{MintedToken, TokenError};
pub use caretaker::Retention;
pub use client::{ClientError, DaemonClient};
pub use emulators::{EmulatorPlan, EmulatorWaits, EmulatorWish, Emulators, PlanError, Sdk, SdkError};
pub use emulators::{end_left_over, is_free as is_free_port, note as note_emulators};
pub use front::{Front, FrontError};
pub use limits::Limits;
pub use nights::{
    BatchView, CaseHistory, CaseRow, CauseKind, CauseView, CellView, NightDevice, NightView, Notice, NoticeTarget,
    NoticeWhen, Outcome, PastRunView,
};
pub use run_view::{ArtifactList, ArtifactView, DevicePage, DeviceState, Health, RunSubmission, RunTicket, RunView};
pub use server::{Daemon, DaemonError};
pub use vault::{Vault, VaultError};
pub use waiting::WaitingView;
pub use web::http_client;
