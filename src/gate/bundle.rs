//! A folder with all that is needed to look into a case that did not pass, without the machine it ran on.

use super::{CaseReport, Changes, GateVerdict, Manifest};
use crate::run::FAILING_FILE;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// When a case passed last, and what has changed since.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LastPass {
    /// The gate it passed in.
    pub gate_id: String,
    /// The revision that was checked out then.
    pub revision: String,
    /// What is different now; empty also where git cannot tell.
    pub changed_files: Vec<String>,
}

impl LastPass {
    /// The latest of these gates, the latest first, in which the case passed and the revision was known.
    pub fn find(case: &CaseReport, earlier: &[Manifest], root: &Path) -> Option<Self> {
        let passed = |manifest: &&Manifest| {
            manifest
                .case(&case.id)
                .is_some_and(|case| matches!(case.verdict, GateVerdict::Passed | GateVerdict::Repaired))
                && manifest.revision.is_some()
        };
        let gate = earlier.iter().find(passed)?;
        let revision = gate.revision.clone()?;
        let changes = Changes::since(root, &revision).inspect_err(|error| tracing::info!("{error}"));
        let changed_files = changes.map(|changes| changes.paths).unwrap_or_default();
        Some(Self { gate_id: gate.gate_id.clone(), revision, changed_files })
    }
}

/// Makes bundles.
#[derive(Debug, Clone)]
pub struct Bundler {
    /// The workspace; paths of runs are relative to it.
    pub root: PathBuf,
    /// Where scripts are.
    pub scripts: PathBuf,
    /// Where bundles go, a folder for each case.
    pub folder: PathBuf,
    /// The revision that is checked out.
    pub revision: Option<String>,
}

impl Bundler {
    /// Puts the bundle of a case together: `failure.json`, `README.md`, `recording/`, and `script/` where it has one. No
    /// value of a secret is in it.
    ///
    /// # Errors
    /// A file cannot be copied or written.
    pub fn bundle(&self, case: &CaseReport, last_pass: Option<&LastPass>) -> io::Result<PathBuf> {
        let folder = self.folder.join(case.id.as_str());
        std::fs::create_dir_all(&folder)?;
        let recorded = case.telling().and_then(|attempt| Some((attempt, self.root.join(attempt.folder.as_ref()?))));
        if let Some((_, run)) = recorded.as_ref().filter(|(_, run)| run.is_dir()) {
            copy(run, &folder.join("recording"))?;
        }
        let script = self.scripts.join(case.id.as_str());
        if script.is_dir() {
            copy(&script, &folder.join("script"))?;
        }
        let expectations = recorded.as_ref().map(|(_, run)| expectations(run)).unwrap_or_default();
        let failing = Path::new("recording").join(FAILING_FILE);
        let failing = folder.join(&failing).is_file().then_some(failing);
        let told = self.failure(case, &expectations, last_pass, failing.as_deref());
        let text = serde_json::to_string_pretty(&told).map_err(io::Error::other)?;
        std::fs::write(folder.join("failure.json"), text + "\n")?;
        std::fs::write(folder.join("README.md"), readme(case, failing.as_deref(), script.is_dir()))?;
        Ok(folder)
    }

    fn failure(
        &self,
        case: &CaseReport,
        expectations: &[Value],
        last_pass: Option<&LastPass>,
        script: Option<&Path>,
    ) -> Value {
        let result = case.telling().and_then(|attempt| attempt.result.as_ref());
        let steps: Vec<Value> = result
            .iter()
            .flat_map(|result| &result.steps)
            .map(|step| {
                json!({"index": step.index, "instruction": step.instruction, "verdict": step.verdict, "reason": step.reason})
            })
            .collect();
        json!({
            "schema": 1,
            "case_id": case.id,
            "title": case.title,
            "file": case.file,
            "verdict": case.verdict,
            "reason": case.reason,
            "device": result.map(|result| &result.device),
            "apps": result.map(|result| &result.apps),
            "script": script,
            "steps": steps,
            "expectations": expectations,
            "attempts": case.attempts,
            "revision": self.revision,
            "last_pass": last_pass,
        })
    }
}

/// What was expected and what was found, as the run's events tell it.
fn expectations(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("events.jsonl")).unwrap_or_default();
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let checked = events.filter(|event| event["event"] == "expectation_checked");
    checked.map(|mut event| event["outcome"].take()).collect()
}

fn readme(case: &CaseReport, failing: Option<&Path>, has_script: bool) -> String {
    let again = failing.map(|script| {
        let told = match case.verdict {
            GateVerdict::Blocked => "what was done until it stopped; its verdict says nothing",
            _ => "the way to the failure, without a model",
        };
        format!("tapwright replay {:<32}  # {told}\n", script.display())
    });
    let again = again.unwrap_or_default();
    let replay = if has_script { "tapwright replay script/<PROFILE>.toml        # what used to work\n" } else { "" };
    format!(
        "# {id}: {verdict}\n\n{title}\n\n{reason}\n\n`recording/report.html` shows what happened, `failure.json` tells it to a program.\n\n```sh\n\
         tapwright run {file}\n{again}{replay}tapwright emulate --recording recording --connect     # a device that shows the app as it was seen; --at N begins at action N\n```\n",
        id = case.id,
        verdict = case.verdict,
        title = case.title,
        reason = case.reason,
        file = case.file.display(),
    )
}

/// Copies a folder with all that is in it. Links are left out.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::{case, manifest};

    #[test]
    fn a_bundle_has_recording_script_and_what_was_expected() {
        let root = tempfile::tempdir().unwrap();
        let run = root.path().join("runs/A-1/0190-a");
        std::fs::create_dir_all(run.join("screens")).unwrap();
        std::fs::create_dir_all(root.path().join("scripts/A-1")).unwrap();
        std::fs::write(run.join("screens/a.png"), "png").unwrap();
        std::fs::write(root.path().join("scripts/A-1/default.toml"), "format = 1").unwrap();
        let event =
            r#"{"event":"expectation_checked","outcome":{"expectation":"visible: Done","held":false,"evidence":"e"}}"#;
        std::fs::write(run.join("events.jsonl"), event).unwrap();
        let bundler = Bundler {
            root: root.path().to_owned(),
            scripts: root.path().join("scripts"),
            folder: root.path().join("bundles"),
            revision: Some("abc".into()),
        };
        let earlier = [manifest(&[("A-1", "f")]), manifest(&[("A-2", "p")]), manifest(&[("A-1", "p")])];
        let failed = case("A-1", "f");
        let last = LastPass::find(&failed, &earlier, root.path()).unwrap();
        let folder = bundler.bundle(&failed, Some(&last)).unwrap();
        for file in ["recording/screens/a.png", "script/default.toml", "README.md"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
        let told: Value = serde_json::from_slice(&std::fs::read(folder.join("failure.json")).unwrap()).unwrap();
        assert_eq!(told["expectations"][0]["held"], false);
        assert_eq!(told["verdict"], "failed");
        assert_eq!(told["last_pass"]["revision"], "0123456789abcdef0123456789abcdef01234567");
        assert!(LastPass::find(&failed, &earlier[..2], root.path()).is_none());
    }
}
