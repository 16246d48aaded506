//! Installed apps, and the seams through which apps and the home screen come in.

use super::ApiLevel;
use crate::{AppProcess, Configuration, Surroundings};
use std::fmt;
use std::sync::Arc;

/// What a process is started with.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchContext {
    /// Display, language, theme as they are now.
    pub configuration: Configuration,
    /// Time, location, network and permissions as they are now.
    pub around: Surroundings,
    /// Seed of every random choice the app makes.
    pub seed: u64,
    /// The Android it runs on.
    pub api: ApiLevel,
    /// Process id, for crash reports.
    pub pid: u32,
    /// What [`AppProcess::persisted`] gave when the app last ended; `None` after installation and `pm clear`.
    pub data: Option<Vec<u8>>,
    /// The deep link it is started with.
    pub uri: Option<String>,
    /// The activity it is started with, fully qualified; `None` is the launcher activity.
    pub activity: Option<String>,
    /// This app's switches without its package: `bug.fee_twice`, `variant.layout=b`, `version=2.0`.
    pub switches: Vec<String>,
}

/// Starts an app's process.
pub type AppLauncher = Arc<dyn Fn(LaunchContext) -> Box<dyn AppProcess> + Send + Sync>;

/// An app as the package manager knows it.
#[derive(Clone)]
pub struct InstalledApp {
    /// Application id.
    pub package: String,
    /// Name under its icon.
    pub label: String,
    /// `versionName`.
    pub version_name: String,
    /// `versionCode`.
    pub version_code: u64,
    /// Fully qualified class of the launcher activity.
    pub launcher_activity: String,
    /// Declared permissions (`uses-permission`).
    pub permissions: Vec<String>,
    /// Declared activities, the launcher activity among them.
    pub activities: Vec<DeclaredActivity>,
    /// Deep links.
    pub links: Vec<AppLink>,
    /// What other versions of the app there are, by `versionName` with their `versionCode` (switch `version=2.0`).
    pub versions: Vec<(String, u64)>,
    /// Starts it.
    pub launch: AppLauncher,
}

/// An activity of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredActivity {
    /// Fully qualified class.
    pub class: String,
    /// Others, such as `am start`, may start it.
    pub exported: bool,
}

/// A deep link of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppLink {
    /// `pay://card/{id}`: literal but for `{name}`, which stands for one or more characters other than `/`, `?`, `#` and
    /// `&`.
    pub pattern: String,
    /// Fully qualified class of the activity it opens.
    pub activity: String,
    /// What the share sheet calls it; the app's name when absent.
    pub label: Option<String>,
}

impl fmt::Debug for InstalledApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstalledApp")
            .field("package", &self.package)
            .field("version_name", &self.version_name)
            .field("version_code", &self.version_code)
            .field("launcher_activity", &self.launcher_activity)
            .finish_non_exhaustive()
    }
}

/// The package parser: what Android does with an APK, done here with an app file.
pub trait AppInstaller: Send + Sync {
    /// Reads an app file (`*.app.yaml`, or a zip holding one). The error is the package manager's code with an optional
    /// explanation: `INSTALL_PARSE_FAILED_NOT_APK: line 3: …`.
    fn install(&self, bytes: &[u8]) -> Result<InstalledApp, String>;
}

/// `pkg/.Cls` where the class lies in the package, else `pkg/full.Cls` (`ComponentName.flattenToShortString`).
pub(crate) fn short_component(package: &str, class: &str) -> String {
    match class.strip_prefix(package) {
        Some(rest) if rest.starts_with('.') => format!("{package}/{rest}"),
        _ => format!("{package}/{class}"),
    }
}

/// The fully qualified class of a component's second half (`.Cls` is relative to the package).
pub(crate) fn full_class(package: &str, class: &str) -> String {
    if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() }
}
