//! What is true inside a running app, for whoever examines what was done to it.

use super::super::expression::json;
use super::super::file::Consequence;
use super::{OverlayKind, Program};
use crate::{AppState, ConsequenceChange, ConsequenceState};
use std::sync::Arc;

impl Program {
    /// Variables, screen, windows and consequences as they are now. Looking changes nothing.
    pub(super) fn inner_state(&mut self) -> AppState {
        let variables = self.scope.iter().map(|(name, _, value)| (name.to_owned(), json(&value))).collect();
        let file = Arc::clone(&self.file);
        let document = file.document();
        let mut windows: Vec<String> = self
            .overlays
            .iter()
            .map(|overlay| match &overlay.kind {
                OverlayKind::Dialog(at) => document.dialogs.get(*at).map(|dialog| dialog.id.value.clone()),
                OverlayKind::Sheet(at) => document.sheets.get(*at).map(|sheet| sheet.id.value.clone()),
                OverlayKind::Popup(..) => Some("list".to_owned()),
                OverlayKind::Date(_) => Some("date".to_owned()),
                OverlayKind::Time(_) => Some("time".to_owned()),
            })
            .map(Option::unwrap_or_default)
            .collect();
        if self.drawer {
            windows.insert(0, "drawer".to_owned());
        }
        AppState {
            variables,
            screen: self.top_screen().map(|screen| screen.id.value.clone()).unwrap_or_default(),
            windows,
            consequences: document.consequences.iter().map(|consequence| self.consequence(consequence)).collect(),
        }
    }

    fn consequence(&mut self, consequence: &Consequence) -> ConsequenceState {
        let Consequence { effect, added, removed, changed, reason } = consequence;
        let (change, expression) = match (added, removed) {
            (Some(added), _) => (ConsequenceChange::Added, Some(added)),
            (None, Some(removed)) => (ConsequenceChange::Removed, Some(removed)),
            (None, None) => (ConsequenceChange::Changed, changed.as_ref()),
        };
        let value = expression.and_then(|source| self.expressions.value(&source.value.0, &mut self.scope).ok());
        let value = value.as_ref().map_or(serde_json::Value::Null, json);
        ConsequenceState { effect: effect.value, change, reason: reason.clone(), value }
    }
}
