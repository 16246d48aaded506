//! The HTTP API, version 1, and the dashboard.

mod artifacts;
mod audit;
mod batches;
mod dashboard;
mod devices;
mod entry;
mod follow;
mod guard;
mod health;
mod openapi;
mod operation;
mod probes;
mod reviews;
mod routes;
mod runs;
mod schedules;
mod session;
mod workspace;

use super::access::Gatekeeper;
use super::desk::Desk;
use super::error::ApiError;
use super::front::Front;
use super::limits::Limits;
use axum::extract::FromRef;
use axum::http::{Method, StatusCode, Uri};
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
    /// Who may come in.
    gate: Arc<Gatekeeper>,
    /// True where this is TLS: cookies are for it alone.
    secure: bool,
}

impl FromRef<Api> for Arc<Desk> {
    fn from_ref(api: &Api) -> Self {
        Self::clone(&api.desk)
    }
}

/// Every route, behind the guard against foreign web pages and the gatekeeper.
pub(super) fn router(desk: Arc<Desk>, limits: Limits, runs_over: CancellationToken, front: &Front) -> Router {
    let mut router = Router::new();
    for (operation, handler) in routes::all() {
        router = router.route(operation.path, handler);
    }
    let api = Api {
        gate: Arc::new(Gatekeeper::new(front.access(), Arc::clone(&desk.store))),
        desk,
        limits,
        runs_over,
        secure: front.scheme() == "https",
    };
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(api.clone(), entry::admit))
        .layer(middleware::from_fn_with_state(api.clone(), guard::refuse_foreign_pages))
        .with_state(api)
}

async fn unknown_path(uri: Uri) -> ApiError {
    let message = format!("nothing is at {}; docs/daemon.md lists the API", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, "unknown_path", message)
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} does not answer {method}; docs/daemon.md lists the API", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}
