//! Device profiles: what is known about a kind of device (`device-profiles/*.toml`).

use super::{DeviceInfo, Preparation, Settle};
use crate::adb::command::DumpMode;
use crate::domain::Size;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is known about one kind of device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Unique name, also used as a file name for scripts: `[A-Za-z0-9._-]+`.
    pub name: String,
    /// Which devices it is for; without any condition, for all.
    #[serde(default, rename = "match")]
    pub rule: MatchRule,
    /// How the hierarchy is dumped.
    #[serde(default)]
    pub dump: DumpSettings,
    /// When a screen counts as at rest.
    #[serde(default)]
    pub settle: Settle,
    /// Factor on every time budget; 1 unless the device is slow.
    #[serde(default = "one")]
    pub timeout_factor: f64,
    /// What a daemon makes of such a device before it gets runs.
    #[serde(default)]
    pub prepare: Preparation,
    /// Colours in which this device's apps usually draw links inside text.
    #[serde(default)]
    pub link_colours: Vec<Colour>,
}

/// Conditions on a device; all given ones must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRule {
    /// `ro.product.model`, exactly; a `*` at its end matches any rest.
    pub model: Option<String>,
    /// Lowest API level.
    pub api_min: Option<u32>,
    /// Highest API level.
    pub api_max: Option<u32>,
    /// Display size, `1080x2400`, either way up.
    pub display: Option<DisplaySize>,
}

/// How the hierarchy is dumped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DumpSettings {
    /// What is tried first.
    pub mode: DumpMode,
    /// How many dumps are tried before giving up; the last one is compressed.
    pub attempts: u32,
    /// Milliseconds before a failed dump is tried again.
    pub pause_ms: u64,
}

impl Default for DumpSettings {
    fn default() -> Self {
        Self { mode: DumpMode::Full, attempts: 4, pause_ms: 300 }
    }
}

const fn one() -> f64 {
    1.0
}

/// A colour, `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(pub [u8; 3]);

impl TryFrom<String> for Colour {
    type Error = String;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digits = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|c| c.is_ascii_hexdigit()));
        let value = digits.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let [_, red, green, blue] =
            value.ok_or_else(|| format!("{text:?} is not a colour like \"#1a73e8\""))?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl From<Colour> for String {
    fn from(Colour([red, green, blue]): Colour) -> Self {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// A display size in a profile, `1080x2400`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DisplaySize(pub Size);

impl TryFrom<String> for DisplaySize {
    type Error = String;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.split_once('x')
            .and_then(|(width, height)| Some(Self(Size::new(width.parse().ok()?, height.parse().ok()?))))
            .ok_or_else(|| format!("{text:?} is not a size like \"1080x2400\""))
    }
}

impl From<DisplaySize> for String {
    fn from(DisplaySize(size): DisplaySize) -> Self {
        format!("{}x{}", size.width, size.height)
    }
}

impl MatchRule {
    /// How specific the match is, higher for more; `None` when a condition does not hold.
    fn score(&self, info: &DeviceInfo) -> Option<u32> {
        let mut score = 0;
        if let Some(model) = &self.model {
            score += match model.strip_suffix('*') {
                Some(prefix) => info.model.starts_with(prefix).then_some(4)?,
                None => (info.model == *model).then_some(8)?,
            };
        }
        if let Some(DisplaySize(size)) = self.display {
            let turned = Size::new(size.height, size.width);
            score += (info.display == size || info.display == turned).then_some(2)?;
        }
        if self.api_min.is_some() || self.api_max.is_some() {
            let range = self.api_min.unwrap_or(0)..=self.api_max.unwrap_or(u32::MAX);
            score += range.contains(&info.api).then_some(1)?;
        }
        Some(score)
    }
}

impl Profile {
    /// Reads one profile; `file` only names it in errors.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ProfileError> {
        let wrong = |at: usize, reason: String| {
            let before = text.get(..at).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            ProfileError::Malformed { file: file.to_owned(), line, column, reason }
        };
        let profile: Self = toml::from_str(text)
            .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        let key_at = |key: &str| text.find(key).unwrap_or(0);
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if profile.name.is_empty() || profile.name.starts_with('.') || !profile.name.chars().all(legal) {
            let reason =
                format!("name {:?}: use letters, digits, '.', '_' and '-', not starting with '.'", profile.name);
            return Err(wrong(key_at("name"), reason));
        }
        if !(0.1..=100.0).contains(&profile.timeout_factor) {
            return Err(wrong(key_at("timeout_factor"), "timeout_factor: expected 0.1 to 100".to_owned()));
        }
        if profile.settle.samples == 0 || profile.dump.attempts == 0 {
            let key = if profile.settle.samples == 0 { "samples" } else { "attempts" };
            return Err(wrong(key_at(key), format!("{key}: expected 1 or more")));
        }
        if let Some((key, reason)) = profile.prepare.fault() {
            return Err(wrong(key_at(key), reason));
        }
        Ok(profile)
    }

    /// A time budget on this kind of device.
    pub fn scaled(&self, budget: Duration) -> Duration {
        budget.mul_f64(self.timeout_factor)
    }
}

/// A profile that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The folder or a file in it cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// What cannot be read.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not a profile.
    #[error("{}:{line}:{column}: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong and what is expected.
        reason: String,
    },
    /// Two files with the same name in them.
    #[error("{}: profile {name:?} is defined in {} already; give it another name", second.display(), first.display())]
    Duplicate {
        /// The name.
        name: String,
        /// Where it stands first.
        first: PathBuf,
        /// Where it stands again.
        second: PathBuf,
    },
    /// A name nobody has.
    #[error("there is no device profile {name:?}; known are {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// All names.
        known: String,
    },
}

const DEFAULT: &str = include_str!("../../device-profiles/default.toml");
const BUILT_IN: [&str; 2] = [
    include_str!("../../device-profiles/pixel-emulator.toml"),
    include_str!("../../device-profiles/virtual-phone.toml"),
];

/// All known profiles; never empty, since `default` is built in.
#[derive(Debug, Clone, PartialEq)]
pub struct Profiles {
    default: Profile,
    others: Vec<Profile>,
}

impl Profiles {
    /// The built-in profiles.
    ///
    /// # Errors
    /// None in a tested build; a broken built-in file is reported like any other.
    pub fn built_in() -> Result<Self, ProfileError> {
        let default = Profile::parse(DEFAULT, Path::new("(built-in) default.toml"))?;
        let others = BUILT_IN
            .iter()
            .map(|text| Profile::parse(text, Path::new("(built-in) profile")))
            .collect::<Result<_, _>>()?;
        Ok(Self { default, others })
    }

    /// The built-in profiles, and those in `folder/*.toml`, which replace built-in ones of the same name. A missing
    /// folder is an empty one.
    pub fn load(folder: &Path) -> Result<Self, ProfileError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| ProfileError::Unreadable { path, source }
        };
        let mut files = Vec::new();
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    files.push(entry.map_err(unreadable(folder))?.path());
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(folder)(error)),
        }
        files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        files.sort();

        let mut profiles = Self::built_in()?;
        let mut seen: Vec<(String, PathBuf)> = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(unreadable(&file))?;
            let profile = Profile::parse(&text, &file)?;
            if let Some((name, first)) = seen.iter().find(|(name, _)| *name == profile.name) {
                return Err(ProfileError::Duplicate { name: name.clone(), first: first.clone(), second: file });
            }
            seen.push((profile.name.clone(), file));
            profiles.insert(profile);
        }
        Ok(profiles)
    }

    fn insert(&mut self, profile: Profile) {
        if profile.name == self.default.name {
            self.default = profile;
            return;
        }
        self.others.retain(|other| other.name != profile.name);
        self.others.push(profile);
    }

    /// The most specific profile for a device: an exact model counts more than a model prefix, that more than a display
    /// size, that more than an API level; between equals the name that sorts last. `default` when none matches.
    pub fn matching(&self, info: &DeviceInfo) -> &Profile {
        self.others
            .iter()
            .filter_map(|profile| Some((profile.rule.score(info)?, &profile.name, profile)))
            .max_by_key(|(score, name, _)| (*score, *name))
            .map_or(&self.default, |(_, _, profile)| profile)
    }

    /// A profile by its name.
    pub fn named(&self, name: &str) -> Result<&Profile, ProfileError> {
        self.iter().find(|profile| profile.name == name).ok_or_else(|| ProfileError::Unknown {
            name: name.to_owned(),
            known: self.iter().map(|profile| profile.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// All of them, `default` first.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        std::iter::once(&self.default).chain(&self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::DeviceSerial;

    fn device(model: &str, api: u32) -> DeviceInfo {
        DeviceInfo {
            serial: DeviceSerial::new("s"),
            model: model.into(),
            api,
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".into(),
        }
    }

    fn parse(text: &str) -> Result<Profile, ProfileError> {
        Profile::parse(text, Path::new("p.toml"))
    }

    #[test]
    fn the_built_in_profiles_match_the_devices_they_are_for() {
        let profiles = Profiles::built_in().unwrap();
        assert_eq!(profiles.matching(&device("Tapwright Virtual Phone", 34)).name, "virtual-phone");
        assert_eq!(profiles.matching(&device("sdk_gphone64_x86_64", 34)).name, "pixel-emulator");
        assert_eq!(profiles.matching(&device("SM-T813", 34)).name, "default");
        assert!(!profiles.named("default").unwrap().link_colours.is_empty());
    }

    #[test]
    fn the_most_specific_profile_wins() {
        let mut profiles = Profiles::built_in().unwrap();
        for text in [
            "name = 'any-34'\n[match]\napi_min = 34\napi_max = 34\n",
            "name = 'big'\n[match]\ndisplay = '2400x1080'\n",
            "name = 'pixels'\n[match]\nmodel = 'Pixel*'\n",
            "name = 'pixel-8'\n[match]\nmodel = 'Pixel 8'\n",
            "name = 'pixel-8-old'\n[match]\nmodel = 'Pixel 8'\napi_max = 30\n",
        ] {
            profiles.insert(parse(text).unwrap());
        }
        assert_eq!(profiles.matching(&device("Pixel 8", 34)).name, "pixel-8");
        assert_eq!(profiles.matching(&device("Pixel 8", 30)).name, "pixel-8-old");
        assert_eq!(profiles.matching(&device("Pixel 9", 34)).name, "pixels");
        assert_eq!(profiles.matching(&device("Other", 34)).name, "big");
    }

    #[test]
    fn a_mistake_is_reported_with_its_place() {
        let place = |text: &str| parse(text).unwrap_err().to_string();
        let unknown = place("name = 'a'\n[settle]\nsamples = 1\nlimit_ms = 5\npause_ms = 1\nfoo = 2\n");
        assert!(unknown.starts_with("p.toml:6:1:") && unknown.contains("foo"), "{unknown}");
        let colour = place("name = 'a'\nlink_colours = ['#12345']\n");
        assert!(colour.starts_with("p.toml:2:") && colour.contains("#1a73e8"), "{colour}");
        assert!(place("name = 'a/b'\n").contains("p.toml:1:1"));
        assert!(place("name = 'a'\ntimeout_factor = 0.0\n").starts_with("p.toml:2:1"));
        let setting = place("name = 'a'\n[prepare.settings]\n'global/a; reboot' = '1'\n");
        assert!(setting.starts_with("p.toml:3:") && setting.contains("secure/NAME"), "{setting}");
        assert!(place("name = 'a'\n[prepare.settings]\n'global/a' = \"1\\n2\"\n").contains("on one line"));
        assert!(place("name = 'a'\n[dump]\nmode = 'full'\nattempts = 0\npause_ms = 1\n").starts_with("p.toml:4:1"));
    }

    #[test]
    fn a_folder_s_profiles_replace_built_in_ones_and_names_are_unique() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mine.toml"), "name = 'default'\ntimeout_factor = 3.0\n").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "not a profile").unwrap();
        let profiles = Profiles::load(folder.path()).unwrap();
        let slow = profiles.matching(&device("SM-T813", 30));
        assert_eq!(slow.scaled(Duration::from_secs(2)), Duration::from_secs(6));

        std::fs::write(folder.path().join("other.toml"), "name = 'default'\n").unwrap();
        let error = Profiles::load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("mine.toml") && error.contains("other.toml"), "{error}");
        assert!(Profiles::load(&folder.path().join("missing")).is_ok());
        assert!(profiles.named("nope").unwrap_err().to_string().contains("virtual-phone"));
    }

    #[test]
    fn what_a_section_leaves_out_has_its_default() {
        let profile = parse("name = 'a'\n[dump]\nmode = 'compressed'\n[settle]\nsamples = 2\n").unwrap();
        assert_eq!(profile.dump, DumpSettings { mode: DumpMode::Compressed, ..DumpSettings::default() });
        assert_eq!(profile.settle, Settle { samples: 2, ..Settle::default() });
    }

    #[test]
    fn colours_round_trip() {
        let colour = Colour::try_from("#1A73e8".to_owned()).unwrap();
        assert_eq!((colour, String::from(colour).as_str()), (Colour([0x1a, 0x73, 0xe8]), "#1a73e8"));
    }
}
