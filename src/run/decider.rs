//! Which agent decides: the rules that are shipped, or the decision pipeline that is to replace them.

use serde::Deserialize;

/// The agent that works on steps and goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// Ordered rules (`src/agent`): the default.
    #[default]
    Rules,
    /// Proposals, features and one score (`src/pipeline`): a preview, for cases on one device.
    Pipeline,
}
