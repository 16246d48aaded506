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
    assert_eq!(
        done(&result),
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
