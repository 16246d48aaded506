//! The user's command for a case that did not pass.

use super::CaseReport;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::Command;
use tokio::time::timeout;

/// What such a command may take.
const MOST: Duration = Duration::from_secs(600);

/// A command that did not do its work. The verdict stands.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// It could not be begun.
    #[error("--on-failure {command:?} could not be run: {source}")]
    Start {
        /// The command.
        command: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It ended with trouble.
    #[error("--on-failure {command:?} ended with {status}")]
    Ended {
        /// The command.
        command: String,
        /// How.
        status: ExitStatus,
    },
    /// It did not end.
    #[error("--on-failure {command:?} was ended after {} min", MOST.as_secs() / 60)]
    TooLong {
        /// The command.
        command: String,
    },
}

/// Runs `sh -c COMMAND`. The bundle's folder is `$1` and `TAPWRIGHT_BUNDLE`; `TAPWRIGHT_CASE`, `TAPWRIGHT_VERDICT` and
/// `TAPWRIGHT_REASON` tell the rest. What it prints goes to stderr.
///
/// # Errors
/// It could not be run, ended with trouble, or did not end in time.
pub async fn run_hook(command: &str, case: &CaseReport, bundle: &Path, root: &Path) -> Result<(), HookError> {
    let named = || command.to_owned();
    let child = Command::new("sh")
        .args(["-c", command, "sh"])
        .arg(bundle)
        .env("TAPWRIGHT_BUNDLE", bundle)
        .env("TAPWRIGHT_CASE", case.id.as_str())
        .env("TAPWRIGHT_VERDICT", case.verdict.word())
        .env("TAPWRIGHT_REASON", &case.reason)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::from(std::io::stderr()))
        .kill_on_drop(true)
        .spawn();
    let mut child = child.map_err(|source| HookError::Start { command: named(), source })?;
    match timeout(MOST, child.wait()).await {
        Err(_) => Err(HookError::TooLong { command: named() }),
        Ok(Err(source)) => Err(HookError::Start { command: named(), source }),
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(HookError::Ended { command: named(), status }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::case;

    #[tokio::test]
    async fn the_command_gets_the_bundle_and_its_trouble_is_told() {
        let root = tempfile::tempdir().unwrap();
        let failed = case("A-1", "f");
        let command = "echo \"$1 $TAPWRIGHT_BUNDLE $TAPWRIGHT_CASE $TAPWRIGHT_VERDICT $TAPWRIGHT_REASON\" > said";
        run_hook(command, &failed, Path::new("/b c"), root.path()).await.unwrap();
        assert_eq!(std::fs::read_to_string(root.path().join("said")).unwrap(), "/b c /b c A-1 failed f\n");
        let error = run_hook("exit 7", &failed, Path::new("b"), root.path()).await.unwrap_err().to_string();
        assert!(error.contains("exit 7") && error.contains('7'), "{error}");
    }
}
