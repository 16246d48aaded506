//! The HTTP API, version 1, and the dashboard.

mod artifacts;
mod dashboard;
mod devices;
mod follow;
mod guard;
mod health;
mod probes;
mod runs;

use super::desk::Desk;
use super::error::ApiError;
use super::limits::Limits;
use axum::extract::FromRef;
use axum::http::{Method, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Router, middleware};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the handlers share.
#[derive(Clone)]
struct Api {
    desk: Arc<Desk>,
    limits: Limits,
    /// Fires when no run can go on any more: open event streams end.
    runs_over: CancellationToken,
}

impl FromRef<Api> for Arc<Desk> {
    fn from_ref(api: &Api) -> Self {
        Self::clone(&api.desk)
    }
}

/// Every route, behind the guard against foreign web pages.
pub(super) fn router(desk: Arc<Desk>, limits: Limits, runs_over: CancellationToken) -> Router {
    Router::new()
        .route("/", get(dashboard::page))
        .route("/dashboard.css", get(dashboard::style))
        .route("/dashboard.js", get(dashboard::script))
        .route("/api/v1/runs", post(runs::submit).get(runs::list))
        .route("/api/v1/runs/{run_id}", get(runs::show))
        .route("/api/v1/runs/{run_id}/cancel", post(runs::cancel))
        .route("/api/v1/runs/{run_id}/events", get(follow::events))
        .route("/api/v1/runs/{run_id}/artifacts", get(artifacts::list))
        .route("/api/v1/runs/{run_id}/artifacts/{*path}", get(artifacts::fetch))
        .route("/healthz", get(probes::alive))
        .route("/readyz", get(probes::ready))
        .route("/metrics", get(probes::metrics))
        .route("/api/v1/devices", get(devices::list))
        .route("/api/v1/devices/{serial}/release", post(devices::release))
        .route("/api/v1/health", get(health::show))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(guard::refuse_foreign_pages))
        .with_state(Api { desk, limits, runs_over })
}

async fn unknown_path(uri: Uri) -> ApiError {
    let message = format!("nothing is at {}; docs/daemon.md lists the API", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, "unknown_path", message)
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} does not answer {method}; docs/daemon.md lists the API", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}
