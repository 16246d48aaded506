//! Makes devices of the adb server ready for runs.

use crate::adb::ServerAddress;
use crate::device::{AdbDevice, Budgets, DeviceError, Profiles};
use crate::domain::DeviceSerial;
use crate::run::{ConnectedDevice, DeviceConnector, Language, StringTables};
use crate::vision::TextReader;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// How long a screen may take to show what a script or an expectation waits for, on a device of ordinary speed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connects through the adb server.
pub struct AdbConnector {
    /// The server.
    pub address: ServerAddress,
    /// The profiles to match.
    pub profiles: Profiles,
    /// Reads the texts of pictures.
    pub reader: Arc<TextReader>,
    /// The texts of apps in their languages.
    pub strings: Arc<StringTables>,
}

#[async_trait]
impl DeviceConnector for AdbConnector {
    async fn connect(&self, serial: &DeviceSerial) -> Result<ConnectedDevice, DeviceError> {
        let info = AdbDevice::identify(self.address.clone(), serial.clone(), Budgets::default()).await?;
        let profile = self.profiles.matching(&info);
        let budgets = Budgets::default().for_profile(profile);
        let device = AdbDevice::new(self.address.clone(), serial.clone(), profile, budgets);
        Ok(ConnectedDevice {
            device: Arc::new(device),
            profile: profile.name.clone(),
            link_colours: profile.link_colours.iter().map(|colour| colour.0).collect(),
            reader: Some(Arc::clone(&self.reader)),
            patience: profile.scaled(PATIENCE),
            language: Language::of(&self.strings),
            info,
        })
    }
}
