//! The model in two ONNX sessions.

use super::super::manifest::Manifest;
use super::super::reading::{NextMove, NextScores, Reading};
use super::super::runtime::Runtime;
use super::super::{EmbedError, InferenceError, Model};
use super::layout::{Layout, Part, parts};
use super::states::{LowerLayers, TokenStates};
use ort::session::Session;
use ort::value::TensorRef;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the encoder's lower layers end with, in graphs that `models/training/mpnet_graph.py` wrote.
const LOWER_OUTPUT: &str = "encoder.layer.2.output.LayerNorm.output";

/// Reads decisions with an encoder's lower layers and upper layers of its own.
#[derive(Debug)]
pub struct OnnxNextAction {
    lower: LowerLayers,
    // ort's run takes the session exclusively.
    upper: Mutex<Session>,
    width: usize,
    runs: AtomicU64,
}

impl OnnxNextAction {
    /// Loads the graph that reads decisions with an encoder, and runs one reading through. The encoder's files are checked already.
    ///
    /// # Errors
    /// A graph does not load, or the two do not fit together.
    pub fn open(
        runtime: &Runtime,
        manifest: &Manifest,
        encoder: &Model,
        graph: &Path,
        threads: usize,
    ) -> Result<Self, InferenceError> {
        let folder = manifest.folder(encoder);
        let graph = folder.join(graph);
        let unusable =
            |reason: String| InferenceError::ModelUnusable { model: encoder.name.clone(), path: graph.clone(), reason };
        let upper = runtime.session(&graph, threads).map_err(|error| unusable(error.to_string()))?;
        let lower = LowerLayers::open(
            runtime,
            &folder.join(&encoder.graph),
            &folder.join(&encoder.tokenizer),
            LOWER_OUTPUT,
            encoder.dimensions,
            threads,
        )
        .map_err(unusable)?;
        let opened = Self { lower, upper: Mutex::new(upper), width: encoder.dimensions, runs: AtomicU64::new(0) };
        let trial = Reading { instruction: "Next".into(), widgets: vec!["Next | button".into()], ..Reading::default() };
        opened
            .scores(&trial)
            .map_err(|error| InferenceError::TrialRun { model: encoder.name.clone(), reason: error.to_string() })?;
        Ok(opened)
    }

    /// How likely each thing is to be done next.
    ///
    /// # Errors
    /// When a session fails.
    pub fn scores(&self, reading: &Reading) -> Result<NextScores, EmbedError> {
        let parts = parts(reading);
        let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
        let states = self.lower.of(&texts)?;
        let length = |(part, states): (&Part<'_>, &TokenStates)| (states.len() / self.width).min(part.kind.longest());
        let lengths: Vec<usize> = parts.iter().zip(&states).map(length).collect();
        let layout = Layout::of(&parts, &lengths);
        let mut joined = Vec::with_capacity(layout.tokens() * self.width);
        for (states, length) in states.iter().zip(&lengths).take(layout.parts) {
            joined.extend_from_slice(&states[..length * self.width]);
        }
        self.run(&layout, &joined).map_err(EmbedError)
    }

    /// How often it was run so far.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Forgets what was kept of texts: for measuring what a first decision costs.
    pub fn forget(&self) {
        self.lower.forget();
    }

    fn run(&self, layout: &Layout, states: &[f32]) -> Result<NextScores, String> {
        let tokens = layout.tokens();
        let shares = layout.shares();
        let told = |error: ort::Error| error.to_string();
        let whole = |values| TensorRef::<i64>::from_array_view(([tokens], values)).map_err(told);
        let inputs = ort::inputs! {
            "states" => TensorRef::from_array_view(([tokens, self.width], states)).map_err(told)?,
            "kind" => whole(&layout.kind[..])?,
            "place" => whole(&layout.place[..])?,
            "segment" => whole(&layout.segment[..])?,
            "offset" => whole(&layout.offset[..])?,
            "share" => TensorRef::from_array_view(([layout.widgets + 1, tokens], &shares[..])).map_err(told)?,
        };
        self.runs.fetch_add(1, Ordering::Relaxed);
        let mut session = self.upper.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(inputs).map_err(told)?;
        let read = |name: &str| -> Result<Vec<f32>, String> {
            let output = outputs.get(name).ok_or_else(|| format!("it has no output {name}"))?;
            Ok(output.try_extract_tensor::<f32>().map_err(told)?.1.to_vec())
        };
        let moves = read("moves")?;
        let moves: [f32; NextMove::COUNT] = moves
            .try_into()
            .map_err(|found: Vec<f32>| format!("it knows {} moves, not {}", found.len(), NextMove::COUNT))?;
        Ok(NextScores::of(read("widgets")?, moves))
    }
}
