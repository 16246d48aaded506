//! Numbers in digits and in words: "21,5", "twenty-five", "zweiundzwanzig", "quatre-vingt-dix", "two and a half".

use super::super::lexicon::{Language, NumberWords};
use super::token::Token;

/// A number that begins at a piece of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberAt {
    pub(super) value: f64,
    /// The first piece behind it.
    pub(super) next: usize,
}

/// The number that begins at this piece: digits, a cardinal in words, each with its half ("two and a half"); `None` for
/// anything else. An article is no number.
pub(super) fn number_at(tokens: &[Token], at: usize, language: &Language) -> Option<NumberAt> {
    let first = tokens.get(at)?;
    if first.is_word_of(&language.numbers.one_and_a_half) {
        return Some(NumberAt { value: 1.5, next: at + 1 });
    }
    if let Some(value) = glued_half(&first.text, &language.numbers) {
        return Some(NumberAt { value, next: at + 1 });
    }
    let whole = match first.number() {
        Some(value) => NumberAt { value, next: at + 1 },
        None => cardinal_at(tokens, at, language)?,
    };
    Some(with_half(tokens, whole, language))
}

/// "and a half" behind a number.
fn with_half(tokens: &[Token], number: NumberAt, language: &Language) -> NumberAt {
    let words = &language.numbers;
    let is = |at: usize, list: &[String]| tokens.get(at).is_some_and(|token| token.is_word_of(list));
    if !is(number.next, &words.joins) {
        return number;
    }
    let half = number.next + 1 + usize::from(is(number.next + 1, &words.articles));
    if is(half, &words.half) { NumberAt { value: number.value + 0.5, next: half + 1 } } else { number }
}

/// A cardinal in words that begins at this piece.
pub(super) fn cardinal_at(tokens: &[Token], at: usize, language: &Language) -> Option<NumberAt> {
    let words = &language.numbers;
    let mut sum = Sum::default();
    let mut next = at;
    loop {
        let mut place = next;
        let mut joined = false;
        while next > at && tokens.get(place).is_some_and(|token| token.is_sign("-") || token.is_word_of(&words.joins)) {
            joined |= tokens.get(place).is_some_and(|token| token.is_word_of(&words.joins));
            place += 1;
        }
        let Some(parts) = tokens.get(place).and_then(|token| parts_of(&token.text, words)) else { break };
        let mut longer = sum;
        // "seven and eight" are two numbers.
        if !parts.iter().all(|part| longer.add(*part, Joint::of(joined, words))) {
            break;
        }
        sum = longer;
        next = place + 1;
    }
    (next > at).then(|| NumberAt { value: f64::from(sum.value()), next })
}

/// The values that a number word is made of; several where the language writes numbers in one word.
fn parts_of(word: &str, words: &NumberWords) -> Option<Vec<u32>> {
    if let Some(value) = words.values.get(word) {
        return Some(vec![*value]);
    }
    if !words.glued {
        return None;
    }
    let parts = split_glued(word, words)?;
    let mut sum = Sum::default();
    let all = parts.iter().all(|(value, joined)| sum.add(*value, Joint::of(*joined, words)));
    all.then(|| vec![sum.value()])
}

/// The number words of a compound, each with whether a joining word stands before it.
fn split_glued(word: &str, words: &NumberWords) -> Option<Vec<(u32, bool)>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    let mut known: Vec<(&String, u32)> =
        words.values.iter().filter(|(known, _)| word.starts_with(known.as_str())).map(|(w, v)| (w, *v)).collect();
    known.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
    for (known, value) in known {
        let rest = &word[known.len()..];
        if let Some(mut parts) = split_glued(rest, words) {
            parts.insert(0, (value, false));
            return Some(parts);
        }
    }
    let rest = words.joins.iter().find_map(|join| word.strip_prefix(join.as_str()))?;
    let mut parts = split_glued(rest, words).filter(|parts| !parts.is_empty())?;
    if let Some(first) = parts.first_mut() {
        first.1 = true;
    }
    Some(parts)
}

/// "zweieinhalb".
fn glued_half(word: &str, words: &NumberWords) -> Option<f64> {
    if words.half_ending.is_empty() {
        return None;
    }
    let head = word.strip_suffix(words.half_ending.as_str())?.trim_end_matches("und");
    words.values.get(head).map(|value| f64::from(*value) + 0.5)
}

/// True for a word that is a number of a language that writes numbers in one word.
pub(in super::super) fn is_compound(word: &str, words: &NumberWords) -> bool {
    words.glued && (glued_half(word, words).is_some() || parts_of(word, words).is_some())
}

/// What joins a number word to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    /// "treinta y cinco": tens before units.
    TensFirst,
    /// "zweiundzwanzig": units before tens.
    UnitsFirst,
}

impl Joint {
    const fn of(joined: bool, words: &NumberWords) -> Self {
        match (joined, words.glued) {
            (false, _) => Self::None,
            (true, false) => Self::TensFirst,
            (true, true) => Self::UnitsFirst,
        }
    }
}

/// A cardinal that is put together from its words.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    thousands: u32,
    current: u32,
    last: Option<u32>,
}

impl Sum {
    fn value(self) -> u32 {
        self.thousands + self.current
    }

    /// Takes one more word; false where it begins another number.
    fn add(&mut self, value: u32, joint: Joint) -> bool {
        let Some(last) = self.last else {
            if value == 1000 {
                self.thousands = 1000;
            } else {
                self.current = value;
            }
            self.last = Some(value);
            return true;
        };
        let (tens, units) = (|value: u32| (20..100).contains(&value) && value.is_multiple_of(10), 1..=9);
        let hundreds = last >= 100 && last % 100 == 0;
        match value {
            1000 if self.thousands == 0 && self.current > 0 => {
                self.thousands = self.current * 1000;
                self.current = 0;
            }
            100 if (2..=19).contains(&self.current) => self.current *= 100,
            12 if (2..=9).contains(&last) && joint == Joint::None => return false,
            // "quatre-vingts".
            20 if last == 4 && joint == Joint::None => self.current += 76,
            value if tens(value) && joint == Joint::UnitsFirst && units.contains(&last) => self.current += value,
            value if units.contains(&value) && tens(last) => self.current += value,
            // "soixante-quinze", "quatre-vingt-dix", then "sept".
            value if (10..=19).contains(&value) && (last == 60 || last == 20 && self.current % 100 == 80) => {
                self.current += value;
            }
            7..=9 if last == 10 => self.current += value,
            value if hundreds && value < last => self.current += value,
            _ => return false,
        }
        self.last = Some(value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::lexicon::lexicon;
    use super::super::token::{Separators, tokens};
    use super::*;

    fn read(code: &str, text: &str) -> Option<(f64, usize)> {
        let language = lexicon().languages.iter().find(|language| language.code == code).unwrap();
        let tokens = tokens(text, Separators::DecimalPoint);
        number_at(&tokens, 0, language).map(|number| (number.value, tokens.len() - number.next))
    }

    #[test]
    fn numbers_are_read_in_four_languages() {
        for (code, text, value) in [
            ("en", "twenty-five", 25.0),
            ("en", "two hundred and five", 205.0),
            ("en", "three thousand four hundred", 3400.0),
            ("en", "two and a half", 2.5),
            ("en", "seventeen", 17.0),
            ("de", "einundzwanzig", 21.0),
            ("de", "zweihundertfünfundvierzig", 245.0),
            ("de", "zweieinhalb", 2.5),
            ("de", "anderthalb", 1.5),
            ("de", "dreitausend", 3000.0),
            ("es", "treinta y cinco", 35.0),
            ("es", "ciento veinte", 120.0),
            ("es", "veinticinco", 25.0),
            ("es", "dos mil quinientos", 2500.0),
            ("fr", "vingt et un", 21.0),
            ("fr", "vingt-et-un", 21.0),
            ("fr", "quatre-vingt-dix-sept", 97.0),
            ("fr", "soixante-quinze", 75.0),
            ("fr", "deux cents", 200.0),
            ("fr", "dix-sept", 17.0),
        ] {
            assert_eq!(read(code, text), Some((value, 0)), "{text}");
        }
    }

    #[test]
    fn a_number_ends_where_another_begins() {
        assert_eq!(read("en", "seven twenty"), Some((7.0, 1)));
        assert_eq!(read("en", "two and three"), Some((2.0, 2)));
        assert_eq!(read("en", "five apples"), Some((5.0, 1)));
        assert_eq!(read("es", "siete y veinte"), Some((7.0, 2)));
        assert_eq!(read("en", "apples"), None);
        assert_eq!(read("de", "einfach"), None);
    }
}
