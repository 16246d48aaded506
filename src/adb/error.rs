//! What can go wrong between this process, the adb server and a device's shell.

use crate::domain::DeviceSerial;
use std::time::Duration;

/// An adb failure, with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
pub enum AdbError {
    /// A command ran and failed.
    #[error("{serial}: `{command}` exited with {exit_code}: {stderr}")]
    Exit {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
        /// Its exit code.
        exit_code: u8,
        /// What it printed on stderr.
        stderr: String,
    },
    /// A command did not end within its budget; its socket was dropped, which ends it on the device.
    #[error("{serial}: `{command}` did not finish within {budget:?}")]
    Timeout {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
        /// Its budget.
        budget: Duration,
    },
}
