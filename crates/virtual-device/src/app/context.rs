//! What an app is told about the device it runs on.

use super::{Channels, Typesetter, Wording, text_size};
use crate::domain::Size;
use crate::{Configuration, Surroundings};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The device as an app sees it. All of an app's behaviour follows from its file, this and the events it gets.
#[derive(Clone)]
pub struct AppContext {
    /// Display size in pixels.
    pub display: Size,
    /// Dots per inch; dp × density / 160 = pixels.
    pub density: u32,
    /// Locale for strings, `en-US`.
    pub locale: String,
    /// Factor on text sizes (`settings put system font_scale`).
    pub font_scale: f32,
    /// Dark theme.
    pub night: bool,
    /// Quarter turns of the display, 0 to 3.
    pub rotation: u8,
    /// Time, location, network and permissions at launch.
    pub around: Surroundings,
    /// Seed of every random choice.
    pub seed: u64,
    /// Android's API level.
    pub api: u32,
    /// What [`AppProcess::persisted`](crate::AppProcess::persisted) gave when the app last ended.
    pub data: Option<Vec<u8>>,
    /// The deep link it is started with.
    pub uri: Option<String>,
    /// The activity it is started with, fully qualified; `None` is the launcher activity.
    pub activity: Option<String>,
    /// Switches: `bug.fee_twice`, `variant.layout=b`, `version=2.0`.
    pub switches: Vec<String>,
    /// What the version that is played calls things.
    pub wording: Arc<Wording>,
    /// What it shares with other apps and devices of the process.
    pub channels: Channels,
    /// Process id, for crash reports.
    pub pid: u32,
    /// Wall clock at device boot, as time since midnight: what the status bar shows is this plus the time since boot.
    pub boot_clock: Duration,
    /// Time since device boot at launch.
    pub now: Duration,
    /// First values of state variables that replace those of the file (switches for planted bugs).
    pub state: BTreeMap<String, serde_json::Value>,
    /// Fonts; shared by all apps of the process.
    pub typesetter: Arc<Typesetter>,
}

impl AppContext {
    /// A 1080×2400 phone at 420 dpi, English, half past nine.
    pub fn phone() -> Self {
        Self {
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".to_owned(),
            font_scale: 1.0,
            night: false,
            rotation: 0,
            around: Surroundings::at(Duration::ZERO),
            seed: 0,
            api: 34,
            data: None,
            uri: None,
            activity: None,
            switches: Vec::new(),
            wording: Arc::default(),
            channels: Channels::default(),
            pid: 4242,
            boot_clock: Duration::from_secs(9 * 3600 + 30 * 60),
            now: Duration::ZERO,
            state: BTreeMap::new(),
            typesetter: Typesetter::shared(),
        }
    }

    /// Takes over what the app is to lay itself out for.
    pub(crate) fn configure(&mut self, configuration: &Configuration) {
        let Configuration { display, density, locale, font_scale, night, rotation } = configuration;
        self.display = *display;
        self.density = *density;
        self.locale.clone_from(locale);
        self.typesetter = Typesetter::for_locale(locale);
        self.font_scale = *font_scale;
        self.night = *night;
        self.rotation = *rotation;
    }

    /// dp in pixels.
    pub(crate) fn px(&self, dp: f32) -> f32 {
        dp * self.density as f32 / 160.0
    }

    /// A text's size, sp, in pixels.
    pub(crate) fn text_px(&self, sp: f32) -> f32 {
        self.px(text_size::dp(sp, self.font_scale, self.api))
    }

    /// Whether the locale reads from right to left.
    pub(super) fn rtl(&self) -> bool {
        let mut parts = self.locale.split(['-', '_']);
        let language = parts.next().unwrap_or_default();
        let script = parts.next().filter(|part| part.len() == 4);
        matches!(script, Some("Arab" | "Hebr" | "Thaa"))
            || script.is_none()
                && matches!(
                    language,
                    "ar" | "fa" | "he" | "iw" | "ur" | "yi" | "ji" | "ps" | "sd" | "ckb" | "dv" | "ug"
                )
    }

    /// The status bar's time.
    pub(super) fn clock(&self, now: Duration) -> String {
        let minutes = (self.boot_clock + now).as_secs() / 60;
        format!("{}:{:02}", minutes / 60 % 24, minutes % 60)
    }
}
