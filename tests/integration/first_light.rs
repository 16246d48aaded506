//! The loop end to end: the bundled cases on a virtual device, through the real adb server, with the real model.

use crate::bench::{Bench, PASSWORD, suite};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tapwright::case::CaseIndex;
use tapwright::domain::{RunResult, Size, Verdict};
use tapwright::virtual_device::VirtualDeviceConfig;

/// The verdict a bundled case's tags promise.
fn promised(id: &str) -> Verdict {
    let index = CaseIndex::scan(&[suite("cases")]).unwrap();
    let case = index.cases().find(|case| case.id.as_str() == id).unwrap();
    match case.tags.iter().map(String::as_str).find(|tag| tag.starts_with("expected-")) {
        None => Verdict::Passed,
        Some("expected-failed" | "expected-failure") => Verdict::Failed,
        Some("expected-blocked") => Verdict::Blocked,
        Some(other) => panic!("{id}: what does the tag {other} promise?"),
    }
}

/// A smaller display than the one scripts are recorded on.
fn other_display() -> VirtualDeviceConfig {
    VirtualDeviceConfig { display: Size::new(720, 1600), density: 280, ..VirtualDeviceConfig::default() }
}

/// The script of a run that passed, relative to the workspace's scripts.
fn script(result: &RunResult) -> PathBuf {
    PathBuf::from(result.script.as_ref().unwrap_or_else(|| panic!("no script: {}", result.reason)))
}

fn said(result: &RunResult) -> String {
    let steps: Vec<String> = result
        .steps
        .iter()
        .map(|step| {
            let actions: Vec<String> = step
                .actions
                .iter()
                .map(|action| format!("{} {}", action.skill, action.target.as_deref().unwrap_or("")))
                .collect();
            format!("{}. {} {}: {} {actions:?}", step.index, step.instruction, step.verdict, step.reason)
        })
        .collect();
    format!("{}: {}\n{}", result.verdict, result.reason, steps.join("\n"))
}

/// Exactly the keys of the published contract.
fn check_shape(value: &Value) {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
    let named = |names: &str| names.split_whitespace().map(str::to_owned).collect();
    let all = "schema run_id case_id verdict reason flaky repaired attempts device steps counts timings_ms script \
               artifacts";
    assert_eq!(keys(value), named(all));
    assert_eq!(value["schema"], 1);
    assert_eq!(keys(&value["device"]), named("serial profile api"));
    assert_eq!(keys(&value["counts"]), named("actions model_calls dumps"));
    assert_eq!(keys(&value["timings_ms"]), named("observe decide act settle total"));
    for step in value["steps"].as_array().unwrap() {
        assert_eq!(keys(step), named("index instruction rewritten verdict actions reason"));
        for action in step["actions"].as_array().unwrap() {
            assert_eq!(keys(action), named("skill args target score source"));
        }
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Runs a bundled case; it must keep its promise and leave exactly what it should.
async fn run_bundled(bench: &Bench, id: &str, serial: &str) -> RunResult {
    let result = bench.run(id, serial).await;
    assert_eq!(result.verdict, promised(id), "{}", said(&result));
    let folder = bench.run_folder(&result);
    let written = read_json(&folder.join("result.json"));
    check_shape(&written);
    let told: Value = serde_json::from_str(&serde_json::to_string(&result).unwrap()).unwrap();
    assert_eq!(written, told);
    for artifact in &result.artifacts {
        assert!(folder.join(artifact).exists(), "{artifact}");
    }
    if result.verdict == Verdict::Passed {
        assert!(script(&result).is_file() && script(&result).with_extension("sh").is_file());
    } else {
        assert!(result.script.is_none() && !result.reason.is_empty());
        bench.nothing_half_written();
    }
    result
}

/// The script replays without the model, on the device it was recorded on and on a smaller one, and its shell form runs
/// with nothing but adb.
async fn check_script(bench: &mut Bench, result: &RunResult, serial: &str) {
    let script = script(result);
    let name = script.to_str().unwrap();
    let secrets: &[(&str, &str)] = if std::fs::read_to_string(&script).unwrap().contains("secrets = [") {
        &[("PAYMENT_PASSWORD", PASSWORD)]
    } else {
        &[]
    };
    let (said, replayed) = bench.replay(name, serial).await;
    assert_eq!((said.code, &replayed["verdict"]), (Some(0), &"passed".into()), "{said:?}");
    assert_eq!(replayed["counts"]["model_calls"], 0);
    check_shape(&replayed);

    let said = bench.shell_script(&script.with_extension("sh"), serial, secrets).await;
    said.succeeded();
    assert_eq!(said.stdout, format!("{} passed\n", result.case_id));
    if !secrets.is_empty() {
        bench.shell_script(&script.with_extension("sh"), serial, &[]).await.failed(2, &["PAYMENT_PASSWORD"]);
    }

    let small = bench.device(other_display()).await;
    let (said, replayed) = bench.replay(name, &small).await;
    assert_eq!((said.code, &replayed["verdict"]), (Some(0), &"passed".into()), "on 720x1600: {said:?}");
}

async fn keeps_its_promise(id: &str) {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let result = run_bundled(&bench, id, &serial).await;
    if result.verdict == Verdict::Passed {
        check_script(&mut bench, &result, &serial).await;
    }
}

macro_rules! bundled_cases {
    ($($name:ident $id:literal),* $(,)?) => {
        const TESTED: &[&str] = &[$($id),*];
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                keeps_its_promise($id).await;
            }
        )*
    };
}

bundled_cases! {
    binding_a_card_passes_and_replays "PAY-0001",
    a_transfer_passes_and_replays "PAY-0002",
    turning_on_a_switch_passes_and_replays "PAY-0003",
    following_an_inline_link_passes_and_replays "PAY-0004",
    turning_a_wheel_passes_and_replays "PAY-0005",
    a_wrong_expectation_fails_and_leaves_no_script "PAY-0006",
    a_step_the_app_does_not_offer_is_blocked_and_leaves_no_script "PAY-0007",
    opening_a_list_passes_and_replays "PAY-0008",
}

#[test]
fn every_bundled_case_is_tested_here() {
    let index = CaseIndex::scan(&[suite("cases")]).unwrap();
    let mut bundled: Vec<_> = index.cases().map(|case| case.id.to_string()).collect();
    bundled.sort();
    assert_eq!(bundled, TESTED);
}
