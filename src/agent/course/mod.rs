//! The course of a step: its parts, one after another, as a path over the screens, up to where the next step begins.
//!
//! A step is taken apart (`parts`); each part is a small step that the ranking judges like any other. What is done, what
//! was done and what is on the map beyond it is explained by the parts as well as it can be (`search`): every touch has
//! the likelihood that its part means it, among everything on its screen; leaving a part out, or doing what no part says,
//! costs. A step is done when the best path begins with what the next step says, or has nothing left.

mod decision;
mod outlook;
mod parts;
mod reading;
mod search;

pub(super) use decision::Course;
pub(super) use outlook::Outlook;
pub use reading::{Costs, Reading, ReadingError};

#[cfg(test)]
#[path = "course_tests.rs"]
mod tests;
