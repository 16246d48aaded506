//! `/api/v1/session`: a browser signs in with a token, and out again.

use super::super::access::Caller;
use super::super::error::ApiError;
use super::super::listen::Peer;
use super::Api;
use super::entry::{COOKIE_NAME, session_cookie};
use super::runs::parse_body;
use crate::domain::Secret;
use crate::store::Scope;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};

/// Body of `POST /api/v1/session`. Not `Debug`: it is a secret.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    /// `tapw_…`
    token: String,
}

/// Who is signed in.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionView {
    /// The token's name; `local` where none is asked for.
    name: String,
    /// What it allows.
    scope: Scope,
    /// What a request that changes something must carry as `x-tapwright-csrf`; absent without a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf: Option<String>,
    /// True where callers need a token.
    tokens: bool,
}

/// Signs in: 204 with a cookie.
pub(super) async fn begin(
    State(api): State<Api>,
    peer: Option<Extension<Peer>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let SignIn { token } = parse_body(body, "expected a JSON object {\"token\": string}")?;
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(peer)| peer.0.ip());
    let session = api.gate.begin(&Secret::new(token), peer).await?;
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie(&api, session.cookie.expose(), session.seconds))]))
}

/// Who asks.
pub(super) async fn show(
    State(api): State<Api>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Json<SessionView> {
    let csrf = session_cookie(&headers).and_then(|cookie| api.gate.csrf_of(&cookie));
    let csrf = csrf.map(|csrf| csrf.expose().to_owned());
    Json(SessionView { name: caller.name, scope: caller.scope, csrf, tokens: super::entry::asks_for_tokens(&api) })
}

/// Signs out: 204, and the cookie is worth nothing.
pub(super) async fn end(State(api): State<Api>, headers: HeaderMap) -> impl IntoResponse {
    if let Some(cookie) = session_cookie(&headers) {
        api.gate.end(&cookie);
    }
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie(&api, "", 0))])
}

/// Scripts cannot read it, and no other site's page can have it sent along.
fn cookie(api: &Api, value: &str, seconds: i64) -> String {
    let secure = if api.secure { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}
