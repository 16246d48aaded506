//! Controls that a text speaks of: "the heart", "the funnel at the top", "the side menu".

use super::table::{MAX_WORDS, Sense, as_verb, read_words};
use super::{Lexicon, Purpose, PurposeSet};

impl Lexicon {
    /// Purposes whose words stand anywhere in a text: "the heart of the entry" speaks of a favourite.
    pub fn purposes_within(&self, text: &str) -> PurposeSet {
        let mut set = PurposeSet::default();
        let own = read_words(text);
        let languages = self.languages_of(std::iter::once(text));
        for at in 0..own.len() {
            for length in 1..=MAX_WORDS.min(own.len() - at) {
                for sense in self.senses(&own[at..at + length], languages) {
                    if let Sense::Purpose(purpose) = sense {
                        set.insert(purpose);
                    }
                }
            }
        }
        set
    }

    /// Purposes of controls that a text speaks of by a noun: the phrase is no verb, or `precedes_noun` holds for the word before
    /// it: "the bin", "mit dem Plus".
    pub fn controls_within(&self, text: &str, precedes_noun: &dyn Fn(&str) -> bool) -> PurposeSet {
        let mut set = PurposeSet::default();
        let own = read_words(text);
        let languages = self.languages_of(std::iter::once(text));
        for at in 0..own.len() {
            let article =
                at.checked_sub(1).and_then(|before| own.get(before)).is_some_and(|word| precedes_noun(&word.plain));
            for length in 1..=MAX_WORDS.min(own.len() - at) {
                let senses = self.senses(&own[at..at + length], languages);
                if article || !senses.iter().any(|sense| as_verb(*sense).is_some()) {
                    let purposes = senses.iter().filter_map(|sense| match sense {
                        Sense::Purpose(purpose) => Some(*purpose),
                        _ => None,
                    });
                    purposes.for_each(|purpose| set.insert(purpose));
                }
            }
        }
        set
    }

    /// A text without its phrases of several words that call a menu or a drawer; the text as it is where it has none.
    pub fn without_menus(&self, text: &str) -> String {
        let own = read_words(text);
        let languages = self.languages_of(std::iter::once(text));
        let calls = |at: usize| {
            let longest = (2..=MAX_WORDS.min(own.len() - at)).rev().find(|length| {
                let senses = self.senses(&own[at..at + length], languages);
                senses.iter().any(|sense| matches!(sense, Sense::Purpose(Purpose::Drawer | Purpose::Overflow)))
            });
            longest.unwrap_or(0)
        };
        let (mut at, mut left) = (0, Vec::new());
        while at < own.len() {
            match calls(at) {
                0 => {
                    left.push(own[at].plain.as_str());
                    at += 1;
                }
                length => at += length,
            }
        }
        if left.len() == own.len() { text.to_owned() } else { left.join(" ") }
    }
}
