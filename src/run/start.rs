//! Bringing the app under test to its start.

use crate::device::{Device, DeviceError};
use crate::domain::PackageName;
use std::path::Path;

/// Installs the app where it is missing, or from a file that is given, and starts it with clean data. Gives its version.
pub(super) async fn start(
    device: &dyn Device,
    package: &PackageName,
    apk: Option<&Path>,
) -> Result<Option<String>, DeviceError> {
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
    device.installed_version(package).await
}
