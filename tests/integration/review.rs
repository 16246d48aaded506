//! What people do with scripts and runs besides replaying: compare, check, export, import, pack.

use crate::bench::{Bench, repository};
use std::io::Read;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

/// A workspace with the recorded scripts.
async fn recorded() -> Bench {
    let bench = Bench::new().await;
    for case in std::fs::read_dir(repository("scripts")).unwrap() {
        let case = case.unwrap().path();
        let own = bench.path("scripts").join(case.file_name().unwrap());
        std::fs::create_dir_all(&own).unwrap();
        for file in std::fs::read_dir(&case).unwrap() {
            let file = file.unwrap().path();
            std::fs::copy(&file, own.join(file.file_name().unwrap())).unwrap();
        }
    }
    bench
}

#[tokio::test]
async fn a_proposal_is_shown_checked_and_accepted_with_its_page() {
    let bench = recorded().await;
    bench.tapwright(&["scripts", "lint"]).await.failed(0, &["8 scripts, 0 errors"]);
    bench.tapwright(&["scripts", "diff", "PAY-0008"]).await.failed(4, &["no proposal beside a script"]);
    bench.tapwright(&["scripts", "log", "PAY-0008"]).await.failed(4, &["no script of PAY-0008 was repaired"]);
    let mut script = Script::read(&bench.path("scripts/PAY-0008/virtual-phone.toml")).unwrap();
    let seal = script.seal.clone();
    script.actions[0].target.as_mut().unwrap().label = "Statements".into();
    script.sealed_as(seal.as_ref()).propose(&bench.path("scripts"), Some("# PAY-0008 was repaired\n")).unwrap();
    let shown = bench.tapwright(&["scripts", "diff", "PAY-0008"]).await;
    shown.succeeded();
    assert!(
        shown.stdout.contains("-  click \"Bills\"") && shown.stdout.contains("+  click \"Statements\""),
        "{shown:?}"
    );
    let rows = bench.tapwright(&["scripts", "diff", "PAY-0008", "--json"]).await.json();
    assert!(rows.as_array().unwrap().iter().any(|row| row["side"] == "later"), "{rows}");
    let linted = bench.tapwright(&["scripts", "lint", "PAY-0008", "--json"]).await;
    assert!(linted.json()[0]["message"].as_str().unwrap().contains("a repaired version waits"), "{linted:?}");
    bench.tapwright(&["scripts", "accept", "PAY-0008"]).await.succeeded();
    let log = bench.tapwright(&["scripts", "log", "PAY-0008"]).await;
    assert!(log.stdout.contains("PAY-0008 was repaired") && log.stdout.contains("virtual-phone.log.md"), "{log:?}");
    assert!(bench.files("scripts/PAY-0008/proposed").is_empty());

    bench.change("cases/PAY-0008.case.yaml", "- Open Bills", "- Open the bills");
    let said = bench.tapwright(&["scripts", "lint", "PAY-0008"]).await;
    said.failed(2, &["1 script, 1 error"]);
    assert!(said.stdout.contains("its case was changed"), "{said:?}");
}

/// The steps are the recorded ones, so the path is still the case's; what counts is what the case expects now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_checks_what_its_case_expects_now_and_says_that_it_was_changed() {
    let mut bench = recorded().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let (said, result) = bench.replay("PAY-0008", &serial).await;
    assert_eq!((said.code, &result["reason"]), (Some(0), &"".into()), "{result:#}");
    let told = "what PAY-0008 expects was changed after its script was recorded";
    bench.change("cases/PAY-0008.case.yaml", "  - absent: Bind a bank card\n", "  - visible: Bills\n");
    let linted = bench.tapwright(&["scripts", "lint", "PAY-0008"]).await;
    linted.failed(0, &["1 script, 0 errors"]);
    assert!(linted.stdout.contains("warning: what its case expects was changed"), "{linted:?}");
    let (_, result) = bench.replay("PAY-0008", &serial).await;
    assert_eq!(result["verdict"], "passed", "{result:#}");
    assert!(result["reason"].as_str().unwrap().contains(told), "{result:#}");
    bench.change("cases/PAY-0008.case.yaml", "  - visible: Bills\n", "  - visible: Flight to the moon\n");
    let (said, result) = bench.replay("PAY-0008", &serial).await;
    assert_eq!((said.code, &result["verdict"]), (Some(1), &"failed".into()), "{result:#}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("Flight to the moon") && reason.contains(told), "{reason}");

    // A script that somebody emptied and whose seal is off is judged by the case all the same.
    let path = bench.path("scripts/PAY-0008/virtual-phone.toml");
    let mut script = Script::read(&path).unwrap();
    script.expectations.truncate(1);
    std::fs::write(&path, Script { seal: None, ..script }.to_toml().unwrap()).unwrap();
    let (_, result) = bench.replay("PAY-0008", &serial).await;
    assert_eq!(result["verdict"], "failed", "{result:#}");

    bench.change("cases/PAY-0010.case.yaml", "  - Scroll down\n", "  - Scroll down twice\n");
    let refused = bench.tapwright(&["replay", "PAY-0010", "--device", &serial]).await;
    refused.failed(2, &["PAY-0010: the case was changed after its script was recorded"]);
}

#[tokio::test]
async fn exported_flows_are_taken_in_again_and_what_has_no_counterpart_is_refused_with_its_line() {
    let bench = recorded().await;
    for case in ["PAY-0001", "PAY-0002", "PAY-0003", "PAY-0005", "PAY-0008", "PAY-0009", "PAY-0010"] {
        let flow = bench.tapwright(&["scripts", "export", case, "--format", "maestro"]).await;
        flow.succeeded();
        std::fs::write(bench.path(&format!("{case}-again.yaml")), &flow.stdout).unwrap();
        let said = bench.tapwright(&["cases", "import", &format!("{case}-again.yaml")]).await;
        said.failed(0, &["made", &format!("{case}-again.case.yaml")]);
        let feature = bench.tapwright(&["scripts", "export", case, "--format", "gherkin"]).await;
        assert!(feature.stdout.contains(&format!("@{case}\n")) && feature.stdout.contains("    Then "), "{feature:?}");
    }
    let twice = bench.tapwright(&["cases", "import", "PAY-0008-again.yaml"]).await;
    twice.failed(2, &["is there already"]);
    bench.tapwright(&["cases", "lint", "PAY-0008-again"]).await.failed(0, &["0 errors"]);
    std::fs::write(bench.path("odd.yaml"), "appId: a.b\n---\n- tapOn: A\n- runScript: x.js\n").unwrap();
    bench
        .tapwright(&["cases", "import", "odd.yaml"])
        .await
        .failed(2, &["odd.yaml:4: runScript", "nothing was imported"]);
    assert!(!bench.path("cases/odd.case.yaml").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_brings_its_own_device_and_a_gate_leaves_allure_results() {
    let mut bench = recorded().await;
    let said = bench.tapwright(&["run", "PAY-0008", "--virtual", "--json"]).await;
    assert_eq!((said.code, &said.result()["verdict"]), (Some(0), &"passed".into()), "{said:?}");
    assert_eq!(bench.tapwright(&["devices", "--json"]).await.json(), serde_json::json!([]), "its device is gone");
    bench.tapwright(&["run", "PAY-0008", "--virtual", "--device", "x"]).await.failed(2, &["cannot be used with"]);

    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.change_app("title: Bills, icon: receipt", "title: Statements, icon: receipt");
    bench.change_app("{id: bills, title: Statements", "{id: statements, title: Statements");
    let gate =
        ["gate", "PAY-0008", "PAY-0006", "--device", &serial, "--policy", "repair", "--allure", "out/allure", "--json"];
    let said = bench.tapwright(&gate).await;
    said.failed(1, &["1 failed", "PAY-0008"]);
    let manifest = said.json();
    let verdict = |id: &str| {
        let cases = manifest["cases"].as_array().unwrap();
        cases.iter().find(|case| case["id"] == id).map(|case| case["verdict"].clone()).unwrap()
    };
    assert_eq!((verdict("PAY-0008"), verdict("PAY-0006")), ("repaired".into(), "failed".into()), "{manifest:#}");
    assert_eq!(bench.files("scripts/PAY-0008").len(), 2, "a gate changes no script of the workspace");
    let results: Vec<serde_json::Value> = bench
        .files("out/allure")
        .iter()
        .filter(|file| file.to_string_lossy().ends_with("-result.json"))
        .map(|file| serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())
        .collect();
    let told: Vec<&str> = results.iter().filter_map(|result| result["status"].as_str()).collect();
    assert!(told.contains(&"passed") && told.contains(&"failed"), "{told:?}");
    assert!(results.iter().all(|result| result["attachments"][0]["name"] == "Report"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_run_is_found_packed_and_compared_with_the_last_pass() {
    let mut bench = recorded().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.tapwright(&["report", "bundle"]).await.failed(2, &["latest is no run"]);
    bench.tapwright(&["replay", "PAY-0010", "--device", &serial]).await.succeeded();
    bench.change_app("crash_on_help: false", "crash_on_help: true");
    let (said, result) = bench.replay("PAY-0010", &serial).await;
    assert_eq!(result["verdict"], "failed", "{said:?}");
    let latest = bench.path("runs/latest");
    assert!(latest.join("report.html").is_file());
    let run = std::fs::canonicalize(&latest).unwrap();
    assert_eq!(run.file_name().unwrap().to_str(), result["run_id"].as_str());
    let read = |name: &str| std::fs::read_to_string(latest.join(name)).unwrap();
    assert!(read("crash.txt").contains("HelpRepository has no articles"));
    assert!(read("device.log").contains("AndroidRuntime"));
    let report = read("report.html");
    for part in
        ["The crash, as it was logged", "Beside the last pass", "Device log of the run", "at the end of the last pass"]
    {
        assert!(report.contains(part), "{part:?} is not in the report");
    }
    let kept: Vec<&str> = result["artifacts"].as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
    assert!(kept.contains(&"device.log") && kept.contains(&"crash.txt"), "{kept:?}");
    bench.tapwright(&["report", "bundle", "latest", "--output", "run.zip"]).await.failed(0, &["files of", "run.zip"]);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(bench.path("run.zip")).unwrap()).unwrap();
    let mut text = String::new();
    let name = format!("{}/report.html", result["run_id"].as_str().unwrap());
    archive.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, report);
}
