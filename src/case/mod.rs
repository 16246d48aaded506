//! Test cases as people write them: loading, checking, parameters, rewriting.
//!
//! A case is a YAML file (`*.case.yaml`); its form is the published contract `docs/schemas/case.schema.json`. Nothing
//! here knows a device, a screen or a model: a [`Case`] is what the tester wrote, with the position of every part, and
//! a [`RewrittenStep`] is how the agent reads one of its steps.

mod actors;
mod budget;
mod claim;
mod clauses;
mod contrary;
mod digest;
mod error;
mod expectation;
mod file;
mod files;
mod find;
mod foreign;
mod lint;
mod live_index;
mod maestro;
mod mention;
mod model;
mod owed;
mod own_rules;
mod parameters;
mod rewrite;
mod rules;
mod schema;
mod similar;
mod steps;
mod touches;

pub use budget::{Budget, InvalidDuration, parse_duration};
pub use claim::{Claim, Taken, claims_more, claims_with};
pub use clauses::{Clause, Quantity};
pub use error::{CaseError, Excerpt, Position};
pub use expectation::Expectation;
pub use find::{CaseIndex, FindError, IndexedCase, Selection};
pub use lint::{Problem, Severity, lint, lint_file};
pub use live_index::LiveIndex;
pub use maestro::{FlowError, ImportedCase, Importer};
pub use mention::blotted;
pub use model::{Actor, Aim, App, Case, Condition, ExpectedOutcome, Preferences, Step};
pub use own_rules::{OwnRules, OwnSupplement, OwnTemplate};
pub use parameters::{OverrideError, ParameterValue, Parameters, UnknownReference};
pub use rewrite::{Rewriter, RewrittenStep};
pub use rules::{RewriteRules, RulesError};
pub use schema::case_schema;
pub use touches::names_path;

use crate::domain::TableError;

/// Checks that the bundled sayings and words of cases can be read.
pub fn verify_tables() -> Result<(), TableError> {
    claim::READER.verify()?;
    contrary::WORDS.verify()
}
