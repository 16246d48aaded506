//! A suite's files: `suite.yaml`, its apps, cases and walkthroughs.

use super::step::Walkthrough;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use tapwright::case::Case;
use tapwright::domain::Size;

/// A suite as it lies in its folder.
pub(super) struct Suite {
    pub(super) name: String,
    folder: PathBuf,
    pub(super) cases: Vec<Case>,
    pub(super) runs: Vec<Run>,
    /// Path and text of every app file.
    pub(super) apps: Vec<(PathBuf, String)>,
    /// The same, read as plain data.
    read: Vec<serde_json::Value>,
}

/// The form of `suite.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    name: String,
    #[expect(dead_code, reason = "for people")]
    title: String,
    #[expect(dead_code, reason = "for people")]
    what: String,
    runs: Vec<Run>,
}

/// Some cases on some devices, and what must come of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    /// Ids; `*` stands for anything.
    pub(super) cases: Vec<String>,
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
    pub(super) switches: Vec<String>,
    /// `latitude,longitude` of the devices.
    #[serde(default)]
    pub(super) location: Option<String>,
    /// Parameters of the cases to be replaced; `@name` is a text of the app in the device's language.
    #[serde(default)]
    pub(super) params: BTreeMap<String, String>,
    #[serde(default)]
    seeds: Vec<u64>,
    #[serde(default)]
    pub(super) expect: Expected,
    #[serde(default)]
    pub(super) why: Option<String>,
}

/// What a run must end as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expected {
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

/// A device to play on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Device {
    pub(super) profile: String,
    pub(super) api: u32,
    pub(super) display: Size,
    pub(super) density: u32,
    pub(super) locale: String,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { width, height } = self.display;
        write!(f, "{} {width}x{height} at {} dpi, API {}, {}", self.profile, self.density, self.api, self.locale)
    }
}

impl DeviceForm {
    fn device(&self) -> Device {
        let profile = self.profile.as_deref().unwrap_or("phone");
        let (width, height, density) = match profile {
            "phone" => (1080, 2400, 420),
            "small_phone" => (720, 1280, 320),
            "large_phone" => (1440, 3120, 560),
            "tablet" => (1600, 2560, 320),
            "foldable" => (1812, 2176, 420),
            other => panic!("no device profile {other:?}; there are phone, small_phone, large_phone, tablet, foldable"),
        };
        let display = self.display.as_deref().map_or(Size::new(width, height), |text| {
            let (width, height) = text.split_once('x').unwrap_or_else(|| panic!("{text:?} is no WIDTHxHEIGHT"));
            Size::new(width.parse().unwrap(), height.parse().unwrap())
        });
        Device {
            profile: profile.to_owned(),
            api: self.api.unwrap_or(34),
            display,
            density: self.density.unwrap_or(density),
            locale: self.locale.clone().unwrap_or_else(|| "en-US".to_owned()),
        }
    }
}

impl Run {
    /// Every device and seed it is played with.
    pub(super) fn variants(&self) -> Vec<(Device, u64)> {
        let forms = if self.devices.is_empty() { vec![DeviceForm::default()] } else { self.devices.clone() };
        let mut devices: Vec<Device> = forms.iter().map(DeviceForm::device).collect();
        if !self.apis.is_empty() {
            devices =
                self.apis.iter().flat_map(|&api| devices.iter().map(move |d| Device { api, ..d.clone() })).collect();
        }
        if !self.locales.is_empty() {
            let in_locale = |locale: &String| {
                let locale = locale.clone();
                devices.iter().map(move |d| Device { locale: locale.clone(), ..d.clone() }).collect::<Vec<_>>()
            };
            devices = self.locales.iter().flat_map(in_locale).collect();
        }
        let seeds = if self.seeds.is_empty() { vec![0] } else { self.seeds.clone() };
        devices.into_iter().flat_map(|device| seeds.iter().map(move |seed| (device.clone(), *seed))).collect()
    }
}

impl Suite {
    /// Reads a suite's folder.
    pub(super) fn load(folder: &Path) -> Self {
        let text = read(&folder.join("suite.yaml"));
        let file: SuiteFile = serde_saphyr::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.join("suite.yaml").display()));
        assert_eq!(Some(file.name.as_str()), folder.file_name().and_then(|name| name.to_str()), "suite.yaml's name");
        let mut cases: Vec<Case> = files(&folder.join("cases"), ".case.yaml")
            .iter()
            .map(|path| Case::load(path).unwrap_or_else(|error| panic!("{error}")))
            .collect();
        cases.sort_by(|a, b| a.id.cmp(&b.id));
        let apps: Vec<(PathBuf, String)> =
            files(&folder.join("apps"), ".app.yaml").into_iter().map(|path| (path.clone(), read(&path))).collect();
        let read = apps.iter().map(|(path, text)| {
            serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
        let read = read.collect();
        Self { name: file.name, folder: folder.to_owned(), cases, runs: file.runs, apps, read }
    }

    /// The cases a run names; each of its patterns must name at least one.
    pub(super) fn cases_of(&self, run: &Run) -> Vec<&Case> {
        let named = |pattern: &String| {
            let found: Vec<&Case> = self.cases.iter().filter(|case| matches(pattern, case.id.as_str())).collect();
            assert!(!found.is_empty(), "{}/suite.yaml: no case is called {pattern:?}", self.name);
            found
        };
        let mut cases: Vec<&Case> = run.cases.iter().flat_map(named).collect();
        cases.sort_by(|a, b| a.id.cmp(&b.id));
        cases.dedup_by(|a, b| a.id == b.id);
        cases
    }

    /// How a person does a case.
    pub(super) fn walkthrough(&self, case: &Case) -> Result<Walkthrough, String> {
        let path = self.folder.join("walkthroughs").join(format!("{}.yaml", case.id));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The ids for which there are walkthroughs.
    pub(super) fn walkthrough_names(&self) -> Vec<String> {
        let name = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        files(&self.folder.join("walkthroughs"), ".yaml").iter().filter_map(name).collect()
    }

    /// Package and name of every planted bug.
    pub(super) fn planted_bugs(&self) -> Vec<(String, String)> {
        let mut bugs = Vec::new();
        for app in &self.read {
            let package = app["package"].as_str().unwrap().to_owned();
            let named = app["bugs"].as_object().into_iter().flat_map(|bugs| bugs.keys());
            bugs.extend(named.map(|bug| (package.clone(), bug.clone())));
        }
        bugs
    }

    /// A text of an app in one language and version, for walkthroughs that name it (`@name`): as the app itself chooses.
    pub(super) fn string(&self, name: &str, locale: &str, switches: &[String]) -> Option<String> {
        let language = locale.split('-').next().unwrap_or(locale);
        self.read.iter().find_map(|app| {
            let strings = app.get("strings")?.as_object()?;
            let text = [locale, language, "en"].iter().find_map(|locale| strings.get(*locale)?.get(name)?.as_str())?;
            let package = app["package"].as_str()?;
            let version = switches.iter().find_map(|s| s.strip_prefix(package)?.strip_prefix(":version="));
            let reworded = version.and_then(|version| app["versions"][version]["texts"][text].as_str());
            Some(reworded.unwrap_or(text).to_owned())
        })
    }
}

impl Suite {
    /// An expected text in the device's language: what an app calls it there if it is one of the app's English texts.
    pub(super) fn in_language(&self, text: &str, locale: &str, switches: &[String]) -> String {
        let named = self.read.iter().find_map(|app| {
            let english = app.get("strings")?.get("en")?.as_object()?;
            english.iter().find(|(_, known)| known.as_str() == Some(text)).map(|(name, _)| name.clone())
        });
        named.and_then(|name| self.string(&name, locale, switches)).unwrap_or_else(|| text.to_owned())
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end)))
        .collect();
    paths.sort();
    paths
}

/// Whether an id fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, id: &str) -> bool {
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

#[test]
fn a_star_stands_for_anything() {
    assert!(matches("PAY-*", "PAY-0001") && matches("*-2", "X-2") && matches("A", "A") && matches("*", ""));
    assert!(!matches("PAY-*", "XU-1") && !matches("A", "AB") && !matches("A*C", "AB"));
}
