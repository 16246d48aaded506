//! Reads what `cargo test` prints: counts, and which passing tests said that they skipped something. Pure.

use std::fmt;

/// Counts over all test binaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Summary {
    /// Test binaries that came to their end.
    pub(crate) binaries: u64,
    /// Passed, without those that skipped.
    pub(crate) passed: u64,
    /// Failed.
    pub(crate) failed: u64,
    /// Ignored, or ended early because this machine lacks something (the test printed a line that begins with "skip").
    pub(crate) skipped: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Follows the output of `cargo test -- --show-output` line by line. Passing tests' output is swallowed again, but for
/// the reasons of those that skipped: libtest counts them as passed, we do not.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    summary: Summary,
    in_successes: bool,
    current: String,
    skipped: Vec<String>,
}

impl Reader {
    /// Takes one line without its end; gives back what a person should see of it.
    pub(crate) fn line(&mut self, line: &str) -> Option<String> {
        if let Some(counts) = parse_result(line) {
            let skipped = std::mem::take(&mut self.skipped).len() as u64;
            self.in_successes = false;
            self.summary.binaries += 1;
            self.summary.passed += counts.passed.saturating_sub(skipped);
            self.summary.failed += counts.failed;
            self.summary.skipped += counts.skipped + skipped;
            return Some(line.to_owned());
        }
        match line {
            "successes:" => self.in_successes = true,
            "failures:" => self.in_successes = false,
            _ if self.in_successes => return self.success_line(line),
            _ => {}
        }
        (!self.in_successes).then(|| line.to_owned())
    }

    fn success_line(&mut self, line: &str) -> Option<String> {
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            name.clone_into(&mut self.current);
            return None;
        }
        let says_skip = line.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("skip"));
        if !says_skip || self.skipped.contains(&self.current) {
            return None;
        }
        self.skipped.push(self.current.clone());
        Some(format!("skipped {}: {}", self.current, line.trim()))
    }

    /// The counts so far.
    pub(crate) const fn summary(&self) -> Summary {
        self.summary
    }
}

/// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; …`; `None` for any other line.
fn parse_result(line: &str) -> Option<Summary> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count =
        |word: &str| counts.split(';').find_map(|part| part.trim().strip_suffix(word)?.trim_end().parse::<u64>().ok());
    Some(Summary { binaries: 1, passed: count("passed")?, failed: count("failed")?, skipped: count("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> (Summary, Vec<String>) {
        let mut reader = Reader::default();
        let shown = output.lines().filter_map(|line| reader.line(line)).collect();
        (reader.summary(), shown)
    }

    #[test]
    fn a_result_line_gives_its_counts_and_nothing_else_does() {
        let line = "test result: FAILED. 12 passed; 2 failed; 3 ignored; 0 measured; 7 filtered out; finished in 0.05s";
        assert_eq!(parse_result(line), Some(Summary { binaries: 1, passed: 12, failed: 2, skipped: 3 }));
        assert_eq!(parse_result("test parses_a_result ... ok"), None);
        assert_eq!(parse_result("test result: ok. nonsense"), None);
    }

    #[test]
    fn counts_add_up_over_binaries() {
        let (summary, _) = read(
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!(summary, Summary { binaries: 2, passed: 5, failed: 0, skipped: 1 });
        assert_eq!(summary.to_string(), "5 passed, 0 failed");
    }

    #[test]
    fn a_test_that_says_it_skipped_is_not_counted_as_passed() {
        let (summary, shown) = read(
            "test a ... ok\n\nsuccesses:\n\n---- a stdout ----\nskipped: no second adb here\nskipped again\n\n\
             ---- b stdout ----\nnoise\n\n\nsuccesses:\n    a\n    b\n\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!(summary, Summary { binaries: 1, passed: 1, failed: 0, skipped: 1 });
        assert!(shown.contains(&"skipped a: skipped: no second adb here".to_owned()), "{shown:?}");
        assert!(!shown.iter().any(|line| line.contains("noise")), "{shown:?}");
    }

    #[test]
    fn a_failing_tests_output_is_shown_in_full() {
        let (summary, shown) = read(
            "successes:\n\nsuccesses:\n    a\n\nfailures:\n\n---- b stdout ----\nskip is only a word here\nleft: 1\n\n\
             failures:\n    b\n\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!(summary, Summary { binaries: 1, passed: 1, failed: 1, skipped: 0 });
        assert!(shown.contains(&"left: 1".to_owned()), "{shown:?}");
    }
}
