//! What apps lay themselves out for, computed from settings, overrides and what the app in front asked for.

use super::{Namespace, VirtualSystem};
use crate::domain::Size;
use crate::{Configuration, Orientation};

/// Whether the dark theme is on (`cmd uimode night`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NightMode {
    /// `no`.
    #[default]
    No,
    /// `yes`.
    Yes,
    /// `auto`: from ten in the evening to six in the morning (`TwilightService` without a location).
    Auto,
}

impl NightMode {
    /// Reads the word `cmd uimode night` takes.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "no" => Some(Self::No),
            "yes" => Some(Self::Yes),
            "auto" => Some(Self::Auto),
            _ => None,
        }
    }

    /// The word `cmd uimode night` prints.
    pub const fn word(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Yes => "yes",
            Self::Auto => "auto",
        }
    }
}

impl VirtualSystem {
    /// The display upright, `wm size` override included.
    pub fn natural_display(&self) -> Size {
        self.size_override.unwrap_or(self.config().display)
    }

    /// The display in pixels, as it is rotated now.
    pub fn display(&self) -> Size {
        let natural = self.natural_display();
        if self.rotation() % 2 == 1 { Size::new(natural.height, natural.width) } else { natural }
    }

    /// Density in dpi, `wm density` override included.
    pub fn density(&self) -> u32 {
        self.density_override.unwrap_or(self.config().density)
    }

    /// Quarter turns of the display: what the app in front asks for, else what the user set, else how the device is held.
    pub fn rotation(&self) -> u8 {
        let free = self.settings.get(Namespace::System, "accelerometer_rotation") == Some("1");
        let user = self.settings.get(Namespace::System, "user_rotation").and_then(|turns| turns.parse::<u8>().ok());
        let turned = if free { self.sensor_rotation } else { user.filter(|turns| *turns < 4).unwrap_or(0) };
        let natural = self.natural_display();
        let wide = |turns: u8| (natural.width > natural.height) != (turns % 2 == 1);
        match self.front_orientation() {
            Some(Orientation::Portrait) if wide(turned) => u8::from(wide(0)),
            Some(Orientation::Landscape) if !wide(turned) => u8::from(!wide(0)),
            _ => turned,
        }
    }

    /// Turns the display to this many quarters, whatever it was locked to, and locks it there.
    pub fn turn(&mut self, quarters: u8) {
        self.settings.put(Namespace::System, "accelerometer_rotation", "0");
        self.settings.put(Namespace::System, "user_rotation", &(quarters % 4).to_string());
        self.catch_up();
    }

    /// True while the dark theme is on.
    pub fn night(&self) -> bool {
        match self.night_mode {
            NightMode::No => false,
            NightMode::Yes => true,
            NightMode::Auto => {
                let hour = self.wall().to_zoned(jiff::tz::TimeZone::UTC).hour();
                !(6..22).contains(&hour)
            }
        }
    }

    /// The system's language, a BCP 47 tag: `persist.sys.locale` as it was at boot, else `ro.product.locale`.
    pub fn locale(&self) -> &str {
        &self.locale
    }

    /// What everything but the app's own language is.
    pub fn configuration(&self) -> Configuration {
        let scale = self.settings.get(Namespace::System, "font_scale").and_then(|scale| scale.parse::<f32>().ok());
        Configuration {
            display: self.display(),
            density: self.density(),
            locale: self.locale.clone(),
            font_scale: scale.filter(|scale| (0.25..=5.0).contains(scale)).unwrap_or(1.0),
            night: self.night(),
            rotation: self.rotation(),
        }
    }

    /// What a package lays itself out for: the configuration with its own language, if it has one.
    pub fn configuration_of(&self, package: &str) -> Configuration {
        let mut configuration = self.configuration();
        if let Some(locale) = self.app_locales.get(package).and_then(|locales| locales.first()) {
            configuration.locale.clone_from(locale);
        }
        configuration
    }
}
