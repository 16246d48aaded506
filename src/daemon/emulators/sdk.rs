//! The emulator of the Android SDK on this machine.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// How long the emulator may take to tell which virtual devices there are.
const LISTING: Duration = Duration::from_secs(30);

/// Why emulators cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum SdkError {
    /// Nobody says where the SDK is.
    #[error("tapwright.toml has [[emulators]], and ANDROID_HOME is not set: set it to the folder of the Android SDK")]
    NoHome,
    /// The SDK has no emulator.
    #[error("there is no {0}: install it with `sdkmanager emulator`, or set ANDROID_HOME to another SDK")]
    NoEmulator(PathBuf),
    /// The emulator does not tell.
    #[error("`{program} -list-avds` failed: {reason}")]
    Listing {
        /// The program.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// No such virtual device.
    #[error(
        "there is no virtual device {avd:?}; there are: {known}. Make it with `avdmanager create avd -n {avd} -k IMAGE`"
    )]
    UnknownAvd {
        /// The one that was asked for.
        avd: String,
        /// Those that there are.
        known: String,
    },
}

/// The SDK's emulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sdk {
    pub(super) emulator: PathBuf,
}

impl Sdk {
    /// The emulator of the SDK in `home`.
    ///
    /// # Errors
    /// No folder is given, or it has no emulator.
    pub fn find(home: Option<&Path>) -> Result<Self, SdkError> {
        let home = home.ok_or(SdkError::NoHome)?;
        let emulator = home.join("emulator").join(if cfg!(windows) { "emulator.exe" } else { "emulator" });
        if emulator.is_file() { Ok(Self { emulator }) } else { Err(SdkError::NoEmulator(emulator)) }
    }

    /// Makes sure that the SDK knows a virtual device of each of these names.
    ///
    /// # Errors
    /// It does not, or does not tell.
    pub async fn check(&self, avds: impl IntoIterator<Item = &str>) -> Result<(), SdkError> {
        let failed = |reason: String| SdkError::Listing { program: self.emulator.clone(), reason };
        let listing = Command::new(&self.emulator).arg("-list-avds").stdin(Stdio::null()).kill_on_drop(true).output();
        let listed = tokio::time::timeout(LISTING, listing).await;
        let output = listed
            .map_err(|_elapsed| failed(format!("no answer within {LISTING:?}")))?
            .map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())));
        }
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let known: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        match avds.into_iter().find(|avd| !known.contains(avd)) {
            Some(avd) => Err(SdkError::UnknownAvd { avd: avd.to_owned(), known: known.join(", ") }),
            None => Ok(()),
        }
    }
}
