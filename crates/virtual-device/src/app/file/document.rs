//! The app file's top level: the app, its state, strings, screens, dialogs and sheets.

use super::super::expression::{Compiled, version_parts};
use super::declaration::{Consequence, Edition, Link, ScreenOrientation, SharedState, Theme, Watch};
use super::{AppFileError, AppFileIssue, Color, IconName, Located, Script, Severity, Text, Widget};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A read app file.
#[derive(Debug)]
pub struct AppFile {
    name: String,
    document: Document,
    compiled: Arc<Compiled>,
}

impl AppFile {
    /// Reads an app file. `name` is used in messages only.
    ///
    /// # Errors
    /// Malformed YAML, unknown or missing keys, wrong types: with line, column and what was expected. References are
    /// not looked at; [`AppFile::check`] does that.
    pub fn parse(name: &str, text: &str) -> Result<Self, AppFileError> {
        // As the schema and YAML 1.2 have it: `no`, `on` and `y` are texts, only `true` and `false` are not.
        let options = serde_saphyr::options! { strict_booleans: true };
        match serde_saphyr::from_str_with_options::<Document>(text, options) {
            Ok(document) => Ok(Self { name: name.to_owned(), document, compiled: Arc::default() }),
            Err(error) => {
                let place = error.location();
                // The error's own text repeats the place and quotes the source; the first line says what is wrong.
                let full = error.without_snippet().to_string();
                let message = full.lines().next().unwrap_or_default();
                let message = message.split(" at line ").next().unwrap_or_default().trim_end_matches('.').to_owned();
                Err(AppFileError::Malformed {
                    file: name.to_owned(),
                    line: place.map_or(0, |l| l.line()),
                    column: place.map_or(0, |l| l.column()),
                    message,
                })
            }
        }
    }

    /// Reads and checks.
    ///
    /// # Errors
    /// Those of [`AppFile::parse`], and every problem that [`AppFile::check`] finds.
    pub fn load(name: &str, text: &str) -> Result<Self, AppFileError> {
        let file = Self::parse(name, text)?;
        let mut issues = file.check();
        issues.retain(|issue| issue.severity == Severity::Error);
        if issues.is_empty() { Ok(file) } else { Err(AppFileError::Invalid { file: name.to_owned(), issues }) }
    }

    /// Looks for names that do not exist (screens, dialogs, variables, strings, permissions, bugs, variants, versions),
    /// ids used twice on a screen, expressions that cannot be compiled or draw lots while the screen is drawn, and, as
    /// warnings, for screens, dialogs and variables that nothing uses. Empty when all is well.
    pub fn check(&self) -> Vec<AppFileIssue> {
        super::check::check(&self.document)
    }

    /// The name it was read under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What programs that run it have compiled so far.
    pub(in super::super) const fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Its content.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Application id.
    pub fn package(&self) -> &str {
        &self.document.package.value
    }

    /// Launcher label.
    pub fn label(&self) -> &str {
        &self.document.label
    }

    /// `versionName`.
    pub fn version(&self) -> &str {
        &self.document.version
    }

    /// `versionCode` of the file's own version: as declared, else `1.4.2` becomes 10402.
    pub fn version_code(&self) -> u64 {
        match self.document.version_code {
            0 => version_code(&self.document.version),
            code => u64::from(code),
        }
    }

    /// The other versions that can be switched to, with their `versionCode`.
    pub fn versions(&self) -> Vec<(String, u64)> {
        let code =
            |name: &String, edition: &Edition| edition.version_code.map_or_else(|| version_code(name), u64::from);
        self.document.versions.iter().map(|(name, edition)| (name.clone(), code(name, edition))).collect()
    }

    /// Fully qualified class of the activity a screen belongs to.
    pub fn activity_of(&self, screen: &str) -> Option<String> {
        self.document.screens.iter().find(|s| s.id.value == screen).map(|s| self.activity_class(s))
    }

    /// Fully qualified class of the first activity.
    pub fn main_activity(&self) -> String {
        self.document.screens.first().map_or_else(String::new, |s| self.activity_class(s))
    }

    /// Fully qualified class of a screen's activity.
    pub fn activity_class(&self, screen: &Screen) -> String {
        if screen.activity.starts_with('.') {
            format!("{}{}", self.package(), screen.activity)
        } else {
            screen.activity.clone()
        }
    }
}

/// `1.4.2` → 10402, so that a later version has a greater code.
pub fn version_code(version: &str) -> u64 {
    let [major, minor, patch, _] = version_parts(version).map(|part| part.min(99));
    (major * 10_000 + minor * 100 + patch).max(1)
}

fn default_version() -> String {
    "1.0".to_owned()
}

fn default_activity() -> String {
    ".MainActivity".to_owned()
}

fn yes() -> bool {
    true
}

/// An app: what it is, what it remembers, what it shows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Application id, `com.example.pay`.
    pub package: Located<String>,
    /// Name under the launcher icon.
    pub label: String,
    /// `versionName`.
    #[serde(default = "default_version")]
    pub version: String,
    /// `versionCode`.
    #[serde(default)]
    pub version_code: u32,
    /// Launcher icon.
    #[serde(default)]
    pub icon: Icon,
    /// The app's own colour; the rest of the theme follows from it.
    #[serde(default)]
    pub primary: Option<Color>,
    /// Whether it is dark.
    #[serde(default)]
    pub theme: Theme,
    /// State variables with their first values; a variable keeps the type of its first value.
    #[serde(default)]
    pub state: BTreeMap<String, serde_json::Value>,
    /// State variables that survive the process; `pm clear` forgets them.
    #[serde(default)]
    pub persist: Vec<Located<String>>,
    /// Variables shared with the other devices of the process.
    #[serde(default)]
    pub shared: Option<SharedState>,
    /// Runtime permissions it declares.
    #[serde(default)]
    pub permissions: Vec<Located<String>>,
    /// Deep links.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Planted bugs: name and what is wrong. Off unless the switch `bug.NAME` is on.
    #[serde(default)]
    pub bugs: BTreeMap<String, String>,
    /// A/B tests: name and the variants to draw from; the switch `variant.NAME=VALUE` decides.
    #[serde(default)]
    pub variants: BTreeMap<String, Vec<String>>,
    /// Other versions of the app by `versionName`; the switch `version=NAME` chooses one.
    #[serde(default)]
    pub versions: BTreeMap<String, Edition>,
    /// What happens by itself as soon as a condition turns true, on whatever screen.
    #[serde(default)]
    pub watch: Vec<Watch>,
    /// Changes that matter outside of the app or cannot be taken back.
    #[serde(default)]
    pub consequences: Vec<Consequence>,
    /// Strings by locale (`en`, `pt-BR`) and name, used as `@name`.
    #[serde(default)]
    pub strings: BTreeMap<String, BTreeMap<String, String>>,
    /// Screens; the app starts with the first.
    pub screens: Vec<Screen>,
    /// Dialogs.
    #[serde(default)]
    pub dialogs: Vec<Dialog>,
    /// Bottom sheets.
    #[serde(default)]
    pub sheets: Vec<Sheet>,
}

/// A launcher icon: a glyph on a coloured disc.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct Icon {
    /// The disc.
    #[serde(default)]
    pub color: Option<Color>,
    /// The glyph.
    #[serde(default)]
    pub glyph: Option<IconName>,
}

/// One screen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Name for `goto`.
    pub id: Located<String>,
    /// Activity class; a leading dot stands for the package.
    #[serde(default = "default_activity")]
    pub activity: String,
    /// Title in the app bar; without one there is no app bar.
    #[serde(default)]
    pub title: Option<Text>,
    /// Whether the app bar has a back arrow; by default on every screen but the first.
    #[serde(default)]
    pub up: Option<bool>,
    /// Icon buttons at the end of the app bar.
    #[serde(default)]
    pub actions: Vec<Widget>,
    /// The bar in place of the app bar while something is selected.
    #[serde(default)]
    pub selection: Option<super::SelectionBar>,
    /// Whether the body scrolls as a whole; false lets a `list` with `scroll: true` fill it.
    #[serde(default = "yes")]
    pub scroll: bool,
    /// Background; the theme's `background` by default.
    #[serde(default)]
    pub background: Option<Color>,
    /// Space around the body, dp.
    #[serde(default)]
    pub padding: Option<super::Edges>,
    /// Space between the body's widgets, dp.
    #[serde(default)]
    pub gap: f32,
    /// Second line of the app bar.
    #[serde(default)]
    pub subtitle: Option<Text>,
    /// How the top looks.
    #[serde(default)]
    pub app_bar: super::AppBar,
    /// The search field of `app_bar: search`.
    #[serde(default)]
    pub search: Option<super::SearchBar>,
    /// Entries behind "More options".
    #[serde(default)]
    pub menu: Vec<super::MenuEntry>,
    /// Navigation drawer behind "Open navigation drawer".
    #[serde(default)]
    pub drawer: Option<super::Drawer>,
    /// Tabs below the app bar.
    #[serde(default)]
    pub tabs: Option<super::Navigation>,
    /// Destinations at the bottom.
    #[serde(default)]
    pub bottom_nav: Option<super::Navigation>,
    /// Floating action button.
    #[serde(default)]
    pub fab: Option<super::Fab>,
    /// When the content is pulled down at its beginning.
    #[serde(default)]
    pub refresh: Script,
    /// What the soft keyboard does to the window.
    #[serde(default)]
    pub keyboard: super::KeyboardMode,
    /// The toolkit that drew the screen, when it is not Android's own.
    #[serde(default)]
    pub dialect: Option<super::Dialect>,
    /// The content.
    #[serde(default)]
    pub body: Vec<Widget>,
    /// Widgets fixed at the bottom.
    #[serde(default)]
    pub bottom: Vec<Widget>,
    /// How it wants the display to be held; as the user does by default.
    #[serde(default)]
    pub orientation: Option<ScreenOrientation>,
    /// Whether screenshots of it are black (`FLAG_SECURE`); the dump still works.
    #[serde(default)]
    pub secure: bool,
    /// What happens by itself as soon as a condition turns true while it is the topmost screen.
    #[serde(default)]
    pub watch: Vec<Watch>,
    /// What happens when it is opened.
    #[serde(default)]
    pub on_open: Script,
    /// What happens when it comes back to the front: from another screen, app or window of the system.
    #[serde(default)]
    pub on_resume: Script,
    /// What BACK does in place of leaving the screen.
    #[serde(default)]
    pub on_back: Option<Script>,
}

/// A modal dialog.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// Name for `show`.
    pub id: Located<String>,
    /// How it looks.
    #[serde(default)]
    pub style: super::DialogStyle,
    /// Icon above or before the heading.
    #[serde(default)]
    pub icon: Option<IconName>,
    /// Heading.
    #[serde(default)]
    pub title: Option<Text>,
    /// Text below the heading.
    #[serde(default)]
    pub message: Option<Text>,
    /// Further content.
    #[serde(default)]
    pub body: Vec<Widget>,
    /// Buttons, the affirmative one last. Each closes the dialog first.
    #[serde(default)]
    pub buttons: Vec<DialogButton>,
    /// Whether BACK or a tap beside it closes it.
    #[serde(default = "yes")]
    pub cancelable: bool,
    /// What happens when it was closed by BACK or a tap beside it.
    #[serde(default)]
    pub on_dismiss: Script,
}

/// A button of a dialog.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DialogButton {
    /// Resource id; `android:id/button1` for the last, `button2` for the one before, when absent.
    #[serde(default)]
    pub id: Option<Located<String>>,
    /// Its text.
    pub text: Text,
    /// What happens after the dialog closed.
    #[serde(default)]
    pub on_tap: Script,
}

/// A bottom sheet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Name for `show`.
    pub id: Located<String>,
    /// Heading.
    #[serde(default)]
    pub title: Option<Text>,
    /// Height it has at first, dp; a swipe up shows all of it.
    #[serde(default)]
    pub peek: Option<f32>,
    /// Content.
    pub body: Vec<Widget>,
    /// Whether BACK or a tap beside it closes it.
    #[serde(default = "yes")]
    pub cancelable: bool,
    /// What happens when it was closed by BACK or a tap beside it.
    #[serde(default)]
    pub on_dismiss: Script,
}
