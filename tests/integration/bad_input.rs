//! Bad input from a device and what `result.json` says about it: the real adb server, a faulty virtual device, whole runs.

use crate::bench::{Bench, Said, runtime_library};
use crate::command_line::models;
use serde_json::Value;
use tapwright::virtual_device::faults::FaultSpec;
use tapwright::virtual_device::{IdleWait, VirtualDeviceConfig};

/// A case that needs two looks and one touch.
const CASE: &str = "PAY-0008";

async fn faulty(bench: &mut Bench, faults: &str) -> String {
    let faults = FaultSpec::parse_list(faults).unwrap();
    bench.device(VirtualDeviceConfig { faults, idle_wait: IdleWait::NONE, ..VirtualDeviceConfig::default() }).await
}

/// `result.json` of a run on a device with these faults.
async fn result(faults: &str) -> Value {
    let mut bench = Bench::new().await;
    let serial = faulty(&mut bench, faults).await;
    let result = bench.run(CASE, &serial).await;
    let written = std::fs::read(bench.run_folder(&result).join("result.json")).unwrap();
    serde_json::from_slice(&written).unwrap()
}

/// How often a trouble occurred; its message must hold `words`.
#[track_caller]
fn count(result: &Value, code: &str, words: &str) -> u64 {
    let all = result["diagnostics"].as_array().unwrap();
    let found = all.iter().find(|one| one["code"] == code).unwrap_or_else(|| panic!("no {code} in {result:#}"));
    let message = found["message"].as_str().unwrap();
    assert!(message.contains(words), "{code}: {message}");
    found["count"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_picture_is_named_and_the_case_goes_on_without_it() {
    for (faults, code, words) in [
        ("black-screencap", "picture_black", "all black"),
        ("truncated-screencap", "picture_damaged", "neither a raw picture"),
        ("png-screencap,truncated-screencap", "picture_damaged", "damaged PNG"),
        ("huge-screencap", "picture_too_large", "60000×60000"),
        ("png-screencap,odd-screencap", "picture_other_size", "nothing is looked for in it"),
        ("screencap-fails", "no_picture", "Failed to take screenshot"),
    ] {
        let result = result(faults).await;
        assert_eq!(result["verdict"], "passed", "{faults}: {result:#}");
        let looks = result["acquisition"]["at_rest"]["dump"].as_u64().unwrap();
        assert_eq!(count(&result, code, words), looks, "{faults}: {result:#}");
        let pictures = &result["acquisition"]["pictures"];
        let came = !matches!(code, "picture_damaged" | "picture_too_large" | "no_picture");
        let tries = (pictures["delivered"].as_u64().unwrap(), pictures["failed"].as_u64().unwrap());
        assert_eq!(tries, if came { (looks, 0) } else { (0, looks) }, "{faults}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_dump_is_named_and_read_as_far_as_it_goes() {
    let broken = result("invalid-xml:times=1").await;
    assert_eq!(count(&broken, "dump_damaged", ""), 1, "{broken:#}");
    assert_eq!(broken["verdict"], "passed", "{broken:#}");
    let cut = result("truncated-dump:times=1").await;
    assert_eq!(count(&cut, "dump_failed", "cut off"), 1, "{cut:#}");
    assert_eq!(cut["verdict"], "passed", "{cut:#}");
    let [rung] = &cut["acquisition"]["dumps"].as_array().unwrap()[..] else { panic!("{cut:#}") };
    assert_eq!((rung["mode"].as_str(), rung["route"].as_str()), (Some("full"), Some("file")));
    assert_eq!(rung["failed"], 1);
    assert!(rung["longest_ms"].as_f64().unwrap() > 0.0 && rung["ms"].as_f64() >= rung["longest_ms"].as_f64());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_text_model_is_named_where_a_picture_had_to_be_read() {
    let mut bench = Bench::new().await;
    models(&bench);
    let serial = faulty(&mut bench, "null-root").await;
    let mut command = bench.command(&["run", CASE, "--device", &serial, "--json"]);
    command.env("TAPWRIGHT_ORT_LIB", runtime_library());
    let said: Said = command.output().await.unwrap().into();
    let file = bench.files("runs").into_iter().find(|file| file.ends_with("result.json"));
    let written = std::fs::read(file.map_or_else(|| panic!("{said:?}"), |file| bench.path("runs").join(file))).unwrap();
    let blind: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(blind["verdict"], "error", "{blind:#}");
    let unread = count(&blind, "no_text_models", "run `tapwright models install`");
    assert_eq!(unread, count(&blind, "no_hierarchy", "only the picture is looked at"));
    assert_eq!(blind["acquisition"]["picture_only"], unread);
    assert_eq!(blind["acquisition"]["at_rest"]["picture"], unread);
}

/// The run of a case in words: verdict and reason.
async fn ended(faults: &str) -> Value {
    let result = result(faults).await;
    assert_ne!(result["verdict"], "failed", "trouble of the device is nothing about the app: {faults}: {result:#}");
    result
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_never_idles_is_worked_with_from_pictures_or_is_an_error_that_says_so() {
    // For a while: what comes later is read as ever.
    let passing = ended("idle=1s:times=4").await;
    assert_eq!(passing["verdict"], "passed", "{passing:#}");
    assert!(count(&passing, "dump_failed", "idle") > 0, "{passing:#}");
    // Always: the pictures are read, and where they do not carry the case, the run says what it lacked.
    let always = ended("idle=1s").await;
    assert!(count(&always, "no_hierarchy", "only the picture is looked at") > 0, "{always:#}");
    assert!(always["acquisition"]["picture_only"].as_u64().unwrap() > 0, "{always:#}");
    if always["verdict"] != "passed" {
        let reason = always["reason"].as_str().unwrap();
        assert!(reason.contains("hierarchy"), "{reason}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_that_hangs_up_in_the_middle_is_gone_on_with_or_an_error() {
    for faults in ["drop=0s:after=12:times=1", "drop=1s:after=20:times=1", "offline=1s:after=16:times=1"] {
        let result = ended(faults).await;
        let verdict = result["verdict"].as_str().unwrap();
        assert!(["passed", "error"].contains(&verdict), "{faults}: {result:#}");
        if verdict == "error" {
            assert!(!result["reason"].as_str().unwrap().is_empty(), "{faults}: {result:#}");
        }
    }
}
