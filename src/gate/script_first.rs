//! How a gate carries a case out: by its script, by the agent, or by the script first.

use super::{Attempt, By, Player, Try};
use crate::domain::{CaseId, DeviceSerial, RunEvent, RunId, Verdict};
use crate::run::{CaseLauncher, NoScript, RepairMode, RunLauncher, RunRequest};
use crate::script::Script;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Whether a script is used.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptChoice {
    /// The agent does it all.
    Never,
    /// A script in this folder, `<case id>/<profile>.toml`; the agent where there is none, and where the script cannot go on.
    First(PathBuf),
    /// This script and nothing else.
    Only(Box<Script>),
}

impl ScriptChoice {
    /// Actions of the longest script that may be used for a case; `None` where the agent does it all, or no script can be read
    /// (the reason is told when it is to be replayed).
    pub fn actions(&self, case_id: &CaseId) -> Option<usize> {
        match self {
            Self::Never => None,
            Self::Only(script) => Some(script.actions.len()),
            Self::First(folder) => {
                let files = std::fs::read_dir(folder.join(case_id.as_str())).ok()?;
                let scripts = files.flatten().map(|file| file.path()).filter(|path| {
                    // A pipe among them would be waited for.
                    path.is_file() && path.extension().is_some_and(|extension| extension == "toml")
                });
                scripts.filter_map(|path| Script::read(&path).ok()).map(|script| script.actions.len()).max()
            }
        }
    }
}

/// A case as it is to be carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The case with its parameters; its devices are chosen later.
    pub request: RunRequest,
    /// Names of its actors; empty on one device.
    pub cast: Vec<String>,
    /// Whether a script is used.
    pub script: ScriptChoice,
}

/// Carries the cases of a workspace out.
pub struct ScriptFirst {
    /// Runs and replays.
    pub launcher: CaseLauncher,
    /// The cases, by their place.
    pub parts: Vec<Part>,
    /// What is done where a script does not fit the app any more.
    pub repair: RepairMode,
    /// Takes the events of all runs as they happen, where somebody wants them.
    pub events: Option<UnboundedSender<RunEvent>>,
}

impl ScriptFirst {
    fn folder(&self, case_id: &CaseId, run_id: &RunId) -> Option<PathBuf> {
        let places = &self.launcher.places;
        let folder = places.output.as_ref()?.join(case_id.as_str()).join(run_id.as_str());
        Some(folder.strip_prefix(&places.root).unwrap_or(&folder).to_owned())
    }

    fn events(&self) -> UnboundedSender<RunEvent> {
        // Without a receiver events are dropped.
        self.events.clone().unwrap_or_else(|| unbounded_channel().0)
    }

    async fn by_script(
        &self,
        script: &Script,
        request: &RunRequest,
        device: &DeviceSerial,
        cancel: &CancellationToken,
    ) -> Attempt {
        let begun = Instant::now();
        let (run_id, events, cancel) = (new_run_id(), self.events(), cancel.clone());
        // Scripts of several devices are not repaired.
        let repair = if script.actors.is_empty() { self.repair } else { RepairMode::Off };
        let launched = self.launcher.replay(run_id, script, request, repair, device, events, cancel).await;
        Attempt::of(By::Script, device, begun.elapsed(), launched, |case_id, run_id| self.folder(case_id, run_id))
    }

    async fn by_agent(&self, request: &RunRequest, device: &DeviceSerial, cancel: &CancellationToken) -> Attempt {
        let begun = Instant::now();
        let launched = self.launcher.launch(new_run_id(), request, device, self.events(), cancel.clone()).await;
        Attempt::of(By::Agent, device, begun.elapsed(), launched, |case_id, run_id| self.folder(case_id, run_id))
    }
}

#[async_trait]
impl Player for ScriptFirst {
    async fn play(&self, place: usize, devices: &[DeviceSerial], cancel: &CancellationToken) -> Try {
        let (Some(part), Some(device)) = (self.parts.get(place), devices.first()) else { return Try::default() };
        let actors: BTreeMap<String, DeviceSerial> = part.cast.iter().cloned().zip(devices.iter().cloned()).collect();
        let request = RunRequest { actors, ..part.request.clone() };
        let found = match &part.script {
            ScriptChoice::Never => Err(NoScript::Missing),
            ScriptChoice::Only(script) => {
                return Try { attempts: vec![self.by_script(script, &request, device, cancel).await], cut: false };
            }
            ScriptChoice::First(folder) => match self.launcher.script_for(folder, &request, device).await {
                Ok(found) => found,
                Err(error) => {
                    let attempt = Attempt::of(By::Script, device, std::time::Duration::ZERO, Err(error), |_, _| None);
                    return Try { attempts: vec![attempt], cut: false };
                }
            },
        };
        let (mut attempts, mut unused_script) = (Vec::new(), None);
        match found {
            Err(NoScript::Missing) => {}
            Err(NoScript::Unusable(reason)) => unused_script = Some(reason),
            Ok(script) => {
                let attempt = self.by_script(&script, &request, device, cancel).await;
                // A script that cannot go on says nothing of the app.
                let over = attempt.verdict != Verdict::Blocked || cancel.is_cancelled();
                attempts.push(attempt);
                if over {
                    return Try { attempts, cut: false };
                }
            }
        }
        attempts.push(Attempt { unused_script, ..self.by_agent(&request, device, cancel).await });
        Try { attempts, cut: false }
    }
}

/// A run id that sorts by start time.
fn new_run_id() -> RunId {
    RunId::new(uuid::Uuid::now_v7().to_string())
}
