//! `/api/v1/batches`: nights.

use super::super::access::Caller;
use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::nights::{BatchView, NightView, Origin, night_view};
use super::runs::{parse_body, parse_key};
use crate::store::{BatchFilter, BatchRecord, BatchSpec};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Nights listed when nobody says how many, and at most.
const LIMITS: (u32, u32) = (50, 500);
/// What a malformed body is told.
pub(super) const EXPECTED: &str = "expected a JSON object {\"name\"?, \"cases\"?, \"tags\"?, \"suites\"?, \"profiles\"?, \"locales\"?, \"commit\"?, \
     \"retries\"?, \"concurrency\"?, \"priority\"?, \"give_up_hours\"?, \"quiet\"?}";

/// How many runs were called off.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CalledOff {
    /// Runs that waited or were under way.
    runs: usize,
}

/// Begins a night: 202.
pub(super) async fn submit(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let spec: BatchSpec = parse_body(body, EXPECTED)?;
    let origin = Origin { trigger: caller.name, schedule: None, key: parse_key(&headers)? };
    Ok(begun(desk.submit_batch(spec, origin).await?))
}

/// The answer to whoever began a night.
pub(super) fn begun(batch: BatchRecord) -> impl IntoResponse {
    let view = BatchView::from(batch);
    (StatusCode::ACCEPTED, [(LOCATION, view.url.clone())], Json(view))
}

/// Nights, the latest first; `?name=`, `?limit=`, `?before=` a night.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<Vec<BatchView>>, ApiError> {
    let mut filter = BatchFilter { limit: LIMITS.0, ..BatchFilter::default() };
    for (name, value) in query {
        match name.as_str() {
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=LIMITS.1).contains(limit));
                let message =
                    || ApiError::malformed(format!("limit={value}: expected a number from 1 to {}", LIMITS.1));
                filter.limit = limit.ok_or_else(message)?;
            }
            "name" => filter.name = Some(value),
            "before" => filter.before = Some(value),
            other => {
                let message = format!("unknown query parameter {other:?}: expected limit, name or before");
                return Err(ApiError::malformed(message));
            }
        }
    }
    Ok(Json(desk.store.batches(filter).await?.into_iter().map(BatchView::from).collect()))
}

/// One night with its cells, causes and cases.
pub(super) async fn show(
    State(desk): State<Arc<Desk>>,
    Path(batch_id): Path<String>,
) -> Result<Json<NightView>, ApiError> {
    let batch = known(&desk, &batch_id).await?;
    Ok(Json(night_view(&desk, batch).await?))
}

/// Calls a night off: 202.
pub(super) async fn cancel(
    State(desk): State<Arc<Desk>>,
    Path(batch_id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    known(&desk, &batch_id).await?;
    let runs = desk.cancel_batch(&batch_id).await?;
    Ok((StatusCode::ACCEPTED, Json(CalledOff { runs })))
}

async fn known(desk: &Desk, batch_id: &str) -> Result<BatchRecord, ApiError> {
    let message = || format!("no night {batch_id:?} is known here; GET /api/v1/batches lists them");
    let unknown = || ApiError::new(StatusCode::NOT_FOUND, "unknown_batch", message());
    desk.store.batch(batch_id).await?.ok_or_else(unknown)
}
