//! Forms of one word: "Termin" and "Termine", "canción" and "canciones".

use crate::domain::{same_word, stem};
use snowball_stemmers_rs::{Algorithm, Stemmer};

/// Letters that two forms of a word have in common at least, from the first on.
const COMMON: usize = 3;

/// Languages that a text may be written in, each with its inflection.
const MOST: usize = 3;

/// The inflections of the languages that a text may be written in; English words have their forms in every text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inflection([Option<Algorithm>; MOST]);

impl Inflection {
    /// English alone.
    pub const ENGLISH: Self = Self([None; MOST]);

    /// That of languages of the lexicon by their codes, without those whose forms are not known; English where a text may be written
    /// in more than a few.
    pub(super) fn of<'c>(codes: impl Iterator<Item = &'c str>) -> Self {
        let mut known = codes.filter_map(Self::algorithm);
        let own = [known.next(), known.next(), known.next()];
        if known.next().is_some() { Self::ENGLISH } else { Self(own) }
    }

    fn algorithm(code: &str) -> Option<Algorithm> {
        match code {
            "cs" => Some(Algorithm::Czech),
            "de" => Some(Algorithm::German),
            "el" => Some(Algorithm::Greek),
            "es" => Some(Algorithm::Spanish),
            "fr" => Some(Algorithm::French),
            "hu" => Some(Algorithm::Hungarian),
            "id" => Some(Algorithm::Indonesian),
            "it" => Some(Algorithm::Italian),
            "nl" => Some(Algorithm::Dutch),
            "pl" => Some(Algorithm::Polish),
            "pt" => Some(Algorithm::Portuguese),
            "ro" => Some(Algorithm::Romanian),
            "ru" => Some(Algorithm::Russian),
            "sv" => Some(Algorithm::Swedish),
            "tr" => Some(Algorithm::Turkish),
            "uk" => Some(Algorithm::Ukrainian),
            _ => None,
        }
    }

    /// False for two words that are forms of one word in no language, English aside: they begin with other letters. Costs next to nothing.
    pub fn may_be_same(one: &str, other: &str) -> bool {
        one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count() >= COMMON
    }

    /// True if two words in lower case are forms of one word. A word may be an English stem.
    pub fn is_same(self, one: &str, other: &str) -> bool {
        if same_word(one, other) {
            return true;
        }
        if self == Self::ENGLISH {
            return false;
        }
        if !Self::may_be_same(one, other) {
            return false;
        }
        self.0.into_iter().flatten().any(|algorithm| {
            let stemmer = Stemmer::create(algorithm);
            let forms = |word: &str| [stemmer.stem(word).into_owned(), stemmer.stem(&stem(word)).into_owned()];
            let others = forms(other);
            forms(one).iter().any(|form| others.contains(form))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_known_in_the_language_of_the_text() {
        let check = |code: &str, one: &str, other: &str, expected: bool| {
            assert_eq!(Inflection::of(std::iter::once(code)).is_same(one, other), expected, "{code}: {one} {other}");
        };
        check("de", "bescheinigungen", "bescheinigung", true);
        check("de", "termine", "termin", true);
        check("es", "canciones", "canción", true);
        check("fr", "ordonnances", "ordonnance", true);
        check("it", "ricette", "ricetta", true);
        check("ru", "заметки", "заметка", true);
        check("en", "orders", "order", true);
        check("en", "timer", "times", false);
        check("de", "vertrag", "verlag", false);
    }
}
