//! The published form of a recording: `app.json`, the lines of `transitions.jsonl` and of `tasks.jsonl`.

use crate::domain::{Point, Rect};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A screen's name within its recording, `[A-Za-z0-9._-]+`: `states/<id>.xml` is its hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StateId(String);

impl JsonSchema for StateId {
    fn schema_name() -> Cow<'static, str> {
        "StateId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$"})
    }
}

/// A name that cannot be a file's name everywhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state id: use letters, digits, '.', '_' and '-', not starting with '.', at most 128 characters")]
pub struct InvalidStateId(pub String);

impl StateId {
    /// Checks a name.
    pub fn new(name: impl Into<String>) -> Result<Self, InvalidStateId> {
        let name = name.into();
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        if plain && !name.is_empty() && name.len() <= 128 && !name.starts_with('.') {
            Ok(Self(name))
        } else {
            Err(InvalidStateId(name))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for StateId {
    type Error = InvalidStateId;
    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl From<StateId> for String {
    fn from(id: StateId) -> Self {
        id.0
    }
}

/// `app.json`: the app and the device it was recorded on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppInfo {
    /// Version of this form: 1.
    #[schemars(range(min = 1, max = 1))]
    pub format: u32,
    /// What people call the app.
    pub name: String,
    /// Application id.
    pub package: String,
    /// The launcher activity's class; a leading dot stands for the package.
    pub activity: String,
    /// The state the app starts in.
    pub initial: StateId,
    /// The display it was recorded on.
    pub display: DisplayInfo,
    /// `versionName` of the recorded app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `synthetic` where the bounds are not those of the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// Licence of the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisplayInfo {
    /// Pixels across.
    #[schemars(range(min = 1, max = 16000))]
    pub width: u32,
    /// Pixels down.
    #[schemars(range(min = 1, max = 16000))]
    pub height: u32,
    /// Dots per inch.
    #[schemars(range(min = 72, max = 1000))]
    pub density: u32,
}

/// What can lead from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// A touch.
    Click,
    /// A touch that is held.
    LongClick,
    /// Text typed into a field, or on a keypad that the app draws (`keys`).
    Input,
    /// The system's back key; with bounds also a touch there.
    Back,
    /// A swipe; `text` says what comes into view: `down`, `up`, `left`, `right`.
    Scroll,
    /// The app is started, or brought to the front.
    Launch,
}

impl fmt::Display for ActionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Click => "click",
            Self::LongClick => "long_click",
            Self::Input => "input",
            Self::Back => "back",
            Self::Scroll => "scroll",
            Self::Launch => "launch",
        })
    }
}

/// One action on a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedAction {
    /// What was done.
    #[serde(rename = "type")]
    pub kind: ActionKind,
    /// Pre-order index of the node it was aimed at, the root being 0.
    #[serde(default)]
    pub node: Option<usize>,
    /// Where: `[left, top, right, bottom]` in display pixels; the node's own where it is left out.
    #[serde(default)]
    #[schemars(with = "Option<[i32; 4]>")]
    pub bounds: Option<Rect>,
    /// What was typed, or the direction of a scroll, or the package of a launch. An input without a text takes any.
    #[serde(default)]
    pub text: Option<String>,
    /// Name of the parameter that was typed, where its value is a secret; `text` is left out then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Where the keys of a keypad drawn by the app are, by character.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<char, Place>")]
    pub keys: BTreeMap<char, Point>,
}

/// The schema of a point.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Place {
    x: i32,
    y: i32,
}

/// Who performed a transition when it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Someone who solved a task; comes first where recordings disagree.
    #[serde(alias = "task")]
    Solution,
    /// A person using the app.
    User,
    /// A machine trying things out.
    #[default]
    Exploration,
    /// Anything else; comes last.
    #[serde(other)]
    Other,
}

/// A line of `transitions.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Transition {
    /// The state it was done in.
    pub from: StateId,
    /// The state it led to.
    pub to: StateId,
    /// What was done.
    pub action: RecordedAction,
    /// Who did it.
    #[serde(default)]
    pub source: Source,
}

/// A line of `tasks.jsonl`: what a person wanted, and how they did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its name, unique in the recording.
    pub id: String,
    /// What the person wanted.
    pub goal: String,
    /// The state it starts in.
    pub start: StateId,
    /// What the person did.
    pub actions: Vec<TaskAction>,
    /// The states passed through, one more than actions.
    pub path: Vec<StateId>,
    /// Indices of the actions nobody can do without.
    pub essential: Vec<usize>,
    /// The goal taken apart, as steps of a test case.
    #[serde(default)]
    pub steps: Vec<TaskStep>,
    /// Values named in `steps` as `${name}`.
    #[serde(default, deserialize_with = "texts")]
    pub params: BTreeMap<String, String>,
}

/// An action of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskAction {
    /// The state it was done in.
    pub state: StateId,
    /// What was done.
    #[serde(flatten)]
    pub action: RecordedAction,
}

/// A step of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskStep {
    /// What to do.
    pub instruction: String,
    /// Indices of the task's actions that do it, in order.
    pub actions: Vec<usize>,
}

/// Values as texts; a number is used as it is written.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
    Ok(values
        .into_iter()
        .map(|(name, value)| match value {
            serde_json::Value::String(text) => (name, text),
            other => (name, other.to_string()),
        })
        .collect())
}

/// The keys of each form, so that others can be named.
pub(super) const APP_KEYS: &[&str] =
    &["format", "name", "package", "activity", "initial", "display", "version", "bounds", "license", "source"];
pub(super) const TRANSITION_KEYS: &[&str] = &["from", "to", "action", "source"];
pub(super) const ACTION_KEYS: &[&str] = &["type", "node", "bounds", "text", "secret", "keys"];
pub(super) const TASK_KEYS: &[&str] = &["id", "goal", "start", "actions", "path", "essential", "steps", "params"];
pub(super) const TASK_ACTION_KEYS: &[&str] = &["state", "type", "node", "bounds", "text", "secret", "keys"];
pub(super) const STEP_KEYS: &[&str] = &["instruction", "actions"];
