//! Which proposal is carried out: features, one fitted score, and guards that veto with a reason.

mod attempts;
mod choose;
mod feature;
mod guards;

pub use attempts::{Attempts, Progress};
pub use choose::{BestScore, Chooser, Decision, MIN_SCORE, Options, Weighed, weigh};
pub(super) use feature::PolicyError;
pub use feature::{Feature, Features, PolicyWeights};
pub use guards::Veto;
