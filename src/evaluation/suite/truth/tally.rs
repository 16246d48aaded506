//! Changes that have consequences, counted from one moment to the next.

use super::snapshot::{AppKey, Snapshot};
use crate::virtual_device::{ConsequenceChange, ConsequenceEffect, ConsequenceState};
use serde_json::Value;
use std::collections::BTreeMap;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    /// In which app.
    pub(super) app: AppKey,
    /// Which of the app's consequences, by its place in the file.
    pub(super) consequence: usize,
    /// Whether something came or went.
    pub(super) came: bool,
    /// What came or went, as text.
    pub(super) what: String,
}

/// How often each change was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally(BTreeMap<Change, usize>);

impl Tally {
    /// Counts the changes from one moment to the next, and gives those of which there are now more than `allowed`, with
    /// what they mean.
    pub(super) fn advance(
        &mut self,
        before: &Snapshot,
        after: &Snapshot,
        allowed: Option<&Self>,
    ) -> Vec<(Change, ConsequenceEffect, String)> {
        let mut beyond = Vec::new();
        for (app, now) in after.apps() {
            // A new process begins with the first state: that is no change.
            let Some(then) = before.app(&app).filter(|then| then.process == now.process) else { continue };
            let pairs = then.state.consequences.iter().zip(&now.state.consequences);
            for (consequence, (old, new)) in pairs.enumerate() {
                for (came, what) in changes(old, new) {
                    let change = Change { app: app.clone(), consequence, came, what };
                    let count = self.0.entry(change.clone()).or_default();
                    *count += 1;
                    if allowed.is_some_and(|allowed| *count > allowed.0.get(&change).copied().unwrap_or_default()) {
                        beyond.push((change, new.effect, new.reason.clone()));
                    }
                }
            }
        }
        beyond
    }
}

/// What came (true) and went (false), as far as it counts. A value that cannot be told is no change.
fn changes(old: &ConsequenceState, new: &ConsequenceState) -> Vec<(bool, String)> {
    if old.value == new.value || old.value.is_null() || new.value.is_null() {
        return Vec::new();
    }
    let came = || lacking(&new.value, &old.value).into_iter().map(|what| (true, what));
    let went = || lacking(&old.value, &new.value).into_iter().map(|what| (false, what));
    match new.change {
        ConsequenceChange::Added => came().collect(),
        ConsequenceChange::Removed => went().collect(),
        // One value for another is one change; elements that came and went are counted one by one.
        ConsequenceChange::Changed if !new.value.is_array() => came().collect(),
        ConsequenceChange::Changed => came().chain(went()).collect(),
    }
}

/// The elements of one value that the other does not have as often.
fn lacking(one: &Value, other: &Value) -> Vec<String> {
    let mut others = elements(other);
    let mut rest = elements(one);
    rest.retain(|element| match others.iter().position(|other| other == element) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    rest
}

fn elements(value: &Value) -> Vec<String> {
    match value {
        Value::Array(elements) => elements.iter().map(ToString::to_string).collect(),
        one => vec![one.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(change: ConsequenceChange, old: Value, new: Value) -> Vec<(bool, String)> {
        let state = |value| ConsequenceState { effect: ConsequenceEffect::Sent, change, reason: String::new(), value };
        changes(&state(old), &state(new))
    }

    #[test]
    fn elements_that_come_and_go_are_counted_as_the_consequence_asks() {
        let check = |change, old: Value, new: Value, expected: &[(bool, &str)]| {
            let found = changed(change, old.clone(), new.clone());
            let found: Vec<(bool, &str)> = found.iter().map(|(came, what)| (*came, what.as_str())).collect();
            assert_eq!(found, expected, "{old} {new}");
        };
        use ConsequenceChange::{Added, Changed, Removed};
        check(Added, json!([1]), json!([1, 1]), &[(true, "1")]);
        check(Added, json!([1, 2]), json!([1]), &[]);
        check(Removed, json!([1, 2]), json!([1]), &[(false, "2")]);
        check(Removed, json!([1]), json!([2]), &[(false, "1")]);
        check(Changed, json!(false), json!(true), &[(true, "true")]);
        check(Changed, json!([1]), json!([2]), &[(true, "2"), (false, "1")]);
        check(Changed, Value::Null, json!(3), &[]);
    }
}
