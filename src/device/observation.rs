//! What a device answers.

use crate::domain::{DeviceSerial, Diagnosis, DumpAttempt, PictureAttempt, Rest, Screenshot, Size};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// An activity: `com.example.pay/com.example.pay.MainActivity`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Component {
    /// Application id.
    pub package: String,
    /// Fully qualified class.
    pub activity: String,
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.package, self.activity)
    }
}

/// What a device is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// As the adb server names it.
    pub serial: DeviceSerial,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.build.version.sdk`.
    pub api: u32,
    /// Display size in pixels, override included.
    pub display: Size,
    /// Dots per inch, override included.
    pub density: u32,
    /// BCP 47 tag, `en-US`.
    pub locale: String,
}

/// One settled moment of the screen.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The dump as the device wrote it; empty when none could be had, with the reason in `notes`.
    pub hierarchy: Vec<u8>,
    /// The picture; absent when it could not be taken, with the reason in `notes`.
    pub screenshot: Option<Screenshot>,
    /// The activity that has the focus, where the device tells.
    pub foreground: Option<Component>,
    /// True while the soft keyboard is shown.
    pub keyboard_shown: bool,
    /// Every dump that was tried to get here, failed ones included.
    pub dumps: Vec<DumpAttempt>,
    /// Every picture that was tried, failed ones included.
    pub pictures: Vec<PictureAttempt>,
    /// What told that the screen was at rest.
    pub rest: Rest,
    /// Time spent on dumps and pictures.
    pub observe_time: Duration,
    /// Time spent waiting for the screen to come to rest.
    pub settle_time: Duration,
    /// Anything a person should know: retries, missing pictures.
    pub notes: Vec<Diagnosis>,
}
