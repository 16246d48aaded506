//! Errors as HTTP tells them: problem details (RFC 9457). Nothing below the API knows of status codes.

use super::access::Refusal;
use super::desk::{CancelError, SubmitError};
use super::nights::{HookError, NightError};
use crate::run::LaunchError;
use crate::store::StoreError;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

/// An answer that is an error.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    /// A stable word for programs.
    code: &'static str,
    /// A sentence for people, with the remedy.
    message: String,
    /// What is wrong where in the body.
    fields: Vec<FieldError>,
    /// A header that says the same to programs.
    header: Option<(HeaderName, HeaderValue)>,
}

/// What is wrong with one field of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct FieldError {
    /// Where it is: a JSON pointer (RFC 6901).
    pub(super) pointer: String,
    /// What is wrong with it.
    pub(super) detail: String,
}

/// What a body of problem details is.
const PROBLEM: &str = "application/problem+json";

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), fields: Vec::new(), header: None }
    }

    /// The same, with what is wrong where in the body.
    #[must_use]
    pub(super) fn at(self, fields: Vec<FieldError>) -> Self {
        Self { fields, ..self }
    }

    /// The same, with a header.
    #[must_use]
    pub(super) fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// The sentence for people.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Its HTTP status.
    pub(super) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Something of the daemon's own failed.
    pub(super) fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", error.to_string())
    }

    /// The request does not have the form the API asks for.
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_request", message)
    }

    /// A field of the body does not hold what the API asks for; `pointer` is its JSON pointer, `/note`.
    pub(super) fn wrong_field(pointer: &str, detail: impl Into<String>) -> Self {
        let field = FieldError { pointer: pointer.to_owned(), detail: detail.into() };
        Self::malformed(format!("{}: {}", pointer.trim_start_matches('/'), field.detail)).at(vec![field])
    }

    /// No run has this id.
    pub(super) fn unknown_run(run_id: &str) -> Self {
        let message = format!("no run {run_id:?} is known here; GET /api/v1/runs lists the latest");
        Self::new(StatusCode::NOT_FOUND, "unknown_run", message)
    }

    /// The JSON body: problem details, and beside them `error` as version 1 of the API had it from its beginning.
    pub(super) fn body(&self) -> serde_json::Value {
        let mut body = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "detail": self.message,
            "code": self.code,
            "error": {"code": self.code, "message": self.message},
        });
        if let Some(members) = body.as_object_mut().filter(|_| !self.fields.is_empty()) {
            members.insert("errors".to_owned(), json!(self.fields));
        }
        body
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(status = self.status.as_u16(), code = self.code, message = self.message, "request failed");
        }
        let mut response = (self.status, [(CONTENT_TYPE, PROBLEM)], self.body().to_string()).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "store_failed", error.to_string())
    }
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        let (status, code) = match error {
            SubmitError::Store(error) => return error.into(),
            SubmitError::Launch(LaunchError::UnknownCase(_)) => (StatusCode::NOT_FOUND, "unknown_case"),
            SubmitError::Launch(LaunchError::Request(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "case_refused"),
            SubmitError::Launch(LaunchError::Infrastructure(_)) => {
                (StatusCode::SERVICE_UNAVAILABLE, "infrastructure_missing")
            }
            SubmitError::UnknownDevice { ref pointer, .. } => {
                let field = FieldError { pointer: pointer.clone(), detail: error.to_string() };
                return Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_device", error.to_string())
                    .at(vec![field]);
            }
            SubmitError::DeviceNotAllowed { ref pointer, .. } => {
                let field = FieldError { pointer: pointer.clone(), detail: error.to_string() };
                return Self::new(StatusCode::UNPROCESSABLE_ENTITY, "device_not_allowed", error.to_string())
                    .at(vec![field]);
            }
            SubmitError::Check(_) => (StatusCode::INTERNAL_SERVER_ERROR, "check_failed"),
            SubmitError::KeyReused { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"),
            SubmitError::QueueFull(_) => (StatusCode::TOO_MANY_REQUESTS, "queue_full"),
            SubmitError::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        };
        Self::new(status, code, error.to_string())
    }
}

impl From<CancelError> for ApiError {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::Store(error) => error.into(),
            CancelError::Unknown(run_id) => Self::unknown_run(run_id.as_str()),
            CancelError::Ended { .. } => Self::new(StatusCode::CONFLICT, "already_ended", error.to_string()),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let asked = |code| {
            Self::new(StatusCode::UNAUTHORIZED, code, refusal.to_string())
                .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"tapwright\""))
        };
        match refusal {
            Refusal::NoToken => asked("token_missing"),
            Refusal::WrongToken => asked("token_refused"),
            Refusal::NoCsrf => Self::new(StatusCode::FORBIDDEN, "csrf", refusal.to_string()),
            Refusal::TooOften(wait) => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", refusal.to_string())
                    .with_header(RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1))
            }
            Refusal::Store(error) => error.into(),
            Refusal::Broken(_) => Self::internal(refusal),
        }
    }
}

impl From<NightError> for ApiError {
    fn from(error: NightError) -> Self {
        match error {
            NightError::Submit(error) => error.into(),
            NightError::Field { pointer, reason } => {
                let field = FieldError { pointer, detail: reason.clone() };
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "night_refused", reason).at(vec![field])
            }
            NightError::Fell(_) => Self::internal(error),
        }
    }
}

impl From<HookError> for ApiError {
    fn from(error: HookError) -> Self {
        let (status, code) = match error {
            HookError::Unknown => (StatusCode::NOT_FOUND, "unknown_hook"),
            HookError::Unsigned => (StatusCode::FORBIDDEN, "signature"),
        };
        Self::new(status, code, error.to_string())
    }
}
