//! A device behind an adb server: apps and commands here, looking at the screen in `adb_screen.rs`.

use super::adb_screen::ScreenReader;
use super::{Budgets, Component, Device, DeviceError, DeviceInfo, Observation, Profile};
use crate::adb::reply::{
    FocusedActivity, InstallStatus, LaunchOutcome, VersionLookup, parse_app_paths, parse_clear_succeeded, parse_clock,
    parse_crashes, parse_density, parse_display_size, parse_install_status, parse_launch, parse_launcher,
    parse_properties, parse_version,
};
use crate::adb::{AdbError, AdbServer, ServerAddress, ShellLine, Transport, command, console_port, geo_fix};
use crate::domain::{DeviceSerial, PackageName, Place};
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Most bytes of one app that are taken off a device for its texts.
const MOST_APP_BYTES: u64 = 512 << 20;

/// One device, reached through an adb server.
#[derive(Debug)]
pub struct AdbDevice {
    transport: Transport,
    budgets: Budgets,
    screen: ScreenReader,
    /// Device time at which each app was last started, for `logcat -T`.
    starts: Mutex<BTreeMap<PackageName, String>>,
    /// A line that held a secret was sent.
    told_a_secret: AtomicBool,
}

impl AdbDevice {
    /// The device `serial` of the server at `address`. Nothing is sent yet. The budgets are scaled by the profile.
    pub fn new(address: ServerAddress, serial: DeviceSerial, profile: &Profile, budgets: Budgets) -> Self {
        let transport = Transport::new(AdbServer::new(address), serial);
        let budgets = budgets.for_profile(profile);
        let screen = ScreenReader::new(transport.clone(), profile, budgets);
        Self { transport, budgets, screen, starts: Mutex::default(), told_a_secret: AtomicBool::new(false) }
    }

    /// Asks a device what it is, before a profile can be chosen for it.
    pub async fn identify(
        address: ServerAddress,
        serial: DeviceSerial,
        budgets: Budgets,
    ) -> Result<DeviceInfo, DeviceError> {
        describe(&Transport::new(AdbServer::new(address), serial), budgets.query).await
    }

    /// The device's shell and files, for what this interface does not offer.
    pub const fn transport(&self) -> &Transport {
        &self.transport
    }

    fn app_error(&self, package: &PackageName, what: &'static str, reason: impl Into<String>) -> DeviceError {
        DeviceError::App {
            serial: self.transport.serial().clone(),
            package: package.clone(),
            what,
            reason: reason.into(),
        }
    }

    fn reported(&self, line: &ShellLine, reply: impl Into<String>) -> AdbError {
        AdbError::Reported { serial: self.transport.serial().clone(), command: line.to_string(), reply: reply.into() }
    }

    fn remember_start(&self, package: &PackageName, said: &str, line: &ShellLine) -> Result<(), AdbError> {
        let time = parse_clock(said).ok_or_else(|| self.reported(line, "no time of day"))?;
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).insert(package.clone(), time);
        Ok(())
    }

    fn start_of(&self, package: &PackageName) -> Option<String> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).get(package).cloned()
    }

    async fn launch(&self, package: &PackageName, launcher: FocusedActivity) -> Result<(), DeviceError> {
        let component = Component { package: launcher.package, activity: launcher.activity };
        let line = command::start_activity(&component.to_string());
        let output = self.transport.shell(&line, self.budgets.launch).await?;
        let said = format!("{}\n{}", output.stdout_text(), output.stderr_text());
        match parse_launch(&said) {
            LaunchOutcome::Failed(reason) => Err(self.app_error(package, "started", reason)),
            LaunchOutcome::Started | LaunchOutcome::Slow if output.exit_code != 0 => {
                let reason = format!("`{line}` exited with {}: {}", output.exit_code, said.trim());
                Err(self.app_error(package, "started", reason))
            }
            LaunchOutcome::Started => Ok(()),
            LaunchOutcome::Slow => {
                tracing::warn!(serial = %self.transport.serial(), %package, "the app's first frame is late");
                Ok(())
            }
        }
    }
}

const NO_LAUNCHER: &str = "it is not installed or has no launcher activity";

async fn describe(transport: &Transport, budget: Duration) -> Result<DeviceInfo, DeviceError> {
    let line = command::describe();
    let said = transport.run(&line, budget).await?.stdout_text();
    let missing = |what: &str| AdbError::Reported {
        serial: transport.serial().clone(),
        command: line.to_string(),
        reply: format!("no {what}; is the device fully booted?"),
    };
    let properties = parse_properties(&said);
    Ok(DeviceInfo {
        serial: transport.serial().clone(),
        model: properties.get("ro.product.model").unwrap_or("unknown").to_owned(),
        api: properties
            .get("ro.build.version.sdk")
            .and_then(|api| api.trim().parse().ok())
            .ok_or_else(|| missing("API level (ro.build.version.sdk)"))?,
        display: parse_display_size(&said).ok_or_else(|| missing("display size"))?,
        density: parse_density(&said).ok_or_else(|| missing("display density"))?,
        locale: properties.locale(),
    })
}

#[async_trait]
impl Device for AdbDevice {
    fn serial(&self) -> &DeviceSerial {
        self.transport.serial()
    }

    async fn describe(&self) -> Result<DeviceInfo, DeviceError> {
        describe(&self.transport, self.budgets.query).await
    }

    async fn observe(&self) -> Result<Observation, DeviceError> {
        self.screen.observe().await
    }

    async fn glance(&self) -> Result<Observation, DeviceError> {
        self.screen.glance().await
    }

    async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        self.screen.wait_for_change(before, limit).await
    }

    fn was_told_a_secret(&self) -> bool {
        self.told_a_secret.load(Ordering::Relaxed)
    }

    async fn run(&self, line: &ShellLine) -> Result<(), DeviceError> {
        if line.types_untypeable_text() {
            return Err(DeviceError::Text { serial: self.transport.serial().clone(), command: line.to_string() });
        }
        if line.holds_secret() {
            self.told_a_secret.store(true, Ordering::Relaxed);
        }
        let output = self.transport.run(line, self.budgets.action).await?;
        // `input` exits with 0 when it does not know a subcommand, and `am` of old releases in every case; both are
        // silent, or print no line like these, when they did what they were told.
        let said = format!("{}\n{}", output.stdout_text(), output.stderr_text());
        let complaint =
            said.lines().map(str::trim).find(|said| said.starts_with("Error") || said.starts_with("Unknown command"));
        match complaint {
            Some(reply) => Err(self.reported(line, reply).into()),
            None => Ok(()),
        }
    }

    async fn installed_version(&self, package: &PackageName) -> Result<Option<String>, DeviceError> {
        let line = command::package_details(package);
        let said = self.transport.run(&line, self.budgets.query).await?.stdout_text();
        match parse_version(&said) {
            VersionLookup::Installed(version) => Ok(Some(version)),
            VersionLookup::Missing => Ok(None),
            VersionLookup::Unclear => Err(self.reported(&line, "neither a version nor a missing package").into()),
        }
    }

    async fn app_files(&self, package: &PackageName) -> Result<Vec<Vec<u8>>, DeviceError> {
        let said = self.transport.run(&command::app_paths(package), self.budgets.query).await?.stdout_text();
        let mut files = Vec::new();
        let mut left = MOST_APP_BYTES;
        for path in parse_app_paths(&said) {
            let size = self.transport.stat(&path, self.budgets.query).await?.map_or(0, |file| u64::from(file.size));
            if size == 0 || size > left {
                continue;
            }
            left -= size;
            files.push(self.transport.pull(&path, self.budgets.install).await?);
        }
        Ok(files)
    }

    async fn install(&self, package: &PackageName, apk: &Path) -> Result<(), DeviceError> {
        match self.transport.install(apk, self.budgets.install).await? {
            InstallStatus::Installed => Ok(()),
            InstallStatus::Refused(reason) => {
                Err(self.app_error(package, "installed", format!("{reason} ({})", apk.display())))
            }
            InstallStatus::Unclear(reply) => {
                Err(self.app_error(package, "installed", format!("the device answered {reply:?} ({})", apk.display())))
            }
        }
    }

    async fn uninstall(&self, package: &PackageName) -> Result<(), DeviceError> {
        let output = self.transport.shell(&command::uninstall(package), self.budgets.install).await?;
        let said = format!("{}\n{}", output.stdout_text(), output.stderr_text());
        match parse_install_status(&said) {
            InstallStatus::Installed => Ok(()),
            InstallStatus::Refused(reason) => {
                let remedy = "an app of the system cannot be removed: leave `--install fresh` out";
                Err(self.app_error(package, "removed", format!("{reason}; {remedy}")))
            }
            InstallStatus::Unclear(reply) => {
                Err(self.app_error(package, "removed", format!("the device answered {reply:?}")))
            }
        }
    }

    async fn start_fresh(&self, package: &PackageName) -> Result<(), DeviceError> {
        let line = command::reset(package);
        let output = self.transport.shell(&line, self.budgets.query).await?;
        let said = output.stdout_text();
        if !parse_clear_succeeded(&said) {
            let complaint = output.stderr_text();
            let reason =
                if complaint.is_empty() { NO_LAUNCHER.to_owned() } else { format!("{complaint}; {NO_LAUNCHER}") };
            return Err(self.app_error(package, "cleared", reason));
        }
        let launcher = parse_launcher(&said).ok_or_else(|| self.app_error(package, "started", NO_LAUNCHER))?;
        self.remember_start(package, &said, &line)?;
        self.launch(package, launcher).await
    }

    async fn set_location(&self, place: Place) -> Result<(), DeviceError> {
        let serial = self.transport.serial().clone();
        let refused =
            |reason: String| DeviceError::Location { serial: serial.clone(), place: place.to_string(), reason };
        if let Some(port) = console_port(&serial) {
            return geo_fix(port, place, self.budgets.query).await.map_err(refused);
        }
        for line in command::pretend_place(place) {
            let output = self.transport.shell(&line, self.budgets.query).await?;
            let said = format!("{} {}", output.stdout_text().trim(), output.stderr_text().trim());
            // A second run finds the provider made by the first one.
            let known = said.contains("already");
            if output.exit_code != 0 && !known {
                return Err(refused(format!("`{line}` ended with {}: {}", output.exit_code, said.trim())));
            }
        }
        Ok(())
    }

    async fn open(&self, package: &PackageName) -> Result<(), DeviceError> {
        let line = command::locate(package);
        let said = self.transport.shell(&line, self.budgets.query).await?.stdout_text();
        let launcher = parse_launcher(&said).ok_or_else(|| self.app_error(package, "started", NO_LAUNCHER))?;
        if self.start_of(package).is_none() {
            self.remember_start(package, &said, &line)?;
        }
        self.launch(package, launcher).await
    }

    async fn clock(&self) -> Result<Option<String>, DeviceError> {
        let said = self.transport.run(&command::clock(), self.budgets.query).await?.stdout_text();
        Ok(parse_clock(&said))
    }

    async fn crashes(&self, package: &PackageName) -> Result<Vec<String>, DeviceError> {
        // An app this process has not started has no crashes of ours.
        let Some(start) = self.start_of(package) else { return Ok(Vec::new()) };
        let said = self.transport.run(&command::log_since(&start), self.budgets.query).await?.stdout_text();
        Ok(parse_crashes(&said, package))
    }

    async fn log(&self, package: &PackageName) -> Result<String, DeviceError> {
        let Some(start) = self.start_of(package) else { return Ok(String::new()) };
        Ok(self.transport.run(&command::log_since(&start), self.budgets.query).await?.stdout_text())
    }
}
