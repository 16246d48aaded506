//! Candidates, the texts the model compares, scores and their explanation.
//!
//! Pure given an [`Embedder`](crate::inference::Embedder): the same screen, query and weights always give the same
//! ranking. A score is a sum of named terms, so that every decision can be explained.

mod background;
mod candidate;
mod cues;
mod likeness;
mod order;
mod question;
mod score;
mod senses;
mod text;
mod weights;

pub use candidate::{Candidate, Offer, Place, candidates};
pub use cues::Cues;
pub use order::Order;
pub use score::{ADVANCE, FORM, KINDRED, Query, Ranked, Scorer, rank};
pub(crate) use senses::Meant;
pub use text::{WidgetText, place, role_word, widget_texts};
pub use weights::{Weights, WeightsError};

use crate::domain::TableError;

/// Checks that the bundled words of like and opposite meaning can be read.
pub fn verify_tables() -> Result<(), TableError> {
    senses::SENSES.verify()
}
