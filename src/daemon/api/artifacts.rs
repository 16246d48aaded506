//! `/api/v1/runs/{run_id}/artifacts`: what a run left, file by file.

use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::run_view::{ArtifactList, ArtifactView};
use crate::domain::RunId;
use crate::run::{FoundRecording, Recordings};
use crate::store::RunRecord;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::Arc;
use tower_http::services::ServeFile;

/// A report may show its own pictures and run its own script, as a page of no origin: it can neither use this API nor reach
/// anything else.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; frame-ancestors 'none'";
const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

/// The files of a run's recording; `?attempt=N` those of an earlier attempt.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Path(run_id): Path<String>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<ArtifactList>, ApiError> {
    let (run, attempt) = (known(&desk, &run_id).await?, parse_attempt(&query)?);
    let recordings = desk.recordings.clone();
    let listed = tokio::task::spawn_blocking(move || listed(recordings.as_ref(), &run, attempt)).await;
    Ok(Json(listed.map_err(ApiError::internal)?.map_err(ApiError::internal)?))
}

/// One file, or the part of it that `Range` asks for.
pub(super) async fn fetch(
    State(desk): State<Arc<Desk>>,
    Path((run_id, path)): Path<(String, String)>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Result<Response, ApiError> {
    let (run, attempt) = (known(&desk, &run_id).await?, parse_attempt(&query)?);
    let (recordings, wanted) = (desk.recordings.clone(), path.clone());
    let found = tokio::task::spawn_blocking(move || {
        let Some(recording) = recording(recordings.as_ref(), &run, attempt)? else { return Ok(None) };
        recording.file(&wanted)
    });
    let found: std::io::Result<_> = found.await.map_err(ApiError::internal)?;
    let Some(file) = found.map_err(ApiError::internal)? else {
        let message = format!(
            "run {run_id:?} has no artifact {path:?}; GET /api/v1/runs/{run_id}/artifacts lists those there are"
        );
        return Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_artifact", message));
    };
    let served = ServeFile::new(&file).try_call(request).await.map_err(ApiError::internal)?;
    Ok((HEADERS, served.map(Body::new)).into_response())
}

async fn known(desk: &Desk, run_id: &str) -> Result<RunRecord, ApiError> {
    desk.store.run(&RunId::new(run_id)).await?.ok_or_else(|| ApiError::unknown_run(run_id))
}

fn recording(
    recordings: Option<&Recordings>,
    run: &RunRecord,
    attempt: Option<u32>,
) -> std::io::Result<Option<FoundRecording>> {
    let Some(recordings) = recordings else { return Ok(None) };
    recordings.of(run.case_id(), &run.run_id, attempt)
}

fn listed(recordings: Option<&Recordings>, run: &RunRecord, attempt: Option<u32>) -> std::io::Result<ArtifactList> {
    let run_id = &run.run_id;
    let attempts = recordings.map(|all| all.attempts(run.case_id(), run_id)).transpose()?.unwrap_or_default();
    let mut list = ArtifactList { run_id: run_id.clone(), complete: false, attempts, files: Vec::new() };
    let Some(found) = recording(recordings, run, attempt)? else { return Ok(list) };
    list.complete = found.complete;
    let query = attempt.map(|number| format!("?attempt={number}")).unwrap_or_default();
    let view = |file: crate::run::RecordedFile| ArtifactView {
        url: format!("/api/v1/runs/{run_id}/artifacts/{}{query}", encoded(&file.path)),
        path: file.path,
        bytes: file.bytes,
    };
    list.files = found.files()?.into_iter().map(view).collect();
    Ok(list)
}

/// A path for a URL: whatever is no plain character is percent-encoded, `/` is left.
pub(super) fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn parse_attempt(query: &BTreeMap<String, String>) -> Result<Option<u32>, ApiError> {
    if let Some(other) = query.keys().find(|name| *name != "attempt") {
        return Err(ApiError::malformed(format!("unknown query parameter {other:?}: expected attempt")));
    }
    let Some(text) = query.get("attempt") else { return Ok(None) };
    let number = text.parse().ok().filter(|number| *number > 0);
    number.map(Some).ok_or_else(|| ApiError::malformed(format!("attempt={text}: expected a number from 1")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_made_of_plain_characters() {
        assert_eq!(encoded("screens/0a-b.png"), "screens/0a-b.png");
        assert_eq!(encoded("a b?#%/ü"), "a%20b%3F%23%25/%C3%BC");
    }
}
