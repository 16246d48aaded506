//! What the rest of Tapwright needs from a model: a vector for a text, and, where a model reads decisions, what comes next.

use super::reading::{NextScores, Reading};
use std::sync::Arc;

/// A vector of the length that its model gives to all; cheap to clone.
pub type Embedding = Arc<[f32]>;

/// Why texts could not be embedded.
#[derive(Debug, thiserror::Error)]
#[error("the embedding model could not be run: {0}")]
pub struct EmbedError(pub String);

/// Turns texts into vectors of one length, 1 unless its cosines are scaled. Implementations are deterministic: a text's vector never depends on its batch.
pub trait Embedder: Send + Sync {
    /// The model's name.
    fn name(&self) -> &str;

    /// Length of every vector.
    fn dimensions(&self) -> usize;

    /// One vector per text, in order.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError>;

    /// How many batches the model itself was run on so far (cache hits do not count).
    fn model_calls(&self) -> u64;

    /// What a careful tester would do next; `None` where no model reads decisions with this encoder.
    fn next_scores(&self, _reading: &Reading) -> Result<Option<NextScores>, EmbedError> {
        Ok(None)
    }

    /// Forgets vectors that were kept, where any are: for measuring what a first decision costs.
    fn forget(&self) {}
}

/// Cosine of two vectors of a model, −1…1, times the model's scale; 0 when their lengths differ.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
