//! Steps that check, end to end: on a virtual device, through the real adb server, with the real model. What they check is
//! in the script, so that a replay checks it, too.

use crate::bench::{Bench, repository};
use tapwright::domain::{RunResult, Verdict};
use tapwright::virtual_device::VirtualDeviceConfig;

const STEPS: &str = "steps:\n  - Check that the Pay button is disabled\n  - Tap \"Add a roll\"\n  - Check that the subtotal is \
                     \"€2.00\" and the total is \"€3.00\"\n  - Check that \"Gift wrap\" is off\n  - The text \"Closed on Mondays\" \
                     should be shown\n  - Tap \"Pay\"\n  - Check that \"Your order was sent.\" is shown\n";

/// A bench with the bakery in it, and a device on which these bugs are switched on.
async fn bench(bugs: &[&str]) -> (Bench, String) {
    let mut bench = Bench::new().await;
    std::fs::copy(repository("tests/fixtures/apps/bakery.app.yaml"), bench.path("apps/bakery.app.yaml")).unwrap();
    let serial = device(&mut bench, bugs).await;
    case(&bench, "CHECK-1", STEPS);
    (bench, serial)
}

async fn device(bench: &mut Bench, bugs: &[&str]) -> String {
    let switches = bugs.iter().map(|bug| format!("com.example.bakery:bug.{bug}")).collect();
    bench.device(VirtualDeviceConfig { switches, ..VirtualDeviceConfig::default() }).await
}

fn case(bench: &Bench, id: &str, rest: &str) {
    let app = "app: {package: com.example.bakery, apk: ../apps/bakery.app.yaml}";
    let text = format!("id: {id}\ntitle: A test\n{app}\n{rest}");
    std::fs::write(bench.path("cases").join(format!("{id}.case.yaml")), text).unwrap();
}

fn ends(result: &RunResult, verdict: Verdict, told: &str) {
    assert_eq!(result.verdict, verdict, "{} {:#?}", result.reason, result.steps);
    assert!(result.reason.contains(told), "{}", result.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_checked_on_the_way_is_checked_by_the_script_as_well() {
    let (mut bench, serial) = bench(&[]).await;
    let result = bench.run("CHECK-1", &serial).await;
    ends(&result, Verdict::Passed, "");
    let path = result.script.unwrap();
    let script = std::fs::read_to_string(bench.path(&path)).unwrap();
    for kept in ["subtotal", "€3.00", "Gift wrap", "Closed on Mondays", "Your order was sent."] {
        assert!(script.contains(kept), "{kept}:\n{script}");
    }
    let (said, replayed) = bench.replay(&path, &serial).await;
    assert_eq!((said.code, &replayed["verdict"]), (Some(0), &"passed".into()), "{replayed:#}");
    assert_eq!(replayed["counts"]["model_calls"], 0);
    let shell = bench.path(&path).with_extension("sh");
    bench.shell_script(&shell, &serial, &[]).await.succeeded();
    for (bug, told) in [("dear", "€4.00"), ("sticky", "\"Gift wrap\" is on"), ("late_notice", "Closed on Mondays")] {
        let broken = device(&mut bench, &[bug]).await;
        let (said, replayed) = bench.replay(&path, &broken).await;
        assert_eq!((said.code, &replayed["verdict"]), (Some(1), &"failed".into()), "{bug}: {replayed:#}");
        assert!(replayed["reason"].as_str().unwrap().contains(told), "{bug}: {replayed:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_finds_the_screen_otherwise_has_failed() {
    for (bug, told) in [
        ("dear", "step 3: expected value: total is \"€3.00\": \"€4.00\" stands beside \"total\""),
        ("sticky", "step 4: expected checked: Gift wrap is off: \"Gift wrap\" is on"),
        ("late_notice", "step 5: expected visible: Closed on Mondays"),
    ] {
        let (bench, serial) = bench(&[bug]).await;
        ends(&bench.run("CHECK-1", &serial).await, Verdict::Failed, told);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_understood_or_not_known_is_no_word_against_the_app() {
    let (bench, serial) = bench(&[]).await;
    for (id, step, told) in [
        ("CHECK-2", "Check that the prices are fair", "nothing on the screen says so"),
        ("CHECK-6", "Check that the roll is not stale", "nothing on the screen says so"),
        ("CHECK-3", "Check that the loyalty card is on", "\"loyalty card\""),
        ("CHECK-4", "Check that the cream cakes are no longer listed", "nothing is called \"cream cakes\""),
        ("CHECK-5", "Check that \"Total\" comes before \"Subtotal\"", "is not understood"),
    ] {
        case(&bench, id, &format!("steps:\n  - {step}\n"));
        ends(&bench.run(id, &serial).await, Verdict::Blocked, told);
    }
}
