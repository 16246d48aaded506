//! `tapwright demo`: the whole loop on a virtual device, through the real adb server.

use super::emulate::{leave, start};
use super::interruption;
use super::replay::replay_one;
use super::run::run_one;
use crate::app::Workspace;
use crate::app_map::MapStore;
use crate::case::FindError;
use crate::cli::{DemoArgs, Exit, Failure};
use crate::domain::{CaseId, DeviceSerial, RunResult, Verdict};
use crate::report::Verbosity;
use crate::run::{CaseLauncher, Places, RepairMode, RunLauncher, RunRequest};
use crate::script::Script;
use crate::virtual_device::VirtualDeviceConfig;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The case that is shown unless another one is named, and its app: an installed program has no checkout beside it.
const CARRIED: &str = "PAY-0001";
const CASE: &str = include_str!("../../../tests/suites/first_light/cases/PAY-0001.case.yaml");
const APP: &str = include_str!("../../../tests/suites/first_light/apps/pay.app.yaml");

/// Runs a bundled case, then replays its script.
pub(super) async fn demo(args: DemoArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let case_id = CaseId::new(args.case.clone()).map_err(Failure::usage)?;
    let file = case_file(&case_id, &args.output, workspace)?;
    let places = Places {
        output: Some(args.output.join("runs")),
        scripts: Some(args.output.join("scripts")),
        maps: Some(MapStore::new(args.output.join("maps"))),
        ..workspace.places(None)
    };
    let launcher = workspace.launcher(vec![file], places.clone()).map_err(Failure::usage)?;
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

/// The file of a case: the workspace's own; else of the one that the program carries, written with its app below `output`.
fn case_file(case: &CaseId, output: &Path, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let index = workspace.case_index().map_err(Failure::usage)?;
    let unknown = match index.find(case) {
        Ok(known) => return Ok(known.path.clone()),
        Err(unknown) => unknown,
    };
    if case.as_str() != CARRIED || !matches!(unknown, FindError::Unknown { .. }) {
        return Err(Failure::usage(unknown));
    }
    let suite = output.join("suite");
    let file = suite.join(format!("cases/{CARRIED}.case.yaml"));
    for (path, text) in [(&file, CASE), (&suite.join("apps/pay.app.yaml"), APP)] {
        let folder = path.parent().unwrap_or(output);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(path, text))
            .map_err(|error| Failure::usage(format!("{} cannot be written: {error}", path.display())))?;
    }
    Ok(file)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Environment;
    use crate::case::Case;

    #[test]
    fn the_case_of_the_demo_comes_with_the_program_unless_the_workspace_has_its_own() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        std::fs::write(folder.path().join("tapwright.toml"), "[folders]\ncases = ['cases']\n").unwrap();
        let workspace = Workspace::open(Some(folder.path()), Environment::default()).unwrap();
        let (id, output) = (CaseId::new(CARRIED.to_owned()).unwrap(), folder.path().join("demo"));
        let case = Case::load(&case_file(&id, &output, &workspace).unwrap()).unwrap();
        assert_eq!(case.id, id);
        assert!(case.app.apk.is_some_and(|app| app.is_file()));
        let other = case_file(&CaseId::new("PAY-0002".to_owned()).unwrap(), &output, &workspace);
        assert!(other.is_err(), "only one is carried");
        let own = folder.path().join("cases/own.case.yaml");
        std::fs::write(&own, CASE).unwrap();
        assert_eq!(case_file(&id, &output, &workspace).unwrap(), own);
    }
}
