//! What people do with scripts and runs besides replaying: compare, check, export, import, pack.

use crate::bench::{Bench, repository};
use std::io::Read;
use tapwright::case::Case;
use tapwright::script::{ChangePage, Script};
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

/// A page beside a proposal, without pictures.
fn page(text: &str) -> ChangePage {
    ChangePage { text: text.to_owned(), pictures: Vec::new() }
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
    script.sealed_as(seal.as_ref()).propose(&bench.path("scripts"), Some(&page("# PAY-0008 was repaired\n"))).unwrap();
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

    // One that is thrown away leaves the script and its log as they are.
    let before =
        bench.files("scripts/PAY-0008").into_iter().map(|file| std::fs::read(file).unwrap()).collect::<Vec<_>>();
    let mut script = Script::read(&bench.path("scripts/PAY-0008/virtual-phone.toml")).unwrap();
    let seal = script.seal.clone();
    script.actions[0].target.as_mut().unwrap().label = "Accounts".into();
    script.sealed_as(seal.as_ref()).propose(&bench.path("scripts"), Some(&page("# again\n"))).unwrap();
    bench.tapwright(&["scripts", "reject", "PAY-0008"]).await.failed(0, &["thrown away", "stays as it was"]);
    let after =
        bench.files("scripts/PAY-0008").into_iter().map(|file| std::fs::read(file).unwrap()).collect::<Vec<_>>();
    assert_eq!(before, after);
    bench.tapwright(&["scripts", "reject", "PAY-0008"]).await.failed(4, &["no proposal"]);

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

/// The case that was made of a script's flow has a sentence for each of its actions, its values, and its expectations.
fn says_the_same(bench: &Bench, id: &str) {
    let script = Script::read(&bench.path(&format!("scripts/{id}/virtual-phone.toml"))).unwrap();
    let case = Case::load(&bench.path(&format!("cases/{id}-again.case.yaml"))).unwrap();
    // A keypad's digits are touched one by one; those of a secret are left out, and told.
    let touches = script.actions.iter().map(|action| match action.skill.as_str() {
        "input_by_numeric_keyboard" => action.text.as_ref().map_or(0, |text| text.chars().count()),
        _ => 1,
    });
    let said: Vec<&str> = case.aim.instructions().iter().map(|step| step.text.as_str()).collect();
    assert_eq!(said.len(), touches.sum::<usize>(), "{id}: {said:?}");
    let typed = script.actions.iter().filter(|action| action.skill == "input_text");
    let mut entered = said.iter().filter(|step| step.starts_with("Enter "));
    for text in typed.filter_map(|action| action.text.as_ref()) {
        let step = entered.next().unwrap_or_else(|| panic!("{id}: {text} is not entered: {said:?}"));
        assert!(step.contains(&format!("\"{text}\"")), "{id}: {step}");
    }
    let expected: Vec<String> = case.expect.iter().map(|outcome| outcome.expectation.to_string()).collect();
    assert_eq!(expected, script.expectations.iter().map(ToString::to_string).collect::<Vec<_>>(), "{id}");
}

#[tokio::test]
async fn exported_flows_are_taken_in_again_and_what_has_no_counterpart_is_refused_with_its_line() {
    let bench = recorded().await;
    for case in ["PAY-0001", "PAY-0002", "PAY-0003", "PAY-0004", "PAY-0005", "PAY-0008", "PAY-0009", "PAY-0010"] {
        let flow = bench.tapwright(&["scripts", "export", case, "--format", "maestro"]).await;
        flow.succeeded();
        std::fs::write(bench.path(&format!("{case}-again.yaml")), &flow.stdout).unwrap();
        let said = bench.tapwright(&["cases", "import", &format!("{case}-again.yaml")]).await;
        said.failed(0, &["made", &format!("{case}-again.case.yaml")]);
        says_the_same(&bench, case);
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

/// A disk that takes no more than a block of a file.
#[tokio::test]
async fn a_full_disk_leaves_the_script_as_it_was() {
    let bench = recorded().await;
    let own = || bench.files("scripts/PAY-0010").into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap()));
    let before: Vec<_> = own().collect();
    let full = bench.path("full.sh");
    std::fs::write(&full, "trap '' XFSZ\nulimit -f 1\nexec \"$TAPWRIGHT\" scripts optional PAY-0010 2\n").unwrap();
    let program = [("TAPWRIGHT", env!("CARGO_BIN_EXE_tapwright"))];
    bench.shell_script(&full, "none", &program).await.failed(2, &["virtual-phone.toml", "File too large"]);
    assert_eq!(own().collect::<Vec<_>>(), before, "and nothing half-written lies beside it");
    bench.tapwright(&["scripts", "optional", "PAY-0010", "2"]).await.succeeded();
    assert_ne!(own().collect::<Vec<_>>(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_a_script_needs_is_asked_for_and_other_values_leave_no_script() {
    let mut bench = recorded().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::remove_file(bench.path("cases/PAY-0002.case.yaml")).unwrap();
    let refused = bench.tapwright(&["replay", "PAY-0002", "--device", &serial]).await;
    refused.failed(2, &["the script needs the secret \"payment_password\"", "--param payment_password=…"]);
    bench.tapwright(&["replay", "PAY-0002", "--device", &serial, "--param", "pin=1"]).await.failed(2, &["pin"]);
    assert!(bench.files("runs").is_empty(), "nothing was begun");

    bench.add_case("SHOP-1", "params: {shop: Corner Coffee}\nsteps: [Open Bills]\nexpect: [{visible: \"${shop}\"}]\n");
    let run = ["run", "SHOP-1", "--device", &serial, "--json"];
    let result = bench.tapwright(&[&run[..], &["--param", "shop=Bills"]].concat()).await.result();
    assert_eq!((&result["verdict"], &result["script"]), (&"passed".into(), &serde_json::Value::Null), "{result:#}");
    assert!(bench.files("scripts/SHOP-1").is_empty(), "a path with other values is no script of the case");
    let result = bench.tapwright(&run).await.result();
    assert!(result["script"].is_string(), "{result:#}");
}

const SHELF: &str = "package: com.example.shelf\nlabel: Shelf\nstate: {tab: Bread, dead: 0}\nscreens:\n  - id: home\n    title: Shelf\n    \
                     tabs: {bind: tab, items: [Bread, Cakes], on_change: [{if: {when: dead > 0, then: [{set: {tab: '\"Bread\"', \
                     dead: dead - 1}}]}}]}\n    body:\n      - text: {text: Rye bread, visible: 'tab == \"Bread\"'}\n      - button: \
                     {id: order, text: Order a cake, visible: 'tab == \"Cakes\"', on_tap: [{goto: done}]}\n  - id: done\n    title: \
                     Ordered\n    body:\n      - text: {text: Your cake is on its way}\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_touch_of_a_tab_that_was_lost_is_done_again_once() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/shelf.app.yaml"), SHELF).unwrap();
    let case = "id: CAKE-1\ntitle: Order a cake\napp: {package: com.example.shelf, apk: ../apps/shelf.app.yaml}\nsteps:\n  - Open \
                \"Cakes\"\n  - Tap \"Order a cake\"\nexpect:\n  - visible: Your cake is on its way\n";
    std::fs::write(bench.path("cases/CAKE-1.case.yaml"), case).unwrap();
    bench.tapwright(&["run", "CAKE-1", "--device", &serial]).await.succeeded();
    bench.change("apps/shelf.app.yaml", "dead: 0", "dead: 1");
    let (said, result) = bench.replay("CAKE-1", &serial).await;
    assert_eq!(result["verdict"], "passed", "{said:?}");
    let events = bench.path("runs/latest/events.jsonl");
    let told = std::fs::read_to_string(&events).unwrap().matches("done again, for nothing had come of it").count();
    assert!(told >= 1, "the second touch says so");
    // Once, and no more: two lost touches are the app's affair.
    bench.change("apps/shelf.app.yaml", "dead: 1", "dead: 2");
    let (_, result) = bench.replay("CAKE-1", &serial).await;
    assert_eq!(result["verdict"], "blocked", "{result:#}");
}
