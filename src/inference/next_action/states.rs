//! What the encoder's lower layers make of texts, token by token, kept by text.

use super::super::runtime::Runtime;
use super::super::tokenizer::TextTokenizer;
use ort::session::Session;
use ort::value::TensorRef;
use std::collections::HashMap;
use std::num::NonZeroUsize;
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
    kept: Mutex<lru::LruCache<Box<str>, TokenStates>>,
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
            kept: Mutex::new(lru::LruCache::new(NonZeroUsize::new(KEPT).unwrap_or(NonZeroUsize::MIN))),
        })
    }

    /// The states of texts, in order.
    pub(super) fn of(&self, texts: &[&str]) -> Result<Vec<TokenStates>, String> {
        let mut found: HashMap<&str, TokenStates> = HashMap::new();
        let mut missing: Vec<&str> = Vec::new();
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            for &text in texts {
                match kept.get(text) {
                    Some(states) => drop(found.insert(text, states.clone())),
                    None if missing.contains(&text) => {}
                    None => missing.push(text),
                }
            }
        }
        let mut rows =
            missing.iter().map(|text| Ok((*text, self.tokenizer.ids(text)?))).collect::<Result<Vec<_>, String>>()?;
        // Texts of like length share a run, so that little of it is padding.
        rows.sort_by_key(|(_, ids)| ids.len());
        for some in rows.chunks(BATCH) {
            for ((text, _), states) in some.iter().zip(self.run(some)?) {
                self.kept.lock().unwrap_or_else(PoisonError::into_inner).put((*text).into(), states.clone());
                found.insert(text, states);
            }
        }
        texts.iter().map(|text| found.get(text).cloned().ok_or_else(|| "it gave too few states".to_owned())).collect()
    }

    /// Forgets what was kept.
    pub(super) fn forget(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn run(&self, rows: &[(&str, Vec<i64>)]) -> Result<Vec<TokenStates>, String> {
        let longest = rows.iter().map(|(_, ids)| ids.len()).max().unwrap_or(0);
        let (mut ids, mut mask) = (Vec::new(), Vec::new());
        for (_, own) in rows {
            let padding = longest - own.len();
            ids.extend(own.iter().copied().chain(std::iter::repeat_n(self.tokenizer.pad_id(), padding)));
            mask.extend(std::iter::repeat_n(1_i64, own.len()).chain(std::iter::repeat_n(0, padding)));
        }
        let shape = [rows.len(), longest];
        let tensor = |values| TensorRef::from_array_view((shape, values)).map_err(|error| error.to_string());
        let inputs = ort::inputs! { "input_ids" => tensor(&ids[..])?, "attention_mask" => tensor(&mask[..])? };
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(inputs).map_err(|error| error.to_string())?;
        let output = outputs.get(self.output.as_str()).ok_or("its lower layers give nothing")?;
        let (_, values) = output.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
        let row = longest * self.width;
        if values.len() != rows.len() * row {
            return Err(format!("its lower layers gave {} numbers for {} tokens", values.len(), rows.len() * longest));
        }
        let own =
            |(at, (_, ids)): (usize, &(&str, Vec<i64>))| values[at * row..at * row + ids.len() * self.width].into();
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
