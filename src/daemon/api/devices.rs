//! `/api/v1/devices`.

use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::run_view::DeviceState;
use super::super::standing::Experience;
use crate::adb::DeviceRow;
use crate::device::HoldError;
use crate::domain::DeviceSerial;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use std::sync::Arc;

/// Devices as the adb server lists them, with the run that holds each, and emulators of this daemon that are not there yet.
pub(super) async fn list(State(desk): State<Arc<Desk>>) -> Json<Vec<DeviceState>> {
    let mut rows = desk.devices.borrow().clone();
    let absent = |serial: &DeviceSerial| !rows.iter().any(|row| row.serial == *serial);
    let absent: Vec<DeviceSerial> = desk.farm.emulators.serials().filter(|serial| absent(serial)).collect();
    rows.extend(absent.into_iter().map(DeviceRow::absent));
    let mut views = Vec::new();
    for row in rows {
        views.push(view(&desk, row).await);
    }
    Json(views)
}

/// Somebody has seen to a device: it gets runs again.
pub(super) async fn release(
    State(desk): State<Arc<Desk>>,
    Path(serial): Path<String>,
) -> Result<Json<DeviceState>, ApiError> {
    let serial = DeviceSerial::new(serial);
    let row = desk.devices.borrow().iter().find(|row| row.serial == serial).cloned();
    let Some(row) = row else {
        let message = format!("no device {serial} is connected; GET /api/v1/devices lists those that are");
        return Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_device", message));
    };
    desk.note(&serial, &Experience::Released).await;
    desk.wake.notify_one();
    Ok(Json(view(&desk, row).await))
}

async fn view(desk: &Desk, row: DeviceRow) -> DeviceState {
    let run_id = desk.leases.lock().await.of_device(&row.serial).cloned();
    let barred = if desk.rules.allows(&row.serial) {
        desk.farm.emulators.obstacle(&row.serial).or_else(|| desk.outsider(&row.serial))
    } else {
        Some(HoldError::NotAllowed { serial: row.serial.clone() }.to_string())
    };
    let standing = desk.standings.of(&row.serial);
    let traits = desk.farm.traits_of(&row.serial);
    DeviceState::new(row, run_id, barred, &standing).known_as(traits)
}
