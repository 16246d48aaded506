//! What variants came to, beside the runs they are variants of.

use super::change::Change;
use crate::evaluation::suite::ending::{Ending, RunReport};
use crate::evaluation::suite::report::SuiteScore;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a variant changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantReport {
    /// Its seed: with it and its case the variant is made again.
    pub seed: u64,
    /// What is changed; empty where nothing that was drawn can be changed here.
    pub changes: Vec<Change>,
}

/// All variants together.
#[derive(Debug, Clone, Serialize)]
pub struct FuzzReport {
    /// The first variant's seed; the others' follow it.
    pub seed: u64,
    /// Variants of each run.
    pub variants: u64,
    /// The variants' score.
    pub score: SuiteScore,
    /// Each suite's.
    pub by_suite: BTreeMap<String, SuiteScore>,
    /// Variants that ended as the runs they are variants of.
    pub kept: usize,
    /// By what was changed.
    pub by_change: BTreeMap<Change, ChangeReport>,
    /// Each variant.
    pub results: Vec<RunReport>,
}

/// Variants with one change, among others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// Made.
    pub runs: usize,
    /// Those that ended as the runs they are variants of.
    pub kept: usize,
}

impl FuzzReport {
    /// Sums up. Each variant comes with how its run ended without it.
    pub(in crate::evaluation::suite) fn new(seed: u64, variants: u64, results: Vec<(Ending, RunReport)>) -> Self {
        let mut by_change: BTreeMap<Change, ChangeReport> = BTreeMap::new();
        let mut kept = 0;
        for (base, result) in &results {
            let same = usize::from(result.ending == *base);
            kept += same;
            for change in result.setting.variant.iter().flat_map(|variant| &variant.changes) {
                let told = by_change.entry(*change).or_default();
                told.runs += 1;
                told.kept += same;
            }
        }
        let results: Vec<RunReport> = results.into_iter().map(|(_, result)| result).collect();
        Self {
            seed,
            variants,
            score: SuiteScore::of(&results.iter().collect::<Vec<_>>()),
            by_suite: SuiteScore::by_suite(&results),
            kept,
            by_change,
            results,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Verdict;
    use crate::evaluation::suite::Expected;
    use crate::evaluation::suite::sample::result;

    #[test]
    fn a_variant_counts_by_how_its_run_ended_without_it() {
        let variant = |verdict, changes: &[Change]| {
            let mut result = result("a", "A-1", Expected::Passed, verdict, verdict == Verdict::Passed);
            result.setting.variant = Some(VariantReport { seed: 7, changes: changes.to_vec() });
            result
        };
        let report = FuzzReport::new(
            7,
            1,
            vec![
                (Ending::Right, variant(Verdict::Passed, &[Change::Dark, Change::Ids])),
                (Ending::Right, variant(Verdict::Blocked, &[Change::Dark])),
                (Ending::Blocked, variant(Verdict::Blocked, &[Change::Dark])),
            ],
        );
        assert_eq!((report.kept, report.score.runs), (2, 3));
        assert_eq!(report.by_change[&Change::Dark], ChangeReport { runs: 3, kept: 2 });
        assert_eq!(report.by_change[&Change::Ids], ChangeReport { runs: 1, kept: 1 });
        assert_eq!(report.by_suite["a"].rates.pass_at_1, Some(0.3333));
    }
}
