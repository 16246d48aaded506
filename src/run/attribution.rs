//! Whose fault it is that a case on one device did not pass: its evidence, judged by the model of faults.

use super::doubts::{Doubts, Sight};
use super::early::ALREADY_TRUE;
use super::executor::{Checked, Outcome, Run};
use super::plan::PlannedCase;
use crate::device::Seen;
use crate::domain::{Attribution, Expectation, ExpectationOutcome, Verdict, words};
use crate::pipeline::{Evidence, ExpectationEvidence, FaultModel, Journal, StepOutcome};
use crate::witness;
use std::collections::BTreeSet;

/// What is known of a case that did not pass.
#[derive(Clone, Copy)]
pub(super) struct Account<'a> {
    /// The case.
    pub case: &'a PlannedCase,
    /// Its clauses.
    pub planned: usize,
    /// What was done.
    pub journal: &'a Journal,
    /// The last screen.
    pub seen: &'a Seen,
    /// Judges it.
    pub faults: &'a FaultModel,
}

impl Account<'_> {
    /// The probability that the app is at fault, after a clause that could not be carried out or, where `stopped` is false, after
    /// what is expected did not come.
    fn judge(&self, stopped: bool, borne_out: bool, outcomes: &[ExpectationOutcome]) -> Attribution {
        let expected = expectation_evidence(outcomes, &self.case.expectations, self.seen);
        self.faults.judge(&Evidence {
            journal: self.journal,
            planned: self.planned,
            stopped,
            left_out: self.left_out().is_some(),
            borne_out,
            expected: &expected,
        })
    }

    /// Why it may not be the app's fault: a parameter that was left out.
    fn left_out(&self) -> Option<String> {
        self.journal.left_out(&self.case.parameters).next().map(told)
    }

    /// The same of a parameter that a step mentions; others may be of no use to the case.
    pub(super) fn mentioned_and_left_out(&self) -> Option<String> {
        let mentioned = |name: &str| self.case.steps.iter().any(|step| step.mentions.iter().any(|other| other == name));
        self.journal.left_out(&self.case.parameters).find(|(name, _)| mentioned(name)).map(told)
    }
}

fn told((name, value): (&str, &str)) -> String {
    format!("the parameter {name:?} ({value:?}) was neither entered nor chosen, nor seen on any page")
}

impl Run<'_> {
    /// A clause that could not be carried out, or a check that does not see what it names: *failed* where it is likely the app's
    /// fault, else *blocked*.
    pub(super) fn attribute_step(&self, account: &Account<'_>, outcome: StepOutcome) -> StepOutcome {
        let unseen = outcome.verdict == Verdict::Failed && outcome.unseen;
        let borne_out = self.doubts.told(&Sight::default()).is_none();
        // What a step checks and the screen lacks after steps that leave no doubt is the app's fault.
        if outcome.verdict != Verdict::Blocked && !(unseen && !borne_out) {
            return outcome;
        }
        let PlannedCase { expectations, secrets, .. } = account.case;
        let seen = expectations.iter().map(|wanted| witness::expect(wanted, secrets, &account.seen.screen));
        let outcomes = self.early.mark("", seen.collect());
        let attribution = account.judge(true, borne_out, &outcomes);
        let (verdict, told) = if attribution.is_fault() {
            (Verdict::Failed, in_words(&attribution))
        } else {
            (Verdict::Blocked, self.doubts.with_doubt(account.left_out(), &Sight::default(), &attribution))
        };
        let waiting = outcomes.iter().find(|one| account.case.is_goal && !one.held);
        let waiting = waiting.map(|one| format!(", still waiting for {}", one.expectation)).unwrap_or_default();
        let reason = format!("{}{waiting}; {told}", outcome.reason);
        StepOutcome { verdict, reason, unseen: false, attribution: Some(attribution), ..outcome }
    }

    /// What becomes of a case on one device, by what came of what it expects.
    pub(super) fn conclude(&mut self, account: &Account<'_>, outcomes: Vec<ExpectationOutcome>) -> Outcome {
        let Checked { outcomes, sight } = self.checked(outcomes, &[&account.seen.screen]);
        let Some(unmet) = outcomes.iter().find(|outcome| !outcome.held) else {
            return Outcome::new(Verdict::Passed, "");
        };
        // After steps that leave no doubt, or an error that the app told itself, nothing is left to weigh.
        if self.doubts.told(&sight).is_none() && account.left_out().is_none() {
            let (verdict, reason) = self.doubts.judge(unmet, &sight);
            return Outcome::new(verdict, reason);
        }
        let attribution = account.judge(false, false, &outcomes);
        let ExpectationOutcome { expectation, evidence, .. } = unmet;
        let (verdict, reason) = if attribution.is_fault() {
            (Verdict::Failed, format!("expected {expectation}: {evidence}; {}", in_words(&attribution)))
        } else {
            let doubt = self.doubts.with_doubt(account.left_out(), &sight, &attribution);
            (Verdict::Blocked, format!("expected {expectation} was not seen ({evidence}); {doubt}"))
        };
        Outcome { attribution: Some(attribution), ..Outcome::new(verdict, reason) }
    }
}

impl Doubts {
    /// Why what happened is not called the app's fault, in words.
    fn with_doubt(&self, left_out: Option<String>, sight: &Sight, attribution: &Attribution) -> String {
        match left_out.or_else(|| self.told(sight)) {
            Some(doubt) => format!("{}: {doubt}", in_words(attribution)),
            None => in_words(attribution),
        }
    }
}

fn in_words(attribution: &Attribution) -> String {
    format!("probability that the app is at fault: {:.2}", attribution.probability)
}

/// What the last screen shows of what is expected. `outcomes` are marked where they held from the start.
fn expectation_evidence(
    outcomes: &[ExpectationOutcome],
    expectations: &[Expectation],
    seen: &Seen,
) -> ExpectationEvidence {
    let wordings: Vec<&str> = seen.screen.wordings().collect();
    let shown: BTreeSet<String> =
        wordings.iter().flat_map(|text| words(text)).map(|word| word.to_lowercase()).collect();
    let count = outcomes.len();
    let share = |counts: &dyn Fn(&ExpectationOutcome) -> bool| {
        outcomes.iter().filter(|one| counts(one)).count() as f32 / count.max(1) as f32
    };
    let missing = || expectations.iter().zip(outcomes).filter(|(_, outcome)| !outcome.held);
    let there = |text: &str| {
        let words = words(text);
        let known = words.iter().filter(|word| shown.contains(&word.to_lowercase())).count();
        known as f32 / words.len().max(1) as f32
    };
    ExpectationEvidence {
        held: share(&|one| one.held),
        new: share(&|one| one.held && !one.evidence.ends_with(ALREADY_TRUE)),
        contradicted: share(&|one| one.contradicted),
        other_numbers: outcomes.iter().any(|one| one.counterpart(wordings.iter().copied()).is_some()),
        missing: missing().count(),
        words_there: missing().filter_map(|(wanted, _)| wanted.text_to_see()).map(there).fold(0.0, f32::max),
        all: count,
        page_missing: missing().any(|(wanted, _)| matches!(wanted, Expectation::Screen(_))),
        not_gone: missing().any(|(wanted, _)| matches!(wanted, Expectation::Absent(_))),
    }
}
