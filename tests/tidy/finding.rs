//! What a rule found, and the exceptions made from rules.

/// A broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The rule's short name.
    pub(crate) rule: &'static str,
    /// The file, relative to the repository.
    pub(crate) path: String,
    /// Counted from 1; 0 for the file as a whole.
    pub(crate) line: usize,
    /// What is wrong and what to do instead.
    pub(crate) message: String,
}

/// Findings that may stay.
pub(crate) struct Exception {
    /// The file.
    pub(crate) path: &'static str,
    /// The rule.
    pub(crate) rule: &'static str,
    /// Exactly how many findings.
    pub(crate) count: usize,
    /// Why they may stay.
    pub(crate) reason: &'static str,
}

/// Findings as lines to read.
pub(crate) fn lines(findings: &[Finding]) -> String {
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(finding: &Finding) -> String {
    format!("{}:{}: [{}] {}", finding.path, finding.line, finding.rule, finding.message)
}

/// The findings no exception covers. A file with more findings than its exception allows shows all of them.
pub(crate) fn complaints(findings: &[Finding], exceptions: &[Exception]) -> Vec<String> {
    let allowed = |finding: &Finding| {
        let count = findings.iter().filter(|other| other.path == finding.path && other.rule == finding.rule).count();
        exceptions.iter().any(|exception| covers(exception, finding) && count <= exception.count)
    };
    findings.iter().filter(|finding| !allowed(finding)).map(line).collect()
}

/// Exceptions that allow more than there is.
pub(crate) fn stale(findings: &[Finding], exceptions: &[Exception]) -> Vec<String> {
    exceptions
        .iter()
        .filter_map(|exception| {
            let count = findings.iter().filter(|finding| covers(exception, finding)).count();
            (count < exception.count).then(|| {
                format!(
                    "{} [{}] allows {} ({}) but there are {count}: lower or remove it",
                    exception.path, exception.rule, exception.count, exception.reason
                )
            })
        })
        .collect()
}

fn covers(exception: &Exception, finding: &Finding) -> bool {
    exception.path == finding.path && exception.rule == finding.rule
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Finding> {
        let at = |line| Finding { rule: "panic", path: "src/a.rs".into(), line, message: String::new() };
        vec![at(1), at(2)]
    }

    fn allow(count: usize) -> [Exception; 1] {
        [Exception { path: "src/a.rs", rule: "panic", count, reason: "a test" }]
    }

    #[test]
    fn an_exception_covers_its_number_of_findings_and_not_one_more() {
        assert!(complaints(&two(), &allow(2)).is_empty());
        assert_eq!(complaints(&two(), &allow(1)).len(), 2);
        assert_eq!(complaints(&two(), &[]).len(), 2);
    }

    #[test]
    fn an_exception_for_more_than_there_is_is_stale() {
        assert!(stale(&two(), &allow(2)).is_empty());
        assert_eq!(stale(&two(), &allow(3)).len(), 1);
    }
}
