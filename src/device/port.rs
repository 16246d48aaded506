//! The port through which agent, scripts and executor use a device.

use super::{DeviceInfo, Flaw, Observation};
use crate::adb::ShellLine;
use crate::domain::{DeviceSerial, PackageName, Place};
use async_trait::async_trait;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Why a device could not do what was asked. Always infrastructure, never the app's fault.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The adb server or the command failed.
    #[error(transparent)]
    Adb(#[from] crate::adb::AdbError),
    /// No usable hierarchy within the budget.
    #[error("{serial}: no screen hierarchy after {attempts} dumps: {reason}")]
    NoHierarchy {
        /// The device.
        serial: DeviceSerial,
        /// How often it was tried.
        attempts: u32,
        /// What the last attempt said.
        reason: String,
    },
    /// The device cannot be cared for.
    #[error("{serial}: {reason}")]
    Care {
        /// The device.
        serial: DeviceSerial,
        /// What is wrong.
        reason: String,
    },
    /// A look at the screen that shows only a part of it, or nothing but a picture.
    #[error("{serial}: {flaw}; nothing is judged by such a look")]
    HalfSeen {
        /// The device.
        serial: DeviceSerial,
        /// What is missing.
        flaw: Flaw,
    },
    /// A window that tells of an earlier crash or hang and cannot be closed.
    #[error(
        "{serial}: before anything was done the window \"{window}\" was in the way and could not be closed; close it on \
         the device, or restart the device"
    )]
    InTheWay {
        /// The device.
        serial: DeviceSerial,
        /// Its title.
        window: String,
    },
    /// An app could not be installed or started.
    #[error("{serial}: {package} could not be {what}: {reason}")]
    App {
        /// The device.
        serial: DeviceSerial,
        /// The app.
        package: PackageName,
        /// `installed`, `started`, `cleared`.
        what: &'static str,
        /// What the device said.
        reason: String,
    },
    /// The device cannot be told where it is.
    #[error(
        "{serial}: its location cannot be set to {place}: {reason}; use an emulator, or a device with Android 12 or later \
         whose shell may set a mock location, or leave `location` out of the case"
    )]
    Location {
        /// The device.
        serial: DeviceSerial,
        /// Where it should be.
        place: String,
        /// What was said.
        reason: String,
    },
    /// Text that `input text` cannot type.
    #[error(
        "{serial}: `{command}` types text with a character outside printable ASCII, which Android's `input text` cannot \
         type; install the keyboard ADBKeyBoard (com.android.adbkeyboard) on the device, or use a value of U+0020 to U+007E"
    )]
    Text {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
    },
}

impl DeviceError {
    /// The device is well, and a command on it said no.
    pub const fn is_refusal(&self) -> bool {
        use crate::adb::AdbError;
        matches!(self, Self::Adb(AdbError::Exit { .. } | AdbError::Reported { .. }) | Self::App { .. })
    }
}

/// One Android device. Every call is bounded in time.
#[async_trait]
pub trait Device: Send + Sync {
    /// As the adb server names it.
    fn serial(&self) -> &DeviceSerial;

    /// Model, API level, display.
    async fn describe(&self) -> Result<DeviceInfo, DeviceError>;

    /// Time since a fixed moment, on the clock that waits and time budgets are measured on: the real one, or a virtual
    /// device's own, where the same run takes the same time however busy the machine is.
    fn now(&self) -> Duration {
        static FIRST_ASKED: LazyLock<Instant> = LazyLock::new(Instant::now);
        FIRST_ASKED.elapsed()
    }

    /// Waits for the screen to come to rest (bounded) and reports it.
    async fn observe(&self) -> Result<Observation, DeviceError>;

    /// Reports the hierarchy only, without picture, focus and keyboard: what a script's guard needs, several times
    /// faster.
    async fn glance(&self) -> Result<Observation, DeviceError>;

    /// Waits until the hierarchy differs from `before` (the bytes of a dump) or `limit` has passed; true when it
    /// differs.
    async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError>;

    /// Lets time pass on the device's clock, without looking at the screen.
    async fn let_pass(&self, time: Duration) {
        super::settle::pause(time).await;
    }

    /// Runs one shell line made from a skill; an exit code other than 0 is an error.
    async fn run(&self, line: &ShellLine) -> Result<(), DeviceError>;

    /// True once a secret may have been typed, as far as this device is told of it: from then on a picture may show one.
    fn was_told_a_secret(&self) -> bool {
        true
    }

    /// Makes the device believe that it is somewhere.
    async fn set_location(&self, place: Place) -> Result<(), DeviceError> {
        let (serial, place) = (self.serial().clone(), place.to_string());
        Err(DeviceError::Location { serial, place, reason: "it has no way for that".to_owned() })
    }

    /// Version name of an installed app; `None` when it is not installed.
    async fn installed_version(&self, package: &PackageName) -> Result<Option<String>, DeviceError>;

    /// The files an installed app was made of, its base first; empty where the device does not give them away.
    async fn app_files(&self, package: &PackageName) -> Result<Vec<Vec<u8>>, DeviceError> {
        let _ = package;
        Ok(Vec::new())
    }

    /// Installs (or replaces) an app.
    async fn install(&self, package: &PackageName, apk: &Path) -> Result<(), DeviceError>;

    /// Removes an installed app and its data.
    ///
    /// # Errors
    /// It cannot be removed: it is not installed, it belongs to the system, or the device takes no such command.
    async fn uninstall(&self, package: &PackageName) -> Result<(), DeviceError> {
        let (serial, package) = (self.serial().clone(), package.clone());
        Err(DeviceError::App { serial, package, what: "removed", reason: "this device has no way for that".to_owned() })
    }

    /// Stops an app, clears its data, and starts its launcher activity.
    async fn start_fresh(&self, package: &PackageName) -> Result<(), DeviceError>;

    /// Starts an app's launcher activity, keeping its state.
    async fn open(&self, package: &PackageName) -> Result<(), DeviceError>;

    /// Crash and ANR reports of `package` since the last [`Device::start_fresh`], newest last; empty when none.
    async fn crashes(&self, package: &PackageName) -> Result<Vec<String>, DeviceError>;

    /// What its clock shows, as `logcat -v threadtime` writes it; `None` where it has none that can be asked.
    ///
    /// # Errors
    /// The device fails.
    async fn clock(&self) -> Result<Option<String>, DeviceError> {
        Ok(None)
    }

    /// Everything that was logged since the last [`Device::start_fresh`] of `package`, as `logcat -v threadtime` prints it;
    /// empty where the device keeps no log.
    async fn log(&self, package: &PackageName) -> Result<String, DeviceError> {
        let _ = package;
        Ok(String::new())
    }
}
