//! Cases that several actors share, each on a device of their own: run, recorded, replayed and run by the daemon, through
//! the real adb server.

use crate::bench::{Bench, repository};
use crate::harness::PATIENCE;
use serde_json::Value;
use std::sync::Arc;
use tapwright::script::Script;
use tapwright::virtual_device::{AppFiles, VirtualDeviceConfig};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

const CASE: &str = "id: SOUP-1\ntitle: Order a soup and eat it\nactors:\n  guest: {app: {package: com.example.guest, apk: \
                    ../apps/kitchen_guest.app.yaml}}\n  cook: {app: {package: com.example.cook, apk: \
                    ../apps/kitchen_cook.app.yaml}}\nsteps:\n  - {actor: guest, step: Order a soup}\n  - {actor: cook, \
                    step: Serve the soup}\n  - {actor: guest, step: Eat the soup}\nexpect:\n  - {actor: guest, visible: \
                    Enjoy your meal}\n  - {actor: cook, visible: The soup is on the table}\n";

/// A bench with both apps and the case, and two devices whose apps share what they share.
async fn kitchen(case: &str) -> (Bench, String, String) {
    let mut bench = Bench::new().await;
    for app in ["kitchen_guest.app.yaml", "kitchen_cook.app.yaml"] {
        std::fs::copy(repository("tests/fixtures/apps").join(app), bench.path("apps").join(app)).unwrap();
    }
    std::fs::write(bench.path("cases/SOUP-1.case.yaml"), case).unwrap();
    let files = Arc::new(AppFiles::default());
    let guest = bench.device_sharing(VirtualDeviceConfig::default(), &files).await;
    let cook = bench.device_sharing(VirtualDeviceConfig::default(), &files).await;
    (bench, guest, cook)
}

fn actions(result: &Value) -> Vec<String> {
    let steps = result["steps"].as_array().unwrap().iter();
    let all = steps.flat_map(|step| step["actions"].as_array().unwrap());
    let touched = all.filter(|action| action["skill"] == "click");
    touched.map(|action| action["target"].as_str().unwrap().to_owned()).collect()
}

const DONE: [&str; 3] = ["Order a soup", "Serve the soup", "Eat the soup"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actors_wait_for_each_other_and_their_script_replays_without_a_model() {
    let (bench, guest, cook) = kitchen(CASE).await;
    let cast = [format!("guest={guest}"), format!("cook={cook}")];
    let cast = ["--actor", &cast[0], "--actor", &cast[1], "--json"];
    let said = bench.tapwright(&[&["run", "SOUP-1"][..], &cast].concat()).await;
    said.succeeded();
    let result = said.result();
    assert_eq!((&result["verdict"], &result["reason"]), (&"passed".into(), &"".into()), "{result:#}");
    // The order comes after six seconds; nothing else was touched meanwhile.
    assert_eq!(actions(&result), DONE);
    let path = result["script"].as_str().unwrap();
    assert_eq!(path, "scripts/SOUP-1/virtual-phone+virtual-phone.toml");
    let script = Script::read(&bench.path(path)).unwrap();
    assert_eq!(script.format, 2);
    let whose: Vec<_> = script.actions.iter().map(|action| action.actor.as_deref().unwrap()).collect();
    assert_eq!(whose, ["guest", "cook", "guest"]);
    assert!(script.actions[1].waited_ms.is_some_and(|waited| waited >= 2_000), "{:?}", script.actions[1]);

    let said = bench.tapwright(&[&["replay", path][..], &cast].concat()).await;
    let replayed = said.result();
    assert_eq!(replayed["verdict"], "passed", "{replayed:#}");
    assert_eq!(replayed["counts"]["model_calls"], 0);
    assert_eq!(actions(&replayed), DONE);

    let shell = bench.path(path).with_extension("sh");
    bench.shell_script(&shell, &guest, &[("GUEST_SERIAL", &guest)]).await.failed(2, &["COOK_SERIAL"]);
    let both = [("GUEST_SERIAL", guest.as_str()), ("COOK_SERIAL", cook.as_str())];
    bench.shell_script(&shell, &guest, &both).await.succeeded();

    // A replay needs everybody's device, too.
    let alone = bench.tapwright(&["replay", path, "--actor", &format!("guest={guest}"), "--json"]).await;
    assert_eq!(alone.result()["verdict"], "blocked");
    assert!(alone.result()["reason"].as_str().unwrap().contains("no device was given for cook"));
    let nobody = bench.tapwright(&["replay", path, "--actor", &format!("waiter={guest}")]).await;
    nobody.failed(2, &["no actor \"waiter\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_held_on_every_actors_device_at_the_start_is_told_by_the_run_and_its_replay() {
    let idle = CASE
        .replace("visible: Enjoy your meal", "absent: Sold out")
        .replace("visible: The soup is on the table", "absent: Sold out");
    let (bench, guest, cook) = kitchen(&idle).await;
    let cast = [format!("guest={guest}"), format!("cook={cook}")];
    let cast = ["--actor", &cast[0], "--actor", &cast[1], "--json"];
    for command in ["run", "replay"] {
        let result = bench.tapwright(&[&[command, "SOUP-1"][..], &cast].concat()).await.result();
        assert_eq!(result["verdict"], "passed", "{result:#}");
        assert!(result["reason"].as_str().unwrap().contains("which proves nothing"), "{command}: {result:#}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_over_that_never_comes_blocks_the_case_and_says_what_was_waited_for() {
    let late =
        CASE.replace("{actor: guest, step: Order a soup}", "{actor: guest, step: check that \"Table\" is shown}");
    let (bench, guest, cook) = kitchen(&format!("{late}budget: {{actions: 20, time: 20s}}\n")).await;
    let (guest, cook) = (format!("guest={guest}"), format!("cook={cook}"));
    let said = bench.tapwright(&["run", "SOUP-1", "--actor", &guest, "--actor", &cook, "--json"]).await;
    let result = said.result();
    assert_eq!(result["verdict"], "blocked", "{result:#}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("(cook)") && reason.contains("Serve the soup") && reason.contains("others"), "{reason}");
    assert!(actions(&result).is_empty(), "nothing else was touched: {result:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_that_cannot_be_set_is_an_error_that_says_so() {
    let placed = CASE.replace("kitchen_guest.app.yaml}}", "kitchen_guest.app.yaml}, location: \"48.85,2.35\"}");
    let (bench, guest, cook) = kitchen(&placed).await;
    let (guest, cook) = (format!("guest={guest}"), format!("cook={cook}"));
    let said = bench.tapwright(&["run", "SOUP-1", "--actor", &guest, "--actor", &cook, "--json"]).await;
    let result = said.result();
    assert_eq!(result["verdict"], "error", "{result:#}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("guest: ") && reason.contains("location cannot be set to 48.85,2.35"), "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_actor_whose_device_is_lost_makes_the_run_an_error_that_names_them() {
    let (bench, guest, cook) = kitchen(CASE).await;
    let (guest, cook) = (format!("guest={guest}"), format!("cook={cook}"));
    let mut child = bench.spawn(&["run", "SOUP-1", "--actor", &guest, "--actor", &cook]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    timeout(PATIENCE, async {
        let mut said = String::new();
        while !said.contains("Order a soup") {
            said.push_str(&lines.next_line().await.unwrap().unwrap_or_else(|| panic!("it ended early: {said}")));
        }
    })
    .await
    .unwrap();
    bench.stop_devices();
    let rest = tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let status = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
    rest.await.unwrap();
    let file = bench.files("runs").into_iter().find(|file| file.ends_with("result.json")).unwrap();
    let result: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!((&result["verdict"], status.code()), (&"error".into(), Some(3)), "{result:#}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("guest") || reason.contains("cook") || reason.contains("device"), "{reason}");
}
