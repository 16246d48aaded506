//! Errors as HTTP tells them: `{"error": {"code", "message"}}`. Nothing below the API knows of status codes.

use super::desk::{CancelError, SubmitError};
use crate::run::LaunchError;
use crate::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// An answer that is an error.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    /// A stable word for programs.
    code: &'static str,
    /// A sentence for people, with the remedy.
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// The request does not have the form the API asks for.
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_request", message)
    }

    /// No run has this id.
    pub(super) fn unknown_run(run_id: &str) -> Self {
        let message = format!("no run {run_id:?} is known here; GET /api/v1/runs lists the latest");
        Self::new(StatusCode::NOT_FOUND, "unknown_run", message)
    }

    /// The JSON body.
    pub(super) fn body(&self) -> serde_json::Value {
        json!({"error": {"code": self.code, "message": self.message}})
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(status = self.status.as_u16(), code = self.code, message = self.message, "request failed");
        }
        (self.status, Json(self.body())).into_response()
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
            SubmitError::Check(_) => (StatusCode::INTERNAL_SERVER_ERROR, "check_failed"),
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
