//! Looking whether what is expected is there: in the middle of a case, at its end, and when its script is replayed.

mod examiner;
#[expect(clippy::module_inception, reason = "the room is named after the one thing it offers")]
mod witness;

pub use examiner::{Answer, Company, Examiner, Question, read, secrets};
pub use witness::{Witness, WitnessError, expect};
