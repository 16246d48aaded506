//! The end of a clause as it was weighed: what spoke for it and against it, and what was left to do.

use super::policy::Features;

/// The end of a clause as the last decision on it weighed it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClauseEnd {
    /// Number of the clause, from 1.
    pub clause: usize,
    /// What spoke for the end and against it.
    pub features: Features,
    /// The end's score.
    pub score: f32,
    /// Score of the best other thing that no guard forbade.
    pub best_other: f32,
    /// How sure it was that the clause is carried out, 0 to 1, whatever is expected of the case.
    pub sure: f32,
}
