//! `manifest.json`: what a gate ran and what came of it, for machines and for the gates after it.

use super::{Attempt, Comparison, GateError, GateVerdict, Judged, Spent, Try};
use crate::domain::{CaseId, DeviceSerial};
use crate::report::write_whole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of the form.
const SCHEMA: u32 = 1;

/// What a gate ran; its JSON form is a published contract (`schema` counts its version).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// Version of this form; 1.
    pub schema: u32,
    /// The gate; ids sort by the time they began.
    pub gate_id: String,
    /// Version of Tapwright.
    pub tapwright: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// How long it took.
    pub seconds: f64,
    /// The revision that was checked out; absent outside a repository.
    pub revision: Option<String>,
    /// `script` or `agent`.
    pub policy: String,
    /// How the cases were chosen, in words.
    pub selection: String,
    /// The devices.
    pub devices: Vec<DeviceReport>,
    /// Why it ended before all was run; absent where it did not.
    pub stopped: Option<String>,
    /// Every selected case, in the order selected.
    pub cases: Vec<CaseReport>,
    /// What is different from the baseline; absent without one.
    #[serde(default)]
    pub comparison: Option<Comparison>,
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// The case.
    #[schemars(with = "String")]
    pub id: CaseId,
    /// Its title.
    pub title: String,
    /// Its file, relative to the workspace where possible.
    pub file: PathBuf,
    /// How it ended.
    pub verdict: GateVerdict,
    /// Why, in one sentence; empty for a pass there is nothing to say of.
    pub reason: String,
    /// From the first try to the last, devices' time.
    pub seconds: f64,
    /// Everything that was tried, in order.
    pub attempts: Vec<Attempt>,
    /// The folder with all that is needed to look into it; only with `--on-failure`.
    #[serde(default)]
    pub bundle: Option<PathBuf>,
}

/// What a device did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceReport {
    /// Its serial.
    #[schemars(with = "String")]
    pub serial: DeviceSerial,
    /// Tries it took part in.
    pub tries: u32,
    /// How long it was busy.
    pub busy_seconds: f64,
    /// Why it got no more cases; absent where it did.
    pub set_aside: Option<String>,
}

impl DeviceReport {
    /// What a device did.
    pub fn of(serial: &DeviceSerial, spent: &Spent) -> Self {
        Self {
            serial: serial.clone(),
            tries: spent.tries,
            busy_seconds: spent.busy.as_secs_f64(),
            set_aside: spent.set_aside.clone(),
        }
    }
}

impl CaseReport {
    /// What the tries of a case came to; `judged` where that is known already.
    pub fn of(id: &CaseId, title: &str, file: PathBuf, tries: &[Try], judged: Option<Judged>) -> Self {
        let Judged { verdict, reason } = judged.unwrap_or_else(|| super::judge(tries));
        let attempts: Vec<Attempt> = tries.iter().flat_map(|one| one.attempts.iter().cloned()).collect();
        let seconds = attempts.iter().map(|attempt| attempt.seconds).sum();
        Self { id: id.clone(), title: title.to_owned(), file, verdict, reason, seconds, attempts, bundle: None }
    }

    /// The attempt to look into: the last one that ended as the case did, else the last one that did not pass.
    pub fn telling(&self) -> Option<&Attempt> {
        let alike = self.attempts.iter().rev().find(|attempt| GateVerdict::from(attempt.verdict) == self.verdict);
        let bad = || self.attempts.iter().rev().find(|attempt| GateVerdict::from(attempt.verdict).is_bad());
        alike.or_else(bad).or(self.attempts.last())
    }
}

impl Manifest {
    /// How many cases ended so.
    pub fn count(&self, verdict: GateVerdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    /// How much of the gate's time its devices were busy, from 0 to 1; `None` with one device, or where no time passed.
    pub fn busy_share(&self) -> Option<f64> {
        let busy: f64 = self.devices.iter().map(|device| device.busy_seconds).sum();
        let whole = self.devices.len() as f64 * self.seconds;
        (self.devices.len() > 1 && whole > 0.0).then(|| (busy / whole).min(1.0))
    }

    /// The case with this id.
    pub fn case(&self, id: &CaseId) -> Option<&CaseReport> {
        self.cases.iter().find(|case| case.id == *id)
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// The file cannot be read, is none, or is of a newer form.
    pub fn read(path: &Path) -> Result<Self, GateError> {
        #[derive(Deserialize)]
        struct Form {
            schema: u32,
        }
        let refused = |reason: String| GateError::Manifest { path: path.to_owned(), reason };
        let text = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        let form: Form = serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))?;
        if form.schema != SCHEMA {
            let (found, known) = (form.schema, SCHEMA);
            return Err(refused(format!("it has form {found}, and this build reads form {known}: update Tapwright")));
        }
        serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), GateError> {
        let mut text = serde_json::to_vec_pretty(self).map_err(crate::report::ReportError::from)?;
        text.push(b'\n');
        Ok(write_whole(path, &text)?)
    }
}

/// The folder of a gate: `<output>/gates/<gate id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateFolder {
    /// The gate's id.
    pub id: String,
    /// Its folder.
    pub path: PathBuf,
}

impl GateFolder {
    /// A new one under `output`; made when it is first written to.
    pub fn new(output: &Path) -> Self {
        let id = uuid::Uuid::now_v7().to_string();
        Self { path: output.join("gates").join(&id), id }
    }

    /// Its manifest.
    pub fn manifest(&self) -> PathBuf {
        self.path.join("manifest.json")
    }

    /// Its page.
    pub fn page(&self) -> PathBuf {
        self.path.join("index.html")
    }

    /// What the agent recorded on the way: proposals, for a gate changes no script of the workspace.
    pub fn scripts(&self) -> PathBuf {
        self.path.join("scripts")
    }
}

/// The manifest of the latest gate under `output` that can be read.
///
/// # Errors
/// There is none.
pub fn latest(output: &Path) -> Result<(PathBuf, Manifest), GateError> {
    earlier(output).next().ok_or_else(|| GateError::NoEarlierGate { folder: output.join("gates") })
}

/// The manifests of all gates under `output`, the latest first.
pub fn earlier(output: &Path) -> impl Iterator<Item = (PathBuf, Manifest)> {
    let entries = std::fs::read_dir(output.join("gates")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("manifest.json")))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    files.into_iter().rev().filter_map(|file| {
        let manifest = Manifest::read(&file).inspect_err(|error| tracing::warn!("{error}")).ok()?;
        Some((file, manifest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::manifest;

    #[test]
    fn a_manifest_is_read_back_as_it_was_and_the_latest_one_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let error = latest(folder.path()).unwrap_err().to_string();
        assert!(error.contains("no earlier gate") && error.contains("without --last-failed"), "{error}");
        for (id, tries) in [("0001", "p"), ("0002", "f p"), ("0003", "x")] {
            let path = folder.path().join("gates").join(id);
            std::fs::create_dir_all(&path).unwrap();
            manifest(&[("A-1", tries)]).write(&path.join("manifest.json")).unwrap();
        }
        std::fs::write(folder.path().join("gates/0003/manifest.json"), "{").unwrap();
        let (path, read) = latest(folder.path()).unwrap();
        assert!(path.ends_with("gates/0002/manifest.json"), "{}", path.display());
        assert_eq!(read, manifest(&[("A-1", "f p")]));
        assert_eq!(read.cases[0].attempts.len(), 2);
    }

    #[test]
    fn what_is_no_manifest_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.json");
        for (text, part) in [
            (None, "No such file"),
            (Some("{"), "EOF"),
            (Some("{}"), "schema"),
            (Some("{\"schema\": 2}"), "update Tapwright"),
            (Some("{\"schema\": 1}"), "gate_id"),
        ] {
            if let Some(text) = text {
                std::fs::write(&path, text).unwrap();
            }
            let error = Manifest::read(&path).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("m.json"), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_attempt_to_look_into_is_one_that_tells_the_verdict() {
        for (tries, expected) in [("p", 1), ("f e", 1), ("b f f", 3), ("f p", 1), ("p p f p", 3)] {
            let case = crate::gate::sample::case("A-1", tries);
            assert_eq!(case.telling().unwrap().number, expected, "{tries}");
        }
    }
}
