//! Where an action leads.
//!
//! A touch goes to the transition with the smallest bounds that hold the point; without one the state stays. Where
//! recordings disagree on the outcome of one action, the outcomes of the best source count (solution, then user, then
//! exploration, then others): the first time the action is done it has the first recorded outcome, the second time the
//! second, and the last one stays. Playing a task, the outcomes on that task's own path come before all others, in the
//! path's order. So the same actions always lead the same way.

use super::{ActionKind, RecordedAction, RecordedApp, Source, StateId, Task, Transition};
use crate::domain::{Direction, Point, Rect};
use std::collections::{BTreeMap, HashMap};

/// What was done on a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Did {
    /// Touched.
    Click(Point),
    /// Touched and held.
    LongClick(Point),
    /// A field's content, or what was pressed on a keypad, is now this.
    Typed {
        /// The field's bounds.
        field: Rect,
        /// What it holds.
        text: String,
        /// Typing has ended, so that an input of any text counts.
        done: bool,
    },
    /// Pressed the system's back key.
    Back,
    /// Swiped.
    Scroll {
        /// Finger down.
        from: Point,
        /// What comes into view.
        direction: Direction,
    },
    /// Started the app.
    Launch,
}

/// A keypad that the app draws: where it lies, and its keys.
pub type Keypad<'a> = (Rect, &'a BTreeMap<char, Point>);

/// The smallest keypad of `state` that holds the point.
pub fn keypad_at<'a>(app: &'a RecordedApp, state: &StateId, at: Point) -> Option<Keypad<'a>> {
    let here = app.transitions.iter().filter(|way| way.from == *state && !way.action.keys.is_empty());
    let placed = here.filter_map(|way| Some((way.action.bounds?, &way.action.keys)));
    placed.filter(|(bounds, _)| bounds.contains(at)).min_by_key(|(bounds, _)| bounds.area())
}

/// Chooses outcomes, and remembers how often each action was done.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    times: HashMap<(StateId, String), usize>,
    task: Option<Task>,
}

impl Routes {
    /// Routes that prefer the path of a task.
    pub fn of_task(task: &Task) -> Self {
        Self { times: HashMap::new(), task: Some(task.clone()) }
    }

    /// The transition that `did` takes on `state`; `None`: the state stays.
    pub fn take(&mut self, app: &RecordedApp, state: &StateId, did: &Did) -> Option<Transition> {
        let ways = ways(app, state, did);
        let action = &ways.first()?.action;
        let outcomes = self.outcomes(state, action, &ways);
        let key = (state.clone(), format!("{} {:?} {:?}", action.kind, action.bounds, action.text));
        let time = self.times.entry(key).or_default();
        let way = outcomes.get(*time).or(outcomes.last())?;
        *time += 1;
        Some((*way).clone())
    }

    /// The outcomes in the order in which they occur.
    fn outcomes<'w>(&self, state: &StateId, action: &RecordedAction, ways: &[&'w Transition]) -> Vec<&'w Transition> {
        let mut own = Vec::new();
        for (done, to) in self.task.iter().flat_map(|task| task.actions.iter().zip(task.path.iter().skip(1))) {
            if done.state == *state && done.action.same_place(action) {
                own.extend(ways.iter().copied().find(|way| way.to == *to));
            }
        }
        if !own.is_empty() {
            return own;
        }
        let best = ways.iter().map(|way| way.source).min().unwrap_or(Source::Other);
        let mut outcomes: Vec<&Transition> = Vec::new();
        for way in ways.iter().filter(|way| way.source == best) {
            if !outcomes.iter().any(|other| other.to == way.to) {
                outcomes.push(way);
            }
        }
        outcomes
    }
}

/// All transitions that `did` may mean: those of one place.
fn ways<'a>(app: &'a RecordedApp, state: &StateId, did: &Did) -> Vec<&'a Transition> {
    let here = || app.transitions.iter().filter(|way| way.from == *state);
    match did {
        Did::Click(at) => {
            // A back that has a place is drawn on the screen, and can be touched there too.
            smallest(here().filter(|way| matches!(way.action.kind, ActionKind::Click | ActionKind::Back)), *at)
        }
        Did::LongClick(at) => smallest(here().filter(|way| way.action.kind == ActionKind::LongClick), *at),
        Did::Typed { field, text, done } => {
            let into = |way: &&Transition| way.action.kind == ActionKind::Input && way.action.bounds == Some(*field);
            let exact: Vec<_> = here()
                .filter(into)
                .filter(|way| way.action.text.as_deref().is_some_and(|wanted| wanted.trim() == text.trim()))
                .collect();
            if exact.is_empty() && *done && !text.is_empty() {
                here().filter(into).filter(|way| way.action.text.is_none()).collect()
            } else {
                exact
            }
        }
        Did::Back => here().filter(|way| way.action.kind == ActionKind::Back).collect(),
        Did::Scroll { from, direction } => {
            let same = |way: &&Transition| {
                let wanted = way.action.text.as_deref().unwrap_or("down");
                way.action.kind == ActionKind::Scroll && wanted.eq_ignore_ascii_case(&direction.to_string())
            };
            let placed = smallest(here().filter(same), *from);
            if placed.is_empty() {
                here().filter(same).filter(|way| way.action.bounds.is_none()).collect()
            } else {
                placed
            }
        }
        Did::Launch => here().filter(|way| way.action.kind == ActionKind::Launch).collect(),
    }
}

/// The transitions whose bounds hold the point and are as small as the smallest such.
fn smallest<'a>(ways: impl Iterator<Item = &'a Transition>, at: Point) -> Vec<&'a Transition> {
    let holding: Vec<_> = ways.filter(|way| way.action.bounds.is_some_and(|bounds| bounds.contains(at))).collect();
    let area = |way: &&Transition| way.action.bounds.map_or(i64::MAX, Rect::area);
    let Some(least) = holding.iter().map(area).min() else { return Vec::new() };
    let bounds = holding.iter().find(|way| area(way) == least).and_then(|way| way.action.bounds);
    holding.into_iter().filter(|way| way.action.bounds == bounds).collect()
}

#[cfg(test)]
#[path = "routes_tests.rs"]
mod tests;
