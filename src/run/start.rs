//! Bringing the app under test to its start.

use super::ConnectedDevice;
use super::build::Build;
use super::executor::{Outcome, Run};
use crate::device::{DeviceError, Seen};
use crate::domain::{Action, PackageName, Place};
use crate::hierarchy::{Screen, ScreenKind, Widget};
use crate::skill::PerformError;

/// Most windows about earlier crashes that are closed before a run.
const MOST_WINDOWS: usize = 3;
/// The platform's button that closes such a window (AOSP `app_error_dialog.xml`, `app_anr_dialog.xml`).
const CLOSE: &str = "android:id/aerr_close";

/// Puts the device where it is to be, installs the app where it is missing, or from a file that is given, starts it with
/// clean data (after an upgrade with what is there), and learns its texts. Gives its version, which starting does not change.
pub(super) async fn start(
    connected: &ConnectedDevice,
    package: &PackageName,
    build: Option<&Build>,
    location: Option<Place>,
) -> Result<Option<String>, DeviceError> {
    let device = connected.device.as_ref();
    if let Some(place) = location {
        device.set_location(place).await?;
    }
    let version = match (device.installed_version(package).await?, build) {
        (known, Some(build)) => {
            build.put_on(device, package, known.is_some()).await?;
            let starting = async {
                if build.keeps_data() { device.open(package).await } else { device.start_fresh(package).await }
            };
            let (started, version) = tokio::join!(starting, device.installed_version(package));
            started?;
            version?
        }
        (known @ Some(_), None) => {
            device.start_fresh(package).await?;
            known
        }
        (None, None) => {
            return Err(DeviceError::App {
                serial: device.serial().clone(),
                package: package.clone(),
                what: "started",
                reason: "it is not installed: install it, or name its file under `app: {apk: …}` in the case".into(),
            });
        }
    };
    let file = build.map(|build| build.file.as_path());
    connected.language.learn(device, &connected.info, package, file, version.as_deref()).await;
    Ok(version)
}

impl Run<'_> {
    /// Goes on with an app as it stands: nothing is installed, cleared or started.
    pub(super) async fn go_on(&mut self, package: &PackageName, build: Option<&Build>) -> Result<Seen, Outcome> {
        let connected = self.context.connected;
        let device = connected.device.as_ref();
        self.recorder.learn_of(package);
        let version = device.installed_version(package).await.map_err(|error| Outcome::error(&error))?;
        let file = build.map(|build| build.file.as_path());
        connected.language.learn(device, &connected.info, package, file, version.as_deref()).await;
        self.note_app("", package, version.clone());
        self.app_version = version;
        let eyes = connected.eyes(self.mask);
        eyes.look(&mut self.recorder).await.map_err(|error| Outcome::error(&error))
    }

    /// The first look at an app that was just started. A window that tells of another app's crash, or of one before the
    /// start, is closed first, and the app started anew.
    ///
    /// # Errors
    /// The device failed, or such a window does not go.
    pub(super) async fn first_look(
        &mut self,
        connected: &ConnectedDevice,
        package: &PackageName,
    ) -> Result<Seen, DeviceError> {
        let device = connected.device.as_ref();
        let eyes = connected.eyes(self.mask);
        let mut seen = eyes.look(&mut self.recorder).await?;
        for _ in 0..MOST_WINDOWS {
            if !is_about_trouble(&seen.screen) || !device.crashes(package).await?.is_empty() {
                return Ok(seen);
            }
            let Some(close) = close_button(&seen.screen) else { break };
            tracing::warn!(serial = %device.serial(), window = seen.screen.title, "a window of an earlier crash is closed");
            let action = Action::Click { target: close.target() };
            match self.context.skills.perform(device, &action, 0, &seen.hierarchy).await {
                Ok(_) => {}
                Err(PerformError::Device(error)) => return Err(error),
                Err(PerformError::Expand(error)) => {
                    tracing::error!(%error, "the button of a window cannot be touched");
                    break;
                }
            }
            // Closing it may have ended the app that was just started.
            device.start_fresh(package).await?;
            seen = eyes.look(&mut self.recorder).await?;
        }
        if is_about_trouble(&seen.screen) && device.crashes(package).await?.is_empty() {
            return Err(DeviceError::InTheWay { serial: device.serial().clone(), window: seen.screen.title.clone() });
        }
        Ok(seen)
    }
}

/// The system says that an app crashed or does not respond.
fn is_about_trouble(screen: &Screen) -> bool {
    matches!(screen.kind, ScreenKind::Crash | ScreenKind::NotResponding)
}

fn close_button(screen: &Screen) -> Option<&Widget> {
    screen.widgets.iter().find(|widget| widget.resource_id == CLOSE)
}
