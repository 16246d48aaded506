//! The ladder of attempts that leads to a hierarchy or, without one, to the picture alone: a faulty virtual device
//! behind the real adb server.

use crate::harness::{AdbServer, adb_binaries};
use std::sync::Arc;
use std::time::Duration;
use tapwright::adb::ServerAddress;
use tapwright::device::{AdbDevice, Budgets, Device, DeviceError, Observation, Profile};
use tapwright::domain::{DiagnosisCode, Rest, Size};
use tapwright::hierarchy::{Screen, ScreenInput, ScreenKind};
use tapwright::virtual_device::faults::FaultSpec;
use tapwright::virtual_device::{AppFiles, IdleWait, VirtualDevice, VirtualDeviceConfig};
use tokio_util::sync::CancellationToken;

struct Phone {
    server: AdbServer,
    device: VirtualDevice,
    serial: String,
    eyes: AdbDevice,
}

impl Drop for Phone {
    fn drop(&mut self) {
        self.device.stop();
    }
}

impl Phone {
    async fn new(faults: &str) -> Self {
        Self::with(faults, Size::new(200, 400), None).await
    }

    /// A phone on which `app` is in front.
    async fn with(faults: &str, display: Size, app: Option<(&str, &str)>) -> Self {
        let config = VirtualDeviceConfig {
            display,
            idle_wait: IdleWait::NONE,
            faults: FaultSpec::parse_list(faults).unwrap(),
            ..VirtualDeviceConfig::default()
        };
        let files = Arc::new(AppFiles::default());
        let packages = app
            .iter()
            .map(|(name, text)| files.package(name, text).unwrap_or_else(|error| panic!("{error}")))
            .collect();
        let stop = CancellationToken::new();
        let device = VirtualDevice::start(config, files.clone(), files.clone(), packages, stop).await.unwrap();
        let server = AdbServer::start_with(&adb_binaries()[0]).await;
        let serial = server.connect(device.addr()).await;
        if let Some((name, _)) = app {
            server
                .adb(&["-s", &serial, "shell", "am", "start", "-n", &format!("com.example.{name}/.MainActivity")])
                .await;
        }
        let settings = "name = 'test'\n[dump]\nattempts = 4\npause_ms = 10\n[settle]\nlimit_ms = 3000\npause_ms = 20\n";
        let profile = Profile::parse(settings, "test.toml".as_ref()).unwrap();
        let address = ServerAddress::new("127.0.0.1", server.address().port());
        let eyes = AdbDevice::new(address, serial.as_str().into(), &profile, Budgets::default());
        Self { server, device, serial, eyes }
    }

    async fn observe(&self) -> Observation {
        let seen = self.eyes.observe().await.unwrap();
        let listed = self.server.adb(&["-s", self.serial.as_str(), "shell", "ls /data/local/tmp"]).await;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(!listed.contains("tapwright-"), "a dump was left behind: {listed}");
        seen
    }
}

fn codes(seen: &Observation) -> Vec<DiagnosisCode> {
    seen.notes.iter().map(|note| note.code).collect()
}

/// Mode, route and whether it failed, attempt by attempt.
fn rungs(seen: &Observation) -> Vec<(&str, &str, bool)> {
    seen.dumps.iter().map(|dump| (dump.mode.as_str(), dump.route.as_str(), dump.failure.is_some())).collect()
}

#[tokio::test]
async fn a_healthy_device_is_dumped_once() {
    let phone = Phone::new("").await;
    let seen = phone.observe().await;
    assert_eq!((rungs(&seen), codes(&seen)), (vec![("full", "file", false)], vec![]));
    assert!(seen.dumps[0].ms > 0.0);
    assert_eq!((seen.rest, seen.pictures.len()), (Rest::Dump, 1));
}

#[tokio::test]
async fn a_moving_screen_is_dumped_compressed_and_only_two_equal_samples_settle_it() {
    let seen = Phone::new("idle=100ms:times=1").await.observe().await;
    let compressed = ("compressed", "file", false);
    assert_eq!(rungs(&seen), [("full", "file", true), compressed, compressed]);
    assert_eq!(codes(&seen), [DiagnosisCode::DumpFailed, DiagnosisCode::DumpCompressed]);
    assert!(seen.dumps[0].ms >= 100.0, "{:?}", seen.dumps);
    assert_eq!((seen.rest, seen.pictures.len()), (Rest::Hierarchy, 1), "the picture between the two is theirs");
}

/// No two dumps of it are the same.
const TICKING: &str = r#"
package: com.example.ticking
label: Ticking
state: {ticks: 0}
screens:
  - id: home
    title: Ticking
    on_open: [{repeat: {every_ms: 5, do: [{set: {ticks: ticks + 1}}]}}]
    body: [{text: {text: "{{ ticks }}"}}]
"#;

#[tokio::test]
async fn a_screen_whose_dumps_never_agree_is_at_rest_when_its_pictures_look_the_same() {
    let phone = Phone::with("idle=20ms:times=1", Size::new(900, 1800), Some(("ticking", TICKING))).await;
    let seen = phone.observe().await;
    assert_eq!(seen.rest, Rest::Picture, "{:?} {:?}", seen.dumps, seen.notes);
    assert!(seen.pictures.len() >= 2 && seen.pictures.iter().all(|picture| picture.failure.is_none()));
    assert!(seen.screenshot.is_some() && !codes(&seen).contains(&DiagnosisCode::NotSettled));
}

#[tokio::test]
async fn black_pictures_never_tell_that_a_screen_is_at_rest() {
    let faults = "idle=20ms:times=1,black-screencap";
    let phone = Phone::with(faults, Size::new(200, 400), Some(("ticking", TICKING))).await;
    let seen = phone.observe().await;
    assert_eq!(seen.rest, Rest::Nothing);
    assert!(seen.dumps.len() > 3 && codes(&seen).contains(&DiagnosisCode::NotSettled), "{:?}", seen.notes);
}

#[tokio::test]
async fn a_sample_without_a_second_dump_is_at_rest_when_the_pictures_around_look_the_same() {
    let seen = Phone::new("idle=20ms:times=1,null-root:after=1").await.observe().await;
    assert_eq!((seen.rest, seen.pictures.len()), (Rest::Picture, 2), "{:?}", seen.notes);
    assert!(!seen.hierarchy.is_empty() && seen.dumps.last().is_some_and(|dump| dump.failure.is_some()));
}

#[tokio::test]
async fn passing_failures_are_tried_again_a_bounded_number_of_times() {
    let seen = Phone::new("null-root:times=1,dump-137:times=1,truncated-dump:after=1:times=1").await.observe().await;
    assert_eq!(rungs(&seen).iter().map(|rung| rung.2).collect::<Vec<_>>(), [true, true, true, false]);
    assert_eq!(codes(&seen).iter().filter(|code| **code == DiagnosisCode::DumpFailed).count(), 3);
    let reasons: Vec<&str> = seen.dumps.iter().filter_map(|dump| dump.failure.as_deref()).collect();
    assert!(reasons[0].contains("null root") && reasons[2].contains("cut off"), "{reasons:?}");
}

#[tokio::test]
async fn a_dump_that_is_always_cut_off_is_used_as_far_as_it_goes() {
    let seen = Phone::new("truncated-dump").await.observe().await;
    assert_eq!(seen.dumps.len(), 4);
    assert_eq!(codes(&seen).last(), Some(&DiagnosisCode::DumpCutOff));
    assert!(seen.hierarchy.starts_with(b"<?xml") && !seen.hierarchy.ends_with(b"</hierarchy>"));
}

#[tokio::test]
async fn broken_xml_is_read_as_far_as_it_can_be() {
    let seen = Phone::new("invalid-xml").await.observe().await;
    let screen = perceive(&seen);
    assert!(!screen.tree.diagnostics.is_empty() && !screen.tree.nodes.is_empty());
}

fn perceive(seen: &Observation) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: &seen.hierarchy,
        screenshot: seen.screenshot.clone(),
        display: Size::new(200, 400),
        foreground: None,
        keyboard_shown: seen.keyboard_shown,
    })
}

#[tokio::test]
async fn without_any_hierarchy_the_picture_is_all_there_is() {
    for fault in ["null-root", "dump-137"] {
        let phone = Phone::new(fault).await;
        let seen = phone.observe().await;
        assert_eq!((seen.hierarchy.len(), seen.dumps.len()), (0, 4), "{fault}");
        assert!(codes(&seen).contains(&DiagnosisCode::NoHierarchy), "{fault}: {:?}", seen.notes);
        assert_eq!((seen.rest, seen.pictures.len()), (Rest::Picture, 2), "{fault}");
        let screen = perceive(&seen);
        assert_eq!((screen.kind, screen.widgets.len()), (ScreenKind::Empty, 0));
        assert!(screen.picture_hash().is_some());
        assert!(!phone.eyes.wait_for_change(&[], Duration::ZERO).await.unwrap());
        let missing = phone.eyes.glance().await.unwrap_err();
        assert!(matches!(missing, DeviceError::NoHierarchy { attempts: 4, .. }), "{missing}");
    }
}

#[tokio::test]
async fn a_device_that_shows_nothing_at_all_is_an_error() {
    let error = Phone::new("null-root,screencap-fails").await.eyes.observe().await.unwrap_err();
    assert!(matches!(&error, DeviceError::NoHierarchy { attempts: 4, reason, .. } if reason.contains("null root")));
}

#[tokio::test]
async fn each_bad_picture_has_its_name() {
    for (fault, code, kept) in [
        ("black-screencap", DiagnosisCode::PictureBlack, true),
        ("truncated-screencap", DiagnosisCode::PictureDamaged, false),
        ("screencap-fails", DiagnosisCode::NoPicture, false),
        ("huge-screencap", DiagnosisCode::PictureTooLarge, false),
        ("huge-screencap,png-screencap", DiagnosisCode::PictureTooLarge, false),
        ("truncated-screencap,png-screencap", DiagnosisCode::PictureDamaged, false),
    ] {
        let seen = Phone::new(fault).await.observe().await;
        assert_eq!((codes(&seen), seen.screenshot.is_some()), (vec![code], kept), "{fault}");
        assert_eq!(perceive(&seen).picture_hash(), None, "{fault}");
    }
}

#[tokio::test]
async fn two_readers_of_one_device_never_dump_at_the_same_time() {
    let phone = Phone::new("slow-dump=200ms").await;
    let settings = "name = 'other'\n[dump]\nattempts = 1\n";
    let profile = Profile::parse(settings, "test.toml".as_ref()).unwrap();
    let address = ServerAddress::new("127.0.0.1", phone.server.address().port());
    let other = AdbDevice::new(address, phone.serial.as_str().into(), &profile, Budgets::default());
    let (first, second) = tokio::join!(phone.eyes.glance(), other.glance());
    let dumps = [first.unwrap().dumps, second.unwrap().dumps].concat();
    assert!(dumps.len() == 2 && dumps.iter().all(|dump| dump.failure.is_none()), "{dumps:?}");
}
