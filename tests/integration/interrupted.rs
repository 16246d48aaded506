//! Ctrl-C in the middle of a run.

use crate::bench::{Bench, interrupt};
use crate::harness::PATIENCE;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

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
    assert!(said.contains("interrupted"), "{said}");
    bench.nothing_half_written();
    // The run that was under way is told as what it is; the next one never began.
    let results: Vec<_> = bench.files("runs").into_iter().filter(|file| file.ends_with("result.json")).collect();
    assert_eq!(results.len(), 1, "{results:?}");
    let result: serde_json::Value = serde_json::from_slice(&std::fs::read(&results[0]).unwrap()).unwrap();
    assert_eq!((&result["case_id"], &result["verdict"]), (&"PAY-0001".into(), &"error".into()));
}
