//! Replaying a workspace's scripts: the one code path behind `tapwright replay` and a gate.

use super::build::Build;
use super::executor::{RunContext, replay_script};
use super::launcher::CaseLauncher;
use super::plan::PlannedCase;
use super::progress::check_resume;
use super::repair::{Repair, RepairMode};
use super::request::{LaunchError, RunRequest};
use super::script_case::{CaseChange, Judged, foreign_to};
use crate::case::{Case, ParameterValue};
use crate::domain::{DeviceSerial, PackageName, RunEvent, RunId, RunResult, Secret};
use crate::script::Script;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// How a script is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayWay {
    /// What is done where it does not fit the app any more.
    pub repair: RepairMode,
    /// The action it begins with, from 0: 0 starts the app with clean data, any other goes on with the app as it stands.
    pub from: usize,
}

impl From<RepairMode> for ReplayWay {
    fn from(repair: RepairMode) -> Self {
        Self { repair, from: 0 }
    }
}

impl CaseLauncher {
    /// Checks that the script is one of the case, and can be replayed with what the request gives: its secrets, and devices
    /// of its actors.
    pub fn check_replay(&self, script: &Script, request: &RunRequest) -> Result<(), LaunchError> {
        let case = self.find(request).ok();
        if let Some(why) = foreign_to(script, &request.case_id, case.as_ref()) {
            return Err(LaunchError::Request(why));
        }
        if let Some(stranger) = request.actors.keys().find(|name| !script.actors.contains_key(*name)) {
            return Err(LaunchError::Request(format!("the script has no actor {stranger:?}")));
        }
        if let Some(case) = case.as_ref().filter(|case| CaseChange::since(script, case) == CaseChange::Deeds) {
            return Err(LaunchError::Request(format!(
                "{0}: the case was changed after its script was recorded, so the script proves nothing of it; \
                 `tapwright run {0}` records it again",
                case.id
            )));
        }
        self.judged(script, case.as_ref(), request)?;
        secrets(script, case.as_ref(), &request.params).map(|_| ())
    }

    /// The script with what its case expects now.
    fn judged(&self, script: &Script, case: Option<&Case>, request: &RunRequest) -> Result<Judged, LaunchError> {
        let changed = case.map(|case| (case, CaseChange::since(script, case)));
        let Some((case, change)) = changed.filter(|(_, change)| *change != CaseChange::Nothing) else {
            return Ok(Judged::as_recorded(script));
        };
        // What a script alone asks for is no parameter of the case.
        let own = request.params.iter().filter(|(name, _)| case.params.get(name).is_some());
        let own = own.map(|(name, value)| (name.clone(), value.clone())).collect();
        let planned = PlannedCase::new(case, &self.rewriter, &own);
        let planned = planned.map_err(|error| LaunchError::Request(error.to_string()))?;
        Ok(Judged::with(script, change, &planned))
    }

    /// Checks that the script can also be repaired: its case says what its actions are for.
    pub fn check_repair(&self, script: &Script, request: &RunRequest) -> Result<(), LaunchError> {
        self.repair(script, request, RepairMode::Propose).map(|_| ())
    }

    /// What repairing the script needs; `None` where nothing is to be repaired.
    fn repair(
        &self,
        script: &Script,
        request: &RunRequest,
        mode: RepairMode,
    ) -> Result<Option<Repair<'_>>, LaunchError> {
        if mode == RepairMode::Off {
            return Ok(None);
        }
        if !script.actors.is_empty() {
            let reason = "a script of several devices cannot be repaired: record it again with `tapwright run`";
            return Err(LaunchError::Request(format!("{}: {reason}", script.case_id)));
        }
        let case = self.plan(request).map_err(|error| {
            let why = "a repair follows the case's own sentences, and the case cannot be had";
            LaunchError::Request(format!("{}: {why}: {error}", script.case_id))
        })?;
        Ok(Some(Repair { mode, case, launcher: self }))
    }

    /// Replays a script. The request's parameters are values of its secrets; every event goes to `events` in order.
    #[expect(clippy::too_many_arguments, reason = "the parts of a replay come from different places")]
    pub async fn replay(
        &self,
        run_id: RunId,
        script: &Script,
        request: &RunRequest,
        way: impl Into<ReplayWay>,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> Result<RunResult, LaunchError> {
        self.check_replay(script, request)?;
        // The workspace need not have the case any more.
        let case = self.find(request).ok();
        let Judged { script: judged, secrets: known, remark } = self.judged(script, case.as_ref(), request)?;
        let mut secrets = secrets(script, case.as_ref(), &request.params)?;
        for (name, value) in known {
            secrets.entry(name).or_insert(value);
        }
        let mut judged = judged;
        if let Some(place) = request.place()? {
            judged.app.location = Some(place);
            judged.actors.values_mut().for_each(|actor| actor.app.location = Some(place));
        }
        let script = &judged;
        let builds = self.builds_of(script, case.as_ref())?;
        let ReplayWay { repair, from } = way.into();
        if from > 0 && repair != RepairMode::Off {
            let why = "a repair follows the whole script: leave --repair or --from out";
            return Err(LaunchError::Request(format!("{}: {why}", script.case_id)));
        }
        let repair = self.repair(script, request, repair)?;
        let infrastructure = |error: crate::device::DeviceError| LaunchError::Infrastructure(error.to_string());
        let connected = self.connector.connect(serial).await.map_err(infrastructure)?;
        if from > 0 {
            check_resume(script, &connected, self.places.output.as_deref(), from).await?;
        }
        let mut company = BTreeMap::new();
        for (name, serial) in &request.actors {
            company.insert(name.clone(), self.connector.connect(serial).await.map_err(infrastructure)?);
        }
        let context = RunContext {
            run_id,
            connected: &connected,
            company: &company,
            skills: &self.skills,
            places: &self.places,
            seed: request.seed,
            live: events,
            cancel,
        };
        Ok(replay_script(context, script, &builds, &secrets, repair.as_ref(), (from, remark)).await)
    }

    /// What to install for each actor; on one device under the empty name.
    fn builds_of(&self, script: &Script, case: Option<&Case>) -> Result<BTreeMap<String, Build>, LaunchError> {
        let own = |app: &crate::case::App| app.apk.clone().filter(|apk| apk.is_file());
        let mut builds = BTreeMap::new();
        let mut choose = |actor: &str, package: &PackageName, own: Option<PathBuf>| {
            let given = self.apks.get(package).map(PathBuf::as_path);
            let chosen = Build::choose(package, own.as_deref(), given, self.install);
            let chosen = chosen.map_err(|error| LaunchError::Request(format!("{}: {error}", script.case_id)))?;
            builds.extend(chosen.map(|build| (actor.to_owned(), build)));
            Ok::<(), LaunchError>(())
        };
        if script.actors.is_empty() {
            choose("", &script.app.package, case.and_then(|case| own(&case.app)))?;
        }
        for (name, actor) in &script.actors {
            let own = case.and_then(|case| case.actors.get(name)).and_then(|known| own(&known.app));
            choose(name, &actor.app.package, own)?;
        }
        Ok(builds)
    }
}

/// Values of the script's secrets: given ones first, the case's own otherwise.
fn secrets(
    script: &Script,
    case: Option<&Case>,
    given: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Secret>, LaunchError> {
    if let Some(unknown) = given.keys().find(|name| !script.secrets.contains(name)) {
        let known = if script.secrets.is_empty() { "none".to_owned() } else { script.secrets.join(", ") };
        return Err(LaunchError::Request(format!("the script has no secret named {unknown:?}; it needs: {known}")));
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
        Some(missing) => Err(LaunchError::Request(format!(
            "the script needs the secret {missing:?}: give it with --param {missing}=… or keep its case in the workspace"
        ))),
        None => Ok(secrets),
    }
}
