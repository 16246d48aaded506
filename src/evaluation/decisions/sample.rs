//! Decisions for tests.

use super::example::{DecisionExample, ExampleOption};
use crate::inference::Reading;
use crate::pipeline::Feature;

/// An option with these features.
pub(super) fn option(features: &[(Feature, f32)], right: bool) -> ExampleOption {
    let mut values = vec![0.0; Feature::ALL.len()];
    for (feature, value) in features {
        values[*feature as usize] = *value;
    }
    ExampleOption {
        what: String::new(),
        widget: None,
        features: values,
        veto: None,
        right,
        carries_out: true,
        is_done: false,
    }
}

/// A decision between options.
pub(super) fn example(app: &str, options: Vec<ExampleOption>) -> DecisionExample {
    DecisionExample {
        app: app.into(),
        family: String::new(),
        case: String::new(),
        step: 1,
        hand: String::new(),
        astray: false,
        reading: Reading::default(),
        options,
    }
}

/// A decision in which what the instruction says is right, and what only means something like it is not.
pub(super) fn telling(app: &str) -> DecisionExample {
    let options =
        vec![option(&[(Feature::Meaning, 0.6)], false), option(&[(Feature::Meaning, 0.4), (Feature::Said, 1.0)], true)];
    example(app, options)
}
