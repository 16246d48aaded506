//! What the encoder's lower layers make of texts, token by token, kept by text.

use super::super::EmbedError;
use super::super::batch::Batch;
use super::super::cache::TextCache;
use super::super::runtime::Runtime;
use super::super::tokenizer::TextTokenizer;
use ort::session::Session;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts whose states are kept: about 20 kB each.
const KEPT: usize = 4_096;
/// Most tokens of a text, special ones included.
const MOST_TOKENS: usize = 64;
/// Texts in one run.
const BATCH: usize = 32;

/// States of one text: a row of `width` numbers a token.
pub(super) type TokenStates = Arc<[f32]>;

/// The lower layers of an encoder, in a session of its whole graph.
#[derive(Debug)]
pub(super) struct LowerLayers {
    session: Mutex<Session>,
    tokenizer: TextTokenizer,
    output: String,
    width: usize,
    kept: TextCache<TokenStates>,
}

impl LowerLayers {
    /// Opens an encoder's graph with the output of one of its inner layers.
    ///
    /// # Errors
    /// Why the graph or the tokenizer cannot be read, in words.
    pub(super) fn open(
        runtime: &Runtime,
        graph: &Path,
        tokenizer: &Path,
        output: &str,
        width: usize,
        threads: usize,
    ) -> Result<Self, String> {
        let mut bytes = std::fs::read(graph).map_err(|error| format!("{}: {error}", graph.display()))?;
        bytes.extend(as_output(output, width));
        let session = runtime.session_from(&bytes, threads).map_err(|error| error.to_string())?;
        Ok(Self {
            session: Mutex::new(session),
            tokenizer: TextTokenizer::open(tokenizer, MOST_TOKENS)?,
            output: output.to_owned(),
            width,
            kept: TextCache::new(KEPT),
        })
    }

    /// The states of texts, in order.
    pub(super) fn of(&self, texts: &[&str]) -> Result<Vec<TokenStates>, EmbedError> {
        self.kept.of(texts, |missing| self.make(missing).map_err(EmbedError))
    }

    /// Forgets what was kept.
    pub(super) fn forget(&self) {
        self.kept.forget();
    }

    fn make(&self, texts: &[&str]) -> Result<Vec<TokenStates>, String> {
        let mut ids = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            ids.push((at, self.tokenizer.ids(text)?));
        }
        // Texts of like length share a run, so that little of it is padding.
        ids.sort_by_key(|(_, ids)| ids.len());
        let mut states = Vec::with_capacity(texts.len());
        for some in ids.chunks(BATCH) {
            let rows: Vec<&[i64]> = some.iter().map(|(_, ids)| ids.as_slice()).collect();
            states.extend(some.iter().map(|(at, _)| *at).zip(self.run(&rows)?));
        }
        states.sort_by_key(|(at, _)| *at);
        Ok(states.into_iter().map(|(_, states)| states).collect())
    }

    fn run(&self, rows: &[&[i64]]) -> Result<Vec<TokenStates>, String> {
        let batch = Batch::pad(rows, self.tokenizer.pad_id());
        let inputs = ort::inputs! {
            "input_ids" => batch.tensor(&batch.ids)?,
            "attention_mask" => batch.tensor(&batch.mask)?,
        };
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(inputs).map_err(|error| error.to_string())?;
        let output = outputs.get(self.output.as_str()).ok_or("its lower layers give nothing")?;
        let (_, values) = output.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
        let row = batch.width * self.width;
        if values.len() != rows.len() * row {
            let tokens = batch.rows * batch.width;
            return Err(format!("its lower layers gave {} numbers for {tokens} tokens", values.len()));
        }
        let own = |(at, ids): (usize, &&[i64])| values[at * row..at * row + ids.len() * self.width].into();
        Ok(rows.iter().enumerate().map(own).collect())
    }
}

/// What makes a tensor of a graph one of its outputs when it is appended to the graph's file: the file is a protocol buffer, and of a
/// message that comes twice the lists are joined.
fn as_output(name: &str, width: usize) -> Vec<u8> {
    let field = |number: u8, content: &[u8]| [&[number << 3 | 2], varint(content.len()).as_slice(), content].concat();
    let axis = |name: &str| field(1, &field(2, name.as_bytes()));
    let last = field(1, &[&[1 << 3], varint(width).as_slice()].concat());
    let shape = field(2, &[axis("texts"), axis("tokens"), last].concat());
    let tensor = field(1, &[&[1 << 3, 1], shape.as_slice()].concat());
    let output = [field(1, name.as_bytes()), field(2, &tensor)].concat();
    field(7, &field(12, &output))
}

fn varint(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push((value & 0x7f | 0x80) as u8);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_written_as_a_protocol_buffer() {
        // As protoc writes graph { output { name: "x" type { tensor_type { elem_type: 1 shape { … } } } } }.
        let bytes = as_output("x", 384);
        assert_eq!(&bytes[..2], [0x3a, (bytes.len() - 2) as u8]);
        assert_eq!(&bytes[2..7], [0x62, (bytes.len() - 4) as u8, 0x0a, 1, b'x']);
        assert!(bytes.ends_with(&[0x08, 0x80, 0x03]));
    }
}
