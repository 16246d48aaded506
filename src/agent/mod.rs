//! The loop of XUAT-Copilot's Algorithm 1: operate, choose parameters, inspect.
//!
//! Where the paper asks a language model, this room ranks: the operation agent is `operation`, the parameter
//! selection agent `parameters`, the inspection agent `inspection`. Nothing here names an app, a text of an app or
//! an id; what a step is about is read from the step and the screen.

#[expect(clippy::module_inception, reason = "the room is named after the one thing it offers")]
mod agent;
mod attempt;
mod backtrack;
mod certain;
mod check;
mod complaint;
mod confidence;
mod course;
mod crash;
mod expects;
mod fallback;
mod fault;
mod foresight;
mod goal;
mod hints;
mod inspection;
mod lookout;
mod matching;
mod memory;
mod operation;
mod parameters;
mod patience;
mod popups;
mod reentry;
#[cfg(test)]
mod sample;
mod step;
mod thought;
mod trail;
mod undoing;
mod vain;
mod validity;

pub use crate::form::Parameter;
pub use agent::{Agent, AgentError, Budget, Deed, StepOutcome};
pub(crate) use certain::only_holds;
pub use confidence::{Confidence, Ground, Signs};
pub use course::{Costs, Reading, ReadingError};
pub use crash::crash_reason;
pub use foresight::{Next, Past};
pub use goal::{Aim, Destination, GoalCues, Planning, Tuning};
pub use operation::consider;
pub use patience::{Lull, Patience};
pub use step::Step;
pub use trail::Trail;

use crate::domain::TableError;

/// Checks that the bundled words and weights of the agent can be read.
pub fn verify_tables() -> Result<(), TableError> {
    certain::WORDS.verify()?;
    confidence::CALIBRATION.verify()?;
    goal::ANY_VALUE.verify()?;
    patience::WORDS.verify()?;
    popups::BEGINNINGS.verify()?;
    undoing::UNDOING.verify()
}
