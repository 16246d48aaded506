//! The form of `suite.yaml`: which cases are run where, with which switches, and what must come of it.

use crate::domain::Size;
use crate::evaluation::{FittedOn, Sample};
use crate::virtual_device::{ApiLevel, Location};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuiteFile {
    pub(super) name: String,
    pub(super) title: String,
    #[serde(rename = "what")]
    _what: String,
    #[serde(default)]
    pub(super) status: Status,
    /// The language its cases are written in.
    #[serde(default = "english")]
    pub(super) language: String,
    pub(super) runs: Vec<SuiteRun>,
}

fn english() -> String {
    "en".to_owned()
}

/// What a suite is for, and so what figures on it say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// What goes wrong in it is looked at and mended: its figures say nothing about new apps.
    #[default]
    Development,
    /// Nobody looks at what goes wrong in it: its figures are what to expect of new apps.
    HeldOut,
}

impl Status {
    /// Whether an app of such a suite counts as one that agent or weights were made with a look at.
    pub(super) fn sample(self, fitted_on: &FittedOn, package: &str) -> Sample {
        match self {
            Self::Development => Sample::InSample,
            Self::HeldOut => fitted_on.sample(package),
        }
    }
}

/// Some cases on some devices, and what must come of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRun {
    /// Ids; `*` stands for anything.
    pub cases: Vec<String>,
    /// One by one; the default phone when empty.
    #[serde(default)]
    devices: Vec<DeviceForm>,
    /// All devices at each of these API levels.
    #[serde(default)]
    apis: Vec<u32>,
    /// All devices in each of these languages.
    #[serde(default)]
    locales: Vec<String>,
    /// `package:bug.name`, `package:variant.name=value`, `package:version=2.0`.
    #[serde(default)]
    pub switches: Vec<String>,
    /// `latitude,longitude` of the devices.
    #[serde(default)]
    pub location: Option<String>,
    /// Parameters of the cases to be replaced; `@name` is a text of the app in the device's language.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    #[serde(default)]
    seeds: Vec<u64>,
    /// What it must end as.
    #[serde(default)]
    pub expect: Expected,
    /// Why it is there, for people.
    #[serde(default)]
    pub why: Option<String>,
}

/// What a run must end as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// All expectations hold.
    #[default]
    Passed,
    /// One does not, or the app crashed or hangs.
    Failed,
    /// The case cannot be done.
    Blocked,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
        })
    }
}

/// A device of `suite.yaml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceForm {
    /// `phone` (the default), `small_phone`, `large_phone`, `tablet` or `foldable`.
    profile: Option<String>,
    api: Option<u32>,
    /// `WIDTHxHEIGHT` in pixels.
    display: Option<String>,
    density: Option<u32>,
    locale: Option<String>,
}

/// A device to run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteDevice {
    /// Its kind: `phone`, `tablet`, ….
    pub profile: String,
    /// API level.
    pub api: u32,
    /// Display in pixels.
    pub display: Size,
    /// Density in dpi.
    pub density: u32,
    /// BCP 47 tag.
    pub locale: String,
    /// Size of the letters in per cent of the usual.
    pub letters: u16,
    /// The dark theme is on.
    pub night: bool,
}

impl Default for SuiteDevice {
    /// A phone with Android 14, in English.
    fn default() -> Self {
        Self {
            profile: "phone".to_owned(),
            api: 34,
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".to_owned(),
            letters: 100,
            night: false,
        }
    }
}

impl fmt::Display for SuiteDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { profile, api, display, density, locale, letters, night } = self;
        write!(f, "{profile} {}x{} at {density} dpi, API {api}, {locale}", display.width, display.height)?;
        if *letters != 100 {
            write!(f, ", letters at {letters} %")?;
        }
        if *night { f.write_str(", dark") } else { Ok(()) }
    }
}

impl DeviceForm {
    fn device(&self) -> Result<SuiteDevice, String> {
        let profile = self.profile.as_deref().unwrap_or("phone");
        let (width, height, density) = match profile {
            "phone" => (1080, 2400, 420),
            "small_phone" => (720, 1280, 320),
            "large_phone" => (1440, 3120, 560),
            "tablet" => (1600, 2560, 320),
            "foldable" => (1812, 2176, 420),
            other => {
                return Err(format!(
                    "there is no device profile {other:?}; write phone, small_phone, large_phone, tablet or foldable"
                ));
            }
        };
        let display = match self.display.as_deref() {
            None => Size::new(width, height),
            Some(text) => {
                let parts = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
                let (width, height) = parts.ok_or_else(|| format!("display {text:?} is no WIDTHxHEIGHT in pixels"))?;
                Size::new(width, height)
            }
        };
        let api = self.api.unwrap_or(34);
        known_api(api)?;
        Ok(SuiteDevice {
            profile: profile.to_owned(),
            api,
            display,
            density: self.density.unwrap_or(density),
            locale: self.locale.clone().unwrap_or_else(|| "en-US".to_owned()),
            letters: 100,
            night: false,
        })
    }
}

fn known_api(api: u32) -> Result<(), String> {
    ApiLevel::new(api).map(drop).ok_or_else(|| format!("virtual devices know no API level {api}"))
}

/// `latitude,longitude`.
pub(super) fn location(text: &str) -> Result<Location, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    text.split_once(',')
        .and_then(|(latitude, longitude)| Some(Location { latitude: number(latitude)?, longitude: number(longitude)? }))
        .ok_or_else(|| format!("location {text:?} is no LATITUDE,LONGITUDE in degrees"))
}

impl SuiteRun {
    /// Checks what does not depend on the suite's cases.
    pub(super) fn check(&self) -> Result<(), String> {
        for form in &self.devices {
            form.device()?;
        }
        self.apis.iter().try_for_each(|api| known_api(*api))?;
        self.location.as_deref().map_or(Ok(()), |text| location(text).map(drop))
    }

    /// Every device and seed it is run with. `seeds` replaces the file's own by so many.
    pub fn variants(&self, seeds: Option<u64>) -> Vec<(SuiteDevice, u64)> {
        let forms = if self.devices.is_empty() { vec![DeviceForm::default()] } else { self.devices.clone() };
        // A form that is wrong was refused when the suite was loaded.
        let mut devices: Vec<SuiteDevice> = forms.iter().filter_map(|form| form.device().ok()).collect();
        if !self.apis.is_empty() {
            let at = |api: u32| devices.iter().map(move |device| SuiteDevice { api, ..device.clone() });
            devices = self.apis.iter().flat_map(|api| at(*api).collect::<Vec<_>>()).collect();
        }
        if !self.locales.is_empty() {
            let speaking =
                |locale: &String| devices.iter().map(|d| SuiteDevice { locale: locale.clone(), ..d.clone() }).collect();
            devices = self.locales.iter().flat_map(|locale| -> Vec<_> { speaking(locale) }).collect();
        }
        let seeds = match seeds {
            Some(count) => (0..count.max(1)).collect(),
            None if self.seeds.is_empty() => vec![0],
            None => self.seeds.clone(),
        };
        devices.into_iter().flat_map(|device| seeds.iter().map(move |seed| (device.clone(), *seed))).collect()
    }
}

/// Whether an id fits a pattern in which `*` stands for anything.
pub(super) fn matches(pattern: &str, id: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| id.strip_prefix(start)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(end) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("PAY-*", "PAY-0001") && matches("*-2", "X-2") && matches("A", "A") && matches("*", ""));
        assert!(!matches("PAY-*", "XU-1") && !matches("A", "AB") && !matches("A*C", "AB"));
    }

    #[test]
    fn only_a_held_out_suites_apps_that_nothing_was_fitted_on_are_left_out() {
        let fitted_on = FittedOn::parse(&["[fitted_on]\napps = [\"org.example.a\"]"]).unwrap();
        assert_eq!(Status::HeldOut.sample(&fitted_on, "org.example.b"), Sample::LeftOut);
        assert_eq!(Status::HeldOut.sample(&fitted_on, "org.example.a"), Sample::InSample);
        assert_eq!(Status::Development.sample(&fitted_on, "org.example.b"), Sample::InSample);
    }

    fn run(yaml: &str) -> SuiteRun {
        serde_saphyr::from_str(yaml).unwrap()
    }

    #[test]
    fn devices_levels_languages_and_seeds_multiply() {
        let run =
            run("{cases: [A], devices: [{profile: tablet}, {}], apis: [29, 36], locales: [de-DE], seeds: [4, 5]}");
        let variants = run.variants(None);
        assert_eq!(variants.len(), 8);
        assert_eq!(variants[0].0.to_string(), "tablet 1600x2560 at 320 dpi, API 29, de-DE");
        assert_eq!((variants[0].1, variants[1].1), (4, 5));
        assert_eq!(run.variants(Some(3)).len(), 12);
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let wrong = |yaml: &str| run(yaml).check().unwrap_err();
        assert!(wrong("{cases: [A], devices: [{profile: watch}]}").contains("watch"));
        assert!(wrong("{cases: [A], devices: [{display: 10}]}").contains("WIDTHxHEIGHT"));
        assert!(wrong("{cases: [A], apis: [3]}").contains("API level 3"));
        assert!(wrong("{cases: [A], location: here}").contains("LATITUDE"));
    }
}
