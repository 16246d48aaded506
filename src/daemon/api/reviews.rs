//! `/api/v1/runs/{run_id}/review`: what a person makes of a run that ended.

use super::super::access::Caller;
use super::super::desk::{Desk, now};
use super::super::error::ApiError;
use super::runs::parse_body;
use crate::domain::RunId;
use crate::store::{Decision, Review};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// What a malformed body is told.
const EXPECTED: &str =
    "expected a JSON object {\"decision\": \"approved\" or \"defect\", \"link\"?: string, \"comment\"?: string}";
/// Characters of a link, and of a comment.
const LONGEST: (usize, usize) = (2000, 4000);

/// Body of a review.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewReview {
    decision: Decision,
    /// Where a defect is kept: an `http` or `https` URL.
    #[serde(default)]
    link: String,
    /// Anything else.
    #[serde(default)]
    comment: String,
}

/// Keeps a review, in place of an earlier one.
pub(super) async fn put(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    Path(run_id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Review>, ApiError> {
    let NewReview { decision, link, comment } = parse_body(body, EXPECTED)?;
    let run = desk.store.run(&RunId::new(run_id.as_str())).await?.ok_or_else(|| ApiError::unknown_run(&run_id))?;
    if !run.state.is_final() {
        let message = format!("run {run_id} is {}; it can be reviewed once it has ended", run.state);
        return Err(ApiError::new(StatusCode::CONFLICT, "not_ended", message));
    }
    let (link, comment) = (link.trim().to_owned(), comment.trim().to_owned());
    if let Some((pointer, detail)) = fault(&link, &comment) {
        return Err(ApiError::wrong_field(pointer, detail));
    }
    let review = Review { run_id: run.run_id, decision, link, comment, person: caller.name, at: now() };
    desk.store.put_review(review.clone()).await?;
    Ok(Json(review))
}

/// Takes a review back.
pub(super) async fn withdraw(
    State(desk): State<Arc<Desk>>,
    Path(run_id): Path<String>,
) -> Result<StatusCode, ApiError> {
    if desk.store.remove_review(&RunId::new(run_id.as_str())).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let message = format!("run {run_id} has no review");
    Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_review", message))
}

/// What is wrong with a link, which becomes one on a page, or a comment; and where.
fn fault(link: &str, comment: &str) -> Option<(&'static str, String)> {
    let web = link.is_empty() || link.starts_with("https://") || link.starts_with("http://");
    if !web || link.len() > LONGEST.0 || link.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Some(("/link", format!("expected an http or https URL of at most {} characters", LONGEST.0)));
    }
    let fits = comment.chars().count() <= LONGEST.1 && !comment.chars().any(|c| c.is_control() && c != '\n');
    (!fits).then(|| ("/comment", format!("expected at most {} characters of text", LONGEST.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_a_link_on_a_page_is_one() {
        for (link, comment, expected) in [
            ("", "", None),
            ("https://bugs.example/7?a=b#c", "two\nlines <b>", None),
            ("javascript:alert(1)", "", Some("/link")),
            ("https://a\nb", "", Some("/link")),
            ("https://a b", "", Some("/link")),
            ("//evil.example", "", Some("/link")),
            ("", "a\u{1b}[31m", Some("/comment")),
        ] {
            assert_eq!(fault(link, comment).map(|(pointer, _)| pointer), expected, "{link:?} {comment:?}");
        }
        assert!(fault(&format!("https://{}", "a".repeat(2000)), "").is_some());
        assert!(fault("", &"a".repeat(4001)).is_some());
    }
}
