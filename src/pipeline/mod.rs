//! The decision pipeline: the agent that works on steps and goals.
//!
//! `task` reads what is asked for, `screen_model` what a screen offers, `bind` which value belongs where; `propose` makes
//! proposals with features, `policy` weighs and guards them, `execute` carries one out, `verdict` judges the end. Nothing here
//! names an app, a text of an app or an id.

#[expect(clippy::module_inception, reason = "the room is named after the one thing it offers")]
mod agent;
mod bind;
mod clause_end;
#[cfg(test)]
mod completion_tests;
mod consider;
#[cfg(test)]
mod decision_tests;
mod episode;
mod execute;
mod journal;
mod outcome;
mod policy;
mod propose;
mod reading;
mod rehearsal;
#[cfg(test)]
mod sample;
mod screen_model;
mod task;
mod value_control;
mod verdict;
#[cfg(test)]
mod way_tests;

pub use agent::{Agent, Assignment, Budget};
pub use consider::consider;
pub use episode::{Episode, Knowledge, KnowledgeError};
pub use execute::Patience;
pub use journal::{ActionRecord, Journal};
pub use outcome::{AgentError, Confidence, Corroboration, StepOutcome};
pub use policy::{
    Attempts, BestScore, Chooser, Decision, Feature, Features, MIN_SCORE, Options, PolicyWeights, Progress, Veto,
    Weighed, weigh,
};
pub use propose::{Move, Proposal, Source};
pub use rehearsal::{Rehearsal, RehearsedQuestion};
pub use screen_model::ScreenModel;
pub use task::{Clause, Parameter, Step, Verb};

pub use verdict::{Evidence, ExpectationEvidence, FaultModel, FaultModelError};

use crate::domain::TableError;

/// Checks that the bundled word lists of value controls can be read.
pub fn verify_tables() -> Result<(), TableError> {
    propose::verify_table()?;
    value_control::verify_tables()
}
