//! Runs as recorded apps: exported, played on a virtual device, run and replayed on it, and examined.

use crate::bench::{Bench, PASSWORD};
use crate::harness::PATIENCE;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use tapwright::domain::{RunResult, Verdict};
use tapwright::hierarchy::parse;
use tapwright::recorded::RecordedApp;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::time::timeout;

/// A case with fields, a drawn keypad and secrets, and the shortest one.
const CASES: [&str; 2] = ["PAY-0002", "PAY-0008"];

/// A bench whose cases ran on the app itself, and what was exported of those runs.
async fn exported() -> (Bench, Vec<RunResult>) {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut results = Vec::new();
    for id in CASES {
        let result = bench.run(id, &serial).await;
        assert_eq!(result.verdict, Verdict::Passed, "{id}: {}", result.reason);
        results.push(result);
    }
    bench.stop_devices();
    let said = bench.tapwright(&["recordings", "export", "runs", "--output", "recorded"]).await;
    said.succeeded();
    assert_eq!(said.stdout, "recorded\n");
    // From now on the cases take whatever app is installed.
    for id in CASES {
        bench.change(&format!("cases/{id}.case.yaml"), ", apk: ../apps/pay.app.yaml", "");
    }
    (bench, results)
}

/// `emulate --recording`, and the device's serial.
async fn emulated(bench: &Bench) -> (Child, String) {
    emulated_from(bench, &["recorded"]).await
}

/// The same of another recording, with what else is asked for.
async fn emulated_from(bench: &Bench, recording: &[&str]) -> (Child, String) {
    let mut child = bench.spawn(&[&["emulate", "--connect", "--recording"][..], recording].concat());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = timeout(PATIENCE, lines.next_line()).await.expect("no device was started").unwrap();
    (child, line.expect("emulate ended at once"))
}

/// Skill and target of every action.
fn way(result: &RunResult) -> Vec<(String, Option<String>)> {
    result
        .steps
        .iter()
        .flat_map(|step| &step.actions)
        .map(|action| (action.skill.clone(), action.target.clone()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_exported_played_run_again_and_replayed_on_the_same_way() {
    let (bench, results) = exported().await;
    let app = RecordedApp::open(&bench.path("recorded")).unwrap();
    assert_eq!((app.tasks.len(), app.notes.len()), (2, 0), "{:?}", app.notes);
    assert_eq!(app.info.package, "com.example.pay");
    for file in bench.files("recorded") {
        let bytes = std::fs::read(&file).unwrap();
        let secret = PASSWORD.as_bytes();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "the secret is in {}", file.display());
    }

    let (mut child, serial) = emulated(&bench).await;
    for (id, first) in CASES.into_iter().zip(&results) {
        let again = bench.run(id, &serial).await;
        assert_eq!(again.verdict, Verdict::Passed, "{id}: {}", again.reason);
        assert_eq!(way(&again), way(first), "{id}");
        let script = bench.path(first.script.as_deref().unwrap());
        let (said, replayed) = bench.replay(script.to_str().unwrap(), &serial).await;
        assert_eq!((said.code, &replayed["verdict"]), (Some(0), &"passed".into()), "{id}: {said:?}");
    }
    child.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_zipped_recording_is_installed_dumped_node_for_node_and_pictured_as_recorded() {
    let (mut bench, _) = exported().await;
    let folder = bench.path("recorded");
    let archive = bench.path("apps/recorded.apk");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    for file in bench.files("recorded") {
        let name = file.strip_prefix(folder.parent().unwrap()).unwrap().to_str().unwrap().replace('\\', "/");
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(&file).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let adb = |args: &[&str]| {
        let args: Vec<String> = ["-s", &serial].iter().chain(args).map(ToString::to_string).collect();
        let server = bench.server();
        async move { server.adb(&args.iter().map(String::as_str).collect::<Vec<_>>()).await }
    };
    let installed = adb(&["install", archive.to_str().unwrap()]).await;
    assert!(String::from_utf8_lossy(&installed.stdout).contains("Success"), "{installed:?}");
    adb(&["shell", "monkey", "-p", "com.example.pay", "1"]).await;

    let app = RecordedApp::open(&folder).unwrap();
    let state = app.state(&app.info.initial).unwrap();
    let dumped = adb(&["exec-out", "uiautomator", "dump", "/dev/tty"]).await.stdout;
    assert_eq!(parse(&dumped).nodes, state.tree.nodes);
    let recorded = image::load_from_memory(&state.picture.as_ref().unwrap().read().unwrap()).unwrap().into_rgba8();
    let shown = adb(&["exec-out", "screencap", "-p"]).await.stdout;
    let shown = image::load_from_memory(&shown).unwrap().into_rgba8();
    assert!(shown == recorded, "the picture differs from the recorded one");

    std::fs::write(&archive, b"PK\x03\x04broken").unwrap();
    let refused = adb(&["install", archive.to_str().unwrap()]).await;
    let said = format!("{}{}", String::from_utf8_lossy(&refused.stdout), String::from_utf8_lossy(&refused.stderr));
    assert!(said.contains("INSTALL_PARSE_FAILED"), "{said}");
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

/// Takes every latency out of a report: no two examinations take the same time.
fn forget_latencies(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if name == "latency_ms" {
                    *field = Value::Null;
                } else {
                    forget_latencies(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forget_latencies),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_examination_prints_the_published_numbers_and_the_same_ones_each_time() {
    let (bench, _) = exported().await;
    let named = |names: &str| names.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    for mode in ["goal", "steps"] {
        let mut reports = Vec::new();
        for _ in 0..2 {
            let said = bench.tapwright(&["eval", "recorded", "recorded", "--mode", mode, "--json"]).await;
            said.succeeded();
            let mut report = said.json();
            assert_eq!(keys(&report["latency_ms"]), named("p50 p95"));
            forget_latencies(&mut report);
            reports.push(report);
        }
        assert_eq!(reports[0], reports[1], "{mode}");
        let report = &reports[0];
        let all = "tasks completed completed_share action_accuracy pass_at_1 complete_at_1 latency_ms";
        assert_eq!(
            keys(report),
            named(&format!("mode by_app results false_done reliability in_sample left_out {all}"))
        );
        assert_eq!(keys(&report["by_app"]["pay"]), named(&format!("{all} false_done")));
        assert_eq!(report["tasks"], 2);
        assert_eq!(report["pass_at_1"].is_null(), mode == "goal");
        // Steps are declared done with a confidence, goals without one.
        assert_eq!(report["reliability"].is_null(), mode == "goal");
        let short = report["results"].as_array().unwrap().iter().find(|task| task["id"] == "PAY-0008").unwrap();
        if mode == "steps" {
            // "Open Bills" is one touch on a row that says so.
            assert_eq!((&short["completed"], &short["steps"]), (&true.into(), &vec![true].into()), "{short}");
        }
    }
    let one = bench.tapwright(&["eval", "recorded", "recorded", "--task", "PAY-0008"]).await;
    one.succeeded();
    assert!(one.stdout.contains("ACTIONS RIGHT") && one.stdout.contains("pay"), "{}", one.stdout);
    bench
        .tapwright(&["eval", "recorded", "recorded", "--task", "X"])
        .await
        .failed(2, &["no recording has a task \"X\""]);
    bench.tapwright(&["eval", "recorded", "cases"]).await.failed(2, &["cases holds no recording"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_that_cannot_be_played_is_refused_with_file_and_reason() {
    let bench = Bench::new().await;
    let folder = bench.path("broken");
    std::fs::create_dir_all(folder.join("states")).unwrap();
    std::fs::write(folder.join("app.json"), "{\"format\": 1,").unwrap();
    for args in [&["emulate", "--recording", "broken"][..], &["eval", "recorded", "broken"]] {
        bench.tapwright(args).await.failed(2, &["broken/app.json:1: it is no JSON"]);
    }
    let checked = bench.tapwright(&["emulate", "--recording", "broken", "--check"]).await;
    checked.failed(2, &["1 recording, 1 problem"]);
    assert!(checked.stdout.contains("app.json:1"), "{}", checked.stdout);
    bench.tapwright(&["recordings", "export", "cases", "--output", "x"]).await.failed(2, &["cases holds no run"]);
    assert!(!Path::new(&bench.path("x")).exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_run_is_played_from_any_of_its_actions_on() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.add_case(
        "WAY-1",
        "steps:\n  - Open Security\n  - Switch off payment reminders\nexpect:\n  - visible: Daily limit\n",
    );
    let failed = bench.tapwright(&["run", "WAY-1", "--device", &serial, "--json"]).await.result();
    assert_ne!(failed["verdict"], "passed", "{failed:#}");
    let events = std::fs::read_to_string(bench.path("runs/latest/events.jsonl")).unwrap();
    let actions = events.lines().filter(|line| line.contains("\"event\":\"acted\"")).count();
    assert!(actions >= 2, "{failed:#}");
    bench.stop_devices();
    let (second, end) = ("2".to_owned(), (actions + 1).to_string());
    for (at, title) in [(None, "Lantern Pay"), (Some(&second), "Security"), (Some(&end), "Security")] {
        let mut recording = vec!["runs/latest"];
        recording.extend(at.iter().flat_map(|at| ["--at", at.as_str()]));
        let (mut child, serial) = emulated_from(&bench, &recording).await;
        let opened = bench.server().adb(&["-s", &serial, "shell", "monkey -p com.example.pay 1"]).await;
        assert!(opened.status.success(), "{opened:?}");
        let screen = bench.tapwright(&["widgets", "--device", &serial, "--json"]).await.json();
        assert_eq!(screen["title"], title, "at {at:?}");
        child.kill().await.unwrap();
    }
    let past = (actions + 2).to_string();
    for (args, parts) in [
        (&["runs/latest", "--at", &past][..], &["has no action", "which is its end"][..]),
        (&["cases", "--at", "1"], &["--at needs the folder of a run"]),
        (&["cases"], &["app.json"]),
    ] {
        let said = bench.tapwright(&[&["emulate", "--check", "--recording"][..], args].concat()).await;
        assert_ne!(said.code, Some(0), "{said:?}");
        for part in parts {
            assert!(format!("{}{}", said.stdout, said.stderr).contains(part), "{part:?} is not in {said:?}");
        }
    }
}
