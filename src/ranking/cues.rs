//! Words that tell what a step is about.

use crate::domain::holds_cue;
use serde::Deserialize;

/// Cue words by purpose; see `cues.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cues {
    form: Vec<String>,
    submit: Vec<String>,
    consent: Vec<String>,
    assertion: Vec<String>,
    on: Vec<String>,
    off: Vec<String>,
    advance: Vec<String>,
}

impl Cues {
    /// The cues that ship with Tapwright.
    pub fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("cues.toml"))
    }

    /// The step asks for a form to be filled in or sent.
    pub fn is_form(&self, instruction: &str) -> bool {
        holds_cue(&self.form, instruction)
    }

    /// The label is that of a control that sends a form.
    pub fn is_submit(&self, label: &str) -> bool {
        holds_cue(&self.submit, label)
    }

    /// The label is that of a control that only leads on.
    pub fn is_advance(&self, label: &str) -> bool {
        holds_cue(&self.advance, label)
    }

    /// The label is that of a box that must be ticked before a form can be sent.
    pub fn is_consent(&self, label: &str) -> bool {
        holds_cue(&self.consent, label)
    }

    /// The step checks instead of acting.
    pub fn is_assertion(&self, instruction: &str) -> bool {
        holds_cue(&self.assertion, instruction)
    }

    /// The state a step wants a switch to have, where it says so.
    pub fn wanted_state(&self, instruction: &str) -> Option<bool> {
        if holds_cue(&self.off, instruction) {
            Some(false)
        } else if holds_cue(&self.on, instruction) {
            Some(true)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_whole_words_in_any_ending() {
        let cues = Cues::bundled().unwrap();
        assert!(cues.is_form("Submitting personal information"));
        assert!(cues.is_submit("Agree and continue"));
        assert!(!cues.is_submit("Resend code"));
        assert!(cues.is_assertion("Check that the card is listed"));
        assert!(!cues.is_assertion("Tick the check box"));
        assert_eq!(cues.wanted_state("Turn off reminders"), Some(false));
        assert_eq!(cues.wanted_state("Enable reminders"), Some(true));
        assert_eq!(cues.wanted_state("Open reminders"), None);
    }
}
