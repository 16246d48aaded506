//! What a decision is made from, beside the screen.

use super::journal::Journal;
use super::policy::{PolicyError, PolicyWeights};
use super::task::{Clause, Lexicon, LexiconError, Parameter};
use super::verdict::{FaultModel, FaultModelError};
use crate::app_map::AppMap;
use crate::domain::PackageName;
use crate::lexicon::{PageKind, PageKindsError};
use crate::ranking::Scorer;

/// What the agent knows before it sees a screen: language and policy.
#[derive(Debug)]
pub struct Knowledge {
    /// Words.
    pub lexicon: Lexicon,
    /// What pages of a kind usually hold.
    pub page_kinds: Vec<PageKind>,
    /// Weights.
    pub weights: PolicyWeights,
    /// Tells whose fault it is that a case did not pass.
    pub faults: FaultModel,
}

/// Why the agent's knowledge could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// A lexicon file is broken.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
    /// The file of page kinds is broken.
    #[error(transparent)]
    PageKinds(#[from] PageKindsError),
    /// The policy's weights are broken.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The model of faults is broken.
    #[error(transparent)]
    Faults(#[from] FaultModelError),
}

impl Knowledge {
    /// What is shipped.
    pub fn bundled() -> Result<Self, KnowledgeError> {
        Ok(Self {
            lexicon: Lexicon::bundled()?,
            page_kinds: PageKind::bundled()?,
            weights: PolicyWeights::bundled()?,
            faults: FaultModel::bundled()?,
        })
    }
}

/// One clause at work: what is asked for, what was done, what is known.
pub struct Episode<'a> {
    /// What is asked for.
    pub clause: &'a Clause,
    /// What came before it on the same device.
    pub previous: Option<&'a Clause>,
    /// What comes after it on the same device, in its order.
    pub later: &'a [Clause],
    /// What was done.
    pub journal: &'a Journal,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// The app under test.
    pub package: &'a PackageName,
    /// Language and policy.
    pub knowledge: &'a Knowledge,
    /// The ranking.
    pub scorer: &'a Scorer<'a>,
    /// Screens known of the app.
    pub map: &'a AppMap,
    /// Whether all expectations hold; `None` before the last clause or for a case without any.
    pub expectations_hold: Option<bool>,
    /// Texts that the case expects at its end; none before its last clause.
    pub expected: &'a [String],
    /// Seed of choices that may be any.
    pub seed: u64,
}

impl<'a> Episode<'a> {
    /// What comes right after the clause on the same device.
    pub fn next(&self) -> Option<&'a Clause> {
        self.later.first()
    }
}
