//! What a case expects and its app shows before anything is done: that it holds at the end proves nothing.

use crate::device::Seen;
use crate::domain::{Expectation, ExpectationOutcome, Secret};
use crate::witness;
use std::collections::{BTreeMap, BTreeSet};

/// The end of the evidence of an expectation that held before the first action.
pub const ALREADY_TRUE: &str = "already true at the start: proves nothing";

/// What held before the first action.
#[derive(Debug, Default)]
pub(super) struct Early {
    /// Expectations in words, each with the actor on whose device it held; on one device under the empty name.
    held: BTreeSet<(String, String)>,
    /// All that was checked at the end had held before the first action.
    all: bool,
}

impl Early {
    /// Notes which expectations hold on the first screen of an actor's device.
    pub(super) fn note<'e>(
        &mut self,
        actor: &str,
        expectations: impl IntoIterator<Item = &'e Expectation>,
        secrets: &BTreeMap<String, Secret>,
        seen: &Seen,
    ) {
        let told = expectations.into_iter().filter(|wanted| wanted.is_told_by_hierarchy());
        let holds = told.filter(|wanted| witness::expect(wanted, secrets, &seen.screen).held);
        self.held.extend(holds.map(|wanted| (actor.to_owned(), wanted.to_string())));
    }

    /// Marks what held at the start on an actor's device and still holds.
    pub(super) fn mark(&self, actor: &str, outcomes: Vec<ExpectationOutcome>) -> Vec<ExpectationOutcome> {
        let marked = outcomes.into_iter().map(|outcome| {
            if !outcome.held || !self.held.contains(&(actor.to_owned(), outcome.expectation.clone())) {
                return outcome;
            }
            let evidence = match outcome.evidence.as_str() {
                "" => ALREADY_TRUE.to_owned(),
                seen => format!("{seen}; {ALREADY_TRUE}"),
            };
            ExpectationOutcome { evidence, ..outcome }
        });
        marked.collect()
    }

    /// Weighs all that was checked at the end, marked before.
    pub(super) fn weigh(&mut self, outcomes: &[ExpectationOutcome]) {
        let early = |outcome: &ExpectationOutcome| outcome.held && outcome.evidence.ends_with(ALREADY_TRUE);
        self.all = !outcomes.is_empty() && outcomes.iter().all(early);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(expectation: &str, held: bool) -> ExpectationOutcome {
        let evidence = if held { "seen".to_owned() } else { "not seen".to_owned() };
        ExpectationOutcome { expectation: expectation.to_owned(), held, evidence, contradicted: false }
    }

    fn early(held: &[(&str, &str)]) -> Early {
        let held = held.iter().map(|(actor, text)| ((*actor).to_owned(), (*text).to_owned())).collect();
        Early { held, all: false }
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
            let held: Vec<(&str, &str)> = held.into_iter().map(|text| ("", text)).collect();
            let mut early = early(&held);
            let outcomes = early.mark("", outcomes.into_iter().map(|(text, held)| outcome(text, held)).collect());
            early.weigh(&outcomes);
            let told = outcomes.iter().filter(|outcome| outcome.evidence.ends_with(ALREADY_TRUE)).count();
            assert_eq!(told, marked, "{outcomes:?}");
            assert!(early.told(String::new()).ends_with(reason), "{outcomes:?}");
            assert_eq!(early.told(String::new()).is_empty(), reason.is_empty());
        }
    }

    #[test]
    fn what_held_on_one_actors_device_proves_something_on_another_ones() {
        let mut early = early(&[("cook", "absent: Error")]);
        let mut outcomes = early.mark("cook", vec![outcome("absent: Error", true)]);
        early.weigh(&outcomes);
        assert!(early.all_held_at_start());
        outcomes.extend(early.mark("waiter", vec![outcome("absent: Error", true)]));
        early.weigh(&outcomes);
        assert!(!early.all_held_at_start());
        assert_eq!(outcomes.iter().filter(|outcome| outcome.evidence.ends_with(ALREADY_TRUE)).count(), 1);
    }
}
