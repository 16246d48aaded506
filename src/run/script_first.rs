//! A case by its script first, and by the agent where there is none or where it cannot go on: what was recorded once needs
//! no model.

use super::launcher::CaseLauncher;
use super::repair::RepairMode;
use super::request::{LaunchError, RunLauncher, RunRequest};
use crate::domain::{DeviceSerial, RunEvent, RunId, RunResult, Verdict};
use crate::script::Script;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// Whether scripts are replayed in place of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptPolicy {
    /// A script where one fits; else the agent, and also where the script diverges.
    #[default]
    First,
    /// A script or nothing: a case without one that fits is an error of the request, and a divergence is *blocked*.
    Only,
    /// The agent always.
    Never,
}

/// Runs the cases of a workspace by their scripts and by the agent.
pub struct ScriptFirst {
    /// Runs and replays.
    pub launcher: Arc<CaseLauncher>,
    /// Scripts: `<case id>/<profile>.toml`.
    pub scripts: PathBuf,
    /// Whether they are used.
    pub policy: ScriptPolicy,
    /// What is done where one does not fit any more, before the agent does the whole case.
    pub repair: RepairMode,
}

/// Why a case is not done by a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoScript {
    /// It has none.
    Missing,
    /// It has one that cannot be used, and why.
    Unusable(String),
}

impl std::fmt::Display for NoScript {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => formatter.write_str("it has no script"),
            Self::Unusable(reason) => formatter.write_str(reason),
        }
    }
}

impl CaseLauncher {
    /// The script of a case for a device: its profile's own, else any in `folder/<case id>`; why there is none otherwise.
    ///
    /// # Errors
    /// The device cannot be asked.
    pub async fn script_for(
        &self,
        folder: &Path,
        request: &RunRequest,
        serial: &DeviceSerial,
    ) -> Result<Result<Script, NoScript>, LaunchError> {
        let connected = self.connector.connect(serial).await;
        let connected = connected.map_err(|error| LaunchError::Infrastructure(error.to_string()))?;
        let folder = folder.join(request.case_id.as_str());
        let files = match scripts(&folder) {
            Ok(files) => files,
            Err(error) => return Ok(Err(NoScript::Unusable(format!("{}: {error}", folder.display())))),
        };
        let own = format!("{}.toml", connected.profile);
        let Some(file) = files.iter().find(|file| file.ends_with(&own)).or(files.first()) else {
            return Ok(Err(NoScript::Missing));
        };
        let script = match Script::read(file) {
            Ok(script) => script,
            Err(error) => return Ok(Err(NoScript::Unusable(error.to_string()))),
        };
        Ok(match self.check_replay(&script, request) {
            Ok(()) => Ok(script),
            Err(error) => Err(NoScript::Unusable(error.to_string())),
        })
    }
}

#[async_trait]
impl RunLauncher for ScriptFirst {
    fn check(&self, request: &RunRequest) -> Result<(), LaunchError> {
        self.launcher.check(request)
    }

    fn cast(&self, request: &RunRequest) -> Result<Vec<String>, LaunchError> {
        self.launcher.cast(request)
    }

    async fn launch(
        &self,
        run_id: RunId,
        request: &RunRequest,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        cancel: CancellationToken,
    ) -> Result<RunResult, LaunchError> {
        if self.policy == ScriptPolicy::Never {
            return self.launcher.launch(run_id, request, serial, events, cancel).await;
        }
        let found = self.launcher.script_for(&self.scripts, request, serial).await?;
        let script = match (found, self.policy) {
            (Ok(script), _) => script,
            (Err(reason), ScriptPolicy::Only) => {
                let why = format!(
                    "{0}: only scripts are replayed here ([daemon] scripts), and none can be: {reason}; record one with \
                     `tapwright run {0}`",
                    request.case_id
                );
                return Err(LaunchError::Request(why));
            }
            (Err(reason), _) => {
                tracing::info!(case_id = %request.case_id, %reason, "the agent does it");
                return self.launcher.launch(run_id, request, serial, events, cancel).await;
            }
        };
        // A script of several devices is recorded again, not repaired.
        let repair = if script.actors.is_empty() { self.repair } else { RepairMode::Off };
        let replayed = self
            .launcher
            .replay(run_id.clone(), &script, request, repair, serial, events.clone(), cancel.clone())
            .await?;
        // A script that cannot go on says nothing of the app; one whose check does not hold does.
        let over = replayed.verdict != Verdict::Blocked || self.policy == ScriptPolicy::Only || cancel.is_cancelled();
        if over {
            return Ok(replayed);
        }
        tracing::info!(case_id = %request.case_id, reason = replayed.reason, "the script cannot go on; the agent does it");
        self.launcher.launch(run_id, request, serial, events, cancel).await
    }
}

/// The scripts of a case's folder, plain files by name; none where there is no folder.
fn scripts(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_among_the_scripts_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link, script) = ("a.toml", "link.toml", "phone.toml");
        assert!(std::process::Command::new("mkfifo").arg(folder.path().join(pipe)).status().unwrap().success());
        std::fs::write(folder.path().join(script), "").unwrap();
        std::os::unix::fs::symlink(folder.path().join(script), folder.path().join(link)).unwrap();
        assert_eq!(scripts(folder.path()).unwrap(), [link, script].map(|name| folder.path().join(name)));
    }

    #[test]
    fn scripts_are_found_by_name_and_proposals_are_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(scripts(&folder.path().join("missing")).unwrap(), Vec::<PathBuf>::new());
        std::fs::create_dir(folder.path().join("proposed")).unwrap();
        for name in ["tablet.toml", "phone.toml", "phone.sh", "proposed/phone.toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = scripts(folder.path()).unwrap();
        assert_eq!(found, ["phone.toml", "tablet.toml"].map(|name| folder.path().join(name)));
    }
}
