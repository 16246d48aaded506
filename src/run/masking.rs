//! The one place where secrets are taken out of what a run tells: every text of an event that the case did not write.

use crate::domain::{Diagnosis, EventKind, RunResult, SecretMask};
use std::borrow::Cow;

/// Hides secrets in whatever the device, the app or a judgement put into an event. What the case wrote has none, and actions
/// name secrets only.
pub(super) fn hide(mask: &SecretMask, kind: &mut EventKind) {
    if mask.is_empty() {
        return;
    }
    match kind {
        EventKind::ScreenObserved { screen, dumps, pictures, diagnostics, .. } => {
            hide_in(mask, &mut screen.title);
            hide_all(mask, &mut screen.foreground);
            dumps.iter_mut().for_each(|dump| hide_all(mask, &mut dump.failure));
            pictures.iter_mut().for_each(|picture| hide_all(mask, &mut picture.failure));
            diagnostics.iter_mut().for_each(|note| hide_note(mask, note));
        }
        EventKind::Decided { chosen, runners_up, why, expects, .. } => {
            hide_in(mask, why);
            hide_in(mask, expects);
            [chosen].into_iter().chain(runners_up).for_each(|candidate| hide_in(mask, &mut candidate.text));
        }
        EventKind::Acted { reason, adb, .. } => {
            hide_in(mask, reason);
            adb.iter_mut().for_each(|line| hide_in(mask, line));
        }
        EventKind::StepFinished { reason, .. } => hide_in(mask, reason),
        EventKind::StartedOver { otherwise, .. } => hide_in(mask, otherwise),
        EventKind::ExpectationChecked { outcome } => {
            hide_in(mask, &mut outcome.expectation);
            hide_in(mask, &mut outcome.evidence);
        }
        EventKind::RunFinished { result } => hide_result(mask, result),
        EventKind::RunStarted { .. } | EventKind::StepStarted { .. } | EventKind::ScriptWritten { .. } => {}
    }
}

/// Hides secrets in a summary.
pub(super) fn hide_result(mask: &SecretMask, result: &mut RunResult) {
    hide_in(mask, &mut result.reason);
    for step in &mut result.steps {
        hide_in(mask, &mut step.reason);
        step.actions.iter_mut().for_each(|action| hide_all(mask, &mut action.target));
    }
    result.diagnostics.iter_mut().for_each(|counted| hide_in(mask, &mut counted.message));
}

/// Hides secrets in what is told of a look.
pub(super) fn hide_note(mask: &SecretMask, note: &mut Diagnosis) {
    hide_in(mask, &mut note.message);
}

fn hide_all(mask: &SecretMask, texts: &mut Option<String>) {
    texts.iter_mut().for_each(|text| hide_in(mask, text));
}

fn hide_in(mask: &SecretMask, text: &mut String) {
    if let Cow::Owned(hidden) = mask.hide(text) {
        *text = hidden;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Action, ActionSource, ExpectationOutcome, Secret, Verdict};

    #[test]
    fn no_event_shows_a_secret_in_any_form() {
        let mask = SecretMask::new(&[Secret::new("Lunchwith007")]);
        let forms = ["Lunchwith007", "LUNCHWITH 007", "Lunch%77ith007", "THVuY2h3aXRoMDA3"];
        for form in forms {
            let said = format!("java.lang.IllegalStateException: {form}");
            let evidence = said.clone();
            let outcome =
                ExpectationOutcome { expectation: "visible: Paid".into(), held: false, evidence, contradicted: false };
            let mut kinds = [
                EventKind::StepFinished { index: 1, verdict: Verdict::Failed, reason: said.clone(), confidence: None },
                EventKind::StartedOver { attempt: 2, otherwise: said.clone() },
                EventKind::ExpectationChecked { outcome },
                EventKind::Acted {
                    step: 1,
                    action: Action::PressEnter,
                    score: None,
                    source: ActionSource::Agent,
                    valid: true,
                    reason: said.clone(),
                    act_ms: 0.0,
                    settle_ms: 0.0,
                    adb: vec![format!("input text 'IllegalStateException: {form}'")],
                },
            ];
            for kind in &mut kinds {
                hide(&mask, kind);
                let told = serde_json::to_string(kind).unwrap();
                assert!(!told.contains(form) && told.contains("IllegalStateException: •"), "{told}");
            }
        }
    }
}
