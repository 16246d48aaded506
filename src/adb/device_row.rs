//! One line of the adb server's device list.

use crate::domain::DeviceSerial;
use serde::Serialize;
use std::fmt;

/// A device's connection state, as the server names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionState {
    /// Ready to use.
    Device,
    /// Known, but not answering.
    Offline,
    /// The device has not accepted this host's key.
    Unauthorized,
    /// The key exchange is under way.
    Authorizing,
    /// The transport is being set up.
    Connecting,
    /// The host may not open the USB device.
    NoPermissions,
    /// Listed as ready, and answering no command: only [`AdbServer::track_alive`](super::AdbServer::track_alive) says so.
    Silent,
    /// Anything else the server says: `recovery`, `sideload`, `bootloader`, …
    Other(String),
}

impl fmt::Display for ConnectionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Device => "device",
            Self::Offline => "offline",
            Self::Unauthorized => "unauthorized",
            Self::Authorizing => "authorizing",
            Self::Connecting => "connecting",
            Self::NoPermissions => "no permissions",
            Self::Silent => "not answering",
            Self::Other(state) => state,
        })
    }
}

/// One device in the server's list (`host:devices-l`, `host:track-devices-l`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceRow {
    /// Serial; `(no serial number)` devices are given as the server prints them.
    pub serial: DeviceSerial,
    /// State.
    pub state: ConnectionState,
    /// `product:`.
    pub product: Option<String>,
    /// `model:`.
    pub model: Option<String>,
    /// `device:`.
    pub device: Option<String>,
    /// `transport_id:`.
    pub transport_id: Option<u64>,
}

impl DeviceRow {
    /// The row of a device that the server does not list.
    pub const fn absent(serial: DeviceSerial) -> Self {
        Self { serial, state: ConnectionState::Offline, product: None, model: None, device: None, transport_id: None }
    }
}
