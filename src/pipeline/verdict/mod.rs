//! Verdicts: what a checking step finds, how sure a step is, and whose fault it is that one could not be done.

mod attribution;
mod check;
mod confidence;
mod evidence;
mod fault;

pub(super) use attribution::{attribute, corroboration};
pub(super) use check::is_check;
pub(super) use confidence::{clause_end, confidence};
pub use evidence::{Evidence, ExpectationEvidence};
pub use fault::{FaultModel, FaultModelError};
