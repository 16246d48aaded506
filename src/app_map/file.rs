//! The file of a map, one a version of an app.
//!
//! It holds the names of screens and controls, where they lie and where they lead. It never holds what a field contained,
//! nor a text that a parameter gave or a run typed: a control that shows one loses its name.

use super::{AppMap, Control, View};
use crate::domain::{Rect, SecretMask};
use crate::hierarchy::{Fingerprint, Role};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the file's form.
const FORMAT: u32 = 1;
/// Screens a map holds; what comes later is not learned.
pub const MOST_SCREENS: usize = 800;
/// Screens of one structure: a feed shows ever new ones, which teach nothing.
pub const MOST_ALIKE: usize = 12;
/// Controls of one screen.
const MOST_CONTROLS: usize = 300;
/// Characters of a name.
const MOST_CHARACTERS: usize = 160;
/// Bytes of a file that is read; a map within the bounds above is far smaller.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// Shorter values are hidden only where they are all that is shown: "1" is in too many names.
const SHORT_VALUE: usize = 3;

/// Why a map could not be read or written. A run goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The file could not be read or written.
    #[error("the app map {path}: {source}. Check that its folder exists and may be written", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no map, or one of a newer Tapwright.
    #[error("the app map {path} cannot be used: {reason}. A new one is begun; delete the file to be rid of this message", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MapForm {
    format: u32,
    package: String,
    version: String,
    screens: Vec<ScreenForm>,
    /// Screen, control, screen.
    ways: Vec<(usize, usize, usize)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScreenForm {
    digest: Fingerprint,
    fingerprint: Fingerprint,
    title: String,
    controls: Vec<ControlForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ControlForm {
    widget: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    hint: String,
    role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    clickable: bool,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    enabled: bool,
    bounds: Rect,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// Texts that must not be written.
pub(super) struct Hidden {
    lower: Vec<String>,
    mask: SecretMask,
}

impl Hidden {
    pub(super) fn new(values: &[String]) -> Self {
        let lower = values.iter().map(|value| value.trim().to_lowercase());
        let mask = SecretMask::of_texts(values.iter().map(String::as_str));
        Self { lower: lower.filter(|value| !value.is_empty()).collect(), mask }
    }

    fn holds(&self, text: &str) -> bool {
        if self.mask.shows_in(text) {
            return true;
        }
        let text = text.trim().to_lowercase();
        self.lower.iter().any(|value| {
            if value.chars().count() < SHORT_VALUE { text == *value } else { text.contains(value.as_str()) }
        })
    }

    fn screened(&self, text: &str) -> String {
        if self.holds(text) { String::new() } else { text.chars().take(MOST_CHARACTERS).collect() }
    }
}

impl ControlForm {
    fn of(control: &Control, hidden: &Hidden) -> Self {
        let shown = [&control.label, &control.name, &control.value, &control.hint];
        let tells = shown.into_iter().any(|text| hidden.holds(text));
        let kept = |text: &str| if tells { String::new() } else { hidden.screened(text) };
        // A field's name may be made of what it holds.
        let contents = control.is_field() && !control.value.is_empty();
        let label = if contents && control.label == control.value { String::new() } else { kept(&control.label) };
        Self {
            widget: control.widget,
            name: if contents { label.clone() } else { kept(&control.name) },
            label,
            hint: kept(&control.hint),
            role: control.role,
            checked: control.checked,
            clickable: control.clickable,
            enabled: control.enabled,
            bounds: control.bounds,
        }
    }

    fn into_control(self) -> Control {
        Control {
            widget: self.widget,
            label: self.label,
            name: self.name,
            value: String::new(),
            hint: self.hint,
            role: self.role,
            checked: self.checked,
            clickable: self.clickable,
            enabled: self.enabled,
            bounds: self.bounds,
        }
    }
}

/// The map as the text of a file.
pub(super) fn to_text(
    map: &AppMap,
    package: &str,
    version: &str,
    hidden: &Hidden,
) -> Result<String, serde_json::Error> {
    let screens = map.views().iter().map(|view| ScreenForm {
        digest: Fingerprint(view.digest),
        fingerprint: view.fingerprint,
        title: hidden.screened(&view.title),
        controls: view.controls.iter().take(MOST_CONTROLS).map(|control| ControlForm::of(control, hidden)).collect(),
    });
    let form = MapForm {
        format: FORMAT,
        package: package.to_owned(),
        version: version.to_owned(),
        screens: screens.collect(),
        ways: map.ways().into_iter().filter(|(_, control, _)| *control < MOST_CONTROLS).collect(),
    };
    serde_json::to_string(&form).map(|text| text + "\n")
}

/// The map of a file's text; `path` is used in errors only.
pub(super) fn from_text(path: &Path, text: &str, package: &str) -> Result<AppMap, MapError> {
    let malformed = |reason: String| MapError::Malformed { path: path.to_owned(), reason };
    let form: MapForm = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if form.format != FORMAT {
        return Err(malformed(format!("its format is {}, this Tapwright reads {FORMAT}", form.format)));
    }
    if form.package != package {
        return Err(malformed(format!("it is of {}, not of {package}", form.package)));
    }
    let mut map = AppMap::default();
    let mut numbers = Vec::new();
    for screen in form.screens.into_iter().take(MOST_SCREENS) {
        numbers.push(map.note(View {
            digest: screen.digest.0,
            fingerprint: screen.fingerprint,
            title: screen.title,
            controls: screen.controls.into_iter().take(MOST_CONTROLS).map(ControlForm::into_control).collect(),
        }));
    }
    for (from, control, to) in form.ways {
        match (numbers.get(from), numbers.get(to)) {
            (Some(from), Some(to)) => map.lay(*from, control, *to),
            _ => return Err(malformed(format!("a way from screen {from} to screen {to}, of {}", numbers.len()))),
        }
    }
    Ok(map)
}
