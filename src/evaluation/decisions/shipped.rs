//! Decisions that come with the program: of generated apps, without the screens' words and without what nobody would choose, packed by
//! gzip. `train policy` sees by them whether weights got worse on other apps.

use super::example::{DecisionExample, ExampleOption};
use super::example_file::{ExampleFileError, example_lines, parse_examples, unpack};
use crate::inference::Reading;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::path::Path;

/// `tapwright eval decisions --decisions FILE --lean src/evaluation/decisions/shipped.jsonl.gz` wrote it; docs/learning.md says of what.
const SHIPPED: &[u8] = include_bytes!("shipped.jsonl.gz");
/// Its place in the sources, for messages.
const PLACE: &str = "shipped.jsonl.gz";
/// Options of a decision that stay, best first; what is right stays whatever its place.
const MAX_OPTIONS: usize = 12;

/// The decisions that come with the program.
///
/// # Errors
/// When they are of another version of the features: the file was not written anew with them.
pub fn shipped_examples() -> Result<Vec<DecisionExample>, ExampleFileError> {
    let place = Path::new(PLACE);
    parse_examples(place, &unpack(place, SHIPPED)?)
}

/// Decisions as they ship, packed: open options beyond the best, forbidden ones and words are left out.
///
/// # Errors
/// When a decision cannot be put into JSON or packed.
pub fn packed_lean<'e>(examples: impl Iterator<Item = &'e DecisionExample>) -> std::io::Result<Vec<u8>> {
    let lean: Vec<DecisionExample> = examples.map(lean).collect();
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(example_lines(lean.iter())?.as_bytes())?;
    packer.finish()
}

/// A decision with all that a fit looks at, and nothing else.
fn lean(example: &DecisionExample) -> DecisionExample {
    let mut open = 0;
    let stays = |option: &&ExampleOption| {
        open += usize::from(option.veto.is_none());
        option.right || option.veto.is_none() && (open <= MAX_OPTIONS || option.is_done)
    };
    let bare = |option: &ExampleOption| ExampleOption { what: String::new(), widget: None, ..option.clone() };
    let options = example.options.iter().filter(stays).map(bare).collect();
    DecisionExample { hand: String::new(), reading: Reading::default(), options, ..example.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::evaluation::decisions::{FitError, read_examples};
    use crate::pipeline::{Feature, PolicyWeights};

    /// A decision on either app: more options than stay, one that is forbidden, and the end.
    fn examples() -> Vec<DecisionExample> {
        let mut options: Vec<ExampleOption> =
            (0..20_u8).map(|at| sample::option(&[(Feature::Meaning, f32::from(at) / 40.0)], at == 3)).collect();
        options.push(ExampleOption { veto: Some("it was done before".into()), ..sample::option(&[], false) });
        options.push(ExampleOption { is_done: true, ..sample::option(&[(Feature::Acted, 1.0)], false) });
        options.reverse();
        vec![sample::example("org.example.one", options), sample::telling("org.example.two")]
    }

    #[test]
    fn what_ships_has_the_features_of_this_version_and_apps_enough() {
        let examples = shipped_examples().unwrap();
        assert_eq!(FitError::unless_enough(examples.iter().map(|example| example.app.clone())), None);
        assert!(examples.len() > 1000, "{}", examples.len());
        assert!(examples.iter().all(|example| !example.family.is_empty()), "all are of generated apps");
    }

    #[test]
    fn a_lean_decision_comes_to_the_same_and_is_read_from_a_packed_file() {
        let examples = examples();
        let file = tempfile::Builder::new().suffix(".jsonl.gz").tempfile().unwrap();
        std::fs::write(file.path(), packed_lean(examples.iter()).unwrap()).unwrap();
        let read = read_examples(file.path()).unwrap();
        let weights = PolicyWeights::bundled().unwrap();
        assert_eq!(read.len(), examples.len());
        for (lean, whole) in read.iter().zip(&examples) {
            assert_eq!(lean.outcome(&weights), whole.outcome(&weights));
            assert!(lean.options.len() <= MAX_OPTIONS + 2, "the best, what is right and the end stay");
        }
    }

    #[test]
    fn a_packed_file_that_is_cut_off_is_named() {
        let whole = packed_lean(examples().iter()).unwrap();
        let error = unpack(Path::new("cut.jsonl.gz"), &whole[..whole.len() / 2]).unwrap_err();
        assert!(error.to_string().starts_with("cannot read cut.jsonl.gz: "), "{error}");
    }
}
