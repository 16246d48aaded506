//! Token ids of several texts as one input of an encoder.

use ort::value::TensorRef;

/// Token ids of one run, padded to its longest text, row by row.
pub(super) struct Batch {
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) ids: Vec<i64>,
    pub(super) mask: Vec<i64>,
}

impl Batch {
    pub(super) fn pad(rows: &[&[i64]], pad_id: i64) -> Self {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut ids = Vec::with_capacity(rows.len() * width);
        let mut mask = Vec::with_capacity(rows.len() * width);
        for row in rows {
            ids.extend_from_slice(row);
            ids.resize(ids.len() + width - row.len(), pad_id);
            mask.resize(mask.len() + row.len(), 1);
            mask.resize(ids.len(), 0);
        }
        Self { rows: rows.len(), width, ids, mask }
    }

    /// One number a token, as the graph takes it.
    pub(super) fn tensor<'v>(&self, values: &'v [i64]) -> Result<TensorRef<'v, i64>, String> {
        TensorRef::from_array_view(([self.rows, self.width], values)).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_padded_to_its_longest_row_and_masked() {
        let batch = Batch::pad(&[&[0, 7, 2], &[0, 2]], 1);
        assert_eq!((batch.rows, batch.width), (2, 3));
        assert_eq!(batch.ids, [0, 7, 2, 0, 2, 1]);
        assert_eq!(batch.mask, [1, 1, 1, 1, 1, 0]);
    }
}
