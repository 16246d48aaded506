//! `/api/v1/health`.

use super::super::desk::{Desk, is_ready};
use super::super::error::ApiError;
use super::super::run_view::Health;
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Answers 200 as long as the database answers.
pub(super) async fn show(State(desk): State<Arc<Desk>>) -> Result<Json<Health>, ApiError> {
    let queue_length = desk.store.queue_length().await?;
    let rows = desk.devices.borrow().clone();
    Ok(Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        devices: rows.len(),
        devices_ready: rows.iter().filter(|row| is_ready(&rows, &row.serial)).count(),
        devices_busy: desk.leases.lock().await.len(),
        devices_tracked: desk.devices.has_changed().is_ok(),
        queue_length,
        store_trouble: desk.trouble.current(),
        stopping: desk.stop.is_cancelled(),
    }))
}
