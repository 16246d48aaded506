//! What happens when something is tapped.

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
    /// Does something later. Ends silently when the screen it was started on has been left.
    Delay(Delay),
    /// Does one thing or another.
    If(Branch),
    /// Crashes the app with an exception message.
    Crash(Text),
}

/// A postponed script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Delay {
    /// Milliseconds.
    pub ms: u64,
    /// What then happens.
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
