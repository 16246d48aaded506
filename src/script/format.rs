//! The script file: TOML a person can read, review and diff.

use super::change_page::{CHANGES, ChangePage, pictures_of, remove, words_of};
use super::seal::Seal;
use crate::domain::{CaseId, Direction, Expectation, PackageName, Place, Point, Rect, Selector};
use crate::hierarchy::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Version of the format of a script for one device.
pub(super) const FORMAT: u32 = 1;
/// The same for one that several actors share, each on a device of their own.
pub(super) const COMPANY_FORMAT: u32 = 2;

/// A persistent script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Version of the format: 1, or 2 for several devices.
    pub format: u32,
    /// The case it was recorded from.
    pub case_id: CaseId,
    /// The case's title.
    pub title: String,
    /// The device profile it was recorded on.
    pub profile: String,
    /// RFC 3339, UTC.
    pub recorded_at: String,
    /// Version of Tapwright that recorded it.
    pub tapwright: String,
    /// Names of the secrets that must be given to replay it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// What shows that it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
    /// The app.
    pub app: AppView,
    /// The display it was recorded on.
    pub device: DisplayView,
    /// Who acts, by name, where it takes several devices; `app` and `device` are then those of the first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actors: BTreeMap<String, ScriptActor>,
    /// What to do, in order.
    #[serde(default, rename = "action", skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ScriptAction>,
    /// What must hold at the end.
    #[serde(default, rename = "expect", skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<Expectation>,
}

/// Someone who acts on a device of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptActor {
    /// The device profile it was recorded on.
    pub profile: String,
    /// The app they use.
    pub app: AppView,
    /// The display it was recorded on.
    pub device: DisplayView,
    /// What their device must show at the end.
    #[serde(default, rename = "expect", skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<Expectation>,
}

/// The app a script drives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppView {
    /// Application id.
    pub package: PackageName,
    /// Version name it was recorded with, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where the device was told that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Place>,
}

/// The display a script was recorded on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisplayView {
    /// `ro.product.model`.
    pub model: String,
    /// API level.
    pub api: u32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Dots per inch.
    pub density: u32,
    /// BCP 47 tag.
    pub locale: String,
}

/// One recorded action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptAction {
    /// The case's step, from 1.
    pub step: usize,
    /// The step's instruction.
    pub instruction: String,
    /// Who does it, where it takes several devices. Where it is another than before, the screen is waited for longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// How long its screen was waited for; a replay waits as long, and half as long again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    /// How long it was put off although it could have been done; a replay puts it off, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<u64>,
    /// It is left out where the screen of the next one that is not optional is there, and it itself is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The skill's name.
    pub skill: String,
    /// Fingerprint of the screen it was recorded on.
    pub before: Fingerprint,
    /// Fingerprint of the screen it led to.
    pub after: Fingerprint,
    /// Title of the screen it was recorded on, for the reader.
    pub screen: String,
    /// Plain text that was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Name of the secret that was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Direction of a scroll or a selector's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Area of a scroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Rect>,
    /// Package of an app that was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageName>,
    /// The ADB shell lines as they were sent, secrets masked.
    pub adb: Vec<String>,
    /// The widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ScriptTarget>,
    /// Where the keys of a numeric keypad were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, Point>,
    /// What must hold before it: what the steps before it checked.
    #[serde(default, rename = "check", skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Expectation>,
}

/// The widget of a recorded action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptTarget {
    /// What a person would call it.
    pub label: String,
    /// Bounds when recorded.
    pub bounds: Rect,
    /// Where it was touched.
    pub tap: Point,
    /// How to find it again.
    pub selector: Selector,
}

/// Why a script file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file system refused.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not a script.
    #[error("{path} is not a Tapwright script: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected.
        reason: String,
    },
    /// The file was written by a newer Tapwright.
    #[error(
        "{path} has script format {found}; this build reads formats {FORMAT} and {COMPANY_FORMAT}: record it again, or update Tapwright"
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The script could not be written as TOML.
    #[error("the script could not be written as TOML: {0}")]
    Serialise(#[from] toml::ser::Error),
}

const HEADER: &str = "# Recorded by Tapwright: replays without a model. `tapwright replay` finds each widget by its selector chain and\n# checks the screen's fingerprint first; the adb lines are what was sent when it was recorded.\n\n";

impl Script {
    /// The file's text.
    pub fn to_toml(&self) -> Result<String, ScriptError> {
        Ok(format!("{HEADER}{}", toml::to_string_pretty(self)?))
    }

    /// Reads a script file.
    pub fn read(path: &Path) -> Result<Self, ScriptError> {
        let failed = |source| ScriptError::File { path: path.to_owned(), source };
        // Whoever opened a pipe would wait for ever.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(std::io::Error::other("it is no plain file")));
        }
        Self::parse(path, &std::fs::read_to_string(path).map_err(failed)?)
    }

    /// Reads a script from text; `path` is used in errors only.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ScriptError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let malformed =
            |error: toml::de::Error| ScriptError::Malformed { path: path.to_owned(), reason: error.to_string() };
        let version: Version = toml::from_str(text).map_err(malformed)?;
        if ![FORMAT, COMPANY_FORMAT].contains(&version.format) {
            return Err(ScriptError::Format { path: path.to_owned(), found: version.format });
        }
        let script: Self = toml::from_str(text).map_err(malformed)?;
        match script.refused().or_else(|| script.broken()) {
            Some(reason) => Err(ScriptError::Malformed { path: path.to_owned(), reason }),
            None => Ok(script),
        }
    }

    /// Another app version, or other words of the case, change nothing of what is done.
    fn does_the_same_as(&self, other: &Self) -> bool {
        let Self { recorded_at, tapwright, app, actors, seal, .. } = other.clone();
        let mut own = Self { recorded_at, tapwright, seal, ..self.clone() };
        own.app.version = app.version;
        for (name, actor) in &mut own.actors {
            if let Some(other) = actors.get(name) {
                actor.app.version.clone_from(&other.app.version);
            }
        }
        own == *other
    }

    /// This script of record with a seal that names the case as it is now.
    fn resealed(self, seal: Option<&Seal>, path: &Path) -> Result<Self, ScriptError> {
        let case = |seal: Option<&Seal>| seal.map(|seal| (seal.case.clone(), seal.steps.clone()));
        if case(self.seal.as_ref()) == case(seal) {
            return Ok(self);
        }
        let sealed = self.sealed_as(seal);
        write_whole(path, sealed.to_toml()?.as_bytes(), 0o644)?;
        Ok(sealed)
    }

    /// Writes `<folder>/<case id>/<profile>.toml` and the `.sh` beside it, each to a temporary name first, and gives
    /// the path of the former. A script that does the same is left as it is. One that does something else is never
    /// overwritten, also where another run writes it just now: the new one is a proposal,
    /// `<folder>/<case id>/proposed/<profile>.toml`, until somebody accepts it.
    pub fn write(&self, folder: &Path) -> Result<Written, ScriptError> {
        let own = folder.join(self.case_id.as_str());
        let toml = own.join(format!("{}.toml", self.profile));
        if !toml.exists() && self.write_first(&own)? {
            return Ok(Written::OfRecord(toml));
        }
        // A review should see changes of what is done, not of when it was recorded.
        if let Some(kept) = Self::read(&toml).ok().filter(|kept| self.does_the_same_as(kept)) {
            let kept = kept.resealed(self.seal.as_ref(), &toml)?;
            let (shell, text) = (toml.with_extension("sh"), super::to_shell(&kept));
            if std::fs::read_to_string(&shell).ok().as_deref() != Some(text.as_str()) {
                write_whole(&shell, text.as_bytes(), 0o755)?;
            }
            return Ok(Written::OfRecord(toml));
        }
        let foreign = Self::read(&toml).ok().map(|kept| kept.case_id).filter(|kept| *kept != self.case_id);
        Ok(Written::Proposal(Proposal { foreign, ..self.propose(folder, None)? }))
    }

    /// Writes it as a proposal whatever is there, with a page beside it that tells what changed. A proposal that waits
    /// already and does something else is kept in `proposed/replaced`.
    pub fn propose(&self, folder: &Path, changes: Option<&ChangePage>) -> Result<Proposal, ScriptError> {
        let folder = folder.join(self.case_id.as_str()).join(PROPOSED);
        let path = folder.join(format!("{}.toml", self.profile));
        let mut replaced = None;
        if let Some(waits) = Self::read(&path).ok().filter(|waits| self.does_the_same_as(waits)) {
            waits.resealed(self.seal.as_ref(), &path)?;
        } else {
            // Another run may propose something at the same time.
            while !self.write_first(&folder)? {
                replaced = set_aside(&path)?.or(replaced);
            }
        }
        if let Some(changes) = changes {
            changes.write(&folder, &self.profile)?;
        }
        Ok(Proposal { path, replaced, foreign: None })
    }

    /// Puts this script in the place of the one in a file, with the `.sh` beside it.
    pub fn rewrite(&self, path: &Path) -> Result<(), ScriptError> {
        write_whole(path, self.to_toml()?.as_bytes(), 0o644)?;
        write_whole(&path.with_extension("sh"), super::to_shell(self).as_bytes(), 0o755)
    }

    /// Writes it into a folder that has none of this profile; false where there is one.
    fn write_first(&self, folder: &Path) -> Result<bool, ScriptError> {
        let toml = folder.join(format!("{}.toml", self.profile));
        let text = self.to_toml()?;
        std::fs::create_dir_all(folder).map_err(|source| ScriptError::File { path: folder.to_owned(), source })?;
        match whole(&toml, text.as_bytes(), 0o644)?.persist_noclobber(&toml) {
            Ok(_) => {}
            Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            Err(refused) => return Err(ScriptError::File { path: toml, source: refused.error }),
        }
        write_whole(&toml.with_extension("sh"), super::to_shell(self).as_bytes(), 0o755)?;
        Ok(true)
    }
}

/// Takes a proposal out of the way, with the page of its changes; where it is then, or none where it is gone already.
fn set_aside(proposal: &Path) -> Result<Option<PathBuf>, ScriptError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| ScriptError::File { path, source }
    };
    let folder = proposal.with_file_name(REPLACED);
    std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
    let profile = proposal.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut number = 1;
    let kept = loop {
        let kept = folder.join(format!("{profile}.{number}.toml"));
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&kept) {
            Ok(_) => break kept,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(failed(&kept)(error)),
        }
    };
    match std::fs::rename(proposal, &kept) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            std::fs::remove_file(&kept).map_err(failed(&kept))?;
            return Ok(None);
        }
        Err(error) => return Err(failed(proposal)(error)),
    }
    let page = proposal.with_file_name(format!("{profile}{CHANGES}"));
    if page.is_file() {
        let text = std::fs::read_to_string(&page).map_err(failed(&page))?;
        let kept = folder.join(format!("{profile}.{number}{CHANGES}"));
        write_whole(&kept, words_of(&text).as_bytes(), 0o644)?;
        std::fs::remove_file(&page).map_err(failed(&page))?;
        remove(&pictures_of(page.parent().unwrap_or_else(|| Path::new("")), profile))?;
    }
    Ok(Some(kept))
}

/// Folder of proposals, in a case's folder.
const PROPOSED: &str = "proposed";
/// Folder of proposals that others took the place of, among the proposals.
const REPLACED: &str = "replaced";
/// End of the name of the page that tells what was accepted, oldest first.
const LOG: &str = ".log.md";

/// Where a script was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// It is the script of the case and the profile.
    OfRecord(PathBuf),
    /// The script of record does something else and stays; this one waits for somebody to accept it.
    Proposal(Proposal),
}

/// A script that waits for somebody to accept it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The file.
    pub path: PathBuf,
    /// Where the proposal is kept that waited until now; `None` where none did, or one that does the same.
    pub replaced: Option<PathBuf>,
    /// The case that the script of record was recorded from, where it is another one.
    pub foreign: Option<CaseId>,
}

impl Written {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::OfRecord(path) | Self::Proposal(Proposal { path, .. }) => path,
        }
    }
}

/// Makes the proposals of a case its scripts of record; gives their paths. Those that others took the place of are thrown
/// away. `folder` holds the scripts of all cases.
pub fn accept(folder: &Path, case_id: &CaseId) -> Result<Vec<PathBuf>, ScriptError> {
    let own = folder.join(case_id.as_str());
    let proposed = own.join(PROPOSED);
    let mut accepted = Vec::new();
    for file in plain_files(&proposed) {
        let Some(name) = file.file_name() else { continue };
        if let Some(profile) = name.to_str().and_then(|name| name.strip_suffix(CHANGES)) {
            log(&file, &own.join(format!("{profile}{LOG}")))?;
            remove(&pictures_of(&proposed, profile))?;
            continue;
        }
        if file.extension().is_some_and(|extension| extension == "png") {
            continue;
        }
        let target = own.join(name);
        if file.extension().is_some_and(|extension| extension == "toml") {
            // What is no script must not take the place of one.
            Script::read(&file)?;
            accepted.push(target.clone());
        }
        std::fs::rename(&file, &target).map_err(|source| ScriptError::File { path: file.clone(), source })?;
    }
    discard_replaced(&proposed)?;
    // An empty folder says nothing; one that others write to just now may stay.
    let _still_in_use = std::fs::remove_dir(&proposed);
    accepted.sort();
    Ok(accepted)
}

/// The files of a folder of proposals.
fn proposals(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| !path.is_dir())
}

/// Throws away the proposals that others took the place of.
fn discard_replaced(proposed: &Path) -> Result<(), ScriptError> {
    let path = proposed.join(REPLACED);
    match std::fs::remove_dir_all(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(ScriptError::File { path, source }),
        _ => Ok(()),
    }
}

/// Adds what a proposal changed to the log of what was accepted. The log is whole at any time.
fn log(changes: &Path, log: &Path) -> Result<(), ScriptError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| ScriptError::File { path, source }
    };
    let new = words_of(&std::fs::read_to_string(changes).map_err(failed(changes))?);
    let old = match std::fs::read_to_string(log) {
        Ok(old) => format!("{old}\n"),
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(log)(error)),
    };
    write_whole(log, format!("{old}{new}").as_bytes(), 0o644)?;
    std::fs::remove_file(changes).map_err(failed(changes))
}

/// What the proposals of a case change, page by page; and what was accepted so far.
pub fn changes_of(folder: &Path, case_id: &CaseId) -> Result<Vec<(PathBuf, String)>, ScriptError> {
    let own = folder.join(case_id.as_str());
    let mut pages = Vec::new();
    for folder in [&own, &own.join(PROPOSED)] {
        let is_page = |file: &PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.ends_with(LOG) || name.ends_with(CHANGES)
        };
        for path in plain_files(folder).into_iter().filter(is_page) {
            let text =
                std::fs::read_to_string(&path).map_err(|source| ScriptError::File { path: path.clone(), source })?;
            pages.push((path, text));
        }
    }
    Ok(pages)
}

/// Throws the proposals of a case away; gives their paths. Its scripts of record stay.
pub fn reject(folder: &Path, case_id: &CaseId) -> Result<Vec<PathBuf>, ScriptError> {
    let proposed = folder.join(case_id.as_str()).join(PROPOSED);
    let mut rejected = Vec::new();
    for file in proposals(&proposed) {
        std::fs::remove_file(&file).map_err(|source| ScriptError::File { path: file.clone(), source })?;
        if file.extension().is_some_and(|extension| extension == "toml") {
            rejected.push(file);
        }
    }
    discard_replaced(&proposed)?;
    // An empty folder says nothing; one that others write to just now may stay.
    let _still_in_use = std::fs::remove_dir(&proposed);
    rejected.sort();
    Ok(rejected)
}

/// The plain files of a folder, by name; nothing where it cannot be read.
pub(super) fn plain_files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Temporary name in the same folder, fsync, rename: a reader never sees half a script.
pub(super) fn write_whole(path: &Path, bytes: &[u8], mode: u32) -> Result<(), ScriptError> {
    let failed = |source| ScriptError::File { path: path.to_owned(), source };
    whole(path, bytes, mode)?.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file in the folder of `path` that holds all of it.
fn whole(path: &Path, bytes: &[u8], mode: u32) -> Result<tempfile::NamedTempFile, ScriptError> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |source| ScriptError::File { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> ChangePage {
        ChangePage { text: text.to_owned(), pictures: Vec::new() }
    }

    fn script(recorded_at: &str, title: &str) -> Script {
        Script {
            format: FORMAT,
            case_id: CaseId::new("T-1").unwrap(),
            title: title.into(),
            profile: "default".into(),
            recorded_at: recorded_at.into(),
            tapwright: "0.1.0".into(),
            secrets: Vec::new(),
            seal: None,
            app: AppView { package: "a.b".into(), version: None, location: None },
            device: DisplayView {
                model: "M".into(),
                api: 34,
                width: 1080,
                height: 2400,
                density: 420,
                locale: "en-US".into(),
            },
            actors: BTreeMap::new(),
            actions: Vec::new(),
            expectations: vec![Expectation::Visible("Done".into())],
        }
        .sealed(None)
    }

    #[test]
    fn a_script_is_read_back_as_it_was_written_and_kept_when_it_does_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let first = script("2026-01-01T00:00:00Z", "t");
        let Written::OfRecord(path) = first.write(folder.path()).unwrap() else { panic!("there was none") };
        assert_eq!(Script::read(&path).unwrap(), first);
        let mut updated = script("2026-02-02T00:00:00Z", "t");
        updated.app.version = Some("2.0".into());
        updated.write(folder.path()).unwrap();
        script("2026-02-02T00:00:00Z", "t").write(folder.path()).unwrap();
        assert_eq!(Script::read(&path).unwrap().recorded_at, "2026-01-01T00:00:00Z");
        std::fs::remove_file(path.with_extension("sh")).unwrap();
        script("2026-02-02T00:00:00Z", "t").write(folder.path()).unwrap();
        assert!(path.with_extension("sh").is_file());
    }

    #[test]
    fn a_script_that_does_something_else_is_a_proposal_until_it_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let id = CaseId::new("T-1").unwrap();
        assert!(accept(folder.path(), &id).unwrap().is_empty());
        let path = script("2026-01-01T00:00:00Z", "t").write(folder.path()).unwrap().path().to_owned();
        let proposal = script("2026-02-02T00:00:00Z", "other").write(folder.path()).unwrap();
        let waits = Proposal { path: folder.path().join("T-1/proposed/default.toml"), replaced: None, foreign: None };
        assert_eq!(proposal, Written::Proposal(waits));
        assert_eq!(Script::read(&path).unwrap().title, "t");
        assert_eq!(accept(folder.path(), &id).unwrap(), std::slice::from_ref(&path));
        assert_eq!(Script::read(&path).unwrap().title, "other");
        assert!(path.with_extension("sh").is_file() && !folder.path().join("T-1/proposed").exists());
        // What is thrown away leaves the script as it is.
        let proposal = script("2026-03-03T00:00:00Z", "third").write(folder.path()).unwrap().path().to_owned();
        assert_eq!(reject(folder.path(), &id).unwrap(), [proposal]);
        assert!(reject(folder.path(), &id).unwrap().is_empty());
        assert_eq!(Script::read(&path).unwrap().title, "other");
        assert!(path.with_extension("sh").is_file() && !folder.path().join("T-1/proposed").exists());
        // One of a newer format stays as it is, too.
        std::fs::write(&path, "format = 9\n").unwrap();
        assert!(matches!(script("2026-02-02T00:00:00Z", "t").write(folder.path()).unwrap(), Written::Proposal(_)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "format = 9\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let id = CaseId::new("T-1").unwrap();
        let path = script("2026-01-01T00:00:00Z", "t").write(folder.path()).unwrap().path().to_owned();
        script("2026-02-02T00:00:00Z", "other").write(folder.path()).unwrap();
        let pipes = [path.with_file_name("pipe.toml"), folder.path().join("T-1/proposed/pipe.changes.md")];
        assert!(std::process::Command::new("mkfifo").args(&pipes).status().unwrap().success());
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let read = Script::read(&pipes[0]).map_err(|error| error.to_string());
            told.send((read, changes_of(folder.path(), &id), accept(folder.path(), &id)))
        });
        let (read, pages, accepted) = heard.recv_timeout(std::time::Duration::from_secs(20)).expect("a pipe is read");
        assert!(read.unwrap_err().ends_with("pipe.toml: it is no plain file"));
        assert_eq!((pages.unwrap(), accepted.unwrap()), (Vec::new(), vec![path]));
    }

    #[test]
    fn a_proposal_that_waits_is_kept_where_another_one_comes() {
        let folder = tempfile::tempdir().unwrap();
        let id = CaseId::new("T-1").unwrap();
        script("2026-01-01T00:00:00Z", "t").write(folder.path()).unwrap();
        let repaired = script("2026-01-02T00:00:00Z", "one").propose(folder.path(), Some(&page("# one\n"))).unwrap();
        assert_eq!(repaired.replaced, None);
        let Written::Proposal(second) = script("2026-01-03T00:00:00Z", "two").write(folder.path()).unwrap() else {
            panic!("the script of record does something else")
        };
        let kept = second.replaced.unwrap();
        assert_eq!(Script::read(&kept).unwrap().title, "one");
        assert_eq!(std::fs::read_to_string(kept.with_extension("changes.md")).unwrap(), "# one\n");
        assert!(!folder.path().join("T-1/proposed/default.changes.md").exists(), "the page is not the second one's");
        // A script of another case that lies there is no script of this one, and is told.
        let other = Script { case_id: CaseId::new("T-9").unwrap(), ..script("2026-01-01T00:00:00Z", "t") }.sealed(None);
        let record = folder.path().join("T-1/default.toml");
        let own = std::fs::read(&record).unwrap();
        std::fs::write(&record, other.to_toml().unwrap()).unwrap();
        let Written::Proposal(third) = script("2026-01-01T00:00:00Z", "t").write(folder.path()).unwrap() else {
            panic!("the script of record is another case's")
        };
        assert_eq!(third.foreign, CaseId::new("T-9").ok());
        std::fs::write(&record, own).unwrap();
        script("2026-01-03T00:00:00Z", "two").propose(folder.path(), None).unwrap();
        // The same again takes nobody's place.
        let third = script("2026-01-04T00:00:00Z", "two").propose(folder.path(), None).unwrap();
        assert_eq!(
            (Script::read(&third.path).unwrap().recorded_at.as_str(), third.replaced),
            ("2026-01-03T00:00:00Z", None)
        );
        accept(folder.path(), &id).unwrap();
        assert!(!folder.path().join("T-1/proposed").exists(), "what was replaced goes with the decision");
    }

    #[test]
    fn of_writers_at_the_same_time_one_has_the_record_and_no_script_is_lost() {
        const WRITERS: usize = 8;
        let folder = tempfile::tempdir().unwrap();
        let begin = std::sync::Barrier::new(WRITERS);
        let written: Vec<Written> = std::thread::scope(|scope| {
            let one = |number: usize| {
                let (begin, folder) = (&begin, folder.path());
                scope.spawn(move || {
                    let own = script("2026-01-01T00:00:00Z", &format!("way {number}"));
                    begin.wait();
                    own.write(folder).unwrap()
                })
            };
            let writers: Vec<_> = (0..WRITERS).map(one).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(written.iter().filter(|written| matches!(written, Written::OfRecord(_))).count(), 1, "{written:?}");
        let own = folder.path().join("T-1");
        let mut titles: Vec<String> = Vec::new();
        for folder in [own.clone(), own.join(PROPOSED), own.join(PROPOSED).join(REPLACED)] {
            let files = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
            let scripts = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
            titles.extend(scripts.map(|file| Script::read(&file).unwrap().title));
        }
        titles.sort();
        assert_eq!(titles, (0..WRITERS).map(|number| format!("way {number}")).collect::<Vec<_>>());
    }

    #[test]
    fn a_newer_format_is_refused_with_the_remedy_and_garbage_names_its_line() {
        let path = Path::new("x.toml");
        let newer = Script::parse(path, "format = 3\nanything = 1\n").unwrap_err().to_string();
        assert!(newer.contains("update Tapwright"), "{newer}");
        let garbage = Script::parse(path, "format = 1\n[[\n").unwrap_err().to_string();
        assert!(garbage.contains("line 2"), "{garbage}");
        let whole = script("2026-01-01T00:00:00Z", "t").to_toml().unwrap();
        let odd =
            Script::parse(path, &whole.replacen("title = ", "surprise = 1\ntitle = ", 1)).unwrap_err().to_string();
        assert!(odd.contains("surprise") && odd.contains("line "), "{odd}");
    }
}
