//! ONNX sessions behind small traits, the model manifest, the embedding cache.
//!
//! `models/manifest.toml` names every model and native library with its checksum ([`Manifest`]); [`install`] fetches the
//! libraries, [`verify`] checks the files, [`open`] gives the rest of Tapwright its one [`Embedder`].
//!
//! Nothing outside this room names `ort` or `tokenizers`.

mod adopt;
mod assemble;
mod batch;
mod cache;
mod checksum;
mod disk;
mod elf;
mod embedder;
mod error;
mod install;
mod manifest;
mod merge;
mod mpnet;
mod next_action;
mod ocr;
mod package_index;
mod package_page;
mod pins;
mod reader;
mod reading;
mod runtime;
#[cfg(test)]
pub(crate) mod sample;
mod tokenizer;
mod verify;

use std::path::Path;
use std::sync::Arc;

pub use adopt::adopt;
pub use assemble::assemble;
pub use cache::{CacheCounts, CachedEmbedder};
pub use embedder::{EmbedError, Embedder, Embedding, cosine};
pub use error::InferenceError;
pub use install::{InstallEvent, install};
pub use manifest::{Made, Manifest, Model, ModelFile, ModelKind, Pooling, RuntimePackage, Tier, Wheel, WheelMember};
pub use mpnet::OnnxEmbedder;
pub use next_action::OnnxNextAction;
pub use ocr::{OcrError, OnnxTextDetector, OnnxTextRecognizer, ReadText, TextDetector, TextLine, TextRecognizer};
pub use package_index::PackageIndex;
pub use reader::Reader;
pub use reading::{NextMove, NextScores, Reading};
pub use runtime::Runtime;
pub use verify::{FileReport, FileState, verify};

/// What finds lines of text, and what reads them.
pub type TextModels = (Arc<dyn TextDetector>, Arc<dyn TextRecognizer>);

/// Opens the models that find and read texts in pictures, with the runtime library installed beside the manifest.
///
/// # Errors
/// Whatever is missing or damaged, named with its remedy; [`InferenceError::TextModelsMissing`] when they were never
/// installed.
pub fn open_text_models(manifest: &Manifest, library: &Path, threads: usize) -> Result<TextModels, InferenceError> {
    let missing = |path| InferenceError::TextModelsMissing { path };
    let (detection, recognition) = manifest.text_models().ok_or_else(|| missing(manifest.path().to_path_buf()))?;
    for path in [&detection, &recognition] {
        if !path.is_file() {
            return Err(missing(path.clone()));
        }
    }
    let runtime = Runtime::load(library)?;
    let detector = OnnxTextDetector::open(&runtime, &detection, threads)?;
    let recognizer = OnnxTextRecognizer::open(&runtime, &recognition, threads)?;
    Ok((Arc::new(detector), Arc::new(recognizer)))
}

/// Texts whose vectors are kept: about 25 MB at 384 dimensions, far more than the distinct texts of an app's screens.
pub const CACHED_TEXTS: usize = 16_384;

/// Opens an embedding model behind a cache, with the runtime library installed beside the manifest.
///
/// `models_root` is the folder with `manifest.toml`, `model_name` an entry of it (`None`: its first embedding model),
/// `threads` how many threads one batch may use (at least 1).
///
/// # Errors
/// Whatever is missing, damaged or does not fit, named with its remedy.
pub fn open(models_root: &Path, model_name: Option<&str>, threads: usize) -> Result<Arc<dyn Embedder>, InferenceError> {
    let manifest = Manifest::load(models_root)?;
    let library = manifest.runtime_library()?;
    open_with_library(&manifest, model_name, &library, threads)
}

/// Like [`open`], with an ONNX Runtime library from elsewhere (a user's own build).
///
/// # Errors
/// Whatever is missing, damaged or does not fit, named with its remedy.
pub fn open_with_library(
    manifest: &Manifest,
    model_name: Option<&str>,
    library: &Path,
    threads: usize,
) -> Result<Arc<dyn Embedder>, InferenceError> {
    let model = manifest.embedding_model(model_name)?;
    let runtime = Runtime::load(library)?;
    let embedder = OnnxEmbedder::open(&runtime, manifest, model, threads)?;
    let encoder = CachedEmbedder::new(embedder, CACHED_TEXTS);
    Ok(match &model.next_action {
        Some(graph) => {
            let next_action = OnnxNextAction::open(&runtime, manifest, model, graph, threads)?;
            Arc::new(Reader { encoder, next_action })
        }
        None => Arc::new(encoder),
    })
}
