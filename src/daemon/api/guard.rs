//! Keeps web pages of other origins out.
//!
//! Loopback alone does not: a page from anywhere runs in a browser on this machine. It could point its own name at
//! 127.0.0.1 (DNS rebinding; so `Host` must be a loopback name), or send a form or a `text/plain` POST across origins
//! without asking (so `Origin`, where sent, must be loopback, and a POST must be `application/json`, which browsers
//! send across origins only after a preflight that this server never grants). Where callers have tokens the daemon may have
//! any name, and `Origin` must be that name.

use super::super::error::ApiError;
use super::Api;
use super::entry::asks_for_tokens;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{Ipv4Addr, Ipv6Addr};

/// What a browser says of the page that asks.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets a request through only when no foreign web page can have sent it.
pub(super) async fn refuse_foreign_pages(
    State(api): State<Api>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let names = if asks_for_tokens(&api) { Names::Any } else { Names::Loopback };
    check(request.method(), request.headers(), names)?;
    Ok(next.run(request).await)
}

/// By which names the daemon is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Those of this machine.
    Loopback,
    /// Any: every caller has a token, and a browser sends its cookie only to the name that it was set by.
    Any,
}

fn check(method: &Method, headers: &HeaderMap, names: Names) -> Result<(), ApiError> {
    let host = only(headers, &HOST)?.ok_or_else(|| foreign("a request without a Host header"))?;
    if names == Names::Loopback && !is_loopback(host) {
        return Err(foreign(&format!("Host {host:?}")));
    }
    if let Some(origin) = only(headers, &ORIGIN)? {
        // Forms: `http://host:port`, or `null` for pages without an origin.
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let own = authority.is_some_and(|authority| match names {
            Names::Loopback => origin.starts_with("http://") && is_loopback(authority),
            Names::Any => authority.eq_ignore_ascii_case(host),
        });
        if !own {
            return Err(foreign(&format!("Origin {origin:?}")));
        }
    }
    // Browsers say so themselves; a link from elsewhere may still lead here.
    let site = only(headers, &FETCH_SITE)?.unwrap_or("same-origin");
    if method != Method::GET && !matches!(site, "same-origin" | "none") {
        return Err(foreign(&format!("a {method} from a page of another site (Sec-Fetch-Site: {site})")));
    }
    if method == Method::POST {
        let kind = only(headers, &CONTENT_TYPE)?.unwrap_or("none");
        let essence = kind.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            let message = format!("a POST must have content-type: application/json; this one has {kind}");
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_content_type", message));
        }
    }
    Ok(())
}

/// A header that may be there at most once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(ApiError::malformed(format!("header {name} is there more than once")));
    }
    let text = |value: &'a axum::http::HeaderValue| {
        value.to_str().map_err(|_not_ascii| ApiError::malformed(format!("header {name} is not plain ASCII")))
    };
    first.map(text).transpose()
}

fn foreign(what: &str) -> ApiError {
    let message = format!(
        "{what} is refused: this daemon answers only to itself as localhost, 127.0.0.1 or [::1], or to callers with tokens under its own name"
    );
    ApiError::new(StatusCode::FORBIDDEN, "not_loopback", message)
}

/// True for `localhost`, 127.0.0.0/8 and `[::1]`, each with or without a port.
fn is_loopback(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => {
            if !address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()) {
                return false;
            }
            ("localhost", port)
        }
        None => authority.find(':').map_or((authority, ""), |colon| authority.split_at(colon)),
    };
    let port_is_fine = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let host_is_fine =
        host.eq_ignore_ascii_case("localhost") || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    port_is_fine && host_is_fine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_loopback() {
        for yes in ["localhost", "LOCALHOST:80", "127.0.0.1:7878", "127.9.9.9", "[::1]", "[::1]:1"] {
            assert!(is_loopback(yes), "{yes} was refused");
        }
        for no in [
            "",
            ":80",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "10.0.0.1",
            "0.0.0.0",
            "[::]",
            "[::1",
            "::1",
            "[::1]x",
            "localhost:",
            "localhost:http",
            "localhost:80:80",
            "user@localhost",
            "[localhost]",
            "[::1]@evil",
        ] {
            assert!(!is_loopback(no), "{no} was let in");
        }
    }

    fn headers(pairs: &[(&HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| ((*name).clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_foreign_page_cannot_post() {
        let json = (&CONTENT_TYPE, "application/json; charset=utf-8");
        let host = (&HOST, "localhost:1");
        let ok = |pairs: &[_]| check(&Method::POST, &headers(pairs), Names::Loopback).is_ok();
        assert!(ok(&[host, json]));
        assert!(ok(&[host, json, (&ORIGIN, "http://127.0.0.1:7878")]));
        assert!(!ok(&[host]));
        assert!(!ok(&[json]));
        assert!(!ok(&[host, (&CONTENT_TYPE, "text/plain")]));
        assert!(!ok(&[host, (&CONTENT_TYPE, "application/x-www-form-urlencoded")]));
        for origin in ["null", "https://evil.example", "http://evil.example", "http://localhost.evil.example"] {
            assert!(!ok(&[host, json, (&ORIGIN, origin)]), "{origin} was let in");
        }
        let mut two_hosts = headers(&[host, json]);
        two_hosts.append(HOST, "127.0.0.1".parse().unwrap());
        assert!(check(&Method::POST, &two_hosts, Names::Loopback).is_err());
    }

    #[test]
    fn with_tokens_a_page_is_its_own_under_any_name_and_foreign_under_another() {
        let json = (&CONTENT_TYPE, "application/json");
        let check = |host: &str, origin: &str, site: &str, expected: bool| {
            let pairs = [(&HOST, host), json, (&ORIGIN, origin), (&FETCH_SITE, site)];
            let result = super::check(&Method::POST, &headers(&pairs), Names::Any);
            assert_eq!(result.is_ok(), expected, "{host} {origin} {site}");
        };
        check("farm.example:7878", "https://farm.example:7878", "same-origin", true);
        check("farm.example", "https://FARM.example", "none", true);
        check("farm.example", "https://evil.example", "cross-site", false);
        check("farm.example", "https://evil.example", "same-origin", false);
        check("farm.example", "https://farm.example", "same-site", false);
        check("farm.example", "null", "same-origin", false);
        check("farm.example", "https://farm.example.evil.example", "same-origin", false);
    }
}
