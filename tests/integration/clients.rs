//! Other people's clients, unmodified, against a virtual device behind the real adb server.
//!
//! `cargo xtask test` installs them and names their folder in `TAPWRIGHT_TEST_CLIENTS`; without them the tests are skipped.

use crate::harness::{AdbServer, PATIENCE, adb_binaries, python_clients};
use crate::two_buttons::{NEXT, TestInstaller, app, home};
use serde_json::Value;
use std::process::Stdio;
use std::sync::Arc;
use tapwright::domain::Size;
use tapwright::virtual_device::{ApiLevel, VirtualDevice, VirtualDeviceConfig};
use tokio_util::sync::CancellationToken;

const PACKAGE: &str = "com.example.two";

async fn adbutils(python_path: &std::ffi::OsStr, api: u32, adb: &std::path::Path) -> Value {
    let config = VirtualDeviceConfig {
        api: ApiLevel::new(api).unwrap(),
        display: Size::new(200, 400),
        ..VirtualDeviceConfig::default()
    };
    let stop = CancellationToken::new();
    let device =
        VirtualDevice::start(config, Arc::new(TestInstaller), home(), vec![app(PACKAGE, 1)], stop).await.unwrap();
    let server = AdbServer::start_with(adb).await;
    let serial = server.connect(device.addr()).await;
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("other.apk");
    std::fs::write(&apk, "app com.example.other 3\n").unwrap();
    let (port, next) = (server.address().port().to_string(), NEXT.center());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/adbutils_check.py");
    let run = tokio::process::Command::new("python3")
        .args(["-B", script, &port, &serial, PACKAGE, &next.x.to_string(), &next.y.to_string(), "com.example.other"])
        .arg(&apk)
        .env("PYTHONPATH", python_path)
        .env("ADBUTILS_ADB_PATH", adb)
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, run).await.expect("adbutils did not end").unwrap();
    assert!(output.status.success(), "API {api}: {}", String::from_utf8_lossy(&output.stderr));
    device.stop();
    let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
    found["serial"] = serial.into();
    found
}

#[tokio::test]
async fn adbutils_uses_the_device_unmodified() {
    let Some(folder) = python_clients("adbutils") else { return };
    for adb in adb_binaries() {
        for api in [28, 30, 34] {
            check(&adbutils(folder.as_os_str(), api, &adb).await, api);
        }
    }
}

fn check(found: &Value, api: u32) {
    let said = |key: &str| found[key].as_str().unwrap_or_else(|| panic!("API {api}: {key} is {}", found[key]));
    let is = |key: &str, wanted: Value| assert_eq!(found[key], wanted, "API {api}: {key}");
    let serial = said("serial");
    is("listed", serde_json::json!([serial]));
    is("state", "device".into());
    assert_eq!(found["info"]["state"], "device");
    assert!(found["features"].as_array().unwrap().contains(&"shell_v2".into()));
    is("product", serde_json::json!(["tapwright_phone", "Tapwright Virtual Phone", "twvirt"]));
    is("sdk", api.to_string().into());
    assert_eq!(found["app_current"][0], PACKAGE, "API {api}");
    assert!(found["app_current"][1].as_str().unwrap().ends_with(".MainActivity"), "{}", found["app_current"]);
    is("app_info", serde_json::json!([PACKAGE, "1.1", 1, true]));
    is("window_size", serde_json::json!([200, 400]));
    is("rotation", 0.into());
    is("screen_on", true.into());
    is("third_party", serde_json::json!([PACKAGE]));
    assert!(found["packages"].as_array().unwrap().contains(&"android".into()));
    for (key, text) in [
        ("before_click", "Taps: 0"),
        ("after_click", "Taps: 1"),
        ("after_keys", "hello world"),
        ("after_swipe", "swiped"),
    ] {
        assert!(said(key).starts_with("<?xml") && said(key).contains(text), "API {api}: {key}: {}", said(key));
    }
    is("screenshot", serde_json::json!(["RGB", 200, 400, [1, 20, 30]]));
    is("framebuffer", serde_json::json!(["RGBA", 200, 400, [1, 20, 30, 255]]));
    is("after_home", "com.example.home".into());
    assert_eq!(said("shell"), "one\nls: /nope: No such file or directory");
    is("shell2", serde_json::json!([7, "one\n", "ls: /nope: No such file or directory\n"]));
    is("shell2_v1", serde_json::json!([1, ""]));
    is("stream", "streamed\n".into());
    is("pushed", 200_000.into());
    is("stat", serde_json::json!(["0o100644", 200_000, true]));
    is("missing", false.into());
    is("listed_files", serde_json::json!([".", "..", "er"]));
    is("pulled", 200_000.into());
    for key in ["read_back", "pulled_same", "pulled_tree", "removed", "reverse_list", "forward_list", "installed"] {
        is(key, true.into());
    }
    assert!(said("read_missing").contains("No such file or directory"), "{}", said("read_missing"));
    assert_eq!((said("direct"), said("forwarded")), ("DIRECT", "FORWARDED"));
    is("none_left", serde_json::json!([0, 0]));
    assert_eq!(said("local_abstract"), "closed");
    assert_eq!(said("broken"), "INSTALL_PARSE_FAILED_NOT_APK");
    assert_eq!(said("uninstall"), "Success");
    is("uninstalled", true.into());
}
