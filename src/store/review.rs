//! What people make of runs that ended: approved, or a defect with a link.

use super::StoreError;
use crate::domain::RunId;
use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It is as it should be, whatever the verdict says.
    Approved,
    /// The app is wrong, and somebody was told.
    Defect,
}

impl Decision {
    /// As it is written in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Defect => "defect",
        }
    }

    /// The decision of a word; `None` for one that names none.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Approved, Self::Defect].into_iter().find(|decision| decision.as_str() == word)
    }
}

/// What a person made of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The run.
    #[schemars(with = "String")]
    pub run_id: RunId,
    /// What was decided.
    pub decision: Decision,
    /// Where the defect is kept: an `http` or `https` URL; may be empty.
    pub link: String,
    /// Anything else; may be empty.
    pub comment: String,
    /// Who: a token's name, `local` on loopback without tokens.
    pub person: String,
    /// When, in UTC.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// Reviews of runs.
#[async_trait]
pub trait ReviewStore: Send + Sync {
    /// Keeps a review in place of the run's earlier one.
    async fn put_review(&self, review: Review) -> Result<(), StoreError>;

    /// Takes a run's review back; false where there is none.
    async fn remove_review(&self, run_id: &RunId) -> Result<bool, StoreError>;

    /// A run's review.
    async fn review(&self, run_id: &RunId) -> Result<Option<Review>, StoreError>;

    /// The reviews of a night's runs, in the order of their runs.
    async fn reviews_of_batch(&self, batch_id: &str) -> Result<Vec<Review>, StoreError>;
}
