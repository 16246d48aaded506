//! What a screen offers: controls with purposes, rows, regions and forms. Made from the screen alone, without a task.

mod model;
mod region;

pub(super) use super::task::{Purpose, PurposeSet};
pub use model::ScreenModel;
pub(super) use region::Region;
