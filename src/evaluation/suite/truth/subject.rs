//! The variables that a case is about: those that its walkthrough changes, without those that only say how things are
//! shown, and without what depends on time.

use super::canonical::{Unstable, canonical, differences, first_difference};
use super::face::ViewVariables;
use super::snapshot::{AppKey, Snapshot};
use crate::evaluation::suite::walkthrough::Moment;
use serde_json::Value;
use std::collections::BTreeMap;

/// A state variable of an app on a device.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Variable {
    app: AppKey,
    name: String,
}

/// What the variables that a case is about hold, in a form that can be compared.
pub(super) type State = BTreeMap<Variable, Value>;

/// The variables that a case is about.
#[derive(Debug, Default)]
pub(super) struct Subject {
    /// With their first values.
    first: BTreeMap<Variable, Value>,
    /// What depends on time, after so many actions of the walkthrough.
    unstable: BTreeMap<usize, BTreeMap<Variable, Unstable>>,
}

impl Subject {
    /// From two plays at different paces: what differs between them after the same action depends on time. Variables that
    /// are `free` may hold anything; one that is back at its first value whenever things have settled says nothing.
    pub(super) fn of(play: &[Moment], later: &[Moment], views: &ViewVariables, free: &[String]) -> Self {
        let mut subject = Self::default();
        let Some(first) = play.first() else { return subject };
        let last = play.last().map_or(0, |moment| moment.done);
        for done in 0..=last {
            let (Some(one), Some(other)) = (settled(play, done), settled(later, done)) else { continue };
            for (variable, value) in variables(one) {
                let mut unstable = Unstable::new();
                if let Some(other) = variable.of(other) {
                    differences(value, other, "", &mut unstable);
                }
                if !unstable.is_empty() {
                    subject.unstable.entry(done).or_default().insert(variable, unstable);
                }
            }
        }
        for (variable, value) in variables(&first.truth) {
            let shown = views.get(&variable.app.package).is_some_and(|names| names.contains_key(&variable.name));
            let changes = (0..=last).filter_map(|done| Some((done, variable.of(settled(play, done)?)?)));
            let mut changes = changes.filter(|(done, now)| {
                subject.canonical(&variable, now, value, *done) != subject.canonical(&variable, value, value, *done)
            });
            if !shown && !free.contains(&variable.name) && changes.next().is_some() {
                subject.first.insert(variable, value.clone());
            }
        }
        subject
    }

    /// What they hold, as far as that can be compared with the walkthrough after so many of its actions.
    pub(super) fn state(&self, truth: &Snapshot, done: usize) -> State {
        let value = |(variable, first): (&Variable, &Value)| {
            Some((variable.clone(), self.canonical(variable, variable.of(truth)?, first, done)))
        };
        self.first.iter().filter_map(value).collect()
    }

    fn canonical(&self, variable: &Variable, value: &Value, first: &Value, done: usize) -> Value {
        const STABLE: &Unstable = &Unstable::new();
        let unstable = self.unstable.get(&done).and_then(|variables| variables.get(variable)).unwrap_or(STABLE);
        canonical(value, Some(first), unstable)
    }
}

/// Names of the variables that an action changes, from what was true when the one before it was done: `at` actions come before it.
pub(super) fn changed_by(play: &[Moment], at: usize) -> Vec<String> {
    let before = play.iter().find(|moment| moment.done == at).map(|moment| &moment.truth);
    let Some((before, after)) = before.zip(settled(play, at + 1)) else { return Vec::new() };
    let changed = variables(before).into_iter().filter(|(variable, value)| variable.of(after) != Some(*value));
    changed.map(|(variable, _)| variable.name).collect()
}

impl Variable {
    fn of<'t>(&self, truth: &'t Snapshot) -> Option<&'t Value> {
        truth.app(&self.app)?.state.variables.get(&self.name)
    }
}

/// The first variable that is not as it should be, in words; `None` where all are.
pub(super) fn told(wanted: &State, found: &State) -> Option<String> {
    wanted.iter().find_map(|(variable, wanted)| {
        let Some(found) = found.get(variable) else {
            return Some(format!("{} has no {}", variable.app.package, variable.name));
        };
        let (path, wanted, found) = first_difference(wanted, found, &variable.name)?;
        Some(format!("{path} is {} in place of {}", excerpt(found), excerpt(wanted)))
    })
}

fn variables(truth: &Snapshot) -> impl Iterator<Item = (Variable, &Value)> {
    truth.apps().flat_map(|(app, known)| {
        let variables = known.state.variables.iter();
        variables.map(move |(name, value)| (Variable { app: app.clone(), name: name.clone() }, value))
    })
}

/// What was true once so many actions were done, and before the next touch.
fn settled(moments: &[Moment], done: usize) -> Option<&Snapshot> {
    moments.iter().rfind(|moment| moment.done == done).map(|moment| &moment.truth)
}

/// A value in few letters.
pub(super) fn excerpt(value: &Value) -> String {
    const LONGEST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
