//! Whether what was expected and not seen is the app's fault: only where every step was surely carried out.

use crate::agent::{Confidence, StepOutcome};
use crate::domain::{ExpectationOutcome, Verdict};

/// How sure it is that the steps so far were carried out.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Number and text of each step that passed, the least sure part of it.
    steps: Vec<(usize, String, Confidence)>,
    /// What the app itself said it could not do.
    trouble: Option<String>,
}

impl Doubts {
    /// Notes how a step ended.
    pub(super) fn note(&mut self, index: usize, text: &str, outcome: &StepOutcome) {
        if outcome.verdict != Verdict::Passed {
            return;
        }
        if let Some(trouble) = &outcome.trouble {
            self.trouble = Some(trouble.clone());
        }
        let Some(confidence) = outcome.confidence.clone() else { return };
        match self.steps.iter_mut().find(|(known, ..)| *known == index) {
            Some((_, _, least)) if least.value > confidence.value => *least = confidence,
            Some(_) => {}
            None => self.steps.push((index, text.to_owned(), confidence)),
        }
    }

    /// How sure it is that a step was carried out.
    pub(super) fn of(&self, index: usize) -> Option<f32> {
        self.steps.iter().find(|(known, ..)| *known == index).map(|(_, _, confidence)| confidence.value)
    }

    /// Every step before this one was surely carried out.
    pub(super) fn none_before(&self, index: usize) -> bool {
        self.steps.iter().filter(|(known, ..)| *known < index).all(|(_, _, confidence)| confidence.is_sure())
    }

    /// A checking step that does not see what it names is blocked where it is not sure that those before it were carried
    /// out.
    pub(super) fn excuse(&self, outcome: StepOutcome) -> StepOutcome {
        match self.told().filter(|_| outcome.unseen) {
            Some(doubt) => {
                StepOutcome { verdict: Verdict::Blocked, reason: format!("{}, but {doubt}", outcome.reason), ..outcome }
            }
            None => outcome,
        }
    }

    /// What becomes of a case one of whose expectations does not hold.
    pub(super) fn judge(&self, unmet: &ExpectationOutcome) -> (Verdict, String) {
        let ExpectationOutcome { expectation, evidence, .. } = unmet;
        if let Some(doubt) = self.told() {
            (Verdict::Blocked, format!("expected {expectation} was not seen ({evidence}), but {doubt}"))
        } else {
            let trouble = self.trouble.as_ref().map(|trouble| format!("; {trouble}")).unwrap_or_default();
            (Verdict::Failed, format!("expected {expectation}: {evidence}{trouble}"))
        }
    }

    /// The least sure step, where one is not sure enough and the app did not say itself that something went wrong.
    fn told(&self) -> Option<String> {
        let unsure = self.steps.iter().filter(|(_, _, confidence)| !confidence.is_sure());
        let (index, text, Confidence { value, doubt, .. }) =
            unsure.filter(|_| self.trouble.is_none()).min_by(|a, b| a.2.value.total_cmp(&b.2.value))?;
        Some(format!("it is not sure that step {index} {text:?} was carried out (confidence {value:.2}: {doubt})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(value: f32) -> StepOutcome {
        let confidence = Some(Confidence { value, doubt: "little fits".into(), signs: None });
        StepOutcome { confidence, ..StepOutcome::new(Verdict::Passed, "") }
    }

    fn judged(outcomes: &[StepOutcome]) -> (Verdict, String) {
        let mut doubts = Doubts::default();
        for (at, outcome) in outcomes.iter().enumerate() {
            doubts.note(at + 1, &format!("do {}", at + 1), outcome);
        }
        let unmet = ExpectationOutcome { expectation: "visible: Sent".into(), held: false, evidence: "no".into() };
        doubts.judge(&unmet)
    }

    #[test]
    fn what_does_not_come_of_steps_that_were_surely_carried_out_has_failed() {
        assert_eq!(judged(&[passed(1.0), passed(1.0)]), (Verdict::Failed, "expected visible: Sent: no".into()));
        assert_eq!(judged(&[StepOutcome::new(Verdict::Passed, "")]).0, Verdict::Failed);
    }

    #[test]
    fn a_doubtful_step_blocks_and_is_named() {
        let (verdict, reason) = judged(&[passed(1.0), passed(0.01), passed(0.02)]);
        assert_eq!(verdict, Verdict::Blocked);
        let doubt = "it is not sure that step 2 \"do 2\" was carried out (confidence 0.01: little fits)";
        assert_eq!(reason, format!("expected visible: Sent was not seen (no), but {doubt}"));
    }

    #[test]
    fn what_the_app_says_itself_is_no_doubt() {
        let said = StepOutcome { trouble: Some("the app said \"Error\"".into()), ..passed(0.01) };
        assert_eq!(judged(&[said]), (Verdict::Failed, "expected visible: Sent: no; the app said \"Error\"".into()));
    }

    #[test]
    fn of_a_step_in_several_parts_the_least_sure_one_counts() {
        let mut doubts = Doubts::default();
        for value in [0.9, 0.2, 0.7] {
            doubts.note(1, "do", &passed(value));
        }
        assert_eq!(doubts.of(1), Some(0.2));
        assert_eq!(doubts.of(2), None);
    }

    #[test]
    fn a_check_after_a_doubtful_step_is_blocked_and_a_crash_is_not() {
        let mut doubts = Doubts::default();
        doubts.note(1, "do", &passed(0.01));
        let check = StepOutcome { unseen: true, ..StepOutcome::new(Verdict::Failed, "not there") };
        assert_eq!(doubts.excuse(check.clone()).verdict, Verdict::Blocked);
        assert_eq!(doubts.excuse(StepOutcome { unseen: false, ..check.clone() }).verdict, Verdict::Failed);
        assert_eq!(Doubts::default().excuse(check).verdict, Verdict::Failed);
    }
}
