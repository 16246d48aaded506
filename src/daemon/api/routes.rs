//! Every route: what it is for, who may use it, and what answers.

use super::super::nights::{BatchView, CaseHistory, NightView};
use super::super::run_view::{ArtifactList, DevicePage, DeviceState, Health, RunSubmission, RunTicket, RunView};
use super::super::waiting::WaitingView;
use super::batches::CalledOff;
use super::devices::{Reserve, Withdraw};
use super::operation::{Answer, Operation, of};
use super::reviews::NewReview;
use super::schedules::{NewSchedule, ScheduleView};
use super::session::{SessionView, SignIn};
use super::workspace::{CaseView, HostView, Judged, ProposalView, SuiteView};
use super::{
    Api, artifacts, audit, batches, dashboard, devices, follow, health, openapi, probes, reviews, runs, schedules,
    session, workspace,
};
use crate::store::{AuditEntry, BatchSpec, Review, Scope};
use axum::http::{Method, StatusCode};
use axum::routing::{MethodRouter, delete, get, post};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An operation and its handler.
pub(super) type Route = (Operation, MethodRouter<Api>);

const HTML: Answer = Answer::Other("text/html");
const TEXT: Answer = Answer::Other("text/plain");
const LIST: &[(&str, &str)] = &[("limit", "at most so many"), ("before", "only what is older than this one")];

/// Scopes by path and method.
static SCOPES: LazyLock<HashMap<(&'static str, Method), Option<Scope>>> = LazyLock::new(|| {
    all().into_iter().map(|(operation, _)| ((operation.path, operation.method), operation.scope)).collect()
});

/// What a route asks of its caller; `None`: nothing. A route that is not in the list asks for the most.
pub(super) fn scope_of(method: &Method, path: &str) -> Option<Scope> {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    // The key's path is static; looking it up by one that is not needs a search, and there are few.
    let found = SCOPES.iter().find(|((known, its), _)| *known == path && its == method);
    found.map_or(Some(Scope::Admin), |(_, scope)| *scope)
}

/// All of them.
pub(super) fn all() -> Vec<Route> {
    [pages(), run_routes(), night_routes(), schedule_routes(), workspace_routes(), farm_routes(), session_routes()]
        .into_iter()
        .flatten()
        .collect()
}

fn pages() -> Vec<Route> {
    vec![
        (Operation::get("/", "the dashboard", HTML).open(), get(dashboard::page)),
        (Operation::get("/dashboard.css", "its style", Answer::Other("text/css")).open(), get(dashboard::style)),
        (
            Operation::get("/dashboard.js", "its script", Answer::Other("text/javascript")).open(),
            get(dashboard::script),
        ),
        (
            Operation::get("/base.js", "what both pages share", Answer::Other("text/javascript")).open(),
            get(dashboard::base_script),
        ),
        (
            Operation::get("/reviews.js", "judging runs", Answer::Other("text/javascript")).open(),
            get(dashboard::review_script),
        ),
        (
            Operation::get("/devices.js", "the pages of devices", Answer::Other("text/javascript")).open(),
            get(dashboard::device_script),
        ),
        (Operation::get("/farm", "nights, cases, schedules, proposals, queue", HTML).open(), get(dashboard::farm_page)),
        (Operation::get("/farm.css", "its style", Answer::Other("text/css")).open(), get(dashboard::farm_style)),
        (
            Operation::get("/farm.js", "its script", Answer::Other("text/javascript")).open(),
            get(dashboard::farm_script),
        ),
        (Operation::get("/healthz", "whether the process lives", TEXT).open(), get(probes::alive)),
        (Operation::get("/readyz", "whether runs are taken and made", TEXT), get(probes::ready)),
        (
            Operation::get("/metrics", "counters and gauges", Answer::Other("application/openmetrics-text")),
            get(probes::metrics),
        ),
    ]
}

fn run_routes() -> Vec<Route> {
    vec![
        (
            Operation::post("/api/v1/runs", "hand a run in", Answer::Json(of::<RunTicket>))
                .body(of::<RunSubmission>)
                .status(StatusCode::ACCEPTED),
            post(runs::submit),
        ),
        (
            Operation::get("/api/v1/runs", "runs, the latest first", Answer::Json(of::<Vec<RunView>>)).query(&[
                ("limit", "at most so many"),
                ("before", "only those handed in before this run"),
                ("state", "only those in this state"),
                ("device", "only those whose latest attempt had this device"),
            ]),
            get(runs::list),
        ),
        (
            Operation::get("/api/v1/runs/{run_id}", "one run, with its result", Answer::Json(of::<RunView>)),
            get(runs::show),
        ),
        (
            Operation::post("/api/v1/runs/{run_id}/cancel", "call a run off", Answer::Json(of::<RunTicket>))
                .status(StatusCode::ACCEPTED),
            post(runs::cancel),
        ),
        (
            Operation::get(
                "/api/v1/runs/{run_id}/events",
                "a run's events, from the first and live",
                Answer::Other("text/event-stream"),
            ),
            get(follow::events),
        ),
        (
            Operation::get("/api/v1/runs/{run_id}/artifacts", "what a run left", Answer::Json(of::<ArtifactList>))
                .query(&[("attempt", "an earlier attempt")]),
            get(artifacts::list),
        ),
        (
            Operation::get(
                "/api/v1/runs/{run_id}/artifacts/{*path}",
                "one file that a run left",
                Answer::Other("application/octet-stream"),
            )
            .query(&[("attempt", "an earlier attempt")]),
            get(artifacts::fetch),
        ),
        (
            Operation::post(
                "/api/v1/runs/{run_id}/review",
                "approve a run, or call it a defect",
                Answer::Json(of::<Review>),
            )
            .body(of::<NewReview>),
            post(reviews::put),
        ),
        (
            Operation::post("/api/v1/runs/{run_id}/review/withdraw", "take a review back", Answer::Empty)
                .status(StatusCode::NO_CONTENT),
            post(reviews::withdraw),
        ),
    ]
}

fn night_routes() -> Vec<Route> {
    vec![
        (
            Operation::post("/api/v1/batches", "begin a night", Answer::Json(of::<BatchView>))
                .body(of::<BatchSpec>)
                .status(StatusCode::ACCEPTED),
            post(batches::submit),
        ),
        (
            Operation::get("/api/v1/batches", "nights, the latest first", Answer::Json(of::<Vec<BatchView>>)).query(&[
                ("name", "only those of this name"),
                ("limit", "at most so many"),
                ("before", "only those handed in before this one"),
            ]),
            get(batches::list),
        ),
        (
            Operation::get(
                "/api/v1/batches/{batch_id}",
                "one night with its cells, causes and cases",
                Answer::Json(of::<NightView>),
            ),
            get(batches::show),
        ),
        (
            Operation::post("/api/v1/batches/{batch_id}/cancel", "call a night off", Answer::Json(of::<CalledOff>))
                .status(StatusCode::ACCEPTED),
            post(batches::cancel),
        ),
    ]
}

fn schedule_routes() -> Vec<Route> {
    vec![
        (
            Operation::post("/api/v1/schedules", "make a schedule, or change it", Answer::Json(of::<ScheduleView>))
                .needing(Scope::Admin)
                .body(of::<NewSchedule>)
                .status(StatusCode::CREATED),
            post(schedules::put),
        ),
        (
            Operation::get(
                "/api/v1/schedules",
                "schedules with their next times",
                Answer::Json(of::<Vec<ScheduleView>>),
            ),
            get(schedules::list),
        ),
        (
            Operation::get("/api/v1/schedules/{name}", "one schedule", Answer::Json(of::<ScheduleView>)),
            get(schedules::show),
        ),
        (
            Operation::delete("/api/v1/schedules/{name}", "remove a schedule; its nights stay"),
            delete(schedules::remove),
        ),
        (
            Operation::post("/api/v1/schedules/{name}/begin", "begin its night now", Answer::Json(of::<BatchView>))
                .status(StatusCode::ACCEPTED),
            post(schedules::begin),
        ),
        (
            Operation::post(
                "/api/v1/hooks/{name}",
                "begin its night by a signed webhook",
                Answer::Json(of::<BatchView>),
            )
            .open()
            .status(StatusCode::ACCEPTED),
            post(schedules::hook),
        ),
    ]
}

fn workspace_routes() -> Vec<Route> {
    vec![
        (
            Operation::get("/api/v1/cases", "the workspace's cases", Answer::Json(of::<Vec<CaseView>>)),
            get(workspace::cases),
        ),
        (
            Operation::get("/api/v1/cases/{case_id}/history", "a case's latest runs", Answer::Json(of::<CaseHistory>)),
            get(workspace::history),
        ),
        (
            Operation::get("/api/v1/suites", "folders and tags with their cases", Answer::Json(of::<Vec<SuiteView>>)),
            get(workspace::suites),
        ),
        (
            Operation::get(
                "/api/v1/proposals",
                "repairs that wait to be judged",
                Answer::Json(of::<Vec<ProposalView>>),
            ),
            get(workspace::proposals),
        ),
        (
            Operation::get(
                "/api/v1/proposals/{case_id}/{profile}/pictures/{name}",
                "what was on the screen before or after a change",
                Answer::Other("image/png"),
            ),
            get(workspace::picture),
        ),
        (
            Operation::post(
                "/api/v1/proposals/{case_id}/accept",
                "make a case's proposals its scripts",
                Answer::Json(of::<Judged>),
            ),
            post(workspace::accept),
        ),
        (
            Operation::post(
                "/api/v1/proposals/{case_id}/reject",
                "throw a case's proposals away",
                Answer::Json(of::<Judged>),
            ),
            post(workspace::reject),
        ),
        (
            Operation::get("/api/v1/queue", "what waits, and why", Answer::Json(of::<Vec<WaitingView>>)),
            get(workspace::queue),
        ),
        (
            Operation::get("/api/v1/hosts", "daemons that share the database", Answer::Json(of::<Vec<HostView>>)),
            get(workspace::hosts),
        ),
    ]
}

fn farm_routes() -> Vec<Route> {
    vec![
        (Operation::get("/api/v1/devices", "the devices", Answer::Json(of::<Vec<DeviceState>>)), get(devices::list)),
        (
            Operation::post(
                "/api/v1/devices/{serial}/release",
                "give a quarantined device one more chance",
                Answer::Json(of::<DeviceState>),
            )
            .needing(Scope::Admin),
            post(devices::release),
        ),
        (
            Operation::get("/api/v1/devices/{serial}", "one device with its log", Answer::Json(of::<DevicePage>)),
            get(devices::show),
        ),
        (
            Operation::get("/api/v1/devices/{serial}/picture", "what a device shows", Answer::Other("image/png"))
                .needing(Scope::Run),
            get(devices::picture),
        ),
        (
            Operation::post(
                "/api/v1/devices/{serial}/quarantine",
                "take a device out",
                Answer::Json(of::<DeviceState>),
            )
            .needing(Scope::Admin)
            .body(of::<Withdraw>),
            post(devices::quarantine),
        ),
        (
            Operation::post(
                "/api/v1/devices/{serial}/reserve",
                "keep a device for a person",
                Answer::Json(of::<DeviceState>),
            )
            .body(of::<Reserve>),
            post(devices::reserve),
        ),
        (
            Operation::post("/api/v1/devices/{serial}/give-back", "end a reservation", Answer::Json(of::<DeviceState>)),
            post(devices::give_back),
        ),
        (
            Operation::get("/api/v1/openapi.json", "this description", Answer::Other("application/json")),
            get(openapi::show),
        ),
        (Operation::get("/api/v1/health", "how the daemon is", Answer::Json(of::<Health>)), get(health::show)),
        (
            Operation::get("/api/v1/audit", "who changed what", Answer::Json(of::<Vec<AuditEntry>>))
                .needing(Scope::Admin)
                .query(LIST),
            get(audit::list),
        ),
    ]
}

fn session_routes() -> Vec<Route> {
    vec![
        (
            Operation::post("/api/v1/session", "sign a browser in", Answer::Empty)
                .open()
                .body(of::<SignIn>)
                .status(StatusCode::NO_CONTENT),
            post(session::begin),
        ),
        (Operation::get("/api/v1/session", "who asks", Answer::Json(of::<SessionView>)), get(session::show)),
        (
            Operation::post("/api/v1/session/end", "sign a browser out", Answer::Empty)
                .needing(Scope::Read)
                .status(StatusCode::NO_CONTENT),
            post(session::end),
        ),
    ]
}
