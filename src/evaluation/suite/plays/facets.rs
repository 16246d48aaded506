//! Runs summed up by what their cases are tagged with: family, operation, wording register, and how the app's surface was drawn.

use crate::evaluation::suite::report::{SuiteReport, SuiteScore};
use crate::evaluation::suite::table::percent;
use serde::Serialize;

/// Headings of the table.
pub const FACET_HEADINGS: [&str; 11] = [
    "GROUP",
    "RUNS",
    "PASS@1",
    "STEPS RIGHT",
    "ACTIONS",
    "FALSE FAILURES",
    "FALSE PASSES",
    "WRONG STATES",
    "BUGS REPORTED",
    "UNASKED",
    "BLOCKED",
];

/// The facets that come first, in this order; the surface's follow by name.
const FIRST: [&str; 5] = ["family", "language", "op", "register", "aim"];

/// One group of runs.
#[derive(Debug, Clone, Serialize)]
pub struct FacetRow {
    /// Which facet: `family`, `op`, `register`, `language`, `navigation` …
    pub facet: String,
    /// Its value: `chat`, `create`, `goal`, `de`, `drawer` …
    pub value: String,
    /// Clean runs and runs with planted bugs.
    pub score: SuiteScore,
}

/// All groups.
#[derive(Debug, Clone, Serialize)]
pub struct FacetReport {
    /// All runs.
    pub total: SuiteScore,
    /// By facet, then by value.
    pub rows: Vec<FacetRow>,
}

impl FacetReport {
    /// Of a report, only these facets; all where none is named.
    pub fn of(report: SuiteReport, only: &[String]) -> Self {
        let row = |facet: &str, value: String, score: SuiteScore| FacetRow { facet: facet.to_owned(), value, score };
        let tagged = report.by_tag.into_iter().filter_map(|(tag, score)| {
            let (facet, value) = tag.split_once(':')?;
            Some(row(facet, value.to_owned(), score))
        });
        let languages = report.by_language.into_iter().map(|(language, score)| row("language", language, score));
        let aims = report.by_aim.into_iter().map(|(aim, score)| row("aim", aim.word().to_owned(), score));
        let mut rows: Vec<FacetRow> = tagged.chain(languages).chain(aims).collect();
        rows.retain(|row| only.is_empty() || only.contains(&row.facet));
        let place = |row: &FacetRow| FIRST.iter().position(|first| *first == row.facet).unwrap_or(FIRST.len());
        rows.sort_by(|one, other| {
            (place(one), &one.facet, &one.value).cmp(&(place(other), &other.facet, &other.value))
        });
        Self { total: report.total, rows }
    }

    /// The names of the facets there are, in the table's order.
    pub fn facets(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.rows.iter().map(|row| row.facet.as_str()).collect();
        names.dedup();
        names
    }

    /// The table, all runs first.
    pub fn table(&self) -> Vec<Vec<String>> {
        let rows = self.rows.iter().map(|row| cells(&format!("{} {}", row.facet, row.value), &row.score));
        std::iter::once(cells("all", &self.total)).chain(rows).collect()
    }
}

fn cells(name: &str, score: &SuiteScore) -> Vec<String> {
    let (verdicts, unasked) = (&score.verdicts, score.unasked_consequences);
    vec![
        name.to_owned(),
        score.clean_runs.to_string(),
        percent(score.rates.pass_at_1),
        percent(score.rates.complete_at_1),
        format!("{:.1}", score.actions_per_run),
        verdicts.false_failures.to_string(),
        verdicts.false_passes.to_string(),
        verdicts.wrong_states.to_string(),
        format!("{} of {}", verdicts.bugs_failed, verdicts.bug_runs),
        format!("{} in {}", unasked.total, unasked.runs),
        verdicts.blocked.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Verdict;
    use crate::evaluation::suite::Expected;
    use crate::evaluation::suite::sample::{result, sent};

    fn report() -> SuiteReport {
        let tagged = |case: &str, expected, verdict, tags: &[&str]| {
            let mut run = result("gym", case, expected, verdict, verdict == Verdict::Passed);
            run.setting.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            run
        };
        let mut sends = tagged("A-1", Expected::Passed, Verdict::Passed, &["family:chat", "op:talk", "toolkit:web"]);
        sends.truth.unasked = vec![sent()];
        SuiteReport::new(vec![
            sends,
            tagged("A-2", Expected::Passed, Verdict::Failed, &["family:chat", "op:create", "smoke"]),
            tagged("A-2", Expected::Failed, Verdict::Failed, &["family:chat", "op:create"]),
            tagged("B-1", Expected::Failed, Verdict::Passed, &["family:shop", "op:create"]),
        ])
    }

    #[test]
    fn groups_tell_passes_false_verdicts_bugs_and_what_nobody_asked_for() {
        let table = FacetReport::of(report(), &["family".to_owned(), "op".to_owned()]).table();
        assert!(table.iter().all(|row| row.len() == FACET_HEADINGS.len()));
        let told: Vec<String> = table.iter().map(|row| [&row[..3], &row[5..10]].concat().join("|")).collect();
        assert_eq!(
            told,
            [
                "all|2|50.0 %|1|1|0|1 of 2|1 in 1",
                "family chat|2|50.0 %|1|0|0|1 of 1|1 in 1",
                "family shop|0|–|0|1|0|0 of 1|0 in 0",
                "op create|1|0.0 %|1|1|0|1 of 2|0 in 0",
                "op talk|1|100.0 %|0|0|0|0 of 0|1 in 1",
            ]
        );
    }

    #[test]
    fn families_come_first_and_the_surface_last() {
        let all = FacetReport::of(report(), &[]);
        assert_eq!(all.facets(), ["family", "language", "op", "aim", "toolkit"]);
    }
}
