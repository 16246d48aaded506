//! `/healthz`, `/readyz`, `/metrics`: what supervisors and monitoring ask.

use super::super::desk::Desk;
use super::super::error::ApiError;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use std::sync::Arc;

/// What the text of `/metrics` is.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers as long as the process does.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// 200 while runs are taken and made; else 503 with all reasons.
pub(super) async fn ready(State(desk): State<Arc<Desk>>) -> Result<&'static str, ApiError> {
    let mut reasons = Vec::new();
    if desk.stop.is_cancelled() {
        reasons.push("the daemon is stopping".to_owned());
    }
    if let Err(error) = desk.store.queue_length().await {
        reasons.push(error.to_string());
    }
    reasons.extend(desk.trouble.current());
    if desk.devices.has_changed().is_err() {
        reasons.push("the adb server's device list is not followed any more".to_owned());
    }
    if reasons.is_empty() {
        return Ok("ready\n");
    }
    Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", reasons.join("; ")))
}

/// Counters and gauges in the text form of Prometheus (`OpenMetrics`).
pub(super) async fn metrics(State(desk): State<Arc<Desk>>) -> Result<impl IntoResponse, ApiError> {
    Ok(([(CONTENT_TYPE, METRICS)], desk.meters.text(&desk).await?))
}
