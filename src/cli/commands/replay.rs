//! `tapwright replay`.

use super::run::{actors, finish, new_run_id, print_events};
use super::{interruption, scripts};
use crate::app::Workspace;
use crate::case::{Case, CaseIndex, ParameterValue, Parameters};
use crate::cli::{Exit, Failure, ReplayArgs};
use crate::domain::{DeviceSerial, RunResult, Secret};
use crate::report::Verbosity;
use crate::run::{DeviceConnector, Places, RunContext, replay_script};
use crate::script::Script;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

/// Replays one script.
pub(super) async fn replay(args: ReplayArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let path = scripts::resolve(&args.script, workspace)?;
    let script = Script::read(&path).map_err(Failure::usage)?;
    let given = Parameters::parse_overrides(&args.params).map_err(Failure::usage)?;
    let actors = actors(&args.actors)?;
    if let Some(stranger) = actors.keys().find(|name| !script.actors.contains_key(*name)) {
        return Err(Failure::usage(format!("the script has no actor {stranger:?}")));
    }
    let serial = match actors.values().next() {
        Some(first) => first.clone(),
        None => workspace.choose_device(args.device.as_deref()).await?,
    };
    let cancel = interruption();
    let places = workspace.places(args.output.as_deref());
    let result = replay_one(&script, &given, workspace, &places, (&serial, &actors), &cancel, args.json).await?;
    finish(&[result], args.json, &cancel)
}

/// Replays a script while its events are printed; also what `demo` uses.
pub(super) async fn replay_one(
    script: &Script,
    given: &BTreeMap<String, String>,
    workspace: &Workspace,
    places: &Places,
    (serial, actors): (&DeviceSerial, &BTreeMap<String, DeviceSerial>),
    cancel: &CancellationToken,
    quiet: bool,
) -> Result<RunResult, Failure> {
    let case = case_of(script, workspace);
    let secrets = secrets(script, case.as_ref(), given)?;
    let apks = case.as_ref().map(apks).unwrap_or_default();
    let skills = workspace.skills().map_err(Failure::usage)?;
    let connector = workspace.connector().map_err(Failure::usage)?;
    let connected = connector.connect(serial).await.map_err(Failure::infrastructure)?;
    let mut company = BTreeMap::new();
    for (name, serial) in actors {
        let device = connector.connect(serial).await.map_err(Failure::infrastructure)?;
        company.insert(name.clone(), device);
    }
    let (events, incoming) = unbounded_channel();
    let printer = tokio::spawn(print_events(incoming, if quiet { Verbosity::Quiet } else { Verbosity::Normal }));
    let context = RunContext {
        run_id: new_run_id(),
        connected: &connected,
        company: &company,
        skills: &skills,
        places,
        seed: 0,
        live: events,
        cancel: cancel.clone(),
    };
    let result = replay_script(context, script, &apks, &secrets).await;
    printer.await.map_err(Failure::infrastructure)?;
    Ok(result)
}

/// What to install for each actor; on one device under the empty name.
fn apks(case: &Case) -> BTreeMap<String, PathBuf> {
    let own = |app: &crate::case::App| app.apk.clone().filter(|apk| apk.is_file());
    let actors = case.actors.iter().filter_map(|(name, actor)| Some((name.clone(), own(&actor.app)?)));
    actors.chain(own(&case.app).map(|apk| (String::new(), apk))).collect()
}

/// The case a script was recorded from, where the workspace still has it.
fn case_of(script: &Script, workspace: &Workspace) -> Option<Case> {
    let index = CaseIndex::scan(&workspace.case_roots()).ok()?;
    index.find(&script.case_id).ok().cloned()
}

/// Values of the script's secrets: given ones first, the case's own otherwise.
fn secrets(
    script: &Script,
    case: Option<&Case>,
    given: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Secret>, Failure> {
    if let Some(unknown) = given.keys().find(|name| !script.secrets.contains(name)) {
        let known = if script.secrets.is_empty() { "none".to_owned() } else { script.secrets.join(", ") };
        return Err(Failure::usage(format!("the script has no secret named {unknown:?}; it needs: {known}")));
    }
    let mut secrets = BTreeMap::new();
    for name in &script.secrets {
        let own = case.and_then(|case| match case.params.get(name) {
            Some(ParameterValue::Secret(value)) => Some(value.clone()),
            Some(ParameterValue::Plain(value)) => Some(Secret::new(value.clone())),
            None => None,
        });
        if let Some(value) = given.get(name).map(Secret::new).or(own) {
            secrets.insert(name.clone(), value);
        }
    }
    match script.secrets.iter().find(|name| !secrets.contains_key(*name)) {
        Some(missing) => Err(Failure::usage(format!(
            "the script needs the secret {missing:?}: give it with --param {missing}=… or keep its case in the workspace"
        ))),
        None => Ok(secrets),
    }
}
