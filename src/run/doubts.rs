//! Whether what was expected and not seen is the app's fault: only where every step was surely carried out.
//!
//! A step is surely carried out where its own words and the screen's left no doubt. One that was weighed is borne out by what
//! comes after it: a later step's own control, or something else that the case expects, which no screen had shown before.

use crate::domain::{ExpectationOutcome, Verdict};
use crate::pipeline::{Confidence, Corroboration, StepOutcome};

/// What is known of a step that passed, or of a part of it.
#[derive(Debug)]
struct Passed {
    /// Its number.
    index: usize,
    /// What it says.
    text: String,
    /// Who did it; empty on one device.
    actor: String,
    /// How sure it is.
    confidence: Confidence,
    /// What it began with and what it found.
    trail: Corroboration,
}

/// What the last screen shows of what was expected.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// Texts that were expected and are there.
    pub seen: Vec<String>,
    /// Texts that are there with other numbers than expected.
    pub near: Vec<String>,
}

/// How sure it is that the steps so far were carried out.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// What passed, in order.
    parts: Vec<Passed>,
    /// What the app itself said it could not do.
    trouble: Option<String>,
}

impl Doubts {
    /// Notes how a step ended, and who did it.
    pub(super) fn note(&mut self, index: usize, text: &str, actor: &str, outcome: &StepOutcome) {
        if outcome.verdict != Verdict::Passed {
            return;
        }
        if let Some(trouble) = &outcome.app_error {
            self.trouble = Some(trouble.clone());
        }
        let Some(confidence) = outcome.confidence.clone() else { return };
        let (text, actor, trail) = (text.to_owned(), actor.to_owned(), outcome.corroboration.clone());
        self.parts.push(Passed { index, text, actor, confidence, trail });
    }

    /// How sure it is that a step was carried out.
    pub(super) fn of(&self, index: usize) -> Option<f32> {
        let own = self.parts.iter().filter(|known| known.index == index);
        own.map(|known| known.confidence.value).min_by(f32::total_cmp)
    }

    /// Every step before this one was surely carried out.
    pub(super) fn none_before(&self, index: usize) -> bool {
        let mut before = self.parts.iter().enumerate().filter(|(_, known)| known.index < index);
        before.all(|(at, _)| self.is_sure(at, &Sight::default()))
    }

    /// A checking step that does not see what it names is blocked where it is not sure that those before it were carried
    /// out.
    pub(super) fn excuse(&self, outcome: StepOutcome) -> StepOutcome {
        match self.told(&Sight::default()).filter(|_| outcome.unseen) {
            Some(doubt) => {
                StepOutcome { verdict: Verdict::Blocked, reason: format!("{}, but {doubt}", outcome.reason), ..outcome }
            }
            None => outcome,
        }
    }

    /// What becomes of a case one of whose expectations does not hold. `sight` is what else was expected, and stands there.
    pub(super) fn judge(&self, unmet: &ExpectationOutcome, sight: &Sight) -> (Verdict, String) {
        let ExpectationOutcome { expectation, evidence, .. } = unmet;
        if let Some(doubt) = self.told(sight) {
            (Verdict::Blocked, format!("expected {expectation} was not seen ({evidence}), but {doubt}"))
        } else {
            let new = |trouble: &&String| {
                trouble
                    .split_once("the app said ")
                    .is_none_or(|(_, said)| !evidence.ends_with(&format!("the app said {said}")))
            };
            let trouble = self.trouble.as_ref().filter(new).map(|trouble| format!("; {trouble}")).unwrap_or_default();
            (Verdict::Failed, format!("expected {expectation}: {evidence}{trouble}"))
        }
    }

    /// The part was surely carried out: by itself, or what came after it bears it out.
    fn is_sure(&self, at: usize, sight: &Sight) -> bool {
        let Some(Passed { actor, confidence, .. }) = self.parts.get(at) else { return false };
        if confidence.is_sure() {
            return true;
        }
        if !confidence.is_likely() {
            return false;
        }
        let own = |known: &&Passed| known.actor == *actor;
        let (earlier, later) = self.parts.split_at(at + 1);
        let new = |text: &String| !earlier.iter().filter(own).any(|known| known.trail.showed(text));
        let given = |text: &String| {
            let text = text.to_lowercase();
            self.parts.iter().flat_map(|known| &known.trail.given).any(|given| {
                let given = given.to_lowercase();
                !given.is_empty() && (text == given || given.contains(&text))
            })
        };
        later.iter().filter(own).flat_map(|known| &known.trail.found).any(new)
            || sight.seen.iter().any(|text| new(text) && !given(text))
            // Which numbers come of it hangs on what was chosen before: only the last part is borne out by other numbers.
            || later.is_empty() && sight.near.iter().any(new)
    }

    /// The least sure step, where one is not sure enough and the app did not say itself that something went wrong.
    pub(super) fn told(&self, sight: &Sight) -> Option<String> {
        let unsure = (0..self.parts.len()).filter(|at| self.trouble.is_none() && !self.is_sure(*at, sight));
        let least = |one: &&Passed, other: &&Passed| one.confidence.value.total_cmp(&other.confidence.value);
        let Passed { index, text, confidence, .. } = unsure.filter_map(|at| self.parts.get(at)).min_by(least)?;
        let Confidence { value, doubt, .. } = confidence;
        Some(format!("it is not sure that step {index} {text:?} was carried out (confidence {value:.2}: {doubt})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(value: f32) -> StepOutcome {
        let confidence = Some(Confidence { value, doubt: "little fits".into(), unmet: false });
        StepOutcome { confidence, ..StepOutcome::new(Verdict::Passed, "") }
    }

    fn judged(outcomes: &[StepOutcome]) -> (Verdict, String) {
        let mut doubts = Doubts::default();
        for (at, outcome) in outcomes.iter().enumerate() {
            doubts.note(at + 1, &format!("do {}", at + 1), "", outcome);
        }
        let unmet = ExpectationOutcome {
            expectation: "visible: Sent".into(),
            held: false,
            evidence: "no".into(),
            contradicted: false,
        };
        doubts.judge(&unmet, &Sight::default())
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
        let said = StepOutcome { app_error: Some("the app said \"Error\"".into()), ..passed(0.01) };
        assert_eq!(judged(&[said]), (Verdict::Failed, "expected visible: Sent: no; the app said \"Error\"".into()));
    }

    #[test]
    fn of_a_step_in_several_parts_the_least_sure_one_counts() {
        let mut doubts = Doubts::default();
        for value in [0.9, 0.2, 0.7] {
            doubts.note(1, "do", "", &passed(value));
        }
        assert_eq!(doubts.of(1), Some(0.2));
        assert_eq!(doubts.of(2), None);
    }

    fn trail(shown: &[&str], found: &[&str], given: &[&str]) -> Corroboration {
        let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Corroboration { shown: all(shown).into_iter().collect(), found: all(found), given: all(given) }
    }

    fn likely(value: f32, corroboration: Corroboration) -> StepOutcome {
        StepOutcome { corroboration, ..passed(value) }
    }

    #[test]
    fn a_likely_step_is_borne_out_by_a_control_that_came_in_sight_only_after_it() {
        let first = likely(0.85, trail(&["Home", "Settings"], &[], &[]));
        let after = |found: &str| likely(0.99, trail(&["Privacy", "Remember"], &[found], &[]));
        assert_eq!(judged(&[first.clone()]).0, Verdict::Blocked);
        assert_eq!(judged(&[first.clone(), after("Remember")]).0, Verdict::Failed);
        assert_eq!(judged(&[first, after("Settings")]).0, Verdict::Blocked, "it was there before");
        let gross = likely(0.3, trail(&["Home"], &[], &[]));
        assert_eq!(judged(&[gross, after("Remember")]).0, Verdict::Blocked);
    }

    #[test]
    fn what_one_actor_finds_says_nothing_of_what_another_did() {
        let mut doubts = Doubts::default();
        doubts.note(1, "do 1", "guest", &likely(0.85, trail(&["Menu"], &[], &[])));
        doubts.note(2, "do 2", "cook", &likely(0.99, trail(&["Orders"], &["Accept"], &[])));
        assert!(!doubts.none_before(3));
    }

    #[test]
    fn a_likely_step_is_borne_out_by_what_else_was_expected_and_was_never_given() {
        let judge = |seen: &str| {
            let mut doubts = Doubts::default();
            doubts.note(1, "do", "", &likely(0.8, trail(&["Due 9 May"], &[], &["Salt"])));
            let unmet = ExpectationOutcome {
                expectation: "visible: 30 May".into(),
                held: false,
                evidence: "no".into(),
                contradicted: false,
            };
            doubts.judge(&unmet, &Sight { seen: vec![seen.to_owned()], near: Vec::new() }).0
        };
        assert_eq!(judge("1 of 2 times"), Verdict::Failed);
        assert_eq!(judge("9 May"), Verdict::Blocked, "it was there before");
        assert_eq!(judge("Salt"), Verdict::Blocked, "it was given");
    }

    #[test]
    fn other_numbers_bear_out_the_last_step_only() {
        let judge = |values: [f32; 2]| {
            let mut doubts = Doubts::default();
            for (at, value) in values.into_iter().enumerate() {
                doubts.note(at + 1, "do", "", &likely(value, trail(&["Home"], &[], &[])));
            }
            let unmet = ExpectationOutcome {
                expectation: "visible: paid 5".into(),
                held: false,
                evidence: "no".into(),
                contradicted: false,
            };
            doubts.judge(&unmet, &Sight { seen: Vec::new(), near: vec!["paid 7".into()] }).0
        };
        assert_eq!(judge([0.99, 0.8]), Verdict::Failed);
        assert_eq!(judge([0.8, 0.99]), Verdict::Blocked);
    }

    #[test]
    fn a_check_after_a_doubtful_step_is_blocked_and_a_crash_is_not() {
        let mut doubts = Doubts::default();
        doubts.note(1, "do", "", &passed(0.01));
        let check = StepOutcome { unseen: true, ..StepOutcome::new(Verdict::Failed, "not there") };
        assert_eq!(doubts.excuse(check.clone()).verdict, Verdict::Blocked);
        assert_eq!(doubts.excuse(StepOutcome { unseen: false, ..check.clone() }).verdict, Verdict::Failed);
        assert_eq!(Doubts::default().excuse(check).verdict, Verdict::Failed);
    }
}
