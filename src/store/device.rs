//! What is kept of devices beside what is held against them: their log, who reserved them, how they were before they were
//! prepared.

use super::StoreError;
use crate::domain::DeviceSerial;
use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of a device by `namespace/name`, with their values; `None`: it was not set.
pub type Originals = BTreeMap<String, Option<String>>;

/// One line of a device's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceLine {
    /// When, in UTC.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// Its state from then on: `new`, `preparing`, `ready`, `leased`, `suspect`, `quarantined` or `gone`.
    pub phase: String,
    /// What happened, in a sentence.
    pub what: String,
}

/// A device that a person has for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reservation {
    /// The device.
    #[schemars(with = "String")]
    pub serial: DeviceSerial,
    /// Whose: a token's name, `local` on loopback without tokens.
    pub person: String,
    /// What for; may be empty.
    pub note: String,
    /// From when on runs may have it again.
    #[schemars(with = "String")]
    pub until: Timestamp,
}

/// Lines of a device's log that are kept.
pub const KEPT_LINES: u32 = 200;

/// Logs, reservations and original settings of devices.
#[async_trait]
pub trait DeviceStore: Send + Sync {
    /// Adds a line to a device's log; of older lines [`KEPT_LINES`] stay.
    async fn log_device(&self, serial: &DeviceSerial, line: DeviceLine) -> Result<(), StoreError>;

    /// At most `limit` lines of a device's log, the latest first.
    async fn device_log(&self, serial: &DeviceSerial, limit: u32) -> Result<Vec<DeviceLine>, StoreError>;

    /// What happened to any device in a stretch of time, both ends counted: at most `limit` lines, the latest first.
    async fn device_lines(
        &self,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<(DeviceSerial, DeviceLine)>, StoreError>;

    /// Reserves a device, in place of whoever had it.
    async fn reserve(&self, reservation: Reservation) -> Result<(), StoreError>;

    /// Ends a reservation; false where there is none.
    async fn end_reservation(&self, serial: &DeviceSerial) -> Result<bool, StoreError>;

    /// All reservations, those that are over too, by serial.
    async fn reservations(&self) -> Result<Vec<Reservation>, StoreError>;

    /// Keeps how a device's settings were before it was prepared, in place of what was kept before.
    async fn keep_originals(&self, serial: &DeviceSerial, originals: &Originals) -> Result<(), StoreError>;

    /// How a device's settings were; empty where it was not prepared, or was put back.
    async fn originals(&self, serial: &DeviceSerial) -> Result<Originals, StoreError>;

    /// A device's settings are as they were.
    async fn drop_originals(&self, serial: &DeviceSerial) -> Result<(), StoreError>;
}
