//! `tapwright demo`: the whole loop on a virtual device, through the real adb server.

use super::emulate::{leave, start};
use super::interruption;
use super::replay::replay_one;
use super::run::run_one;
use crate::app::Workspace;
use crate::app_map::MapStore;
use crate::cli::{DemoArgs, Exit, Failure};
use crate::domain::{CaseId, DeviceSerial, RunResult, Verdict};
use crate::report::Verbosity;
use crate::run::{CaseLauncher, Places, RepairMode, RunLauncher, RunRequest};
use crate::script::Script;
use crate::virtual_device::VirtualDeviceConfig;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Runs a bundled case, then replays its script.
pub(super) async fn demo(args: DemoArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let case_id = CaseId::new(args.case.clone()).map_err(Failure::usage)?;
    let index = workspace.case_index().map_err(Failure::usage)?;
    if index.entries().is_empty() {
        return Err(Failure::usage(format!(
            "there are no cases in {}: run the demo inside a checkout of Tapwright, or name one with --workspace DIR",
            workspace.root().display()
        )));
    }
    let case = index.find(&case_id).map_err(Failure::usage)?.clone();
    let places = Places {
        output: Some(args.output.join("runs")),
        scripts: Some(args.output.join("scripts")),
        maps: Some(MapStore::new(args.output.join("maps"))),
        ..workspace.places(None)
    };
    let launcher = workspace.launcher(vec![case.path.clone()], places.clone()).map_err(Failure::usage)?;
    let request =
        RunRequest { case_id, device: None, actors: BTreeMap::new(), params: BTreeMap::new(), seed: 0, location: None };
    launcher.check(&request).map_err(Failure::usage)?;

    let stop = interruption();
    let server = workspace.server().await?;
    let device = start(VirtualDeviceConfig::default(), &Arc::default(), Vec::new(), &stop)
        .await
        .map_err(Failure::infrastructure)?;
    let serial = device.addr().to_string();
    server.connect(&serial).await.map_err(Failure::infrastructure)?;
    anstream::eprintln!("virtual device {serial} is connected to the adb server at {}\n", server.address());
    let outcome = show(&launcher, &request, &serial, &places, &stop).await;
    leave(Some(&server), &serial).await;
    device.stop();
    device.stopped().await;
    outcome
}

async fn show(
    launcher: &CaseLauncher,
    request: &RunRequest,
    serial: &str,
    places: &Places,
    stop: &tokio_util::sync::CancellationToken,
) -> Result<Exit, Failure> {
    let serial = DeviceSerial::from(serial);
    let started = Instant::now();
    let first = run_one(launcher, request, &serial, stop, (Verbosity::Normal, (1, 1))).await?;
    let first_time = started.elapsed();
    let Some(script_path) = first.script.as_deref().filter(|_| first.verdict == Verdict::Passed) else {
        return Ok(Exit::of_verdicts([first.verdict]));
    };
    anstream::eprintln!("\nreplaying {script_path} without the model\n");
    let script = Script::read(Path::new(script_path)).map_err(Failure::infrastructure)?;
    let started = Instant::now();
    let second =
        replay_one(launcher, &script, (request, RepairMode::Off), &serial, stop, (Verbosity::Normal, (1, 1))).await?;
    let second_time = started.elapsed();

    let folder = |result: &RunResult| {
        places.output.as_ref().map(|output| output.join(result.case_id.as_str()).join(result.run_id.as_str()))
    };
    let report = folder(&first).map(|folder| folder.join("report.html").display().to_string()).unwrap_or_default();
    anstream::println!(
        "first run  {:>7.2} s  {}  (model loaded, {} model calls)",
        first_time.as_secs_f64(),
        first.verdict,
        first.counts.model_calls
    );
    anstream::println!("replay     {:>7.2} s  {}  (no model)", second_time.as_secs_f64(), second.verdict);
    anstream::println!("report     {report}");
    anstream::println!("script     {script_path}");
    anstream::println!("shell      {}", Path::new(script_path).with_extension("sh").display());
    Ok(Exit::of_verdicts([first.verdict, second.verdict]))
}
