//! What is different from an earlier gate.

use super::{GateVerdict, Manifest};
use crate::domain::CaseId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cases that tell something against a baseline.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// They do not pass now, and passed then or were not there.
    #[schemars(with = "Vec<String>")]
    pub new_failures: Vec<CaseId>,
    /// They pass now, and did not then.
    #[schemars(with = "Vec<String>")]
    pub fixed: Vec<CaseId>,
    /// They passed neither then nor now.
    #[schemars(with = "Vec<String>")]
    pub still_failing: Vec<CaseId>,
    /// Now they pass sometimes.
    #[schemars(with = "Vec<String>")]
    pub flaky: Vec<CaseId>,
}

impl Comparison {
    /// Compares with the manifests of one earlier gate, of several where it was shared by machines.
    pub fn with(baseline: &[Manifest], now: &Manifest) -> Self {
        let mut comparison = Self::default();
        for case in &now.cases {
            let before = baseline.iter().find_map(|manifest| manifest.case(&case.id)).map(|case| case.verdict);
            let was_bad = before.is_some_and(GateVerdict::is_bad);
            let group = match case.verdict {
                verdict if verdict.is_bad() && was_bad => &mut comparison.still_failing,
                verdict if verdict.is_bad() => &mut comparison.new_failures,
                GateVerdict::Flaky => &mut comparison.flaky,
                GateVerdict::Passed | GateVerdict::Repaired if was_bad => &mut comparison.fixed,
                _ => continue,
            };
            group.push(case.id.clone());
        }
        comparison
    }

    /// In one line: `1 new failure, 2 fixed (A-2, A-3)`.
    pub fn words(&self) -> String {
        let failures = if self.new_failures.len() == 1 { "new failure" } else { "new failures" };
        let groups = [
            (failures, &self.new_failures),
            ("fixed", &self.fixed),
            ("still failing", &self.still_failing),
            ("flaky", &self.flaky),
        ];
        let told = groups.iter().filter(|(_, ids)| !ids.is_empty()).map(|(word, ids)| {
            let names: Vec<&str> = ids.iter().map(CaseId::as_str).collect();
            format!("{} {word} ({})", ids.len(), names.join(", "))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        if told.is_empty() { "nothing new, nothing fixed".to_owned() } else { told }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::manifest;

    #[test]
    fn each_case_is_told_by_what_it_was_and_what_it_is() {
        for (before, now, expected) in [
            ("p", "f", "1 new failure (A-1)"),
            ("p", "b", "1 new failure (A-1)"),
            ("f p", "e", "1 new failure (A-1)"),
            ("x", "f", "1 new failure (A-1)"),
            ("f", "p", "1 fixed (A-1)"),
            ("f", "b", "1 still failing (A-1)"),
            ("f", "f p", "1 flaky (A-1)"),
            ("p", "f p", "1 flaky (A-1)"),
            ("p", "p", "nothing new, nothing fixed"),
            ("f p", "p", "nothing new, nothing fixed"),
            ("f", "x", "nothing new, nothing fixed"),
        ] {
            let compared = Comparison::with(&[manifest(&[("A-1", before)])], &manifest(&[("A-1", now)]));
            assert_eq!(compared.words(), expected, "{before:?} then {now:?}");
        }
    }

    #[test]
    fn a_new_case_that_fails_is_a_new_failure_and_shards_are_one_baseline() {
        let baseline = [manifest(&[("A-1", "f"), ("A-2", "p")]), manifest(&[("A-3", "f")])];
        let now = manifest(&[("A-1", "p"), ("A-2", "f"), ("A-3", "f"), ("A-4", "f"), ("A-5", "p")]);
        let told = Comparison::with(&baseline, &now).words();
        assert_eq!(told, "2 new failures (A-2, A-4), 1 fixed (A-1), 1 still failing (A-3)");
    }
}
