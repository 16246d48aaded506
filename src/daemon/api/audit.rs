//! `/api/v1/audit`: who changed what, and who was refused.

use super::super::desk::Desk;
use super::super::error::ApiError;
use crate::store::AuditEntry;
use axum::Json;
use axum::extract::{Query, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines listed when nobody says how many, and at most.
const LIMITS: (u32, u32) = (100, 1_000);

/// The latest lines first; `?limit=`, and `?before=` a number.
pub(super) async fn list(
    State(desk): State<Arc<Desk>>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Json<Vec<AuditEntry>>, ApiError> {
    let (mut limit, mut before) = (LIMITS.0, None);
    for (name, value) in &query {
        match name.as_str() {
            "limit" => {
                let number = value.parse().ok().filter(|number| (1..=LIMITS.1).contains(number));
                let message =
                    || ApiError::malformed(format!("limit={value}: expected a number from 1 to {}", LIMITS.1));
                limit = number.ok_or_else(message)?;
            }
            "before" => {
                let message = |_| ApiError::malformed(format!("before={value}: expected the number of a line"));
                before = Some(value.parse().map_err(message)?);
            }
            other => {
                let message = format!("unknown query parameter {other:?}: expected limit or before");
                return Err(ApiError::malformed(message));
            }
        }
    }
    Ok(Json(desk.store.audit(before, limit).await?))
}
