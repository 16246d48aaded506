//! A case on a device: the executor and its event stream.

mod request;

pub use request::{LaunchError, RunLauncher, RunRequest};
