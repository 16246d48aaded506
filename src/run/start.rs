//! Bringing the app under test to its start.

use super::ConnectedDevice;
use crate::device::DeviceError;
use crate::domain::{PackageName, Place};
use std::path::Path;

/// Puts the device where it is to be, installs the app where it is missing, or from a file that is given, starts it with
/// clean data, and learns its texts. Gives its version.
pub(super) async fn start(
    connected: &ConnectedDevice,
    package: &PackageName,
    apk: Option<&Path>,
    location: Option<Place>,
) -> Result<Option<String>, DeviceError> {
    let device = connected.device.as_ref();
    if let Some(place) = location {
        device.set_location(place).await?;
    }
    match (device.installed_version(package).await?, apk) {
        (_, Some(apk)) => device.install(package, apk).await?,
        (Some(_), None) => {}
        (None, None) => {
            return Err(DeviceError::App {
                serial: device.serial().clone(),
                package: package.clone(),
                what: "started",
                reason: "it is not installed: install it, or name its file under `app: {apk: …}` in the case".into(),
            });
        }
    }
    device.start_fresh(package).await?;
    let version = device.installed_version(package).await?;
    connected.language.learn(device, &connected.info, package, apk, version.as_deref()).await;
    Ok(version)
}
