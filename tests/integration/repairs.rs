//! Scripts of an app's first version on its next one: renamed ids, other places, other words, a page nobody knew. A repair leads
//! where the script led, is told and proposed, and hides no bug.

use crate::bench::{Bench, repository};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use tapwright::domain::{ActionSource, RunResult, Verdict};
use tapwright::run::RepairMode;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

/// One kind of change of an app.
#[derive(Deserialize)]
struct Change {
    name: String,
    replace: Vec<(String, String)>,
    #[serde(default)]
    words: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Changes {
    change: Vec<Change>,
}

fn changes() -> BTreeMap<String, Change> {
    let text = std::fs::read_to_string(repository("tests/fixtures/changed_apps/pay.toml")).unwrap();
    let changes: Changes = toml::from_str(&text).unwrap();
    changes.change.into_iter().map(|change| (change.name.clone(), change)).collect()
}

/// A workspace with the recorded scripts, and a device.
async fn recorded() -> (Bench, String) {
    let mut bench = Bench::new().await;
    for case in std::fs::read_dir(repository("scripts")).unwrap() {
        let case = case.unwrap().path();
        let own = bench.path("scripts").join(case.file_name().unwrap());
        std::fs::create_dir_all(&own).unwrap();
        for file in std::fs::read_dir(&case).unwrap() {
            let file = file.unwrap().path();
            std::fs::copy(&file, own.join(file.file_name().unwrap())).unwrap();
        }
    }
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    (bench, serial)
}

fn change_app(bench: &Bench, change: &Change) {
    let path = bench.path("apps/pay.app.yaml");
    let mut text = std::fs::read_to_string(&path).unwrap();
    for (old, new) in &change.replace {
        assert!(text.contains(old.as_str()), "{}: {old:?} is not in the app", change.name);
        text = text.replace(old.as_str(), new);
    }
    std::fs::write(path, text).unwrap();
}

fn script_of(bench: &Bench, case: &str) -> Script {
    Script::read(&bench.path("scripts").join(case).join("virtual-phone.toml")).unwrap()
}

/// What the last screen of a run shows, in the words of the first version.
fn shown_at_the_end(bench: &Bench, result: &RunResult, words: &[(String, String)]) -> BTreeSet<String> {
    let folder = bench.run_folder(result);
    let history = tapwright::run::History::read(&folder).unwrap();
    let dump = std::fs::read_to_string(folder.join(&history.screens.last().unwrap().hierarchy)).unwrap();
    let texts = dump.split(" text=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let known = |text: &str| {
        let renamed = words.iter().find(|(new, _)| new == text);
        renamed.map_or(text, |(_, old)| old.as_str()).to_owned()
    };
    texts.filter(|text| !text.is_empty()).map(known).collect()
}

/// How a changed app came out.
#[derive(Debug, Default)]
struct Tally {
    as_it_was: Vec<String>,
    right: Vec<String>,
    wrong: Vec<String>,
    given_up: Vec<String>,
}

/// Replays the recorded script of a case on the changed app and sorts what came of it.
async fn try_repair(bench: &Bench, serial: &str, case: &str, change: &Change, before: &BTreeSet<String>) -> Tally {
    try_repair_of(bench, serial, &script_of(bench, case), change, before).await
}

async fn try_repair_of(
    bench: &Bench,
    serial: &str,
    script: &Script,
    change: &Change,
    before: &BTreeSet<String>,
) -> Tally {
    let mut tally = Tally::default();
    let case = &script.case_id;
    let result = bench.replay_in_process(script, serial, RepairMode::Propose).await;
    let told = format!("{} {case}: {} {}", change.name, result.verdict, result.reason);
    if result.verdict != Verdict::Passed {
        tally.given_up.push(told);
        return tally;
    }
    let shown = shown_at_the_end(bench, &result, &change.words);
    if shown != *before {
        tally.wrong.push(format!("{told}\n    {:?}", shown.symmetric_difference(before).collect::<Vec<_>>()));
        return tally;
    }
    if !result.repaired {
        tally.as_it_was.push(told);
        return tally;
    }
    // A right proposal does it alone.
    let proposal = Script::read(&bench.path(result.script.as_deref().unwrap())).unwrap();
    let alone = bench.replay_in_process(&proposal, serial, RepairMode::Off).await;
    let is_right = alone.verdict == Verdict::Passed && alone.counts.model_calls == 0;
    let list = if is_right { &mut tally.right } else { &mut tally.wrong };
    list.push(if is_right { told } else { format!("{told}; alone: {} {}", alone.verdict, alone.reason) });
    tally
}

async fn measure(cases: &[&str], kinds: &[&str]) -> Tally {
    let all = changes();
    let mut tally = Tally::default();
    let (bench, serial) = recorded().await;
    let original = std::fs::read_to_string(bench.path("apps/pay.app.yaml")).unwrap();
    for case in cases {
        std::fs::write(bench.path("apps/pay.app.yaml"), &original).unwrap();
        let first = bench.replay_in_process(&script_of(&bench, case), &serial, RepairMode::Propose).await;
        assert_eq!(first.verdict, Verdict::Passed, "{case}: {}", first.reason);
        assert!(!first.repaired && first.counts.model_calls == 0, "{case}: nothing changed: {}", first.reason);
        let before = shown_at_the_end(&bench, &first, &[]);
        for kind in kinds {
            let change = &all[*kind];
            std::fs::write(bench.path("apps/pay.app.yaml"), &original).unwrap();
            change_app(&bench, change);
            let one = try_repair(&bench, &serial, case, change, &before).await;
            tally.as_it_was.extend(one.as_it_was);
            tally.right.extend(one.right);
            tally.wrong.extend(one.wrong);
            tally.given_up.extend(one.given_up);
        }
    }
    tally
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renamed_or_reworded_widget_is_found_by_what_the_step_means_and_proposed() {
    let tally = measure(&["PAY-0005"], &["ids", "reworded"]).await;
    assert!(tally.wrong.is_empty() && tally.given_up.is_empty(), "{tally:#?}");
    assert!(!tally.right.is_empty(), "{tally:#?}");
}

const NOTES: &str = r#"package: org.example.notes
label: Notes
screens:
  - id: home
    title: Welcome
    body:
      - button: {text: Overview, on_tap: [{goto: archive}]}
      - button: {text: Write, on_tap: [{goto: sheet}]}
  - id: sheet
    title: Blank sheet
    body:
      - button: {text: Keep it, on_tap: [{goto: archive}]}
  - id: archive
    title: All of them
    body:
      - text: {text: There they are}
      - button: {text: Umbrella, on_tap: [{goto: umbrella}]}
  - id: umbrella
    title: Umbrella
    body:
      - text: {text: It was left on the train}
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_touch_leads_elsewhere_now_another_way_is_taken_over_the_apps_map() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/notes.app.yaml"), NOTES).unwrap();
    for (id, steps, seen) in [
        ("NO-1", "Tap \"Write\", Tap \"Keep it\", Tap \"Umbrella\"", "It was left on the train"),
        ("NO-2", "Tap \"Overview\"", "There they are"),
    ] {
        let steps: String = steps.split(", ").map(|step| format!("  - {step}\n")).collect();
        let case = format!(
            "id: {id}\ntitle: Read\napp: {{package: org.example.notes, apk: ../apps/notes.app.yaml}}\nsteps:\n{steps}expect:\n  - \
             visible: {seen}\n"
        );
        std::fs::write(bench.path("cases").join(format!("{id}.case.yaml")), case).unwrap();
        let result = bench.run(id, &serial).await;
        assert_eq!(result.verdict, Verdict::Passed, "{id}: {}", result.reason);
    }
    let script = script_of(&bench, "NO-1");
    bench.change("apps/notes.app.yaml", "text: Keep it, on_tap: [{goto: archive}]", "text: Keep it, on_tap: [back]");
    let result = bench.replay_in_process(&script, &serial, RepairMode::Propose).await;
    assert_eq!(result.verdict, Verdict::Passed, "{}", result.reason);
    assert!(result.reason.contains("another way over the app's map: click \"Overview\""), "{}", result.reason);
    let proposed = Script::read(&bench.path(&result.script.unwrap())).unwrap();
    assert_eq!(proposed.actions.len(), script.actions.len() + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_a_repair_has_the_lines_that_differ_and_pictures_that_go_with_it() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.tapwright(&["run", "PAY-0008", "--device", &serial]).await.succeeded();
    bench.change_app("id: bills, title: Bills", "id: statements, title: Your bills");
    let replay = ["replay", "PAY-0008", "--device", &serial, "--repair", "propose"];
    bench.tapwright(&replay).await.succeeded();
    let proposed = bench.path("scripts/PAY-0008/proposed");
    let page = proposed.join("virtual-phone.changes.md");
    let text = std::fs::read_to_string(&page).unwrap();
    for part in
        ["![before](virtual-phone.1-before.png)", "![after](virtual-phone.1-after.png)", "## What differs", "\n+ "]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let picture = |when: &str| image::open(proposed.join(format!("virtual-phone.1-{when}.png"))).unwrap().into_rgba8();
    let (before, after) = (picture("before"), picture("after"));
    assert_eq!((before.dimensions(), after.dimensions()), ((360, 800), (360, 800)));
    assert!(before != after, "it led to another page");
    // Once somebody has decided, the log keeps the words.
    bench.tapwright(&["scripts", "accept", "PAY-0008"]).await.succeeded();
    let pictures = bench.files("scripts").into_iter().filter(|file| file.extension().is_some_and(|end| end == "png"));
    assert_eq!(pictures.count(), 0);
    let log = std::fs::read_to_string(bench.path("scripts/PAY-0008/virtual-phone.log.md")).unwrap();
    assert!(log.contains("## What differs") && !log.contains("!["), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_nobody_knew_is_passed_by_the_agent_and_the_script_goes_on() {
    let tally = measure(&["PAY-0002"], &["inserted"]).await;
    assert!(tally.wrong.is_empty() && tally.given_up.is_empty(), "{tally:#?}");
    assert_eq!(tally.right.len(), 1, "{tally:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_planted_bug_stays_failed_on_a_changed_app() {
    let all = changes();
    let (bench, serial) = recorded().await;
    // The receipt names somebody else.
    bench.change_app("text: \"to {{ payee }}\"", "text: \"to Farid Haddad\"");
    change_app(&bench, &all["reworded"]);
    let script = script_of(&bench, "PAY-0002");
    let result = bench.replay_in_process(&script, &serial, RepairMode::Apply).await;
    let sources: Vec<ActionSource> =
        result.steps.iter().flat_map(|step| step.actions.iter().map(|action| action.source)).collect();
    assert!(sources.contains(&ActionSource::Repair), "it was repaired on the way: {}", result.reason);
    assert_eq!(result.verdict, Verdict::Failed, "{}", result.reason);
    assert!(result.reason.contains("to Elena Rossi") && result.reason.contains("on the way"), "{}", result.reason);
    assert!(bench.files("scripts/PAY-0002/proposed").is_empty(), "nothing is proposed that does not pass");
    let untouched = script_of(&bench, "PAY-0010");
    bench.change_app("crash_on_help: false", "crash_on_help: true");
    let crashed = bench.replay_in_process(&untouched, &serial, RepairMode::Apply).await;
    assert_eq!(crashed.verdict, Verdict::Failed, "{}", crashed.reason);
    assert!(crashed.reason.contains("HelpRepository has no articles"), "{}", crashed.reason);
    assert_eq!(script_of(&bench, "PAY-0010"), untouched, "a failed replay changes no script");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures repairs over all recorded scripts: minutes"]
async fn how_many_scripts_are_repaired_on_changed_apps() {
    let cases = ["PAY-0001", "PAY-0002", "PAY-0003", "PAY-0004", "PAY-0005", "PAY-0008", "PAY-0009", "PAY-0010"];
    let cases: Vec<&str> = match std::env::var("CASES") {
        Ok(given) => cases.into_iter().filter(|case| given.contains(case)).collect(),
        Err(_) => cases.to_vec(),
    };
    let tally = measure(&cases, &["ids", "moved", "reworded", "inserted"]).await;
    let Tally { as_it_was, right, wrong, given_up } = &tally;
    for (name, list) in [("as it was", as_it_was), ("repaired", right), ("wrong", wrong), ("given up", given_up)] {
        println!("{name}: {}", list.len());
        list.iter().for_each(|line| println!("  {line}"));
    }
    let changed = right.len() + wrong.len() + given_up.len();
    println!("{} of {changed} repaired right, {} wrong repairs passed", right.len(), wrong.len());
    assert!(wrong.is_empty());
}

/// Records a suite's scripts on its app as it is and replays them on the next version, whose ids and words the suite itself
/// declares; with a planted bug each must fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures repairs over a suite that nothing was tuned on: many minutes"]
async fn how_many_scripts_of_a_suite_are_repaired_on_its_next_version() {
    const APP: &str = "com.example.kingfisher";
    let words: Vec<(String, String)> = [
        ("Add a bank card", "Bind a bank card"),
        ("Send money", "Transfer"),
        ("Confirm and pay", "Pay now"),
        ("Cash out", "Withdraw"),
        ("Tell us about you", "Personal information"),
        ("Bills and utilities", "Utility bills"),
    ]
    .map(|(new, old)| (new.to_owned(), old.to_owned()))
    .to_vec();
    let change = Change { name: "8.0.0".into(), replace: Vec::new(), words };
    let mut bench = Bench::new().await;
    bench.add_suite("xuat");
    let switched = |switches: &[&str]| VirtualDeviceConfig {
        switches: switches.iter().map(|switch| format!("{APP}:{switch}")).collect(),
        ..VirtualDeviceConfig::default()
    };
    let first = bench.device(switched(&["variant.home=grid", "variant.popups=none"])).await;
    let next = bench.device(switched(&["version=8.0.0", "variant.home=list", "variant.popups=notice"])).await;
    let given = std::env::var("CASES").unwrap_or_else(|_| "XU-0003 XU-0005 XU-0006 XU-0007 XU-0013 XU-0014".into());
    let mut tally = Tally::default();
    for case in given.split_whitespace() {
        let recorded = bench.run(case, &first).await;
        let Some(path) = recorded.script.as_deref() else {
            println!("{case}: no script on the first version: {}", recorded.reason);
            continue;
        };
        let script = Script::read(&bench.path(path)).unwrap();
        let replayed = bench.replay_in_process(&script, &first, RepairMode::Propose).await;
        if replayed.verdict != Verdict::Passed || replayed.repaired {
            println!("{case}: {} on the first version: {}", replayed.verdict, replayed.reason);
            continue;
        }
        let before = shown_at_the_end(&bench, &replayed, &[]);
        let one = try_repair_of(&bench, &next, &script, &change, &before).await;
        println!("{case}: {one:#?}");
        tally.as_it_was.extend(one.as_it_was);
        tally.right.extend(one.right);
        tally.wrong.extend(one.wrong);
        tally.given_up.extend(one.given_up);
    }
    let (right, wrong) = (tally.right.len(), tally.wrong.len());
    let changed = right + wrong + tally.given_up.len();
    println!("{right} of {changed} repaired right, {wrong} differ, {} needed nothing", tally.as_it_was.len());
}
