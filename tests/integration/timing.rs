//! Measurements on devices that take as long as real ones: a dump 2.3 s, a picture 0.9 s, a touch 0.1 s. They assert what must come
//! of it and print how long it took; nothing here fails for being slow.

use crate::bench::{Bench, PASSWORD, repository};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tapwright::domain::CaseId;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

/// A device with the latencies of a phone.
fn phone() -> VirtualDeviceConfig {
    let slow = ["slow-dump=2300ms", "slow-shell=900ms:only=screencap", "slow-shell=100ms:only=input tap"];
    VirtualDeviceConfig {
        faults: slow.iter().map(|fault| fault.parse().unwrap()).collect(),
        ..VirtualDeviceConfig::default()
    }
}

/// The recorded script of a bundled case.
fn script(case: &str) -> PathBuf {
    repository("scripts").join(case).join("virtual-phone.toml")
}

/// Runs `work`, and tells how long it took.
async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let begun = Instant::now();
    let done = work.await;
    (done, begun.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures a first run, its replay and its shell script on a device with a phone's latencies: minutes"]
async fn how_long_a_replay_takes_beside_its_first_run_and_its_shell_script() {
    let given = std::env::var("CASES").unwrap_or_else(|_| "PAY-0001 PAY-0002 PAY-0005".into());
    let secret = format!("payment_password={PASSWORD}");
    let mut ratios = Vec::new();
    for case in given.split_whitespace() {
        let mut bench = Bench::new().await;
        let serial = bench.device(phone()).await;
        let (said, first) = timed(bench.tapwright(&["run", case, "--device", &serial])).await;
        said.succeeded();
        let recorded = bench.path("scripts").join(case).join("virtual-phone.toml");
        let asks = !Script::read(&recorded).unwrap().secrets.is_empty();
        let param: &[&str] = if asks { &["--param", &secret] } else { &[] };
        let (mut replays, mut shells) = (Vec::new(), Vec::new());
        // In turn, so that what else the machine does weighs on both alike.
        for _ in 0..3 {
            let args = [&["replay", case, "--device", &serial, "--json"], param].concat();
            let (said, took) = timed(bench.tapwright(&args)).await;
            said.succeeded();
            assert_eq!(said.result()["counts"]["model_calls"], 0);
            replays.push(took.as_secs_f64());
            let values = [("PAYMENT_PASSWORD", PASSWORD)];
            let values = if asks { &values[..] } else { &[] };
            let (said, took) = timed(bench.shell_script(&recorded.with_extension("sh"), &serial, values)).await;
            said.succeeded();
            shells.push(took.as_secs_f64());
        }
        let middle = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let (replay, shell, first) = (middle(&mut replays), middle(&mut shells), first.as_secs_f64());
        println!(
            "{case}: first run {first:.1} s, replay {replay:.1} s, shell script {shell:.1} s: replay / shell {:.2}, first run / \
             replay {:.1}",
            replay / shell,
            first / replay
        );
        ratios.push(replay / shell);
    }
    println!("replay / shell at most {:.2}", ratios.iter().copied().fold(0.0, f64::max));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures a gate over 40 cases on eight devices with a phone's latencies: minutes"]
async fn how_busy_a_gate_keeps_eight_devices() {
    const CASES: [&str; 8] =
        ["PAY-0001", "PAY-0002", "PAY-0003", "PAY-0004", "PAY-0005", "PAY-0008", "PAY-0009", "PAY-0010"];
    let mut bench = Bench::new().await;
    for number in 0..40 {
        let (case, id) = (CASES[number % CASES.len()], format!("MANY-{number:02}"));
        let text = std::fs::read_to_string(bench.path("cases").join(format!("{case}.case.yaml"))).unwrap();
        let text = text.replace(&format!("id: {case}"), &format!("id: {id}"));
        std::fs::write(bench.path("cases").join(format!("{id}.case.yaml")), text).unwrap();
        let recorded = Script::read(&script(case)).unwrap();
        let of_case = recorded.seal.as_ref().and_then(|seal| seal.case.clone());
        let own = Script { case_id: CaseId::new(id).unwrap(), ..recorded }.sealed(of_case);
        own.write(&bench.path("scripts")).unwrap();
    }
    for case in std::fs::read_dir(bench.path("cases")).unwrap() {
        let case = case.unwrap().path();
        if !case.file_name().unwrap().to_string_lossy().starts_with("MANY-") {
            std::fs::remove_file(case).unwrap();
        }
    }
    for _ in 0..8 {
        bench.device(phone()).await;
    }
    for round in ["with nothing known of how long they take", "with what the first one has shown"] {
        let said = bench.tapwright(&["gate", "--device", "all", "--json"]).await;
        let manifest = said.json();
        let devices = manifest["devices"].as_array().unwrap();
        assert_eq!((manifest["cases"].as_array().unwrap().len(), devices.len()), (40, 8));
        let busy: f64 = devices.iter().map(|device| device["busy_seconds"].as_f64().unwrap()).sum();
        let seconds = manifest["seconds"].as_f64().unwrap();
        println!("40 cases on 8 devices, {round}: {seconds:.0} s, busy {:.1} %", 100.0 * busy / (8.0 * seconds));
        said.stderr.lines().filter(|line| line.contains("40 cases")).for_each(|line| println!("  {line}"));
    }
}
