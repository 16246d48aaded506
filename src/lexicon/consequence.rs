//! Consequences: what cannot be taken back, or reaches other people, is done only where the case asks for it.

use super::table::{Languages, Lexicon};
use super::verb::{CONSEQUENTIAL, Verb, VerbSet};
use crate::domain::{same_word, words};

/// A label of more words than this is a text, not a command.
const MAX_COMMAND_WORDS: usize = 4;

/// Verbs that grant others: what amounts to the same, or carries it out under another name.
const GRANTS: [(Verb, &[Verb]); 11] = [
    (Verb::Order, &[Verb::Pay]),
    (Verb::Pay, &[Verb::Order, Verb::Send]),
    (Verb::Send, &[Verb::Share, Verb::Publish]),
    (Verb::Publish, &[Verb::Send, Verb::Share]),
    (Verb::Share, &[Verb::Send]),
    (Verb::Report, &[Verb::Send]),
    (Verb::Cancel, &[Verb::Delete, Verb::Leave]),
    (Verb::Leave, &[Verb::Delete]),
    (Verb::Unmark, &[Verb::Delete, Verb::Leave]),
    (Verb::Save, &[Verb::Send, Verb::Pay, Verb::Order]),
    (Verb::Reset, &[Verb::Delete]),
];

/// A command whose consequence the case does not ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unasked {
    /// What it would do.
    pub verb: Verb,
}

/// What touching a control of this label would do that the case does not ask for; `None` if the label commands nothing of
/// consequence, or the case asks for it. `asked` holds all that the case says: the step and the case's title. `screen` tells
/// the languages of the screen.
pub fn unasked(lexicon: &Lexicon, label: &str, screen: Languages, asked: &[&str]) -> Option<Unasked> {
    let label_words = words(label);
    if label_words.is_empty() || label_words.len() > MAX_COMMAND_WORDS {
        return None;
    }
    let verbs = lexicon.label_verbs(label, screen).and(CONSEQUENTIAL);
    let said = |text: &&str| {
        let text = words(text);
        text.windows(label_words.len()).any(|part| part.iter().zip(&label_words).all(|(a, b)| same_word(a, b)))
    };
    if verbs.is_empty() || asked.iter().any(said) {
        return None;
    }
    let mut granted = asked.iter().fold(VerbSet::EMPTY, |set, text| set.or(lexicon.verb_set(text)));
    for (verb, others) in GRANTS {
        if granted.has(verb) {
            granted = granted.or(VerbSet::of(others));
        }
    }
    // A label of several verbs is asked for if one of them is: "Save and send".
    if verbs.meets(granted) {
        return None;
    }
    verbs.iter().next().map(|verb| Unasked { verb })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, asked: &[&str]) -> Option<Verb> {
        unasked(&Lexicon::bundled().unwrap(), label, Languages::ENGLISH, asked).map(|unasked| unasked.verb)
    }

    #[test]
    fn what_nobody_asks_for_is_named() {
        assert_eq!(check("Delete", &["Open the note", "A note is read"]), Some(Verb::Delete));
        assert_eq!(check("Place order", &["Look at the basket"]), Some(Verb::Order));
        assert_eq!(check("Block", &["Show the profile"]), Some(Verb::Block));
    }

    #[test]
    fn what_is_asked_for_in_other_words_is_granted() {
        assert_eq!(check("Delete", &["Remove the note"]), None);
        assert_eq!(check("Pay now", &["Order the soup"]), None);
        assert_eq!(check("Send", &["Confirm it"]), None);
        assert_eq!(check("Call", &["Tap Call"]), None);
    }

    #[test]
    fn texts_and_harmless_commands_are_no_consequences() {
        assert_eq!(check("Settings", &["Open the note"]), None);
        assert_eq!(check("Delete the files that are older than a year", &["Open it"]), None);
        assert_eq!(check("", &[]), None);
    }
}
