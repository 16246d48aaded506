//! `/api/v1/runs/{run_id}/artifacts`: what a run left, file by file.

use super::super::artifacts::Artifacts;
use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::run_view::{ArtifactList, ArtifactView};
use crate::artifact_store::{ArtifactError, StoredFile};
use crate::domain::RunId;
use crate::run::{FoundRecording, Recordings};
use crate::store::RunRecord;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use http_range_header::parse_range_header;
use std::collections::BTreeMap;
use std::ops::Range;
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

/// The files of a run's recording; `?attempt=N` those of an earlier attempt. What is not on this host may be in the artifact
/// store.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Path(run_id): Path<String>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<ArtifactList>, ApiError> {
    let (run, attempt) = (known(&desk, &run_id).await?, parse_attempt(&query)?);
    let (recordings, wanted) = (desk.recordings.clone(), run.clone());
    let listed = tokio::task::spawn_blocking(move || listed(recordings.as_ref(), &wanted, attempt)).await;
    let mut list = listed.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    if let Some(artifacts) = desk.artifacts.as_ref().filter(|_| run.state.is_final()) {
        let stored = artifacts.run(&run.run_id).await.map_err(unreached)?;
        list.attempts.extend(stored.attempts());
        list.attempts.sort_unstable();
        list.attempts.dedup();
        if let Some(recording) = stored.recording(attempt).filter(|_| list.files.is_empty()) {
            list.complete = true;
            let view = |file: &StoredFile| view(&run.run_id, attempt, file.path.clone(), file.bytes);
            list.files = recording.files.iter().map(view).collect();
        }
    }
    Ok(Json(list))
}

/// One file, or the part of it that `Range` asks for: this host's, else the artifact store's.
pub(super) async fn fetch(
    State(desk): State<Arc<Desk>>,
    Path((run_id, path)): Path<(String, String)>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Result<Response, ApiError> {
    let (run, attempt) = (known(&desk, &run_id).await?, parse_attempt(&query)?);
    let (recordings, wanted, own) = (desk.recordings.clone(), path.clone(), run.clone());
    let found = tokio::task::spawn_blocking(move || {
        let Some(recording) = recording(recordings.as_ref(), &own, attempt)? else { return Ok(None) };
        recording.file(&wanted)
    });
    let found: std::io::Result<_> = found.await.map_err(ApiError::internal)?;
    if let Some(file) = found.map_err(ApiError::internal)? {
        let served = ServeFile::new(&file).try_call(request).await.map_err(ApiError::internal)?;
        return Ok((HEADERS, served.map(Body::new)).into_response());
    }
    if let Some(artifacts) = desk.artifacts.as_ref().filter(|_| run.state.is_final()) {
        let stored = artifacts.run(&run.run_id).await.map_err(unreached)?;
        if let Some(file) = stored.recording(attempt).and_then(|recording| recording.file(&path)) {
            return Ok((HEADERS, from_store(artifacts, file, request.headers()).await?).into_response());
        }
    }
    let message =
        format!("run {run_id:?} has no artifact {path:?}; GET /api/v1/runs/{run_id}/artifacts lists those there are");
    Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_artifact", message))
}

/// A stored file as `ServeFile` answers one of this host: whole, or the one range that is asked for. What is in it is its tag.
async fn from_store(artifacts: &Artifacts, file: &StoredFile, asked: &HeaderMap) -> Result<Response, ApiError> {
    let text = |name: HeaderName| asked.get(name).and_then(|value| value.to_str().ok());
    let tag = format!("\"{}\"", file.sha256);
    if text(IF_NONE_MATCH).is_some_and(|known| known.split(',').any(|known| known.trim() == tag)) {
        return Ok((StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response());
    }
    let all = format!("bytes */{}", file.bytes);
    let range = match text(RANGE).map(|range| parse_range_header(range).and_then(|ranges| ranges.validate(file.bytes)))
    {
        Some(Err(_)) => return Ok((StatusCode::RANGE_NOT_SATISFIABLE, [(CONTENT_RANGE, all)]).into_response()),
        // Of several ranges all may be given, and the whole file holds them.
        Some(Ok(ranges)) => <[_; 1]>::try_from(ranges).ok().map(|[range]| *range.start()..range.end() + 1),
        None => None,
    };
    let part = range.clone();
    let Some(blob) = artifacts.store.read(file, range).await.map_err(unreached)? else {
        let message = format!("{:?} is listed, but the artifact store has it no more", file.path);
        return Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_artifact", message));
    };
    let kind = mime_guess::from_path(&file.path).first_or_octet_stream().to_string();
    let headers = [
        (CONTENT_TYPE, kind),
        (ETAG, tag),
        (ACCEPT_RANGES, "bytes".to_owned()),
        (CONTENT_LENGTH, (blob.range.end - blob.range.start).to_string()),
    ];
    let body = Body::from_stream(blob.stream);
    Ok(match part {
        Some(Range { start, end }) => {
            let told = format!("bytes {start}-{}/{}", end - 1, blob.size);
            (StatusCode::PARTIAL_CONTENT, [(CONTENT_RANGE, told)], headers, body).into_response()
        }
        None => (headers, body).into_response(),
    })
}

/// The artifact store does not answer, or not as it should.
fn unreached(error: ArtifactError) -> ApiError {
    ApiError::new(StatusCode::BAD_GATEWAY, "artifact_store", error.to_string())
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
    list.files = found.files()?.into_iter().map(|file| view(run_id, attempt, file.path, file.bytes)).collect();
    Ok(list)
}

fn view(run_id: &RunId, attempt: Option<u32>, path: String, bytes: u64) -> ArtifactView {
    let query = attempt.map(|number| format!("?attempt={number}")).unwrap_or_default();
    ArtifactView { url: format!("/api/v1/runs/{run_id}/artifacts/{}{query}", encoded(&path)), path, bytes }
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
