//! What could be done now: every proposer looks at one clause on one screen and gives proposals with features.

mod context;
mod finish;
mod guess;
mod input;
mod proposal;
mod route;
mod touch;
mod value;

pub use context::Context;
pub use finish::{Left, finish};
pub use input::{inputs, searches};
pub use proposal::{Move, Proposal, Source};
pub use route::routes;
pub use touch::{keys, scrolls, touches};
pub use value::values;
