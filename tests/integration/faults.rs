//! Every fault, as a client of the real adb server sees it.

use crate::harness::{AdbServer, adb_binaries};
use crate::two_buttons::{NEXT, TestInstaller, app, home};
use std::process::Output;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tapwright::domain::Size;
use tapwright::virtual_device::faults::catalogue;
use tapwright::virtual_device::{VirtualDevice, VirtualDeviceConfig};
use tokio_util::sync::CancellationToken;

const DUMP: &str = "uiautomator dump /sdcard/d.xml";
const DUMPED: &str = "UI hierchary dumped to: /sdcard/d.xml\n";

struct Faulty {
    server: AdbServer,
    device: VirtualDevice,
    serial: String,
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.device.stop();
    }
}

impl Faulty {
    async fn new(faults: &str) -> Self {
        Self::with(&adb_binaries()[0], faults).await
    }

    async fn with(adb: &std::path::Path, faults: &str) -> Self {
        let config = VirtualDeviceConfig {
            display: Size::new(200, 400),
            faults: tapwright::virtual_device::faults::FaultSpec::parse_list(faults).unwrap(),
            ..VirtualDeviceConfig::default()
        };
        let apps = vec![app("com.example.two", 1)];
        let device = VirtualDevice::start(config, Arc::new(TestInstaller), home(), apps, CancellationToken::new())
            .await
            .unwrap();
        let server = AdbServer::start_with(adb).await;
        let serial = server.connect(device.addr()).await;
        Self { server, device, serial }
    }

    async fn adb(&self, args: &[&str]) -> Output {
        self.server.adb(&[&["-s", self.serial.as_str()], args].concat()).await
    }

    /// stdout, stderr, exit code of a shell command.
    async fn sh(&self, line: &str) -> (String, String, Option<i32>) {
        let Output { status, stdout, stderr } = self.adb(&["shell", line]).await;
        (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned(), status.code())
    }

    /// Waits until the server has noticed that the device is back: until then it lists the old connection as it pleases.
    async fn back(&self) {
        let mut look = tokio::time::interval(Duration::from_millis(50));
        let answers = async {
            loop {
                look.tick().await;
                self.server.connect_only(self.device.addr()).await;
                if self.adb(&["shell", "echo back"]).await.stdout == b"back\n" {
                    return;
                }
            }
        };
        tokio::time::timeout(crate::harness::PATIENCE, answers).await.expect("the device did not come back");
    }

    async fn out(&self, line: &str) -> String {
        let (out, err, code) = self.sh(line).await;
        assert_eq!((err.as_str(), code), ("", Some(0)), "{line}: {out}");
        out
    }
}

fn said(out: &str, err: &str, code: i32) -> (String, String, Option<i32>) {
    (out.to_owned(), err.to_owned(), Some(code))
}

#[tokio::test]
async fn a_dump_fails_in_each_of_androids_ways_and_then_succeeds() {
    for adb in adb_binaries() {
        let faults = "idle=300ms:times=1,null-root:times=1,dump-137:times=1,slow-dump=400ms:times=1";
        let phone = Faulty::with(&adb, faults).await;
        let begin = Instant::now();
        assert_eq!(phone.sh(DUMP).await, said("", "ERROR: could not get idle state.\n", 0));
        // Slow and never idle: both waits are over.
        assert!(begin.elapsed() >= Duration::from_millis(700), "{:?}", begin.elapsed());
        let nothing = phone.sh("ls /sdcard/d.xml").await;
        assert_eq!(nothing.2, Some(1), "a failed dump leaves no file: {nothing:?}");
        let null_root = "ERROR: null root node returned by UiTestAutomationBridge.\n";
        assert_eq!(phone.sh(DUMP).await, said("", null_root, 0));
        assert_eq!(phone.sh(DUMP).await, said("", "", 137));
        assert_eq!(phone.out("wc -c < /sdcard/d.xml").await, "0\n");
        assert_eq!(phone.sh(DUMP).await, said(DUMPED, "", 0));
        assert!(phone.out("cat /sdcard/d.xml").await.ends_with("</hierarchy>"));
    }
}

#[tokio::test]
async fn a_dump_may_be_cut_or_no_xml() {
    let phone = Faulty::new("truncated-dump:times=1,invalid-xml:after=0:times=1").await;
    assert_eq!(phone.out(DUMP).await, DUMPED);
    let cut = phone.out("cat /sdcard/d.xml").await;
    assert!(cut.starts_with("<?xml") && !cut.contains("</hierarchy>"), "{cut}");
    assert_eq!(phone.out(DUMP).await, DUMPED);
    let invalid = phone.out("cat /sdcard/d.xml").await;
    assert!(invalid.contains("text=\"<&") && invalid.ends_with("</hierarchy>"), "{invalid}");
    phone.out(DUMP).await;
    assert!(!phone.out("cat /sdcard/d.xml").await.contains("<&"));
}

#[tokio::test]
async fn a_picture_may_be_black_cut_or_refused() {
    let phone =
        Faulty::new("screencap-fails:times=1,black-screencap:times=1,truncated-screencap:after=1:times=1").await;
    phone.out("am start -n com.example.two/.MainActivity").await;
    let refused = phone.sh("screencap /sdcard/s.png").await;
    assert_eq!(refused, said("", "Failed to take screenshot. Status: -38\nCapturing failed.\n", 1));
    let black = image::load_from_memory(&phone.adb(&["exec-out", "screencap -p"]).await.stdout).unwrap().to_rgba8();
    assert_eq!(black.dimensions(), (200, 400));
    assert!(black.pixels().all(|pixel| pixel.0 == [0, 0, 0, 255]));
    let cut = phone.adb(&["exec-out", "screencap -p"]).await;
    assert!(cut.status.success() && image::load_from_memory(&cut.stdout).is_err());
    let whole = image::load_from_memory(&phone.adb(&["exec-out", "screencap -p"]).await.stdout).unwrap().to_rgba8();
    assert_eq!(whole.get_pixel(0, 399).0, [0, 20, 30, 255]);
}

#[tokio::test]
async fn a_dropped_device_comes_back_by_itself() {
    for adb in adb_binaries() {
        let phone = Faulty::with(&adb, "drop=300ms:times=1:only=pull the plug").await;
        assert_eq!(phone.out("echo on").await, "on\n");
        // adb 29 calls a shell that was cut a success, later ones say 255: neither has an output.
        let cut = phone.adb(&["shell", "echo pull the plug"]).await;
        assert_eq!(String::from_utf8_lossy(&cut.stdout), "");
        phone.back().await;
    }
}

#[tokio::test]
async fn an_offline_device_is_listed_as_offline_until_it_answers_again() {
    let phone = Faulty::new("offline=1s:times=1:only=fade").await;
    let cut = phone.adb(&["shell", "echo fade"]).await;
    assert_eq!(String::from_utf8_lossy(&cut.stdout), "");
    phone.server.wait_for_state(&phone.serial, "offline").await;
    let refused = phone.adb(&["shell", "echo now"]).await;
    assert!(String::from_utf8_lossy(&refused.stderr).contains("offline"), "{refused:?}");
    phone.server.wait_for_state(&phone.serial, "device").await;
    assert_eq!(phone.out("echo back").await, "back\n");
}

#[tokio::test]
async fn a_hung_command_ends_when_its_client_goes_and_a_slow_one_by_itself() {
    let phone =
        Faulty::new("hung-shell:times=1:only=logcat,slow-shell=400ms:only=slow,lost-exit:times=1:only=lost").await;
    let mut socket = tokio::net::TcpStream::connect(phone.server.address()).await.unwrap();
    crate::harness::request(&mut socket, &format!("host:transport:{}", phone.serial)).await.unwrap();
    crate::harness::request(&mut socket, "shell,v2,raw:logcat -d").await.unwrap();
    let mut byte = [0];
    let silence =
        tokio::time::timeout(Duration::from_millis(300), tokio::io::AsyncReadExt::read_exact(&mut socket, &mut byte));
    assert!(silence.await.is_err(), "a hung command said something");
    // Others go on meanwhile.
    assert_eq!(phone.out("echo other").await, "other\n");
    drop(socket);
    assert_eq!(phone.sh("logcat -d >/dev/null").await.2, Some(0));
    let begin = Instant::now();
    assert_eq!(phone.out("echo slow").await, "slow\n");
    assert!(begin.elapsed() >= Duration::from_millis(400));
    // The client of adb 29 takes the lost exit code for 0, later ones for 255; the stream shows that there is none.
    let mut socket = tokio::net::TcpStream::connect(phone.server.address()).await.unwrap();
    crate::harness::request(&mut socket, &format!("host:transport:{}", phone.serial)).await.unwrap();
    crate::harness::request(&mut socket, "shell,v2,raw:echo lost").await.unwrap();
    let mut said = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut socket, &mut said).await.unwrap();
    assert_eq!(said, b"\x01\x05\0\0\0lost\n");
}

#[tokio::test]
async fn a_full_sdcard_takes_no_bytes_by_shell_push_or_dump() {
    let phone = Faulty::new("full-sdcard:times=3").await;
    let (_, err, code) = phone.sh("echo much > /sdcard/a.txt").await;
    assert!(err.contains("No space left on device") && code == Some(1), "{err}");
    assert_eq!(phone.out("wc -c < /sdcard/a.txt").await, "0\n");
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("b.txt");
    std::fs::write(&local, "more").unwrap();
    let pushed = phone.adb(&["push", local.to_str().unwrap(), "/sdcard/b.txt"]).await;
    let told = format!("{}{}", String::from_utf8_lossy(&pushed.stdout), String::from_utf8_lossy(&pushed.stderr));
    assert!(!pushed.status.success() && told.contains("No space left on device"), "{pushed:?}");
    // Android says success all the same; only the log knows.
    assert_eq!(phone.out(DUMP).await, DUMPED);
    assert_eq!(phone.out("wc -c < /sdcard/d.xml").await, "0\n");
    phone.out(DUMP).await;
    assert!(phone.out("cat /sdcard/d.xml").await.ends_with("</hierarchy>"));
    // Other storage is not full.
    phone.out("echo much > /data/local/tmp/a.txt").await;
}

#[tokio::test]
async fn an_installation_is_refused_with_the_chosen_code() {
    let phone = Faulty::new("install-fails=INSTALL_FAILED_TEST_ONLY:times=1").await;
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("a.apk");
    std::fs::write(&apk, "app com.example.other 3\n").unwrap();
    let refused = phone.adb(&["install", "-r", apk.to_str().unwrap()]).await;
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("Failure [INSTALL_FAILED_TEST_ONLY]") && refused.status.code() == Some(1), "{refused:?}");
    assert_eq!(phone.out("pm list packages other").await, "");
    assert!(phone.adb(&["install", "-r", apk.to_str().unwrap()]).await.status.success());
}

#[tokio::test]
async fn a_stuck_keyboard_swallows_back_and_a_turned_screen_is_wide() {
    let phone = Faulty::new("stuck-keyboard:times=1,rotated:after=1:times=1").await;
    phone.out("am start -n com.example.two/.MainActivity").await;
    let next = NEXT.center();
    phone.out(&format!("input tap {} {}; input text hello", next.x, next.y)).await;
    assert!(phone.out("dumpsys input_method").await.contains("mInputShown=true"));
    phone.out("input keyevent 4").await;
    assert!(phone.out("dumpsys input_method").await.contains("mInputShown=true"), "the key was swallowed");
    let focus = phone.out("dumpsys window").await;
    assert!(focus.contains("com.example.two"), "{focus}");
    phone.out(DUMP).await;
    assert!(phone.out("cat /sdcard/d.xml").await.contains("<hierarchy rotation=\"0\">"));
    let picture = image::load_from_memory(&phone.adb(&["exec-out", "screencap -p"]).await.stdout).unwrap();
    assert_eq!((picture.width(), picture.height()), (400, 200));
    phone.out(DUMP).await;
    let turned = phone.out("cat /sdcard/d.xml").await;
    assert!(turned.contains("<hierarchy rotation=\"1\">") && turned.contains("[0,0][400,200]"), "{turned}");
    // The test app takes BACK as its end.
    phone.out("input keyevent 4").await;
    assert!(!phone.out("dumpsys window").await.contains("com.example.two"));
}

#[tokio::test]
async fn faults_change_while_the_device_runs() {
    let phone = Faulty::new("").await;
    assert_eq!(phone.out("getprop tapwright.faults").await, "\n");
    phone.out("setprop tapwright.faults null-root:times=1").await;
    assert_eq!(phone.out("getprop tapwright.faults").await, "null-root:times=1\n");
    assert_eq!(phone.sh(DUMP).await.1, "ERROR: null root node returned by UiTestAutomationBridge.\n");
    let (_, err, code) = phone.sh("setprop tapwright.faults nul-root").await;
    assert!(err.contains("there is no fault \"nul-root\"; known are: idle,") && code == Some(1), "{err}");
    phone.out("setprop tapwright.faults ''").await;
    assert_eq!(phone.out("getprop tapwright.faults").await, "\n");
}

#[tokio::test]
async fn the_device_outlives_its_adb_server() {
    for adb in adb_binaries() {
        let mut phone = Faulty::with(&adb, "").await;
        phone.out("echo kept > /data/local/tmp/x").await;
        // Its own private server, ended as `adb kill-server` ends one.
        phone.server = AdbServer::start_with(&adb).await;
        phone.serial = phone.server.connect(phone.device.addr()).await;
        assert_eq!(phone.out("cat /data/local/tmp/x").await, "kept\n");
    }
}

#[tokio::test]
async fn a_reboot_drops_the_connection_and_ends_what_ran() {
    let phone = Faulty::new("").await;
    phone.out("am start -n com.example.two/.MainActivity").await;
    let output = phone.adb(&["reboot"]).await;
    assert!(output.status.success(), "{output:?}");
    phone.back().await;
    phone.out("sleep 2").await;
    assert_eq!(phone.out("getprop sys.boot_completed; getprop init.svc.bootanim").await, "1\nstopped\n");
    assert_eq!(phone.sh("pidof com.example.two").await.2, Some(1));
    assert_eq!(phone.out(DUMP).await, DUMPED);
}

/// A fault without a test would be a promise nobody keeps. Bad pictures are tested with what a run makes of them.
#[test]
fn every_fault_of_the_catalogue_is_tested_here_or_as_bad_input() {
    let text = concat!(include_str!("faults.rs"), include_str!("bad_input.rs"));
    for kind in catalogue() {
        assert!(text.contains(kind.name), "no test names the fault {}", kind.name);
    }
}
