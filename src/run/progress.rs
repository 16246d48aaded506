//! How far a replay came, kept beside its recording, so that a later one may go on from there.

use super::ConnectedDevice;
use super::executor::Run;
use super::request::LaunchError;
use crate::domain::CaseId;
use crate::script::Script;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in a run's folder.
pub(super) const FILE: &str = "progress.json";

/// How far a replay came, and what it was a replay of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Digest of the script.
    pub(super) script: String,
    /// The device's serial.
    pub(super) serial: String,
    /// The app's version name, where it has one.
    pub(super) app: Option<String>,
    /// Actions that were carried out or left out, from the script's first.
    pub(super) performed: usize,
}

impl Progress {
    /// That of the latest replay of a case under `runs`; none where there is none that can be read.
    pub(super) fn latest(runs: &Path, case_id: &CaseId) -> Option<Self> {
        let entries = std::fs::read_dir(runs.join(case_id.as_str())).ok()?;
        let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        // The names of runs sort by the time they began.
        folders.sort();
        let read = |folder: &std::path::PathBuf| std::fs::read(folder.join(FILE)).ok();
        folders.iter().rev().find_map(|folder| serde_json::from_slice(&read(folder)?).ok())
    }

    /// Why a replay of `now` must not begin with the action `from` (from 0), if it must not.
    fn refusal(before: Option<&Self>, now: &Self, from: usize) -> Option<String> {
        let again = "replay it from its start, without --from";
        let Some(before) = before else {
            return Some(format!("no replay of it is recorded here, so there is nothing to go on with: {again}"));
        };
        if before.script != now.script {
            return Some(format!("the script was changed since it was replayed last: {again}"));
        }
        if before.serial != now.serial {
            return Some(format!("it was replayed last on {}, not on {}: {again}", before.serial, now.serial));
        }
        if before.app != now.app {
            let told = |version: &Option<String>| version.clone().unwrap_or_else(|| "an unknown version".to_owned());
            let (was, is) = (told(&before.app), told(&now.app));
            return Some(format!("the app was {was} when it was replayed last and is {is} now: {again}"));
        }
        let most = before.performed + 1;
        (from + 1 > most).then(|| {
            let (came, from) = (before.performed, from + 1);
            format!(
                "the last replay carried {came} actions out, so one can go on at {most} at the latest, not at {from}"
            )
        })
    }
}

impl Run<'_> {
    /// Keeps how far a replay came, for one that goes on from there.
    pub(super) fn keep_progress(&mut self, script: &Script, performed: usize) {
        let serial = self.context.connected.info.serial.to_string();
        let progress = Progress { script: script.digest(), serial, app: self.app_version.clone(), performed };
        match serde_json::to_string(&progress) {
            Ok(text) => self.recorder.keep_file(FILE, text),
            Err(error) => tracing::error!(%error, "how far the replay came cannot be kept"),
        }
    }
}

/// Fails where a replay of `script` on a device must not begin with the action `from` (from 0).
pub(super) async fn check_resume(
    script: &Script,
    connected: &ConnectedDevice,
    runs: Option<&Path>,
    from: usize,
) -> Result<(), LaunchError> {
    let refused = |why: String| LaunchError::Request(format!("{}: {why}", script.case_id));
    if from >= script.actions.len() {
        let most = script.actions.len();
        return Err(refused(format!("it has {most} actions, so it cannot begin with number {}", from + 1)));
    }
    if !script.actors.is_empty() {
        return Err(refused("a script of several devices begins at its start".to_owned()));
    }
    let version = connected.device.installed_version(&script.app.package).await;
    let version = version.map_err(|error| LaunchError::Infrastructure(error.to_string()))?;
    let now = Progress {
        script: script.digest(),
        serial: connected.info.serial.to_string(),
        app: version,
        performed: script.actions.len(),
    };
    let before = runs.and_then(|runs| Progress::latest(runs, &script.case_id));
    Progress::refusal(before.as_ref(), &now, from).map_or(Ok(()), |why| Err(refused(why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(script: &str, app: &str, performed: usize) -> Progress {
        Progress { script: script.into(), serial: "s".into(), app: Some(app.into()), performed }
    }

    #[test]
    fn a_replay_goes_on_only_where_nothing_changed_since_and_no_further_than_the_last_one_came() {
        let check = |before: Option<Progress>, from: usize, expected: Option<&str>| {
            let now = progress("aa", "1.0", 9);
            let told = Progress::refusal(before.as_ref(), &now, from);
            match expected {
                None => assert_eq!(told, None),
                Some(part) => assert!(told.as_ref().is_some_and(|told| told.contains(part)), "{told:?}"),
            }
        };
        check(Some(progress("aa", "1.0", 4)), 4, None);
        check(Some(progress("aa", "1.0", 4)), 2, None);
        check(Some(progress("aa", "1.0", 4)), 5, Some("at 5 at the latest, not at 6"));
        check(Some(progress("bb", "1.0", 4)), 4, Some("the script was changed"));
        check(Some(progress("aa", "2.0", 4)), 4, Some("the app was 2.0 when it was replayed last and is 1.0 now"));
        check(Some(Progress { serial: "t".into(), ..progress("aa", "1.0", 4) }), 4, Some("on t, not on s"));
        check(None, 1, Some("nothing to go on with"));
    }

    #[test]
    fn the_latest_replay_counts() {
        let folder = tempfile::tempdir().unwrap();
        let id = CaseId::new("A-1").unwrap();
        assert_eq!(Progress::latest(folder.path(), &id), None);
        for (run, text) in [
            ("01", serde_json::to_string(&progress("aa", "1", 1)).unwrap()),
            ("02", serde_json::to_string(&progress("aa", "1", 2)).unwrap()),
            ("03", "{".to_owned()),
        ] {
            let run = folder.path().join("A-1").join(run);
            std::fs::create_dir_all(&run).unwrap();
            std::fs::write(run.join(FILE), text).unwrap();
        }
        assert_eq!(Progress::latest(folder.path(), &id).unwrap().performed, 2);
    }
}
