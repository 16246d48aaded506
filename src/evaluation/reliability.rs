//! How well the agent knows what it has carried out: of what it declared with so much confidence, how much was right.

use serde::Serialize;

/// Bins of the table.
const BINS: usize = 10;

/// A step that was declared done, all steps before it being right: after a wrong one nothing tells what is right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Declaration {
    /// How sure the agent was, from 0 to 1.
    pub confidence: f32,
    /// The step was carried out.
    pub right: bool,
}

/// The declarations of a range of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// From here on, included; the range is a tenth wide.
    pub from: f32,
    /// Declarations.
    pub declared: usize,
    /// Those that were right.
    pub right: usize,
    /// Mean confidence of them.
    pub confidence: f64,
    /// Share of them that was right.
    pub share: f64,
}

/// The table, and what it comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// Ranges with declarations in them, lowest first.
    pub bins: Vec<Bin>,
    /// Mean distance of confidence and share right, each range weighted by its declarations.
    pub expected_calibration_error: f64,
}

impl Reliability {
    /// Of these declarations; `None` without any.
    pub fn of(declarations: &[Declaration]) -> Option<Self> {
        let bins: Vec<Bin> = (0..BINS).filter_map(|at| bin(at, declarations)).collect();
        let all = declarations.len() as f64;
        let apart = bins.iter().map(|bin| (bin.share - bin.confidence).abs() * bin.declared as f64).sum::<f64>();
        (!declarations.is_empty()).then(|| Self { bins, expected_calibration_error: rounded(apart / all) })
    }
}

fn bin(at: usize, declarations: &[Declaration]) -> Option<Bin> {
    let own = |one: &&Declaration| ((one.confidence * BINS as f32) as usize).min(BINS - 1) == at;
    let own: Vec<&Declaration> = declarations.iter().filter(own).collect();
    let (declared, right) = (own.len(), own.iter().filter(|one| one.right).count());
    let confidence = own.iter().map(|one| f64::from(one.confidence)).sum::<f64>() / declared.max(1) as f64;
    (declared > 0).then(|| Bin {
        from: at as f32 / BINS as f32,
        declared,
        right,
        confidence: rounded(confidence),
        share: rounded(right as f64 / declared as f64),
    })
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(confidence: f32, right: bool) -> Declaration {
        Declaration { confidence, right }
    }

    #[test]
    fn what_is_as_right_as_it_was_sure_has_no_error() {
        let half = [declared(0.5, true), declared(0.5, false)];
        let found = Reliability::of(&half).unwrap();
        assert_eq!((found.bins.len(), found.bins[0].declared, found.bins[0].right), (1, 2, 1));
        assert!(found.expected_calibration_error.abs() < f64::EPSILON);
    }

    #[test]
    fn what_was_sure_and_wrong_counts_by_its_share() {
        let found = Reliability::of(&[declared(1.0, false), declared(1.0, true), declared(0.0, false)]).unwrap();
        assert_eq!(found.bins.iter().map(|bin| bin.from).collect::<Vec<_>>(), [0.0, 0.9]);
        assert!((found.expected_calibration_error - 0.3333).abs() < 1e-9);
    }

    #[test]
    fn nothing_declared_makes_no_table() {
        assert_eq!(Reliability::of(&[]), None);
    }
}
