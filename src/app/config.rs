//! `tapwright.toml`: what a workspace may set. Every key has a default, so the file may be empty or absent.

use crate::case::OwnRules;
use crate::daemon::{EmulatorWish, Notice, NoticeTarget, NoticeWhen, Retention};
use crate::domain::DeviceSerial;
use crate::inference::Tier;
use crate::run::{RepairMode, ScriptPolicy};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::num::{NonZeroU8, NonZeroU32};
use std::path::{Path, PathBuf};

/// A workspace's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Folders, relative to the workspace.
    pub folders: Folders,
    /// Which devices may be used.
    pub devices: DevicesConfig,
    /// Emulators that the daemon keeps running.
    pub emulators: Vec<EmulatorConfig>,
    /// The embedding model.
    pub model: ModelConfig,
    /// What files of earlier versions say of the agent, of which there is one.
    #[serde(skip_serializing)]
    pub agent: AgentConfig,
    /// How the daemon works.
    pub daemon: DaemonConfig,
    /// What is good to know about the apps under test, a plain sentence each.
    pub hints: Vec<String>,
    /// How the workspace's cases are worded, beside the rules that come with Tapwright.
    #[serde(skip_serializing)]
    pub rewriting: OwnRules,
}

/// Folders of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct DevicesConfig {
    /// Serials; all that are connected where it is empty.
    pub allow: Vec<DeviceSerial>,
}

/// Emulators of one virtual device.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EmulatorConfig {
    /// The virtual device's name, as `emulator -list-avds` tells it.
    pub avd: String,
    /// How many of it run beside each other.
    #[serde(default = "one")]
    pub instances: NonZeroU8,
    /// The lowest port for their consoles, even; 5554 where it is absent.
    pub port: Option<u16>,
    /// The snapshot that is restored before each run; nothing is where it is absent.
    pub snapshot: Option<String>,
    /// Arguments of the emulator beside the daemon's own.
    #[serde(default)]
    pub arguments: Vec<String>,
}

const fn one() -> NonZeroU8 {
    NonZeroU8::MIN
}

impl Config {
    /// The emulators that the daemon is to keep running.
    pub fn emulator_wishes(&self) -> Vec<EmulatorWish> {
        let wish = |config: &EmulatorConfig| EmulatorWish {
            avd: config.avd.clone(),
            instances: config.instances,
            port: config.port,
            snapshot: config.snapshot.clone(),
            arguments: config.arguments.clone(),
        };
        self.emulators.iter().map(wish).collect()
    }
}

/// Which embedding model to use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// A model of `models/manifest.toml`; that of the tier unless given.
    pub name: Option<String>,
    /// `small` (the default) or `base`, which `tapwright models install --tier base` makes.
    pub tier: Option<Tier>,
    /// Threads of one inference.
    pub threads: usize,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self { name: None, tier: None, threads: 2 }
    }
}

/// What files of earlier versions say of the agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// What decided once; it chooses nothing any more.
    pub decider: Decider,
}

/// A value that `[agent] decider` had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// Ordered rules, which were removed.
    Rules,
    /// The rules for the first attempt.
    Both,
    /// The decision pipeline, which makes every attempt.
    #[default]
    Pipeline,
}

impl AgentConfig {
    /// What there is to tell of a file that chooses an agent which was removed; `None` where there is nothing.
    pub fn outdated(&self) -> Option<&'static str> {
        (self.decider != Decider::Pipeline).then_some(
            "tapwright.toml: [agent] decider chooses the ordered rules, which were removed; the decision pipeline makes every \
             attempt. Take the key out",
        )
    }
}

/// How the daemon works.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct DaemonConfig {
    /// Where it listens; as `--listen`.
    pub listen: Option<SocketAddr>,
    /// Its name among those that share a database; as `--host`.
    pub host: Option<String>,
    /// A file, relative to the workspace, or the URL of a PostgreSQL database; as `--database`.
    #[serde(skip_serializing)]
    pub database: Option<String>,
    /// The key of sealed values, relative to the workspace; as `--key`.
    pub key: Option<PathBuf>,
    /// Where recordings of ended runs are brought, for all hosts: `s3://BUCKET/FOLDER` or `file:///FOLDER`; as `--artifacts`.
    pub artifacts: Option<String>,
    /// `first` (the default): a case's script, else the agent; `only`; `never`.
    pub scripts: ScriptPolicy,
    /// `off` (the default), or `propose`: where a script does not fit any more a way is looked for, and one that passes is
    /// written as a proposal. Nothing replaces a script unseen.
    pub repair: DaemonRepair,
    /// Days after their end that runs and their recordings are kept; for ever where it is absent.
    pub keep_days: Option<NonZeroU32>,
    /// Megabytes (10⁶ bytes) that the recordings of the daemon's runs may take; any number where it is absent.
    pub keep_megabytes: Option<NonZeroU32>,
    /// Whether callers need a token, on loopback too; as `--tokens`.
    pub tokens: bool,
    /// Certificate and key, for TLS.
    pub tls: Option<TlsConfig>,
    /// Who is told that a night has ended.
    pub notify: Vec<NotifyConfig>,
}

/// What the daemon does where a script does not fit any more. A daemon that changed scripts by itself would judge by what
/// nobody has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DaemonRepair {
    /// The agent does the whole case.
    #[default]
    Off,
    /// The script is repaired, and the new version waits to be judged.
    Propose,
}

impl From<DaemonRepair> for RepairMode {
    fn from(repair: DaemonRepair) -> Self {
        match repair {
            DaemonRepair::Off => Self::Off,
            DaemonRepair::Propose => Self::Propose,
        }
    }
}

/// Who is told that a night has ended: a URL or a command.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyConfig {
    /// Takes `{"text": …}`, as Slack does.
    #[serde(serialize_with = "without_path")]
    pub webhook: Option<String>,
    /// A program and its arguments; it gets the night as JSON on its standard input.
    pub command: Option<Vec<String>>,
    /// True for nights in which something did not pass only.
    #[serde(default)]
    pub only_broken: bool,
}

/// Whoever knows the path of a webhook may write to it.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn without_path<S: serde::Serializer>(url: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let host = url.as_ref().map(|url| format!("{}/…", url.split('/').take(3).collect::<Vec<_>>().join("/")));
    host.serialize(serializer)
}

/// Files for TLS, relative to the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// The certificate chain, PEM.
    pub certificate: PathBuf,
    /// Its key, PEM.
    pub key: PathBuf,
}

impl DaemonConfig {
    /// Who is told that a night has ended; what is wrong with an entry otherwise.
    pub fn notices(&self) -> Result<Vec<Notice>, String> {
        let notice = |config: &NotifyConfig| {
            let target = match (&config.webhook, &config.command) {
                (Some(url), None) if url.starts_with("https://") || url.starts_with("http://") => {
                    NoticeTarget::Webhook(url.clone())
                }
                (None, Some(argv)) if !argv.is_empty() => NoticeTarget::Command(argv.clone()),
                _ => {
                    return Err("tapwright.toml: each [[daemon.notify]] has either `webhook`, a http(s) URL, or \
                                `command`, a list with a program and its arguments"
                        .to_owned());
                }
            };
            let when = if config.only_broken { NoticeWhen::Broken } else { NoticeWhen::Always };
            Ok(Notice { target, when })
        };
        self.notify.iter().map(notice).collect()
    }

    /// What is kept, and how long.
    pub fn retention(&self) -> Retention {
        Retention {
            days: self.keep_days.map(NonZeroU32::get),
            bytes: self.keep_megabytes.map(|megabytes| u64::from(megabytes.get()) * 1_000_000),
        }
    }
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
    /// What the file of `workspace` itself has; nothing where there is none.
    ///
    /// # Errors
    /// It cannot be read, or is no TOML.
    pub fn written(workspace: &Path) -> Result<toml::Table, ConfigError> {
        let path = workspace.join("tapwright.toml");
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                text.parse::<toml::Table>().map_err(|error| ConfigError::Malformed { path, reason: error.to_string() })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(toml::Table::new()),
            Err(source) => Err(ConfigError::Read { path, source }),
        }
    }

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
    fn a_decider_of_an_old_file_is_taken_and_told_where_it_chooses_what_was_removed() {
        let read = |text: &str| toml::from_str::<Config>(text).map(|config| config.agent);
        for value in ["rules", "both"] {
            let told = read(&format!("[agent]\ndecider = '{value}'\n")).unwrap().outdated();
            assert!(told.is_some_and(|told| told.contains("removed")), "{value}: {told:?}");
        }
        for text in ["", "[agent]\n", "[agent]\ndecider = 'pipeline'\n"] {
            assert_eq!(read(text).unwrap().outdated(), None, "{text}");
        }
        assert!(read("[agent]\ndecider = 'oracle'\n").is_err());
    }

    #[test]
    fn what_the_daemon_keeps_is_read_strictly() {
        let read = |text: &str| toml::from_str::<Config>(text).map(|config| config.daemon);
        let config = read("[daemon]\nscripts = 'never'\nkeep_days = 90\nkeep_megabytes = 20000\n").unwrap();
        assert_eq!(config.scripts, ScriptPolicy::Never);
        assert_eq!(config.retention(), Retention { days: Some(90), bytes: Some(20_000_000_000) });
        assert_eq!(read("").unwrap().retention(), Retention::default(), "nothing goes unless somebody says so");
        assert_eq!(read("[daemon]\nrepair = 'propose'\n").unwrap().repair, DaemonRepair::Propose);
        for wrong in [
            "repair = 'apply'",
            "keep_days = 0",
            "keep_days = -1",
            "keep_megabytes = 0",
            "scripts = 'maybe'",
            "keep = 1",
        ] {
            assert!(read(&format!("[daemon]\n{wrong}\n")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn emulators_are_read_strictly() {
        let read = |text: &str| toml::from_str::<Config>(text).map(|config| config.emulator_wishes());
        let wishes =
            read("[[emulators]]\navd = 'pixel'\n[[emulators]]\navd = 'small'\ninstances = 3\nsnapshot = 'clean'\n")
                .unwrap();
        let told: Vec<(&str, u8, Option<&str>)> =
            wishes.iter().map(|wish| (&*wish.avd, wish.instances.get(), wish.snapshot.as_deref())).collect();
        assert_eq!(told, [("pixel", 1, None), ("small", 3, Some("clean"))]);
        for wrong in ["", "avd = 'pixel'\ninstances = 0", "avd = 'pixel'\nsnap = 'x'", "name = 'pixel'"] {
            assert!(read(&format!("[[emulators]]\n{wrong}\n")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_notice_has_one_target() {
        let read = |text: &str| toml::from_str::<Config>(text).unwrap().daemon.notices();
        let both = read("[[daemon.notify]]\nwebhook = 'https://x'\n[[daemon.notify]]\ncommand = ['mail', 'qa']\nonly_broken = true\n").unwrap();
        assert_eq!(both[0].target, NoticeTarget::Webhook("https://x".into()));
        assert_eq!((both[1].when, read("").unwrap()), (NoticeWhen::Broken, vec![]));
        for wrong in ["", "webhook = 'x'", "command = []", "webhook = 'https://x'\ncommand = ['y']"] {
            assert!(read(&format!("[[daemon.notify]]\n{wrong}\n")).is_err(), "{wrong}");
        }
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
