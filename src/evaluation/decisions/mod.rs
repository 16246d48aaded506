//! Single decisions of the pipeline against what a person did on the same screen: figures by app, examples, fitted weights.
//!
//! `example` is one decision with all its options, `example_file` many in a file; `report` counts them; `fit` fits the policy's weights
//! to them, each app and family left out once: `problem` is what it minimises, `kept_fits` what was finished before an interruption,
//! `uncertainty` how sure the weights are, `calibration` how sure the choices, `ablation` what each feature earns, `adoption` whether
//! weights that were fitted to the user's own runs as well are taken over.

mod ablation;
mod adoption;
mod calibration;
mod example;
mod example_file;
mod fit;
mod kept_fits;
mod problem;
mod report;
#[cfg(test)]
mod sample;
mod shipped;
mod uncertainty;

pub use ablation::{Ablation, Earning, ablate};
pub use adoption::{Adoption, AdoptionError, Compared, Verdict as AdoptionVerdict, weigh_adoption};
pub use calibration::Calibration;
pub use example::{DecisionExample, ExampleOption, Outcome};
pub use example_file::{ExampleFileError, example_lines, read_examples};
pub use fit::{FitError, FitSettings, FittedPolicy, LeftOut, LeftOutShares, fit_policy};
pub use kept_fits::KeptFits;
pub use report::{DecisionReport, DecisionScore};
pub use shipped::{packed_lean, shipped_examples};
