//! What a case expects and its app shows before anything is done: that it holds at the end proves nothing.

use super::executor::Run;
use super::expected::told;
use super::plan::PlannedCase;
use crate::device::Seen;
use crate::domain::ExpectationOutcome;
use crate::witness;

/// The end of the evidence of an expectation that held before the first action.
pub const ALREADY_TRUE: &str = "already true at the start: proves nothing";

/// What held before the first action.
#[derive(Debug, Default)]
pub(super) struct Early {
    /// Expectations in words.
    held: Vec<String>,
    /// All that was checked at the end had held before the first action.
    all: bool,
}

impl Early {
    /// Marks what held at the start and still holds.
    pub(super) fn mark(&mut self, outcomes: Vec<ExpectationOutcome>) -> Vec<ExpectationOutcome> {
        let early = |outcome: &ExpectationOutcome| outcome.held && self.held.contains(&outcome.expectation);
        self.all = !outcomes.is_empty() && outcomes.iter().all(early);
        let marked = outcomes.into_iter().map(|outcome| {
            let evidence = match outcome.evidence.as_str() {
                _ if !early(&outcome) => outcome.evidence.clone(),
                "" => ALREADY_TRUE.to_owned(),
                seen => format!("{seen}; {ALREADY_TRUE}"),
            };
            ExpectationOutcome { evidence, ..outcome }
        });
        marked.collect()
    }

    /// True if all that was checked at the end had held before the first action.
    pub(super) const fn all_held_at_start(&self) -> bool {
        self.all
    }

    /// The reason of a run that passed: a pass that proves nothing says so.
    pub(super) fn told(&self, reason: String) -> String {
        if !self.all {
            return reason;
        }
        let warning = "passed, but everything expected at the end was already true at the start, which proves nothing";
        if reason.is_empty() { warning.to_owned() } else { format!("{warning}; {reason}") }
    }
}

impl Run<'_> {
    /// Notes which expectations hold on the first screen, in the words they are judged in.
    pub(super) fn note_what_holds_already(&mut self, case: &PlannedCase, seen: &Seen) {
        let translated = self.context.connected.language.bridge().map(|bridge| case.in_own_words(&bridge));
        let case = translated.as_ref().unwrap_or(case);
        let holds = told(case).filter(|wanted| witness::expect(wanted, &case.secrets, &seen.screen).held);
        self.early.held = holds.map(ToString::to_string).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(expectation: &str, held: bool) -> ExpectationOutcome {
        let evidence = if held { "seen".to_owned() } else { "not seen".to_owned() };
        ExpectationOutcome { expectation: expectation.to_owned(), held, evidence, contradicted: false }
    }

    #[test]
    fn what_held_at_the_start_is_told_and_a_pass_of_nothing_else_says_so() {
        for (held, outcomes, marked, reason) in [
            (vec!["absent: Error"], vec![("visible: Done", true), ("absent: Error", true)], 1, ""),
            (vec!["absent: Error"], vec![("absent: Error", true)], 1, "which proves nothing"),
            (vec!["absent: Error"], vec![("absent: Error", false)], 0, ""),
            (vec![], vec![("visible: Done", true)], 0, ""),
            (vec!["visible: Done"], vec![], 0, ""),
        ] {
            let mut early = Early { held: held.iter().map(|text| (*text).to_owned()).collect(), all: false };
            let outcomes = early.mark(outcomes.into_iter().map(|(text, held)| outcome(text, held)).collect());
            let told = outcomes.iter().filter(|outcome| outcome.evidence.ends_with(ALREADY_TRUE)).count();
            assert_eq!(told, marked, "{outcomes:?}");
            assert!(early.told(String::new()).ends_with(reason), "{outcomes:?}");
            assert_eq!(early.told(String::new()).is_empty(), reason.is_empty());
        }
    }
}
