//! How apps say that something is wrong; the words are in `error_words.toml`.

use crate::domain::{BundledTable, CueList, CueText, TableError};
use serde::Deserialize;

/// Longest text that is a message; a longer one explains something.
const LONGEST: usize = 160;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorWords {
    trouble: CueList,
    complaint: CueList,
    later: CueList,
}

static WORDS: BundledTable<ErrorWords> =
    BundledTable::toml("crates/base/src/hierarchy/error_words.toml", include_str!("error_words.toml"));

/// Checks that the bundled words of errors can be read.
pub fn verify_tables() -> Result<(), TableError> {
    WORDS.verify()
}

/// The text says that the app could not do something.
pub fn says_trouble(text: &str) -> bool {
    text.chars().count() <= LONGEST && CueText::new(text).holds(&WORDS.get().trouble)
}

/// The text says that what was given does not please the app.
pub fn says_complaint(text: &str) -> bool {
    text.chars().count() <= LONGEST && CueText::new(text).holds(&WORDS.get().complaint) && !says_trouble(text)
}

/// The text says that something is wrong, whoever is at fault.
pub fn says_error(text: &str) -> bool {
    says_trouble(text) || says_complaint(text)
}

/// The text asks to wait, or to come again: what did not work now may work later.
pub(super) fn asks_to_wait(text: &str) -> bool {
    CueText::new(text).holds(&WORDS.get().later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_of_the_app_and_complaints_about_the_input_are_told_apart() {
        for text in
            ["Something went wrong", "Could not save the note. Try again later", "保存失败", "Fehler beim Laden"]
        {
            assert!(says_trouble(text) && !says_complaint(text), "{text}");
        }
        for text in ["Please enter a name", "Wrong password", "密码不正确", "The codes do not match"] {
            assert!(says_complaint(text) && !says_trouble(text), "{text}");
        }
        for text in ["Saved", "Your order is complete", "All good"] {
            assert!(!says_error(text), "{text}");
        }
    }

    #[test]
    fn what_explains_at_length_is_no_message() {
        assert!(!says_error(&format!("Something went wrong {}", "and so on ".repeat(20))));
    }
}
