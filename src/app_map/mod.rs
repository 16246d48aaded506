//! The app map: the screens of an app that were seen before, and what led from one to another.
//!
//! Made from observed transitions, whoever observed them. A screen is known again by its digest, else by its
//! fingerprint; a control by its label. Every control carries the vector of its name, so that a planner can compare a
//! goal with all of them without running the model. The map is kept in memory; a file of it, one per version of an app,
//! would be a serialised [`AppMap`] and belongs here.

mod control;
mod map;
mod view;

pub use control::Control;
pub use map::{AppMap, Lead};
pub use view::View;
