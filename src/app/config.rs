//! `tapwright.toml`: what a workspace may set. Every key has a default, so the file may be empty or absent.

use crate::case::OwnRules;
use crate::domain::DeviceSerial;
use crate::run::Decider;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A workspace's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Folders, relative to the workspace.
    pub folders: Folders,
    /// Which devices may be used.
    pub devices: DevicesConfig,
    /// The embedding model.
    pub model: ModelConfig,
    /// Which agent works on the cases.
    pub agent: AgentConfig,
    /// What is good to know about the apps under test, a plain sentence each.
    pub hints: Vec<String>,
    /// How the workspace's cases are worded, beside the rules that come with Tapwright.
    pub rewriting: OwnRules,
}

/// Folders of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Folders {
    /// Where cases are looked for, recursively.
    pub cases: Vec<PathBuf>,
    /// Own skills.
    pub skills: PathBuf,
    /// Own device profiles.
    pub device_profiles: PathBuf,
    /// Recorded scripts.
    pub scripts: PathBuf,
    /// Models and native libraries.
    pub models: PathBuf,
    /// Recordings and reports.
    pub runs: PathBuf,
    /// Maps of the apps under test, learned from runs.
    pub maps: PathBuf,
}

impl Default for Folders {
    fn default() -> Self {
        Self {
            cases: vec!["cases".into()],
            skills: "skills".into(),
            device_profiles: "device-profiles".into(),
            scripts: "scripts".into(),
            models: "models".into(),
            runs: "runs".into(),
            maps: "maps".into(),
        }
    }
}

/// Which devices may be used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DevicesConfig {
    /// Serials; all that are connected where it is empty.
    pub allow: Vec<DeviceSerial>,
}

/// Which embedding model to use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// A model of `models/manifest.toml`; the first one unless given.
    pub name: Option<String>,
    /// Threads of one inference.
    pub threads: usize,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self { name: None, threads: 2 }
    }
}

/// Which agent works on the cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// `rules` (the default), or `pipeline`, a preview.
    pub decider: Decider,
}

/// A `tapwright.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It could not be read.
    #[error("cannot read {path}: {source}. Check that it exists and may be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is malformed.
    #[error("{path}: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected.
        reason: String,
    },
}

impl Config {
    /// The settings of `workspace`; defaults when it has no `tapwright.toml`.
    pub fn load(workspace: &Path) -> Result<Self, ConfigError> {
        let path = workspace.join("tapwright.toml");
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|error| ConfigError::Malformed { path, reason: error.to_string() })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(ConfigError::Read { path, source }),
        }
    }
}

/// The nearest folder from `start` upwards that holds a `tapwright.toml`; `start` itself when none does.
pub(super) fn find_workspace(start: &Path) -> PathBuf {
    start.ancestors().find(|folder| folder.join("tapwright.toml").is_file()).unwrap_or(start).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_file_means_defaults_and_a_wrong_key_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Config::load(folder.path()).unwrap(), Config::default());
        std::fs::write(folder.path().join("tapwright.toml"), "[folders]\ncase = []\n").unwrap();
        let error = Config::load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("`case`"), "{error}");
    }

    #[test]
    fn the_workspace_is_found_from_a_folder_within_it() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("tapwright.toml"), "").unwrap();
        let inner = root.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(find_workspace(&inner), root.path());
    }
}
