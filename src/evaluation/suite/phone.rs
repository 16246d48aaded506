//! A virtual device within this process, on a virtual clock: what waits moves the time on and costs nothing.

use super::error::SuiteError;
use super::file::{SuiteDevice, location};
use super::truth::{AppTruth, DeviceTruth};
use crate::adb::reply::{LaunchOutcome, VersionLookup, parse_version};
use crate::adb::reply::{parse_clear_succeeded, parse_clock, parse_crashes, parse_launch, parse_launcher};
use crate::adb::{ShellLine, command};
use crate::device::{Component, Device, DeviceError, DeviceInfo, Observation};
use crate::domain::{DeviceSerial, Diagnosis, DiagnosisCode, DumpAttempt, PackageName, Place, Rest, Screenshot};
use crate::evaluation::in_process::{self, Answer};
use crate::virtual_device::shell::names;
use crate::virtual_device::system::{Interrupt, SystemConfig, VirtualSystem};
use crate::virtual_device::{ApiLevel, AppFiles, Clock, Gesture, IdleWait, Location, SharedSystem};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Dumps before a screen counts as one that cannot be had, as many as the virtual device's profile allows over adb.
const DUMPS: usize = 3;
/// How long a finger is held down that is held.
const LONG_PRESS: Duration = Duration::from_millis(800);
/// What passes on the device before it is looked at: no adb is so quick that nothing does.
const LOOK: Duration = Duration::from_millis(250);

/// Whether the agent's looks at a device come with a picture of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pictures {
    /// As on a device over adb.
    #[default]
    Drawn,
    /// The hierarchy only: links inside texts and drawn texts are not seen, and a look takes a small part of the time.
    Omitted,
}

/// A device.
pub struct Phone {
    serial: DeviceSerial,
    device: SuiteDevice,
    pictures: Pictures,
    system: SharedSystem,
    /// Device time at which each app was last started, for `logcat -T`.
    starts: Mutex<BTreeMap<PackageName, String>>,
    began: Duration,
    /// Real time that went into the device itself.
    taken: Mutex<Duration>,
}

/// Where the clock of all devices of a run starts: a Friday morning.
pub fn morning() -> Clock {
    Clock::virtual_at(jiff::Timestamp::constant(1_777_628_460, 0))
}

impl Phone {
    /// A device with apps installed; devices that share `files` and `clock` share their apps' back ends and time.
    ///
    /// # Errors
    /// When an app file cannot be used, or `at` is no `latitude,longitude`.
    pub fn new(
        device: &SuiteDevice,
        seed: u64,
        switches: &[String],
        at: Option<&str>,
        files: &Arc<AppFiles>,
        clock: &Clock,
        apps: &[(PathBuf, String)],
    ) -> Result<Self, SuiteError> {
        let wrong = |reason: String| SuiteError::Wrong { path: PathBuf::from("suite.yaml"), reason };
        let config = SystemConfig {
            api: ApiLevel::new(device.api).ok_or_else(|| wrong(format!("there is no API level {}", device.api)))?,
            display: device.display,
            density: device.density,
            locale: device.locale.clone(),
            location: at.map(location).transpose().map_err(wrong)?,
            switches: switches.to_vec(),
            seed,
            idle: IdleWait::NONE,
            clock: clock.clone(),
            night: device.night,
            font_scale: f32::from(device.letters) / 100.0,
            ..SystemConfig::default()
        };
        let mut system = VirtualSystem::boot(config, files.clone(), files.clone(), names());
        for (path, text) in apps {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            system.add(files.package(&name, text).map_err(|error| SuiteError::unreadable(path, &error))?);
        }
        // As on a farm that types every script.
        system.add(files.adb_keyboard().map_err(|error| wrong(error.to_string()))?);
        Ok(Self {
            serial: DeviceSerial::from("virtual"),
            device: device.clone(),
            pictures: Pictures::Drawn,
            system: SharedSystem::new(system),
            starts: Mutex::default(),
            began: clock.passed(),
            taken: Mutex::default(),
        })
    }

    /// The same device under a name of its own, to tell it from others.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self { serial: DeviceSerial::from(format!("virtual-{name}").as_str()), ..self }
    }

    /// The same device, whose looks have pictures or not.
    #[must_use]
    pub fn showing(self, pictures: Pictures) -> Self {
        Self { pictures, ..self }
    }

    /// What kind of device it is.
    pub const fn device(&self) -> &SuiteDevice {
        &self.device
    }

    /// Stdout of a command line, stderr behind it.
    pub fn sh(&self, line: &str) -> String {
        let Answer { mut stdout, mut stderr, .. } = in_process::run(&self.system, line);
        stdout.append(&mut stderr);
        String::from_utf8_lossy(&stdout).into_owned()
    }

    /// Real time that went into the device itself: drawing, dumping, running its shell.
    pub fn taken(&self) -> Duration {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn timed<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) += begun.elapsed();
        result
    }

    /// Lets time pass on the device.
    pub fn pass(&self, time: Duration) {
        // Nothing interrupts a wait that takes no time.
        self.system.clock().wait(time, &Interrupt::default());
        drop(self.system.lock());
    }

    /// What a finger does.
    pub(super) fn gesture(&self, gesture: Gesture) {
        let time = match gesture {
            Gesture::Swipe { duration, .. } | Gesture::Drag { duration, .. } => duration,
            Gesture::LongPress(_) => LONG_PRESS,
            Gesture::Tap(_) => Duration::ZERO,
        };
        self.pass(time);
        self.system.lock().gesture(gesture);
    }

    /// A key, by Android's code.
    pub(super) fn key(&self, code: u32) {
        self.system.lock().key(code);
    }

    /// Text typed into the field that has the focus.
    pub(super) fn type_text(&self, text: &str) {
        self.system.lock().type_text(text);
    }

    /// What is true on the device, whatever it shows.
    pub(super) fn truth(&self) -> DeviceTruth {
        let mut system = self.system.lock();
        let front = system.front().process.package().to_owned();
        let app = |(package, (process, state))| (package, AppTruth { process, state });
        DeviceTruth { front, apps: system.app_states().into_iter().map(app).collect() }
    }

    /// Moves the device to another place.
    pub fn place(&self, at: Location) {
        self.system.lock().set_location(Some(at));
    }

    /// What the display shows.
    pub fn picture(&self) -> Screenshot {
        self.system.lock().front_process().render()
    }

    /// True while the soft keyboard is up.
    pub fn keyboard_shown(&self) -> bool {
        self.system.lock().front_process().keyboard_shown()
    }

    fn line(&self, line: &ShellLine) -> Answer {
        self.timed(|| in_process::run(&self.system, line.as_sent()))
    }

    fn app_error(&self, package: &PackageName, what: &'static str, reason: impl Into<String>) -> DeviceError {
        DeviceError::App { serial: self.serial.clone(), package: package.clone(), what, reason: reason.into() }
    }

    /// A dump, or why there is none.
    pub(super) fn dump(&self) -> Result<Vec<u8>, String> {
        let answer = in_process::run(&self.system, "uiautomator dump /dev/tty");
        if answer.terminal.is_empty() { Err(answer.complaint()) } else { Ok(answer.terminal) }
    }

    fn observation(&self, picture: bool) -> Observation {
        let started = Instant::now();
        self.pass(LOOK);
        let mut dumps = Vec::new();
        let mut notes = Vec::new();
        let mut hierarchy = Vec::new();
        while hierarchy.is_empty() && dumps.len() < DUMPS {
            let begun = Instant::now();
            let failure = match self.dump() {
                Ok(dump) => {
                    hierarchy = dump;
                    None
                }
                Err(reason) => Some(reason),
            };
            dumps.push(DumpAttempt {
                mode: "full".to_owned(),
                route: "terminal".to_owned(),
                ms: begun.elapsed().as_secs_f64() * 1000.0,
                failure,
            });
        }
        if hierarchy.is_empty() {
            let reason = dumps.last().and_then(|dump| dump.failure.clone()).unwrap_or_default();
            let message = format!("no screen hierarchy after {DUMPS} dumps: {reason}; only the picture is looked at");
            notes.push(Diagnosis::new(DiagnosisCode::NoHierarchy, message));
        }
        let screenshot = picture.then(|| self.picture());
        let mut system = self.system.lock();
        let process = system.front_process();
        Observation {
            hierarchy,
            screenshot,
            foreground: Some(Component { package: process.package().to_owned(), activity: process.activity() }),
            keyboard_shown: process.keyboard_shown(),
            dumps,
            pictures: Vec::new(),
            rest: Rest::Dump,
            observe_time: started.elapsed(),
            settle_time: Duration::ZERO,
            notes,
        }
    }

    fn remember_start(&self, package: &PackageName, said: &str) {
        if let Some(time) = parse_clock(said) {
            self.starts.lock().unwrap_or_else(PoisonError::into_inner).insert(package.clone(), time);
        }
    }

    fn start_of(&self, package: &PackageName) -> Option<String> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).get(package).cloned()
    }

    fn launch(&self, package: &PackageName, said: &str) -> Result<(), DeviceError> {
        let launcher = parse_launcher(said)
            .ok_or_else(|| self.app_error(package, "started", "it is not installed or has no launcher activity"))?;
        let component = Component { package: launcher.package, activity: launcher.activity };
        let answer = self.line(&command::start_activity(&component.to_string()));
        match parse_launch(&format!("{}\n{}", answer.text(), answer.complaint())) {
            LaunchOutcome::Failed(reason) => Err(self.app_error(package, "started", reason)),
            LaunchOutcome::Started | LaunchOutcome::Slow => Ok(()),
        }
    }
}

#[async_trait]
impl Device for Phone {
    fn serial(&self) -> &DeviceSerial {
        &self.serial
    }

    fn now(&self) -> Duration {
        self.system.clock().passed().saturating_sub(self.began)
    }

    async fn describe(&self) -> Result<DeviceInfo, DeviceError> {
        let system = self.system.lock();
        Ok(DeviceInfo {
            serial: self.serial.clone(),
            model: "Tapwright Virtual Phone".to_owned(),
            api: system.config().api.number(),
            display: system.display(),
            density: system.density(),
            locale: system.locale().to_owned(),
        })
    }

    async fn observe(&self) -> Result<Observation, DeviceError> {
        Ok(self.timed(|| self.observation(self.pictures == Pictures::Drawn)))
    }

    async fn glance(&self) -> Result<Observation, DeviceError> {
        Ok(self.timed(|| self.observation(false)))
    }

    async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        let begun = self.now();
        Ok(self.timed(|| {
            loop {
                // A screen that is never at rest has not changed to anything that could be read.
                if self.dump().is_ok_and(|dump| dump != before) {
                    return true;
                }
                if self.now().saturating_sub(begun) >= limit {
                    return false;
                }
                self.pass(LOOK);
            }
        }))
    }

    async fn let_pass(&self, time: Duration) {
        self.timed(|| self.pass(time));
    }

    async fn run(&self, line: &ShellLine) -> Result<(), DeviceError> {
        if line.types_untypeable_text() {
            return Err(DeviceError::Text { serial: self.serial.clone(), command: line.to_string() });
        }
        let answer = self.line(line);
        let said = format!("{}\n{}", answer.text(), answer.complaint());
        let complaint =
            said.lines().map(str::trim).find(|said| said.starts_with("Error") || said.starts_with("Unknown command"));
        let reply = match complaint {
            Some(reply) => reply.to_owned(),
            None if answer.exit != 0 => format!("exit {}: {}", answer.exit, answer.complaint()),
            None => return Ok(()),
        };
        let (serial, command) = (self.serial.clone(), line.to_string());
        Err(crate::adb::AdbError::Reported { serial, command, reply }.into())
    }

    async fn installed_version(&self, package: &PackageName) -> Result<Option<String>, DeviceError> {
        Ok(match parse_version(&self.line(&command::package_details(package)).text()) {
            VersionLookup::Installed(version) => Some(version),
            VersionLookup::Missing | VersionLookup::Unclear => None,
        })
    }

    async fn install(&self, package: &PackageName, apk: &Path) -> Result<(), DeviceError> {
        // The suite's apps are installed with the switches of its run; nothing else is.
        match self.installed_version(package).await? {
            Some(_) => Ok(()),
            None => Err(self.app_error(package, "installed", format!("{} is no app of the suite", apk.display()))),
        }
    }

    async fn start_fresh(&self, package: &PackageName) -> Result<(), DeviceError> {
        let answer = self.line(&command::reset(package));
        let said = answer.text();
        if !parse_clear_succeeded(&said) {
            return Err(self.app_error(package, "cleared", answer.complaint()));
        }
        self.remember_start(package, &said);
        self.launch(package, &said)
    }

    async fn set_location(&self, place: Place) -> Result<(), DeviceError> {
        self.place(Location { latitude: place.latitude, longitude: place.longitude });
        Ok(())
    }

    async fn open(&self, package: &PackageName) -> Result<(), DeviceError> {
        let said = self.line(&command::locate(package)).text();
        if self.start_of(package).is_none() {
            self.remember_start(package, &said);
        }
        self.launch(package, &said)
    }

    async fn crashes(&self, package: &PackageName) -> Result<Vec<String>, DeviceError> {
        let Some(start) = self.start_of(package) else { return Ok(Vec::new()) };
        Ok(parse_crashes(&self.line(&command::log_since(&start)).text(), package))
    }
}
