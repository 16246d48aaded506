//! Installing, listing, clearing and removing packages, and what permissions they hold.

use super::runtime_permission::{PermissionState, Permissions, runtime_permission};
use super::switches::switches_of;
use super::tasks::Running;
use super::virtual_system::HOME_PID;
use super::{FsError, InstalledApp, LaunchContext, Priority, VirtualSystem};
use std::collections::BTreeMap;

/// Why an app was not installed; prints as the package manager's status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstallError {
    /// The parser refused it: `INSTALL_PARSE_FAILED_NOT_APK: …`.
    #[error("{0}")]
    Parse(String),
    /// No room for it.
    #[error("INSTALL_FAILED_INSUFFICIENT_STORAGE: {0}")]
    Storage(FsError),
    /// An older version than the installed one, without `-d`.
    #[error("INSTALL_FAILED_VERSION_DOWNGRADE: Package Verification Result: downgrade from {from} to {to}")]
    Downgrade {
        /// Installed.
        from: u64,
        /// Offered.
        to: u64,
    },
    /// A file of a session belongs to another app than the first.
    #[error("INSTALL_FAILED_INVALID_APK: {file} package {found} inconsistent with {package}")]
    Inconsistent {
        /// The file.
        file: String,
        /// What it holds.
        found: String,
        /// What the first holds.
        package: String,
    },
    /// Two files of a session are the app itself.
    #[error("INSTALL_FAILED_INVALID_APK: Split null was defined multiple times")]
    SplitTwice,
    /// A session without an app.
    #[error("INSTALL_FAILED_INVALID_APK: Full install must include a base package")]
    NoBase,
    /// The home screen's package cannot be replaced.
    #[error("INSTALL_FAILED_DUPLICATE_PACKAGE: {0} belongs to the system")]
    System(String),
}

/// Why a permission was not granted or revoked; prints as Java's exception.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PermissionError {
    /// No such package.
    #[error("java.lang.IllegalArgumentException: Unknown package: {0}")]
    UnknownPackage(String),
    /// The package does not declare it.
    #[error("java.lang.SecurityException: Package {package} has not requested permission {permission}")]
    NotRequested {
        /// The package.
        package: String,
        /// The permission.
        permission: String,
    },
    /// It is granted at installation.
    #[error(
        "java.lang.SecurityException: Permission {permission} requested by package {package} is not a changeable \
         permission type"
    )]
    NotChangeable {
        /// The package.
        package: String,
        /// The permission.
        permission: String,
    },
}

#[derive(Debug)]
pub(super) struct Package {
    pub app: InstalledApp,
    pub data: Option<Vec<u8>>,
    pub permissions: Permissions,
    uid: u32,
    installed_at: jiff::Timestamp,
    updated_at: jiff::Timestamp,
}

/// What `dumpsys package` tells of a package.
#[derive(Debug, Clone)]
pub struct PackageInfo {
    /// The app, with the version it plays.
    pub app: InstalledApp,
    /// Its uid.
    pub uid: u32,
    /// Runtime permissions it declares.
    pub permissions: BTreeMap<String, PermissionState>,
    /// First installation.
    pub installed_at: jiff::Timestamp,
    /// Last installation.
    pub updated_at: jiff::Timestamp,
}

/// Whether `install` may go back to an older version (`-d`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Downgrade {
    /// As without `-d`.
    Refused,
    /// `-d`.
    Allowed,
}

/// Which packages to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageKind {
    /// Every package.
    All,
    /// `-s`.
    System,
    /// `-3`.
    ThirdParty,
}

/// Where an app's file lies.
pub(crate) fn apk_path(package: &str) -> String {
    format!("{}/base.apk", apk_directory(package))
}

fn apk_directory(package: &str) -> String {
    format!("/data/app/{package}-1")
}

impl VirtualSystem {
    pub(super) fn launch_context(&self, package: &str, pid: u32) -> LaunchContext {
        LaunchContext {
            configuration: self.configuration_of(package),
            around: self.surroundings(package),
            seed: self.config().seed,
            api: self.config().api,
            pid,
            data: self.packages.get(package).and_then(|found| found.data.clone()),
            uri: None,
            activity: None,
            switches: switches_of(&self.settings, package),
        }
    }

    /// `pm clear`; false when the package is not installed.
    pub fn clear(&mut self, package: &str) -> bool {
        self.remove_process(package);
        self.app_locales.remove(package);
        let api = self.config().api;
        match self.packages.get_mut(package) {
            Some(package) => {
                package.data = None;
                package.permissions = Permissions::installed(&package.app.permissions, api);
                true
            }
            None => false,
        }
    }

    /// Puts the device back to a snapshot that was taken before any app was used: no app has data, and the home screen is in front.
    pub fn restore_snapshot(&mut self) {
        let packages: Vec<String> = self.packages.keys().cloned().collect();
        for package in packages {
            self.clear(&package);
        }
        self.tasks.show_home();
    }

    /// Parses an app file and installs it, replacing an older version and keeping its data.
    pub fn install(&mut self, bytes: &[u8], downgrade: Downgrade) -> Result<String, InstallError> {
        let app = self.installer.install(bytes).map_err(InstallError::Parse)?;
        self.install_app(app, bytes, downgrade)
    }

    /// Installs several files as one app: one is the app itself, the others its splits, zips whose content means nothing
    /// here.
    pub fn install_files(&mut self, files: &[(String, Vec<u8>)], downgrade: Downgrade) -> Result<String, InstallError> {
        let mut base: Option<(&[u8], InstalledApp)> = None;
        let mut splits = Vec::new();
        for (name, bytes) in files {
            match (self.installer.install(bytes), &base) {
                (Ok(app), None) => base = Some((bytes, app)),
                (Ok(app), Some((_, first))) if app.package != first.package => {
                    let (file, found, package) = (name.clone(), app.package, first.package.clone());
                    return Err(InstallError::Inconsistent { file, found, package });
                }
                (Ok(_), Some(_)) => return Err(InstallError::SplitTwice),
                (Err(_), _) if bytes.starts_with(b"PK") && files.len() > 1 => splits.push((name, bytes)),
                (Err(reason), _) => return Err(InstallError::Parse(reason)),
            }
        }
        let (bytes, app) = base.ok_or(InstallError::NoBase)?;
        let package = self.install_app(app, bytes, downgrade)?;
        for (name, bytes) in splits {
            // adb writes `1_config.en.apk`: its number keeps names apart.
            let name = name.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('_');
            let path = format!("{}/split_{name}", apk_directory(&package));
            self.files.write_system(&path, bytes.clone()).map_err(InstallError::Storage)?;
        }
        Ok(package)
    }

    /// Where an app's files lie, its own first; none when it is not installed.
    pub fn apk_paths(&self, package: &str) -> Vec<String> {
        if !self.packages.contains_key(package) {
            return Vec::new();
        }
        [apk_path(package)].into_iter().chain(self.split_paths(package)).collect()
    }

    fn split_paths(&self, package: &str) -> Vec<String> {
        let directory = apk_directory(package);
        let names = self.files.list(&directory).unwrap_or_default();
        let splits = names.into_iter().filter(|(name, _)| name.starts_with("split_"));
        splits.map(|(name, _)| format!("{directory}/{name}")).collect()
    }

    fn install_app(&mut self, app: InstalledApp, bytes: &[u8], downgrade: Downgrade) -> Result<String, InstallError> {
        if app.package == self.tasks.home().process.package() || app.package == "android" {
            return Err(InstallError::System(app.package));
        }
        if let Some(old) = self.packages.get(&app.package)
            && downgrade == Downgrade::Refused
            && app.version_code < old.app.version_code
        {
            return Err(InstallError::Downgrade { from: old.app.version_code, to: app.version_code });
        }
        self.files.write_system(&apk_path(&app.package), bytes.to_vec()).map_err(InstallError::Storage)?;
        for old in self.split_paths(&app.package) {
            self.files.remove_system(&old);
        }
        let package = app.package.clone();
        self.add(app);
        Ok(package)
    }

    /// Installs an app that is already parsed (part of the system image).
    pub fn add(&mut self, app: InstalledApp) {
        self.add_all([app]);
    }

    /// Installs several apps at once; the home screen is made only once.
    pub fn add_all(&mut self, apps: impl IntoIterator<Item = InstalledApp>) {
        for app in apps {
            self.put(app);
        }
        self.renew_home();
    }

    fn put(&mut self, app: InstalledApp) {
        self.end(&app.package);
        self.cached.remove(&app.package);
        let now = self.wall();
        let api = self.config().api;
        if let Some(old) = self.packages.get_mut(&app.package) {
            old.permissions.renew(&app.permissions, api);
            old.app = app;
            old.updated_at = now;
        } else {
            let uid = self.next_uid;
            self.next_uid += 1;
            let package = app.package.clone();
            let permissions = Permissions::installed(&app.permissions, api);
            let entry = Package { app, data: None, permissions, uid, installed_at: now, updated_at: now };
            self.packages.insert(package, entry);
        }
    }

    /// Uninstalls; false when it was not installed.
    pub fn uninstall(&mut self, package: &str) -> bool {
        self.remove_process(package);
        self.app_locales.remove(package);
        if self.packages.remove(package).is_none() {
            return false;
        }
        self.files.remove_system(&apk_directory(package));
        self.renew_home();
        true
    }

    pub(super) fn renew_home(&mut self) {
        let apps = self.packages.values().map(|package| (package.app.package.clone(), package.app.label.clone()));
        let context = self.launch_context("", HOME_PID);
        let configured = context.configuration.clone();
        let home = self.ui.home(context, apps.collect());
        self.tasks.replace_home(home, configured);
        self.catch_up();
    }

    /// Package names, sorted: installed apps, or with `system` the home screen and `android` too.
    pub fn package_names(&self, which: PackageKind) -> Vec<String> {
        let mut names: Vec<String> = match which {
            PackageKind::ThirdParty => Vec::new(),
            PackageKind::All | PackageKind::System => {
                vec!["android".to_owned(), self.tasks.home().process.package().to_owned()]
            }
        };
        if which != PackageKind::System {
            names.extend(self.packages.keys().cloned());
        }
        names.sort();
        names
    }

    /// An installed app.
    pub fn package(&self, package: &str) -> Option<PackageInfo> {
        self.packages.get(package).map(|found| {
            let mut app = found.app.clone();
            (app.version_name, app.version_code) = self.played_version(&found.app);
            PackageInfo {
                app,
                uid: found.uid,
                permissions: found.permissions.states().clone(),
                installed_at: found.installed_at,
                updated_at: found.updated_at,
            }
        })
    }

    /// `pm grant` and `pm revoke`. Revoking ends the app, as on Android.
    pub fn set_permission(&mut self, package: &str, permission: &str, granted: bool) -> Result<(), PermissionError> {
        let api = self.config().api;
        let Some(found) = self.packages.get_mut(package) else {
            return Err(PermissionError::UnknownPackage(package.to_owned()));
        };
        if !found.app.permissions.iter().any(|name| name == permission) {
            let (package, permission) = (package.to_owned(), permission.to_owned());
            return Err(PermissionError::NotRequested { package, permission });
        }
        if runtime_permission(permission, api).is_none() {
            let (package, permission) = (package.to_owned(), permission.to_owned());
            return Err(PermissionError::NotChangeable { package, permission });
        }
        let before = found.permissions.state(permission);
        found.permissions.set(permission, PermissionState { granted, ..PermissionState::default() });
        if before.granted && !granted && self.tasks.app(package).is_some() {
            self.kill(package, "permissions revoked");
        }
        self.catch_up();
        Ok(())
    }

    /// `pm reset-permissions`: every package as it was installed.
    pub fn reset_permissions(&mut self) {
        let api = self.config().api;
        for found in self.packages.values_mut() {
            found.permissions = Permissions::installed(&found.app.permissions, api);
        }
        self.catch_up();
    }

    /// `install -g`: grants every runtime permission the package declares.
    pub fn grant_all(&mut self, package: &str) {
        if let Some(found) = self.packages.get_mut(package) {
            let names: Vec<String> = found.permissions.states().keys().cloned().collect();
            for name in names {
                found.permissions.set(&name, PermissionState { granted: true, ..PermissionState::default() });
            }
        }
        self.catch_up();
    }

    /// `am force-stop`: ends an app's process, keeping its data.
    pub fn force_stop(&mut self, package: &str) {
        if let Some(pid) = self.tasks.app(package).map(|app| app.pid).or_else(|| self.cached.get(package).copied()) {
            let line = format!("Force stopping {package} appid={} user=0: from pid 2000", self.uid(package));
            self.log_system(Priority::Info, "ActivityManager", line);
            self.log_kill(package, pid, "stop com.android.shell due to from pid 2000");
        }
        self.end(package);
        self.cached.remove(package);
        self.catch_up();
    }

    /// `am kill`: ends a process that is not in front; what the user sees stays.
    pub fn kill_background(&mut self, package: &str) {
        if self.tasks.front_task().process.package() != package {
            if self.tasks.app(package).is_some() || self.cached.contains_key(package) {
                self.kill(package, "kill background");
            }
            self.catch_up();
        }
    }

    /// Ends a process, its data kept.
    pub(super) fn kill(&mut self, package: &str, reason: &str) {
        if let Some(pid) = self.pid(package) {
            self.log_kill(package, pid, reason);
        }
        self.end(package);
        self.cached.remove(package);
    }

    fn log_kill(&mut self, package: &str, pid: u32, reason: &str) {
        let uid = self.uid(package).saturating_sub(10_000);
        let line = format!("Killing {pid}:{package}/u0a{uid} (adj 0): {reason}");
        self.log_system(Priority::Info, "ActivityManager", line);
        self.log_event("am_kill", format!("[0,{pid},{package},0,{reason}]"));
    }

    pub(super) fn uid(&self, package: &str) -> u32 {
        self.packages.get(package).map_or(1000, |found| found.uid)
    }

    /// The process of a package, one without activities included.
    pub fn pid(&self, package: &str) -> Option<u32> {
        let home = self.tasks.home();
        let running = self.tasks.app(package).map(|app| app.pid);
        running
            .or_else(|| self.cached.get(package).copied())
            .or_else(|| (home.process.package() == package).then_some(home.pid))
    }

    /// Ends an app's process and keeps its data.
    pub(super) fn end(&mut self, package: &str) {
        if let Some(running) = self.tasks.remove(package) {
            self.keep_data(&running);
        }
    }

    pub(super) fn keep_data(&mut self, running: &Running) {
        if let Some(package) = self.packages.get_mut(running.process.package()) {
            package.data = running.process.persisted();
            package.permissions.end_one_time();
        }
    }

    fn remove_process(&mut self, package: &str) {
        self.tasks.remove(package);
        self.cached.remove(package);
    }
}
