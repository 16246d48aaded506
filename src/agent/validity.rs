//! Was the action possible, and did it do something? (Algorithm 1, lines 12–20.)

use crate::device::Seen;
use crate::domain::Action;
use crate::form::{holds, took};
use crate::skill::Validity;

/// Valid or not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The action had its effect.
    pub valid: bool,
    /// What shows it.
    pub reason: String,
}

impl Finding {
    fn new(valid: bool, reason: impl Into<String>) -> Self {
        Self { valid, reason: reason.into() }
    }
}

/// Judges `action` by what was seen before and after it. `package` is the app under test.
pub(super) fn judge(rule: Validity, action: &Action, before: &Seen, after: &Seen, package: &str) -> Finding {
    match rule {
        Validity::Always => Finding::new(true, "needs no effect"),
        Validity::ScreenChanges if before.screen.fingerprint != after.screen.fingerprint => {
            Finding::new(true, format!("led to \"{}\"", after.screen.title))
        }
        Validity::ScreenChanges if before.screen.digest != after.screen.digest => {
            Finding::new(true, "the screen's content changed")
        }
        Validity::ScreenChanges => Finding::new(false, "nothing on the screen changed"),
        Validity::AppInFront => {
            let in_front = after.screen.foreground.as_deref().is_some_and(|name| name.starts_with(package));
            Finding::new(in_front, if in_front { "the app is in front" } else { "the app is not in front" })
        }
        Validity::FieldHoldsText => match action {
            Action::InputText { target, text } => match after.screen.resolve(&target.selector) {
                Some((field, _)) if holds(field, text) => Finding::new(true, "the field holds the text"),
                Some((field, _)) if took(&after.screen, field, text) == Some(true) => {
                    Finding::new(true, "the boxes took what was typed")
                }
                Some((field, _)) if field.state.password => {
                    Finding::new(false, "the field does not hold as many characters as were typed")
                }
                Some((field, _)) => Finding::new(false, format!("the field holds {:?} instead", field.value)),
                None if before.screen.fingerprint != after.screen.fingerprint => {
                    Finding::new(true, "the screen moved on while typing")
                }
                None => Finding::new(false, "the field is gone"),
            },
            _ => Finding::new(true, "no field to check"),
        },
    }
}
