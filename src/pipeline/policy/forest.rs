//! The forest: decision trees that put what could be done in another order than the weights alone. They see what a sum cannot say:
//! that a feature counts only beside another one, and how an option stands among the others. None ships: single decisions of apps that
//! were left out gain by it, whole cases did not (docs/learning.md).

use super::attempts::RISKY;
use super::choose::Weighed;
use super::feature::Feature;
use crate::pipeline::propose::Move;
use serde::Deserialize;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;

/// What stands before a feature's name where an input is how far an option's value is below the greatest of all options.
const BELOW_MOST: &str = "below_most ";
/// Score of the end where it is not open.
const NO_END: f32 = -2.0;
/// Score of the next one where there is none.
const NO_OTHER: f32 = -1.0;

/// Why a forest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ForestError {
    /// The file cannot be unpacked.
    #[error("forest: {0}; it is a file of JSON packed by gzip, as `fit_forest.py` writes it")]
    Packed(#[from] std::io::Error),
    /// The file has another form.
    #[error("forest: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A tree looks at something that this version does not have.
    #[error(
        "forest: `{0}` is no input of this version; fit a forest with this version by models/training/fit_forest.py"
    )]
    Unknown(String),
    /// A node leads out of its tree, or backwards.
    #[error("forest: tree {tree} is no tree")]
    Broken {
        /// Its place, from 1.
        tree: usize,
    },
}

/// What a tree looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    /// A feature.
    Feature(Feature),
    /// How far a feature is below the greatest of all options.
    BelowMost(Feature),
    /// The sum of weight × feature.
    Score,
    /// How far the score is before that of the best other option.
    Lead,
    /// The place among all options by score, from 0.
    Rank,
    /// The score of the clause's end.
    EndScore,
    /// How many options there are.
    Options,
    /// 1 for what carries something out.
    CarriesOut,
    /// 1 for the clause's end.
    IsEnd,
    /// The best score.
    TopScore,
}

impl Input {
    fn named(name: &str) -> Option<Self> {
        let feature = |key: &str| Feature::ALL.iter().copied().find(|feature| feature.key() == key);
        if let Some(key) = name.strip_prefix(BELOW_MOST) {
            return feature(key).map(Self::BelowMost);
        }
        Some(match name {
            "the score" => Self::Score,
            "the lead" => Self::Lead,
            "the rank" => Self::Rank,
            "the end's score" => Self::EndScore,
            "options" => Self::Options,
            "carries out" => Self::CarriesOut,
            "is the end" => Self::IsEnd,
            "the top score" => Self::TopScore,
            key => Self::Feature(feature(key)?),
        })
    }
}

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
    /// What each leaf adds.
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
        let same = [self.threshold.len(), self.left.len(), self.right.len()].iter().all(|length| *length == nodes);
        let led = self.left.iter().zip(&self.right).enumerate();
        same && !self.leaf.is_empty()
            && self.input.iter().all(|input| *input < inputs)
            && led.into_iter().all(|(at, (left, right))| child(at, *left) && child(at, *right))
    }

    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0;
        loop {
            let (Some(input), Some(threshold)) = (self.input.get(at), self.threshold.get(at)) else {
                return self.leaf.first().copied().unwrap_or_default();
            };
            let goes_left = row.get(*input).is_some_and(|value| value <= threshold);
            let next = if goes_left { self.left.get(at) } else { self.right.get(at) }.copied().unwrap_or(-1);
            match usize::try_from(next) {
                Ok(node) => at = node,
                Err(_) => {
                    let leaf = usize::try_from(-1 - next).unwrap_or_default();
                    return self.leaf.get(leaf).copied().unwrap_or_default();
                }
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    inputs: Vec<String>,
    trees: Vec<Tree>,
}

/// Trees whose sum orders options.
#[derive(Debug, Clone)]
pub struct Forest {
    inputs: Vec<Input>,
    trees: Vec<Tree>,
    /// Of its text.
    digest: u64,
}

impl Forest {
    /// What tells it apart from other forests.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// Reads a forest that is packed by gzip, as `models/training/fit_forest.py` writes it.
    ///
    /// # Errors
    /// When it is cut off, of another form, or looks at what this version does not have.
    pub fn read(packed: &[u8]) -> Result<Self, ForestError> {
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed).read_to_string(&mut text)?;
        let File { inputs, trees } = serde_json::from_str(&text)?;
        let named = |name: &String| Input::named(name).ok_or_else(|| ForestError::Unknown(name.clone()));
        let inputs = inputs.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let mut digest = DefaultHasher::new();
        text.hash(&mut digest);
        match trees.iter().position(|tree| !tree.is_sound(inputs.len())) {
            Some(at) => Err(ForestError::Broken { tree: at + 1 }),
            None => Ok(Self { inputs, trees, digest: digest.finish() }),
        }
    }

    /// Puts options into the order of the trees; those that a guard forbids stay behind. What is daring and the end of the clause
    /// are not moved forward: walkthroughs never show what daring costs, and what ends too early is never taken up again. The scores
    /// stay the same numbers and change hands, since thresholds are set on them; what one gained or lost is its experience.
    pub fn reorder(&self, weighed: &mut [Weighed]) {
        let open = weighed.iter().position(|one| one.veto.is_some()).unwrap_or(weighed.len());
        let Some(open) = weighed.get_mut(..open) else { return };
        let standing = |one: &Weighed| Standing {
            features: one.proposal.features.values().to_vec(),
            score: one.score,
            carries_out: one.proposal.source.carries_out(),
            is_end: one.proposal.action == Move::Done,
        };
        let standings: Vec<Standing> = open.iter().map(standing).collect();
        for (place, at) in self.order(&standings).into_iter().enumerate() {
            if let Some(one) = open.get_mut(at) {
                one.experience = place as f32;
            }
        }
        // By place and not by score: equal scores have an order, too.
        open.sort_by(|one, other| one.experience.total_cmp(&other.experience));
        for (one, standing) in open.iter_mut().zip(&standings) {
            one.experience = standing.score - one.score;
            one.score = standing.score;
        }
    }

    /// The open options of a decision, which come best score first, in the order of the trees: their places.
    pub fn order(&self, open: &[Standing]) -> Vec<usize> {
        let values = self.values(open);
        let value = |at: &usize| values.get(*at).copied().unwrap_or(f32::NEG_INFINITY);
        let mut left: Vec<usize> = (0..open.len()).collect();
        let mut order = Vec::with_capacity(open.len());
        for place in 0..open.len() {
            let may_stand =
                |at: &usize| *at <= place || open.get(*at).is_none_or(|one| !one.is_daring() && !one.is_end);
            let best = left
                .iter()
                .copied()
                .filter(may_stand)
                .max_by(|one, other| value(one).total_cmp(&value(other)).then(other.cmp(one)));
            let Some(best) = best else { break };
            left.retain(|at| *at != best);
            order.push(best);
        }
        order
    }

    /// What the trees say of each of the open options of a decision, which come best score first.
    fn values(&self, open: &[Standing]) -> Vec<f32> {
        let score = |at: usize| open.get(at).map(|one| one.score);
        let end = open.iter().find(|one| one.is_end).map_or(NO_END, |one| one.score);
        let most = |feature: Feature| open.iter().map(|one| one.feature(feature)).fold(f32::NEG_INFINITY, f32::max);
        let top = score(0).unwrap_or_default();
        let most: Vec<f32> = self
            .inputs
            .iter()
            .map(|input| if let Input::BelowMost(feature) = input { most(*feature) } else { 0.0 })
            .collect();
        let value = |(at, one): (usize, &Standing)| {
            let of = |(input, most): (&Input, &f32)| match *input {
                Input::Feature(feature) => one.feature(feature),
                Input::BelowMost(feature) => most - one.feature(feature),
                Input::Score => one.score,
                Input::Lead => one.score - if one.score < top { top } else { score(1).unwrap_or(NO_OTHER) },
                Input::Rank => at as f32,
                Input::EndScore => end,
                Input::Options => open.len() as f32,
                Input::CarriesOut => f32::from(u8::from(one.carries_out)),
                Input::IsEnd => f32::from(u8::from(one.is_end)),
                Input::TopScore => top,
            };
            let row: Vec<f32> = self.inputs.iter().zip(&most).map(of).collect();
            self.trees.iter().map(|tree| tree.value(&row)).sum()
        };
        open.iter().enumerate().map(value).collect()
    }
}

/// An option as the trees see it.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its features, in the order of [`Feature::ALL`].
    pub features: Vec<f32>,
    /// The sum of weight × feature.
    pub score: f32,
    /// True for what carries something of the clause out.
    pub carries_out: bool,
    /// True for the end of the clause.
    pub is_end: bool,
}

impl Standing {
    /// True for what may change what nobody asked for, or belongs to another thing.
    fn is_daring(&self) -> bool {
        RISKY.iter().any(|feature| self.feature(*feature) > 0.0)
    }

    fn feature(&self, feature: Feature) -> f32 {
        self.features.get(feature as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Action;
    use crate::pipeline::policy::{Features, Veto};
    use crate::pipeline::propose::{Proposal, Source};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    fn forest(text: &str) -> Result<Forest, ForestError> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        Forest::read(&packer.finish().unwrap())
    }

    /// One tree that looks at one input: up to a half it adds 0, beyond 1.
    fn looking_at(input: &str) -> Forest {
        let tree = r#"{"input":[0],"threshold":[0.5],"left":[-1],"right":[-2],"leaf":[0.0,1.0]}"#;
        forest(&format!(r#"{{"inputs":["{input}"],"trees":[{tree}]}}"#)).unwrap()
    }

    fn standing(score: f32, features: &[(Feature, f32)]) -> Standing {
        let mut values = vec![0.0; Feature::ALL.len()];
        for (feature, value) in features {
            values[*feature as usize] = *value;
        }
        Standing { features: values, score, carries_out: true, is_end: false }
    }

    #[test]
    fn options_are_ordered_by_what_the_trees_see() {
        let named = standing(0.2, &[(Feature::Named, 1.0)]);
        let check = |input: &str, open: &[Standing], expected: &[usize]| {
            assert_eq!(looking_at(input).order(open), expected, "{input}");
        };
        let open = [standing(0.9, &[(Feature::Meaning, 0.9)]), standing(0.4, &[]), named];
        check("named", &open, &[2, 0, 1]);
        check("below_most meaning", &open, &[1, 2, 0]);
        check("the score", &open, &[0, 1, 2]);
        check("the rank", &open, &[1, 2, 0]);
        check("the lead", &[standing(0.9, &[]), standing(0.1, &[])], &[0, 1]);
        let end = |score: f32| Standing { is_end: true, ..standing(score, &[]) };
        check("the end's score", &[standing(0.9, &[]), end(0.6)], &[0, 1]);
        check("the top score", &open, &[0, 1, 2]);
    }

    #[test]
    fn scores_stay_and_change_hands_and_equal_ones_have_an_order() {
        let weighed = |label: &str, score: f32, named: f32, veto: Option<Veto>| Weighed {
            proposal: Proposal {
                action: Move::Act(Action::PressBack),
                widget: None,
                source: Source::Touch,
                features: Features::default().with(Feature::Named, named),
                parameter: None,
                shown: None,
                reason: String::new(),
                text: label.to_owned(),
            },
            score,
            veto,
            experience: 0.0,
        };
        let mut all = [
            weighed("a", 0.5, 0.0, None),
            weighed("b", 0.5, 1.0, None),
            weighed("c", 0.2, 1.0, None),
            weighed("forbidden", 0.9, 1.0, Some(Veto::Repeated)),
        ];
        looking_at("named").reorder(&mut all);
        let order: Vec<(&str, f32)> = all.iter().map(|one| (one.proposal.text.as_str(), one.score)).collect();
        assert_eq!(order, [("b", 0.5), ("c", 0.5), ("a", 0.2), ("forbidden", 0.9)]);
        let experience: Vec<f32> = all.iter().map(|one| one.experience).collect();
        assert_eq!(experience, [0.0, 0.3, -0.3, 0.0]);
    }

    #[test]
    fn what_is_daring_and_the_end_are_moved_back_and_never_forward() {
        let daring = |score| standing(score, &[(Feature::RiskyGuess, 1.0), (Feature::Named, 1.0)]);
        let end = |score| Standing { is_end: true, ..standing(score, &[(Feature::Named, 1.0)]) };
        let plain = |score| standing(score, &[]);
        assert_eq!(looking_at("named").order(&[plain(0.9), daring(0.4), plain(0.2)]), [0, 1, 2]);
        assert_eq!(looking_at("named").order(&[plain(0.9), end(0.4), plain(0.2)]), [0, 1, 2]);
        assert_eq!(looking_at("the rank").order(&[end(0.9), plain(0.4), plain(0.2)]), [1, 2, 0]);
        assert_eq!(looking_at("the rank").order(&[daring(0.9), plain(0.4), plain(0.2)]), [1, 2, 0]);
    }

    #[test]
    fn a_file_that_cannot_be_used_says_why() {
        let tree = |left: i32, leaf: &str| {
            format!(r#"{{"input":[0],"threshold":[0.5],"left":[{left}],"right":[-1],"leaf":[{leaf}]}}"#)
        };
        let of = |input: &str, tree: &str| format!(r#"{{"inputs":["{input}"],"trees":[{tree}]}}"#);
        for (text, said) in [
            (of("luck", &tree(-1, "0.0")), "`luck` is no input of this version"),
            (of("below_most luck", &tree(-1, "0.0")), "`below_most luck` is no input"),
            (of("named", &tree(0, "0.0")), "tree 1 is no tree"),
            (of("named", &tree(-2, "0.0")), "tree 1 is no tree"),
            (of("named", &tree(-1, "")), "tree 1 is no tree"),
            ("{}".to_owned(), "missing field"),
        ] {
            let error = forest(&text).unwrap_err().to_string();
            assert!(error.starts_with("forest: ") && error.contains(said), "{error}");
        }
        assert!(Forest::read(b"[weights]").unwrap_err().to_string().contains("packed by gzip"));
    }
}
