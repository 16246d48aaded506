//! The device as a whole.

use super::logcat::Buffer;
use super::switches::{APP_SWITCHES, switches_of};
use super::tasks::{Running, TaskStack};
use super::{
    ApiLevel, AppInstaller, Clock, FileSystem, FsError, IdleWait, InstalledApp, LaunchContext, LogBuffers, LogEntry,
    Namespace, NightMode, Priority, Properties, Settings, SystemUi, short_component,
};
use crate::domain::Size;
use crate::virtual_device::{
    AppProcess, Configuration, Gesture, KeyOutcome, Location, Orientation, Surroundings, SystemAnswer, SystemRequest,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

const KEY_HOME: u32 = 3;

/// What kind of device to make.
#[derive(Debug, Clone)]
pub struct SystemConfig {
    /// API level.
    pub api: ApiLevel,
    /// Display in pixels.
    pub display: Size,
    /// Density in dpi.
    pub density: u32,
    /// BCP 47 tag.
    pub locale: String,
    /// Quarter turns of the display at first boot, 0 to 3.
    pub rotation: u8,
    /// Dark theme at first boot.
    pub night: bool,
    /// Font scale at first boot.
    pub font_scale: f32,
    /// Where the device is at first boot.
    pub location: Option<Location>,
    /// App switches, `PACKAGE:NAME[=VALUE]`.
    pub switches: Vec<String>,
    /// Seed of the apps' random choices and of the serial number.
    pub seed: u64,
    /// When `uiautomator dump` finds the screen idle.
    pub idle: IdleWait,
    /// Time.
    pub clock: Clock,
}

impl Default for SystemConfig {
    fn default() -> Self {
        Self {
            api: ApiLevel::default(),
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".to_owned(),
            rotation: 0,
            night: false,
            font_scale: 1.0,
            location: None,
            switches: Vec::new(),
            seed: 0,
            idle: IdleWait::default(),
            clock: Clock::default(),
        }
    }
}

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
    /// The home screen's package cannot be replaced.
    #[error("INSTALL_FAILED_DUPLICATE_PACKAGE: {0} belongs to the system")]
    System(String),
}

/// How an app came to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartOutcome {
    /// A new process was made.
    Cold,
    /// Its task was brought to the front.
    BroughtToFront,
    /// It was in front already.
    OnTop,
}

#[derive(Debug)]
struct Package {
    app: InstalledApp,
    data: Option<Vec<u8>>,
    granted: Arc<BTreeSet<String>>,
    uid: u32,
    installed_at: jiff::Timestamp,
    updated_at: jiff::Timestamp,
}

/// What `dumpsys package` tells of a package.
#[derive(Debug, Clone)]
pub struct PackageInfo {
    /// The app.
    pub app: InstalledApp,
    /// Its uid.
    pub uid: u32,
    /// First installation.
    pub installed_at: jiff::Timestamp,
    /// Last installation.
    pub updated_at: jiff::Timestamp,
}

/// State of one virtual device.
pub struct VirtualSystem {
    config: SystemConfig,
    booted_at: Duration,
    /// Time since boot at which the system services answer; `None` once they do.
    booting_until: Option<Duration>,
    /// `getprop`.
    pub properties: Properties,
    /// `settings`.
    pub settings: Settings,
    /// Files.
    pub files: FileSystem,
    /// `logcat`.
    pub log: LogBuffers,
    /// `wm size` override.
    pub size_override: Option<Size>,
    /// `wm density` override.
    pub density_override: Option<u32>,
    /// `cmd uimode night`.
    pub night_mode: NightMode,
    /// How the device is held, in quarter turns; counts while `accelerometer_rotation` is 1.
    pub sensor_rotation: u8,
    /// Where the device is, once it knows.
    pub location: Option<Location>,
    /// Networks that are switched on.
    pub radios: Radios,
    /// `cmd locale set-app-locales`, by package.
    pub app_locales: BTreeMap<String, Vec<String>>,
    /// The clipboard.
    pub clipboard: Option<String>,
    pub(super) locale: String,
    configured: Configuration,
    packages: BTreeMap<String, Package>,
    tasks: TaskStack,
    installer: Arc<dyn AppInstaller>,
    ui: Arc<dyn SystemUi>,
    next_pid: u32,
    next_task: u32,
    next_uid: u32,
}

impl VirtualSystem {
    /// A booted device with nothing installed. `commands` are the names in `/system/bin`.
    pub fn boot<'a>(
        config: SystemConfig,
        installer: Arc<dyn AppInstaller>,
        ui: Arc<dyn SystemUi>,
        commands: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let booted_at = config.clock.passed();
        let mut settings = Settings::default();
        settings.put(Namespace::System, "user_rotation", &(config.rotation % 4).to_string());
        settings.put(Namespace::System, "font_scale", &format!("{:?}", config.font_scale));
        if !config.switches.is_empty() {
            settings.put(Namespace::Global, APP_SWITCHES, &config.switches.join(","));
        }
        let configured = Configuration {
            display: config.display,
            density: config.density,
            locale: config.locale.clone(),
            font_scale: config.font_scale,
            night: config.night,
            rotation: 0,
        };
        let context = LaunchContext {
            configuration: configured.clone(),
            around: Surroundings { wall: config.clock.wall(), ..Surroundings::at(Duration::ZERO) },
            seed: config.seed,
            api: config.api,
            pid: HOME_PID,
            data: None,
            uri: None,
            activity: None,
            switches: Vec::new(),
        };
        let running = Running { pid: HOME_PID, task: 1, orientation: None, process: ui.home(context, Vec::new()) };
        let mut system = Self {
            booted_at,
            booting_until: None,
            properties: Properties::new(&config),
            settings,
            files: FileSystem::new(commands, config.clock.wall().as_second()),
            log: LogBuffers::default(),
            size_override: None,
            density_override: None,
            night_mode: if config.night { NightMode::Yes } else { NightMode::No },
            sensor_rotation: 0,
            location: config.location,
            radios: Radios::default(),
            app_locales: BTreeMap::new(),
            clipboard: None,
            locale: config.locale.clone(),
            configured,
            packages: BTreeMap::new(),
            tasks: TaskStack::new(running),
            installer,
            ui,
            next_pid: HOME_PID + 1,
            next_task: 2,
            next_uid: 10_100,
            config,
        };
        system.catch_up();
        system
    }

    /// How the device was made.
    pub const fn config(&self) -> &SystemConfig {
        &self.config
    }

    /// Time since boot.
    pub fn uptime(&self) -> Duration {
        self.config.clock.passed().saturating_sub(self.booted_at)
    }

    /// Date and time, UTC.
    pub fn wall(&self) -> jiff::Timestamp {
        self.config.clock.wall()
    }

    /// Says where the device is (`geo fix`).
    pub fn set_location(&mut self, location: Option<Location>) {
        self.location = location;
        self.catch_up();
    }

    /// True while some network works.
    pub const fn online(&self) -> bool {
        self.radios.wifi || (self.radios.mobile && !self.radios.airplane)
    }

    fn surroundings(&self, package: &str) -> Surroundings {
        Surroundings {
            now: self.uptime(),
            wall: self.wall(),
            location: self.location,
            online: self.online(),
            granted: self.packages.get(package).map(|found| Arc::clone(&found.granted)).unwrap_or_default(),
        }
    }

    fn launch_context(&self, package: &str, pid: u32) -> LaunchContext {
        LaunchContext {
            configuration: self.configuration_of(package),
            around: self.surroundings(package),
            seed: self.config.seed,
            api: self.config.api,
            pid,
            data: self.packages.get(package).and_then(|found| found.data.clone()),
            uri: None,
            activity: None,
            switches: switches_of(&self.settings, package),
        }
    }

    /// The orientation the task in front asks for.
    pub(super) fn front_orientation(&self) -> Option<Orientation> {
        self.tasks.front().orientation
    }

    /// Tells every process when what it lays itself out for has changed.
    fn reconfigure(&mut self) {
        let packages: BTreeMap<String, Configuration> = self
            .tasks
            .all_mut()
            .map(|running| running.process.package().to_owned())
            .collect::<Vec<_>>()
            .into_iter()
            .map(|package| (package.clone(), self.configuration_of(&package)))
            .collect();
        for running in self.tasks.all_mut() {
            if let Some(configuration) = packages.get(running.process.package()) {
                running.process.configure(configuration);
            }
        }
    }

    /// The task in front.
    pub fn front(&self) -> &Running {
        self.tasks.front()
    }

    /// The process in front.
    pub fn front_process(&mut self) -> &mut dyn AppProcess {
        self.tasks.front_mut().process.as_mut()
    }

    /// The activity stack.
    pub const fn tasks(&self) -> &TaskStack {
        &self.tasks
    }

    /// Brings every process up to the present, takes what they logged, and buries the crashed.
    pub fn catch_up(&mut self) {
        self.finish_boot();
        self.files.now = self.wall().as_second();
        let configuration = self.configuration();
        if configuration != self.configured {
            self.configured = configuration;
            self.reconfigure();
        }
        let time = self.wall();
        let mut around = self.surroundings("");
        let mut crashed = Vec::new();
        let mut requests = Vec::new();
        for running in self.tasks.all_mut() {
            let package = running.process.package();
            around.granted = self.packages.get(package).map(|found| Arc::clone(&found.granted)).unwrap_or_default();
            running.process.advance(&around);
            let lines = running.process.take_log();
            self.log.add_report(&lines, running.pid, running.process.package(), time);
            if running.process.crashed() {
                crashed.push((running.process.package().to_owned(), running.process.activity(), running.pid));
            } else {
                let package = running.process.package().to_owned();
                requests.extend(running.process.take_requests().into_iter().map(|request| (package.clone(), request)));
            }
        }
        for (package, request) in requests {
            self.serve(&package, request);
        }
        for (package, activity, pid) in crashed {
            self.bury(&package, &activity, pid);
        }
    }

    /// Does what a process asked for.
    fn serve(&mut self, package: &str, request: SystemRequest) {
        match request {
            // The icon may be older than the last uninstall; then the touch does nothing, as on a real launcher.
            SystemRequest::Launch(wanted) => {
                let _missing = self.start(&wanted);
            }
            SystemRequest::Finish | SystemRequest::Kill => self.end(package),
            SystemRequest::Copy(text) => self.clipboard = Some(text),
            SystemRequest::Orientation(wanted) => {
                if let Some(running) = self.tasks.app_mut(package) {
                    running.orientation = wanted;
                }
            }
            SystemRequest::Open(uri) => self.answer(package, &SystemAnswer::Unopened { uri }),
            SystemRequest::Permission(names) => {
                for name in names {
                    self.answer(package, &SystemAnswer::Permission { name, granted: false });
                }
            }
            SystemRequest::Share { .. } => self.answer(package, &SystemAnswer::Shared { target: None }),
            SystemRequest::Answer(_) => {}
        }
    }

    fn answer(&mut self, package: &str, answer: &SystemAnswer) {
        if let Some(running) = self.tasks.app_mut(package) {
            running.process.answered(answer);
        }
    }

    /// The first crash shows no dialog: the activity finishes and the previous screen returns (`AppErrors`).
    fn bury(&mut self, package: &str, activity: &str, pid: u32) {
        let component = short_component(package, activity);
        self.log_system("ActivityTaskManager", Priority::Warn, format!("  Force finishing activity {component}"));
        self.log_system("ActivityManager", Priority::Info, format!("Process {package} (pid {pid}) has died: fg  TOP"));
        self.end(package);
    }

    fn log_system(&mut self, tag: &str, priority: Priority, message: String) {
        let entry =
            LogEntry { buffer: Buffer::System, time: self.wall(), pid: 600, priority, tag: tag.to_owned(), message };
        self.log.add(entry);
    }

    /// Routes a touch to what is in front.
    pub fn gesture(&mut self, gesture: Gesture) {
        self.front_process().gesture(gesture);
        self.catch_up();
    }

    /// Routes a key event; HOME is the system's, the rest goes to what is in front.
    pub fn key(&mut self, code: u32) {
        if code == KEY_HOME {
            self.tasks.show_home();
        } else if self.front_process().key(code) == KeyOutcome::Finish
            && let Some(finished) = self.tasks.finish_front()
        {
            self.keep_data(&finished);
        }
        self.catch_up();
    }

    /// Types text into what is in front.
    pub fn type_text(&mut self, text: &str) {
        self.front_process().type_text(text);
        self.catch_up();
    }

    /// Starts an app or brings it to the front; `None` when it is not installed.
    pub fn start(&mut self, package: &str) -> Option<StartOutcome> {
        let launch = Arc::clone(&self.packages.get(package)?.app.launch);
        if !self.tasks.home_in_front() && self.tasks.front().process.package() == package {
            return Some(StartOutcome::OnTop);
        }
        if self.tasks.bring_to_front(package) {
            return Some(StartOutcome::BroughtToFront);
        }
        let pid = self.next_pid;
        let task = self.next_task;
        let process = launch(self.launch_context(package, pid));
        let component = short_component(package, &process.activity());
        self.next_pid += 1 + (pid % 7);
        self.next_task += 1;
        self.tasks.push(Running { pid, task, orientation: None, process });
        self.log_system(
            "ActivityManager",
            Priority::Info,
            format!("Start proc {pid}:{package} for top-activity {{{component}}}"),
        );
        self.catch_up();
        Some(StartOutcome::Cold)
    }

    /// Package and class of the home screen.
    pub fn home_component(&mut self) -> (String, String) {
        let home = &self.tasks.home_mut().process;
        (home.package().to_owned(), home.activity())
    }

    /// Shows the home screen.
    pub fn show_home(&mut self) {
        self.tasks.show_home();
    }

    /// Ends an app's process, keeping its data.
    pub fn force_stop(&mut self, package: &str) {
        self.end(package);
    }

    fn end(&mut self, package: &str) {
        if let Some(running) = self.tasks.remove(package) {
            self.keep_data(&running);
        }
    }

    fn keep_data(&mut self, running: &Running) {
        if let Some(package) = self.packages.get_mut(running.process.package()) {
            package.data = running.process.persisted();
        }
    }

    /// `pm clear`; false when the package is not installed.
    pub fn clear(&mut self, package: &str) -> bool {
        self.tasks.remove(package);
        match self.packages.get_mut(package) {
            Some(package) => {
                package.data = None;
                true
            }
            None => false,
        }
    }

    /// Parses an app file and installs it, replacing an older version and keeping its data.
    pub fn install(&mut self, bytes: &[u8], downgrade: Downgrade) -> Result<String, InstallError> {
        let app = self.installer.install(bytes).map_err(InstallError::Parse)?;
        if app.package == self.tasks.home_mut().process.package() || app.package == "android" {
            return Err(InstallError::System(app.package));
        }
        if let Some(old) = self.packages.get(&app.package)
            && downgrade == Downgrade::Refused
            && app.version_code < old.app.version_code
        {
            return Err(InstallError::Downgrade { from: old.app.version_code, to: app.version_code });
        }
        self.files.write_system(&apk_path(&app.package), bytes.to_vec()).map_err(InstallError::Storage)?;
        let package = app.package.clone();
        self.add(app);
        Ok(package)
    }

    /// Installs an app that is already parsed (part of the system image).
    pub fn add(&mut self, app: InstalledApp) {
        self.end(&app.package);
        let now = self.wall();
        if let Some(old) = self.packages.get_mut(&app.package) {
            old.app = app;
            old.updated_at = now;
        } else {
            let uid = self.next_uid;
            self.next_uid += 1;
            let package = app.package.clone();
            self.packages.insert(
                package,
                Package { app, data: None, granted: Arc::default(), uid, installed_at: now, updated_at: now },
            );
        }
        self.renew_home();
    }

    /// Uninstalls; false when it was not installed.
    pub fn uninstall(&mut self, package: &str) -> bool {
        self.tasks.remove(package);
        if self.packages.remove(package).is_none() {
            return false;
        }
        self.files.remove_system(&apk_directory(package));
        self.renew_home();
        true
    }

    fn renew_home(&mut self) {
        let apps = self.packages.values().map(|package| (package.app.package.clone(), package.app.label.clone()));
        let home = self.ui.home(self.launch_context("", HOME_PID), apps.collect());
        self.tasks.replace_home(home);
        self.catch_up();
    }

    /// Package names, sorted: installed apps, or with `system` the home screen and `android` too.
    pub fn package_names(&mut self, which: PackageKind) -> Vec<String> {
        let mut names: Vec<String> = match which {
            PackageKind::ThirdParty => Vec::new(),
            PackageKind::All | PackageKind::System => {
                vec!["android".to_owned(), self.tasks.home_mut().process.package().to_owned()]
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
            PackageInfo { app, uid: found.uid, installed_at: found.installed_at, updated_at: found.updated_at }
        })
    }

    /// False while the device restarts: adbd is back, the system services are not yet.
    pub const fn boot_completed(&self) -> bool {
        self.booting_until.is_none()
    }

    fn finish_boot(&mut self) {
        if self.booting_until.is_some_and(|end| self.uptime() >= end) {
            self.booting_until = None;
            for (property, value) in BOOT_COMPLETED {
                self.properties.put(property, value);
            }
        }
    }

    /// Restarts: processes end, data, files and settings stay.
    pub fn reboot(&mut self) {
        let running: Vec<String> = self.tasks.apps().map(|app| app.process.package().to_owned()).collect();
        for package in running {
            self.end(&package);
        }
        self.log.clear(&Buffer::ALL);
        self.booted_at = self.config.clock.passed();
        self.booting_until = Some(BOOT_TIME);
        for (property, _) in BOOT_COMPLETED {
            self.properties.put(property, "");
        }
        self.properties.put("init.svc.bootanim", "running");
        let chosen = self.properties.get("persist.sys.locale");
        let locale = if chosen.is_empty() { self.properties.get("ro.product.locale") } else { chosen };
        self.locale = locale.to_owned();
        self.renew_home();
    }
}

/// Networks that are switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Radios {
    /// `cmd wifi set-wifi-enabled`.
    pub wifi: bool,
    /// `cmd phone data`, `svc data`.
    pub mobile: bool,
    /// `cmd connectivity airplane-mode`.
    pub airplane: bool,
}

impl Default for Radios {
    fn default() -> Self {
        Self { wifi: true, mobile: true, airplane: false }
    }
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

/// From the restart to `sys.boot_completed`: short, but long enough for a client that does not wait to notice.
const BOOT_TIME: Duration = Duration::from_millis(1500);

/// What says that the device has started.
const BOOT_COMPLETED: [(&str, &str); 3] =
    [("sys.boot_completed", "1"), ("dev.bootcomplete", "1"), ("init.svc.bootanim", "stopped")];

const HOME_PID: u32 = 1200;

/// Where an app's file lies.
pub(crate) fn apk_path(package: &str) -> String {
    format!("{}/base.apk", apk_directory(package))
}

fn apk_directory(package: &str) -> String {
    format!("/data/app/{package}-1")
}
