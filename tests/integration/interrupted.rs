//! Ctrl-C, and SIGTERM as build servers send it, in the middle of a run.

use crate::bench::{Bench, interrupt, send_signal};
use crate::harness::PATIENCE;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_gate_tells_what_was_not_run_and_leaves_its_manifest() {
    for signal in ["-INT", "-TERM"] {
        ends_a_gate(signal).await;
    }
}

async fn ends_a_gate(signal: &str) {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut child = bench.spawn(&["gate", "PAY-0001", "PAY-0008", "--device", &serial, "--manifest", "m.json"]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    assert!(first.contains("scripts first"), "{first}");
    send_signal(&child, signal).await;
    let mut said = String::new();
    timeout(PATIENCE, async {
        while let Some(line) = lines.next_line().await.unwrap() {
            said.push_str(&line);
            said.push('\n');
        }
    })
    .await
    .unwrap();
    assert_eq!(timeout(PATIENCE, child.wait()).await.unwrap().unwrap().code(), Some(130), "{said}");
    for part in ["2 cases in ", "interrupted before everything was run", "index.html", "manifest.json"] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("m.json")).unwrap()).unwrap();
    assert_eq!(manifest["cases"].as_array().unwrap().len(), 2, "{manifest:#}");
    assert!(manifest["cases"].as_array().unwrap().iter().any(|case| case["verdict"] == "not_run"), "{manifest:#}");
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_run_ends_with_130_and_leaves_no_script() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut child = bench.spawn(&["run", "PAY-0001", "PAY-0008", "--device", &serial]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = String::new();
    timeout(PATIENCE, async {
        while !said.contains("Choose to bind without the card number") {
            said.push_str(&lines.next_line().await.unwrap().unwrap_or_else(|| panic!("it ended early: {said}")));
        }
    })
    .await
    .unwrap();
    interrupt(&child).await;
    timeout(PATIENCE, async {
        while let Some(line) = lines.next_line().await.unwrap() {
            said.push_str(&line);
        }
    })
    .await
    .unwrap();
    let status = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    for part in ["interrupted", "1 case in ", "stopped before the other 1 of 2", "report.html"] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    bench.nothing_half_written();
    // The run that was under way is told as what it is; the next one never began.
    let results: Vec<_> = bench.files("runs").into_iter().filter(|file| file.ends_with("result.json")).collect();
    assert_eq!(results.len(), 1, "{results:?}");
    let result: serde_json::Value = serde_json::from_slice(&std::fs::read(&results[0]).unwrap()).unwrap();
    assert_eq!((&result["case_id"], &result["verdict"]), (&"PAY-0001".into(), &"error".into()));
}
