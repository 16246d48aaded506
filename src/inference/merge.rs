//! A model's 8-bit matrices, made of a public model's weights and the difference to them (a delta).
//!
//! The delta holds, for each layer's matrix `W` (out × in), two low-rank factors `a` and `b` in 8 bits and the scale of each
//! row of the result; what is stored is `W + factor · b · a`, rounded by these scales and turned over (in × out), as the graph
//! wants it. For the word table it holds the rows that the public model has not, and the scale of every row. All of it is done in
//! `f32`, sum after sum in one order, so that every machine makes the same bytes.

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::io::{self, Write};

/// The word table's name in the public model, and in the graph.
const WORDS: (&str, &str) = ("embeddings.word_embeddings.weight", "embeddings.words_q8");
/// What a rounded matrix is called behind the name of its weight.
const ROUNDED: &str = "_q8";

/// What a delta says of itself.
#[derive(Debug, PartialEq)]
pub(super) struct DeltaHead {
    /// sha256 of the public weights that it belongs to.
    pub base: String,
    /// The matrices, in the order in which they are written.
    order: Vec<String>,
    /// What the product of the factors is multiplied by.
    factor: f32,
}

impl DeltaHead {
    /// Reads it from a delta's bytes; what is wrong with it otherwise.
    pub(super) fn read(delta: &[u8]) -> Result<Self, String> {
        let (_, head) = SafeTensors::read_metadata(delta).map_err(|error| error.to_string())?;
        let told = head.metadata().as_ref().ok_or("it says nothing of itself")?;
        let word = |name: &str| told.get(name).ok_or_else(|| format!("it does not say its `{name}`"));
        let factor = word("factor")?;
        Ok(Self {
            base: word("base")?.clone(),
            order: word("order")?.split_whitespace().map(str::to_owned).collect(),
            factor: factor.parse().map_err(|_| format!("`factor` is {factor}, no number"))?,
        })
    }
}

/// Why no matrices were written.
#[derive(Debug)]
pub(super) enum MergeFailed {
    /// The two do not fit together.
    Unfit(String),
    /// The result could not be written.
    Storage(io::Error),
}

impl From<String> for MergeFailed {
    fn from(reason: String) -> Self {
        Self::Unfit(reason)
    }
}

/// Writes the matrices of a delta on top of public weights (both `safetensors` files) to `to`, one after another.
pub(super) fn merge(public: &[u8], delta: &[u8], to: &mut impl Write) -> Result<(), MergeFailed> {
    let head = DeltaHead::read(delta)?;
    let open = |bytes, name: &str| SafeTensors::deserialize(bytes).map_err(|error| format!("{name}: {error}"));
    let pair = Pair { public: open(public, "the public weights")?, delta: open(delta, "the delta")? };
    for name in &head.order {
        let rounded = if name == WORDS.1 {
            pair.words()?
        } else {
            let weight = name.strip_suffix(ROUNDED).ok_or_else(|| format!("{name} is no rounded matrix"))?;
            pair.matrix(weight, head.factor)?
        };
        to.write_all(&rounded).map_err(MergeFailed::Storage)?;
    }
    Ok(())
}

/// The two files that belong together.
struct Pair<'a> {
    public: SafeTensors<'a>,
    delta: SafeTensors<'a>,
}

/// A matrix of numbers, row after row.
struct Matrix {
    rows: usize,
    width: usize,
    values: Vec<f32>,
}

impl Matrix {
    fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..(index + 1) * self.width]
    }
}

impl Pair<'_> {
    /// The word table: the public rows by their scales, then those that are the delta's own.
    fn words(&self) -> Result<Vec<u8>, String> {
        let (public, scale) = (floats(&self.public, WORDS.0)?, numbers(&self.delta, "words.scale")?);
        let own = tensor(&self.delta, "words.new", Dtype::I8)?;
        let fits = own.shape().last() == Some(&public.width);
        if !fits || scale.len() * public.width != public.values.len() + own.data().len() {
            return Err("the word table of the delta does not fit the public one".to_owned());
        }
        let mut whole = Vec::with_capacity(scale.len() * public.width);
        for (index, scale) in scale.iter().take(public.rows).enumerate() {
            whole.extend(public.row(index).iter().map(|value| rounded(*value, *scale)));
        }
        whole.extend_from_slice(own.data());
        Ok(whole)
    }

    /// One layer's matrix with its low-rank product, rounded and turned over.
    fn matrix(&self, weight: &str, factor: f32) -> Result<Vec<u8>, String> {
        let public = floats(&self.public, weight)?;
        let (first, second) = (self.factors(&format!("{weight}.a"))?, self.factors(&format!("{weight}.b"))?);
        let scale = numbers(&self.delta, &format!("{weight}.scale"))?;
        let fits = first.width == public.width && second.rows == public.rows && first.rows == second.width;
        if !fits || scale.len() != public.rows {
            return Err(format!("{weight}: the delta's factors are of another size than the public matrix"));
        }
        let mut turned = vec![0; public.values.len()];
        let mut sum = vec![0.0_f32; public.width];
        for (out, scale) in scale.iter().enumerate() {
            sum.fill(0.0);
            for (index, share) in second.row(out).iter().enumerate() {
                for (sum, value) in sum.iter_mut().zip(first.row(index)) {
                    *sum += share * value;
                }
            }
            for (column, (value, sum)) in public.row(out).iter().zip(&sum).enumerate() {
                turned[column * public.rows + out] = rounded(value + factor * sum, *scale);
            }
        }
        Ok(turned)
    }

    /// Factors, multiplied out of their 8 bits.
    fn factors(&self, name: &str) -> Result<Matrix, String> {
        let stored = tensor(&self.delta, name, Dtype::I8)?;
        let scale = numbers(&self.delta, &format!("{name}.scale"))?;
        let [rows, width] = *stored.shape() else { return Err(format!("{name} is no matrix")) };
        if scale.len() != rows {
            return Err(format!("{name} has {rows} rows and {} scales", scale.len()));
        }
        let scales = scale.iter().flat_map(|scale| std::iter::repeat_n(scale, width));
        let values = stored.data().iter().zip(scales).map(|(byte, scale)| f32::from(byte.cast_signed()) * scale);
        Ok(Matrix { rows, width, values: values.collect() })
    }
}

/// A value as the nearest whole number of scales, even where two are as near.
#[expect(clippy::cast_possible_truncation, reason = "clamped to an i8's range before")]
fn rounded(value: f32, scale: f32) -> u8 {
    ((value / scale).round_ties_even().clamp(-127.0, 127.0) as i8).cast_unsigned()
}

fn tensor<'a>(file: &SafeTensors<'a>, name: &str, kind: Dtype) -> Result<TensorView<'a>, String> {
    let found = file.tensor(name).map_err(|_| format!("{name} is missing"))?;
    if found.dtype() == kind { Ok(found) } else { Err(format!("{name} holds {:?}, not {kind:?}", found.dtype())) }
}

fn numbers(file: &SafeTensors<'_>, name: &str) -> Result<Vec<f32>, String> {
    let found = tensor(file, name, Dtype::F32)?;
    Ok(found.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

fn floats(file: &SafeTensors<'_>, name: &str) -> Result<Matrix, String> {
    let values = numbers(file, name)?;
    match *tensor(file, name, Dtype::F32)?.shape() {
        [rows, width] => Ok(Matrix { rows, width, values }),
        _ => Err(format!("{name} is no matrix")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A `safetensors` file of these tensors.
    fn file(tensors: &[(&str, Dtype, Vec<usize>, Vec<u8>)], told: &[(&str, &str)]) -> Vec<u8> {
        let views = tensors
            .iter()
            .map(|(name, kind, shape, data)| (*name, TensorView::new(*kind, shape.clone(), data).unwrap()));
        let told: HashMap<String, String> =
            told.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        safetensors::serialize(views, (!told.is_empty()).then_some(told)).unwrap()
    }

    fn bytes_of(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn signed(values: &[i8]) -> Vec<u8> {
        values.iter().map(|value| value.cast_unsigned()).collect()
    }

    /// Public weights: a table of two words and a matrix of 2 × 3.
    pub(in crate::inference) fn public() -> Vec<u8> {
        let words = (WORDS.0, Dtype::F32, vec![2, 2], bytes_of(&[1.0, -0.5, 0.25, 0.0]));
        let matrix = ("w", Dtype::F32, vec![2, 3], bytes_of(&[1.0, 2.0, 3.0, -1.0, 0.0, 0.5]));
        file(&[words, matrix], &[])
    }

    /// A delta of rank 1 to [`public`]; `base` is what it says it belongs to.
    pub(in crate::inference) fn delta(base: &str, width: usize) -> Vec<u8> {
        let tensors = [
            ("words.new", Dtype::I8, vec![1, 2], signed(&[7, -8])),
            ("words.scale", Dtype::F32, vec![3], bytes_of(&[0.5, 0.125, 1.0])),
            ("w.a", Dtype::I8, vec![1, width], signed(&[1, 2, 3, 4][..width])),
            ("w.a.scale", Dtype::F32, vec![1], bytes_of(&[0.5])),
            ("w.b", Dtype::I8, vec![2, 1], signed(&[2, -2])),
            ("w.b.scale", Dtype::F32, vec![2], bytes_of(&[0.5, 0.5])),
            ("w.scale", Dtype::F32, vec![2], bytes_of(&[1.0, 0.5])),
        ];
        file(&tensors, &[("order", "embeddings.words_q8 w_q8"), ("base", base), ("factor", "2.0")])
    }

    #[test]
    fn matrices_are_the_public_ones_and_the_product_of_the_factors_turned_over() {
        let mut made = Vec::new();
        merge(&public(), &delta("x", 3), &mut made).unwrap();
        // Words: rows by 0.5 and 0.125, then the delta's own. Matrix: rows [1 2 3] + 2·1·[.5 1 1.5] and [-1 0 .5] − the same.
        let rows = [[2, 4, 6], [-4, -4, -5]];
        let turned: Vec<i8> = (0..3).flat_map(|column| rows.map(|row| row[column])).collect();
        assert_eq!(made, signed(&[&[2, -1, 2, 0, 7, -8][..], &turned].concat()));
    }

    #[test]
    fn what_does_not_fit_is_told_by_name() {
        let told = |public: &[u8], delta: &[u8]| match merge(public, delta, &mut Vec::new()).unwrap_err() {
            MergeFailed::Unfit(reason) => reason,
            MergeFailed::Storage(error) => panic!("{error}"),
        };
        assert!(told(&public(), &delta("x", 2)).contains("w: the delta's factors are of another size"));
        assert!(told(&public(), b"no file").contains("header"));
        assert_eq!(told(&public(), &public()), "it says nothing of itself");
        let other = file(&[("w", Dtype::F32, vec![2, 3], bytes_of(&[0.0; 6]))], &[]);
        assert_eq!(told(&other, &delta("x", 3)), format!("{} is missing", WORDS.0));
        assert_eq!(DeltaHead::read(&delta("abc", 3)).unwrap().base, "abc");
    }
}
