//! The built program and bad input: a clear message with the remedy, the right exit code, nothing half-written.

use crate::adb_stub::{Conversation, StubServer};
use crate::bench::{Bench, Said, repository, runtime_library};
use tapwright::inference::Manifest;
use tapwright::virtual_device::{AuthPolicy, IdleWait, VirtualDeviceConfig};
use tokio::time::timeout;

#[tokio::test]
async fn an_unknown_id_names_the_nearest_ones() {
    let bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0088"]).await.failed(2, &["no case has the id PAY-0088", "PAY-0008"]);
    bench.tapwright(&["replay", "PAY-0001"]).await.failed(2, &["no script", "tapwright run PAY-0001"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn an_id_used_twice_names_both_files() {
    let bench = Bench::new().await;
    std::fs::copy(bench.path("cases/PAY-0008.case.yaml"), bench.path("cases/copy.case.yaml")).unwrap();
    let said = bench.tapwright(&["run", "PAY-0008"]).await;
    said.failed(2, &["used by two files", "PAY-0008.case.yaml", "copy.case.yaml"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_malformed_case_is_told_with_file_line_column_and_what_was_expected() {
    let bench = Bench::new().await;
    bench.change("cases/PAY-0008.case.yaml", "budget: {actions: 6,", "budget: {acts: 6,");
    for argument in ["PAY-0008", "cases/PAY-0008.case.yaml"] {
        let said = bench.tapwright(&["run", argument]).await;
        said.failed(2, &["PAY-0008.case.yaml:10:10", "acts", "expected one of", "actions"]);
    }
    bench.change("cases/PAY-0007.case.yaml", "steps:", "steps: [");
    bench.tapwright(&["run", "PAY-0007"]).await.failed(2, &["PAY-0007.case.yaml:"]);
    bench
        .tapwright(&["run", "cases/none.case.yaml"])
        .await
        .failed(2, &["none.case.yaml", "Check that the file exists"]);
    bench.tapwright(&["cases", "lint"]).await.failed(2, &["2 errors"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_malformed_workspace_file_is_told_with_its_line() {
    let bench = Bench::new().await;
    std::fs::write(bench.path("tapwright.toml"), "[folders]\ncase = []\n").unwrap();
    bench.tapwright(&["cases", "list"]).await.failed(2, &["tapwright.toml", "line 2", "`case`"]);
    bench.tapwright(&["cases", "list", "--workspace", "/nowhere"]).await.failed(2, &["/nowhere"]);
}

#[tokio::test]
async fn nothing_selected_is_neither_a_pass_nor_a_failure() {
    let bench = Bench::new().await;
    bench.tapwright(&["run"]).await.failed(4, &["nothing to run", "--tag"]);
    bench.tapwright(&["run", "--tag", "nonsense"]).await.failed(4, &["no case has the tag nonsense"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_parameter_the_case_does_not_have_is_refused() {
    let bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0002", "--param", "amuont=5"]).await.failed(2, &["amuont", "amount"]);
    bench.tapwright(&["run", "PAY-0002", "--param", "amount"]).await.failed(2, &["name=value"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn no_device_two_devices_and_a_wrong_serial_say_what_to_do() {
    let mut bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0008"]).await.failed(3, &["no device is connected", "tapwright emulate"]);
    let said = bench.tapwright(&["devices"]).await;
    said.failed(0, &["no devices"]);
    assert_eq!(bench.tapwright(&["devices", "--json"]).await.json(), serde_json::json!([]));

    let first = bench.device(VirtualDeviceConfig::default()).await;
    let second = bench.device(VirtualDeviceConfig::default()).await;
    for command in [&["run", "PAY-0008"][..], &["widgets"]] {
        bench.tapwright(command).await.failed(3, &["several devices", &first, &second, "--device"]);
    }
    let said = bench.tapwright(&["run", "PAY-0008", "--device", "10.0.0.1:5"]).await;
    said.failed(3, &["10.0.0.1:5: no such device is connected", &first]);
    let said = bench.tapwright(&["run", "PAY-0008", "--profile", "pixel-emulator"]).await;
    said.failed(3, &["no connected device matches the profile", "virtual-phone"]);
    bench.tapwright(&["run", "PAY-0008", "--profile", "nonsense"]).await.failed(2, &["nonsense", "virtual-phone"]);
    bench.nothing_half_written();

    let listed = bench.tapwright(&["devices", "--json"]).await.json();
    let mut serials: Vec<_> = listed.as_array().unwrap().iter().map(|row| row["serial"].as_str().unwrap()).collect();
    serials.sort_unstable();
    let mut both = [first.as_str(), second.as_str()];
    both.sort_unstable();
    assert_eq!(serials, both);
    // The environment chooses as adb does.
    let mut command = bench.command(&["widgets", "--json"]);
    command.env("ANDROID_SERIAL", &second);
    let said: Said = command.output().await.unwrap().into();
    said.succeeded();
    assert!(said.json()["widgets"].is_array());
}

#[tokio::test]
async fn an_unauthorized_device_is_named_with_the_remedy() {
    let mut bench = Bench::new().await;
    let reject = VirtualDeviceConfig { auth: AuthPolicy::Reject, ..VirtualDeviceConfig::default() };
    let address = bench.start_device(reject).await;
    bench.server().connect_only(address).await;
    let serial = address.to_string();
    bench.server().wait_for_state(&serial, "unauthorized").await;
    for arguments in [&["run", "PAY-0008"][..], &["run", "PAY-0008", "--device", &serial]] {
        bench.tapwright(arguments).await.failed(3, &[&serial, "not authorised", "confirm the USB debugging dialog"]);
    }
    let said = bench.tapwright(&["devices"]).await;
    assert!(said.stdout.contains("unauthorized") && said.stdout.contains("confirm the USB debugging"), "{said:?}");
    bench.nothing_half_written();
}

#[tokio::test]
async fn an_offline_device_is_named_with_the_remedy() {
    let bench = Bench::new().await;
    let stub = StubServer::start([
        Conversation::host("host:version").okay_text("0029"),
        Conversation::host("host:devices-l").okay_text("R58M             offline transport_id:1\n"),
    ])
    .await;
    let mut command = bench.command(&["run", "PAY-0008"]);
    command.env("ANDROID_ADB_SERVER_PORT", stub.address().port().to_string());
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["R58M: the device is offline", "adb reconnect offline"]);
    stub.finish().await;
    bench.nothing_half_written();
}

#[tokio::test]
async fn an_adb_server_that_cannot_be_is_told_as_configuration() {
    let bench = Bench::new().await;
    for (name, value) in [("ANDROID_ADB_SERVER_PORT", "banana"), ("ADB_SERVER_SOCKET", "local:adb")] {
        for arguments in [&["run", "PAY-0008"][..], &["devices"], &["widgets"]] {
            let mut command = bench.command(arguments);
            command.env(name, value);
            let said: Said = command.output().await.unwrap().into();
            said.failed(2, &[name, value, "expected"]);
        }
    }
    // An address that makes sense, where nobody is and nobody may be started.
    let mut command = bench.command(&["devices"]);
    command.env("ADB_SERVER_SOCKET", "tcp:127.0.0.1:1").env("TAPWRIGHT_ADB", "/nowhere/adb");
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["127.0.0.1:1", "/nowhere/adb"]);
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_fails_to_install_is_an_error_with_the_package_managers_reason() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/pay.app.yaml"), b"\xff\xfe no app").unwrap();
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    said.failed(3, &[]);
    assert_eq!(said.json()["verdict"], "error");
    let reason = said.json()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("INSTALL_PARSE_FAILED_NOT_APK") && reason.contains("com.example.pay"), "{reason}");
    bench.nothing_half_written();
    // What is there is whole.
    let results: Vec<_> = bench.files("runs").into_iter().filter(|file| file.ends_with("result.json")).collect();
    assert_eq!(results.len(), 1);

    std::fs::remove_file(bench.path("apps/pay.app.yaml")).unwrap();
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial]).await;
    said.failed(3, &["pay.app.yaml"]);
    bench.nothing_half_written();
}

/// A device whose first screen keeps sending events; its dumps fail after a moment in place of ten seconds.
async fn restless_device(bench: &mut Bench) -> String {
    bench.change_app(
        "          id: balance_card\n          background: primary\n          radius: 16\n          padding: 20\n          gap: 4\n          children:\n",
        "          id: balance_card\n          background: primary\n          radius: 16\n          padding: 20\n          gap: 4\n          children:\n            - progress: {id: forever, busy: true}\n",
    );
    let restless = IdleWait { limit: std::time::Duration::from_millis(20), ..IdleWait::NONE };
    bench.device(VirtualDeviceConfig { idle_wait: restless, ..VirtualDeviceConfig::default() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_that_never_rests_and_cannot_be_pictured_gives_an_error_and_no_verdict_on_the_app() {
    let mut bench = Bench::new().await;
    // Android gives a black picture of a secure window.
    bench.change_app(
        "  - id: home\n    activity: .MainActivity\n",
        "  - id: home\n    secure: true\n    activity: .MainActivity\n",
    );
    let serial = restless_device(&mut bench).await;
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    said.failed(3, &[]);
    assert_eq!(said.json()["verdict"], "error");
    let reason = said.json()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("no screen hierarchy after 3 dumps") && reason.contains("idle"), "{reason}");
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_that_never_rests_is_read_off_its_picture_and_the_result_says_so() {
    let models = Manifest::load(&repository("models")).unwrap().text_models();
    if models.is_none_or(|(detection, recognition)| !detection.is_file() || !recognition.is_file()) {
        println!("skipped: the text reading models are not installed (`tapwright models install`)");
        return;
    }
    let mut bench = Bench::new().await;
    let serial = restless_device(&mut bench).await;
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    let result = said.json();
    assert_eq!((said.code, &result["verdict"]), (Some(0), &"passed".into()), "{said:?}");
    assert_eq!(result["diagnostics"][0]["code"], "no_hierarchy");
    assert_eq!(result["counts"]["failed_dumps"], 3);
}
