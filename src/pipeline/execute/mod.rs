//! Carrying out: one act function, what came of it, windows in the way, waiting, crashes.

mod effect;
mod expects;
mod health;
mod interruption;
mod perform;
mod waiting;

#[cfg(test)]
pub(super) use effect::Change;
pub(super) use effect::{Effect, is_of_package, judge};
pub(super) use interruption::interrupted;
pub(super) use perform::Order;
pub use waiting::Patience;
pub(super) use waiting::{Waited, is_busy};
