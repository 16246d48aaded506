//! The end of several runs: counts, time, and a line for each that did not pass.

use super::words::{count, duration, plain_line};
use crate::domain::{RunResult, Verdict};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use std::path::Path;

const FAINT: Style = Style::new().dimmed();

/// Runs that are over.
#[derive(Debug, Clone, Copy)]
pub struct Tally<'r> {
    /// What came of them, in order.
    pub results: &'r [RunResult],
    /// How many were to be run.
    pub planned: usize,
    /// The folder of recordings and reports, as people should read it; `None` where none are kept.
    pub output: Option<&'r Path>,
}

impl Tally<'_> {
    /// The words, with styles; each line ends.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.planned > 1 {
            let verdicts = [Verdict::Passed, Verdict::Failed, Verdict::Blocked, Verdict::Error];
            let of = |verdict: Verdict| self.results.iter().filter(|result| result.verdict == verdict).count();
            let counts = verdicts.map(|verdict| format!("{} {verdict}", of(verdict))).join(", ");
            let took = duration(self.results.iter().map(|result| result.timings_ms.total).sum());
            let cases = count(self.results.len() as u64, "case");
            let _ = writeln!(text, "{cases} in {took}: {counts}");
            if self.results.len() < self.planned {
                let _ = writeln!(
                    text,
                    "stopped before the other {} of {}",
                    self.planned - self.results.len(),
                    self.planned
                );
            }
            for result in self.results.iter().filter(|result| result.verdict != Verdict::Passed) {
                let style = colour(result.verdict);
                let (verdict, id, reason) = (result.verdict.to_string(), &result.case_id, plain_line(&result.reason));
                let _ = writeln!(text, "  {style}{verdict:<7}{style:#} {id}  {reason}");
                if let Some(path) = self.report(result) {
                    let _ = writeln!(text, "          {FAINT}{path}{FAINT:#}");
                }
            }
        } else if let Some(path) = self.results.first().and_then(|only| self.report(only)) {
            let _ = writeln!(text, "  {FAINT}report {path}{FAINT:#}");
        }
        text
    }

    fn report(&self, result: &RunResult) -> Option<String> {
        let folder = self.output?.join(result.case_id.as_str()).join(result.run_id.as_str());
        Some(folder.join("report.html").display().to_string())
    }
}

const fn colour(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Passed => AnsiColor::Green,
        Verdict::Failed => AnsiColor::Red,
        Verdict::Blocked => AnsiColor::Yellow,
        Verdict::Error => AnsiColor::Magenta,
    };
    colour.on_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn told(results: &[RunResult], planned: usize) -> String {
        let text = Tally { results, planned, output: Some(Path::new("runs")) }.text();
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn what_did_not_pass_is_told_with_its_reason_and_report() {
        let failed = sample::result();
        let passed = RunResult { verdict: Verdict::Passed, reason: String::new(), ..sample::result() };
        let text = told(&[passed.clone(), failed], 3);
        assert_eq!(
            text,
            "2 cases in 4.2 s: 1 passed, 1 failed, 0 blocked, 0 error\n\
             stopped before the other 1 of 3\n  \
             failed  PAY-0142  1 of 2 expectations did not hold: visible: Card added\n          \
             runs/PAY-0142/0190aa/report.html\n"
        );
        assert_eq!(told(&[passed], 1), "  report runs/PAY-0142/0190aa/report.html\n");
        assert_eq!(told(&[], 1), "");
    }
}
