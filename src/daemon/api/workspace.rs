//! `/api/v1/cases`, `suites`, `proposals`, `queue`, `hosts`: what the workspace and the farm have.

use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::nights::{CaseHistory, case_history};
use super::super::waiting::{WaitingView, waiting};
use super::artifacts::encoded;
use crate::domain::CaseId;
use crate::run::{CaseCard, Catalog, LaunchError, ProposalCard, ProposalJudgement};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, StatusCode};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A case as the API shows it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CaseView {
    id: String,
    title: String,
    tags: Vec<String>,
    suites: Vec<String>,
    params: Vec<ParamView>,
}

/// A parameter of a case.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ParamView {
    name: String,
    /// True where its value is never shown.
    secret: bool,
    /// Its value in the case, unless it is a secret.
    value: Option<String>,
}

/// A named selection of cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SuiteView {
    name: String,
    /// `suite` (a folder) or `tag`.
    kind: &'static str,
    cases: Vec<String>,
}

/// A repair that waits to be judged.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProposalView {
    case_id: String,
    profile: String,
    /// What it does otherwise, a line each, marked `-`, `+` or with a blank.
    changes: Vec<String>,
    /// What was on the screen before and after each change.
    pictures: Vec<ChangeView>,
}

/// Pictures of one change.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct ChangeView {
    /// Path on this server; absent where there is no picture.
    before: Option<String>,
    /// The same.
    after: Option<String>,
}

/// How many proposals were judged.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Judged {
    files: usize,
}

/// A daemon that shares the database.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HostView {
    name: String,
    #[schemars(with = "String")]
    seen_at: Timestamp,
    devices: Vec<String>,
}

impl From<CaseCard> for CaseView {
    fn from(card: CaseCard) -> Self {
        let param = |param: crate::run::ParamCard| ParamView {
            name: param.name,
            secret: param.value.is_none(),
            value: param.value,
        };
        let id = card.id.as_str().to_owned();
        let params = card.params.into_iter().map(param).collect();
        Self { id, title: card.title, tags: card.tags, suites: card.suites, params }
    }
}

/// All cases of the workspace.
pub(super) async fn cases(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<CaseView>>, ApiError> {
    let cards = asked(&desk, |catalog| catalog.cases()).await?;
    Ok(Json(cards.into_iter().map(CaseView::from).collect()))
}

/// A case's latest runs.
pub(super) async fn history(
    State(desk): State<Arc<Desk>>,
    Path(case_id): Path<String>,
) -> Result<Json<CaseHistory>, ApiError> {
    Ok(Json(case_history(&desk, &parse_case(&case_id)?).await?))
}

/// Folders and tags, with their cases.
pub(super) async fn suites(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<SuiteView>>, ApiError> {
    let cards = asked(&desk, |catalog| catalog.cases()).await?;
    let mut found: BTreeMap<(&'static str, String), Vec<String>> = BTreeMap::new();
    for card in cards {
        let suites = card.suites.into_iter().map(|name| ("suite", name));
        let tags = card.tags.into_iter().map(|name| ("tag", name));
        for key in suites.chain(tags) {
            found.entry(key).or_default().push(card.id.as_str().to_owned());
        }
    }
    let view = |((kind, name), cases)| SuiteView { name, kind, cases };
    Ok(Json(found.into_iter().map(view).collect()))
}

/// Repairs that wait to be judged.
pub(super) async fn proposals(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<ProposalView>>, ApiError> {
    let cards = asked(&desk, |catalog| catalog.proposals()).await?;
    let view = |card: ProposalCard| ProposalView {
        case_id: card.case_id.as_str().to_owned(),
        pictures: pictures(&card),
        profile: card.profile,
        changes: card.changes,
    };
    Ok(Json(cards.into_iter().map(view).collect()))
}

/// The pictures beside a proposal, by their changes.
fn pictures(card: &ProposalCard) -> Vec<ChangeView> {
    let mut found: BTreeMap<u32, ChangeView> = BTreeMap::new();
    let folder = format!("/api/v1/proposals/{}/{}/pictures", card.case_id, encoded(&card.profile));
    for name in &card.pictures {
        let stem = name.strip_prefix(card.profile.as_str()).and_then(|rest| rest.strip_suffix(".png"));
        let Some((number, when)) = stem.and_then(|stem| stem.strip_prefix('.')?.split_once('-')) else { continue };
        let Ok(number) = number.parse() else { continue };
        let url = Some(format!("{folder}/{}", encoded(name)));
        let view = found.entry(number).or_default();
        if when == "before" { view.before = url } else { view.after = url }
    }
    found.into_values().collect()
}

/// A picture beside a proposal.
pub(super) async fn picture(
    State(desk): State<Arc<Desk>>,
    Path((id, profile, name)): Path<(String, String, String)>,
) -> Result<([(HeaderName, &'static str); 2], Vec<u8>), ApiError> {
    let case_id = parse_case(&id)?;
    let shown = name.clone();
    let bytes = asked(&desk, move |catalog| catalog.proposal_picture(&case_id, &profile, &name)).await?;
    let missing = || {
        let message = format!("no proposal of {id} has a picture {shown}; GET /api/v1/proposals lists them");
        ApiError::new(StatusCode::NOT_FOUND, "unknown_picture", message)
    };
    Ok(([(CONTENT_TYPE, "image/png"), (X_CONTENT_TYPE_OPTIONS, "nosniff")], bytes.ok_or_else(missing)?))
}

/// A case's proposals become its scripts.
pub(super) async fn accept(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Result<Json<Judged>, ApiError> {
    judge(&desk, &id, ProposalJudgement::Accept).await
}

/// A case's proposals go.
pub(super) async fn reject(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Result<Json<Judged>, ApiError> {
    judge(&desk, &id, ProposalJudgement::Reject).await
}

/// What waits, and why.
pub(super) async fn queue(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<WaitingView>>, ApiError> {
    Ok(Json(waiting(&desk).await?))
}

/// The daemons that share the database; none where this one has its own.
pub(super) async fn hosts(State(desk): State<Arc<Desk>>) -> Result<Json<Vec<HostView>>, ApiError> {
    let hosts = desk.store.hosts().await?.into_iter();
    Ok(Json(hosts.map(|host| HostView { name: host.name, seen_at: host.seen_at, devices: host.devices }).collect()))
}

async fn judge(desk: &Arc<Desk>, id: &str, judgement: ProposalJudgement) -> Result<Json<Judged>, ApiError> {
    let case_id = parse_case(id)?;
    let files = asked(desk, move |catalog| catalog.judge(&case_id, judgement)).await?;
    if files == 0 {
        let message = format!("{id} has no proposal; GET /api/v1/proposals lists those there are");
        return Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_proposal", message));
    }
    Ok(Json(Judged { files }))
}

fn parse_case(id: &str) -> Result<CaseId, ApiError> {
    CaseId::new(id).map_err(|error| ApiError::malformed(error.to_string()))
}

/// Asks the catalog, off the async workers: it reads files.
async fn asked<T: Send + 'static>(
    desk: &Desk,
    question: impl FnOnce(&dyn Catalog) -> Result<T, LaunchError> + Send + 'static,
) -> Result<T, ApiError> {
    let Some(catalog) = desk.farm.catalog.clone() else {
        let message = "this daemon knows no workspace; hand in cases by their ids";
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_workspace", message));
    };
    let answer = tokio::task::spawn_blocking(move || question(&*catalog)).await.map_err(ApiError::internal)?;
    answer.map_err(|error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "workspace_unreadable", error.to_string()))
}
