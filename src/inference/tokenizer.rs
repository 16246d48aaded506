//! Text to token ids: the stored tokenizer with padding and truncation of our own.

use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// A tokenizer that cuts at the model's limit and never pads: batches are padded to their own longest text.
#[derive(Debug)]
pub(super) struct TextTokenizer {
    tokenizer: Tokenizer,
    pad_id: i64,
}

impl TextTokenizer {
    /// Reads a `tokenizer.json` and replaces the padding and truncation stored in it (files often pad to a fixed 128).
    pub(super) fn open(path: &Path, max_tokens: usize) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        Self::parse(&bytes, max_tokens)
    }

    /// The same for a file's content.
    pub(super) fn parse(bytes: &[u8], max_tokens: usize) -> Result<Self, String> {
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| error.to_string())?;
        let pad_id = tokenizer
            .token_to_id("<pad>")
            .or_else(|| tokenizer.get_padding().map(|padding| padding.pad_id))
            .ok_or("it has no <pad> token")?;
        tokenizer.with_padding(None);
        let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|error| error.to_string())?;
        Ok(Self { tokenizer, pad_id: i64::from(pad_id) })
    }

    /// The ids of one text, special ones included, at most `max_tokens`.
    pub(super) fn ids(&self, text: &str) -> Result<Vec<i64>, String> {
        let encoding = self.tokenizer.encode_fast(text, true).map_err(|error| error.to_string())?;
        Ok(encoding.get_ids().iter().map(|id| i64::from(*id)).collect())
    }

    /// What fills the rows of a batch.
    pub(super) fn pad_id(&self) -> i64 {
        self.pad_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundled(change: impl FnOnce(&mut serde_json::Value)) -> TextTokenizer {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/ui-mpnet/tokenizer.json");
        let mut json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        change(&mut json);
        TextTokenizer::parse(json.to_string().as_bytes(), 32).unwrap()
    }

    #[test]
    fn a_stored_fixed_padding_is_overridden() {
        let padded = bundled(|json| {
            json["padding"]["strategy"] = serde_json::json!({"Fixed": 128});
            json["truncation"]["max_length"] = 4.into();
        });
        assert_eq!(padded.ids("Turn on dark mode").unwrap(), bundled(|_| ()).ids("Turn on dark mode").unwrap());
        assert_eq!(padded.ids("Next").unwrap().len(), 3);
    }

    #[test]
    fn a_text_stands_between_the_special_tokens_in_lower_case() {
        let tokenizer = bundled(|_| ());
        let ids = tokenizer.ids("NEXT").unwrap();
        assert_eq!((ids[0], ids[2], tokenizer.pad_id()), (0, 2, 1));
        assert_eq!(ids, tokenizer.ids("next").unwrap());
        assert_eq!(tokenizer.ids("").unwrap(), [0, 2]);
    }

    #[test]
    fn a_long_text_is_cut_and_keeps_its_end_token() {
        let ids = bundled(|_| ()).ids(&"pay ".repeat(1_250)).unwrap();
        assert_eq!((ids.len(), ids.last()), (32, Some(&2)));
    }

    #[test]
    fn junk_is_refused() {
        assert!(TextTokenizer::parse(b"{}", 32).is_err());
    }
}
