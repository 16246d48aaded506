//! What a case expects and its app shows before anything is done, as `cases lint` tells it without a device.

use crate::bench::Bench;
use serde_json::Value;
use tapwright::virtual_device::VirtualDeviceConfig;

/// Line and message of what a lint says of a case.
async fn lint(bench: &Bench, id: &str) -> Vec<(u64, String)> {
    let said = bench.tapwright(&["cases", "lint", id, "--json"]).await;
    said.succeeded();
    let rows = said.json();
    let row = |row: &Value| {
        assert_eq!(row["severity"], "warning", "{row:#}");
        (row["line"].as_u64().unwrap(), row["message"].as_str().unwrap().to_owned())
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// Lines 1 to 3 are the bench's.
const STEPS: &str = "steps: [Open Bills]\nexpect:\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_apps_first_screen_shows_is_told_at_its_line() {
    let bench = Bench::new().await;
    for (id, expected, lines, nothing_else) in [
        ("IDLE-1", "  - visible: Corner Coffee\n  - visible: Bills\n", &[7][..], false),
        ("IDLE-2", "  - visible: Bills\n  - absent: Out of order\n", &[6, 7], true),
        ("IDLE-3", "  - absent: Out of order\n  - visible: Corner Coffee\n", &[], false),
        ("IDLE-4", "  - absent: Out of order\n", &[6], true),
        ("IDLE-5", "  - visible: Corner Coffee\n", &[], false),
    ] {
        bench.add_case(id, &format!("{STEPS}{expected}"));
        let told = lint(&bench, id).await;
        assert_eq!(told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), lines, "{id}: {told:?}");
        for (_, message) in &told {
            assert!(
                message.contains("already true at the start: proves nothing (on the app's first screen"),
                "{message}"
            );
            assert_eq!(message.contains("so is all that this case expects"), nothing_else, "{message}");
        }
    }
    // An app that cannot be started is told, not passed over.
    bench.change_app("package: com.example.pay", "package: com.example.other");
    let told = lint(&bench, "IDLE-1").await;
    assert!(told.iter().any(|(_, message)| message.contains("what is true at the start is not known: ")), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_app_that_only_a_device_has_the_latest_recording_is_asked() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.add_case("IDLE-1", &format!("{STEPS}  - visible: Bills\n  - visible: Corner Coffee\n"));
    bench.tapwright(&["run", "IDLE-1", "--device", &serial]).await.succeeded();
    bench.change("cases/IDLE-1.case.yaml", ", apk: ../apps/pay.app.yaml", "");
    let told = lint(&bench, "IDLE-1").await;
    assert_eq!(told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [6], "{told:?}");
    std::fs::remove_dir_all(bench.path("runs")).unwrap();
    assert!(lint(&bench, "IDLE-1").await.is_empty(), "nothing is known of it");
}
