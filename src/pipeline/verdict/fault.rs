//! The probability that a case did not pass by the app's fault: trees over the evidence of the run, fitted to runs with and without
//! planted bugs (docs/learning.md).

use super::evidence::{Evidence, SIGNS};
use crate::domain::{Attribution, AttributionSign};
use serde::Deserialize;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;

/// Signs that an explanation tells.
const TOLD: usize = 5;

/// Why a model of faults cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FaultModelError {
    /// The file cannot be unpacked.
    #[error("model of faults: {0}; it is a file of JSON packed by gzip, as `fit_faults.py` writes it")]
    Packed(#[from] std::io::Error),
    /// The file has another form.
    #[error("model of faults: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A tree looks at something that this version does not have.
    #[error("model of faults: `{0}` is no sign of this version; {REFIT}")]
    Unknown(String),
    /// There is no tree.
    #[error("model of faults: it has no tree; {REFIT}")]
    Empty,
    /// A node leads out of its tree, or backwards.
    #[error("model of faults: tree {tree} is no tree; {REFIT}")]
    Broken {
        /// Its place, from 1.
        tree: usize,
    },
}

/// What makes a model for this version.
const REFIT: &str = "fit a model to runs of this version by models/training/fit_faults.py";

/// A tree as written: node 0 is the root; a child that is negative is the leaf `-1 - child`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    /// The input that each node looks at.
    input: Vec<usize>,
    /// Where it goes left: at most this.
    threshold: Vec<f32>,
    left: Vec<i32>,
    right: Vec<i32>,
    /// Share of the app's faults among the runs that come to each node.
    share: Vec<f32>,
    /// The same of each leaf.
    leaf: Vec<f32>,
}

impl Tree {
    /// Children are further on than their node, so that every way ends.
    fn is_sound(&self, inputs: usize) -> bool {
        let nodes = self.input.len();
        let child = |at: usize, child: i32| match usize::try_from(child) {
            Ok(node) => node > at && node < nodes,
            Err(_) => usize::try_from(-1 - child).is_ok_and(|leaf| leaf < self.leaf.len()),
        };
        let lengths = [self.threshold.len(), self.left.len(), self.right.len(), self.share.len()];
        let led = self.left.iter().zip(&self.right).enumerate();
        lengths.iter().all(|length| *length == nodes)
            && !self.leaf.is_empty()
            && self.input.iter().all(|input| *input < inputs)
            && led.into_iter().all(|(at, (left, right))| child(at, *left) && child(at, *right))
    }

    /// Adds what each input on the way to the leaf changes, and returns the share of the root.
    fn follow(&self, row: &[f32], changes: &mut [f32]) -> f32 {
        let root = self.share.first().or(self.leaf.first()).copied().unwrap_or_default();
        let (mut at, mut share) = (0, root);
        while let (Some(input), Some(threshold)) = (self.input.get(at), self.threshold.get(at)) {
            let goes_left = row.get(*input).is_some_and(|value| value <= threshold);
            let next = if goes_left { self.left.get(at) } else { self.right.get(at) }.copied().unwrap_or(-1);
            let (there, inner) = match usize::try_from(next) {
                Ok(node) => (self.share.get(node), Some(node)),
                Err(_) => (usize::try_from(-1 - next).ok().and_then(|leaf| self.leaf.get(leaf)), None),
            };
            let there = there.copied().unwrap_or(share);
            if let Some(change) = changes.get_mut(*input) {
                *change += there - share;
            }
            share = there;
            match inner {
                Some(node) => at = node,
                None => break,
            }
        }
        root
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    signs: Vec<String>,
    threshold: f32,
    trees: Vec<Tree>,
}

/// Trees whose mean is the probability.
#[derive(Debug, Clone)]
pub struct FaultModel {
    /// For each input of the trees its place among the signs.
    inputs: Vec<usize>,
    /// From here on a run has *failed*.
    threshold: f32,
    trees: Vec<Tree>,
    /// Of its text.
    digest: u64,
}

impl FaultModel {
    /// The shipped model.
    ///
    /// # Errors
    /// See [`Self::read`].
    pub fn bundled() -> Result<Self, FaultModelError> {
        Self::read(include_bytes!("faults.json.gz"))
    }

    /// What tells it apart from other models.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// Reads a model that is packed by gzip, as `models/training/fit_faults.py` writes it.
    ///
    /// # Errors
    /// When it is cut off, of another form, or looks at what this version does not have.
    pub fn read(packed: &[u8]) -> Result<Self, FaultModelError> {
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed).read_to_string(&mut text)?;
        let File { signs, threshold, trees } = serde_json::from_str(&text)?;
        let known: Vec<String> = SIGNS.iter().map(|sign| sign.name()).collect();
        let place = |name: &String| {
            known.iter().position(|known| known == name).ok_or_else(|| FaultModelError::Unknown(name.clone()))
        };
        let inputs = signs.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let mut digest = DefaultHasher::new();
        text.hash(&mut digest);
        match trees.iter().position(|tree| !tree.is_sound(inputs.len())) {
            Some(at) => Err(FaultModelError::Broken { tree: at + 1 }),
            None if trees.is_empty() => Err(FaultModelError::Empty),
            None => Ok(Self { inputs, threshold, trees, digest: digest.finish() }),
        }
    }

    /// The probability that the app is at fault, and the signs that it is made of, the weightiest first.
    pub fn judge(&self, evidence: &Evidence<'_>) -> Attribution {
        let values: Vec<f32> = SIGNS.iter().map(|sign| sign.of(evidence)).collect();
        let row: Vec<f32> = self.inputs.iter().map(|at| values.get(*at).copied().unwrap_or_default()).collect();
        let mut changes = vec![0.0; row.len()];
        let base: f32 = self.trees.iter().map(|tree| tree.follow(&row, &mut changes)).sum();
        let count = self.trees.len().max(1) as f32;
        let probability = ((base + changes.iter().sum::<f32>()) / count).clamp(0.0, 1.0);
        let all: Vec<(String, f32)> = SIGNS.iter().map(|sign| sign.name()).zip(values).collect();
        let sign = |(at, change): (&usize, f32)| {
            let (name, value) = all.get(*at)?.clone();
            Some(AttributionSign { name, value, adds: change / count })
        };
        let mut signs: Vec<AttributionSign> = self.inputs.iter().zip(changes).filter_map(sign).collect();
        signs.retain(|sign| sign.adds != 0.0);
        signs.sort_by(|one, other| other.adds.abs().total_cmp(&one.adds.abs()));
        signs.truncate(TOLD);
        Attribution { probability, threshold: self.threshold, signs, evidence: all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::journal::Journal;
    use crate::pipeline::verdict::evidence::ExpectationEvidence;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    fn model(text: &str) -> Result<FaultModel, FaultModelError> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        FaultModel::read(&packer.finish().unwrap())
    }

    fn judged(model: &FaultModel, held: f32) -> Attribution {
        let expected = ExpectationEvidence { held, ..ExpectationEvidence::default() };
        model.judge(&Evidence {
            journal: &Journal::default(),
            planned: 1,
            stopped: false,
            left_out: false,
            borne_out: true,
            expected: &expected,
        })
    }

    const HELD: &str = "share of what is expected that is there";

    #[test]
    fn the_probability_is_the_mean_of_the_trees_and_the_sum_of_what_its_signs_add() {
        let tree = r#"{"input":[0],"threshold":[0.5],"left":[-1],"right":[-2],"share":[0.4],"leaf":[0.2,0.8]}"#;
        let other = r#"{"input":[],"threshold":[],"left":[],"right":[],"share":[],"leaf":[0.5]}"#;
        let model = model(&format!(r#"{{"signs":["{HELD}"],"threshold":0.6,"trees":[{tree},{other}]}}"#)).unwrap();
        for (held, probability, adds) in [(0.0, 0.35, -0.1), (1.0, 0.65, 0.2)] {
            let judged = judged(&model, held);
            assert!((judged.probability - probability).abs() < 1e-6, "{judged:?}");
            let [sign] = judged.signs.as_slice() else { panic!("{judged:?}") };
            assert!((sign.adds - adds).abs() < 1e-6 && sign.name == HELD && sign.value == held, "{sign:?}");
            assert_eq!(judged.is_fault(), held > 0.5);
            assert_eq!(judged.evidence.len(), SIGNS.len());
        }
    }

    #[test]
    fn signs_have_names_of_their_own() {
        let names: std::collections::BTreeSet<String> = SIGNS.iter().map(|sign| sign.name()).collect();
        assert_eq!(names.len(), SIGNS.len());
        FaultModel::bundled().unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_used_says_why() {
        let tree = |left: i32, leaf: &str| {
            format!(r#"{{"input":[0],"threshold":[0.5],"left":[{left}],"right":[-1],"share":[0.5],"leaf":[{leaf}]}}"#)
        };
        let of = |sign: &str, tree: &str| format!(r#"{{"signs":["{sign}"],"threshold":0.5,"trees":[{tree}]}}"#);
        for (text, said) in [
            (of("luck", &tree(-1, "0.0")), "`luck` is no sign of this version"),
            (of(HELD, &tree(0, "0.0")), "tree 1 is no tree"),
            (of(HELD, &tree(-2, "0.0")), "tree 1 is no tree"),
            (of(HELD, &tree(-1, "")), "tree 1 is no tree"),
            (of(HELD, ""), "it has no tree"),
            ("{}".to_owned(), "missing field"),
        ] {
            let error = model(&text).unwrap_err().to_string();
            assert!(error.starts_with("model of faults: ") && error.contains(said), "{error}");
        }
        assert!(FaultModel::read(b"[weights]").unwrap_err().to_string().contains("packed by gzip"));
    }
}
