//! The way in: who asks, whether they may, and a line in the audit log where something was changed or refused.

use super::super::access::{Access, Caller, Changes, Credentials, Refusal};
use super::super::desk::now;
use super::super::error::ApiError;
use super::super::listen::Peer;
use super::Api;
use super::routes::scope_of;
use crate::domain::Secret;
use crate::store::{AuditEntry, Scope};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::net::{IpAddr, Ipv4Addr};

/// What a request with a session's cookie must carry to change something.
const CSRF: HeaderName = HeaderName::from_static("x-tapwright-csrf");
/// Cookie of a session. The prefix keeps other hosts of the domain from setting it; it demands TLS.
pub(super) const COOKIE_NAME: &str = "tapwright_session";
/// Longest path that is written into the audit log.
const LONGEST: usize = 300;

/// Lets a request through to its handler when its caller may do that.
pub(super) async fn admit(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    let path: String = request.uri().path().chars().take(LONGEST).collect();
    let matched = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let needed = needed(&method, matched.as_deref());
    let admitted = caller(&api, &method, needed, request.headers(), peer).await;
    let (actor, response) = match admitted {
        Ok(caller) => {
            let actor = caller.as_ref().map_or_else(|| "nobody".to_owned(), |caller| caller.name.clone());
            if let Some(caller) = caller {
                request.extensions_mut().insert(caller);
            }
            (actor, Ok(next.run(request).await))
        }
        Err((actor, error)) => (actor, Err(error)),
    };
    let (status, detail) = match &response {
        Ok(response) => (response.status(), String::new()),
        Err(error) => (error.status(), error.message().to_owned()),
    };
    let refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    // Those that ask too often must not fill the log as well.
    if changes(&method) == Changes::Something && status != StatusCode::TOO_MANY_REQUESTS || refused {
        let action = format!("{method} {path}");
        let entry =
            AuditEntry { number: 0, at: now(), actor, peer: peer.to_string(), action, status: status.as_u16(), detail };
        if let Err(error) = api.desk.store.append_audit(entry).await {
            tracing::error!(%error, "a line of the audit log is lost");
        }
    }
    response.unwrap_or_else(ApiError::into_response)
}

/// What a route asks for; what is no route, the least: its answer says no more than that.
fn needed(method: &Method, matched: Option<&str>) -> Option<Scope> {
    match matched {
        Some(path) => scope_of(method, path),
        None => Some(Scope::Read),
    }
}

/// The caller; `None` where the route is open to all. Else who it was, and why not.
async fn caller(
    api: &Api,
    method: &Method,
    needed: Option<Scope>,
    headers: &HeaderMap,
    peer: IpAddr,
) -> Result<Option<Caller>, (String, ApiError)> {
    let nobody = |refusal: Refusal| ("nobody".to_owned(), ApiError::from(refusal));
    let Some(needed) = needed else {
        api.gate.admit_stranger(peer).map_err(nobody)?;
        return Ok(None);
    };
    let caller = api.gate.admit(&credentials(headers), peer, changes(method)).await.map_err(nobody)?;
    if caller.scope >= needed {
        return Ok(Some(caller));
    }
    let message = format!(
        "the token {:?} may only {}; this needs the scope {needed}: ask an administrator for another token",
        caller.name, caller.scope
    );
    Err((caller.name, ApiError::new(StatusCode::FORBIDDEN, "scope", message)))
}

fn changes(method: &Method) -> Changes {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) { Changes::Nothing } else { Changes::Something }
}

/// What a request brings along; what is malformed is nothing.
fn credentials(headers: &HeaderMap) -> Credentials {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text(&AUTHORIZATION).and_then(|value| {
        let (kind, token) = value.split_once(' ')?;
        kind.eq_ignore_ascii_case("bearer").then(|| Secret::new(token.trim()))
    });
    Credentials { bearer, cookie: session_cookie(headers), csrf: text(&CSRF).map(Secret::new) }
}

/// The session's cookie, where there is one.
pub(super) fn session_cookie(headers: &HeaderMap) -> Option<Secret> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| Secret::new(value)).next()
}

/// True where every caller has a token: then a host's name may be any, and the page's origin must be that name.
pub(super) fn asks_for_tokens(api: &Api) -> bool {
    api.gate.access() == Access::Tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn credentials_are_found_where_they_belong() {
        let check = |pairs: &[(&'static str, &'static str)], bearer: Option<&str>, cookie: Option<&str>| {
            let found = credentials(&headers(pairs));
            assert_eq!(found.bearer.as_ref().map(Secret::expose), bearer, "{pairs:?}");
            assert_eq!(found.cookie.as_ref().map(Secret::expose), cookie, "{pairs:?}");
        };
        check(&[], None, None);
        check(&[("authorization", "Bearer x")], Some("x"), None);
        check(&[("authorization", "bearer  x ")], Some("x"), None);
        check(&[("authorization", "Basic x")], None, None);
        check(&[("authorization", "x")], None, None);
        check(&[("cookie", "a=b; tapwright_session=c")], None, Some("c"));
        check(&[("cookie", "xtapwright_session=c")], None, None);
    }

    #[test]
    fn what_has_no_route_needs_a_token_too() {
        assert_eq!(needed(&Method::GET, None), Some(Scope::Read));
        assert_eq!(needed(&Method::GET, Some("/healthz")), None);
        assert_eq!(needed(&Method::POST, Some("/api/v1/runs")), Some(Scope::Run));
        assert_eq!(needed(&Method::POST, Some("/api/v1/forgotten")), Some(Scope::Admin));
    }
}
