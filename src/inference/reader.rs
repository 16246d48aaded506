//! An encoder with the next-action model that reads with it.

use super::next_action::OnnxNextAction;
use super::reading::{NextScores, Reading};
use super::{EmbedError, Embedder, Embedding};

/// Embeds with one and reads with the other.
#[derive(Debug)]
pub struct Reader<E> {
    /// The encoder.
    pub encoder: E,
    /// What reads with it.
    pub next_action: OnnxNextAction,
}

impl<E: Embedder> Embedder for Reader<E> {
    fn name(&self) -> &str {
        self.encoder.name()
    }

    fn dimensions(&self) -> usize {
        self.encoder.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        self.encoder.embed(texts)
    }

    fn model_calls(&self) -> u64 {
        self.encoder.model_calls() + self.next_action.runs()
    }

    fn next_scores(&self, reading: &Reading) -> Result<Option<NextScores>, EmbedError> {
        self.next_action.scores(reading).map(Some)
    }

    fn forget(&self) {
        self.encoder.forget();
        self.next_action.forget();
    }
}
