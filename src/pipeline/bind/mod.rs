//! Which value belongs into which place: an optimal assignment over names, value shapes, labels and what is already there.

mod assignment;
mod binding;
mod code_boxes;
mod date_pattern;
mod field_kind;
mod places;

pub(super) use binding::{Bindings, bind};
pub(super) use code_boxes::took;
