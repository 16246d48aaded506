//! The report as rows of texts, for the terminal and for the page alike.

use super::report::{Rates, SuiteReport, SuiteScore};

/// Headings of the table of suites.
pub const SUITE_HEADINGS: [&str; 18] = [
    "SUITE",
    "CASES",
    "RUNS",
    "PASS@1 IN SAMPLE",
    "LEFT OUT",
    "COMPLETE@1 IN SAMPLE",
    "LEFT OUT",
    "FALSE PASSES",
    "WRONG STATES",
    "FALSE FAILURES",
    "BUGS FAILED",
    "UNASKED",
    "BLOCKED",
    "ERRORS",
    "ACTIONS",
    "P50 MS",
    "P95 MS",
    "OVERHEAD MS/STEP",
];

/// Headings of the table of groups.
pub const GROUP_HEADINGS: [&str; 7] =
    ["GROUP", "RUNS", "PASS@1", "COMPLETE@1", "FALSE FAILURES", "UNASKED", "LEFT OUT"];

impl SuiteReport {
    /// Each suite and all together, then the same of the variants.
    pub fn suite_rows(&self) -> Vec<Vec<String>> {
        let mut rows: Vec<Vec<String>> = self.by_suite.iter().map(|(suite, score)| suite_row(suite, score)).collect();
        rows.push(suite_row("all", &self.total));
        if let Some(fuzz) = &self.fuzz {
            rows.extend(fuzz.by_suite.iter().map(|(suite, score)| suite_row(&format!("{suite}, variants"), score)));
            rows.push(suite_row("all variants", &fuzz.score));
        }
        rows
    }

    /// The clean runs by what the cases give, by language, by app, and by tags that name a facet, such as `op:create`.
    pub fn group_rows(&self) -> Vec<Vec<String>> {
        let aims = self.by_aim.iter().map(|(aim, score)| (aim.word(), score));
        let languages = self.by_language.iter().map(|(language, score)| (language.as_str(), score));
        let apps = self.by_app.iter().map(|(app, score)| (app.as_str(), score));
        let facets = self.by_tag.iter().filter(|(tag, _)| tag.contains(':'));
        let facets = facets.map(|(tag, score)| (tag.as_str(), score));
        aims.chain(languages).chain(apps).chain(facets).map(|(name, score)| group_row(name, score)).collect()
    }
}

fn suite_row(name: &str, score: &SuiteScore) -> Vec<String> {
    let verdicts = &score.verdicts;
    let rate = |rates: Option<Rates>, of: fn(Rates) -> Option<f64>| percent(rates.and_then(of));
    let (pass, complete): (fn(Rates) -> Option<f64>, fn(Rates) -> Option<f64>) =
        (|rates| rates.pass_at_1, |rates| rates.complete_at_1);
    vec![
        name.to_owned(),
        score.cases.to_string(),
        score.runs.to_string(),
        rate(score.in_sample, pass),
        rate(score.left_out, pass),
        rate(score.in_sample, complete),
        rate(score.left_out, complete),
        verdicts.false_passes.to_string(),
        verdicts.wrong_states.to_string(),
        verdicts.false_failures.to_string(),
        format!("{} of {}", verdicts.bugs_failed, verdicts.bug_runs),
        unasked(score),
        verdicts.blocked.to_string(),
        verdicts.errors.to_string(),
        format!("{:.1}", score.actions_per_run),
        format!("{:.1}", score.latency_ms.p50),
        format!("{:.1}", score.latency_ms.p95),
        format!("{:.1}", score.overhead_ms_per_step),
    ]
}

fn group_row(name: &str, score: &SuiteScore) -> Vec<String> {
    let kind = match (score.in_sample, score.left_out) {
        (Some(_), Some(_)) => "partly",
        (None, Some(_)) => "yes",
        _ => "no",
    };
    vec![
        name.to_owned(),
        score.clean_runs.to_string(),
        percent(score.rates.pass_at_1),
        percent(score.rates.complete_at_1),
        score.verdicts.false_failures.to_string(),
        unasked(score),
        kind.to_owned(),
    ]
}

/// Clean runs with a change that nobody asked for, and all such changes.
fn unasked(score: &SuiteScore) -> String {
    let counts = score.unasked_consequences;
    format!("{} in {} of {}", counts.total, counts.runs, score.clean_runs)
}

/// A share in per cent; a dash where there is none.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::super::file::Expected;
    use super::super::sample::{result, sent};
    use super::*;
    use crate::domain::Verdict;
    use crate::evaluation::Sample;

    #[test]
    fn every_row_has_a_cell_under_every_heading() {
        let mut left_out = result("b", "B-1", Expected::Passed, Verdict::Passed, true);
        left_out.setting.sample = Sample::LeftOut;
        left_out.truth.unasked = vec![sent()];
        left_out.setting.tags = vec!["op:create".into(), "smoke".into()];
        let report = SuiteReport::new(vec![result("a", "A-1", Expected::Passed, Verdict::Blocked, false), left_out]);
        let (suites, groups) = (report.suite_rows(), report.group_rows());
        assert!(suites.iter().all(|row| row.len() == SUITE_HEADINGS.len()), "{suites:?}");
        assert!(groups.iter().all(|row| row.len() == GROUP_HEADINGS.len()), "{groups:?}");
        let rates: Vec<(&str, &str, &str)> =
            suites.iter().map(|row| (row[0].as_str(), row[3].as_str(), row[4].as_str())).collect();
        assert_eq!(rates, [("a", "0.0 %", "–"), ("b", "–", "100.0 %"), ("all", "0.0 %", "100.0 %")]);
        assert_eq!(suites[1][11], "1 in 1 of 1");
        let names: Vec<&str> = groups.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names, ["goals", "en", "org.example.app", "op:create"], "a tag without a facet has no row");
        assert_eq!(groups[0][6], "partly");
    }
}
