//! `/api/v1/devices`.

use super::super::access::Caller;
use super::super::desk::{Desk, is_ready, now};
use super::super::error::{ApiError, FieldError};
use super::super::pool::{DeviceEvent, Phase};
use super::super::run_view::{DevicePage, DeviceState};
use super::runs::parse_body;
use crate::adb::DeviceRow;
use crate::device::HoldError;
use crate::domain::{DeviceSerial, RunId};
use crate::store::Reservation;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, StatusCode};
use axum::{Extension, Json};
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// Lines of a device's log that are told.
const TOLD: u32 = 100;
/// Hours for which a device is reserved when nobody says, and at most.
const HOURS: (u32, u32) = (8, 168);
/// Characters of a note or a reason.
const LONGEST: usize = 500;
/// How long a device may take to show what it shows.
const PATIENCE: Duration = Duration::from_secs(20);

/// Body of a reservation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reserve {
    /// For how many hours, 1 to 168; 8 where it is absent.
    #[serde(default)]
    hours: Option<u32>,
    /// What for.
    #[serde(default)]
    note: String,
}

/// Body of a quarantine.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Withdraw {
    /// Why it is taken out.
    reason: String,
}

/// A picture, never kept by a browser.
type Picture = ([(HeaderName, &'static str); 3], Vec<u8>);

/// Devices as the adb server lists them, with the run that holds each, and emulators of this daemon that are not there yet.
pub(super) async fn list(State(desk): State<Arc<Desk>>) -> Json<Vec<DeviceState>> {
    let mut rows = desk.devices.borrow().clone();
    let absent = |serial: &DeviceSerial| !rows.iter().any(|row| row.serial == *serial);
    let absent: Vec<DeviceSerial> = desk.farm.emulators.serials().filter(|serial| absent(serial)).collect();
    rows.extend(absent.into_iter().map(DeviceRow::absent));
    let mut views = Vec::new();
    for row in rows {
        views.push(view(&desk, row).await);
    }
    Json(views)
}

/// One device with its log, also one that is away.
pub(super) async fn show(
    State(desk): State<Arc<Desk>>,
    Path(serial): Path<String>,
) -> Result<Json<DevicePage>, ApiError> {
    let serial = DeviceSerial::new(serial);
    let log = desk.store.device_log(&serial, TOLD).await?;
    let device = match row_of(&desk, &serial) {
        Some(row) => view(&desk, row).await,
        None if !log.is_empty() => DeviceState::absent(serial.clone(), desk.pool.of(&serial)),
        None => return Err(unknown(&serial)),
    };
    Ok(Json(DevicePage { device, log }))
}

/// Somebody has seen to a device: it gets runs again.
pub(super) async fn release(
    State(desk): State<Arc<Desk>>,
    Path(serial): Path<String>,
) -> Result<Json<DeviceState>, ApiError> {
    let (serial, row) = connected(&desk, serial)?;
    desk.note(&serial, &DeviceEvent::Released).await;
    desk.wake.notify_one();
    Ok(Json(view(&desk, row).await))
}

/// Somebody takes a device out: it gets no runs until it is released. The run that has it goes on.
pub(super) async fn quarantine(
    State(desk): State<Arc<Desk>>,
    Path(serial): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<DeviceState>, ApiError> {
    let Withdraw { reason } = parse_body(body, "expected a JSON object {\"reason\": string}")?;
    let (serial, row) = connected(&desk, serial)?;
    let reason = plain(&reason, "/reason")?;
    if reason.is_empty() {
        return Err(ApiError::malformed("reason: say why, for whoever finds it quarantined"));
    }
    desk.note(&serial, &DeviceEvent::Withdrawn(reason)).await;
    Ok(Json(view(&desk, row).await))
}

/// Somebody takes a device for a while: no run gets it, and its settings are put back as they were.
pub(super) async fn reserve(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    Path(serial): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<DeviceState>, ApiError> {
    let Reserve { hours, note } =
        parse_body(body, "expected a JSON object {\"hours\"?: integer 1 to 168, \"note\"?: string}")?;
    let (serial, row) = connected(&desk, serial)?;
    let hours = hours.unwrap_or(HOURS.0);
    if !(1..=HOURS.1).contains(&hours) {
        let detail = format!("expected 1 to {}", HOURS.1);
        let field = FieldError { pointer: "/hours".to_owned(), detail: detail.clone() };
        return Err(ApiError::malformed(format!("hours={hours}: {detail}")).at(vec![field]));
    }
    if let Some(held) = desk.pool.reservation(&serial)
        && held.person != caller.name
    {
        let message = format!("{serial} is reserved by {} until {}: ask them, or wait", held.person, held.until);
        return Err(ApiError::new(StatusCode::CONFLICT, "already_reserved", message));
    }
    let until = now() + SignedDuration::from_hours(i64::from(hours));
    let reservation = Reservation { serial, person: caller.name, note: plain(&note, "/note")?, until };
    desk.reserve(reservation).await?;
    Ok(Json(view(&desk, row).await))
}

/// Somebody gives a device back.
pub(super) async fn give_back(
    State(desk): State<Arc<Desk>>,
    Path(serial): Path<String>,
) -> Result<Json<DeviceState>, ApiError> {
    let (serial, row) = connected(&desk, serial)?;
    if !desk.end_reservation(&serial).await? {
        let message = format!("{serial} is not reserved");
        return Err(ApiError::new(StatusCode::CONFLICT, "not_reserved", message));
    }
    Ok(Json(view(&desk, row).await))
}

/// What a device shows: while a run has it, the run's latest picture, in which secrets are covered.
pub(super) async fn picture(State(desk): State<Arc<Desk>>, Path(serial): Path<String>) -> Result<Picture, ApiError> {
    let (serial, _) = connected(&desk, serial)?;
    let run_id = desk.leases.lock().await.of_device(&serial).cloned();
    let bytes = match run_id {
        Some(run_id) => recorded(&desk, run_id).await?,
        None => shown(&desk, &serial).await?,
    };
    let bytes = bytes.ok_or_else(|| {
        let message = format!("there is no picture of {serial} yet");
        ApiError::new(StatusCode::NOT_FOUND, "no_picture", message)
    })?;
    let headers = [(CONTENT_TYPE, "image/png"), (X_CONTENT_TYPE_OPTIONS, "nosniff"), (CACHE_CONTROL, "no-store")];
    Ok((headers, bytes))
}

/// The latest picture that a run recorded.
async fn recorded(desk: &Desk, run_id: RunId) -> Result<Option<Vec<u8>>, ApiError> {
    let run = desk.store.run(&run_id).await?.ok_or_else(|| ApiError::unknown_run(run_id.as_str()))?;
    let Some(recordings) = desk.recordings.clone() else { return Ok(None) };
    let read = tokio::task::spawn_blocking(move || {
        let Some(found) = recordings.of(run.case_id(), &run.run_id, None)? else { return Ok(None) };
        found.latest_picture()
    });
    read.await.map_err(ApiError::internal)?.map_err(|error: std::io::Error| ApiError::internal(error))
}

/// What an idle device shows now.
async fn shown(desk: &Desk, serial: &DeviceSerial) -> Result<Option<Vec<u8>>, ApiError> {
    let Some(care) = desk.pool.carer() else { return Ok(None) };
    let unanswered = |reason: String| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "no_picture", format!("{serial} gives no picture: {reason}"))
    };
    match tokio::time::timeout(PATIENCE, care.picture(serial)).await {
        Ok(Ok(bytes)) => Ok(Some(bytes)),
        Ok(Err(error)) => Err(unanswered(error.to_string())),
        Err(_elapsed) => Err(unanswered("it does not answer".to_owned())),
    }
}

/// A person's words on one line.
fn plain(text: &str, pointer: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.chars().count() <= LONGEST && !text.chars().any(char::is_control) {
        return Ok(text.to_owned());
    }
    Err(ApiError::wrong_field(pointer, format!("expected at most {LONGEST} characters on one line")))
}

fn row_of(desk: &Desk, serial: &DeviceSerial) -> Option<DeviceRow> {
    desk.devices.borrow().iter().find(|row| row.serial == *serial).cloned()
}

fn connected(desk: &Desk, serial: String) -> Result<(DeviceSerial, DeviceRow), ApiError> {
    let serial = DeviceSerial::new(serial);
    let row = row_of(desk, &serial).ok_or_else(|| unknown(&serial))?;
    Ok((serial, row))
}

fn unknown(serial: &DeviceSerial) -> ApiError {
    let message = format!("no device {serial} is connected; GET /api/v1/devices lists those that are");
    ApiError::new(StatusCode::NOT_FOUND, "unknown_device", message)
}

async fn view(desk: &Desk, row: DeviceRow) -> DeviceState {
    let run_id = desk.leases.lock().await.of_device(&row.serial).cloned();
    let barred = if desk.rules.allows(&row.serial) {
        desk.farm.emulators.obstacle(&row.serial).or_else(|| desk.outsider(&row.serial))
    } else {
        Some(HoldError::NotAllowed { serial: row.serial.clone() }.to_string())
    };
    let serial = row.serial.clone();
    let mut condition = desk.pool.of(&serial);
    // The lease is the truth; the pool hears of it a moment later.
    if run_id.is_some() {
        condition.phase = Phase::Leased;
    }
    let kept = desk.pool.reservation(&serial);
    let pictured = desk.pool.carer().is_some() && is_ready(&desk.devices.borrow(), &serial);
    let known = DeviceState::new(row, run_id, barred, condition).known_as(desk.farm.traits_of(&serial));
    known.kept_for(kept).pictured(pictured)
}
