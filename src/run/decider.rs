//! Which agent decides: the rules, the decision pipeline that is to replace them, or one after the other.

use serde::{Deserialize, Serialize};

/// The agent that works on steps and goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// Ordered rules (`src/agent`), for one attempt.
    Rules,
    /// The rules for the first attempt, and the pipeline for those after a dead end: the default.
    #[default]
    Both,
    /// Proposals, features and one score (`src/pipeline`), for cases on one device.
    Pipeline,
}
