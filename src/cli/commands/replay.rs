//! `tapwright replay`.

use super::farm::{self, Work};
use super::run::{actors, finish, hold, launch_failure, new_run_id, print_events};
use super::{interruption, scripts};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ReplayArgs};
use crate::domain::{DeviceSerial, RunResult};
use crate::gate::{Part, Rules, ScriptChoice};
use crate::report::Verbosity;
use crate::run::{CaseLauncher, RepairMode, ReplayWay, RunRequest};
use crate::script::Script;
use std::path::PathBuf;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

/// Replays scripts: one after another, or shared out over several devices.
pub(super) async fn replay(args: ReplayArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let given = args.params.read()?;
    let actors = actors(&args.actors)?;
    let repair = RepairMode::from(args.repair);
    let way = ReplayWay { repair, from: args.from.get() - 1 };
    if way.from > 0 && (args.scripts.len() > 1 || repair != RepairMode::Off) {
        return Err(Failure::usage("--from goes on with one script, and without --repair"));
    }
    let launcher = workspace.launcher(Vec::new(), workspace.places(args.output.as_deref())).map_err(Failure::usage)?;
    let mut plays: Vec<(Script, PathBuf, RunRequest)> = Vec::new();
    for name in &args.scripts {
        let (path, script) = scripts::read(name, workspace)?;
        // Of several scripts each takes the secrets it needs.
        let own = given.iter().filter(|(name, _)| args.scripts.len() == 1 || script.secrets.contains(name));
        let request = RunRequest {
            case_id: script.case_id.clone(),
            device: None,
            actors: actors.clone(),
            params: own.map(|(name, value)| (name.clone(), value.clone())).collect(),
            seed: 0,
            location: None,
        };
        launcher.check_replay(&script, &request).map_err(|error| launch_failure(&error))?;
        if repair != RepairMode::Off {
            launcher.check_repair(&script, &request).map_err(|error| launch_failure(&error))?;
        }
        plays.push((script, path, request));
    }
    if let Some(stranger) = given.keys().find(|name| !plays.iter().any(|(script, ..)| script.secrets.contains(name))) {
        return Err(Failure::usage(format!("no script has a secret named {stranger:?}")));
    }
    let serials = match actors.values().next() {
        Some(first) => vec![first.clone()],
        None => workspace.choose_devices(&args.devices).await?,
    };
    let _held = hold(workspace, "tapwright replay", &serials, &actors)?;
    let cancel = interruption();
    if way.from > 0 && serials.len() > 1 {
        return Err(Failure::usage("--from goes on with one device: name it with --device"));
    }
    let [serial] = serials.as_slice() else {
        return share(plays, launcher, (serials, repair), args.json, &cancel, workspace).await;
    };
    let mut results = Vec::new();
    for (at, (script, _, request)) in plays.iter().enumerate() {
        let place = (at + 1, plays.len());
        let verbosity = if args.json { Verbosity::Quiet } else { Verbosity::Normal };
        results.push(replay_one(&launcher, script, (request, way), serial, &cancel, (verbosity, place)).await?);
        if cancel.is_cancelled() {
            break;
        }
    }
    finish(&results, plays.len(), args.json, &launcher, &cancel)
}

/// Replays the scripts on several devices, each taking the next script when it is free.
async fn share(
    plays: Vec<(Script, PathBuf, RunRequest)>,
    launcher: CaseLauncher,
    (devices, repair): (Vec<DeviceSerial>, RepairMode),
    json: bool,
    cancel: &CancellationToken,
    workspace: &Workspace,
) -> Result<Exit, Failure> {
    let (mut parts, mut names) = (Vec::new(), Vec::new());
    for (script, path, request) in plays {
        names.push((script.title.clone(), farm::shown(&path, workspace.root())));
        let cast = script.actors.keys().cloned().collect();
        parts.push(Part { request, cast, script: ScriptChoice::Only(Box::new(script)) });
    }
    let work = Work { parts, names, launcher, devices, rules: Rules::default(), repair };
    let manifest = farm::work(work, cancel).await?;
    farm::finish(&manifest, json, cancel)
}

/// Replays a script while its events are printed; also what `demo` uses.
pub(super) async fn replay_one(
    launcher: &CaseLauncher,
    script: &Script,
    (request, way): (&RunRequest, impl Into<ReplayWay>),
    serial: &DeviceSerial,
    cancel: &CancellationToken,
    (verbosity, place): (Verbosity, (usize, usize)),
) -> Result<RunResult, Failure> {
    let (events, incoming) = unbounded_channel();
    let printer = tokio::spawn(print_events(incoming, verbosity, place));
    let launched = launcher.replay(new_run_id(), script, request, way, serial, events, cancel.clone()).await;
    printer.await.map_err(Failure::infrastructure)?;
    launched.map_err(|error| launch_failure(&error))
}
