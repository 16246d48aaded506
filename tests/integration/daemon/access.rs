//! Who is let in, and each way to be refused.

use super::fake_launcher::Behaviour::Steps;
use super::test_daemon::{TestDaemon, database, reopen, within};
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tapwright::daemon::{DaemonClient, Front, MintedToken, http_client};
use tapwright::domain::Secret;
use tapwright::store::{AccessStore as _, Scope, SqliteStore};
use tempfile::TempDir;

/// A token in the database of a daemon that is not running yet.
async fn token(folder: &Path, name: &str, scope: Scope, ends_in: Option<SignedDuration>) -> (String, Secret) {
    let store = reopen(folder).await;
    let now = Timestamp::now();
    let minted = MintedToken::new(name, scope, now, ends_in.map(|ends| now + ends)).unwrap();
    let id = minted.record.id.clone();
    store.add_token(minted.record).await.unwrap();
    (id, minted.text)
}

async fn guarded(folder: &Arc<TempDir>) -> TestDaemon {
    TestDaemon::start_behind(Front::default().with_tokens(), Arc::clone(folder), &["a"], &[("PAY-0001", Steps(1))])
        .await
}

struct Answer {
    status: u16,
    code: String,
    headers: reqwest::header::HeaderMap,
    body: Value,
}

async fn ask(daemon: &TestDaemon, method: Method, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Answer {
    let mut request = daemon.http.request(method, format!("{}{path}", daemon.url));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if let Some(body) = body {
        request = request.json(&body);
    }
    let response = within(request.send()).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    let body: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let code = body["code"].as_str().unwrap_or_default().to_owned();
    Answer { status, code, headers, body }
}

fn bearer(token: &Secret) -> String {
    format!("Bearer {}", token.expose())
}

#[tokio::test]
async fn without_the_right_token_nothing_is_told_or_done() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let (_, reader) = token(folder.path(), "reader", Scope::Read, None).await;
    let (_, runner) = token(folder.path(), "runner", Scope::Run, None).await;
    let (_, ended) = token(folder.path(), "ended", Scope::Admin, Some(SignedDuration::from_secs(-1))).await;
    let daemon = guarded(&folder).await;
    let run = || Some(json!({"case_id": "PAY-0001"}));
    let (reader, runner, ended) = (bearer(&reader), bearer(&runner), bearer(&ended));
    let other = format!("Bearer tapw_0123456789ab_{}", "0".repeat(64));
    let get = Method::GET;
    for (authorization, expected) in [
        (None, (401, "token_missing")),
        (Some("Bearer x"), (401, "token_refused")),
        (Some(other.as_str()), (401, "token_refused")),
        (Some(ended.as_str()), (401, "token_refused")),
        (Some("Basic eDp5"), (401, "token_missing")),
    ] {
        let headers: Vec<_> = authorization.iter().map(|value| ("authorization", *value)).collect();
        for path in ["/api/v1/runs", "/metrics", "/readyz", "/api/v1/nothing", "/api/v1/openapi.json"] {
            if authorization.is_some() && path != "/api/v1/runs" {
                continue;
            }
            let answer = ask(&daemon, get.clone(), path, &headers, None).await;
            assert_eq!((answer.status, answer.code.as_str()), expected, "{authorization:?} {path}");
            assert!(answer.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer"));
        }
    }
    let open = ask(&daemon, get.clone(), "/healthz", &[], None).await;
    assert_eq!(open.status, 200);

    let as_reader = [("authorization", reader.as_str())];
    assert_eq!(ask(&daemon, get.clone(), "/api/v1/runs", &as_reader, None).await.status, 200);
    let answer = ask(&daemon, Method::POST, "/api/v1/runs", &as_reader, run()).await;
    assert_eq!((answer.status, answer.code.as_str()), (403, "scope"));
    let as_runner = [("authorization", runner.as_str())];
    assert_eq!(ask(&daemon, Method::POST, "/api/v1/runs", &as_runner, run()).await.status, 202);
    for (method, path) in [(Method::POST, "/api/v1/devices/a/release"), (get.clone(), "/api/v1/audit")] {
        let body = (method == Method::POST).then(|| Value::Null);
        let answer = ask(&daemon, method, path, &as_runner, body).await;
        assert_eq!((answer.status, answer.code.as_str()), (403, "scope"), "{path}");
    }
    daemon.launcher.let_end("PAY-0001", 1);
    daemon.stop().await;

    // What was done and what was refused is written down, and no secret with it.
    let log = reopen(folder.path()).await.audit(None, 100).await.unwrap();
    let line =
        |actor: &str, status: u16| log.iter().filter(|entry| entry.actor == actor && entry.status == status).count();
    assert_eq!((line("runner", 202), line("runner", 403), line("reader", 403)), (1, 2, 1), "{log:#?}");
    assert!(line("nobody", 401) >= 9, "{log:#?}");
    let bytes = std::fs::read(database(folder.path())).unwrap();
    let secret = runner.rsplit('_').next().unwrap().as_bytes();
    assert!(!bytes.windows(secret.len()).any(|part| part == secret), "a token's secret is in the database");
}

#[tokio::test]
async fn a_token_taken_back_opens_nothing_from_that_moment() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let (id, text) = token(folder.path(), "ann", Scope::Run, None).await;
    let daemon = guarded(&folder).await;
    let client = DaemonClient::new(&daemon.url).unwrap().with_token(text);
    assert_eq!(client.health().await.unwrap().devices, 1);
    let beside = SqliteStore::attach(&database(folder.path())).await.unwrap();
    assert!(beside.revoke_token(&id, Timestamp::now()).await.unwrap());
    assert!(client.health().await.unwrap_err().to_string().contains("was taken back"));
    drop(beside);
    daemon.stop().await;
}

#[tokio::test]
async fn who_guesses_is_slowed_down() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let daemon = guarded(&folder).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        let answer = ask(&daemon, Method::GET, "/api/v1/runs", &[("authorization", "Bearer guess")], None).await;
        if answer.status == 429 {
            assert_eq!(answer.code, "too_many_requests");
            assert!(answer.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() >= 1);
        }
        statuses.push(answer.status);
    }
    assert_eq!(statuses[..10], [401; 10]);
    assert_eq!(statuses[10..], [429; 2]);
    daemon.stop().await;
}

#[tokio::test]
async fn a_browser_signs_in_and_a_foreign_page_can_do_nothing_with_its_cookie() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let (_, text) = token(folder.path(), "ann", Scope::Run, None).await;
    let daemon = guarded(&folder).await;
    let page = within(daemon.http.get(format!("{}/", daemon.url)).send()).await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");

    let sign_in = |token: &str| ask_sign_in(&daemon, token.to_owned());
    assert_eq!(sign_in("tapw_x").await.code, "token_refused");
    let answer = sign_in(text.expose()).await;
    assert_eq!(answer.status, 204);
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert!(!cookie.contains(text.expose()), "the cookie is the token");
    let session = ask(&daemon, Method::GET, "/api/v1/session", &[("cookie", &cookie)], None).await;
    assert_eq!((&session.body["name"], &session.body["scope"]), (&json!("ann"), &json!("run")));
    let csrf = session.body["csrf"].as_str().unwrap().to_owned();

    let run = || Some(json!({"case_id": "PAY-0001"}));
    let check = async |headers: &[(&str, &str)], expected: (u16, &str)| {
        let answer = ask(&daemon, Method::POST, "/api/v1/runs", headers, run()).await;
        assert_eq!((answer.status, answer.code.as_str()), expected, "{headers:?}");
    };
    let own = daemon.url.as_str();
    check(&[("cookie", &cookie)], (403, "csrf")).await;
    check(&[("cookie", &cookie), ("x-tapwright-csrf", "guess")], (403, "csrf")).await;
    check(
        &[("cookie", &cookie), ("x-tapwright-csrf", &csrf), ("origin", "https://evil.example")],
        (403, "not_loopback"),
    )
    .await;
    check(&[("cookie", &cookie), ("x-tapwright-csrf", &csrf), ("sec-fetch-site", "cross-site")], (403, "not_loopback"))
        .await;
    check(&[("cookie", &cookie), ("x-tapwright-csrf", &csrf), ("origin", own)], (202, "")).await;
    let own = [("cookie", cookie.as_str()), ("x-tapwright-csrf", csrf.as_str())];
    let end = ask(&daemon, Method::POST, "/api/v1/session/end", &own, Some(Value::Null)).await;
    assert_eq!(end.status, 204);
    check(&[("cookie", &cookie), ("x-tapwright-csrf", &csrf)], (401, "token_refused")).await;
    daemon.launcher.let_end("PAY-0001", 1);
    daemon.stop().await;
}

async fn ask_sign_in(daemon: &TestDaemon, token: String) -> Answer {
    ask(daemon, Method::POST, "/api/v1/session", &[], Some(json!({"token": token}))).await
}

#[tokio::test]
async fn tls_is_spoken_where_it_is_asked_for() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let (_, text) = token(folder.path(), "ann", Scope::Run, None).await;
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
    let [certificate, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let front = Front::default().with_tokens().with_tls(&certificate, &key).unwrap();
    let daemon = TestDaemon::start_behind(front, Arc::clone(&folder), &["a"], &[("PAY-0001", Steps(1))]).await;
    let secure = daemon.url.replace("http://", "https://");

    let stranger = DaemonClient::new(&secure).unwrap().with_token(text.clone());
    assert!(stranger.health().await.is_err(), "a certificate that nobody vouches for was taken");
    let client = stranger.trusting(made.cert.pem().as_bytes()).unwrap();
    assert_eq!(client.health().await.unwrap().devices, 1);
    assert!(
        within(http_client().no_proxy().build().unwrap().get(&daemon.url).send()).await.is_err(),
        "it spoke plainly"
    );
    drop(client);
    daemon.stop().await;
}
