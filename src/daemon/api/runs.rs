//! `/api/v1/runs`: hand in, list, look up, call off.

use super::super::desk::{Desk, Submitted};
use super::super::error::{ApiError, FieldError};
use super::super::run_view::{RunSubmission, RunTicket, RunView};
use super::artifacts::encoded;
use crate::domain::{DeviceSerial, RunId};
use crate::store::{RunFilter, RunState};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path as UrlPath, Query, State};
use axum::http::header::{LINK, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs listed when nobody says how many.
const DEFAULT_LIMIT: u32 = 50;
/// Header by which a submission that is sent twice is one run.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Most characters of it.
const MOST_KEY: usize = 255;
/// Runs listed at most.
const MAX_LIMIT: u32 = 500;

/// Queues a run: 202 with a [`RunTicket`].
pub(super) async fn submit(
    State(desk): State<Arc<Desk>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let submission: RunSubmission = parse_body(body, RunSubmission::EXPECTED)?;
    let (request, priority) = submission.into_parts();
    let Submitted { run_id, state } = desk.submit(request, priority, parse_key(&headers)?).await?;
    let ticket = RunTicket::new(run_id, state);
    Ok((StatusCode::ACCEPTED, [(LOCATION, ticket.url.clone())], Json(ticket)))
}

/// Latest runs first, without their results; `?limit=` and `?state=` narrow the list, `?before=` goes on behind a run. `Link`
/// names the next page, where there may be one.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<impl IntoResponse, ApiError> {
    let filter = parse_filter(&query)?;
    let runs = desk.store.runs(filter.clone()).await?;
    let mut headers = HeaderMap::new();
    let full = runs.len() as u64 == u64::from(filter.limit);
    if let Some(last) = runs.last().filter(|_| full) {
        let state = filter.state.map(|state| format!("&state={state}")).unwrap_or_default();
        let device = filter.device.map(|device| format!("&device={}", encoded(device.as_str()))).unwrap_or_default();
        let next = format!("</api/v1/runs?limit={}{state}{device}&before={}>; rel=\"next\"", filter.limit, last.run_id);
        headers.insert(LINK, next.parse().map_err(ApiError::internal)?);
    }
    Ok((headers, Json(runs.into_iter().map(|run| RunView::from(run).short()).collect::<Vec<_>>())))
}

/// One run, with its result.
pub(super) async fn show(
    State(desk): State<Arc<Desk>>,
    UrlPath(run_id): UrlPath<String>,
) -> Result<Json<RunView>, ApiError> {
    let run = desk.store.run(&RunId::new(run_id.as_str())).await?.ok_or_else(|| ApiError::unknown_run(&run_id))?;
    let review = desk.store.review(&run.run_id).await?;
    Ok(Json(RunView { review, ..run.into() }))
}

/// Calls a run off: 202 with its state. A run under way ends soon; its event stream tells when.
pub(super) async fn cancel(
    State(desk): State<Arc<Desk>>,
    UrlPath(run_id): UrlPath<String>,
) -> Result<impl IntoResponse, ApiError> {
    let run = desk.cancel(&RunId::new(run_id)).await?;
    Ok((StatusCode::ACCEPTED, Json(RunTicket::new(run.run_id, run.state))))
}

/// The caller's own name for a submission.
pub(super) fn parse_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let (Some(key), None) = (keys.next(), keys.next()) else {
        let none = headers.get(IDEMPOTENCY_KEY).is_none();
        return if none {
            Ok(None)
        } else {
            Err(ApiError::malformed(format!("{IDEMPOTENCY_KEY} is there more than once")))
        };
    };
    let key = key.to_str().ok().filter(|key| (1..=MOST_KEY).contains(&key.len()));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        ApiError::malformed(format!("{IDEMPOTENCY_KEY}: expected 1 to {MOST_KEY} visible ASCII characters"))
    })
}

/// A body of JSON; what is wrong with it is told with its place.
pub(super) fn parse_body<T: DeserializeOwned>(
    body: Result<Bytes, BytesRejection>,
    expected: &'static str,
) -> Result<T, ApiError> {
    let body = body.map_err(|rejection| ApiError::new(rejection.status(), "unreadable_body", rejection.body_text()))?;
    parse_json(&body, expected)
}

fn parse_json<T: DeserializeOwned>(body: &[u8], expected: &'static str) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let wrong = |error: &serde_json::Error| ApiError::malformed(format!("{error}; {expected}"));
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = FieldError { pointer: pointer(error.path()), detail: error.inner().to_string() };
        wrong(error.inner()).at(vec![field])
    })?;
    json.end().map_err(|error| wrong(&error))?;
    Ok(parsed)
}

/// A place in a body as a JSON pointer (RFC 6901); the whole body is the empty one.
fn pointer(path: &Path) -> String {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let segment = |segment: &Segment| match segment {
        Segment::Map { key } => format!("/{}", escaped(key)),
        Segment::Seq { index } => format!("/{index}"),
        Segment::Enum { variant } => format!("/{}", escaped(variant)),
        Segment::Unknown => String::new(),
    };
    path.iter().map(segment).collect()
}

fn parse_filter(query: &BTreeMap<String, String>) -> Result<RunFilter, ApiError> {
    let mut filter = RunFilter { limit: DEFAULT_LIMIT, ..RunFilter::default() };
    for (name, value) in query {
        match name.as_str() {
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
                filter.limit = limit.ok_or_else(|| {
                    ApiError::malformed(format!("limit={value}: expected a number from 1 to {MAX_LIMIT}"))
                })?;
            }
            "state" => {
                let state = value.parse::<RunState>();
                filter.state = Some(state.map_err(|error| ApiError::malformed(format!("state: {error}")))?);
            }
            "device" => filter.device = Some(DeviceSerial::new(value.as_str())),
            "before" => filter.before = Some(RunId::new(value.as_str())),
            other => {
                let message = format!("unknown query parameter {other:?}: expected limit, state, device or before");
                return Err(ApiError::malformed(message));
            }
        }
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_submission_is_told_with_its_place() {
        let check = |body: &str, expected: Option<&str>| {
            let error =
                parse_json::<RunSubmission>(body.as_bytes(), RunSubmission::EXPECTED).map(drop).unwrap_err().body();
            let pointer = error["errors"][0]["pointer"].as_str();
            assert_eq!(pointer, expected, "{body}: {error}");
            assert_eq!((error["status"].as_u64(), error["code"].as_str()), (Some(400), Some("malformed_request")));
            assert!(error["detail"].as_str().unwrap().contains("expected a JSON object"), "{error}");
        };
        check(r#"{"case_id": "A-1", "params": {"a/b~c": 1}}"#, Some("/params/a~1b~0c"));
        check(r#"{"case_id": "A-1", "seed": -1}"#, Some("/seed"));
        check(r#"{"case_id": 7}"#, Some("/case_id"));
        check(r#"{"case_id": "A-1", "sede": 1}"#, Some("/sede"));
        check("{}", Some(""));
        check("[]", Some(""));
        check(r#"{"case_id": "A-1"} x"#, None);
        assert!(parse_json::<RunSubmission>(br#"{"case_id": "A-1"}"#, "").is_ok());
    }

    #[test]
    fn a_filter_is_read_strictly() {
        let parse = |pairs: &[(&str, &str)]| {
            parse_filter(&pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        assert_eq!(parse(&[]).unwrap(), RunFilter { limit: 50, ..RunFilter::default() });
        let both = RunFilter { state: Some(RunState::Queued), limit: 500, ..RunFilter::default() };
        assert_eq!(parse(&[("limit", "500"), ("state", "queued")]).unwrap(), both);
        for bad in [("limit", "0"), ("limit", "501"), ("limit", "-1"), ("limit", "many"), ("state", "new"), ("l", "1")]
        {
            assert!(parse(&[bad]).is_err(), "{bad:?} was accepted");
        }
    }
}
