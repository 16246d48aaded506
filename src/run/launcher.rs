//! The one code path behind `tapwright run` and the daemon.

use super::aside::aside;
use super::build::InstallWay;
use super::executor::{DeviceConnector, Judgement, Places, RunContext, run_case};
use super::memory::Memory;
use super::plan::PlannedCase;
use super::request::{ANY_DEVICE, LaunchError, RunLauncher, RunRequest};
use crate::case::{Case, CaseIndex, FindError, LiveIndex, Rewriter};
use crate::domain::{DeviceSerial, PackageName, RunEvent, RunId, RunResult};
use crate::skill::Library;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, MutexGuard};
use tokio::sync::OnceCell;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// Loads the model when it is first needed: asking for help or an unknown case must not wait for it.
pub type JudgementSource = Box<dyn Fn() -> Result<Judgement, String> + Send + Sync>;

/// Runs the cases of a workspace.
pub struct CaseLauncher {
    /// Folders with cases; looked through for every request, so that an edited case counts at once.
    pub case_roots: Vec<PathBuf>,
    /// The cases in them, as they were read last.
    pub index: Arc<LiveIndex>,
    /// Further case files, given by path.
    pub case_files: Vec<PathBuf>,
    /// Rewriting rules.
    pub rewriter: Rewriter,
    /// What the workspace says about apps.
    pub hints: Vec<String>,
    /// App files to install in place of those the cases name, by package.
    pub apks: BTreeMap<PackageName, PathBuf>,
    /// How they come onto a device.
    pub install: InstallWay,
    /// Skills.
    pub skills: Library,
    /// Where traces go.
    pub places: Places,
    /// Makes devices ready.
    pub connector: Arc<dyn DeviceConnector>,
    /// Loads model, weights and cues.
    pub judgement: JudgementSource,
    /// What it loaded.
    pub loaded: OnceCell<Judgement>,
}

impl CaseLauncher {
    pub(super) fn plan(&self, request: &RunRequest) -> Result<PlannedCase, LaunchError> {
        let case = self.find(request)?;
        let mut planned = PlannedCase::new(&case, &self.rewriter, &request.params)
            .map_err(|error| LaunchError::Request(error.to_string()))?;
        if let Some(stranger) =
            request.actors.keys().find(|name| !planned.cast.iter().any(|actor| actor.name == **name))
        {
            return Err(LaunchError::Request(format!("{}: the case has no actor {stranger:?}", case.id)));
        }
        for (name, serial) in &request.actors {
            let other = request.actors.iter().find(|(other, taken)| *other < name && *taken == serial);
            if let Some((other, _)) = other.filter(|_| serial.as_str() != ANY_DEVICE) {
                let why = format!(
                    "{}: {other} and {name} were given the same device, {serial}; each needs one of their own",
                    case.id
                );
                return Err(LaunchError::Request(why));
            }
        }
        if let Some(place) = request.place()? {
            planned.location = Some(place);
            planned.cast.iter_mut().for_each(|actor| actor.location = Some(place));
        }
        planned.add_hints(&self.hints);
        let installed = planned.install(&self.apks, self.install);
        installed.map_err(|error| LaunchError::Request(format!("{}: {error}", case.id)))?;
        Ok(planned)
    }

    pub(super) fn find(&self, request: &RunRequest) -> Result<Case, LaunchError> {
        let wrong = |error: &dyn std::fmt::Display| LaunchError::Request(error.to_string());
        for file in &self.case_files {
            let case = Case::load(file).map_err(|error| wrong(&error))?;
            if case.id == request.case_id {
                return Ok(case);
            }
        }
        self.index.find(&self.present_roots(), &request.case_id).map_err(|error| match error {
            FindError::Unknown { .. } => LaunchError::UnknownCase(error.to_string()),
            other => wrong(&other),
        })
    }

    /// The cases of the workspace as they are now; only files that were changed are read.
    pub(super) fn renewed_index(&self) -> Result<MutexGuard<'_, CaseIndex>, LaunchError> {
        self.index.renewed(&self.present_roots()).map_err(|error| LaunchError::Request(error.to_string()))
    }

    /// The same as it was some seconds ago.
    pub(super) fn recent_index(&self) -> Result<MutexGuard<'_, CaseIndex>, LaunchError> {
        self.index.recent(&self.present_roots()).map_err(|error| LaunchError::Request(error.to_string()))
    }

    /// The folders with cases that exist.
    pub(super) fn present_roots(&self) -> Vec<PathBuf> {
        self.case_roots.iter().filter(|root| root.exists()).cloned().collect()
    }

    pub(super) async fn judgement(&self) -> Result<&Judgement, LaunchError> {
        let load = || async { aside(|| (self.judgement)()).map_err(LaunchError::Infrastructure) };
        self.loaded.get_or_try_init(load).await
    }
}

#[async_trait]
impl RunLauncher for CaseLauncher {
    fn check(&self, request: &RunRequest) -> Result<(), LaunchError> {
        let planned = self.plan(request)?;
        let files = planned.cast.iter().map(|actor| &actor.apk).chain([&planned.apk]).flatten();
        match files.into_iter().find(|file| !file.is_file()) {
            Some(missing) => Err(LaunchError::Request(format!(
                "{}: the app's file {} is missing: build it, or correct `apk` in the case; without `apk` the installed app is used",
                request.case_id,
                missing.display()
            ))),
            None => Ok(()),
        }
    }

    fn cast(&self, request: &RunRequest) -> Result<Vec<String>, LaunchError> {
        self.plan(request).map(|planned| planned.cast.into_iter().map(|actor| actor.name).collect())
    }

    async fn launch(
        &self,
        run_id: RunId,
        request: &RunRequest,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> Result<RunResult, LaunchError> {
        let case = aside(|| self.plan(request))?;
        let judgement = self.judgement().await?;
        let connected =
            self.connector.connect(serial).await.map_err(|error| LaunchError::Infrastructure(error.to_string()))?;
        let mut company = BTreeMap::new();
        for actor in &case.cast {
            if let Some(serial) = request.actors.get(&actor.name) {
                let device = self.connector.connect(serial).await;
                let device = device.map_err(|error| LaunchError::Infrastructure(error.to_string()))?;
                company.insert(actor.name.clone(), device);
            }
        }
        // A path with other values than the case's, or elsewhere, is no script of the case.
        let own_values =
            request.location.is_none() && request.params.keys().all(|name| case.secrets.contains_key(name));
        let scripts = self.places.scripts.clone().filter(|_| own_values);
        let places = Places { scripts, ..self.places.clone() };
        let context = RunContext {
            run_id,
            connected: &connected,
            company: &company,
            skills: &self.skills,
            places: &places,
            seed: request.seed,
            live: events,
            cancel,
        };
        let memory = Memory::now();
        let result = run_case(context, &case, judgement).await;
        memory.tell(request.case_id.as_str());
        Ok(result)
    }
}
