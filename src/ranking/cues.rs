//! Words that tell what a step is about.

use super::words::{same_word, words};
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
        any(&self.form, instruction)
    }

    /// The label is that of a control that sends a form.
    pub fn is_submit(&self, label: &str) -> bool {
        any(&self.submit, label)
    }

    /// The label is that of a control that only leads on.
    pub fn is_advance(&self, label: &str) -> bool {
        any(&self.advance, label)
    }

    /// The label is that of a box that must be ticked before a form can be sent.
    pub fn is_consent(&self, label: &str) -> bool {
        any(&self.consent, label)
    }

    /// The step checks instead of acting.
    pub fn is_assertion(&self, instruction: &str) -> bool {
        any(&self.assertion, instruction)
    }

    /// The state a step wants a switch to have, where it says so.
    pub fn wanted_state(&self, instruction: &str) -> Option<bool> {
        if any(&self.off, instruction) {
            Some(false)
        } else if any(&self.on, instruction) {
            Some(true)
        } else {
            None
        }
    }
}

/// True when `text` holds one of the cues; a cue of several words must stand together.
pub(super) fn any(cues: &[String], text: &str) -> bool {
    let text = words(text);
    cues.iter().any(|cue| {
        let cue = words(cue);
        !cue.is_empty() && text.windows(cue.len()).any(|part| part.iter().zip(&cue).all(|(a, b)| same_word(a, b)))
    })
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
