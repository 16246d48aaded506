//! `/api/v1/devices`.

use super::super::desk::Desk;
use super::super::run_view::DeviceState;
use crate::device::HoldError;
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Devices as the adb server lists them, with the run that holds each.
pub(super) async fn list(State(desk): State<Arc<Desk>>) -> Json<Vec<DeviceState>> {
    let rows = desk.devices.borrow().clone();
    let leases = desk.leases.lock().await;
    let view = |row: crate::adb::DeviceRow| {
        let run_id = leases.of_device(&row.serial).cloned();
        let barred = match desk.rules.allows(&row.serial) {
            true => desk.outsider(&row.serial),
            false => Some(HoldError::NotAllowed { serial: row.serial.clone() }.to_string()),
        };
        DeviceState::new(row, run_id, barred)
    };
    Json(rows.into_iter().map(view).collect())
}
