//! Care of a device between runs: made ready as its profile says, asked how it is, put back as it was.

use super::{Budgets, DeviceError, Preparation, Profiles};
use crate::adb::reply::{Health, parse_health, parse_picture};
use crate::adb::{AdbServer, ServerAddress, ShellLine, Transport, command};
use crate::domain::DeviceSerial;
use async_trait::async_trait;
use std::collections::BTreeMap;

/// Settings by `namespace/name` with their values; `None`: not set.
pub type Settings = BTreeMap<String, Option<String>>;

/// Who cares for devices between runs.
#[async_trait]
pub trait DeviceCare: Send + Sync {
    /// Reads those settings that [`DeviceCare::prepare`] would change, as they are now.
    async fn to_be_changed(&self, serial: &DeviceSerial) -> Result<Settings, DeviceError>;

    /// Sets what the device's profile wants.
    async fn prepare(&self, serial: &DeviceSerial) -> Result<(), DeviceError>;

    /// Sets these settings, as they were before.
    async fn put_back(&self, serial: &DeviceSerial, settings: &Settings) -> Result<(), DeviceError>;

    /// Asks the device how it is; why it is not fit for a run, in a sentence, or `None`.
    async fn unfit(&self, serial: &DeviceSerial) -> Result<Option<String>, DeviceError>;

    /// What it shows now, as a PNG. Nothing is masked.
    async fn picture(&self, serial: &DeviceSerial) -> Result<Vec<u8>, DeviceError>;
}

/// Care through the adb server.
pub struct AdbCare {
    /// The server.
    pub address: ServerAddress,
    /// The profiles to match.
    pub profiles: Profiles,
}

impl AdbCare {
    fn transport(&self, serial: &DeviceSerial) -> Transport {
        Transport::new(AdbServer::new(self.address.clone()), serial.clone())
    }

    /// What the profile that matches a device wants of it, and the time a question to it may take.
    async fn wanted(&self, serial: &DeviceSerial) -> Result<(Preparation, Budgets), DeviceError> {
        let info = super::AdbDevice::identify(self.address.clone(), serial.clone(), Budgets::default()).await?;
        let profile = self.profiles.matching(&info);
        Ok((profile.prepare.clone(), Budgets::default().for_profile(profile)))
    }

    async fn set(&self, serial: &DeviceSerial, settings: &Settings, budgets: Budgets) -> Result<(), DeviceError> {
        let line = |(key, value): (&String, &Option<String>)| {
            let (namespace, name) = key.split_once('/')?;
            Some(match value {
                Some(value) => command::set_setting(namespace, name, value),
                None => command::delete_setting(namespace, name),
            })
        };
        // In one round trip: the daemon may be about to end.
        let lines: Vec<ShellLine> = settings.iter().filter_map(line).collect();
        self.transport(serial).run(&ShellLine::sequence(&lines), budgets.query).await?;
        Ok(())
    }
}

#[async_trait]
impl DeviceCare for AdbCare {
    async fn to_be_changed(&self, serial: &DeviceSerial) -> Result<Settings, DeviceError> {
        let (wanted, budgets) = self.wanted(serial).await?;
        let transport = self.transport(serial);
        let mut found = Settings::new();
        for (key, value) in wanted.settings {
            let Some((namespace, name)) = key.split_once('/') else { continue };
            let said = transport.run(&command::setting(namespace, name), budgets.query).await?.stdout_text();
            // What is not set is told as `null`.
            let now = Some(said.trim().to_owned()).filter(|now| now != "null" && !now.is_empty());
            if now.as_deref() != Some(value.as_str()) {
                found.insert(key, now);
            }
        }
        Ok(found)
    }

    async fn prepare(&self, serial: &DeviceSerial) -> Result<(), DeviceError> {
        let (wanted, budgets) = self.wanted(serial).await?;
        let settings = wanted.settings.into_iter().map(|(key, value)| (key, Some(value))).collect();
        self.set(serial, &settings, budgets).await
    }

    async fn put_back(&self, serial: &DeviceSerial, settings: &Settings) -> Result<(), DeviceError> {
        self.set(serial, settings, Budgets::default()).await
    }

    async fn unfit(&self, serial: &DeviceSerial) -> Result<Option<String>, DeviceError> {
        let (wanted, budgets) = self.wanted(serial).await?;
        // The last command's exit code says nothing of the others.
        let said = self.transport(serial).shell(&command::health(), budgets.query).await?.stdout_text();
        Ok(lacking(parse_health(&said), &wanted))
    }

    async fn picture(&self, serial: &DeviceSerial) -> Result<Vec<u8>, DeviceError> {
        let line = command::screencap_png();
        let bytes = self.transport(serial).run(&line, Budgets::default().picture).await?.stdout;
        let (checked, bytes) = tokio::task::spawn_blocking(move || (parse_picture(&bytes).map(drop), bytes))
            .await
            .map_err(|error| DeviceError::Care { serial: serial.clone(), reason: error.to_string() })?;
        checked.map_err(|error| DeviceError::Care { serial: serial.clone(), reason: error.to_string() })?;
        Ok(bytes)
    }
}

/// What a device lacks for a run, in a sentence. What it did not say is not held against it.
fn lacking(health: Health, wanted: &Preparation) -> Option<String> {
    if health.booted == Some(false) {
        return Some("it has not booted yet".to_owned());
    }
    if let Some(free) = health.free_megabytes.filter(|free| *free < wanted.free_megabytes) {
        return Some(format!("{free} MB are free on it, and {} MB are needed", wanted.free_megabytes));
    }
    let low = health.battery_percent.filter(|percent| *percent < wanted.battery_percent);
    low.map(|percent| format!("its battery is at {percent} %, and is not charged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_lacks_reads_as_a_table() {
        let wanted = Preparation { free_megabytes: 200, battery_percent: 15, ..Preparation::default() };
        let health = |booted, free_megabytes, battery_percent| Health { booted, free_megabytes, battery_percent };
        for (found, expected) in [
            (health(Some(true), Some(200), Some(15)), None),
            (Health::default(), None),
            (health(Some(false), Some(5000), None), Some("not booted")),
            (health(Some(true), Some(12), None), Some("12 MB are free on it, and 200 MB")),
            (health(Some(true), None, Some(14)), Some("at 14 %")),
        ] {
            let said = lacking(found, &wanted);
            let fits = match (&said, expected) {
                (None, None) => true,
                (Some(said), Some(expected)) => said.contains(expected),
                _ => false,
            };
            assert!(fits, "{found:?}: {said:?}");
        }
    }
}
