//! The device as a whole: its state, and bringing it up to the present.

use super::dropbox::DropBox;
use super::glass::Glass;
use super::logcat::Buffer;
use super::packages::Package;
use super::switches::APP_SWITCHES;
use super::tasks::{Running, Source, TaskStack};
use super::trouble::CrashHistory;
use super::{
    AppInstaller, FileSystem, InstallSessions, LaunchContext, LogBuffers, LogEntry, Namespace, NightMode, Priority,
    Properties, Settings, SystemConfig, SystemUi,
};
use crate::domain::Size;
use crate::{AppProcess, AppState, Configuration, Location, Orientation, Surroundings};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How often apps and system may answer one another before the rest waits for the next event.
const MOST_ROUNDS: usize = 32;
pub(super) const HOME_PID: u32 = 1200;

/// State of one virtual device.
pub struct VirtualSystem {
    pub(super) config: SystemConfig,
    pub(super) booted_at: Duration,
    /// Time since boot at which the system services answer; `None` once they do.
    pub(super) booting_until: Option<Duration>,
    /// `getprop`.
    pub properties: Properties,
    /// `settings`.
    pub settings: Settings,
    /// Files.
    pub files: FileSystem,
    /// `logcat`.
    pub log: LogBuffers,
    /// `dumpsys dropbox`.
    pub dropbox: DropBox,
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
    /// Installations that are not finished yet.
    pub sessions: InstallSessions,
    /// The clipboard.
    pub clipboard: Option<String>,
    /// The touch screen's driver.
    pub glass: Glass,
    pub(super) locale: String,
    pub(super) packages: BTreeMap<String, Package>,
    pub(super) tasks: TaskStack,
    pub(super) installer: Arc<dyn AppInstaller>,
    pub(super) ui: Arc<dyn SystemUi>,
    /// Processes without activities that Android would still keep, by package.
    pub(super) cached: BTreeMap<String, u32>,
    pub(super) crashes: BTreeMap<String, CrashHistory>,
    /// Crashes `am crash` asked for and when they come.
    pub(super) ordered_crashes: Vec<(Duration, String)>,
    /// The package whose activity was last resumed.
    pub(super) resumed: Option<(u32, u32)>,
    pub(super) next_pid: u32,
    pub(super) next_task: u32,
    pub(super) next_uid: u32,
    next_window: u64,
    /// When `/proc` was last written, in ticks since boot.
    pub(super) reported_at: Option<u64>,
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
        let configuration = Configuration {
            display: config.display,
            density: config.density,
            locale: config.locale.clone(),
            font_scale: config.font_scale,
            night: config.night,
            rotation: 0,
        };
        let context = LaunchContext {
            configuration,
            around: Surroundings { wall: config.clock.wall(), ..Surroundings::at(Duration::ZERO) },
            seed: config.seed,
            api: config.api,
            pid: HOME_PID,
            data: None,
            uri: None,
            activity: None,
            switches: Vec::new(),
        };
        let configured = context.configuration.clone();
        let home = Running::new(HOME_PID, 1, ui.home(context, Vec::new()), Duration::ZERO, configured);
        let mut system = Self {
            booted_at,
            booting_until: None,
            properties: Properties::new(&config),
            settings,
            files: FileSystem::new(commands, config.clock.wall().as_second()),
            log: LogBuffers::default(),
            dropbox: DropBox::default(),
            size_override: None,
            density_override: None,
            night_mode: if config.night { NightMode::Yes } else { NightMode::No },
            sensor_rotation: 0,
            location: config.location,
            radios: Radios::default(),
            app_locales: BTreeMap::new(),
            clipboard: None,
            glass: Glass::default(),
            locale: config.locale.clone(),
            packages: BTreeMap::new(),
            tasks: TaskStack::new(home),
            installer,
            ui,
            cached: BTreeMap::new(),
            crashes: BTreeMap::new(),
            ordered_crashes: Vec::new(),
            resumed: None,
            next_pid: HOME_PID + 1,
            next_task: 2,
            next_uid: 10_100,
            next_window: 1,
            reported_at: None,
            sessions: InstallSessions::default(),
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

    /// What has the focus: the app in front, or a window of the system over it.
    pub fn front(&self) -> &Running {
        self.tasks.front()
    }

    /// The process that has the focus.
    pub fn front_process(&mut self) -> &mut dyn AppProcess {
        self.tasks.front_mut().process.as_mut()
    }

    /// What is true inside every running app that can tell: by package, with the process id.
    pub fn app_states(&mut self) -> BTreeMap<String, (u32, AppState)> {
        let running = self.tasks.all_mut().into_iter().map(|(_, running)| running);
        running
            .filter_map(|running| {
                let state = running.process.state()?;
                Some((running.process.package().to_owned(), (running.pid, state)))
            })
            .collect()
    }

    /// The activity stack.
    pub const fn tasks(&self) -> &TaskStack {
        &self.tasks
    }

    pub(super) fn surroundings(&self, package: &str) -> Surroundings {
        Surroundings {
            now: self.uptime(),
            wall: self.wall(),
            location: self.location,
            online: self.online(),
            granted: self.packages.get(package).map(|found| found.permissions.granted().clone()).unwrap_or_default(),
        }
    }

    pub(super) const fn next_window(&mut self) -> u64 {
        self.next_window += 1;
        self.next_window
    }

    pub(super) fn log_line(&mut self, buffer: Buffer, pid: u32, priority: Priority, tag: &str, message: String) {
        let time = self.wall();
        self.log.add(LogEntry { buffer, time, pid, priority, tag: tag.to_owned(), message });
    }

    pub(super) fn log_system(&mut self, priority: Priority, tag: &str, message: String) {
        self.log_line(Buffer::System, 600, priority, tag, message);
    }

    pub(super) fn log_event(&mut self, tag: &str, message: String) {
        self.log_line(Buffer::Events, 600, Priority::Info, tag, message);
    }

    /// The orientation the task in front asks for.
    pub(super) fn front_orientation(&self) -> Option<Orientation> {
        self.tasks.front_task().orientation.filter(|_| !self.tasks.shows_recents())
    }

    /// Brings every process up to the present: time passes, what they logged is taken, what they ask for is done, the
    /// crashed are buried.
    pub fn catch_up(&mut self) {
        self.finish_boot();
        self.files.now = self.wall().as_second();
        self.renew_kernel_reports();
        self.crash_as_ordered();
        self.find_unresponsive();
        for round in 0..MOST_ROUNDS {
            self.reconfigure();
            let busy = self.attend(round == 0);
            let came = self.notice_front();
            if !busy && !came {
                return;
            }
        }
    }

    /// One round: `advancing` processes, then taking their logs and requests. True when anything was done for them.
    fn attend(&mut self, advancing: bool) -> bool {
        let time = self.wall();
        let mut around = self.surroundings("");
        let none = around.granted.clone();
        let mut crashed = Vec::new();
        let mut requests = Vec::new();
        for (source, running) in self.tasks.all_mut() {
            if advancing {
                let package = running.process.package();
                let held = self.packages.get(package).map(|found| found.permissions.granted());
                around.granted = held.unwrap_or(&none).clone();
                running.process.advance(&around);
            }
            let lines = running.process.take_log();
            self.log.add_report(&lines, running.pid, running.process.package(), time);
            if running.process.crashed() {
                crashed.push(running.process.package().to_owned());
            } else {
                requests.extend(running.process.take_requests().into_iter().map(|request| (source.clone(), request)));
            }
        }
        for window in self.tasks.windows_mut() {
            if advancing {
                around.granted = none.clone();
                window.running.process.advance(&around);
            }
            let asked = window.running.process.take_requests();
            requests.extend(asked.into_iter().map(|request| (Source::Window(window.id), request)));
        }
        let busy = !requests.is_empty() || !crashed.is_empty();
        for package in crashed {
            self.bury(&package);
        }
        for (source, request) in requests {
            self.serve(&source, request);
        }
        busy
    }

    /// Tells every process when what it lays itself out for has changed.
    fn reconfigure(&mut self) {
        let system = self.configuration();
        let locales = &self.app_locales;
        let tell = |running: &mut Running| {
            let mut configuration = system.clone();
            if let Some(locale) = locales.get(running.process.package()).and_then(|locales| locales.first()) {
                configuration.locale.clone_from(locale);
            }
            if running.configured != configuration {
                running.process.configure(&configuration);
                running.configured = configuration;
            }
        };
        for (_, running) in self.tasks.all_mut() {
            tell(running);
        }
        for window in self.tasks.windows_mut() {
            tell(&mut window.running);
        }
    }

    /// Tells apps when they come to the front and when they leave it. True when that changed.
    fn notice_front(&mut self) -> bool {
        let task = self.tasks.front_task();
        // Under a dialog of the system an activity is paused.
        let resumed = (task.windows.is_empty() && !self.tasks.shows_recents()).then_some((task.task, task.pid));
        if resumed == self.resumed {
            return false;
        }
        let before = std::mem::replace(&mut self.resumed, resumed);
        for (_, running) in self.tasks.all_mut() {
            let this = Some((running.task, running.pid));
            if this == before {
                running.process.paused();
            } else if this == resumed {
                running.process.resumed();
            }
        }
        true
    }
}
