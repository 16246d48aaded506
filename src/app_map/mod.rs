//! The app map: the screens of an app that were seen before, and what led from one to another.
//!
//! Made from observed transitions, whoever observed them. A screen is known again by its digest, else by its
//! fingerprint; a control by its label. Every control carries the vector of its name, so that a planner can compare a
//! goal with all of them without running the model. `file` is what is kept between runs, one file a version of an app:
//! names and ways only, never what a field held or a parameter's value. `learning` notes what a run finds out.

mod control;
mod file;
mod learning;
mod map;
mod store;
mod view;

pub use control::Control;
pub use file::{MOST_ALIKE, MOST_SCREENS, MapError};
pub use learning::{Discovery, Learner};
pub use map::{AppMap, Lead};
pub use store::MapStore;
pub use view::View;
