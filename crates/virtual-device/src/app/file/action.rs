//! What happens when something is tapped.

use super::shorthand::Milliseconds;
use super::{Expression, Located, Text};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// Actions, performed in order. Cheap to clone: nodes of a scene hold them.
#[derive(Debug, Clone)]
pub struct Script(Arc<[Action]>);

impl Default for Script {
    fn default() -> Self {
        Self(Arc::new([]))
    }
}

impl Script {
    /// Whether it opens, closes or shows something, other than later.
    pub fn shows(&self) -> bool {
        self.iter().any(|action| match action {
            Action::If(branch) => branch.then.shows() || branch.otherwise.shows(),
            Action::ForEach(each) => each.then.shows(),
            Action::Set(_)
            | Action::Toast(_)
            | Action::Copy(_)
            | Action::Log(_)
            | Action::Delay(_)
            | Action::Repeat(_)
            | Action::Crash(_)
            | Action::Anr
            | Action::Kill => false,
            _ => true,
        })
    }
}

impl Deref for Script {
    type Target = [Action];
    fn deref(&self) -> &[Action] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Action>::deserialize(deserializer).map(|actions| Self(actions.into()))
    }
}

impl JsonSchema for Script {
    fn schema_name() -> Cow<'static, str> {
        "Script".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Action>::json_schema(generator)
    }
}

/// One action.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Opens a screen on top of the present one.
    Goto(Located<String>),
    /// Opens a screen in place of the present one (BACK does not return here).
    Replace(Located<String>),
    /// Opens a screen and forgets every other one, as after log-in or "Done".
    Restart(Located<String>),
    /// Goes back one screen; closes the app on its first one.
    Back,
    /// Closes the app.
    Finish,
    /// Sets state variables; all right-hand sides see the state as it was before.
    Set(BTreeMap<String, Expression>),
    /// Shows a dialog or a bottom sheet.
    Show(Located<String>),
    /// Closes the topmost dialog or sheet.
    Close,
    /// Shows a toast for two seconds. Toasts are never in the dump.
    Toast(Text),
    /// Shows a snackbar: in the window and in the dump, unlike a toast. A text, or a map.
    Snackbar(Located<Snackbar>),
    /// Goes back to a screen that is open, or opens it.
    BackTo(Located<String>),
    /// Opens the screen's navigation drawer.
    OpenDrawer,
    /// Closes it.
    CloseDrawer,
    /// Asks for runtime permissions; the system shows its dialog for those that are not granted yet.
    RequestPermission(PermissionRequest),
    /// Opens the system's share sheet.
    Share(Share),
    /// Opens a URI in the app that has a link for it; a toast says so when there is none.
    OpenUrl(Text),
    /// Starts another app by its package.
    Launch(Located<String>),
    /// Copies a text to the clipboard.
    Copy(Text),
    /// Shows Android's date picker.
    PickDate(PickDate),
    /// Shows Android's time picker.
    PickTime(PickTime),
    /// Writes a line to the device's log.
    Log(LogLine),
    /// Hides or shows the soft keyboard.
    Keyboard(KeyboardWish),
    /// Focuses the field bound to a variable.
    Focus(Located<String>),
    /// Scrolls the screen to one of its ends.
    ScrollTo(ScrollEnd),
    /// Does something later. Ends silently when the screen it was started on is closed, and, where it opens or shows
    /// something, when it is due while another screen is on top.
    Delay(Delay),
    /// Does something again and again while the screen it was started on is open.
    Repeat(Repeat),
    /// Does something for each element of an array; `item` and `index` are variables inside.
    ForEach(ForEach),
    /// Does one thing or another.
    If(Branch),
    /// Crashes the app with an exception message, or natively.
    Crash(Located<Crash>),
    /// Blocks the main thread for good: the app takes no input any more, and the system finds it not responding.
    Anr,
    /// Ends the process without a crash, as the system does when it needs memory.
    Kill,
}

/// A short message at the bottom of the window.
#[derive(Debug, Clone)]
pub struct Snackbar {
    /// The message.
    pub text: Text,
    /// The button's text.
    pub action: Option<Text>,
    /// What the button does.
    pub on_action: Script,
    /// How long it stays, milliseconds; 0 until it is swiped away or its button is touched.
    pub ms: u64,
}

/// A crash.
#[derive(Debug, Clone)]
pub struct Crash {
    /// The exception's message, or the native abort message.
    pub message: String,
    /// Whether it is a native crash (a signal and a tombstone) in place of a Java exception.
    pub native: bool,
}

/// A request for permissions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PermissionRequest {
    /// One permission, `android.permission.CAMERA`.
    #[serde(default)]
    pub name: Option<Located<String>>,
    /// Several.
    #[serde(default)]
    pub names: Vec<Located<String>>,
    /// When all are granted.
    #[serde(default)]
    pub granted: Script,
    /// When one was refused.
    #[serde(default)]
    pub denied: Script,
}

impl PermissionRequest {
    /// Everything asked for.
    pub fn all(&self) -> impl Iterator<Item = &Located<String>> {
        self.name.iter().chain(&self.names)
    }
}

/// What is shared.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The text.
    pub text: Text,
    /// The sheet's heading.
    #[serde(default)]
    pub title: Option<Text>,
}

/// A date picker.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickDate {
    /// State variable (text) that holds the date, `2026-03-09` unless `format` says otherwise.
    pub bind: Located<String>,
    /// Expression: first date that can be chosen, ISO.
    #[serde(default)]
    pub min: Option<Expression>,
    /// Expression: last date that can be chosen, ISO.
    #[serde(default)]
    pub max: Option<Expression>,
    /// How the variable holds it, such as `MM/DD/YY`.
    #[serde(default)]
    pub format: Option<Located<String>>,
    /// After a date was chosen.
    #[serde(default)]
    pub on_set: Script,
}

/// A time picker.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickTime {
    /// State variable (text) that holds the time, `HH:MM`.
    pub bind: Located<String>,
    /// After a time was chosen.
    #[serde(default)]
    pub on_set: Script,
}

/// A line of the device's log.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogLine {
    /// Its tag; the app's label by default.
    #[serde(default)]
    pub tag: Option<String>,
    /// Its level.
    #[serde(default)]
    pub level: LogLevel,
    /// Its text.
    pub text: Text,
}

/// Priority of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// V.
    Verbose,
    /// D.
    Debug,
    /// I.
    #[default]
    Info,
    /// W.
    Warning,
    /// E.
    Error,
}

impl LogLevel {
    /// As logcat abbreviates it.
    pub const fn letter(self) -> char {
        match self {
            Self::Verbose => 'V',
            Self::Debug => 'D',
            Self::Info => 'I',
            Self::Warning => 'W',
            Self::Error => 'E',
        }
    }
}

/// What should become of the soft keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyboardWish {
    /// Down.
    Hide,
    /// Up, for the focused field or the first.
    Show,
}

/// An end of what scrolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScrollEnd {
    /// The beginning.
    Top,
    /// The end.
    Bottom,
}

/// A postponed script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Delay {
    /// Milliseconds: one number, or `[least, most]` to draw from.
    pub ms: Milliseconds,
    /// What then happens.
    pub then: Script,
}

/// A repeated script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Milliseconds from one time to the next.
    pub every_ms: Milliseconds,
    /// Goes on while this holds; without it, as long as the screen is open.
    #[serde(default, rename = "while")]
    pub condition: Option<Expression>,
    /// What happens.
    #[serde(rename = "do")]
    pub then: Script,
}

/// A script for each element of an array.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForEach {
    /// Expression that gives an array.
    pub items: Expression,
    /// What happens.
    #[serde(rename = "do")]
    pub then: Script,
}

/// A choice between two scripts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// Decides.
    pub when: Expression,
    /// When true.
    pub then: Script,
    /// When false.
    #[serde(default, rename = "else")]
    pub otherwise: Script,
}
