//! What a workspace has to offer: cases, device profiles, proposals of repairs. The daemon asks here; it reads no files.

use super::launcher::CaseLauncher;
use super::request::LaunchError;
use crate::case::{Case, ParameterValue, names_path};
use crate::domain::{CaseId, DeviceSerial, PackageName};
use crate::script::{Script, Side, accept, diff, pictures_of, reject};
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A case, as far as whoever hands it in must know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseCard {
    /// Its id.
    pub id: CaseId,
    /// One line for people.
    pub title: String,
    /// Names to select it by.
    pub tags: Vec<String>,
    /// The folders it lies in, below a folder of cases: `pay`, `pay/cards`.
    pub suites: Vec<String>,
    /// What touches it, as patterns of paths.
    pub touches: Vec<String>,
    /// Its parameters.
    pub params: Vec<ParamCard>,
}

impl CaseCard {
    /// Whether the case says of itself that a change of one of these paths touches it.
    pub fn is_touched_by(&self, paths: &[String]) -> bool {
        self.touches.iter().any(|pattern| paths.iter().any(|path| names_path(pattern, path)))
    }
}

/// A parameter of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamCard {
    /// Its name.
    pub name: String,
    /// Its value in the case; `None` for a secret.
    pub value: Option<String>,
}

/// What a connected device is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceTraits {
    /// The profile that matches it.
    pub profile: String,
    /// The language its system is set to.
    pub locale: String,
}

/// A repair that waits to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalCard {
    /// Its case.
    pub case_id: CaseId,
    /// The profile of its script.
    pub profile: String,
    /// What it does otherwise, a line each, marked `-`, `+` or with a blank.
    pub changes: Vec<String>,
    /// Names of the pictures beside it, from before and after each change: `phone.1-before.png`.
    pub pictures: Vec<String>,
}

/// What is done with proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalJudgement {
    /// They become the scripts of the case.
    Accept,
    /// They go; the scripts stay.
    Reject,
}

/// What a workspace has to offer.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// All cases that can be read, by id. Looks at all files, and reads those that were changed.
    fn cases(&self) -> Result<Vec<CaseCard>, LaunchError>;

    /// The titles of cases by id, as they were some seconds ago.
    fn titles(&self) -> Result<BTreeMap<CaseId, String>, LaunchError>;

    /// Names of the device profiles.
    fn profiles(&self) -> Vec<String>;

    /// What a connected device is.
    async fn traits_of(&self, serial: &DeviceSerial) -> Result<DeviceTraits, LaunchError>;

    /// The version of a case's app on a device; `None` where it is not installed.
    async fn app_version(&self, case_id: &CaseId, serial: &DeviceSerial) -> Result<Option<String>, LaunchError>;

    /// What waits to be judged. Reads files.
    fn proposals(&self) -> Result<Vec<ProposalCard>, LaunchError>;

    /// A picture beside a proposal, by its name in [`ProposalCard::pictures`]; `None` for any other name. Reads a file.
    fn proposal_picture(&self, case_id: &CaseId, profile: &str, name: &str) -> Result<Option<Vec<u8>>, LaunchError> {
        let _ = (case_id, profile, name);
        Ok(None)
    }

    /// Judges the proposals of a case; how many there were. Writes files.
    fn judge(&self, case_id: &CaseId, judgement: ProposalJudgement) -> Result<usize, LaunchError>;
}

/// The catalog of a workspace's folders.
pub struct WorkspaceCatalog {
    /// Knows cases and connects devices.
    pub launcher: Arc<CaseLauncher>,
    /// Names of the device profiles.
    pub profiles: Vec<String>,
    /// Scripts: `<case id>/<profile>.toml`.
    pub scripts: PathBuf,
}

impl WorkspaceCatalog {
    fn package(&self, case_id: &CaseId) -> Result<PackageName, LaunchError> {
        let request = super::RunRequest {
            case_id: case_id.clone(),
            device: None,
            actors: [].into(),
            params: [].into(),
            seed: 0,
            location: None,
        };
        self.launcher.find(&request).map(|case| case.app.package)
    }
}

#[async_trait]
impl Catalog for WorkspaceCatalog {
    fn cases(&self) -> Result<Vec<CaseCard>, LaunchError> {
        let roots = self.launcher.present_roots();
        let mut cards: Vec<CaseCard> = self.launcher.renewed_index()?.cases().map(|case| card(case, &roots)).collect();
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(cards)
    }

    fn titles(&self) -> Result<BTreeMap<CaseId, String>, LaunchError> {
        let index = self.launcher.recent_index()?;
        Ok(index.cases().map(|case| (case.id.clone(), case.title.clone())).collect())
    }

    fn profiles(&self) -> Vec<String> {
        self.profiles.clone()
    }

    async fn traits_of(&self, serial: &DeviceSerial) -> Result<DeviceTraits, LaunchError> {
        let connected = self.launcher.connector.connect(serial).await;
        let connected = connected.map_err(|error| LaunchError::Infrastructure(error.to_string()))?;
        Ok(DeviceTraits { profile: connected.profile, locale: connected.info.locale })
    }

    async fn app_version(&self, case_id: &CaseId, serial: &DeviceSerial) -> Result<Option<String>, LaunchError> {
        let package = self.package(case_id)?;
        let missing = |error: &dyn std::fmt::Display| LaunchError::Infrastructure(error.to_string());
        let connected = self.launcher.connector.connect(serial).await.map_err(|error| missing(&error))?;
        connected.device.installed_version(&package).await.map_err(|error| missing(&error))
    }

    fn proposals(&self) -> Result<Vec<ProposalCard>, LaunchError> {
        proposals_in(&self.scripts)
    }

    fn proposal_picture(&self, case_id: &CaseId, profile: &str, name: &str) -> Result<Option<Vec<u8>>, LaunchError> {
        picture_of(&self.scripts, case_id, profile, name)
    }

    fn judge(&self, case_id: &CaseId, judgement: ProposalJudgement) -> Result<usize, LaunchError> {
        let judged = match judgement {
            ProposalJudgement::Accept => accept(&self.scripts, case_id),
            ProposalJudgement::Reject => reject(&self.scripts, case_id),
        };
        judged.map(|paths| paths.len()).map_err(|error| LaunchError::Request(error.to_string()))
    }
}

fn card(case: &Case, roots: &[PathBuf]) -> CaseCard {
    let below = roots.iter().find_map(|root| case.path.strip_prefix(root).ok()).and_then(Path::parent);
    let mut suites = Vec::new();
    for part in below.into_iter().flat_map(Path::components) {
        let part = part.as_os_str().to_string_lossy();
        suites.push(match suites.last() {
            Some(outer) => format!("{outer}/{part}"),
            None => part.into_owned(),
        });
    }
    let param = |(name, value): (&str, &ParameterValue)| ParamCard {
        name: name.to_owned(),
        value: match value {
            ParameterValue::Plain(value) => Some(value.clone()),
            ParameterValue::Secret(_) => None,
        },
    };
    CaseCard {
        touches: case.touches.clone(),
        id: case.id.clone(),
        title: case.title.clone(),
        tags: case.tags.clone(),
        suites,
        params: case.params.iter().map(param).collect(),
    }
}

/// The proposals in a folder of scripts. A pipe is none: whoever opened it would wait for ever.
fn proposals_in(scripts: &Path) -> Result<Vec<ProposalCard>, LaunchError> {
    let mut cards = Vec::new();
    for folder in entries(scripts)? {
        let Some(case_id) = folder.file_name().and_then(|name| CaseId::new(name.to_str()?).ok()) else { continue };
        for proposed in entries(&folder.join("proposed"))? {
            let Some(profile) = proposed.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if proposed.extension().is_some_and(|extension| extension == "toml") && proposed.is_file() {
                let profile = profile.to_owned();
                let changes = changes(&folder.join(format!("{profile}.toml")), &proposed);
                let beside = pictures_of(&folder.join("proposed"), &profile);
                let pictures = beside.iter().filter_map(|path| name_of(path)).map(str::to_owned).collect();
                cards.push(ProposalCard { case_id: case_id.clone(), profile, changes, pictures });
            }
        }
    }
    Ok(cards)
}

/// A picture beside a proposal: only what the proposal itself names is read.
fn picture_of(scripts: &Path, case_id: &CaseId, profile: &str, name: &str) -> Result<Option<Vec<u8>>, LaunchError> {
    let beside = pictures_of(&scripts.join(case_id.as_str()).join("proposed"), profile);
    let Some(path) = beside.into_iter().find(|path| name_of(path) == Some(name)) else { return Ok(None) };
    let failed = |error| LaunchError::Infrastructure(format!("{}: {error}", path.display()));
    std::fs::read(&path).map(Some).map_err(failed)
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// What a proposal does otherwise; why that cannot be said.
fn changes(earlier: &Path, proposed: &Path) -> Vec<String> {
    let read = |path: &Path| Script::read(path).map_err(|error| error.to_string());
    let told = |(earlier, later): (Script, Script)| {
        let mark = |side: Side| side.mark();
        diff(&earlier, &later).into_iter().map(|line| format!("{} {}", mark(line.side), line.text)).collect()
    };
    match read(earlier).and_then(|earlier| Ok((earlier, read(proposed)?))) {
        Ok(both) => told(both),
        Err(reason) => vec![format!("! {reason}")],
    }
}

/// What is in a folder, by name; nothing where there is none.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, LaunchError> {
    let failed = |error: std::io::Error| LaunchError::Infrastructure(format!("{}: {error}", folder.display()));
    let found = match std::fs::read_dir(folder) {
        Ok(found) => found,
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut paths = Vec::new();
    for entry in found {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_a_proposal_are_named_and_nothing_else_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let proposed = folder.path().join("PAY-0001/proposed");
        std::fs::create_dir_all(&proposed).unwrap();
        std::fs::write(proposed.join("phone.toml"), "format = 1\n").unwrap();
        for name in
            ["phone.1-before.png", "phone.1-after.png", "phone.2-after.png", "tablet.1-after.png", "phone.x-after.png"]
        {
            std::fs::write(proposed.join(name), name).unwrap();
        }
        std::fs::write(folder.path().join("secret.png"), "secret").unwrap();
        let found = proposals_in(folder.path()).unwrap();
        assert_eq!(found[0].pictures, ["phone.1-after.png", "phone.1-before.png", "phone.2-after.png"]);
        let case_id = CaseId::new("PAY-0001").unwrap();
        let read = |name: &str| picture_of(folder.path(), &case_id, "phone", name).unwrap();
        assert_eq!(read("phone.1-before.png").as_deref(), Some("phone.1-before.png".as_bytes()));
        for name in ["tablet.1-after.png", "phone.toml", "../../secret.png", "phone.9-after.png", ""] {
            assert_eq!(read(name), None, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_neither_a_proposal_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("PAY-0001");
        std::fs::create_dir_all(own.join("proposed")).unwrap();
        std::fs::write(own.join("proposed/tablet.toml"), "format = 1\n").unwrap();
        let pipes = ["proposed/phone.toml", "tablet.toml"].map(|name| own.join(name));
        assert!(std::process::Command::new("mkfifo").args(&pipes).status().unwrap().success());
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::spawn(move || told.send(proposals_in(folder.path())));
        let found = heard.recv_timeout(std::time::Duration::from_secs(20)).expect("a pipe is read").unwrap();
        let [only] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(only.profile, "tablet");
        assert!(only.changes[0].ends_with("tablet.toml: it is no plain file"), "{:?}", only.changes);
    }
}
