//! An `MPNet` sentence encoder in an ONNX session.

use super::batch::Batch;
use super::runtime::Runtime;
use super::tokenizer::TextTokenizer;
use super::verify::check;
use super::{EmbedError, Embedder, Embedding, InferenceError, Manifest, Model, Pooling};
use ort::session::{Session, SessionInputValue};
use ort::value::Outlet;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Texts in one run of the graph. More make neither a faster nor a slower run, only a larger one.
const BATCH: usize = 32;

/// A text encoder: any graph with `input_ids` and `attention_mask`, one vector per text or per token.
#[derive(Debug)]
pub struct OnnxEmbedder {
    name: String,
    // ort's run takes the session exclusively: parts of ONNX Runtime are not thread safe.
    session: Mutex<Session>,
    tokenizer: TextTokenizer,
    interface: Interface,
    pooling: Pooling,
    dimensions: usize,
    /// Length of its vectors: the root of what their cosines are multiplied by.
    length: f32,
    runs: AtomicU64,
}

/// Which of the graph's inputs and outputs are used.
#[derive(Debug)]
struct Interface {
    takes_token_types: bool,
    output: String,
}

impl OnnxEmbedder {
    /// Checks the model's files against the manifest, loads them and runs one text through.
    ///
    /// # Errors
    /// A file is missing or damaged, the graph does not load or is no sentence encoder, its vectors have another
    /// length than the manifest says.
    pub fn open(runtime: &Runtime, manifest: &Manifest, model: &Model, threads: usize) -> Result<Self, InferenceError> {
        let folder = manifest.folder(model);
        check_files(model, &folder)?;
        let name = model.name.clone();
        let tokenizer_path = folder.join(&model.tokenizer);
        let tokenizer = TextTokenizer::open(&tokenizer_path, model.max_tokens)
            .map_err(|reason| InferenceError::Tokenizer { model: name.clone(), path: tokenizer_path, reason })?;
        let graph = folder.join(&model.graph);
        let session = runtime.session(&graph, threads).map_err(|error| InferenceError::ModelUnusable {
            model: name.clone(),
            path: graph.clone(),
            reason: error.to_string(),
        })?;
        let interface = Interface::find(&session, model.pooling).map_err(|reason| InferenceError::ModelShape {
            model: name.clone(),
            path: graph,
            reason,
        })?;
        let embedder = Self {
            name,
            session: Mutex::new(session),
            tokenizer,
            interface,
            pooling: model.pooling,
            dimensions: model.dimensions,
            length: model.scale.sqrt(),
            runs: AtomicU64::new(0),
        };
        embedder.try_out(model.max_tokens)?;
        Ok(embedder)
    }

    /// Runs the longest text the manifest allows, so that a wrong manifest shows when the model is opened and not on
    /// some screen. Not counted as a model call.
    fn try_out(&self, max_tokens: usize) -> Result<(), InferenceError> {
        let failed = |reason: String| InferenceError::TrialRun { model: self.name.clone(), reason };
        let ids = self.tokenizer.ids(&"next ".repeat(max_tokens)).map_err(failed)?;
        let batch = Batch::pad(&[&ids], self.tokenizer.pad_id());
        let (shape, values) = self.run(&batch).map_err(|reason| {
            failed(format!("{reason} (a text of max_tokens = {max_tokens}; lower it if the graph has fewer positions)"))
        })?;
        let actual = shape.last().copied().unwrap_or(0);
        if actual != self.dimensions {
            let (model, expected) = (self.name.clone(), self.dimensions);
            return Err(InferenceError::ModelDimensions { model, expected, actual });
        }
        self.vectors(&batch, &shape, &values).map_err(failed).map(|_| ())
    }

    fn run(&self, batch: &Batch) -> Result<(Vec<usize>, Vec<f32>), String> {
        let no_types;
        let mut inputs: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = vec![
            ("input_ids".into(), batch.tensor(&batch.ids)?.into()),
            ("attention_mask".into(), batch.tensor(&batch.mask)?.into()),
        ];
        if self.interface.takes_token_types {
            no_types = vec![0_i64; batch.ids.len()];
            inputs.push(("token_type_ids".into(), batch.tensor(&no_types)?.into()));
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(inputs).map_err(|error| error.to_string())?;
        let output = outputs.get(self.interface.output.as_str()).ok_or("its output is missing")?;
        let (shape, values) = output.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
        let shape = shape.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
        Ok((shape, values.to_vec()))
    }

    /// One vector per row, all of one length.
    fn vectors(&self, batch: &Batch, shape: &[usize], values: &[f32]) -> Result<Vec<Embedding>, String> {
        let size = self.dimensions;
        let expected = match self.pooling {
            Pooling::InGraph => vec![batch.rows, size],
            Pooling::Mean => vec![batch.rows, batch.width, size],
        };
        if shape != expected {
            return Err(format!("{} gave an output of shape {shape:?}, not {expected:?}", self.name));
        }
        let rows = (0..batch.rows).map(|row| match self.pooling {
            Pooling::InGraph => values[row * size..(row + 1) * size].to_vec(),
            Pooling::Mean => {
                let tokens = row * batch.width..(row + 1) * batch.width;
                sum_of_unmasked(&values[tokens.start * size..tokens.end * size], &batch.mask[tokens], size)
            }
        });
        rows.map(|row| of_length(self.length, row))
            .collect::<Option<_>>()
            .ok_or_else(|| format!("{} gave a vector without a direction", self.name))
    }
}

impl Embedder for OnnxEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        let ids =
            texts.iter().map(|text| self.tokenizer.ids(text)).collect::<Result<Vec<_>, _>>().map_err(EmbedError)?;
        // Texts of like length share a run, so that little of it is padding.
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&index| ids[index].len());
        let mut embeddings: Vec<Option<Embedding>> = vec![None; ids.len()];
        for chunk in order.chunks(BATCH) {
            let rows: Vec<&[i64]> = chunk.iter().map(|&index| ids[index].as_slice()).collect();
            let batch = Batch::pad(&rows, self.tokenizer.pad_id());
            let (shape, values) = self.run(&batch).map_err(EmbedError)?;
            self.runs.fetch_add(1, Ordering::Relaxed);
            let vectors = self.vectors(&batch, &shape, &values).map_err(EmbedError)?;
            for (&index, vector) in chunk.iter().zip(vectors) {
                embeddings[index] = Some(vector);
            }
        }
        // Every index is in exactly one chunk, so nothing is dropped here.
        Ok(embeddings.into_iter().flatten().collect())
    }

    fn model_calls(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }
}

impl Interface {
    fn find(session: &Session, pooling: Pooling) -> Result<Self, String> {
        let inputs: Vec<&str> = session.inputs().iter().map(Outlet::name).collect();
        let known = ["input_ids", "attention_mask", "token_type_ids"];
        if !inputs.contains(&known[0]) || !inputs.contains(&known[1]) || !inputs.iter().all(|name| known.contains(name))
        {
            return Err(format!("its inputs are {inputs:?}; input_ids and attention_mask were expected"));
        }
        let outputs: Vec<&str> = session.outputs().iter().map(Outlet::name).collect();
        let wanted: &[&str] = match pooling {
            Pooling::InGraph => &["sentence_embedding"],
            Pooling::Mean => &["last_hidden_state", "token_embeddings"],
        };
        let found = wanted
            .iter()
            .find(|name| outputs.contains(name))
            .ok_or_else(|| format!("its outputs are {outputs:?}; pooling {pooling:?} needs one of {wanted:?}"))?;
        Ok(Self { takes_token_types: inputs.contains(&known[2]), output: (*found).to_owned() })
    }
}

/// Sum of the token vectors whose mask is 1; it has the direction of their mean, and only that matters.
fn sum_of_unmasked(tokens: &[f32], mask: &[i64], size: usize) -> Vec<f32> {
    let mut sum = vec![0.0; size];
    for (token, _) in tokens.chunks_exact(size).zip(mask).filter(|(_, mask)| **mask == 1) {
        for (total, value) in sum.iter_mut().zip(token) {
            *total += value;
        }
    }
    sum
}

/// Brought to a length; `None` for a vector that has no direction (zero, or not finite).
fn of_length(wanted: f32, mut vector: Vec<f32>) -> Option<Embedding> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_finite() || length < f32::MIN_POSITIVE {
        return None;
    }
    for value in &mut vector {
        *value *= wanted / length;
    }
    Some(vector.into())
}

/// Every file there, and those with a checksum undamaged: a flipped bit in the weights would otherwise load silently.
fn check_files(model: &Model, folder: &Path) -> Result<(), InferenceError> {
    let name = || model.name.clone();
    let listed = model.files.iter().map(|file| &file.path);
    let mut paths = model.needed().chain(listed).map(|path| folder.join(path));
    if let Some(path) = paths.find(|path: &PathBuf| !path.is_file()) {
        return Err(match model.tier.filter(|_| model.made.is_some()) {
            Some(tier) => InferenceError::NotMade { model: name(), tier, path },
            None => InferenceError::ModelFileMissing { model: name(), path },
        });
    }
    check(model, folder, model.files.iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::cosine;

    #[test]
    fn masked_tokens_do_not_count() {
        let pooled = sum_of_unmasked(&[1.0, 0.0, 3.0, 4.0, 100.0, 100.0], &[1, 1, 0], 2);
        assert_eq!(&*of_length(1.0, pooled.clone()).unwrap(), [0.707_106_77, 0.707_106_77]);
        let halved = of_length(0.25_f32.sqrt(), pooled).unwrap();
        assert!((cosine(&halved, &halved) - 0.25).abs() < 1e-6, "the cosine of a text with itself is the scale");
    }

    #[test]
    fn a_vector_without_direction_is_refused() {
        assert!(of_length(1.0, vec![0.0, 0.0]).is_none());
        assert!(of_length(1.0, vec![f32::NAN, 1.0]).is_none());
        assert!(of_length(1.0, vec![f32::INFINITY, 1.0]).is_none());
    }
}
