//! Devices between runs: prepared, asked how they are, reserved, taken out, put back; with a carer that is played.

use super::fake_launcher::Behaviour::Steps;
use super::nights::ask;
use super::test_daemon::{TestDaemon, limits, rows, within};
use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tapwright::adb::ConnectionState;
use tapwright::daemon::{Daemon, Limits, RunView};
use tapwright::device::{DeviceCare, DeviceError, Settings};
use tapwright::domain::DeviceSerial;
use tokio::sync::watch;

/// Each device has one setting, which is wanted to be `0` and is `1` at first.
pub(super) struct FakeCare {
    settings: Mutex<BTreeMap<DeviceSerial, String>>,
    /// Why devices are not fit.
    unfit: Mutex<BTreeMap<DeviceSerial, String>>,
    /// What was done, one after another.
    pub(super) done: watch::Sender<Vec<String>>,
}

impl FakeCare {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { settings: Mutex::default(), unfit: Mutex::default(), done: watch::Sender::new(Vec::new()) })
    }

    fn setting(&self, serial: &DeviceSerial) -> String {
        self.settings.lock().unwrap().get(serial).cloned().unwrap_or_else(|| "1".into())
    }

    fn note(&self, what: &str, serial: &DeviceSerial) {
        self.done.send_modify(|done| done.push(format!("{what} {serial}")));
    }

    fn make_unfit(&self, serial: &str, why: Option<&str>) {
        let mut unfit = self.unfit.lock().unwrap();
        match why {
            Some(why) => unfit.insert(serial.into(), why.to_owned()),
            None => unfit.remove(&DeviceSerial::from(serial)),
        };
    }

    async fn until(&self, what: &str, times: usize) {
        let mut done = self.done.subscribe();
        let count = |done: &Vec<String>| done.iter().filter(|one| *one == what).count() >= times;
        within(done.wait_for(count)).await.unwrap();
    }
}

#[async_trait]
impl DeviceCare for FakeCare {
    async fn to_be_changed(&self, serial: &DeviceSerial) -> Result<Settings, DeviceError> {
        let now = self.setting(serial);
        Ok((now != "0").then(|| ("global/scale".to_owned(), Some(now))).into_iter().collect())
    }

    async fn prepare(&self, serial: &DeviceSerial) -> Result<(), DeviceError> {
        self.settings.lock().unwrap().insert(serial.clone(), "0".into());
        self.note("prepare", serial);
        Ok(())
    }

    async fn put_back(&self, serial: &DeviceSerial, settings: &Settings) -> Result<(), DeviceError> {
        let value = settings["global/scale"].clone().unwrap();
        self.settings.lock().unwrap().insert(serial.clone(), value);
        self.note("put back", serial);
        Ok(())
    }

    async fn unfit(&self, serial: &DeviceSerial) -> Result<Option<String>, DeviceError> {
        self.note("ask", serial);
        Ok(self.unfit.lock().unwrap().get(serial).cloned())
    }

    async fn picture(&self, _: &DeviceSerial) -> Result<Vec<u8>, DeviceError> {
        // One white pixel.
        let mut png = Vec::new();
        let pixel = image::RgbImage::from_pixel(1, 1, image::Rgb([255; 3]));
        pixel.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
        Ok(png)
    }
}

pub(super) async fn daemon(care: &Arc<FakeCare>, devices: &[&str], runs: usize) -> TestDaemon {
    let daemon = Daemon::with_limits(limits()).caring(Arc::clone(care) as Arc<dyn DeviceCare>);
    let daemon =
        TestDaemon::start_as(daemon, Arc::new(tempfile::tempdir().unwrap()), devices, &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", runs);
    daemon
}

/// The queue's only run, once it waits for this reason.
async fn waits_because(daemon: &TestDaemon, reason: &str) {
    let waits = async {
        loop {
            let (_, queue) = ask(daemon, Method::GET, "queue", None).await;
            if queue[0]["because"].as_str().is_some_and(|because| because.contains(reason)) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    within(waits).await;
}

fn passed(run: &RunView) {
    assert_eq!(run.verdict.map(|verdict| verdict.to_string()).as_deref(), Some("passed"), "{}", run.reason);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_is_prepared_asked_between_runs_and_put_back() {
    let care = FakeCare::new();
    care.make_unfit("d1", Some("it has not booted yet"));
    let daemon = daemon(&care, &["d1"], 1).await;
    let run = daemon.submit("A").await;
    waits_because(&daemon, "d1 is not ready: it has not booted yet").await;
    let (_, page) = ask(&daemon, Method::GET, "devices/d1", None).await;
    assert_eq!(
        (&page["device"]["phase"], &page["device"]["unfit"]),
        (&json!("preparing"), &json!("it has not booted yet"))
    );
    care.make_unfit("d1", None);
    passed(&daemon.end_of(&run).await);

    // A run fills its storage: the next waits until there is room.
    let second = daemon.submit("A").await;
    within(daemon.launcher.wait_until_active(vec!["A@d1"])).await;
    care.make_unfit("d1", Some("3 MB are free on it"));
    daemon.launcher.let_end("A", 1);
    passed(&daemon.end_of(&second).await);
    let third = daemon.submit("A").await;
    waits_because(&daemon, "d1 is not ready: 3 MB are free").await;
    care.make_unfit("d1", None);
    daemon.launcher.let_end("A", 1);
    passed(&daemon.end_of(&third).await);
    care.until("ask d1", 4).await;
    let (_, page) = ask(&daemon, Method::GET, "devices/d1", None).await;
    let log: Vec<&str> = page["log"].as_array().unwrap().iter().map(|line| line["what"].as_str().unwrap()).collect();
    let expected = ["not ready: 3 MB are free on it", "prepared", "not ready: it has not booted yet", "connected"];
    assert_eq!(log, expected, "what happens at every run is not in the log");
    daemon.stop().await;
    let done = care.done.borrow().clone();
    assert_eq!(done.iter().filter(|one| *one == "prepare d1").count(), 1, "{done:?}");
    assert_eq!((done.last().map(String::as_str), care.setting(&"d1".into()).as_str()), (Some("put back d1"), "1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_has_a_device_for_a_while_as_it_was() {
    let care = FakeCare::new();
    let daemon = daemon(&care, &["d1"], 9).await;
    care.until("ask d1", 1).await;
    let (status, device) =
        ask(&daemon, Method::POST, "devices/d1/reserve", Some(json!({"hours": 2, "note": "a crash"}))).await;
    assert_eq!(
        (status, &device["reservation"]["person"], &device["reservation"]["note"]),
        (200, &json!("local"), &json!("a crash"))
    );
    care.until("put back d1", 1).await;
    let run = daemon.submit("A").await;
    waits_because(&daemon, "d1 is reserved by local").await;

    // A restart forgets nothing of it.
    let folder = Arc::clone(&daemon.folder);
    daemon.stop().await;
    let again = Daemon::with_limits(limits()).caring(Arc::clone(&care) as Arc<dyn DeviceCare>);
    let daemon = TestDaemon::start_as(again, folder, &["d1"], &[("A", Steps(1))]).await;
    daemon.launcher.let_end("A", 9);
    waits_because(&daemon, "d1 is reserved by local").await;
    let (status, _) = ask(&daemon, Method::POST, "devices/d1/give-back", Some(Value::Null)).await;
    assert_eq!(status, 200);
    passed(&daemon.end_of(&run).await);
    care.until("prepare d1", 2).await;
    let (status, problem) = ask(&daemon, Method::POST, "devices/d1/give-back", Some(Value::Null)).await;
    assert_eq!((status, &problem["code"]), (409, &json!("not_reserved")));
    for (body, pointer) in
        [(json!({"hours": 0}), "/hours"), (json!({"hours": 169}), "/hours"), (json!({"note": "a\nb"}), "/note")]
    {
        let (status, problem) = ask(&daemon, Method::POST, "devices/d1/reserve", Some(body)).await;
        assert_eq!((status, &problem["errors"][0]["pointer"]), (400, &json!(pointer)), "{problem}");
    }
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_that_is_taken_out_gets_no_run_until_it_is_released_and_shows_its_screen() {
    let care = FakeCare::new();
    let daemon = daemon(&care, &["d1"], 9).await;
    care.until("ask d1", 1).await;
    let (status, _) = ask(&daemon, Method::POST, "devices/d1/quarantine", Some(json!({"reason": " "}))).await;
    assert_eq!(status, 400);
    let reason = json!({"reason": "its glass <b>broke</b>"});
    let (status, device) = ask(&daemon, Method::POST, "devices/d1/quarantine", Some(reason)).await;
    assert_eq!((status, &device["phase"]), (200, &json!("quarantined")));
    let run = daemon.submit("A").await;
    waits_because(&daemon, "d1 is quarantined: its glass <b>broke</b>").await;
    let picture = within(daemon.http.get(format!("{}/api/v1/devices/d1/picture", daemon.url)).send()).await.unwrap();
    assert_eq!((picture.status().as_u16(), &picture.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
    assert_eq!(within(picture.bytes()).await.unwrap()[1..4], *b"PNG");
    let (status, _) = ask(&daemon, Method::POST, "devices/d1/release", Some(Value::Null)).await;
    assert_eq!(status, 200);
    passed(&daemon.end_of(&run).await);
    // Its runs are found by it.
    let (_, runs) = ask(&daemon, Method::GET, "runs?device=d1", None).await;
    assert_eq!(runs[0]["run_id"], json!(run.as_str()));
    let (_, none) = ask(&daemon, Method::GET, "runs?device=d2", None).await;
    assert_eq!(none, json!([]));
    assert_eq!(ask(&daemon, Method::GET, "devices/d2", None).await.0, 404);
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspect_device_that_has_rested_and_is_fit_is_sound_again_without_anybody() {
    let care = FakeCare::new();
    let short = Limits { rest: Duration::from_millis(50), ..limits() };
    let daemon = Daemon::with_limits(short).caring(Arc::clone(&care) as Arc<dyn DeviceCare>);
    let daemon = TestDaemon::start_as(daemon, Arc::new(tempfile::tempdir().unwrap()), &["d1"], &[]).await;
    care.until("ask d1", 1).await;
    care.make_unfit("d1", Some("3 MB are free on it"));
    let until = async |key: &str, expected: Value| {
        let told = async {
            loop {
                let (_, page) = ask(&daemon, Method::GET, "devices/d1", None).await;
                if page["device"][key] == expected {
                    return page;
                }
            }
        };
        within(told).await
    };
    daemon.devices.send_modify(|rows| rows[0].state = ConnectionState::Silent);
    until("phase", json!("gone")).await;
    daemon.devices.send_replace(rows(&["d1"]));
    // As long as it is not fit it stays what it is.
    until("unfit", json!("3 MB are free on it")).await;
    care.until("ask d1", 9).await;
    assert_eq!(until("phase", json!("preparing")).await["device"]["standing"], "suspect");
    care.make_unfit("d1", None);
    let page = until("standing", json!("sound")).await;
    assert_eq!(page["device"]["phase"], "ready");
    let told = async {
        loop {
            let (_, page) = ask(&daemon, Method::GET, "devices/d1", None).await;
            if page["log"][0]["what"] == "it rested, is fit and shows its screen: nothing is held against it any more" {
                return;
            }
        }
    };
    within(told).await;
    daemon.stop().await;
}
