//! The report as a Markdown page.

use super::ending::Ending;
use super::ending::RunReport;
use super::report::SuiteReport;
use super::table::{GROUP_HEADINGS, SUITE_HEADINGS, percent};
use super::truth::Unasked;
use std::fmt::Write as _;

/// Writes the report for people: the table of suites, the prompts, and every run that is not as it has to be.
pub fn page(report: &SuiteReport) -> String {
    let mut page = String::from("# Suites\n\n");
    table(&mut page, &SUITE_HEADINGS, &report.suite_rows());
    page.push_str("\n## Clean runs by group\n\n");
    table(&mut page, &GROUP_HEADINGS, &report.group_rows());
    if let Some(fuzz) = &report.fuzz {
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
        let setting = &result.setting;
        let switches =
            if setting.switches.is_empty() { String::new() } else { format!(", {}", setting.switches.join(" ")) };
        let variant =
            setting.variant.as_ref().map_or_else(String::new, |variant| format!(", variant {}", variant.seed));
        put(
            &mut page,
            &format!(
                "- **{}** ({}{switches}, seed {}{variant}): {}; {} in place of {}, {} of {} steps right: {}{}\n",
                setting.case,
                setting.device,
                setting.seed,
                result.ending.word(),
                result.verdict,
                result.expected,
                result.truth.steps_right,
                result.steps_total,
                result.reason.replace('\n', " "),
                if result.truth.end_differs.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", result.truth.end_differs)
                },
            ),
        );
    }
    let hasty: Vec<_> = report.results.iter().filter(|result| !result.truth.unasked.is_empty()).collect();
    if !hasty.is_empty() {
        page.push_str("\n## Consequences nobody asked for\n\n");
    }
    for result in hasty {
        put(&mut page, &format!("- **{}** ({}): {}\n", result.setting.case, result.setting.device, told(result)));
    }
    page
}

fn table(page: &mut String, headings: &[&str], rows: &[Vec<String>]) {
    put(page, &format!("| {} |\n|---|{}\n", headings.join(" | "), "--:|".repeat(headings.len().saturating_sub(1))));
    for row in rows {
        put(page, &format!("| {} |\n", row.join(" | ")));
    }
}

/// What nobody asked for, in one line.
fn told(result: &RunReport) -> String {
    let one = |unasked: &Unasked| format!("{:?} by {} in step {}", unasked.effect, unasked.action, unasked.step);
    result.truth.unasked.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn put(page: &mut String, text: &str) {
    // Writing into a string cannot fail.
    let _written = page.write_str(text);
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
        assert!(page.contains("| a | 2 | 2 | 50.0 % | – |"), "{page}");
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
