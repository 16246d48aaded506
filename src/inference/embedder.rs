//! The one thing the rest of Tapwright needs from a model: text in, unit vector out.

use std::sync::Arc;

/// A unit-length vector; cheap to clone.
pub type Embedding = Arc<[f32]>;

/// Why texts could not be embedded.
#[derive(Debug, thiserror::Error)]
#[error("the embedding model could not be run: {0}")]
pub struct EmbedError(pub String);

/// Turns texts into unit vectors. Implementations are deterministic: a text's vector never depends on its batch.
pub trait Embedder: Send + Sync {
    /// Length of every vector.
    fn dimensions(&self) -> usize;

    /// One vector per text, in order.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError>;

    /// How many batches the model itself was run on so far (cache hits do not count).
    fn model_calls(&self) -> u64;

    /// Forgets vectors that were kept, where any are: for measuring what a first decision costs.
    fn forget(&self) {}
}

/// Cosine of two unit vectors, −1…1; 0 when their lengths differ.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
