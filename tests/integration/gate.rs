//! A gate end to end: the built program, two virtual devices, the real adb server.

use crate::bench::{Bench, PASSWORD};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

async fn two_devices() -> (Bench, String, String) {
    let mut bench = Bench::new().await;
    let first = bench.device(VirtualDeviceConfig::default()).await;
    let second = bench.device(VirtualDeviceConfig::default()).await;
    (bench, first, second)
}

fn case<'m>(manifest: &'m Value, id: &str) -> &'m Value {
    let cases = manifest["cases"].as_array().unwrap();
    cases.iter().find(|case| case["id"] == id).unwrap_or_else(|| panic!("{id} is not in {manifest:#}"))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).unwrap()
}

fn gate_folder(bench: &Bench, manifest: &Value) -> PathBuf {
    bench.path("runs/gates").join(manifest["gate_id"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gate_answers_with_verdicts_reports_and_a_bundle_and_changes_no_script() {
    let (bench, first, second) = two_devices().await;
    let devices = ["--device", &first, "--device", &second];
    let page = bench.path("step.md");
    let reports = ["--junit", "out/junit.xml", "--manifest", "out/m.json", "--retries", "1", "--json"];
    let hook = ["--on-failure", "cp \"$1/failure.json\" told.json"];
    let mut command = bench.command(&[&["gate", "PAY-0006", "PAY-0008"][..], &devices, &reports, &hook].concat());
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &page).env("GITHUB_WORKSPACE", bench.path(""));
    let said = crate::bench::Said::from(command.output().await.unwrap());
    said.failed(1, &["2 cases in", "1 passed, 1 failed", "failed   PAY-0006", "tried again", "report.html"]);
    assert!(said.stderr.contains("::error file=cases/PAY-0006.case.yaml,line=1,title=PAY-0006 failed::"), "{said:?}");

    let manifest = said.json();
    assert_eq!(manifest, read(&bench.path("out/m.json")));
    let failed = case(&manifest, "PAY-0006");
    assert_eq!((&failed["verdict"], failed["attempts"].as_array().unwrap().len()), (&"failed".into(), 2));
    assert_ne!(failed["attempts"][0]["device"], failed["attempts"][1]["device"], "it was tried again elsewhere");
    assert_eq!(case(&manifest, "PAY-0008")["attempts"][0]["by"], "agent");

    let junit = std::fs::read_to_string(bench.path("out/junit.xml")).unwrap();
    for part in ["tests=\"2\"", "failures=\"1\"", "<rerunFailure", "[[ATTACHMENT|runs/PAY-0006/", "screens/"] {
        assert!(junit.contains(part), "{part} is not in {junit}");
    }
    assert!(std::fs::read_to_string(page).unwrap().contains("| PAY-0006 "));
    let told = read(&bench.path("told.json"));
    assert_eq!((&told["verdict"], &told["expectations"][0]["held"]), (&"failed".into(), &false.into()), "{told:#}");
    assert_eq!(told["apps"], serde_json::json!([{"package": "com.example.pay", "version": "8.2.1"}]));
    let folder = gate_folder(&bench, &manifest);
    assert!(folder.join("bundles/PAY-0006/recording/events.jsonl").is_file());
    // What was done leads there again, without a model.
    let failing = folder.join("bundles/PAY-0006").join(told["script"].as_str().unwrap());
    let said = bench.tapwright(&["replay", failing.to_str().unwrap(), "--device", &first, "--json"]).await;
    let again = said.result();
    assert_eq!((said.code, &again["verdict"], &again["counts"]["model_calls"]), (Some(1), &"failed".into(), &0.into()));
    assert_eq!(again["steps"].as_array().unwrap().len(), 1, "{again:#}");
    assert!(folder.join("scripts/PAY-0008").is_dir(), "a proposal");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let reports =
        page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(|way| way.replace("&#x2f;", "/"));
    let reports: Vec<PathBuf> = reports.map(|way| folder.join(way)).collect();
    assert!(reports.len() >= 3 && reports.iter().all(|report| report.is_file()), "{reports:?}");
    bench.nothing_half_written();

    // What did not pass, and nothing else, against what was before.
    let again = ["gate", "--last-failed", "--baseline", "out/m.json", "--fail-on", "new", "--json"];
    let said = bench.tapwright(&[&again[..], &devices].concat()).await;
    said.failed(0, &["1 did not pass in the last gate", "1 still failing (PAY-0006)"]);
    assert_eq!(said.json()["comparison"]["still_failing"], serde_json::json!(["PAY-0006"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_and_replay_share_cases_out_and_a_gate_takes_their_scripts_as_far_as_they_go() {
    let (bench, first, second) = two_devices().await;
    let devices = ["--device", &first, "--device", &second];
    let both = ["PAY-0003", "PAY-0008"];
    let said = bench.tapwright(&[&["run"][..], &both, &devices, &["--json"]].concat()).await;
    said.failed(0, &["2 cases in", "2 passed"]);
    let results = said.json();
    assert_eq!(results.as_array().unwrap().len(), 2);
    assert_ne!(results[0]["device"]["serial"], results[1]["device"]["serial"], "both worked");
    assert_eq!(bench.files("scripts").len(), 4, "two scripts, each with its shell form");
    let secret = format!("payment_password={PASSWORD}");
    let script = bench.files("scripts").into_iter().find(|file| file.extension().is_some_and(|end| end == "toml"));
    let asks = std::fs::read_to_string(script.unwrap()).unwrap().contains("secrets = [");
    let secret = if asks { vec!["--param", secret.as_str()] } else { Vec::new() };
    bench.tapwright(&[&["replay"][..], &both, &["--device", "all"], &secret].concat()).await.failed(0, &["2 passed"]);

    let said = bench.tapwright(&["gate", "PAY-0008", "--device", &first, "--json"]).await;
    said.succeeded();
    let manifest = said.json();
    assert_eq!(case(&manifest, "PAY-0008")["attempts"][0]["by"], "script");
    assert_eq!(manifest["cases"][0]["attempts"].as_array().unwrap().len(), 1);

    let files = bench.files("scripts/PAY-0008");
    let script = files.iter().find(|file| file.extension().is_some_and(|end| end == "toml")).unwrap();
    // Changed by hand, its seal taken off.
    let changed = Script { seal: None, ..Script::read(script).unwrap() };
    let damaged = changed.to_toml().unwrap().replace("skill = \"click\"", "skill = \"clack\"");
    std::fs::write(script, &damaged).unwrap();
    let said = bench.tapwright(&["gate", "PAY-0008", "--device", &first, "--json"]).await;
    said.failed(0, &["the agent took over"]);
    let manifest = said.json();
    let by: Vec<_> = case(&manifest, "PAY-0008")["attempts"].as_array().unwrap().iter().map(|one| &one["by"]).collect();
    assert_eq!(by, ["script", "agent"]);
    assert_eq!(std::fs::read_to_string(script).unwrap(), damaged, "a gate changes no script");

    // One that cannot be used at all is told, too, in summary and manifest.
    let mut other = Script { seal: None, ..changed };
    other.app.package = "com.example.bank".into();
    std::fs::write(script, other.to_toml().unwrap()).unwrap();
    let said = bench.tapwright(&["gate", "PAY-0008", "--device", &first, "--json"]).await;
    said.failed(
        0,
        &["passed   PAY-0008  the agent did it, for the script cannot be used: PAY-0008: the script drives"],
    );
    let manifest = said.json();
    let attempts = case(&manifest, "PAY-0008")["attempts"].as_array().unwrap();
    assert_eq!((attempts.len(), &attempts[0]["by"]), (1, &"agent".into()));
    assert!(attempts[0]["unused_script"].as_str().unwrap().contains("com.example.bank"), "{manifest:#}");
    std::fs::write(script, &damaged).unwrap();

    // Nor does a run: what it did is a proposal until somebody accepts it.
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &first, "--json"]).await;
    said.succeeded();
    assert!(said.result()["script"].as_str().unwrap().starts_with("scripts/PAY-0008/proposed/"), "{said:?}");
    assert_eq!(std::fs::read_to_string(script).unwrap(), damaged);
    bench.tapwright(&["scripts", "accept", "PAY-0008"]).await.succeeded();
    bench.tapwright(&["replay", "PAY-0008", "--device", &first]).await.succeeded();
    bench.tapwright(&["scripts", "accept", "PAY-0008"]).await.failed(4, &["no proposal"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pass_that_proves_nothing_is_told_by_run_replay_and_gate() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.add_case("IDLE-1", "steps: [Open Bills]\nexpect: [{absent: Out of order}]\n");
    for command in ["run", "replay"] {
        let result = bench.tapwright(&[command, "IDLE-1", "--device", &serial, "--json"]).await.result();
        assert_eq!(result["verdict"], "passed", "{result:#}");
        assert!(result["reason"].as_str().unwrap().contains("which proves nothing"), "{command}: {result:#}");
    }
    let said = bench.tapwright(&["gate", "IDLE-1", "--device", &serial, "--json"]).await;
    said.failed(0, &["passed   IDLE-1  passed, but everything expected at the end was already true at the start"]);
    assert_eq!(case(&said.json(), "IDLE-1")["attempts"][0]["by"], "script");
}

const DIARY: &str = r#"package: org.example.diary
label: Diary
version: "VERSION"
version_code: CODE
state: {opened: 0}
persist: [opened]
screens:
  - id: cover
    title: Diary
    on_open: [{set: {opened: 'opened + 1'}}]
    body:
      - button: {text: Turn the page, on_tap: [{goto: page}]}
  - id: page
    title: Page one
    body:
      - text: {text: "Opened {{ opened }} times"}
"#;

/// The number by which the device knows an installed app; one that is installed anew has another.
async fn user_id(bench: &Bench, serial: &str) -> String {
    let said = bench.server().adb(&["-s", serial, "shell", "dumpsys package org.example.diary"]).await;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    text.lines().find_map(|line| line.trim().strip_prefix("userId=")).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_comes_over_what_is_there_onto_a_clean_device_or_as_an_upgrade() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    for (file, version, code) in [("old", "1.0", "1"), ("new", "2.0", "2")] {
        let text = DIARY.replace("VERSION", version).replace("CODE", code);
        std::fs::write(bench.path("apps").join(format!("{file}.app.yaml")), text).unwrap();
    }
    let written = "id: DI-1\ntitle: Read\napp: {package: org.example.diary, apk: ../apps/old.app.yaml}\nsteps:\n  - Tap \"Turn the \
                page\"\nexpect:\n  - visible: Opened 2 times\n";
    std::fs::write(bench.path("cases/DI-1.case.yaml"), written).unwrap();
    let mut known = None;
    for (way, code, verdict, version) in [
        (&["--apk", "apps/new.app.yaml"][..], 1, "failed", "2.0"),
        (&["--apk", "apps/new.app.yaml", "--install", "over"], 1, "failed", "2.0"),
        (&["--apk", "apps/new.app.yaml", "--install", "fresh"], 1, "failed", "2.0"),
        // The data of the build before is there: it was opened once, and now again.
        (&["--apk", "apps/new.app.yaml", "--install", "upgrade"], 0, "passed", "2.0"),
        (&["--install", "fresh"], 1, "failed", "1.0"),
    ] {
        let args = [&["gate", "DI-1", "--device", &serial, "--json"][..], way].concat();
        let said = bench.tapwright(&args).await;
        assert_eq!(said.code, Some(code), "{way:?}: {said:?}");
        let manifest = said.json();
        let attempt = &case(&manifest, "DI-1")["attempts"][0];
        let folder = bench.path(attempt["folder"].as_str().unwrap());
        let result: Value = serde_json::from_slice(&std::fs::read(folder.join("result.json")).unwrap()).unwrap();
        assert_eq!((&attempt["verdict"], &result["apps"][0]["version"]), (&verdict.into(), &version.into()), "{way:?}");
        let now = user_id(&bench, &serial).await;
        let anew = way.contains(&"fresh") || way.contains(&"upgrade");
        assert!(known.as_ref().is_none_or(|known| (*known != now) == anew), "{way:?}: {known:?} and {now}");
        known = Some(now);
    }
    // A script begins with the same: one of a run of the newer build, in which it was opened once.
    bench.change("cases/DI-1.case.yaml", "Opened 2 times", "Opened");
    bench.tapwright(&["run", "DI-1", "--device", &serial]).await.succeeded();
    bench.change("cases/DI-1.case.yaml", "Opened", "Opened 2 times");
    let upgrade = ["--apk", "apps/new.app.yaml", "--install", "upgrade"];
    let said = bench.tapwright(&[&["gate", "DI-1", "--device", &serial, "--json"][..], &upgrade].concat()).await;
    said.failed(0, &["upgraded from the build that each case names"]);
    assert_eq!(case(&said.json(), "DI-1")["attempts"][0]["by"], "script");
}

#[tokio::test]
async fn what_a_gate_cannot_do_is_told_before_anything_is_run() {
    let bench = Bench::new().await;
    for (args, code, parts) in [
        (&["PAY-0088"][..], 2, &["no case has the id PAY-0088", "PAY-0008"][..]),
        (&["--shard", "3/2"], 2, &["no shard 3 of 2"]),
        (&["--shard", "0/2"], 2, &["1/2 to 2/2"]),
        (&["--changed-since", "main"], 2, &["in no git repository", "inside a checkout"]),
        (&["PAY-0008", "--junit", "tapwright.toml/junit.xml"], 2, &["cannot write tapwright.toml/junit.xml"]),
        (&["PAY-0008", "--manifest", "cases"], 2, &["cannot write cases"]),
        (&["PAY-0008", "--policy", "repair"], 3, &["no device is connected"]),
        (&["--last-failed"], 2, &["no earlier gate", "without --last-failed"]),
        (&["--tag", "nonsense"], 4, &["no case is left", "--no-cases pass"]),
        (&["--tag", "nonsense", "--no-cases", "pass"], 0, &["no case is left"]),
        (&["PAY-0008", "--apk", "none.apk"], 2, &["no file none.apk"]),
        (&["PAY-0008", "--apk", "com.other=tapwright.toml"], 2, &["tests com.other", "com.example.pay"]),
        (&["PAY-0008", "--fail-on", "new"], 2, &["--baseline"]),
        (&["PAY-0008", "--baseline", "tapwright.toml"], 2, &["tapwright.toml is no manifest"]),
        (&["PAY-0008", "--param", "nonsense=1"], 2, &["no selected case has such a parameter"]),
        (&["PAY-0008", "--time-budget", "soon"], 2, &["soon"]),
        (&["PAY-0008", "--retries", "1", "--repeat-each", "2"], 2, &["cannot be used with"]),
        (&["PAY-0008"], 3, &["no device is connected"]),
        (&["PAY-0008", "--install", "upgrade"], 2, &["--install upgrade needs the build to upgrade to", "--apk FILE"]),
        (&["PAY-0008", "--install", "afresh"], 2, &["afresh", "over, fresh, upgrade"]),
    ] {
        bench.tapwright(&[&["gate"][..], args].concat()).await.failed(code, parts);
    }
    bench.change("cases/PAY-0007.case.yaml", "steps:", "steps: [");
    bench.tapwright(&["gate"]).await.failed(2, &["PAY-0007.case.yaml", "leaves none out"]);
    bench.nothing_half_written();
}
