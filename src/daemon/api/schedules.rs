//! `/api/v1/schedules`, and the webhooks that begin their nights.

use super::super::access::Caller;
use super::super::desk::{Desk, now};
use super::super::error::{ApiError, FieldError};
use super::super::nights::{BatchView, Clock, HookError, Origin, commit_of, is_signed};
use super::batches::begun;
use super::runs::parse_body;
use crate::domain::Secret;
use crate::store::{BatchSpec, ScheduleRecord};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Times that are told of a schedule.
const TIMES: usize = 5;
/// Shortest secret of a webhook.
const SHORTEST: usize = 16;
/// What a malformed body is told.
const EXPECTED: &str = "expected a JSON object {\"name\": string, \"cron\"?: string, \"zone\"?: string, \"spec\": a night, \
     \"enabled\"?: true or false, \"webhook_secret\"?: string}";
/// The signature of a webhook's body.
const SIGNATURE: &str = "x-hub-signature-256";
/// What a sender calls a delivery, so that one sent twice begins one night.
const DELIVERIES: [&str; 3] = ["x-github-delivery", "x-gitea-delivery", "x-gitlab-event-uuid"];

/// Body of `POST /api/v1/schedules`. Not `Debug`: it holds a secret.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSchedule {
    /// Its name, and that of its nights: letters, digits, `-`, `_`, `.`
    name: String,
    /// Five fields: minute, hour, day, month, weekday. Without them only a webhook begins a night.
    #[serde(default)]
    cron: Option<String>,
    /// The time zone of `cron`; UTC where it is absent.
    #[serde(default)]
    zone: Option<String>,
    /// What its nights are made of.
    spec: BatchSpec,
    /// False pauses it.
    #[serde(default)]
    enabled: Option<bool>,
    /// Lets a webhook begin a night; where it is absent, what there was stays.
    #[serde(default)]
    webhook_secret: Option<String>,
}

/// A schedule as the API shows it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ScheduleView {
    name: String,
    cron: Option<String>,
    zone: String,
    spec: BatchSpec,
    enabled: bool,
    /// Where a webhook begins a night, where one may.
    webhook: Option<String>,
    /// The next five times, in UTC.
    #[schemars(with = "Vec<String>")]
    next: Vec<Timestamp>,
    #[schemars(with = "Option<String>")]
    last_at: Option<Timestamp>,
}

impl From<ScheduleRecord> for ScheduleView {
    fn from(schedule: ScheduleRecord) -> Self {
        let clock = schedule.cron.as_deref().filter(|_| schedule.enabled);
        let clock = clock.and_then(|cron| Clock::new(cron, &schedule.zone, now()).ok());
        Self {
            next: clock.map(|clock| clock.next_times(now(), TIMES)).unwrap_or_default(),
            webhook: schedule.sealed_secret.map(|_| format!("/api/v1/hooks/{}", schedule.name)),
            name: schedule.name,
            cron: schedule.cron,
            zone: schedule.zone,
            spec: schedule.spec,
            enabled: schedule.enabled,
            last_at: schedule.last_at,
        }
    }
}

/// Makes a schedule, or puts it in place of the one of its name: 201.
pub(super) async fn put(
    State(desk): State<Arc<Desk>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let NewSchedule { name, cron, zone, mut spec, enabled, webhook_secret } = parse_body(body, EXPECTED)?;
    let good = (1..=60).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if !good {
        return Err(wrong("/name", "a name has 1 to 60 letters, digits, `-`, `_` and `.`".to_owned()));
    }
    let zone = zone.unwrap_or_else(|| "UTC".to_owned());
    let next_at = match &cron {
        Some(cron) => {
            let clock = Clock::new(cron, &zone, now());
            let clock = clock.map_err(|error| wrong("/cron", error.to_string()))?;
            clock.next(now())
        }
        None => None,
    };
    let before = desk.store.schedule(&name).await?;
    let sealed_secret = match webhook_secret {
        Some(secret) if secret.len() < SHORTEST => {
            return Err(wrong("/webhook_secret", format!("a secret has at least {SHORTEST} characters")));
        }
        Some(secret) => Some(desk.seal_hook(&name, &Secret::new(secret)).map_err(ApiError::internal)?),
        None => before.as_ref().and_then(|before| before.sealed_secret.clone()),
    };
    if cron.is_none() && sealed_secret.is_none() {
        return Err(wrong("/cron", "it would never fire: give cron, webhook_secret or both".to_owned()));
    }
    spec.name.clone_from(&name);
    desk.check_batch(&spec).await?;
    let schedule = ScheduleRecord {
        name,
        cron,
        zone,
        spec,
        enabled: enabled.unwrap_or(true),
        sealed_secret,
        created_at: before.as_ref().map_or_else(now, |before| before.created_at),
        next_at,
        last_at: before.and_then(|before| before.last_at),
    };
    desk.store.put_schedule(schedule.clone()).await?;
    desk.farm.clock.notify_one();
    Ok((StatusCode::CREATED, Json(ScheduleView::from(schedule))))
}

/// All schedules, with their next five times.
pub(super) async fn list(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<ScheduleView>>, ApiError> {
    Ok(Json(desk.store.schedules().await?.into_iter().map(ScheduleView::from).collect()))
}

/// One schedule.
pub(super) async fn show(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
) -> Result<Json<ScheduleView>, ApiError> {
    Ok(Json(known(&desk, &name).await?.into()))
}

/// Removes a schedule: 204. Its nights stay.
pub(super) async fn remove(State(desk): State<Arc<Desk>>, Path(name): Path<String>) -> Result<StatusCode, ApiError> {
    if desk.store.remove_schedule(&name).await? { Ok(StatusCode::NO_CONTENT) } else { Err(unknown(&name)) }
}

/// Begins a schedule's night now: 202.
pub(super) async fn begin(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let schedule = known(&desk, &name).await?;
    let origin = Origin { trigger: caller.name, schedule: Some(name), key: None };
    Ok(begun(desk.submit_batch(schedule.spec, origin).await?))
}

/// Begins a schedule's night for whoever knows its secret: 202. The signature is the authentication.
pub(super) async fn hook(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let body = body.map_err(|rejection| ApiError::new(rejection.status(), "unreadable_body", rejection.body_text()))?;
    let schedule = desk.store.schedule(&name).await?.filter(|schedule| schedule.enabled);
    let sealed = schedule.as_ref().and_then(|schedule| schedule.sealed_secret.as_deref());
    let (Some(schedule), Some(sealed)) = (schedule.as_ref(), sealed) else { return Err(HookError::Unknown.into()) };
    let secret = desk.unseal_hook(&name, sealed).map_err(ApiError::internal)?;
    let signature = headers.get(SIGNATURE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !is_signed(&secret, &body, signature) {
        return Err(HookError::Unsigned.into());
    }
    let delivery = DELIVERIES.iter().find_map(|header| headers.get(*header)?.to_str().ok()).map(str::to_owned);
    // Without a name of its own a delivery is its body: the same event sent again begins nothing.
    let delivery = delivery.unwrap_or_else(|| format!("{:x?}", Sha256::digest(&body)));
    let key = Some(format!("hook/{name}/{delivery}"));
    let spec = BatchSpec { commit: commit_of(&body).or_else(|| schedule.spec.commit.clone()), ..schedule.spec.clone() };
    let origin = Origin { trigger: "webhook".to_owned(), schedule: Some(name), key };
    let view = BatchView::from(desk.submit_batch(spec, origin).await?);
    Ok((StatusCode::ACCEPTED, Json(view)))
}

async fn known(desk: &Desk, name: &str) -> Result<ScheduleRecord, ApiError> {
    desk.store.schedule(name).await?.ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> ApiError {
    let message = format!("no schedule is called {name:?}; GET /api/v1/schedules lists them");
    ApiError::new(StatusCode::NOT_FOUND, "unknown_schedule", message)
}

fn wrong(pointer: &str, reason: String) -> ApiError {
    let field = FieldError { pointer: pointer.to_owned(), detail: reason.clone() };
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "schedule_refused", reason).at(vec![field])
}
