//! `tapwright run`.

use super::emulate::{leave, start};
use super::farm::{self, Work};
use super::{interruption, print_json};
use crate::app::Workspace;
use crate::case::{Case, Selection};
use crate::cli::{Exit, Failure, RunArgs, terminal};
use crate::device::HostLock;
use crate::domain::{CaseId, DeviceSerial, RunEvent, RunId, RunResult, Verdict};
use crate::gate::{Rules, ScriptChoice};
use crate::report::{Console, Tally, Verbosity};
use crate::run::{ANY_DEVICE, CaseLauncher, DeviceConnector, LaunchError, RepairMode, RunLauncher, RunRequest};
use crate::virtual_device::VirtualDeviceConfig;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

/// Runs the selected cases, where that is asked for on a virtual device of their own.
pub(super) async fn run(mut args: RunArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if !args.on_virtual {
        return run_selected(args, workspace).await;
    }
    let server = workspace.server().await?;
    let stop = CancellationToken::new();
    let device = start(VirtualDeviceConfig::default(), &Arc::default(), Vec::new(), &stop).await;
    let device = device.map_err(Failure::infrastructure)?;
    let serial = device.addr().to_string();
    server.connect(&serial).await.map_err(Failure::infrastructure)?;
    args.devices = vec![serial.clone()];
    let ended = run_selected(args, workspace).await;
    leave(Some(&server), &serial).await;
    device.stop();
    device.stopped().await;
    ended
}

/// Runs the selected cases, one after another.
async fn run_selected(args: RunArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let params = args.params.read()?;
    if let Some(url) = &args.daemon {
        return run_on_daemon(url, &args, params, workspace).await;
    }
    let (cases, files) = select(&args, workspace)?;
    let actors = actors(&args.actors)?;
    let requests: Vec<RunRequest> = cases
        .iter()
        .map(|case| RunRequest {
            case_id: case.id.clone(),
            device: None,
            actors: actors.clone(),
            params: params.clone(),
            seed: args.seed,
            location: None,
        })
        .collect();
    let places = workspace.places(args.output.as_deref());
    let launcher = workspace.launcher(files, places).map_err(Failure::usage)?;
    for request in &requests {
        launcher.check(request).map_err(|error| launch_failure(&error))?;
    }
    let serials = match (&args.profile, actors.values().next()) {
        (Some(profile), _) => vec![device_of_profile(workspace, profile).await?],
        (None, Some(first)) => vec![first.clone()],
        (None, None) => workspace.choose_devices(&args.devices).await?,
    };
    let _held = hold(workspace, "tapwright run", &serials, &actors)?;
    let cancel = interruption();
    let [serial] = serials.as_slice() else {
        return share(&cases, requests, launcher, serials, args.json, &cancel, workspace).await;
    };
    let mut results = Vec::new();
    for (at, request) in requests.iter().enumerate() {
        let place = (at + 1, requests.len());
        let verbosity = match (args.json, args.explain) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Explain,
            (false, false) => Verbosity::Normal,
        };
        results.push(run_one(&launcher, request, serial, &cancel, (verbosity, place)).await?);
        if cancel.is_cancelled() {
            break;
        }
    }
    finish(&results, requests.len(), args.json, &launcher, &cancel)
}

/// Takes all the devices of a command: no other process of this host uses them until what is given back is dropped.
pub(super) fn hold(
    workspace: &Workspace,
    holder: &str,
    serials: &[DeviceSerial],
    actors: &BTreeMap<String, DeviceSerial>,
) -> Result<Vec<HostLock>, Failure> {
    let all: BTreeSet<&DeviceSerial> =
        serials.iter().chain(actors.values()).filter(|serial| serial.as_str() != ANY_DEVICE).collect();
    workspace.device_rules(holder).hold(all).map_err(Failure::infrastructure)
}

/// Runs the cases on several devices, each taking the next case when it is free.
async fn share(
    cases: &[Case],
    requests: Vec<RunRequest>,
    launcher: CaseLauncher,
    devices: Vec<DeviceSerial>,
    json: bool,
    cancel: &CancellationToken,
    workspace: &Workspace,
) -> Result<Exit, Failure> {
    let each = requests.into_iter().map(|request| super::gate::part(&launcher, request, ScriptChoice::Never));
    let parts = each.collect::<Result<Vec<_>, _>>()?;
    let name = |case: &Case| (case.title.clone(), farm::shown(&case.path, workspace.root()));
    let names = cases.iter().map(name).collect();
    let (rules, repair) = (Rules::default(), RepairMode::Off);
    let work = Work { parts, names, launcher, devices, rules, repair };
    let manifest = farm::work(work, cancel).await?;
    farm::finish(&manifest, json, cancel)
}

/// Reads `NAME=SERIAL`.
pub(super) fn actors(given: &[String]) -> Result<BTreeMap<String, DeviceSerial>, Failure> {
    let mut actors = BTreeMap::new();
    for text in given {
        let (name, serial) =
            text.split_once('=').filter(|(name, serial)| !name.is_empty() && !serial.is_empty()).ok_or_else(|| {
                Failure::usage(format!("--actor {text:?}: expected NAME=SERIAL, such as rider=emulator-5554"))
            })?;
        let device = DeviceSerial::from(serial);
        if serial != ANY_DEVICE && actors.values().any(|other| *other == device) {
            return Err(Failure::usage(format!("--actor {text:?}: {serial} is another actor's device already")));
        }
        if actors.insert(name.to_owned(), device).is_some() {
            return Err(Failure::usage(format!("--actor {text:?}: {name} has a device already")));
        }
    }
    Ok(actors)
}

/// Runs one case while its events are printed, with its place among how many; also what `demo` uses.
pub(super) async fn run_one(
    launcher: &dyn RunLauncher,
    request: &RunRequest,
    serial: &DeviceSerial,
    cancel: &CancellationToken,
    (verbosity, place): (Verbosity, (usize, usize)),
) -> Result<RunResult, Failure> {
    let (events, incoming) = unbounded_channel();
    let printer = tokio::spawn(print_events(incoming, verbosity, place));
    let launched = launcher.launch(new_run_id(), request, serial, events, cancel.clone()).await;
    printer.await.map_err(Failure::infrastructure)?;
    launched.map_err(|error| launch_failure(&error))
}

/// Prints events to stderr as they come.
pub(super) async fn print_events(
    mut incoming: tokio::sync::mpsc::UnboundedReceiver<RunEvent>,
    verbosity: Verbosity,
    (number, all): (usize, usize),
) {
    let width = terminal::columns_of_stderr();
    let console = Console::stderr(verbosity).with_width(width).with_live_line(width.is_some());
    let mut console = console.with_place(number, all);
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    loop {
        let printed = tokio::select! {
            event = incoming.recv() => match event {
                Some(event) => console.event(&event),
                None => break,
            },
            _ = seconds.tick() => console.tick(),
        };
        if let Err(error) = printed {
            tracing::debug!(%error, "stderr is closed");
        }
    }
}

/// A run id that sorts by start time.
pub(super) fn new_run_id() -> RunId {
    RunId::new(uuid::Uuid::now_v7().to_string())
}

/// The exit of all results together; prints them as JSON where asked.
pub(super) fn finish(
    results: &[RunResult],
    planned: usize,
    json: bool,
    launcher: &CaseLauncher,
    cancel: &CancellationToken,
) -> Result<Exit, Failure> {
    if json {
        print_json(&results)?;
    } else {
        let output = launcher.places.output.as_deref().map(|output| farm::shown(output, &launcher.places.root));
        let lead = if planned > 1 { "\n" } else { "" };
        anstream::eprint!("{lead}{}", Tally { results, planned, output: output.as_deref() }.text());
    }
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::of_verdicts(results.iter().map(|result| result.verdict)))
}

pub(super) fn launch_failure(error: &LaunchError) -> Failure {
    match error {
        LaunchError::Infrastructure(_) => Failure::infrastructure(error),
        _ => Failure::usage(error),
    }
}

/// The cases asked for, and the files among them that were named by path.
fn select(args: &RunArgs, workspace: &Workspace) -> Result<(Vec<Case>, Vec<PathBuf>), Failure> {
    let mut selections = Vec::new();
    let mut files = Vec::new();
    for argument in &args.cases {
        let selection = Selection::parse(argument).map_err(Failure::usage)?;
        if let Selection::File(path) = &selection {
            files.push(path.clone());
        }
        selections.push(selection);
    }
    selections.extend(args.tags.iter().cloned().map(Selection::Tag));
    if selections.is_empty() {
        return Err(Failure::nothing_selected(
            "nothing to run: name a case id, a case file or --tag TAG (`tapwright cases list` shows them)",
        ));
    }
    let index = workspace.case_index().map_err(Failure::usage)?;
    let cases = index.select(&selections).map_err(Failure::usage)?;
    if cases.is_empty() {
        return Err(Failure::nothing_selected(format!(
            "no case has the tag {}; see `tapwright cases list`",
            args.tags.join(" or ")
        )));
    }
    Ok((cases, files))
}

async fn device_of_profile(workspace: &Workspace, profile: &str) -> Result<DeviceSerial, Failure> {
    let connector = workspace.connector().map_err(Failure::usage)?;
    connector.profiles.named(profile).map_err(Failure::usage)?;
    let server = workspace.server().await?;
    let mut seen = Vec::new();
    for row in server.devices().await.map_err(Failure::infrastructure)? {
        if row.state != crate::adb::ConnectionState::Device {
            continue;
        }
        let connected = connector.connect(&row.serial).await.map_err(Failure::infrastructure)?;
        if connected.profile == profile {
            return Ok(row.serial);
        }
        seen.push(format!("{} is {}", row.serial, connected.profile));
    }
    let seen = if seen.is_empty() { "none is ready".to_owned() } else { seen.join(", ") };
    Err(Failure::infrastructure(format!("no connected device matches the profile {profile:?} ({seen})")))
}

async fn run_on_daemon(
    url: &str,
    args: &RunArgs,
    params: BTreeMap<String, String>,
    workspace: &Workspace,
) -> Result<Exit, Failure> {
    let client = super::remote::client(url, workspace)?;
    if args.devices.len() > 1 {
        return Err(Failure::usage("a daemon shares its devices out itself: give one --device, or none"));
    }
    let ids: Vec<CaseId> = if args.tags.is_empty() && args.cases.iter().all(|id| CaseId::new(id.clone()).is_ok()) {
        // The daemon has the cases; this machine need not.
        args.cases.iter().map(|id| CaseId::new(id.clone())).collect::<Result<_, _>>().map_err(Failure::usage)?
    } else {
        select(args, workspace)?.0.into_iter().map(|case| case.id).collect()
    };
    if ids.is_empty() {
        return Err(Failure::nothing_selected("nothing to run: name a case id or --tag TAG"));
    }
    let cancel = interruption();
    let mut results = Vec::new();
    let mut verdicts = Vec::new();
    let actors = actors(&args.actors)?;
    for case_id in ids {
        let device = args.devices.first().map(|serial| DeviceSerial::from(serial.as_str()));
        let (actors, params) = (actors.clone(), params.clone());
        let request = RunRequest { case_id: case_id.clone(), device, actors, params, seed: args.seed, location: None };
        let ticket = client.submit(request).await.map_err(super::remote::failure)?;
        anstream::eprintln!("{case_id}: watch the run at {}/#{}", url.trim_end_matches('/'), ticket.run_id);
        let followed = tokio::select! {
            view = client.follow(&ticket.run_id, |event| if !args.json { describe(&event) }) => view,
            () = cancel.cancelled() => {
                client.cancel(&ticket.run_id).await.map_err(super::remote::failure)?;
                return Ok(Exit::Interrupted);
            }
        };
        let view = followed.map_err(super::remote::failure)?;
        let verdict = view.verdict.unwrap_or(Verdict::Error);
        let reason = if view.reason.is_empty() { String::new() } else { format!(": {}", view.reason) };
        anstream::eprintln!("{case_id}: {verdict}{reason}");
        verdicts.push(verdict);
        results.extend(view.result);
    }
    if args.json {
        print_json(&results)?;
    }
    Ok(Exit::of_verdicts(verdicts))
}

/// One line per step and action of a daemon's event.
fn describe(event: &serde_json::Value) {
    let text = |key: &str| event[key].as_str().unwrap_or_default();
    match text("event") {
        "step_started" => anstream::eprintln!("  {}. {}", event["index"], text("instruction")),
        "acted" => {
            let action = &event["action"];
            let label = action["target"]["label"].as_str().unwrap_or_default();
            anstream::eprintln!("     {} {label}  {}", action["skill"].as_str().unwrap_or_default(), text("reason"));
        }
        _ => {}
    }
}
