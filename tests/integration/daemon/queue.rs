//! Which run gets which device, and when.

use super::fake_launcher::Behaviour::{Blocks, Deaf, Errs, Panics, SickOn, Steps};
use super::fake_launcher::FakeLauncher;
use super::test_daemon::{TestDaemon, device_rules, limits, reopen, request, rows, within};
use std::sync::Arc;
use std::time::Duration;
use tapwright::adb::ConnectionState;
use tapwright::daemon::{ClientError, Limits};
use tapwright::domain::Verdict;
use tapwright::store::RunState;

const CASES: [(&str, super::fake_launcher::Behaviour); 3] = [("A", Steps(1)), ("B", Steps(1)), ("C", Steps(1))];

#[tokio::test]
async fn two_devices_make_two_runs_at_once() {
    let daemon = TestDaemon::start(&["d1", "d2"], &CASES).await;
    let (a, b) = (daemon.submit("A").await, daemon.submit("B").await);
    // Both wait at their gates at the same moment: neither waited for the other.
    within(daemon.launcher.wait_until_busy(2)).await;
    daemon.launcher.let_end("A", 1);
    daemon.launcher.let_end("B", 1);
    let devices = [daemon.end_of(&a).await.device.unwrap(), daemon.end_of(&b).await.device.unwrap()];
    assert_ne!(devices[0], devices[1]);
    daemon.stop().await;
}

#[tokio::test]
async fn one_device_makes_runs_one_after_another_in_order() {
    let daemon = TestDaemon::start(&["d1"], &CASES).await;
    daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.submit("B").await;
    let urgent = daemon.http.post(format!("{}/api/v1/runs", daemon.url)).header("content-type", "application/json");
    let urgent = urgent.body(r#"{"case_id": "C", "priority": 1}"#).send().await.unwrap();
    assert_eq!(urgent.status(), 202);
    let last = daemon.submit("A").await;
    for (case, next) in [("A", "C@d1"), ("C", "B@d1"), ("B", "A@d1")] {
        daemon.launcher.let_end(case, 1);
        within(daemon.launcher.wait_until_active(vec![next])).await;
    }
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&last).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_waits_for_the_device_it_asked_for() {
    let daemon = TestDaemon::start(&["d1", "d2"], &CASES).await;
    assert_eq!(daemon.client.devices().await.unwrap().len(), 2);
    daemon.devices.send_replace(rows(&["d1"]));
    let mut only_d2 = request("A");
    only_d2.device = Some("d2".into());
    let waiting = daemon.client.submit(only_d2).await.unwrap().run_id;
    daemon.submit("B").await;
    within(daemon.launcher.wait_until_active(vec!["B@d1"])).await;
    assert_eq!(daemon.client.run(&waiting).await.unwrap().state, RunState::Queued);
    daemon.devices.send_replace(rows(&["d1", "d2"]));
    within(daemon.launcher.wait_until_active(vec!["A@d2", "B@d1"])).await;
    daemon.launcher.let_end("A", 1);
    daemon.launcher.let_end("B", 1);
    assert_eq!(daemon.end_of(&waiting).await.device, Some("d2".into()));
    daemon.stop().await;
}

#[tokio::test]
async fn parameters_reach_the_launcher_and_nobody_else() {
    let daemon = TestDaemon::start(&["d1"], &CASES).await;
    let mut secret = request("A");
    secret.params.insert("pin".into(), "135790".into());
    let run_id = daemon.client.submit(secret).await.unwrap().run_id;
    daemon.launcher.let_end("A", 1);
    let end = daemon.end_of(&run_id).await;
    assert_eq!(daemon.launcher.launched()[0].params["pin"], "135790");
    assert!(end.has_params && !serde_json::to_string(&end).unwrap().contains("135790"));
    daemon.stop().await;
}

#[tokio::test]
async fn a_waiting_run_and_a_running_one_can_be_called_off() {
    let daemon = TestDaemon::start(&["d1"], &CASES).await;
    let running = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    let waiting = daemon.submit("B").await;
    assert_eq!(daemon.client.cancel(&waiting).await.unwrap(), RunState::Cancelled);
    let end = daemon.end_of(&waiting).await;
    assert_eq!((end.state, end.attempts), (RunState::Cancelled, 0));
    assert_eq!(end.reason, "cancelled before it started");

    daemon.client.cancel(&running).await.unwrap();
    let end = daemon.end_of(&running).await;
    assert_eq!((end.state, end.verdict), (RunState::Cancelled, Some(Verdict::Error)));
    assert_eq!(end.reason, "cancelled; interrupted");
    assert!(end.result.is_some());
    let error = daemon.client.cancel(&running).await.unwrap_err();
    assert!(matches!(&error, ClientError::Refused { status: 409, code, .. } if code == "already_ended"), "{error}");

    // The device is free again.
    daemon.launcher.let_end("C", 1);
    let next = daemon.submit("C").await;
    assert_eq!(daemon.end_of(&next).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_that_loses_its_device_is_made_once_more_elsewhere() {
    let daemon = TestDaemon::start(&["d1"], &CASES).await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.devices.send_replace(rows(&["d2"]));
    within(daemon.launcher.wait_until_active(vec!["A@d2"])).await;
    daemon.launcher.let_end("A", 1);
    let mut kinds = Vec::new();
    let end = within(daemon.client.follow(&run_id, |event| kinds.push(event["event"].clone()))).await.unwrap();
    assert_eq!((end.verdict, end.attempts, end.device), (Some(Verdict::Passed), 2, Some("d2".into())));
    // The stream tells both attempts, and only one end.
    assert_eq!(kinds.iter().filter(|kind| *kind == "run_started").count(), 2);
    assert_eq!(kinds.iter().filter(|kind| *kind == "run_finished").count(), 1);
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_that_loses_three_devices_is_an_error() {
    let daemon = TestDaemon::start(&["d1"], &CASES).await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.devices.send_replace(rows(&["d2"]));
    within(daemon.launcher.wait_until_active(vec!["A@d2"])).await;
    daemon.devices.send_replace(rows(&["d3"]));
    within(daemon.launcher.wait_until_active(vec!["A@d3"])).await;
    // Offline is as good as gone.
    daemon.devices.send_modify(|rows| rows[0].state = ConnectionState::Offline);
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.state, end.verdict), (RunState::Finished, Some(Verdict::Error)));
    assert_eq!(end.reason, "device d3 vanished, in attempt 3; interrupted");
    daemon.stop().await;
}

#[tokio::test]
async fn a_device_that_falls_silent_loses_its_run_to_another_and_is_suspect() {
    let daemon = TestDaemon::start(&["d1", "d2"], &CASES).await;
    let run_id = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.devices.send_modify(|rows| rows[0].state = ConnectionState::Silent);
    within(daemon.launcher.wait_until_active(vec!["A@d2"])).await;
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    let devices = daemon.client.devices().await.unwrap();
    let told: Vec<_> = devices
        .iter()
        .map(|device| (device.state.as_str(), device.standing.as_str(), device.reason.as_deref()))
        .collect();
    assert_eq!(told, [("not answering", "suspect", Some("it stopped answering")), ("device", "sound", None)]);
    // It answers again: it gets runs, after the sound ones.
    daemon.devices.send_replace(rows(&["d1"]));
    let run_id = daemon.submit("B").await;
    within(daemon.launcher.wait_until_active(vec!["B@d1"])).await;
    daemon.launcher.let_end("B", 1);
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    assert_eq!(daemon.client.devices().await.unwrap()[0].standing, "sound");
    daemon.stop().await;
}

#[tokio::test]
async fn an_error_of_the_run_itself_is_not_tried_again() {
    let daemon = TestDaemon::start(&["d1"], &[("ERR", Errs), ("PANIC", Panics)]).await;
    let run_id = daemon.submit("ERR").await;
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.verdict, end.attempts, end.reason.as_str()), (Some(Verdict::Error), 1, "adb: device offline"));
    let run_id = daemon.submit("PANIC").await;
    let end = daemon.end_of(&run_id).await;
    assert_eq!((end.verdict, end.result), (Some(Verdict::Error), None));
    assert!(end.reason.contains("the executor fell over"), "{}", end.reason);
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_that_does_not_heed_its_end_is_abandoned() {
    let limits = Limits { cancel_grace: Duration::from_millis(20), ..limits() };
    let daemon = TestDaemon::start_with(limits, &["d1"], &[("DEAF", Deaf), ("A", Steps(1))]).await;
    let run_id = daemon.submit("DEAF").await;
    within(daemon.launcher.wait_until_active(vec!["DEAF@d1"])).await;
    daemon.client.cancel(&run_id).await.unwrap();
    let end = daemon.end_of(&run_id).await;
    assert_eq!(end.state, RunState::Cancelled);
    assert_eq!(end.reason, "cancelled; it did not stop within 20ms and was abandoned");
    let next = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&next).await.verdict, Some(Verdict::Passed));
    daemon.stop().await;
}

const DUOS: [(&str, super::fake_launcher::Behaviour); 3] = [("DUO-1", Steps(1)), ("DUO-2", Steps(1)), ("A", Steps(1))];

#[tokio::test]
async fn a_case_of_two_actors_takes_two_devices_at_once_or_none() {
    let daemon = TestDaemon::start(&["d1"], &DUOS).await;
    let duo = daemon.submit("DUO-1").await;
    let alone = daemon.submit("A").await;
    // With one device there is no telling when there will be two: the run behind goes first.
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    daemon.devices.send_replace(rows(&["d1", "d2"]));
    // Now there are two. The free one is kept for the pair, and nothing is held while the other is in use.
    let late = daemon.submit("A").await;
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&alone).await.verdict, Some(Verdict::Passed));
    within(daemon.launcher.wait_until_active(vec!["DUO-1@d1", "DUO-1@d2"])).await;
    assert_eq!(daemon.client.run(&late).await.unwrap().state, RunState::Queued);
    daemon.launcher.let_end("DUO-1", 1);
    assert_eq!(daemon.end_of(&duo).await.verdict, Some(Verdict::Passed));
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&late).await.verdict, Some(Verdict::Passed));
    daemon.launcher.assert_lawful();
    daemon.stop().await;
}

#[tokio::test]
async fn two_pairs_never_wait_for_each_other() {
    let daemon = TestDaemon::start(&["d1", "d2"], &DUOS).await;
    let mut crossed = request("DUO-2");
    crossed.actors = [("cook".to_owned(), "d2".into())].into();
    let (first, second) = (daemon.submit("DUO-1").await, daemon.client.submit(crossed).await.unwrap().run_id);
    within(daemon.launcher.wait_until_active(vec!["DUO-1@d1", "DUO-1@d2"])).await;
    daemon.launcher.let_end("DUO-1", 1);
    assert_eq!(daemon.end_of(&first).await.verdict, Some(Verdict::Passed));
    within(daemon.launcher.wait_until_active(vec!["DUO-2@d1", "DUO-2@d2"])).await;
    daemon.launcher.let_end("DUO-2", 1);
    let view = daemon.end_of(&second).await;
    assert_eq!((view.verdict, view.device), (Some(Verdict::Passed), Some("d2".into())), "the cook's device is d2");
    daemon.launcher.assert_lawful();
    daemon.stop().await;
}

#[tokio::test]
async fn a_pair_that_loses_one_of_its_devices_is_made_once_more() {
    let daemon = TestDaemon::start(&["d1", "d2", "d3"], &DUOS).await;
    let duo = daemon.submit("DUO-1").await;
    within(daemon.launcher.wait_until_active(vec!["DUO-1@d1", "DUO-1@d2"])).await;
    daemon.devices.send_replace(rows(&["d1", "d3"]));
    within(daemon.launcher.wait_until_active(vec!["DUO-1@d1", "DUO-1@d3"])).await;
    daemon.launcher.let_end("DUO-1", 1);
    let view = daemon.end_of(&duo).await;
    assert_eq!((view.verdict, view.attempts), (Some(Verdict::Passed), 2));
    daemon.launcher.assert_lawful();
    daemon.stop().await;
}

#[tokio::test]
async fn a_device_that_another_process_uses_gets_no_run_until_it_is_free() {
    let daemon = TestDaemon::start(&[], &CASES).await;
    let person = device_rules(daemon.folder.path(), "tapwright run");
    let held = person.hold([&"d1".into()]).unwrap();
    daemon.devices.send_replace(rows(&["d1"]));
    let run_id = daemon.submit("A").await;
    let barred = async {
        loop {
            let devices = daemon.http.get(format!("{}/api/v1/devices", daemon.url)).send().await.unwrap();
            let devices: serde_json::Value = devices.json().await.unwrap();
            if let Some(barred) = devices[0]["barred"].as_str() {
                return barred.to_owned();
            }
        }
    };
    let barred = within(barred).await;
    assert!(barred.contains("in use by tapwright run"), "{barred}");
    assert_eq!(daemon.client.run(&run_id).await.unwrap().attempts, 0);
    drop(held);
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    assert!(person.hold([&"d1".into()]).is_err(), "now it is the daemon's");
    daemon.launcher.let_end("A", 1);
    assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Passed));
    assert!(person.hold([&"d1".into()]).is_ok());
    daemon.stop().await;
}

#[tokio::test]
async fn one_sick_device_among_three_spoils_no_run_and_is_quarantined_after_two() {
    let cases = [("A", SickOn("d1"))];
    let daemon = TestDaemon::start(&["d1", "d2", "d3"], &cases).await;
    let mut runs = Vec::new();
    for _ in 0..20 {
        runs.push(daemon.submit("A").await);
    }
    for run_id in &runs {
        assert_eq!(daemon.end_of(run_id).await.verdict, Some(Verdict::Passed));
    }
    let on_sick = || daemon.launcher.launched().iter().filter(|run| run.serial == "d1").count();
    assert!(on_sick() <= 2, "it was given {} runs", on_sick());
    // A device that is alone with its suspicion gets runs last; here it is asked for by name.
    let mut only = request("A");
    only.device = Some("d1".into());
    while on_sick() < 2 {
        let run_id = daemon.client.submit(only.clone()).await.unwrap().run_id;
        assert_eq!(daemon.end_of(&run_id).await.verdict, Some(Verdict::Error));
    }
    assert_eq!(daemon.client.devices().await.unwrap()[0].standing, "quarantined");

    // The next daemon has not forgotten.
    let folder = std::sync::Arc::clone(&daemon.folder);
    daemon.stop().await;
    drop(reopen(folder.path()).await);
    let daemon = TestDaemon::start_in(folder, limits(), &["d1", "d2", "d3"], &cases).await;
    let devices = || async {
        let answer = daemon.http.get(format!("{}/api/v1/devices", daemon.url)).send().await.unwrap();
        answer.json::<serde_json::Value>().await.unwrap()
    };
    let sick = devices().await[0].clone();
    assert_eq!((&sick["standing"], &sick["reason"]), (&"quarantined".into(), &"no space left on the device".into()));

    let release = |serial: &str| {
        let post = daemon.http.post(format!("{}/api/v1/devices/{serial}/release", daemon.url));
        post.header("content-type", "application/json").send()
    };
    assert_eq!(release("d9").await.unwrap().status(), 404);
    assert_eq!(release("d1").await.unwrap().status(), 200);
    assert_eq!(devices().await[0]["standing"], "suspect");
    daemon.stop().await;
}

/// Lets held threads go whatever comes of the test.
struct LetGo(Arc<FakeLauncher>);

impl Drop for LetGo {
    fn drop(&mut self) {
        self.0.let_go();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_hold_their_threads_hold_up_no_answer() {
    let daemon = TestDaemon::start(&["d1", "d2", "d3", "d4"], &[("PAY-0001", Blocks)]).await;
    let _let_go = LetGo(Arc::clone(&daemon.launcher));
    let mut runs = Vec::new();
    for _ in 0..4 {
        runs.push(daemon.submit("PAY-0001").await);
    }
    // As many are held as there are threads for runs, at least two.
    within(async {
        while daemon.launcher.launched().len() < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    for path in ["/healthz", "/api/v1/runs", "/api/v1/devices"] {
        let begun = std::time::Instant::now();
        let answer = within(daemon.http.get(format!("{}{path}", daemon.url)).send()).await.unwrap();
        assert!(answer.status().is_success(), "{path}: {answer:?}");
        println!("{path} answered after {:?} while runs held their threads", begun.elapsed());
    }
    daemon.launcher.let_go();
    for run in &runs {
        assert_eq!(daemon.end_of(run).await.verdict, Some(Verdict::Passed));
    }
    daemon.stop().await;
}
