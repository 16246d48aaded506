//! The report as a Markdown page.

use super::ending::Ending;
use super::report::{SuiteReport, SuiteScore};
use std::fmt::Write as _;

/// Writes the report for people: the table of suites, the prompts, and every run that is not as it has to be.
pub fn page(report: &SuiteReport) -> String {
    let mut page = String::from("# Suites\n\n");
    page.push_str(
        "| suite | cases | runs | Pass@1 | Complete@1 | false passes | false failures | bugs failed | blocked | errors | actions a \
         run | decision ms p50 | p95 | overhead ms a step |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (name, score) in &report.by_suite {
        row(&mut page, name, score);
    }
    row(&mut page, "all", &report.total);
    if let Some(fuzz) = &report.fuzz {
        for (name, score) in &fuzz.by_suite {
            row(&mut page, &format!("{name}, variants"), score);
        }
        row(&mut page, "all variants", &fuzz.score);
        let last = fuzz.seed.wrapping_add(fuzz.variants.saturating_sub(1));
        let runs = fuzz.results.len();
        put(
            &mut page,
            &format!(
                "\n## Variants\n\n{} of {runs} variants (seeds {} to {last}) ended as without the changes.\n\n| change | \
                 variants | ended the same |\n|---|--:|--:|\n",
                fuzz.kept, fuzz.seed
            ),
        );
        for (change, told) in &fuzz.by_change {
            put(&mut page, &format!("| {change} | {} | {} |\n", told.runs, told.kept));
        }
    }
    if !report.prompts.is_empty() {
        page.push_str(
            "\n## Prompts\n\n| case | runs | success | subtasks | regenerations | model invocations | screen not used | progress \
             lost | false positives | context exceeded | different ways |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for prompt in &report.prompts {
            put(
                &mut page,
                &format!(
                    "| {} | {} | {} | {} | {} | {} | {} | {} | {} | not applicable | {} |\n",
                    prompt.case,
                    prompt.runs,
                    percent(prompt.success_rate),
                    percent(prompt.subtasks_completed),
                    prompt.regenerations,
                    prompt.model_invocations,
                    prompt.screen_not_used,
                    prompt.progress_lost,
                    prompt.false_positives,
                    prompt.different_ways
                ),
            );
        }
    }
    let variants = report.fuzz.iter().flat_map(|fuzz| &fuzz.results);
    let wrong: Vec<_> = report.results.iter().chain(variants).filter(|result| result.ending != Ending::Right).collect();
    if !wrong.is_empty() {
        page.push_str("\n## Runs that did not end as they have to\n\n");
    }
    for result in wrong {
        let switches =
            if result.switches.is_empty() { String::new() } else { format!(", {}", result.switches.join(" ")) };
        let variant = result.variant.as_ref().map_or_else(String::new, |variant| format!(", variant {}", variant.seed));
        put(
            &mut page,
            &format!(
                "- **{}** ({}{switches}, seed {}{variant}): {}; {} in place of {}, {} of {} steps: {}\n",
                result.case,
                result.device,
                result.seed,
                result.ending.word(),
                result.verdict,
                result.expected,
                result.steps_passed(),
                result.steps_total,
                result.reason.replace('\n', " ")
            ),
        );
    }
    page
}

fn row(page: &mut String, name: &str, score: &SuiteScore) {
    put(
        page,
        &format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} of {} | {} | {} | {} | {} | {} | {} |\n",
            score.cases,
            score.runs,
            percent(score.pass_at_1),
            percent(score.complete_at_1),
            score.false_passes,
            score.false_failures,
            score.bugs_failed,
            score.bug_runs,
            score.blocked,
            score.errors,
            score.actions_per_run,
            score.latency_ms.p50,
            score.latency_ms.p95,
            score.overhead_ms_per_step
        ),
    );
}

fn put(page: &mut String, text: &str) {
    // Writing into a string cannot fail.
    let _written = page.write_str(text);
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::super::file::Expected;
    use super::super::sample::result;
    use super::*;
    use crate::domain::Verdict;

    #[test]
    fn the_page_shows_every_suite_and_every_wrong_run() {
        let report = SuiteReport::new(vec![
            result("a", "A-1", Expected::Passed, Verdict::Passed, true),
            result("a", "A-2", Expected::Passed, Verdict::Failed, false),
        ]);
        let page = page(&report);
        assert!(page.contains("| a | 2 | 2 | 50.0 % |"), "{page}");
        assert!(page.contains("**A-2**") && page.contains("FALSE FAILURE") && page.contains("a reason"), "{page}");
        assert!(!page.contains("**A-1**"), "{page}");
    }

    #[test]
    fn a_prompt_has_a_cell_under_every_heading() {
        let report = SuiteReport::new(vec![result("k", "K-1", Expected::Passed, Verdict::Passed, true)]);
        let page = page(&report);
        let cells = |start: &str| -> Vec<String> {
            let line = page.lines().rfind(|line| line.starts_with(start));
            line.map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).unwrap_or_default()
        };
        let (heads, prompt) = (cells("| case | runs"), cells("| K-1 |"));
        assert_eq!(heads.len(), prompt.len(), "{page}");
        let under = |head: &str| prompt[heads.iter().position(|other| other == head).unwrap()].as_str();
        assert_eq!((under("success"), under("different ways")), ("100.0 %", "1"));
        assert_eq!(under("context exceeded"), "not applicable", "there is no context to exceed");
    }
}
