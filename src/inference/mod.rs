//! ONNX sessions behind small traits, the model manifest, the embedding cache.
//!
//! Nothing outside this room names `ort` or `tokenizers`.

mod embedder;

pub use embedder::{EmbedError, Embedder, Embedding, cosine};
