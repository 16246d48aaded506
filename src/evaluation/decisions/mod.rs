//! Single decisions of the pipeline against what a person did on the same screen: figures by app, examples, fitted weights.
//!
//! `example` is one decision with all its options, `example_file` many in a file; `report` counts them; `fit` fits the policy's weights to them, each app
//! left out once.

mod example;
mod example_file;
mod fit;
mod report;

pub use example::{DecisionExample, ExampleOption, Outcome};
pub use example_file::{ExampleFileError, example_lines, read_examples};
pub use fit::{FitSettings, FittedPolicy, LeftOut, fit_policy};
pub use report::{DecisionReport, DecisionScore};
