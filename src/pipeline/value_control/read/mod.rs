//! Values in plain words: numbers with units, times of day and dates, in English, German, Spanish and French.
//!
//! Pure readers of a text. Nothing here knows a screen.

mod date;
mod number;
mod quantity;
mod time;
mod token;

use super::lexicon::{Language, lexicon};
pub(super) use crate::form::WrittenDate;
pub(super) use date::{DateWish, dates_in};
pub(super) use number::is_compound;
pub(crate) use quantity::Quantity;
pub(super) use quantity::{durations_in, quantities_in};
pub(super) use time::times_in;
pub(super) use time::{HalfOfDay, TimeOfDay};
use token::{Separators, Token, tokens};

/// The first date that a text tells: a day of a month, with or without a year, or a month and a year.
pub(crate) fn read_date(text: &str) -> Option<WrittenDate> {
    WrittenDate::read(text).filter(|date| date.month.is_some()).or_else(|| {
        dates_in(&Reading::new(text)).into_iter().find_map(|date| match date {
            DateWish::On(date) => Some(date),
            DateWish::Days(_) | DateWish::Weekday(_) => None,
        })
    })
}

/// The first time of day that a text tells: "7:20 PM", "twenty past seven in the evening", "halb acht".
pub(crate) fn read_time(text: &str) -> Option<TimeOfDay> {
    let found = times_in(&Reading::new(text));
    found.iter().find(|found| found.sure).or(found.first()).map(|found| found.time)
}

/// The first length of time that a text tells, in seconds.
pub(crate) fn read_seconds(text: &str) -> Option<f64> {
    durations_in(&read_quantities(text)).first().map(|duration| duration.seconds)
}

/// All amounts that a text tells, in its order: numbers in digits or words, each with its unit.
///
/// The unit is the canonical name of a known one ("percent", "hour"), else the noun behind the number in lower case.
/// `span` are the bytes of number and unit. Parts of dates and of times in clock notation are no amounts.
pub(crate) fn read_quantities(text: &str) -> Vec<Quantity> {
    quantities_in(&Reading::new(text))
}

/// A text with its pieces and its language.
pub(super) struct Reading<'t> {
    text: &'t str,
    pub(super) language: &'static Language,
    tokens: Vec<Token>,
}

impl<'t> Reading<'t> {
    /// Reads a text in the language its words tell.
    pub(super) fn new(text: &'t str) -> Self {
        Self::in_language(text, lexicon().language_of(text))
    }

    /// Reads a text in a known language, for a value that is too short to tell its own.
    pub(super) fn in_language(text: &'t str, language: &'static Language) -> Self {
        let separators =
            if language.numbers.decimal_comma { Separators::DecimalComma } else { Separators::DecimalPoint };
        Self { text, language, tokens: tokens(text, separators) }
    }

    fn word_of(&self, at: usize, list: &[String]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word_of(list))
    }

    fn sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_sign(sign))
    }

    /// The piece behind the longest of these phrases that begins here. Apostrophes and hyphens do not part its words.
    fn phrase_end(&self, at: usize, phrases: &[String]) -> Option<usize> {
        phrases.iter().filter_map(|phrase| self.one_phrase_end(at, phrase)).max()
    }

    fn one_phrase_end(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut next = at;
        for word in phrase.split(' ') {
            while next > at && ["'", "’", "-"].iter().any(|sign| self.sign(next, sign)) {
                next += 1;
            }
            if self.tokens.get(next)?.text != word {
                return None;
            }
            next += 1;
        }
        Some(next)
    }

    /// Bytes from one piece to before another.
    fn bytes(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let start = self.tokens.get(from).map_or(self.text.len(), |token| token.span.start);
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.span.end);
        start..end.max(start)
    }
}

/// True if two ranges of bytes share one.
fn overlap(one: &std::ops::Range<usize>, other: &std::ops::Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
