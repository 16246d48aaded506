//! Goals, maps and exploration end to end: a small app on a virtual device, through the real adb server, with the real
//! model.

use crate::bench::{Bench, Said, repository};
use serde_json::Value;
use tapwright::domain::{RunResult, Verdict};
use tapwright::virtual_device::VirtualDeviceConfig;

const MAP: &str = "maps/com.example.notebook@1.2.map.json";

/// A bench with the notebook in it, and a device.
async fn bench() -> (Bench, String) {
    let mut bench = Bench::new().await;
    std::fs::copy(repository("tests/fixtures/apps/notebook.app.yaml"), bench.path("apps/notebook.app.yaml")).unwrap();
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    (bench, serial)
}

fn case(bench: &Bench, id: &str, rest: &str) {
    let app = "app: {package: com.example.notebook, apk: ../apps/notebook.app.yaml}";
    let text = format!("id: {id}\ntitle: A test\n{app}\n{rest}");
    std::fs::write(bench.path("cases").join(format!("{id}.case.yaml")), text).unwrap();
}

fn done(result: &RunResult) -> Vec<String> {
    let actions = result.steps.iter().flat_map(|step| &step.actions);
    actions.map(|action| format!("{} {}", action.skill, action.target.as_deref().unwrap_or_default())).collect()
}

async fn explore(bench: &Bench, serial: &str, more: &[&str]) -> (Said, Value) {
    let named = ["cases", "explore", "GOAL-1", "--device", serial, "--json"];
    let said = bench.tapwright(&[&named[..], more].concat()).await;
    said.succeeded();
    let found = said.json();
    (said, found)
}

fn titles(found: &Value) -> Vec<&str> {
    let mut titles: Vec<&str> =
        found["places"].as_array().unwrap().iter().map(|place| place["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles.dedup();
    titles
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exploration_finds_every_safe_place_and_is_the_same_for_a_seed() {
    let (bench, serial) = bench().await;
    case(&bench, "GOAL-1", "goal: Switch to the dark theme\nexpect: [visible: Everything is dark now.]\n");
    let (_, found) = explore(&bench, &serial, &["--seed", "3"]).await;
    let all = titles(&found);
    for place in
        ["Notes", "Settings", "Appearance", "Customize colors", "Letters", "Code lock", "Statistics", "New note"]
    {
        assert!(all.contains(&place), "{place} was not found: {found:#}");
    }
    let avoided: Vec<&str> = found["places"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|place| place["avoided"].as_array().unwrap())
        .map(|label| label.as_str().unwrap())
        .collect();
    assert!(avoided.contains(&"Sign out") && avoided.contains(&"Delete all notes"), "{found:#}");
    assert_eq!(found["ended"], "everything that was found was tried");
    let map = std::fs::read_to_string(bench.path(MAP)).unwrap();
    assert!(map.contains("Customize colors"));
    let (_, again) = explore(&bench, &serial, &["--seed", "3"]).await;
    assert_eq!(found["places"], again["places"]);
    assert_eq!(found["actions"], again["actions"]);
    let (_, short) = explore(&bench, &serial, &["--seed", "3", "--actions", "4"]).await;
    assert_eq!(short["actions"], 4);
    assert_eq!(short["ended"], "4 actions were made");
    assert_eq!(std::fs::read_to_string(bench.path(MAP)).unwrap(), map, "nothing new was found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_two_screens_deep_is_reached_by_the_map_and_its_script_replays() {
    let (bench, serial) = bench().await;
    case(&bench, "GOAL-1", "goal: Switch to the dark theme\nexpect: [visible: Everything is dark now.]\n");
    explore(&bench, &serial, &[]).await;
    let result = bench.run("GOAL-1", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{} {:?}", result.reason, done(&result));
    let acted: Vec<String> = done(&result).into_iter().filter(|action| action != "wait ").collect();
    assert_eq!(
        acted,
        [
            "click More options",
            "click Settings",
            "click Appearance, How things look",
            "click Customize colors",
            "click Dark theme"
        ],
        "the shortest way"
    );
    let (said, replayed) = bench.replay(result.script.as_deref().unwrap(), &serial).await;
    said.succeeded();
    assert_eq!(replayed["verdict"], "passed");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_adds_to_the_map_and_no_value_of_it_is_kept() {
    let (bench, serial) = bench().await;
    let steps = "params: {title: Repaint the fence, pin: {value: \"4711\", secret: true}}\nsteps:\n  - Create a new note\n  \
                 - Enter the title ${title}\n  - Tap \"Save\"\nexpect: [visible: \"${title}\"]\n";
    case(&bench, "GOAL-2", steps);
    let result = bench.run("GOAL-2", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{} {:?}", result.reason, done(&result));
    let map = std::fs::read_to_string(bench.path(MAP)).unwrap();
    assert!(map.contains("New note") && !map.contains("fence") && !map.contains("4711"), "{map}");
    std::fs::write(bench.path(MAP), "{").unwrap();
    let said = bench.tapwright(&["run", "GOAL-2", "--device", &serial]).await;
    said.succeeded();
    assert!(said.stderr.contains("app map") && said.stderr.contains("begun"), "{}", said.stderr);
    assert!(std::fs::read_to_string(bench.path(MAP)).unwrap().contains("New note"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_followed_where_it_fits_and_shown_in_the_explanation() {
    let (bench, serial) = bench().await;
    let goal = "hints:\n  - To make everything gloomy, open Appearance\n  - To send money, open Letters\n\
                goal: Make everything gloomy\nexpect: [visible: Letters, visible: Customize colors]\n";
    case(&bench, "GOAL-3", goal);
    let said = bench.tapwright(&["run", "GOAL-3", "--device", &serial, "--explain"]).await;
    said.succeeded();
    for part in ["seen", "\"Settings\"", "chosen", "why", "expected", "happened", "Appearance"] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    let report = bench.files("runs").into_iter().find(|file| file.ends_with("report.html")).unwrap();
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report.contains("Expected") && report.contains("Happened"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_goes_to_the_keypad_and_neither_map_nor_recording_holds_it() {
    let (bench, serial) = bench().await;
    let goal = "params: {code: {value: \"9382\", secret: true}}\ngoal: Set the code lock to ${code}\n\
                expect: [visible: locked with your code]\n";
    case(&bench, "GOAL-4", goal);
    let result = bench.run("GOAL-4", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{} {:?}", result.reason, done(&result));
    for file in bench.files("maps").into_iter().chain(bench.files("runs")).chain(bench.files("scripts")) {
        let bytes = std::fs::read(&file).unwrap();
        // Within a longer number it is a time of the run, beside letters or between hyphens a part of a digest or of the run's id.
        let part = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
        let hyphen = |at: usize| bytes.get(at) == Some(&b'-');
        let of_id = |at: usize| at > 0 && hyphen(at - 1) && hyphen(at + 4);
        let alone = |at: usize| !of_id(at) && !part(at + 4) && (at == 0 || !part(at - 1));
        let held = bytes.windows(4).enumerate().any(|(at, part)| part == b"9382" && alone(at));
        assert!(!held || file.extension().is_some_and(|end| end == "png"), "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_value_is_drawn_from_the_seed_and_a_missing_one_blocks() {
    let (bench, serial) = bench().await;
    case(
        &bench,
        "GOAL-5",
        "goal: Add a new note with any title and any text and save it\nexpect: [absent: Save, visible: Shopping]\n",
    );
    let typed = |result: &RunResult| -> Vec<String> {
        let actions = result.steps.iter().flat_map(|step| &step.actions).filter(|action| action.skill == "input_text");
        actions.map(|action| action.args["text"].to_string()).collect()
    };
    let first = bench.run("GOAL-5", &serial).await;
    assert_eq!(first.verdict, Verdict::Passed, "{} {:?}", first.reason, done(&first));
    assert_eq!(typed(&first).len(), 2, "{:?}", done(&first));
    let again = bench.run("GOAL-5", &serial).await;
    assert_eq!(typed(&first), typed(&again));
    case(&bench, "GOAL-6", "goal: Add a new note\nexpect: [visible: Groceries for Sunday]\nbudget: {actions: 25}\n");
    let blocked = bench.run("GOAL-6", &serial).await;
    assert_eq!(blocked.verdict, Verdict::Blocked, "{} {:?}", blocked.reason, done(&blocked));
    assert!(typed(&blocked).is_empty(), "nothing is invented: {:?}", done(&blocked));
    assert!(blocked.reason.contains("Groceries for Sunday"), "{}", blocked.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_that_cannot_be_reached_blocks_and_says_what_it_waited_for() {
    let (bench, serial) = bench().await;
    case(&bench, "GOAL-7", "goal: Book a flight to the moon and do not book it\nexpect: [visible: Boarding pass]\n");
    let result = bench.run("GOAL-7", &serial).await;
    assert_eq!(result.verdict, Verdict::Blocked, "{} {:?}", result.reason, done(&result));
    assert!(result.reason.contains("still waiting for visible: Boarding pass"), "{}", result.reason);
    assert!(
        !done(&result).iter().any(|deed| deed.contains("Delete") || deed.contains("Sign out")),
        "{:?}",
        done(&result)
    );
    case(&bench, "GOAL-8", "goal: Book a flight to the moon\nexpect: [visible: Boarding pass]\nbudget: {actions: 3}\n");
    let result = bench.run("GOAL-8", &serial).await;
    assert_eq!(result.verdict, Verdict::Blocked);
    for part in ["budget of actions is used up", "now on \"", "still waiting for visible: Boarding pass"] {
        assert!(result.reason.contains(part), "{part}: {}", result.reason);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_loads_is_waited_for() {
    let (bench, serial) = bench().await;
    case(&bench, "GOAL-9", "goal: Show the statistics\nexpect: [visible: notes were written]\n");
    let result = bench.run("GOAL-9", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{} {:?}", result.reason, done(&result));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_on_the_way_to_a_goal_is_failed_and_a_lost_device_is_an_error() {
    let (bench, serial) = bench().await;
    bench.change("apps/notebook.app.yaml", "when: 'bug(\"crash_on_save\")'", "when: 'true'");
    let goal =
        "params: {title: Milk}\ngoal: Write a new note with the title ${title} and save it\nexpect: [visible: Milk]\n";
    case(&bench, "GOAL-11", goal);
    let result = bench.run("GOAL-11", &serial).await;
    assert_eq!(result.verdict, Verdict::Failed, "{} {:?}", result.reason, done(&result));
    assert!(result.reason.contains("disk full"), "{}", result.reason);

    let (events, mut incoming) = tokio::sync::mpsc::unbounded_channel();
    let run = bench.run_with("GOAL-11", &serial, events, tokio_util::sync::CancellationToken::new());
    let lose = async {
        while let Some(event) = incoming.recv().await {
            if matches!(event.kind, tapwright::domain::EventKind::Decided { .. }) {
                bench.stop_devices();
                break;
            }
        }
    };
    let (result, ()) = tokio::join!(run, lose);
    assert_eq!(result.verdict, Verdict::Error, "{} {:?}", result.reason, done(&result));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_on_which_the_app_hangs_has_failed() {
    let (bench, serial) = bench().await;
    bench.change("apps/notebook.app.yaml", "when: 'bug(\"crash_on_save\")'", "when: 'true'");
    bench.change("apps/notebook.app.yaml", "{crash: disk full}", "anr");
    let goal =
        "params: {title: Milk}\ngoal: Write a new note with the title ${title} and save it\nexpect: [visible: Milk]\n";
    case(&bench, "GOAL-12", goal);
    let result = bench.run("GOAL-12", &serial).await;
    assert_eq!(result.verdict, Verdict::Failed, "{} {:?}", result.reason, done(&result));
    assert!(result.reason.contains("did not respond"), "{}", result.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_that_fit_equally_are_told_with_the_reason() {
    let (bench, serial) = bench().await;
    let case_file = "params: {note_title: Milk, title_note: Bread}\nsteps:\n  - Create a new note\n  - Fill in the form and \
                     save it\nexpect: [absent: A note needs a title]\n";
    case(&bench, "GOAL-20", case_file);
    let (events, mut incoming) = tokio::sync::mpsc::unbounded_channel();
    let result = bench.run_with("GOAL-20", &serial, events, tokio_util::sync::CancellationToken::new()).await;
    let mut reasons = Vec::new();
    while let Ok(event) = incoming.try_recv() {
        if let tapwright::domain::EventKind::Decided { why, .. } = event.kind {
            reasons.push(why);
        }
    }
    let told =
        |why: &String| why.contains("${title_note} was in question") && why.contains("${note_title} fits here only 0.");
    assert!(reasons.iter().any(told), "{reasons:?} {:?} {}", done(&result), result.reason);
    let report = std::fs::read_to_string(bench.run_folder(&result).join("report.html")).unwrap();
    assert!(report.contains("was in question with others"), "the report tells it, too");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_value_stands_in_the_recording_and_follows_from_the_seed() {
    let (bench, serial) = bench().await;
    case(&bench, "GOAL-21", "goal: Add a new note with any title and any text and save it\nexpect: [absent: Save]\n");
    let drawn = async |seed: &str| -> Vec<String> {
        let said = bench.tapwright(&["run", "GOAL-21", "--device", &serial, "--seed", seed, "--json"]).await;
        let result: Value = said.result();
        let steps = result["steps"].as_array().unwrap().iter();
        let actions = steps.flat_map(|step| step["actions"].as_array().unwrap());
        let typed = actions.filter(|action| action["skill"] == "input_text");
        typed
            .map(|action| action["args"]["text"]["text"].as_str().unwrap_or_else(|| panic!("{action}")).to_owned())
            .collect()
    };
    let first = drawn("7").await;
    assert_eq!(first.len(), 2, "{first:?}");
    assert_eq!(drawn("7").await, first, "the same seed");
    assert_ne!(drawn("8").await, first, "another seed");
    let events = bench.files("runs").into_iter().filter(|file| file.ends_with("events.jsonl"));
    let written: Vec<String> = events.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(written.iter().any(|events| events.contains(&first[0])), "what was drawn is recorded");
    assert!(written.iter().all(|events| events.contains("drawn from the seed")), "and so is why");
}

#[tokio::test(flavor = "multi_thread")]
async fn contradictory_steps_are_told_by_lint_and_never_pass() {
    let (bench, serial) = bench().await;
    let steps = "steps:\n  - Open the menu and go to the settings\n  - Open \"Appearance\"\n  - Open \"Customize colors\"\n  - \
                 Turn on \"Dark theme\"\nexpect:\n  - checked: {widget: Dark theme, is: false}\n";
    case(&bench, "GOAL-22", steps);
    let lint = bench.tapwright(&["cases", "lint", "GOAL-22"]).await;
    let said = format!("{}{}", lint.stdout, lint.stderr);
    for part in ["warning", "contradicts the step of line 8", "expected to be off"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let result = bench.run("GOAL-22", &serial).await;
    assert_eq!(result.verdict, Verdict::Failed, "{} {:?}", result.reason, done(&result));
    assert!(result.reason.contains("Dark theme"), "{}", result.reason);
    case(&bench, "GOAL-23", "steps: [Create a new note]\nexpect: [visible: Save, absent: Save]\n");
    let lint = bench.tapwright(&["cases", "lint", "GOAL-23"]).await;
    assert_ne!(lint.code, Some(0), "{lint:?}");
    let run = bench.tapwright(&["run", "GOAL-23", "--device", &serial]).await;
    assert_eq!(run.code, Some(2), "what cannot hold is not run: {run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_budget_says_what_was_waited_for() {
    let (bench, serial) = bench().await;
    case(
        &bench,
        "GOAL-24",
        "steps: [Create a new note, Approve the budget of the embassy]\nexpect: [visible: Approved]\nbudget: {actions: 1}\n",
    );
    let result = bench.run("GOAL-24", &serial).await;
    assert_eq!(result.verdict, Verdict::Blocked, "{} {:?}", result.reason, done(&result));
    for part in ["budget of actions is used up", "Create a new note"] {
        assert!(result.reason.contains(part), "{part}: {}", result.reason);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_toast_is_seen_by_the_expectation_that_waits_for_it_and_missed_where_it_says_something_else() {
    let (bench, serial) = bench().await;
    bench.change(
        "apps/notebook.app.yaml",
        "title: Letters, on_tap: [",
        "title: Letters, on_tap: [{toast: Letters are shown now}, ",
    );
    let steps = |said: &str| {
        let way = "Open the menu, Tap \"Settings\", Tap \"Appearance\", Tap \"Letters\"";
        format!("steps: [{way}]\nexpect:\n  - toast: {said}\n  - visible: Letters are of medium height\n")
    };
    case(&bench, "GOAL-30", &steps("shown now"));
    let said = bench.tapwright(&["run", "GOAL-30", "--device", &serial, "--json"]).await;
    let result: Value = said.result();
    assert_eq!(result["verdict"], "passed", "{result:#}");
    case(&bench, "GOAL-31", &steps("welcome back"));
    let said = bench.tapwright(&["run", "GOAL-31", "--device", &serial, "--json"]).await;
    let result: Value = said.result();
    assert_eq!(result["verdict"], "failed", "{result:#}");
    assert!(result["reason"].as_str().unwrap().contains("welcome back"), "{result:#}");
}
