//! How a virtual device is made.

use super::{ApiLevel, Clock, IdleWait};
use crate::Location;
use crate::domain::Size;

/// What kind of device to make.
#[derive(Debug, Clone)]
pub struct SystemConfig {
    /// API level.
    pub api: ApiLevel,
    /// Display in pixels.
    pub display: Size,
    /// Density in dpi.
    pub density: u32,
    /// BCP 47 tag.
    pub locale: String,
    /// Quarter turns of the display at first boot, 0 to 3.
    pub rotation: u8,
    /// Dark theme at first boot.
    pub night: bool,
    /// Font scale at first boot.
    pub font_scale: f32,
    /// Where the device is at first boot.
    pub location: Option<Location>,
    /// App switches, `PACKAGE:NAME[=VALUE]`.
    pub switches: Vec<String>,
    /// Seed of the apps' random choices and of the serial number.
    pub seed: u64,
    /// When `uiautomator dump` finds the screen idle.
    pub idle: IdleWait,
    /// Time.
    pub clock: Clock,
}

impl Default for SystemConfig {
    fn default() -> Self {
        Self {
            api: ApiLevel::default(),
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".to_owned(),
            rotation: 0,
            night: false,
            font_scale: 1.0,
            location: None,
            switches: Vec::new(),
            seed: 0,
            idle: IdleWait::default(),
            clock: Clock::default(),
        }
    }
}
