//! What could be done now: every proposer looks at one clause on one screen and gives proposals with features.

mod context;
mod finish;
mod guess;
mod input;
mod proposal;
mod route;
mod touch;
mod value;

pub(super) use context::Context;
pub(super) use finish::{Left, finish};
pub(super) use input::{inputs, searches};
pub use proposal::{Move, Proposal, Source};
pub(super) use route::routes;
pub(super) use touch::{keys, scrolls, touches};
pub(super) use value::values;
