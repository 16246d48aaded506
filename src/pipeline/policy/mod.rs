//! Which proposal is carried out: features, one fitted score, and guards that veto with a reason.

mod choose;
mod feature;
mod guards;

pub use choose::{BestScore, Chooser, Decision, Options, Weighed, weigh};
pub(super) use feature::PolicyError;
pub use feature::{Feature, Features, PolicyWeights};
pub use guards::Veto;
