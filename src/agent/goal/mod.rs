//! Goal mode: from one sentence to the actions that reach it, over a map of the app.
//!
//! A goal is taken apart into words, values and names (`items`). Every path from the current screen (`route`), over known
//! transitions and one control beyond them, is worth the share of the goal it covers, plus the likeness of its controls to
//! the goal, minus its length. `decision` takes the first step of the best path, confirms what was begun, and declares the
//! goal reached when something was carried out and nothing that is left brings it nearer. Nothing is declared while a value
//! of the goal was never dealt with.
//!
//! On a live app (`reach`) the planner is one voice among several: parameters, values drawn where any will do (`any_value`),
//! the other skills, and a search for a way where none is known (`search`), with a memory of what was in vain (`trek`).

mod another;
mod any_value;
mod bars;
mod coverage;
mod cues;
mod decision;
mod errands;
mod items;
mod kept;
mod looking;
mod offers;
mod outcome;
mod placing;
mod pursuit;
mod quest;
mod reach;
mod refusals;
mod resolve;
mod route;
mod search;
mod setting;
mod stages;
mod trek;
mod tuning;
mod wording;

pub(super) use any_value::ANY_VALUE;
pub use cues::GoalCues;
pub(super) use offers::asks;
pub use pursuit::{Aim, Planning};
pub use reach::Destination;
pub use tuning::Tuning;

#[cfg(test)]
#[path = "goal_tests.rs"]
mod tests;
