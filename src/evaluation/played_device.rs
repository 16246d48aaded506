//! A device within this process that plays one recorded app. Shell lines run in the virtual device's shell, without adb.

use super::in_process;
use crate::adb::ShellLine;
use crate::device::{Component, Device, DeviceError, DeviceInfo, Observation};
use crate::domain::{DeviceSerial, DumpAttempt, PackageName, Rest, Screenshot};
use crate::recorded::{RecordedApp, Task};
use crate::virtual_device::recorded::{Journal, Performance};
use crate::virtual_device::shell;
use crate::virtual_device::system::{Interrupt, SharedSystem, SystemConfig, VirtualSystem};
use crate::virtual_device::{AppFiles, Clock};
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A recorded app on a device of its own, on a virtual clock. Nothing in a recording moves by itself: who waits only lets
/// time pass.
pub(super) struct PlayedDevice {
    serial: DeviceSerial,
    clock: Clock,
    app: Arc<RecordedApp>,
    system: SharedSystem,
    journal: Journal,
}

impl PlayedDevice {
    /// A device with the app installed, playing a task.
    pub(super) fn new(app: &Arc<RecordedApp>, task: &Task) -> Self {
        let files = Arc::new(AppFiles::default());
        let clock = Clock::virtual_at(jiff::Timestamp::UNIX_EPOCH);
        let config = SystemConfig {
            display: app.display(),
            density: app.info.display.density,
            clock: clock.clone(),
            ..SystemConfig::default()
        };
        let mut system = VirtualSystem::boot(config, files.clone(), files.clone(), shell::names());
        let journal = Journal::default();
        system.add(files.performance(app, Performance { task: Some(task.clone()), journal: journal.clone() }));
        Self {
            serial: DeviceSerial::from("recording"),
            clock,
            app: Arc::clone(app),
            system: SharedSystem::new(system),
            journal,
        }
    }

    /// What was done to the app, and the state it is in.
    pub(super) const fn journal(&self) -> &Journal {
        &self.journal
    }

    fn failed(&self, what: &'static str, reason: impl Into<String>) -> DeviceError {
        let package = PackageName::new(self.app.info.package.as_str());
        DeviceError::App { serial: self.serial.clone(), package, what, reason: reason.into() }
    }

    /// Runs a line; what it wrote to its terminal or stdout.
    fn shell(&self, line: &str) -> Result<Vec<u8>, DeviceError> {
        let answer = in_process::run(&self.system, line);
        if answer.exit != 0 {
            return Err(self.failed("driven", format!("exit {}: {}", answer.exit, answer.complaint())));
        }
        Ok(if answer.terminal.is_empty() { answer.stdout } else { answer.terminal })
    }

    fn dump(&self) -> Result<Vec<u8>, DeviceError> {
        self.shell("uiautomator dump /dev/tty")
    }

    /// A picture only where one was recorded: there is nothing to find in a drawing of the dump.
    fn picture(&self) -> Option<Screenshot> {
        let state = self.journal.state()?;
        self.app.state(&state)?.picture.as_ref()?;
        Some(self.system.lock().front_process().render())
    }

    fn observation(&self, picture: bool) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let hierarchy = self.dump()?;
        let screenshot = if picture { self.picture() } else { None };
        let mut system = self.system.lock();
        let process = system.front_process();
        Ok(Observation {
            hierarchy,
            screenshot,
            foreground: Some(Component { package: process.package().to_owned(), activity: process.activity() }),
            keyboard_shown: process.keyboard_shown(),
            dumps: vec![DumpAttempt {
                mode: "full".to_owned(),
                route: "terminal".to_owned(),
                failure: None,
                ms: started.elapsed().as_secs_f64() * 1000.0,
            }],
            pictures: Vec::new(),
            rest: Rest::Dump,
            observe_time: started.elapsed(),
            settle_time: Duration::ZERO,
            notes: Vec::new(),
        })
    }
}

#[async_trait]
impl Device for PlayedDevice {
    fn serial(&self) -> &DeviceSerial {
        &self.serial
    }

    async fn describe(&self) -> Result<DeviceInfo, DeviceError> {
        let system = self.system.lock();
        Ok(DeviceInfo {
            serial: self.serial.clone(),
            model: "recording".to_owned(),
            api: system.config().api.number(),
            display: system.display(),
            density: system.density(),
            locale: system.locale().to_owned(),
        })
    }

    async fn observe(&self) -> Result<Observation, DeviceError> {
        self.observation(true)
    }

    async fn glance(&self) -> Result<Observation, DeviceError> {
        self.observation(false)
    }

    fn now(&self) -> Duration {
        self.clock.passed()
    }

    async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        let changed = self.dump()? != before;
        if !changed {
            self.let_pass(limit).await;
        }
        Ok(changed)
    }

    async fn let_pass(&self, time: Duration) {
        // Nothing interrupts a wait that takes no time.
        self.clock.wait(time, &Interrupt::default());
    }

    async fn run(&self, line: &ShellLine) -> Result<(), DeviceError> {
        if line.types_untypeable_text() {
            return Err(DeviceError::Text { serial: self.serial.clone(), command: line.to_string() });
        }
        self.shell(line.as_sent()).map(drop)
    }

    async fn installed_version(&self, package: &PackageName) -> Result<Option<String>, DeviceError> {
        let own = package.as_str() == self.app.info.package;
        Ok(own.then(|| self.app.info.version.clone().unwrap_or_default()))
    }

    async fn install(&self, _package: &PackageName, apk: &Path) -> Result<(), DeviceError> {
        Err(self.failed("installed", format!("a recording takes no other app, so {} was refused", apk.display())))
    }

    async fn start_fresh(&self, package: &PackageName) -> Result<(), DeviceError> {
        self.system.lock().clear(package.as_str());
        self.open(package).await
    }

    async fn open(&self, package: &PackageName) -> Result<(), DeviceError> {
        let started = self.system.lock().start(package.as_str());
        started.map(drop).ok_or_else(|| self.failed("started", format!("{package} is not the recorded app")))
    }

    async fn crashes(&self, _package: &PackageName) -> Result<Vec<String>, DeviceError> {
        Ok(Vec::new())
    }
}
