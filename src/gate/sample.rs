//! Hand-written tries and manifests that the tests of this room share.

use super::{Attempt, By, CaseReport, DeviceReport, GateVerdict, Manifest, Try};
use crate::domain::{CaseId, DeviceSerial, RunId, Verdict};
use std::path::PathBuf;

/// An attempt on a device.
pub(super) fn attempt(by: By, verdict: Verdict, reason: &str) -> Attempt {
    Attempt {
        number: 1,
        by,
        device: DeviceSerial::from("emulator-5554"),
        verdict,
        reason: reason.to_owned(),
        seconds: 4.25,
        run_id: Some(RunId::new("0190-a")),
        repaired: false,
        unused_script: None,
        folder: Some(PathBuf::from("runs/A-1/0190-a")),
        result: None,
    }
}

/// Tries of the agent, a letter each: `p`assed, passed with a script that was `r`epaired, `f`ailed, `b`locked, `e`rror, `x` called off. A reason is its letter.
pub(super) fn tried(letters: &str) -> Vec<Try> {
    let one = |(number, letter): (u32, &str)| {
        let verdict = match letter {
            "p" | "r" => Verdict::Passed,
            "f" => Verdict::Failed,
            "b" => Verdict::Blocked,
            _ => Verdict::Error,
        };
        let reason = if letter == "p" { "" } else { letter };
        let attempts = vec![Attempt { number, repaired: letter == "r", ..attempt(By::Agent, verdict, reason) }];
        Try { attempts, cut: letter == "x" }
    };
    (1..).zip(letters.split_whitespace()).map(one).collect()
}

/// A case in a manifest, judged by its tries.
pub(super) fn case(id: &str, letters: &str) -> CaseReport {
    let id = CaseId::new(id).unwrap();
    CaseReport::of(&id, "A title", PathBuf::from(format!("cases/{id}.case.yaml")), &tried(letters), None)
}

/// A manifest of these cases.
pub(super) fn manifest(cases: &[(&str, &str)]) -> Manifest {
    let mut manifest = Manifest {
        schema: 1,
        gate_id: "0190".into(),
        tapwright: "0.1.0".into(),
        started_at: "2031-02-03T04:05:06Z".into(),
        seconds: 65.4,
        revision: Some("0123456789abcdef0123456789abcdef01234567".into()),
        policy: "script".into(),
        selection: "4 cases".into(),
        devices: vec![DeviceReport {
            serial: DeviceSerial::from("emulator-5554"),
            tries: 4,
            busy_seconds: 60.0,
            set_aside: None,
        }],
        stopped: None,
        cases: cases.iter().map(|(id, letters)| case(id, letters)).collect(),
        comparison: None,
    };
    for case in manifest.cases.iter_mut().filter(|case| case.verdict == GateVerdict::NotRun) {
        case.reason = "the gate was interrupted".into();
    }
    manifest
}
