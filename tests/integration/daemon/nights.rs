//! Nights and schedules over HTTP: made, tried again, compared, told; and what is refused.

use super::fake_launcher::Behaviour::{self, FailsUntil, Steps};
use super::test_daemon::{TestDaemon, limits, within};
use async_trait::async_trait;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::BTreeMap;
use std::sync::Arc;
use tapwright::daemon::{Daemon, Notice, NoticeTarget, NoticeWhen};
use tapwright::domain::{CaseId, DeviceSerial};
use tapwright::run::{CaseCard, Catalog, DeviceTraits, LaunchError, ParamCard, ProposalCard, ProposalJudgement};

/// Three cases; devices whose serial begins with `t` are tablets, in German.
struct FakeCatalog;

#[async_trait]
impl Catalog for FakeCatalog {
    fn cases(&self) -> Result<Vec<CaseCard>, LaunchError> {
        let card = |(id, tag): (&str, &str)| CaseCard {
            id: CaseId::new(id).unwrap(),
            title: format!("Case {id}"),
            tags: vec![tag.to_owned()],
            suites: vec!["pay".into()],
            touches: vec![format!("app/{}/**", id.to_lowercase())],
            params: vec![ParamCard { name: "pin".into(), value: None }],
        };
        Ok([("A", "smoke"), ("B", "smoke"), ("C", "slow")].map(card).to_vec())
    }

    fn titles(&self) -> Result<BTreeMap<CaseId, String>, LaunchError> {
        Ok(self.cases()?.into_iter().map(|card| (card.id, card.title)).collect())
    }

    fn profiles(&self) -> Vec<String> {
        ["phone", "tablet"].map(str::to_owned).to_vec()
    }

    async fn traits_of(&self, serial: &DeviceSerial) -> Result<DeviceTraits, LaunchError> {
        let tablet = serial.as_str().starts_with('t');
        let (profile, locale) = if tablet { ("tablet", "de-DE") } else { ("phone", "en-US") };
        Ok(DeviceTraits { profile: profile.into(), locale: locale.into() })
    }

    async fn app_version(&self, _: &CaseId, _: &DeviceSerial) -> Result<Option<String>, LaunchError> {
        Ok(Some("2.3.1".into()))
    }

    fn proposals(&self) -> Result<Vec<ProposalCard>, LaunchError> {
        let case_id = CaseId::new("A").unwrap();
        Ok(vec![ProposalCard { case_id, profile: "phone".into(), changes: vec!["+ tap Pay".into()], pictures: vec![] }])
    }

    fn judge(&self, case_id: &CaseId, _: ProposalJudgement) -> Result<usize, LaunchError> {
        Ok(usize::from(case_id.as_str() == "A"))
    }
}

pub(super) async fn daemon(devices: &[&str], cases: &[(&str, Behaviour)], notices: Vec<Notice>) -> TestDaemon {
    let daemon = Daemon::with_limits(limits()).knowing(Arc::new(FakeCatalog)).notifying(notices);
    TestDaemon::start_as(daemon, Arc::new(tempfile::tempdir().unwrap()), devices, cases).await
}

pub(super) async fn ask(daemon: &TestDaemon, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let mut request = daemon.http.request(method, format!("{}/api/v1/{path}", daemon.url));
    if let Some(body) = body {
        request = request.json(&body);
    }
    let response = within(request.send()).await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// The night once it has ended.
pub(super) async fn ended(daemon: &TestDaemon, id: &str) -> Value {
    let ended = async {
        loop {
            let (_, night) = ask(daemon, Method::GET, &format!("batches/{id}"), None).await;
            if !night["batch"]["finished_at"].is_null() {
                return night;
            }
        }
    };
    within(ended).await
}

#[tokio::test]
async fn a_night_is_made_on_each_profile_tried_again_and_compared_with_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let tee = NoticeTarget::Command(vec!["tee".into(), told.to_str().unwrap().into()]);
    let notices = vec![Notice { target: tee, when: NoticeWhen::Broken }];
    let cases = [("A", Steps(1)), ("B", FailsUntil(99)), ("C", Steps(1))];
    let daemon = daemon(&["p1", "t1"], &cases, notices).await;
    daemon.launcher.let_end("A", 10);
    let spec = json!({"name": "nightly", "tags": ["smoke"], "profiles": ["phone", "tablet"], "retries": 1});
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (status, batch) = ask(&daemon, Method::POST, "batches", Some(spec.clone())).await;
        assert_eq!(status, 202, "{batch}");
        let id = batch["batch_id"].as_str().unwrap().to_owned();
        ended(&daemon, &id).await;
        ids.push(id);
    }
    let night = ended(&daemon, &ids[1]).await;
    let tally = &night["batch"]["tally"];
    assert_eq!((&tally["passed"], &tally["failed"], &tally["open"]), (&json!(2), &json!(2), &json!(0)), "{night}");
    let cells: Vec<(&str, &str, usize)> = night["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| {
            (
                cell["case_id"].as_str().unwrap(),
                cell["column"].as_str().unwrap(),
                cell["runs"].as_array().unwrap().len(),
            )
        })
        .collect();
    assert_eq!(cells, [("A", "phone", 1), ("A", "tablet", 1), ("B", "phone", 2), ("B", "tablet", 2)]);
    assert_eq!(night["causes"].as_array().unwrap().len(), 1, "{night}");
    assert_eq!((&night["causes"][0]["new"], &night["compared_with"]), (&json!(false), &json!(ids[0])));
    let first = ended(&daemon, &ids[0]).await;
    assert_eq!(first["causes"][0]["new"], Value::Null, "there was nothing to compare with");
    assert_eq!((&night["batch"]["app_before"], &night["batch"]["app_after"]), (&json!("2.3.1"), &json!("2.3.1")));
    for launched in daemon.launcher.launched() {
        assert!(["p1", "t1"].contains(&launched.serial.as_str()));
    }
    let (_, history) = ask(&daemon, Method::GET, "cases/B/history", None).await;
    assert_eq!(history["runs"].as_array().unwrap().len(), 8);
    let notice = async {
        loop {
            if let Ok(text) = std::fs::read_to_string(&told)
                && let Ok(json) = serde_json::from_str::<Value>(&text)
            {
                return json;
            }
            tokio::task::yield_now().await;
        }
    };
    assert_eq!(within(notice).await["tally"]["failed"], 2);
    daemon.stop().await;
}

#[tokio::test]
async fn what_passes_at_a_later_try_is_flaky_and_a_language_takes_devices_that_have_it() {
    let daemon = daemon(&["p1", "t1"], &[("A", FailsUntil(2)), ("B", Steps(1)), ("C", Steps(1))], vec![]).await;
    let spec = json!({"cases": ["A"], "locales": ["de_DE"], "retries": 3});
    let (_, batch) = ask(&daemon, Method::POST, "batches", Some(spec)).await;
    let night = ended(&daemon, batch["batch_id"].as_str().unwrap()).await;
    assert_eq!((&night["batch"]["tally"]["flaky"], &night["cases"][0]["strip"]), (&json!(1), &json!(["flaky"])));
    let serials: Vec<String> = daemon.launcher.launched().into_iter().map(|launched| launched.serial).collect();
    assert_eq!(serials, ["t1", "t1"]);
    daemon.stop().await;
}

#[tokio::test]
async fn a_night_keeps_to_its_terms_and_says_why_a_run_waits() {
    let daemon = daemon(&["p1", "p2", "p3"], &[("A", Steps(1)), ("B", Steps(1)), ("C", Steps(1))], vec![]).await;
    let spec = json!({"suites": ["pay"], "concurrency": 2});
    let (_, batch) = ask(&daemon, Method::POST, "batches", Some(spec)).await;
    within(daemon.launcher.wait_until_busy(2)).await;
    let (_, queue) = ask(&daemon, Method::GET, "queue", None).await;
    assert_eq!(queue[0]["because"], "its night makes at most 2 at once");
    let (status, off) = ask(
        &daemon,
        Method::POST,
        &format!("batches/{}/cancel", batch["batch_id"].as_str().unwrap()),
        Some(Value::Null),
    )
    .await;
    assert_eq!((status, &off["runs"]), (202, &json!(3)));
    let night = ended(&daemon, batch["batch_id"].as_str().unwrap()).await;
    assert_eq!(night["batch"]["tally"]["cancelled"], 3);

    // It is quiet now, and will be for hours: the run behind goes first.
    let hours = |from_now: i64| (Timestamp::now() + SignedDuration::from_hours(from_now)).strftime("%H:%M").to_string();
    let until = hours(6);
    let quiet = json!({"from": hours(-6), "to": until, "zone": "UTC"});
    let (status, _) = ask(&daemon, Method::POST, "batches", Some(json!({"cases": ["A"], "quiet": quiet}))).await;
    assert_eq!(status, 202);
    let begun = daemon.launcher.launched().len();
    let behind = daemon.submit("B").await;
    within(daemon.launcher.wait_until_busy(1)).await;
    let launched: Vec<String> = daemon.launcher.launched().into_iter().map(|launched| launched.case_id).collect();
    assert_eq!(&launched[begun..], ["B"]);
    let (_, queue) = ask(&daemon, Method::GET, "queue", None).await;
    assert_eq!((&queue[0]["case_id"], queue.as_array().unwrap().len()), (&json!("A"), 1));
    assert_eq!(queue[0]["because"], format!("quiet hours until {until} (UTC)"));
    daemon.launcher.let_end("B", 1);
    daemon.end_of(&behind).await;
    // Hours that are yet to come keep nobody waiting.
    let quiet = json!({"from": hours(6), "to": hours(8), "zone": "UTC"});
    let (_, batch) = ask(&daemon, Method::POST, "batches", Some(json!({"cases": ["C"], "quiet": quiet}))).await;
    daemon.launcher.let_end("C", 1);
    let night = ended(&daemon, batch["batch_id"].as_str().unwrap()).await;
    assert_eq!(night["batch"]["tally"]["passed"], 1);
    daemon.stop().await;
}

#[tokio::test]
async fn what_can_never_be_made_is_refused_with_its_place() {
    let daemon = daemon(&["p1"], &[("A", Steps(1)), ("B", Behaviour::Malformed), ("C", Steps(1))], vec![]).await;
    for (spec, pointer) in [
        (json!({}), "/cases"),
        (json!({"cases": ["Z"]}), "/cases/0"),
        (json!({"tags": ["smok"]}), "/tags/0"),
        (json!({"cases": ["B"]}), "/cases"),
        (json!({"cases": ["A"], "profiles": ["watch"]}), "/profiles/0"),
        (json!({"cases": ["A"], "locales": ["x"]}), "/locales/0"),
        (json!({"cases": ["A"], "retries": 9}), "/retries"),
        (json!({"cases": ["A"], "quiet": {"from": "08:00", "to": "08:00", "zone": "UTC"}}), "/quiet"),
    ] {
        let (status, answer) = ask(&daemon, Method::POST, "batches", Some(spec.clone())).await;
        assert_eq!((status, &answer["code"]), (422, &json!("night_refused")), "{spec}");
        assert_eq!(answer["errors"][0]["pointer"], pointer, "{spec}");
    }
    let (status, answer) = ask(&daemon, Method::POST, "batches", Some(json!({"case": []}))).await;
    assert_eq!((status, &answer["errors"][0]["pointer"]), (400, &json!("/case")));
    let of_a = || json!({"cases": ["A"]});
    for (schedule, pointer) in [
        (json!({"name": "n", "cron": "0 2 30 2 *", "spec": of_a()}), "/cron"),
        (json!({"name": "n", "cron": "0 2 * *", "spec": of_a()}), "/cron"),
        (json!({"name": "n", "cron": "0 2 * * *", "zone": "Mars/Base", "spec": of_a()}), "/cron"),
        (json!({"name": "n", "spec": of_a()}), "/cron"),
        (json!({"name": "a b", "cron": "0 2 * * *", "spec": of_a()}), "/name"),
        (json!({"name": "n", "webhook_secret": "short", "spec": of_a()}), "/webhook_secret"),
        (json!({"name": "n", "cron": "0 2 * * *", "spec": {"cases": ["Z"]}}), "/cases/0"),
    ] {
        let (status, answer) = ask(&daemon, Method::POST, "schedules", Some(schedule.clone())).await;
        assert_eq!((status, &answer["errors"][0]["pointer"]), (422, &json!(pointer)), "{schedule}");
    }
    assert_eq!(ask(&daemon, Method::GET, "schedules", None).await.1, json!([]));
    daemon.stop().await;
}

#[tokio::test]
async fn a_schedule_tells_its_next_times_and_begins_its_night_by_hand_and_by_a_signed_webhook() {
    let daemon = daemon(&["p1"], &[("A", Steps(1)), ("B", Steps(1)), ("C", Steps(1))], vec![]).await;
    daemon.launcher.let_end("A", 9);
    let secret = "a secret of many characters";
    let schedule = json!({"name": "nightly", "cron": "30 22 * * mon-fri", "zone": "Europe/Berlin",
        "webhook_secret": secret, "spec": {"cases": ["A"]}});
    let (status, view) = ask(&daemon, Method::POST, "schedules", Some(schedule)).await;
    assert_eq!((status, view["next"].as_array().unwrap().len()), (201, 5), "{view}");
    assert!(!view.to_string().contains(secret));
    let (status, batch) = ask(&daemon, Method::POST, "schedules/nightly/begin", Some(Value::Null)).await;
    assert_eq!((status, &batch["schedule"], &batch["trigger"]), (202, &json!("nightly"), &json!("local")));
    ended(&daemon, batch["batch_id"].as_str().unwrap()).await;

    let hook = async |body: &str, signature: Option<String>| {
        let mut request = daemon.http.post(format!("{}/api/v1/hooks/nightly", daemon.url));
        request = request.header("content-type", "application/json").body(body.to_owned());
        if let Some(signature) = signature {
            request = request.header("x-hub-signature-256", signature);
        }
        let response = within(request.send()).await.unwrap();
        (response.status().as_u16(), response.json::<Value>().await.unwrap())
    };
    let signed = |body: &str, key: &str| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(body.as_bytes());
        let bytes = mac.finalize().into_bytes();
        format!("sha256={}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    };
    let body = r#"{"after": "3f9c1e2aa"}"#;
    assert_eq!(hook(body, None).await.0, 403);
    assert_eq!(hook(body, Some(signed(body, "another secret, as long"))).await.0, 403);
    assert_eq!(hook(body, Some(signed("{}", secret))).await.0, 403);
    let (status, first) = hook(body, Some(signed(body, secret))).await;
    assert_eq!((status, &first["spec"]["commit"], &first["trigger"]), (202, &json!("3f9c1e2aa"), &json!("webhook")));
    let (_, again) = hook(body, Some(signed(body, secret))).await;
    assert_eq!(again["batch_id"], first["batch_id"], "a delivery that was sent twice began two nights");
    ended(&daemon, first["batch_id"].as_str().unwrap()).await;
    assert_eq!(ask(&daemon, Method::DELETE, "schedules/nightly", None).await.0, 204);
    assert_eq!(hook(body, Some(signed(body, secret))).await.0, 404);
    daemon.stop().await;
}

#[tokio::test]
async fn the_workspace_is_shown_and_proposals_are_judged() {
    let daemon = daemon(&["p1"], &[("A", Steps(1))], vec![]).await;
    let (_, cases) = ask(&daemon, Method::GET, "cases", None).await;
    assert_eq!((&cases[0]["id"], &cases[0]["params"][0]["secret"]), (&json!("A"), &json!(true)));
    let (_, suites) = ask(&daemon, Method::GET, "suites", None).await;
    assert_eq!(suites[0], json!({"name": "pay", "kind": "suite", "cases": ["A", "B", "C"]}));
    let (_, proposals) = ask(&daemon, Method::GET, "proposals", None).await;
    assert_eq!(proposals[0]["changes"], json!(["+ tap Pay"]));
    assert_eq!(ask(&daemon, Method::POST, "proposals/A/accept", Some(Value::Null)).await, (200, json!({"files": 1})));
    assert_eq!(ask(&daemon, Method::POST, "proposals/B/reject", Some(Value::Null)).await.0, 404);
    daemon.stop().await;
}

#[tokio::test]
async fn a_night_has_places_and_begins_with_what_changed() {
    let cases = [("A", Steps(1)), ("B", Steps(1)), ("C", Steps(1))];
    let daemon = daemon(&["p1"], &cases, vec![]).await;
    for case in ["A", "B", "C"] {
        daemon.launcher.let_end(case, 10);
    }
    let wrong = json!({"tags": ["smoke"], "locations": ["48.85,2.35", "Paris"]});
    let (status, problem) = ask(&daemon, Method::POST, "batches", Some(wrong)).await;
    assert_eq!(status, 422, "{problem}");
    assert!(problem.to_string().contains("/locations/1"), "{problem}");
    let spec =
        json!({"cases": ["A", "B", "C"], "locations": ["48.85,2.35", "-1.5,13.4"], "changed": ["app/c/Main.kt"]});
    let (status, batch) = ask(&daemon, Method::POST, "batches", Some(spec)).await;
    assert_eq!(status, 202, "{batch}");
    let night = ended(&daemon, batch["batch_id"].as_str().unwrap()).await;
    let columns: Vec<&str> =
        night["cells"].as_array().unwrap().iter().map(|cell| cell["column"].as_str().unwrap()).collect();
    assert_eq!((columns.len(), columns.iter().filter(|column| **column == "-1.5,13.4").count()), (6, 3), "{columns:?}");
    let launched = daemon.launcher.launched();
    let told: Vec<(&str, Option<&str>)> =
        launched.iter().map(|run| (run.case_id.as_str(), run.location.as_deref())).collect();
    assert_eq!(told[..2], [("C", Some("48.85,2.35")), ("C", Some("-1.5,13.4"))], "{told:?}");
    assert_eq!(told.len(), 6);
    daemon.stop().await;
}
