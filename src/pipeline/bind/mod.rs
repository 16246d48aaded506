//! Which value belongs into which place: an optimal assignment over names, value shapes, labels and what is already there.

mod assignment;
mod binding;
mod candidate;

pub(super) use binding::{Binding, Bindings, bind};
